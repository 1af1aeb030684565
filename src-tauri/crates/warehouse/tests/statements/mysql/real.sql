## counting and sums
SELECT count(*) FROM customers
SELECT count(DISTINCT country), count(city) FROM customers
SELECT sum(quantity * price) AS revenue FROM items
SELECT status, count(*) AS n, round(sum(total), 2) AS total FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, avg(price), min(price), max(price) FROM products GROUP BY category HAVING count(*) > 1
SELECT country, group_concat(name ORDER BY name SEPARATOR '; ') FROM customers GROUP BY country
SELECT group_concat(DISTINCT category) FROM products
SELECT count(*) * 1.0 / (SELECT count(*) FROM orders) FROM orders WHERE status = 'open'
SELECT sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, sum(status = 'open') AS open FROM orders
SELECT sum(if(status = 'paid', total, 0)) FROM orders
SELECT team, sum(salary) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1
SELECT status, sum(total) FROM orders GROUP BY status WITH ROLLUP
SELECT stddev_samp(total), var_pop(total), std(total) FROM orders
SELECT bit_count(id), bit_or(id) FROM customers GROUP BY id
SELECT total DIV 10, mod(total, 7), total % 7 FROM orders
SELECT id FROM orders WHERE id MOD 2 = 0 AND total DIV 10 MOD 3 <> 1
SELECT id mod 3 AS `mod`, sum(total) FROM orders GROUP BY id mod 3 HAVING `mod` MOD (1 + 1) = 0
SELECT 'a MOD b', o.mod FROM (SELECT 7 AS `mod`) o WHERE MOD(o.mod, 4) MOD 2 = 1 /* MOD */
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT p.name, sum(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sold DESC
SELECT a.name, b.name FROM staff a CROSS JOIN staff b WHERE a.id < b.id
SELECT s.name, b.name AS boss FROM staff s LEFT OUTER JOIN staff b ON b.id = s.boss_id
SELECT o.id, i.product_id FROM orders o STRAIGHT_JOIN items i ON o.id = i.order_id
SELECT name FROM customers, orders WHERE customers.id = orders.customer_id AND total > 100
SELECT quantity FROM items JOIN (SELECT id AS product_id FROM products) p USING (product_id)
SELECT c.name, o.total FROM customers c RIGHT JOIN orders o ON c.id = o.customer_id
SELECT shop.customers.name FROM shop.customers
## subqueries
SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'paid')
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 100)
SELECT name FROM customers c WHERE NOT EXISTS (SELECT * FROM orders WHERE customer_id = c.id)
SELECT name, (SELECT max(total) FROM orders o WHERE o.customer_id = c.id) AS largest FROM customers c
SELECT * FROM (SELECT country, count(*) AS n FROM customers GROUP BY country) t WHERE n >= 1
SELECT name FROM staff s WHERE salary = (SELECT max(salary) FROM staff WHERE team = s.team)
SELECT (SELECT count(*) FROM customers) AS c, (SELECT count(*) FROM orders) AS o
SELECT id FROM orders WHERE (customer_id, status) IN (SELECT id, 'paid' FROM customers)
SELECT name FROM staff WHERE salary >= ALL (SELECT salary FROM staff)
SELECT name FROM staff WHERE salary > ANY (SELECT salary FROM staff WHERE team = 'sales')
SELECT 1 FROM dual
## CTEs
WITH paid_orders AS (SELECT * FROM orders WHERE status = 'paid') SELECT count(*) FROM paid_orders
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH per AS (SELECT customer_id, sum(total) AS t FROM orders GROUP BY 1) SELECT name, t FROM per JOIN customers ON customers.id = customer_id
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT sum(i) FROM n
WITH RECURSIVE chain AS (SELECT id, name, 0 AS depth FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, s.name, depth + 1 FROM staff s JOIN chain ON s.boss_id = chain.id) SELECT name, depth FROM chain
WITH RECURSIVE days AS (SELECT date('2023-01-01') AS d UNION ALL SELECT d + INTERVAL 1 DAY FROM days WHERE d < '2023-01-31') SELECT count(*) FROM days
## windows
SELECT name, salary, rank() OVER (ORDER BY salary DESC) FROM staff
SELECT name, row_number() OVER (PARTITION BY team ORDER BY hired) AS n FROM staff
SELECT id, total, sum(total) OVER (ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders
SELECT id, total - lag(total) OVER w AS `change`, lead(total, 1) OVER w FROM orders WINDOW w AS (ORDER BY placed)
SELECT name, dense_rank() OVER (ORDER BY salary DESC), ntile(2) OVER (ORDER BY salary) FROM staff
SELECT id, avg(total) OVER (ORDER BY id ROWS 2 PRECEDING) FROM orders
SELECT name, first_value(name) OVER (PARTITION BY team ORDER BY salary DESC), nth_value(name, 2) OVER (ORDER BY id) FROM staff
SELECT name, percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM staff
SELECT * FROM (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS r FROM orders o) t WHERE r = 1
SELECT status, 100.0 * count(*) / sum(count(*)) OVER () FROM orders GROUP BY status
SELECT DISTINCT team, median(salary) OVER (PARTITION BY team) FROM staff
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders ORDER BY 1
SELECT 'c' AS kind, count(*) FROM customers UNION ALL SELECT 'o', count(*) FROM orders
(SELECT id FROM customers ORDER BY id LIMIT 1) UNION ALL (SELECT id FROM orders ORDER BY id DESC LIMIT 1)
## dates
SELECT year(placed), month(placed), count(*) FROM orders GROUP BY year(placed), month(placed)
SELECT date_format(placed, '%Y-%m') AS m, sum(total) FROM orders GROUP BY m
SELECT * FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01'
SELECT * FROM orders WHERE placed BETWEEN '2023-01-01' AND '2023-12-31 23:59:59'
SELECT date(placed), dayname(placed), dayofweek(placed), week(placed, 3), quarter(placed) FROM orders
SELECT datediff(max(placed), min(placed)) FROM orders
SELECT timestampdiff(YEAR, hired, '2024-01-01') FROM staff
SELECT placed + INTERVAL 1 MONTH, date_sub(placed, INTERVAL 7 DAY) FROM orders
SELECT last_day(placed), makedate(2024, 60), str_to_date('31.01.2024', '%d.%m.%Y') FROM orders
SELECT extract(YEAR FROM placed), extract(MONTH FROM placed), unix_timestamp(placed), from_unixtime(0) FROM orders
SELECT count(*) FROM orders WHERE placed > now() - INTERVAL 10 YEAR
SELECT extract(YEAR_MONTH FROM placed) AS month, sum(total) FROM orders GROUP BY extract(YEAR_MONTH FROM placed)
SELECT extract(DAY_HOUR FROM placed), extract(day_minute FROM placed), extract(DAY_SECOND FROM placed), extract(DAY_MICROSECOND FROM placed) FROM orders
SELECT extract(HOUR_MINUTE FROM placed), extract(HOUR_SECOND FROM placed), extract(HOUR_MICROSECOND FROM placed) FROM orders
SELECT extract(MINUTE_SECOND FROM placed), extract(MINUTE_MICROSECOND FROM placed), extract(SECOND_MICROSECOND FROM placed) FROM orders
SELECT placed + INTERVAL '1-6' YEAR_MONTH, date_sub(placed, INTERVAL '1 12' DAY_HOUR), placed - INTERVAL (1 + 1) QUARTER FROM orders
SELECT period_diff(extract(YEAR_MONTH FROM max(placed)), extract(YEAR_MONTH FROM min(placed))) FROM orders
SELECT curdate(), current_date, current_timestamp, utc_timestamp()
SELECT DATE '2024-02-29', TIMESTAMP '2024-02-29 10:00:00', TIME '10:00:00'
SELECT time_format(placed, '%H:%i'), hour(placed), sec_to_time(61), time_to_sec('01:00:00') FROM orders
## text
SELECT upper(name), lower(name), length(name), char_length(name) FROM customers
SELECT name FROM customers WHERE name LIKE '%a%' OR name LIKE 'Ç%'
SELECT name FROM customers WHERE name NOT LIKE 'A\_%'
SELECT concat(name, ' (', coalesce(city, '?'), ')') FROM customers
SELECT concat_ws(', ', name, city, country) FROM customers
SELECT substring(name, 1, 3), left(name, 2), right(name, 2), substring_index(name, ' ', 1) FROM customers
SELECT replace(name, 'a', 'o'), trim(BOTH ' ' FROM name), lpad(id, 5, '0') FROM customers
SELECT name FROM customers WHERE name REGEXP '^[A-C]'
SELECT name FROM customers WHERE name RLIKE 'a$'
SELECT regexp_replace(name, '[aeiou]', ''), regexp_substr(name, '[A-Z]+') FROM customers
SELECT locate('a', name), instr(name, 'a'), position('a' IN name) FROM customers
SELECT name FROM customers WHERE name COLLATE utf8mb4_bin = 'Bob O''Neil'
SELECT "text in double quotes", 'it''s', 'a\'b', 'C:\\temp'
SELECT name FROM customers WHERE binary name = 'Dmitri'
SELECT hex(name), md5(name), sha1(name), sha2(name, 256), to_base64(name) FROM customers
SELECT field(status, 'open', 'paid', 'returned'), elt(1, 'a', 'b'), find_in_set('b', 'a,b') FROM orders
SELECT soundex(name), reverse(name), repeat('-', 3), format(1234.5, 2) FROM customers
SELECT 'DELETE FROM items; DROP TABLE x' AS text
SELECT note FROM customers WHERE note = 'INTO OUTFILE'
SELECT name AS `update`, city AS `delete` FROM customers
## names
SELECT `Größe`, `select`, `said "yes"` FROM `order notes`
SELECT `n`.`Größe` FROM `order notes` AS `n`
SELECT * FROM paid
SELECT p.* FROM paid p WHERE p.total > 100
SELECT c.`name` 'with a space' FROM customers c
## conditions
SELECT * FROM customers WHERE country IN ('PL', 'IE') AND vip IS TRUE
SELECT * FROM customers WHERE NOT vip OR city IS NULL
SELECT * FROM customers WHERE city <=> NULL
SELECT * FROM orders WHERE status != 'paid' AND total <> 0 && id > 0
SELECT * FROM customers WHERE id BETWEEN 1 AND 3 XOR vip
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT coalesce(city, 'none'), ifnull(city, 'none'), nullif(city, 'Cork'), nvl(city, '-') FROM customers
SELECT greatest(1, 2, 3), least(1, 2, 3), sign(-1), abs(-1), ceil(1.2), floor(1.8), truncate(1.29, 1), pow(2, 3), sqrt(9)
SELECT cast(total AS signed), cast(id AS char), convert(id, decimal(10, 2)), cast('2024-01-01' AS date) FROM orders
SELECT * FROM orders ORDER BY total DESC LIMIT 2, 3
SELECT * FROM orders ORDER BY status ASC, total DESC LIMIT 3 OFFSET 1
SELECT DISTINCT status FROM orders
SELECT SQL_NO_CACHE count(*) FROM orders
SELECT ALL name FROM customers
SELECT name FROM customers USE INDEX (PRIMARY) WHERE id = 1
SELECT name FROM customers FORCE INDEX (PRIMARY) WHERE id = 1
SELECT 0xFF, b'101', x'4D', 1e3, .5, -7, NULL, TRUE
## JSON
SELECT json_extract(data, '$.page'), json_unquote(json_extract(data, '$.sum.currency')) FROM events
SELECT json_value(data, '$.page') FROM events
SELECT json_length(data, '$.tags'), json_contains(data, '"a"', '$.tags'), json_keys(data) FROM events
SELECT json_object('id', id, 'name', name), json_array(id, name) FROM customers
SELECT json_arrayagg(name), json_objectagg(id, name) FROM customers
SELECT t.tag FROM events e, json_table(e.data, '$.tags[*]' COLUMNS (tag varchar(10) PATH '$')) t
SELECT kind FROM events WHERE json_value(data, '$.ms') > 100
## comments
SELECT count(*) /* all of them */ FROM customers
SELECT count(*) FROM customers -- the end
SELECT count(*) FROM customers # the end
SELECT count(*) FROM customers;
## what the server says of itself
SELECT DATABASE(), SCHEMA(), VERSION() IS NOT NULL, SYSDATE() >= NOW()
## words of its own
SELECT name FROM customers WHERE name SOUNDS LIKE 'Dimitri'
SELECT 'Smith' SOUNDS LIKE 'Smythe' AS alike, 'a' sounds like 'b' OR 1 = 0
SELECT a.name, b.name FROM customers a JOIN staff b ON a.name SOUNDS LIKE b.name
SELECT name FROM customers WHERE vip OR ! (city IS NULL)
SELECT ! vip, !vip = 1, NOT ! vip, ! 0 + 1 FROM customers
SELECT count(*) FROM orders WHERE status = 'paid' AND !(total > 100)
SELECT 0b01, 0b1101 + 0, hex(0b01000001), id & 0b01 FROM orders
SELECT {d '2024-01-31'}, {t '10:30:00'}, {ts '2024-01-31 10:30:00'}
SELECT id FROM orders WHERE placed >= {d '2023-02-01'} AND placed < { TS '2023-03-01 00:00:00' }
SELECT {fn upper(name)}, {fn concat(name, ' ', coalesce(city, ''))} FROM customers
SELECT INTERVAL(23, 1, 15, 17, 30, 44, 200), interval(total, 50, 100, 500) FROM orders
SELECT INTERVAL(id + 1, (1), 2), placed + INTERVAL (1 + 1) DAY FROM orders
## tables in brackets
SELECT count(*) FROM (customers, orders) WHERE customers.id = orders.customer_id
SELECT c.name, o.id FROM customers c LEFT JOIN (orders o, items i) ON o.customer_id = c.id AND i.order_id = o.id
SELECT count(*) FROM (customers c, orders o LEFT JOIN items i ON i.order_id = o.id) WHERE c.id = o.customer_id
SELECT count(*) FROM (customers c, orders o RIGHT JOIN items i ON i.order_id = o.id AND o.id < 0)
SELECT count(*) FROM ((customers c, staff s) JOIN orders o ON o.customer_id = c.id), (products, items)
SELECT p.name FROM (products p, (SELECT max(price) AS price FROM products) m) WHERE p.price = m.price
SELECT name FROM customers FORCE INDEX FOR JOIN (PRIMARY) WHERE (id, vip) IN ((1, 1), (2, 0))
## the history of a table
SELECT * FROM prices FOR SYSTEM_TIME ALL
SELECT h.id, h.price FROM prices FOR SYSTEM_TIME ALL AS h ORDER BY h.price
SELECT price FROM prices FOR SYSTEM_TIME AS OF NOW()
SELECT price FROM prices FOR SYSTEM_TIME AS OF TIMESTAMP '2037-01-01 00:00:00' WHERE id = 1
SELECT price FROM prices FOR SYSTEM_TIME AS OF NOW() - INTERVAL 1 SECOND AS p
SELECT count(*) FROM prices FOR SYSTEM_TIME BETWEEN '2020-01-01' AND NOW()
SELECT count(*) FROM prices FOR SYSTEM_TIME FROM '2020-01-01' TO NOW() + INTERVAL 1 DAY
SELECT p.price, at.price FROM prices p JOIN prices FOR SYSTEM_TIME ALL AS at ON at.id = p.id
## of a person: the catalog
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'shop'
SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'customers' ORDER BY ordinal_position
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = DATABASE()
SELECT constraint_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'shop'
SELECT * FROM information_schema.key_column_usage WHERE table_schema = 'shop'
SELECT index_name, column_name FROM information_schema.statistics WHERE table_schema = 'shop'
SELECT schema_name FROM information_schema.schemata
SELECT t.table_name, count(*) FROM information_schema.TABLES t JOIN information_schema.COLUMNS c ON c.table_name = t.table_name GROUP BY 1
