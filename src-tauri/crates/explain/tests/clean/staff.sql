-- whom each reports to
SELECT e.name, m.name FROM employees e JOIN employees m ON m.id = e.manager_id;

-- those who earn more than the one they report to
SELECT COUNT(*) FROM employees e JOIN employees m ON m.id = e.manager_id WHERE e.salary > m.salary;

-- how many report to each
SELECT m.name, COUNT(e.id) FROM employees m LEFT JOIN employees e ON e.manager_id = m.id GROUP BY m.id, m.name;

-- those who earn most in their department
SELECT name FROM (SELECT name, RANK() OVER (PARTITION BY department_id ORDER BY salary DESC) AS place FROM employees) AS ranked WHERE place = 1;

-- bonuses and absences added up apart
SELECT e.name, b.amount, a.days FROM employees e LEFT JOIN (SELECT employee_id, SUM(amount) AS amount FROM bonuses GROUP BY employee_id) b
ON b.employee_id = e.id LEFT JOIN (SELECT employee_id, SUM(days) AS days FROM absences GROUP BY employee_id) a ON a.employee_id = e.id;

-- bonuses of a year: who got none is not asked for
SELECT e.name, b.amount FROM employees e JOIN bonuses b ON b.employee_id = e.id WHERE b.year = 2021;

-- salaries of a department
SELECT d.name, AVG(e.salary) FROM departments d JOIN employees e ON e.department_id = d.id GROUP BY d.id, d.name ORDER BY 2 DESC;

-- lead and deputy
SELECT p.title, l.name, d.name FROM projects p JOIN employees l ON l.id = p.lead_id LEFT JOIN employees d ON d.id = p.deputy_id;

-- hired in a year
SELECT COUNT(*) FROM employees WHERE hired >= '2015-01-01' AND hired < '2016-01-01';
