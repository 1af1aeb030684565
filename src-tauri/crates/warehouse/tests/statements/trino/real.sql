## counting and sums
SELECT count(*) FROM customers
SELECT count(DISTINCT country), count(city), approx_distinct(city) FROM customers
SELECT sum(quantity * price) AS revenue FROM items
SELECT status, count(*) AS n, round(sum(total), 2) AS amount FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, avg(price), min(price), max(price) FROM products GROUP BY category HAVING count(*) > 1
SELECT count_if(status = 'paid'), sum(total) FILTER (WHERE status = 'open') FROM orders
SELECT max_by(name, price), min_by(name, price), arbitrary(category), any_value(category) FROM products
SELECT approx_percentile(total, 0.5) FROM orders
SELECT listagg(name, ', ') WITHIN GROUP (ORDER BY name) FROM customers
SELECT array_agg(name ORDER BY name), array_agg(DISTINCT country) FROM customers
SELECT stddev_samp(total), var_pop(total), corr(id, customer_id) FROM orders
SELECT team, sum(salary) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1
SELECT status, year(placed), sum(total) FROM orders GROUP BY ROLLUP (status, year(placed))
SELECT status, year(placed), sum(total) FROM orders GROUP BY GROUPING SETS ((status), (year(placed)), ())
SELECT CAST(count(*) AS DOUBLE) / (SELECT count(*) FROM orders) FROM orders WHERE status = 'open'
SELECT mod(id, 2), id % 2, total / NULLIF(id, 0), TRY(id / 0) FROM orders
SELECT bool_or(vip), bool_and(vip) FROM customers
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT a.name, b.name FROM staff a CROSS JOIN staff b WHERE a.id < b.id
SELECT s.name, b.name FROM staff s FULL OUTER JOIN staff b ON b.id = s.boss_id
SELECT p.name, sum(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sold DESC
SELECT * FROM orders o JOIN items i ON i.order_id = o.id AND i.price > 40
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 50)
SELECT customers.name FROM main.customers
SELECT c.name FROM shop.main.customers AS c
SELECT c.name, l.total FROM customers c CROSS JOIN LATERAL (SELECT max(total) AS total FROM orders o WHERE o.customer_id = c.id) AS l
## windows and parts
SELECT name, rank() OVER (ORDER BY price DESC) AS place FROM products
SELECT id, sum(total) OVER (PARTITION BY customer_id ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS n FROM orders AS o) AS r WHERE n = 1
SELECT id, lag(total) OVER (ORDER BY placed), lead(total, 2) OVER (ORDER BY placed) FROM orders
SELECT id, sum(total) OVER w FROM orders WINDOW w AS (ORDER BY placed)
WITH big AS (SELECT * FROM orders WHERE total > 50) SELECT count(*) FROM big
WITH a AS (SELECT 1 AS n), b AS (SELECT n + 1 AS n FROM a) SELECT * FROM a UNION ALL SELECT * FROM b
WITH RECURSIVE up (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM up WHERE n < 5) SELECT n FROM up
SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, t)
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
## dates
SELECT year(placed), month(placed), count(*) FROM orders GROUP BY year(placed), month(placed)
SELECT date_trunc('month', placed) AS m, sum(total) FROM orders GROUP BY date_trunc('month', placed) ORDER BY m
SELECT date_format(placed, '%Y-%m') AS m, sum(total) FROM orders GROUP BY 1
SELECT * FROM orders WHERE placed >= DATE '2023-01-01' AND placed < DATE '2024-01-01'
SELECT * FROM orders WHERE placed BETWEEN TIMESTAMP '2023-01-01 00:00:00' AND TIMESTAMP '2023-12-31 23:59:59'
SELECT day_of_week(placed), quarter(placed), week(placed), day(placed), hour(placed) FROM orders
SELECT date_diff('day', min(placed), max(placed)), date_add('month', 1, max(placed)) FROM orders
SELECT placed + INTERVAL '1' MONTH, placed - INTERVAL '7' DAY FROM orders
SELECT last_day_of_month(joined), from_unixtime(0) FROM customers
SELECT date_parse('31.01.2024', '%d.%m.%Y'), TRY(date_parse('x', '%Y')), CAST('2024-01-31' AS DATE), date('2024-01-31') FROM customers
SELECT EXTRACT(YEAR FROM placed), EXTRACT(MONTH FROM placed) FROM orders
SELECT current_date, current_timestamp, now(), DATE '2024-02-29', TIMESTAMP '2024-02-29 10:00:00'
## text
SELECT upper(name), lower(name), length(name) FROM customers
SELECT name FROM customers WHERE name LIKE '%a%' OR lower(name) LIKE 'd%' OR regexp_like(name, '^[A-C]')
SELECT note FROM customers WHERE note LIKE '100!%%' ESCAPE '!'
SELECT concat(name, ' (', coalesce(city, '?'), ')'), name || '!' FROM customers
SELECT substr(name, 1, 3), substring(name, 1, 3), split_part(name, ' ', 1), split(name, ' ')[1] FROM customers
SELECT replace(name, 'a', 'o'), trim(name), lpad(CAST(id AS VARCHAR), 5, '0') FROM customers
SELECT regexp_replace(name, '[aeiou]', ''), regexp_extract(name, '([A-Z]+)', 1) FROM customers
SELECT strpos(name, 'a'), starts_with(name, 'A'), reverse(name) FROM customers
SELECT 'it''s', 'DROP TABLE items; CALL x()' AS text
## names
SELECT "Größe", "select", "said ""yes""" FROM "order notes"
SELECT n."select" FROM "order notes" AS n
SELECT * FROM paid
SELECT p.* FROM paid p WHERE p.total > 100
SELECT name AS "update", city AS "delete" FROM customers
## conditions
SELECT * FROM customers WHERE country IN ('PL', 'IE') AND vip
SELECT * FROM orders WHERE status != 'paid' AND total <> 0 AND status IS DISTINCT FROM 'open'
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT coalesce(city, 'none'), nullif(city, 'Cork'), if(vip, 'a', 'b') FROM customers
SELECT greatest(1, 2), least(1, 2), sign(-1), abs(-1), ceiling(1.2), floor(1.8), power(2, 3), sqrt(9)
SELECT CAST(total AS DOUBLE), CAST(id AS VARCHAR), TRY_CAST('12x' AS INTEGER) FROM orders
SELECT * FROM orders ORDER BY status ASC, total DESC NULLS LAST LIMIT 3
SELECT * FROM orders ORDER BY id OFFSET 1 LIMIT 3
SELECT * FROM orders ORDER BY id OFFSET 1 ROW FETCH FIRST 3 ROWS ONLY
SELECT DISTINCT status FROM orders
SELECT 1e3, -7, NULL, true
## nested
SELECT tags, tags[1], cardinality(tags), contains(tags, 'a'), place.city, element_at(counts, 'x') FROM events WHERE id = 1
SELECT e.id, l.sku, l.quantity FROM events AS e CROSS JOIN UNNEST(e.lines) AS l (sku, quantity)
SELECT e.id, t.tag, t.n FROM events AS e CROSS JOIN UNNEST(e.tags) WITH ORDINALITY AS t (tag, n)
SELECT u.tag FROM events CROSS JOIN UNNEST(tags) AS u (tag)
SELECT e.id, u.tag FROM events AS e CROSS JOIN UNNEST(e.tags) AS u(tag) WHERE u.tag <> 'a'
SELECT filter(tags, x -> x <> 'a'), transform(tags, x -> upper(x)), any_match(tags, x -> x = 'b') FROM events
SELECT map_keys(counts), map_values(counts) FROM events
SELECT json_extract_scalar(data, '$.page'), json_extract_scalar(data, '$.sum.amount'), json_extract_scalar(data, '$.tags[0]') FROM events
SELECT ARRAY[1, 2, 3], sequence(1, 3), array_join(tags, ',') FROM events
SELECT CAST(ARRAY[1, 2] AS ARRAY(VARCHAR)), TRY_CAST(json_parse('[1]') AS ARRAY(BIGINT)) FROM events
## comments
SELECT count(*) /* all of them */ FROM customers
SELECT count(*) FROM customers -- the end
SELECT count(*) FROM customers;
## as rules write it
SELECT e.id FROM events AS e WHERE any_match(e.lines, line -> line.sku = 'b')
SELECT SUM(line.quantity) FROM events CROSS JOIN UNNEST(events.lines) AS line (sku, quantity)
SELECT id FROM orders ORDER BY id OFFSET 2 ROWS FETCH FIRST 3 ROWS ONLY
SELECT LOWER(name) FROM customers WHERE LOWER(name) LIKE LOWER('A%')
