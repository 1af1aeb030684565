-- rows-multiplied: bonuses and absences of an employee meet each other
SELECT e.name, SUM(b.amount) AS bonus, SUM(a.days) AS days FROM employees e JOIN bonuses b ON b.employee_id = e.id
JOIN absences a ON a.employee_id = e.id GROUP BY e.id, e.name;

-- rows-multiplied: a salary counts once per bonus
SELECT d.name, SUM(e.salary) FROM departments d JOIN employees e ON e.department_id = d.id JOIN bonuses b ON b.employee_id = e.id
GROUP BY d.id, d.name;

-- rows-multiplied: a department's budget counts once per employee
SELECT SUM(d.budget) FROM departments d JOIN employees e ON e.department_id = d.id WHERE e.salary > 4000;

-- empty-keys: employees of no department are not in the total
SELECT SUM(e.salary) FROM employees e JOIN departments d ON d.id = e.department_id;

-- not-in-empty: who has no manager makes the list of those that manage nobody empty
SELECT COUNT(*) FROM employees WHERE id NOT IN (SELECT manager_id FROM employees);

-- left-join-counted: a department without employees gets one
SELECT d.name, COUNT(*) FROM departments d LEFT JOIN employees e ON e.department_id = d.id GROUP BY d.id, d.name;

-- step other-key: the lead of a project, not the deputy
SELECT e.name, COUNT(*) FROM projects p JOIN employees e ON e.id = p.lead_id GROUP BY e.id, e.name;

-- left-join-undone: who had no bonus in 2021 is to be listed with none
SELECT e.name, COALESCE(SUM(b.amount), 0) FROM employees e LEFT JOIN bonuses b ON b.employee_id = e.id WHERE b.year = 2021 GROUP BY e.id, e.name;

-- text-number: level '9' is the highest by text
SELECT name, level FROM employees ORDER BY level DESC LIMIT 5;

-- every-pair: each department meets each employee
SELECT d.name, AVG(e.salary) FROM departments d, employees e GROUP BY d.id, d.name;
