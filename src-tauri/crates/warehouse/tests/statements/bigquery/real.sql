## counting and sums
SELECT count(*), count(DISTINCT country) FROM customers
SELECT status, count(*) AS n, sum(total) AS total, avg(total) AS mean FROM orders GROUP BY status ORDER BY n DESC
SELECT countif(vip) AS vips, count(*) AS n FROM customers
SELECT category, min(price), max(price) FROM products GROUP BY category HAVING sum(price) > 40
SELECT STRING_AGG(name, ', ' ORDER BY name) FROM customers
SELECT ARRAY_AGG(id ORDER BY id DESC) AS ids FROM customers
SELECT LOGICAL_OR(vip), LOGICAL_AND(vip), ANY_VALUE(country) FROM customers
SELECT APPROX_COUNT_DISTINCT(customer_id) FROM orders
SELECT ROUND(SAFE_DIVIDE(sum(total), count(*)), 2) AS mean FROM orders
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, o.id FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id AND o.status = 'paid'
SELECT c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT * FROM orders JOIN items ON orders.id = items.order_id JOIN products ON products.id = items.product_id
SELECT p.name, sum(i.quantity * i.price) AS sold FROM products p JOIN items i ON i.product_id = p.id GROUP BY p.name
SELECT count(*) FROM products CROSS JOIN customers
SELECT id FROM orders JOIN (SELECT order_id AS id, sum(price) AS s FROM items GROUP BY order_id) USING (id)
SELECT * FROM customers FULL OUTER JOIN orders ON customers.id = orders.customer_id
## names
SELECT name FROM shop.customers
SELECT name FROM `shop.customers`
SELECT name FROM `test-project.shop.customers`
SELECT c.`name` FROM `test-project`.shop.customers AS c
SELECT name AS `order`, city AS `Größe` FROM customers
SELECT "a text in double quotes" AS a, 'another' AS b
SELECT 'it\'s' AS a, "say \"yes\"" AS b, r'\d+' AS c
SELECT '''long⏎text''' AS a
SELECT 1 AS a -- a comment; DROP TABLE customers
SELECT 1 AS a # a comment; DROP TABLE customers
SELECT /* DELETE FROM items */ 1 AS a
SELECT 'DELETE FROM items' AS a, ';' AS b
## conditions
SELECT name FROM customers WHERE country IN ('PL', 'IE') AND joined BETWEEN DATE '2021-01-01' AND DATE '2022-12-31'
SELECT name FROM customers WHERE LOWER(name) LIKE '%a%' OR note IS NULL
SELECT name FROM customers WHERE REGEXP_CONTAINS(note, r'wool|e-mail')
SELECT name FROM customers WHERE STARTS_WITH(name, 'A') OR ENDS_WITH(name, 'n')
SELECT id, IF(total > 100, 'large', 'small') AS size FROM orders
SELECT id, CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 0 ELSE -1 END AS code FROM orders
SELECT COALESCE(note, 'none'), NULLIF(city, 'Cork'), IFNULL(note, '') FROM customers
SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders ORDER BY total DESC LIMIT 1)
SELECT SAFE_CAST(name AS INT64), CAST(id AS STRING) FROM customers
## days and times
SELECT EXTRACT(YEAR FROM placed) AS y, EXTRACT(MONTH FROM placed) AS m, sum(total) FROM orders GROUP BY 1, 2 ORDER BY 1, 2
SELECT DATE_TRUNC(joined, MONTH) AS m, count(*) FROM customers GROUP BY m
SELECT DATE_DIFF(DATE '2024-01-01', joined, DAY) AS days FROM customers
SELECT DATE_ADD(joined, INTERVAL 1 MONTH), DATE_SUB(joined, INTERVAL 7 DAY) FROM customers
SELECT TIMESTAMP_TRUNC(placed, DAY), DATE(placed) FROM orders
SELECT FORMAT_DATE('%Y-%m', joined) FROM customers
SELECT PARSE_DATE('%d.%m.%Y', '29.02.2024') AS day
SELECT id FROM orders WHERE placed >= TIMESTAMP '2023-02-01 00:00:00+00' AND placed < TIMESTAMP '2023-03-01 00:00:00+00'
SELECT EXTRACT(DAYOFWEEK FROM joined), EXTRACT(QUARTER FROM joined) FROM customers
## windows
SELECT name, RANK() OVER (ORDER BY price DESC) AS r FROM products
SELECT id, sum(total) OVER (PARTITION BY customer_id ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM orders WHERE TRUE QUALIFY ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY placed DESC) = 1
SELECT id, LAG(total) OVER (ORDER BY placed), LEAD(total, 1) OVER (ORDER BY placed) FROM orders
SELECT id, total / sum(total) OVER () AS share FROM orders
SELECT name, NTILE(2) OVER (ORDER BY price) AS half FROM products
SELECT id, FIRST_VALUE(status) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed)
## WITH and sets
WITH paid AS (SELECT * FROM orders WHERE status = 'paid') SELECT customer_id, sum(total) FROM paid GROUP BY customer_id
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT x, y FROM a, b
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i FROM n
SELECT id FROM customers UNION ALL SELECT id FROM products
SELECT id FROM customers UNION DISTINCT SELECT id FROM products
SELECT id FROM customers EXCEPT DISTINCT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT DISTINCT SELECT customer_id FROM orders
SELECT * EXCEPT (note) FROM customers
SELECT * REPLACE (UPPER(name) AS name) FROM products
SELECT DISTINCT status FROM orders ORDER BY status LIMIT 2 OFFSET 1
SELECT region, sum(n) FROM (SELECT country AS region, 1 AS n FROM customers) GROUP BY ROLLUP (region)
## nested values
SELECT id, fruit FROM baskets, UNNEST(fruits) AS fruit
SELECT b.id, line.sku, line.n FROM baskets AS b CROSS JOIN UNNEST(b.lines) AS line
SELECT id, ARRAY_LENGTH(fruits), fruits[OFFSET(0)], fruits[SAFE_OFFSET(9)] FROM baskets
SELECT id FROM baskets WHERE 'fig' IN UNNEST(fruits)
SELECT id, (SELECT sum(line.n) FROM UNNEST(lines) AS line) AS n FROM baskets
SELECT place.city, place.zip FROM baskets
SELECT STRUCT(id AS a, fruits AS b) AS s FROM baskets
SELECT ARRAY(SELECT f FROM UNNEST(fruits) AS f ORDER BY f DESC) AS f FROM baskets
SELECT JSON_VALUE(doc, '$.page') FROM baskets
SELECT id, fruit, place_in_list FROM baskets, UNNEST(fruits) AS fruit WITH OFFSET AS place_in_list
SELECT n FROM UNNEST(GENERATE_ARRAY(1, 5)) AS n
SELECT day FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2024-02-27', DATE '2024-03-01')) AS day
## texts and numbers
SELECT CONCAT(name, ' of ', city), LENGTH(name), UPPER(name), SUBSTR(name, 1, 2) FROM customers
SELECT SPLIT(note, ' ') AS words, REPLACE(note, ';', ','), TRIM(note) FROM customers
SELECT ABS(-1), MOD(7, 3), DIV(7, 2), POW(2, 10), SQRT(2), CEIL(1.2), FLOOR(1.8), SIGN(-3)
SELECT GREATEST(1, 2, 3), LEAST(1, 2, 3)
SELECT FORMAT('%05d', id) FROM customers
SELECT TO_HEX(MD5('x')), TO_BASE64(b'abc')
SELECT name || ', ' || city FROM customers
