CREATE TABLE employee (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hired TEXT NOT NULL, salary INTEGER, team TEXT NOT NULL, grade TEXT NOT NULL, manager_id INTEGER);
CREATE TABLE sale (id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employee (id), placed TEXT NOT NULL, amount REAL NOT NULL, status TEXT, country TEXT NOT NULL);
CREATE TABLE study (id INTEGER PRIMARY KEY, topic TEXT NOT NULL, year INTEGER NOT NULL, cases INTEGER NOT NULL);
INSERT INTO employee VALUES
    (1, 'April Jones', '2018-03-01', 1900, 'Sales', 'A', NULL),
    (2, 'August Weber', '2020-06-15', 1950, 'Sales', 'A+', 1),
    (3, 'May Lind', '2021-01-10', 2600, 'Support', 'B', 1),
    (4, 'Tom Ost', '2022-09-01', 1800, 'Support', 'B-', 1),
    (5, 'Ida Krug', '2015-11-20', 4200, 'Research', 'A', 1),
    (6, 'Jan Holt', '2019-02-11', 3100, 'Research', 'B', 5),
    (7, 'Eva Roth', '2023-04-03', 2000, 'Sales', 'C', 5),
    (8, 'Lea Funk', '2024-01-08', 2400, 'Sales', 'C', 5);
INSERT INTO sale VALUES
    (1, 1, '2023-03-04', 120.0, 'paid', 'Germany'),
    (2, 1, '2023-05-17', 1800.0, 'cancelled', 'USA'),
    (3, 2, '2023-07-30', 75.5, NULL, 'US'),
    (4, 2, '2024-03-05', 640.0, 'paid', 'Germany'),
    (5, 3, '2024-03-07', 2300.0, 'open', 'France'),
    (6, 4, '2024-03-10', 90.0, 'paid', 'France'),
    (7, 1, '2024-03-28', 310.0, 'open', 'USA'),
    (8, 5, '2024-04-02', 1510.0, 'paid', 'Germany'),
    (9, NULL, '2024-05-09', 45.0, NULL, 'US'),
    (10, 2, '2024-06-21', 505.0, 'cancelled', 'Italy'),
    (11, 3, '2024-09-12', 700.0, 'paid', 'Italy'),
    (12, 7, '2024-09-19', 15.0, 'open', 'Germany'),
    (13, 7, '2024-07-01', 1501.0, 'paid', 'USA'),
    (14, 4, '2024-12-24', 60.0, 'paid', 'France');
INSERT INTO study VALUES
    (1, 'COVID-19', 2020, 400),
    (2, 'COVID-19', 2021, 900),
    (3, 'Influenza', 2019, 150),
    (4, 'Influenza', 2021, 90);
