## counting and sums
SELECT COUNT(*) FROM customers
SELECT COUNT(DISTINCT country), COUNT(city), COUNT_BIG(*) FROM customers
SELECT SUM(quantity * price) AS revenue FROM items
SELECT status, COUNT(*) AS n, ROUND(SUM(total), 2) AS amount FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, AVG(price), MIN(price), MAX(price) FROM products GROUP BY category HAVING COUNT(*) > 1
SELECT SUM(CASE WHEN status = 'paid' THEN 1 ELSE 0 END), SUM(IIF(status = 'open', total, 0)) FROM orders
SELECT STRING_AGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT STDEV(total), VAR(total), STDEVP(total) FROM orders
SELECT TOP 1 team, SUM(salary) AS paid FROM staff GROUP BY team ORDER BY paid DESC
SELECT TOP (3) * FROM orders ORDER BY total DESC
SELECT status, YEAR(placed), SUM(total) FROM orders GROUP BY ROLLUP(status, YEAR(placed))
SELECT 1.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders WHERE status = 'open'
SELECT id % 2, total / NULLIF(id, 0) FROM orders
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, COUNT(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT s.name, b.name FROM staff s FULL OUTER JOIN staff b ON b.id = s.boss_id
SELECT p.name, SUM(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sold DESC
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 50)
SELECT c.name FROM shop.dbo.customers AS c
SELECT c.name, l.total FROM customers c CROSS APPLY (SELECT MAX(total) AS total FROM orders o WHERE o.customer_id = c.id) AS l
SELECT c.name, l.total FROM customers c OUTER APPLY (SELECT TOP 1 total FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC) AS l
## windows and parts
SELECT name, RANK() OVER (ORDER BY price DESC) AS place FROM products
SELECT id, SUM(total) OVER (PARTITION BY customer_id ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY total DESC) AS n FROM orders AS o) AS r WHERE n = 1
SELECT id, LAG(total) OVER (ORDER BY placed), LEAD(total, 2) OVER (ORDER BY placed) FROM orders
WITH big AS (SELECT * FROM orders WHERE total > 50) SELECT COUNT(*) FROM big
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, t)
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
## dates
SELECT YEAR(placed), MONTH(placed), COUNT(*) FROM orders GROUP BY YEAR(placed), MONTH(placed)
SELECT DATEFROMPARTS(YEAR(placed), MONTH(placed), 1) AS m, SUM(total) FROM orders GROUP BY DATEFROMPARTS(YEAR(placed), MONTH(placed), 1) ORDER BY m
SELECT FORMAT(placed, 'yyyy-MM') AS m, SUM(total) FROM orders GROUP BY FORMAT(placed, 'yyyy-MM')
SELECT * FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01'
SELECT DATEPART(quarter, placed), DATEDIFF(day, placed, '2024-01-01'), DATEADD(month, 1, placed) FROM orders
SELECT EOMONTH(joined), CAST(GETDATE() AS date), CURRENT_TIMESTAMP FROM customers
SELECT TRY_CONVERT(date, '31/01/2024', 103), TRY_CAST('x' AS date), CAST('2024-01-31' AS date) FROM customers
## text
SELECT UPPER(name), LOWER(name), LEN(name) FROM customers
SELECT name FROM customers WHERE name LIKE '%a%' OR name LIKE N'Ç%'
SELECT CONCAT(name, ' (', COALESCE(city, '?'), ')'), name + '!' FROM customers
SELECT SUBSTRING(name, 1, 3), LEFT(name, 2), RIGHT(name, 2), REPLACE(name, 'a', 'o'), TRIM(name) FROM customers
SELECT CHARINDEX('a', name) FROM customers
SELECT name FROM customers WHERE note = 'EXEC xp_cmdshell; DROP TABLE items'
## names
SELECT [Größe], [select], "said ""yes""" FROM [order notes]
SELECT n.[select] FROM [order notes] AS n
SELECT * FROM paid
SELECT id AS [kill], name [exec], city AS "drop" FROM customers
## conditions
SELECT * FROM customers WHERE country IN ('PL', 'IE') AND vip = 1
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT ISNULL(city, 'none'), NULLIF(city, 'Cork'), IIF(vip = 1, 'a', 'b') FROM customers
SELECT SIGN(-1), ABS(-1), CEILING(1.2), FLOOR(1.8), POWER(2, 3), SQRT(9)
SELECT * FROM orders ORDER BY id OFFSET 1 ROWS FETCH NEXT 3 ROWS ONLY
SELECT DISTINCT status FROM orders
## nested
SELECT JSON_VALUE(data, '$.page'), JSON_VALUE(data, '$.sum.amount') FROM events
