CREATE TABLE people (id INTEGER PRIMARY KEY, code VARCHAR(20), salary INTEGER, region VARCHAR(20));
INSERT INTO people VALUES (1, 'zqann', 7100001, 'north'), (2, 'zqbob', 7100002, 'south'), (3, 'zqcyd', 7100003, 'north'), (4, 'zqdee', 7100004, 'south'), (5, 'zqeve', 7100005, 'north');
CREATE TABLE orders (id INTEGER PRIMARY KEY, person_id INTEGER, total INTEGER, region VARCHAR(20), made DATE);
INSERT INTO orders VALUES (11, 1, 2, 'north', '2024-01-01'), (12, 1, 3, 'south', '2024-01-02'), (13, 2, 5, 'north', '2024-01-02'), (14, NULL, 4, 'south', '2024-01-03');
CREATE TABLE regions (region VARCHAR(20), boss VARCHAR(20));
INSERT INTO regions VALUES ('north', 'Nora'), ('south', 'Sven');
