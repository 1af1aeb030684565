## counting and sums
SELECT count(*) FROM customers
SELECT count(DISTINCT country), count(city) FROM customers
SELECT sum(quantity * price) AS revenue FROM items
SELECT status, count(*) AS n, round(sum(total), 2) AS amount FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, avg(price), min(price), max(price) FROM products GROUP BY category HAVING count(*) > 1
SELECT count_if(status = 'paid'), sum(total) FILTER (WHERE status = 'open') FROM orders
SELECT max_by(name, price), min_by(name, price) FROM products
SELECT percentile(total, 0.9), median(total), percentile_approx(total, 0.5) FROM orders
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders
SELECT collect_list(name), collect_set(country), array_join(collect_list(name), ', ') FROM customers
SELECT stddev_samp(total), var_pop(total), corr(id, customer_id) FROM orders
SELECT team, sum(salary) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1
SELECT team, sum(salary) FROM staff GROUP BY ALL
SELECT status, year(placed) AS y, sum(total) FROM orders GROUP BY ROLLUP(status, year(placed))
SELECT count(*) / (SELECT count(*) FROM orders) FROM orders WHERE status = 'open'
SELECT total % 7, mod(id, 2), try_divide(total, 0), total / NULLIF(id, 0) FROM orders
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c LEFT ANTI JOIN orders o ON o.customer_id = c.id
SELECT c.name FROM customers c LEFT SEMI JOIN orders o ON o.customer_id = c.id
SELECT c.name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)
SELECT a.name, b.name FROM staff a CROSS JOIN staff b WHERE a.id < b.id
SELECT s.name, b.name FROM staff s FULL OUTER JOIN staff b ON b.id = s.boss_id
SELECT p.name, sum(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sold DESC
SELECT * FROM orders o JOIN items i ON i.order_id = o.id AND i.price > 40
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 50)
SELECT shop.customers.name FROM shop.customers
## windows and parts
SELECT name, rank() OVER (ORDER BY price DESC) AS place FROM products
SELECT id, sum(total) OVER (PARTITION BY customer_id ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM orders
SELECT * FROM (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS n FROM orders AS o) AS r WHERE n = 1
SELECT id, lag(total) OVER (ORDER BY placed), lead(total, 2) OVER (ORDER BY placed) FROM orders
WITH big AS (SELECT * FROM orders WHERE total > 50) SELECT count(*) FROM big
WITH a AS (SELECT 1 AS n), b AS (SELECT n + 1 AS n FROM a) SELECT * FROM a UNION ALL SELECT * FROM b
SELECT * FROM (SELECT status, total FROM orders) PIVOT (sum(total) FOR status IN ('paid', 'open'))
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
SELECT id FROM customers MINUS SELECT customer_id FROM orders
## dates
SELECT year(placed), month(placed), count(*) FROM orders GROUP BY year(placed), month(placed)
SELECT date_trunc('MONTH', placed) AS m, sum(total) FROM orders GROUP BY m ORDER BY m
SELECT date_format(placed, 'yyyy-MM') AS m, sum(total) FROM orders GROUP BY m
SELECT * FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01'
SELECT to_date(placed), dayofweek(placed), quarter(placed), weekofyear(placed), trunc(placed, 'WEEK') FROM orders
SELECT datediff(max(placed), min(placed)), months_between(max(placed), min(placed)) FROM orders
SELECT DATEDIFF(MONTH, min(placed), max(placed)), DATEADD(DAY, 3, max(placed)) FROM orders
SELECT placed + INTERVAL 1 MONTH, placed - INTERVAL '7' DAY, date_add(placed, 3), add_months(placed, 1) FROM orders
SELECT last_day(placed), unix_timestamp(placed), make_date(2024, 2, 29), timestamp_seconds(0) FROM orders
SELECT try_to_date('31.01.2024', 'dd.MM.yyyy'), try_to_timestamp('x'), CAST('2024-01-31' AS DATE)
SELECT EXTRACT(YEAR FROM placed), date_part('month', placed) FROM orders
SELECT current_date(), current_timestamp(), DATE '2024-02-29', TIMESTAMP '2024-02-29 10:00:00'
## text
SELECT upper(name), lower(name), length(name), char_length(name) FROM customers
SELECT name FROM customers WHERE name LIKE '%a%' OR name ILIKE 'd%' OR name RLIKE '^[A-C]'
SELECT concat(name, ' (', coalesce(city, '?'), ')'), name || '!' FROM customers
SELECT substring(name, 1, 3), left(name, 2), split(name, ' ')[0], split_part(name, ' ', 1) FROM customers
SELECT replace(name, 'a', 'o'), trim(name), lpad(CAST(id AS STRING), 5, '0') FROM customers
SELECT regexp_replace(name, '[aeiou]', ''), regexp_extract(name, '([A-Z]+)', 1) FROM customers
SELECT instr(name, 'a'), contains(name, 'a'), startswith(name, 'A') FROM customers
SELECT 'it''s', 'it\'s', 'a\\b', 'tab\there', "a text"
SELECT hex(name), md5(name), base64(name), xxhash64(name) FROM customers
SELECT 'DROP TABLE items; SET x = 0' AS text
## names
SELECT `Größe`, `select`, `said "yes"` FROM `order_notes`
SELECT n.`select` FROM `order_notes` AS n
SELECT * FROM paid
SELECT p.* FROM paid p WHERE p.total > 100
SELECT name AS `update`, city AS `delete` FROM customers
SELECT * EXCEPT (note) FROM customers
SELECT total * 2 AS double_total, double_total + 1 AS more FROM orders
## conditions
SELECT * FROM customers WHERE country IN ('PL', 'IE') AND vip
SELECT * FROM orders WHERE status != 'paid' AND total <> 0 AND status <=> 'open'
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT coalesce(city, 'none'), nvl(city, 'none'), nullif(city, 'Cork'), if(vip, 'a', 'b') FROM customers
SELECT greatest(1, 2), least(1, 2), sign(-1), abs(-1), ceil(1.2), floor(1.8), pow(2, 3), sqrt(9)
SELECT CAST(total AS DOUBLE), CAST(id AS STRING), try_cast('12x' AS INT), total::DOUBLE FROM orders
SELECT * FROM orders ORDER BY status ASC, total DESC NULLS LAST LIMIT 3 OFFSET 1
SELECT DISTINCT status FROM orders
SELECT 1e3, .5, -7, NULL, true
## nested
SELECT tags, get(tags, 0), size(tags), array_contains(tags, 'a'), place.city, counts['x'] FROM events
SELECT e.tag FROM events AS v, LATERAL explode(v.tags) AS e(tag)
SELECT v.id, e.pos, e.tag FROM events AS v JOIN LATERAL posexplode(v.tags) AS e(pos, tag) ON true
SELECT id, explode(tags) AS tag FROM events
SELECT count(*) FROM (SELECT id, posexplode(tags) FROM events) AS e
SELECT e.tag, p.pos FROM events LATERAL VIEW explode(tags) e AS tag LATERAL VIEW OUTER posexplode(tags) p AS pos, other
SELECT aggregate(transform(tags, x -> CAST(1 AS DOUBLE)), 0D, (a, x) -> a + x), 1.5BD, 2S, 3L, 1e3D FROM events
SELECT filter(tags, x -> x != 'a'), transform(tags, x -> upper(x)), exists(tags, x -> x = 'b') FROM events
SELECT map_keys(counts), map_values(counts), to_json(place) FROM events
SELECT get_json_object(data, '$.page'), get_json_object(data, '$.sum.amount'), get_json_object(data, '$.tags[0]') FROM events
SELECT array(1, 2, 3), named_struct('a', 1), map('a', 1), sequence(1, 3)
SELECT id FROM range(5)
## comments
SELECT 'a\'; TRUNCATE TABLE items; --'
SELECT count(*) /* all of them */ FROM customers
SELECT count(*) FROM customers -- the end
SELECT count(*) FROM customers;
