## counting and sums
SELECT count(*), count(DISTINCT country) FROM customers
SELECT status, count(*) AS n, sum(total) AS total, avg(total) AS mean FROM orders GROUP BY status ORDER BY n DESC
SELECT COUNT_IF(vip) AS vips, count(*) AS n FROM customers
SELECT category, min(price), max(price) FROM products GROUP BY category HAVING sum(price) > 40
SELECT LISTAGG(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT ARRAY_AGG(id) AS ids FROM customers
SELECT ANY_VALUE(country), MEDIAN(id) FROM customers
SELECT APPROX_COUNT_DISTINCT(customer_id) FROM orders
SELECT ROUND(DIV0(sum(total), count(*)), 2) AS mean FROM orders
SELECT status, sum(total) FROM orders GROUP BY ALL
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, o.id FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id AND o.status = 'paid'
SELECT c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT * FROM orders JOIN items ON orders.id = items.order_id JOIN products ON products.id = items.product_id
SELECT p.name, sum(i.quantity * i.price) AS sold FROM products p JOIN items i ON i.product_id = p.id GROUP BY p.name
SELECT count(*) FROM products CROSS JOIN customers
SELECT * FROM customers FULL OUTER JOIN orders ON customers.id = orders.customer_id
## names
SELECT name FROM public.customers
SELECT name FROM SHOP.PUBLIC.CUSTOMERS
SELECT "NAME" FROM "SHOP"."PUBLIC"."CUSTOMERS"
SELECT name AS "order", city AS "Größe" FROM customers
SELECT 'it''s' AS a, 'a\'b' AS b
SELECT 'a\' ; DELETE FROM items -- ' AS a
SELECT 1 AS a -- a comment; DROP TABLE customers
SELECT 1 AS a // a comment; DROP TABLE customers
SELECT /* DELETE FROM items */ 1 AS a
SELECT 'DELETE FROM items' AS a, ';' AS b
## conditions
SELECT name FROM customers WHERE country IN ('PL', 'IE') AND joined BETWEEN '2021-01-01'::DATE AND '2022-12-31'::DATE
SELECT name FROM customers WHERE name ILIKE '%a%' OR note IS NULL
SELECT name FROM customers WHERE CONTAINS(note, 'wool')
SELECT name FROM customers WHERE STARTSWITH(name, 'A') OR ENDSWITH(name, 'n')
SELECT id, IFF(total > 100, 'large', 'small') AS size FROM orders
SELECT id, CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 0 ELSE -1 END AS code FROM orders
SELECT COALESCE(note, 'none'), NULLIF(city, 'Cork'), NVL(note, '') FROM customers
SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders ORDER BY total DESC LIMIT 1)
SELECT CAST(id AS VARCHAR), id::VARCHAR, TRY_CAST(name AS INT) FROM customers
## days and times
SELECT YEAR(placed) AS y, MONTH(placed) AS m, sum(total) FROM orders GROUP BY 1, 2 ORDER BY 1, 2
SELECT DATE_TRUNC('month', joined) AS m, count(*) FROM customers GROUP BY m
SELECT DATEDIFF('day', joined, '2024-01-01'::DATE) AS days FROM customers
SELECT DATEADD('month', 1, joined) FROM customers
SELECT TO_DATE('2024-02-29') AS day
SELECT id FROM orders WHERE placed >= '2023-02-01'::TIMESTAMP AND placed < '2023-03-01'::TIMESTAMP
SELECT EXTRACT(year FROM joined), DAYOFWEEK(joined), QUARTER(joined) FROM customers
## windows
SELECT name, RANK() OVER (ORDER BY price DESC) AS r FROM products
SELECT id, sum(total) OVER (PARTITION BY customer_id ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM orders QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed DESC) = 1
SELECT id, LAG(total) OVER (ORDER BY placed), LEAD(total, 1) OVER (ORDER BY placed) FROM orders
SELECT id, total / sum(total) OVER () AS share FROM orders
## WITH and sets
WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT customer_id, sum(total) FROM paid GROUP BY customer_id
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n
SELECT id FROM customers UNION ALL SELECT id FROM products
SELECT id FROM customers UNION SELECT id FROM products
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers MINUS SELECT customer_id FROM orders
SELECT * EXCLUDE (note) FROM customers
SELECT DISTINCT status FROM orders ORDER BY status LIMIT 2 OFFSET 1
SELECT TOP 2 name FROM products ORDER BY price DESC
SELECT x FROM (VALUES (1), (2)) AS v(x)
## nested values
SELECT id, f.value::VARCHAR AS fruit FROM baskets, LATERAL FLATTEN(input => fruits) f
SELECT b.id, l.value:sku::VARCHAR AS sku FROM baskets b, LATERAL FLATTEN(input => b.doc:lines) l
SELECT id, ARRAY_SIZE(fruits), fruits[0]::VARCHAR FROM baskets
SELECT place:city::VARCHAR, doc:page::VARCHAR FROM baskets
SELECT doc['page']::VARCHAR FROM baskets
SELECT PARSE_JSON('{"a": 1}'):a::INT AS a
## texts and numbers
SELECT CONCAT(name, ' of ', city), LENGTH(name), UPPER(name), SUBSTR(name, 1, 2) FROM customers
SELECT SPLIT_PART(note, ' ', 1), REPLACE(note, ';', ','), TRIM(note) FROM customers
SELECT ABS(-1), ROUND(1.256, 2), FLOOR(1.8)
SELECT GREATEST(1, 2, 3), LEAST(1, 2, 3)
SELECT name || ', ' || city FROM customers
SELECT REGEXP_REPLACE(name, '[aeiou]', '') FROM customers
