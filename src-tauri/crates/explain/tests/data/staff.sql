-- People of a company, whom they report to, and what they got besides.
CREATE TABLE departments (id INTEGER PRIMARY KEY, name TEXT, budget INTEGER);
CREATE TABLE employees (id INTEGER PRIMARY KEY, name TEXT, department_id INTEGER REFERENCES departments(id),
  manager_id INTEGER REFERENCES employees(id), salary INTEGER, hired DATE, level TEXT);
CREATE TABLE bonuses (id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees(id), year INTEGER, amount INTEGER);
CREATE TABLE absences (id INTEGER PRIMARY KEY, employee_id INTEGER REFERENCES employees(id), since DATE, days INTEGER, reason TEXT);
CREATE TABLE projects (id INTEGER PRIMARY KEY, title TEXT, lead_id INTEGER REFERENCES employees(id), deputy_id INTEGER REFERENCES employees(id));

INSERT INTO departments SELECT i, 'Department ' || i, 100000 + 1000 * i FROM number WHERE i <= 9;
INSERT INTO employees SELECT i, 'Employee ' || i, CASE WHEN i % 15 = 0 THEN NULL ELSE 1 + i % 8 END, NULL, 3000 + (i * 131) % 4000,
  '20' || (10 + i % 13) || '-' || substr('0' || (1 + i % 12), -2) || '-01', '' || (1 + i % 14) FROM number WHERE i <= 120;
UPDATE employees SET manager_id = 1 + id % 6 WHERE id > 6;
INSERT INTO bonuses SELECT i, 1 + (i * 7) % 100, 2020 + i % 4, 200 + i % 900 FROM number WHERE i <= 260;
INSERT INTO absences SELECT i, 1 + (i * 11) % 90, '2023-' || substr('0' || (1 + i % 12), -2) || '-05', 1 + i % 10,
  CASE i % 3 WHEN 0 THEN 'ill' WHEN 1 THEN 'course' ELSE 'leave' END FROM number WHERE i <= 310;
INSERT INTO projects SELECT i, 'Project ' || i, 1 + i % 40, CASE WHEN i % 3 = 0 THEN NULL ELSE 1 + (i * 3) % 40 END FROM number WHERE i <= 60;
