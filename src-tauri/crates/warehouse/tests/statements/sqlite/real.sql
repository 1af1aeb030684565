## counting and sums
SELECT count(*) FROM customers
SELECT count(DISTINCT country), count(city) FROM customers
SELECT sum(quantity * price) AS revenue FROM items
SELECT status, count(*) AS n, round(sum(total), 2) AS total FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, avg(price), min(price), max(price) FROM products GROUP BY category HAVING count(*) > 1
SELECT total(total), sum(total) FILTER (WHERE status = 'paid') FROM orders
SELECT country, group_concat(name, '; ') FROM customers GROUP BY country
SELECT group_concat(DISTINCT category) FROM products
SELECT count(*) * 1.0 / (SELECT count(*) FROM orders) FROM orders WHERE status = 'open'
SELECT sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid, sum(status = 'open') AS open FROM orders
SELECT string_agg(name, ', ' ORDER BY name DESC) FROM staff
SELECT team, sum(salary) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT p.name, sum(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id ORDER BY sold DESC, p.name
SELECT a.name, b.name FROM staff a CROSS JOIN staff b WHERE a.id < b.id
SELECT s.name, b.name AS boss FROM staff s LEFT OUTER JOIN staff b ON b.id = s.boss_id
SELECT * FROM orders NATURAL JOIN items LIMIT 3
SELECT o.id, i.product_id FROM orders o JOIN items i ON o.id = i.order_id JOIN products p ON p.id = i.product_id AND p.category = 'light'
SELECT name FROM customers, orders WHERE customers.id = orders.customer_id AND total > 100
SELECT quantity FROM items JOIN (SELECT id AS product_id FROM products) USING (product_id)
SELECT c.name, o.total FROM customers c FULL JOIN orders o ON c.id = o.customer_id
SELECT c.name, o.total FROM customers c RIGHT JOIN orders o ON c.id = o.customer_id
## subqueries
SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'paid')
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 100)
SELECT name FROM customers c WHERE NOT EXISTS (SELECT * FROM orders WHERE customer_id = c.id)
SELECT name, (SELECT max(total) FROM orders o WHERE o.customer_id = c.id) AS largest FROM customers c
SELECT * FROM (SELECT country, count(*) AS n FROM customers GROUP BY country) WHERE n >= 1
SELECT name FROM staff s WHERE salary = (SELECT max(salary) FROM staff WHERE team = s.team)
SELECT (SELECT count(*) FROM customers) AS c, (SELECT count(*) FROM orders) AS o
SELECT id FROM orders WHERE (customer_id, status) IN (SELECT id, 'paid' FROM customers)
SELECT id FROM orders WHERE (customer_id, total) > (1, 100)
## CTEs
WITH paid_orders AS (SELECT * FROM orders WHERE status = 'paid') SELECT count(*) FROM paid_orders
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH per AS (SELECT customer_id, sum(total) AS t FROM orders GROUP BY 1) SELECT name, t FROM per JOIN customers ON customers.id = customer_id ORDER BY t DESC
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT sum(i) FROM n
WITH RECURSIVE chain AS (SELECT id, name, 0 AS depth FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, s.name, depth + 1 FROM staff s JOIN chain c ON s.boss_id = c.id) SELECT * FROM chain ORDER BY depth, name
WITH RECURSIVE days(d) AS (VALUES ('2023-01-01') UNION ALL SELECT date(d, '+1 day') FROM days WHERE d < '2023-01-31') SELECT count(*) FROM days
WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT b FROM t WHERE a = 2
WITH t AS MATERIALIZED (SELECT * FROM items) SELECT count(*) FROM t
WITH t AS NOT MATERIALIZED (SELECT * FROM items) SELECT count(*) FROM t
WITH outer_ AS (WITH inner_ AS (SELECT 7 AS v) SELECT v FROM inner_) SELECT v FROM outer_
## windows
SELECT name, salary, rank() OVER (ORDER BY salary DESC) FROM staff
SELECT name, row_number() OVER (PARTITION BY team ORDER BY hired) AS n FROM staff
SELECT id, total, sum(total) OVER (ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders
SELECT id, total - lag(total) OVER w AS change, lead(total, 1, 0) OVER w FROM orders WINDOW w AS (ORDER BY placed)
SELECT name, dense_rank() OVER (ORDER BY salary DESC), ntile(2) OVER (ORDER BY salary) FROM staff
SELECT id, avg(total) OVER (ORDER BY id ROWS 2 PRECEDING) FROM orders
SELECT name, first_value(name) OVER (PARTITION BY team ORDER BY salary DESC), nth_value(name, 2) OVER (ORDER BY id) FROM staff
SELECT id, count(*) OVER (ORDER BY customer_id GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM orders
SELECT name, percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM staff
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS r FROM orders) WHERE r = 1
SELECT sum(total) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id) FROM orders
SELECT status, 100.0 * count(*) / sum(count(*)) OVER () FROM orders GROUP BY status
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders ORDER BY 1
SELECT 'c' AS kind, count(*) FROM customers UNION ALL SELECT 'o', count(*) FROM orders
VALUES (1, 'x'), (2, 'y')
SELECT * FROM (VALUES (1, 2), (3, 4))
SELECT column1 + column2 FROM (VALUES (1, 2))
## dates
SELECT strftime('%Y-%m', placed) AS month, count(*) FROM orders GROUP BY month ORDER BY month
SELECT date(placed), time(placed), datetime(placed, '+1 hour') FROM orders
SELECT julianday('2024-03-01') - julianday('2024-02-01')
SELECT * FROM orders WHERE placed >= '2023-02-01' AND placed < '2023-03-01'
SELECT name, CAST(strftime('%Y', joined) AS INTEGER) AS y FROM customers WHERE y > 2021
SELECT date('2024-01-31', '+1 month', 'start of month', '-1 day')
SELECT date('now', 'localtime') > '2020-01-01', current_date IS NOT NULL, current_timestamp <> ''
SELECT unixepoch('1970-01-02'), strftime('%w', '2024-02-29'), timediff('2024-03-01', '2024-02-01')
SELECT (strftime('%m', placed) + 2) / 3 AS quarter, count(*) FROM orders GROUP BY quarter
SELECT id FROM orders WHERE strftime('%Y', placed) BETWEEN '2023' AND '2024'
## json
SELECT json_extract(data, '$.page') FROM events
SELECT data ->> '$.page', data -> '$.tags' FROM events
SELECT data ->> 'ms' FROM events WHERE data ->> 'ms' > 100
SELECT e.id, t.value FROM events e, json_each(e.data, '$.tags') t
SELECT key, type, atom FROM events, json_tree(events.data) WHERE type <> 'object'
SELECT json_group_array(name) FROM customers
SELECT json_object('id', id, 'name', name) FROM products
SELECT json_array_length(data, '$.tags'), json_type(data, '$.sum'), json_valid(data) FROM events
SELECT json_group_object(name, price) FROM products
SELECT json_set('{"a": 1}', '$.b', 2), json_remove('{"a": 1}', '$.a'), json_patch('{"a": 1}', '{"a": 2}')
SELECT CAST(json_extract(data, '$.sum.amount') AS REAL) FROM events WHERE json_extract(data, '$.sum.currency') = 'EUR'
## text and patterns
SELECT name FROM customers WHERE name LIKE '%o%'
SELECT name FROM customers WHERE note LIKE '100\%%' ESCAPE '\'
SELECT name FROM customers WHERE city GLOB 'K*'
SELECT upper(name), lower(name), length(name), substr(name, 1, 3) FROM customers
SELECT replace(name, ' ', '_'), trim('  x '), ltrim('xxa', 'x'), rtrim('axx', 'x'), instr(name, 'a') FROM customers
SELECT name || ' (' || coalesce(city, '?') || ')' FROM customers
SELECT printf('%05.2f', price), format('%s costs %d', name, price) FROM products
SELECT hex('ab'), unicode('é'), char(65, 233), quote('it''s')
SELECT name FROM customers WHERE name = 'Bob O''Neil'
SELECT 'it''s; -- no comment' AS text, 'a /* b */ c'
SELECT name FROM customers ORDER BY name COLLATE NOCASE
SELECT substring(name, 2), concat(name, '-', city), concat_ws(', ', name, NULL, city) FROM customers
SELECT name FROM customers WHERE city = 'İzmir' OR city = 'Kraków'
SELECT ('東京' || '🗼') AS "ラベル"
## names and quoting
SELECT "Größe", "select", "said ""yes""" FROM "order notes"
SELECT [Größe] FROM [order notes] WHERE [select] = 'yes'
SELECT `select` FROM `order notes`
SELECT n."Größe" AS größe FROM "order notes" AS n ORDER BY größe
SELECT main.customers.name FROM main.customers
SELECT c.* FROM customers AS c
SELECT name AS "what is it; DROP TABLE x" FROM products
select NAME from CUSTOMERS where Id=1
## comments and space
SELECT /* the name */ name -- of whom⏎FROM customers
-- only a question⏎SELECT 1
/* DELETE FROM orders; */ SELECT count(*) FROM orders
SELECT 1;
  SELECT  count ( * )  FROM orders  ;  
SELECT 1 -- ; DROP TABLE orders
## numbers and casts
SELECT CAST('12.5' AS REAL), CAST(7 AS TEXT), CAST(3.9 AS INTEGER), CAST(price AS NUMERIC) FROM products
SELECT 7 / 2, 7.0 / 2, 7 % 2, -7 / 2, 2 * (3 + 4)
SELECT round(2.567, 1), abs(-3), sign(-2), max(1, 2, 3), min(1, 2)
SELECT 1e3, .5, 0x1F, 9007199254740993, 1_000
SELECT 5 & 3, 5 | 3, ~5, 1 << 3, 8 >> 1
SELECT sqrt(16), round(2.5), round(-2.5), total / 3, CAST(total / 3 AS INTEGER) FROM orders
SELECT typeof(price), typeof(NULL), typeof(x'00') FROM products LIMIT 1
## conditions
SELECT name FROM customers WHERE city IS NULL OR note IS NOT NULL
SELECT name FROM customers WHERE vip = 1 AND NOT country = 'TR'
SELECT name FROM customers WHERE country IN ('PL', 'IE') AND id NOT IN (9, 10)
SELECT name FROM products WHERE price BETWEEN 10 AND 100 AND category <> 'light'
SELECT name FROM customers WHERE city IS NOT DISTINCT FROM NULL
SELECT iif(vip, 'yes', 'no'), nullif(note, ''), ifnull(city, 'unknown') FROM customers
SELECT CASE status WHEN 'paid' THEN 'done' WHEN 'open' THEN 'waiting' ELSE status END FROM orders
SELECT name FROM customers WHERE city IS 'Lyon' AND vip IS FALSE
SELECT count(*) FROM orders WHERE status == 'paid' AND total != 0
SELECT count(*) FROM customers WHERE city NOTNULL
## order and limit
SELECT name FROM products ORDER BY price DESC NULLS LAST LIMIT 3 OFFSET 1
SELECT name FROM products ORDER BY 1 LIMIT 2, 2
SELECT DISTINCT category FROM products ORDER BY category NULLS FIRST
SELECT name FROM customers ORDER BY length(name), name LIMIT (SELECT 2)
SELECT name, price FROM products ORDER BY category, price * -1
## full text and views
SELECT title FROM letters WHERE letters MATCH 'lamp' ORDER BY rank
SELECT highlight(letters, 1, '<', '>'), bm25(letters) FROM letters WHERE body MATCH 'broken OR nice'
SELECT snippet(letters, 1, '[', ']', '…', 3) FROM letters WHERE letters = 'lamp'
SELECT count(*) FROM paid
SELECT count(*) FROM letters
## mathematical functions and rows that are made
SELECT ceil(2.1), floor(-2.1), ceiling(1.5), trunc(-1.9), ln(2.718281828), log(100), log2(8), log10(1000), exp(1), mod(7, 3)
SELECT power(2, 10), pow(3, 2), sqrt(16), pi(), sin(0), cos(0), tan(0), atan2(1, 1), radians(180), degrees(3.14159265)
SELECT median(price), percentile(price, 90), percentile_cont(price, 0.5), percentile_disc(price, 0.5) FROM products
SELECT value FROM generate_series(1, 5)
SELECT s.value, count(o.id) FROM generate_series(1, 3) AS s LEFT JOIN orders o ON o.customer_id = s.value GROUP BY s.value
SELECT length(zeroblob(10)), hex(zeroblob(2))
## trees and searches
SELECT id FROM boxes WHERE x0 >= 1 AND x1 <= 4 ORDER BY id
SELECT count(*), max(y1) FROM boxes
SELECT c.name FROM boxes b JOIN customers c ON c.id = b.id WHERE b.x0 < 3
SELECT 1 IS 1 AS yes, id FROM boxes
SELECT id, label FROM shelves WHERE a BETWEEN 1 AND 20
SELECT title FROM letters('lamp') ORDER BY rank
SELECT l.title, l.body FROM letters('lamp AND nice') AS l
SELECT title FROM main.letters('broken')
SELECT body FROM notes WHERE notes MATCH 'second'
SELECT snippet(notes), matchinfo(notes) IS NOT NULL FROM notes WHERE body MATCH 'first OR second'
SELECT count(*) FROM notes
SELECT term, doc FROM words ORDER BY term
SELECT term, documents FROM note_words WHERE col = '*' ORDER BY term
SELECT body FROM old_notes WHERE old_notes MATCH 'thir*'
## of a person: the catalog
SELECT name FROM sqlite_schema WHERE type = 'table'
SELECT type, name, sql FROM sqlite_master ORDER BY name
SELECT * FROM pragma_table_info('customers')
SELECT name, type, "notnull" FROM pragma_table_xinfo('customers') ORDER BY cid
SELECT m.name, p.name FROM sqlite_master m, pragma_table_info(m.name) p WHERE m.type = 'table'
SELECT * FROM customers JOIN pragma_table_xinfo('customers') AS t
WITH p AS (SELECT * FROM pragma_function_list) SELECT count(*) FROM p
SELECT * FROM pragma_table_list
SELECT * FROM pragma_foreign_key_list('orders')
SELECT l.name, i.name FROM pragma_index_list('items') l, pragma_index_info(l.name) i
SELECT * FROM pragma_index_xinfo('sqlite_autoindex_items_1')
SELECT * FROM pragma_collation_list
SELECT compile_options FROM main.pragma_compile_options
SELECT encoding FROM pragma_encoding
SELECT 1 IS 1, name FROM pragma_table_info('orders')
SELECT 1 IS 1, name FROM sqlite_master
