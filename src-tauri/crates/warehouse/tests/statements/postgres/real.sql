## counting and sums
SELECT count(*), count(DISTINCT country), count(city) FROM customers
SELECT status, count(*), sum(total), avg(total)::numeric(10, 2) FROM orders GROUP BY status ORDER BY 2 DESC, 1
SELECT sum(total) FILTER (WHERE status = 'paid'), bool_or(status = 'open'), every(total > 0) FROM orders
SELECT string_agg(name, ', ' ORDER BY name DESC), array_agg(DISTINCT country) FROM customers
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), mode() WITHIN GROUP (ORDER BY status) FROM orders
SELECT percentile_disc(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY total) FROM orders
SELECT stddev_samp(total), var_pop(total), corr(total::float8, id::float8), regr_slope(total::float8, id::float8) FROM orders
SELECT team, max(salary) - min(salary) FROM staff GROUP BY team HAVING count(*) > 1
SELECT min(placed), max(placed) FROM orders WHERE status <> 'returned'
SELECT jsonb_agg(name ORDER BY id), jsonb_object_agg(name, price) FROM products
SELECT bit_and(id), bit_or(id) FROM orders
SELECT max(city) FROM customers
## grouping sets
SELECT category, count(*), sum(price) FROM products GROUP BY ROLLUP (category)
SELECT status, customer_id, sum(total), grouping(status, customer_id) FROM orders GROUP BY CUBE (status, customer_id)
SELECT status, customer_id, count(*) FROM orders GROUP BY GROUPING SETS ((status), (customer_id), ())
SELECT extract(year FROM placed) AS y, status, count(*) FROM orders GROUP BY 1, ROLLUP (2)
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT * FROM orders o JOIN items i ON i.order_id = o.id JOIN products p ON p.id = i.product_id
SELECT s.name, b.name AS boss FROM staff s LEFT JOIN staff b ON b.id = s.boss_id
SELECT * FROM orders NATURAL JOIN (SELECT 1 AS id) x
SELECT quantity FROM items JOIN (SELECT id AS product_id FROM products) p USING (product_id)
SELECT c.name, t.id FROM customers c CROSS JOIN LATERAL (SELECT id FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 1) t
SELECT c.name, t.n FROM customers c, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) t
SELECT c.name, t.id FROM customers c LEFT JOIN LATERAL (SELECT id FROM orders o WHERE o.customer_id = c.id LIMIT 1) t ON true
SELECT c.name, s.name FROM customers c FULL JOIN staff s ON s.id = c.id
SELECT p.name, s.name FROM products p CROSS JOIN staff s
SELECT * FROM (customers c JOIN orders o ON o.customer_id = c.id) AS j
## subqueries
SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'paid')
SELECT name FROM customers c WHERE NOT EXISTS (SELECT FROM orders o WHERE o.customer_id = c.id)
SELECT name FROM products WHERE price >= ALL (SELECT price FROM products)
SELECT name FROM products WHERE id = ANY (SELECT product_id FROM items)
SELECT ARRAY(SELECT id FROM orders ORDER BY id)
SELECT (SELECT max(total) FROM orders o WHERE o.customer_id = c.id) FROM customers c
SELECT id FROM orders WHERE (customer_id, status) IN (VALUES (1, 'paid'), (2, 'open'))
SELECT id FROM orders WHERE (customer_id, total) > (1, 100)
SELECT ROW(1, 'x') = ROW(1, 'x'), (1, 2) IS DISTINCT FROM (1, 3)
## CTEs
WITH t AS (SELECT * FROM orders WHERE status = 'paid') SELECT sum(total) FROM t
WITH t AS MATERIALIZED (SELECT 1 AS x), u AS NOT MATERIALIZED (SELECT x FROM t) SELECT * FROM u
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 100) SELECT sum(i) FROM n
WITH RECURSIVE chain AS (SELECT id, name, 1 AS depth FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, s.name, c.depth + 1 FROM staff s JOIN chain c ON s.boss_id = c.id) SELECT * FROM chain
WITH RECURSIVE chain AS (SELECT id, boss_id FROM staff WHERE id = 1 UNION ALL SELECT s.id, s.boss_id FROM staff s JOIN chain c ON s.boss_id = c.id) SEARCH DEPTH FIRST BY id SET ord SELECT id FROM chain ORDER BY ord
WITH RECURSIVE g(f, t) AS (SELECT id, boss_id FROM staff WHERE id = 5 UNION ALL SELECT s.id, s.boss_id FROM staff s JOIN g ON g.t = s.id) CYCLE f SET is_cycle USING path SELECT f FROM g
WITH t(a, b) AS (VALUES (1, 'x'), (2, 'y')) SELECT b FROM t
## windows
SELECT name, rank() OVER (ORDER BY salary DESC), dense_rank() OVER (ORDER BY salary DESC) FROM staff
SELECT id, sum(total) OVER (ORDER BY placed ROWS UNBOUNDED PRECEDING) FROM orders
SELECT id, sum(total) OVER (ORDER BY placed RANGE BETWEEN INTERVAL '30 days' PRECEDING AND CURRENT ROW) FROM orders
SELECT id, lag(total) OVER w, lead(total, 1, 0) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed)
SELECT name, ntile(2) OVER (ORDER BY salary), percent_rank() OVER (ORDER BY salary), cume_dist() OVER (ORDER BY salary) FROM staff
SELECT first_value(name) OVER (PARTITION BY team ORDER BY salary DESC), nth_value(name, 2) OVER (ORDER BY id) FROM staff
SELECT count(*) OVER (ORDER BY customer_id GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES) FROM orders
SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS r FROM orders) t WHERE r = 1
SELECT status, round(100.0 * count(*) / sum(count(*)) OVER (), 1) FROM orders GROUP BY status
SELECT sum(total) FILTER (WHERE status = 'paid') OVER (PARTITION BY customer_id) FROM orders
## PostgreSQL's own ways
SELECT DISTINCT ON (customer_id) customer_id, total FROM orders ORDER BY customer_id, total DESC
SELECT name FROM products ORDER BY price DESC NULLS LAST FETCH FIRST 2 ROWS ONLY
SELECT name FROM products ORDER BY price FETCH FIRST 2 ROWS WITH TIES
SELECT name FROM products ORDER BY price LIMIT ALL OFFSET 1
SELECT * FROM orders TABLESAMPLE BERNOULLI (50) REPEATABLE (1)
SELECT * FROM generate_series(1, 5) AS g(i)
SELECT i, j FROM generate_series(1, 2) i, generate_series(1, 2) j
SELECT * FROM unnest(ARRAY[1, 2], ARRAY['a', 'b']) WITH ORDINALITY AS t(n, s, pos)
SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b'])) AS r(x, y)
SELECT total BETWEEN SYMMETRIC 500 AND 1 FROM orders
SELECT name FROM customers WHERE vip IS TRUE OR vip IS UNKNOWN
SELECT * FROM paid
SELECT * FROM ONLY orders
SELECT c FROM customers c
SELECT (c).name FROM customers c
SELECT (c).* FROM customers c
SELECT c.*, o.id AS order_id FROM customers c JOIN orders o ON true
## arrays and ranges
SELECT fruits[1], array_length(fruits, 1), cardinality(fruits), fruits[1:2] FROM baskets
SELECT unnest(fruits) FROM baskets
SELECT id FROM baskets WHERE 'fig' = ANY (fruits)
SELECT id FROM baskets WHERE fruits @> ARRAY['fig'] OR fruits && ARRAY['kiwi']
SELECT array_to_string(fruits, '+'), array_position(fruits, 'fig'), array_append(fruits, 'x') FROM baskets
SELECT string_to_array('a,b', ','), ARRAY[1, 2] || 3, array_remove(ARRAY[1, 2], 1)
SELECT lower(bought), upper(bought), bought @> DATE '2023-01-15', isempty(bought) FROM baskets
SELECT int4range(1, 5) * int4range(3, 9), numrange(1, 2) && numrange(2, 3)
SELECT (ARRAY[[1, 2], [3, 4]])[2][1]
SELECT id, f.fruit, f.pos FROM baskets, unnest(fruits) WITH ORDINALITY AS f(fruit, pos)
## json
SELECT data ->> 'page', data -> 'tags' -> 0, data #>> '{sum,amount}' FROM events
SELECT id FROM events WHERE data @> '{"page": "/home"}' AND data ? 'ms'
SELECT jsonb_array_elements_text(data -> 'tags') FROM events
SELECT e.id, t FROM events e, jsonb_array_elements_text(e.data -> 'tags') AS t
SELECT key, value FROM events, jsonb_each(data)
SELECT jsonb_path_query(data, '$.tags[*]'), jsonb_path_exists(data, '$.sum') FROM events
SELECT (data ->> 'ms')::int * 2, jsonb_typeof(data -> 'ms'), jsonb_array_length(data -> 'tags') FROM events
SELECT json_build_object('id', id, 'name', name), to_jsonb(p), row_to_json(p) FROM products p
SELECT * FROM jsonb_to_recordset('[{"a": 1, "b": "x"}]') AS x(a int, b text)
SELECT data || '{"new": 1}'::jsonb, data - 'page', jsonb_set(data, '{page}', '"x"') FROM events
SELECT jsonb_pretty(data), jsonb_strip_nulls(data), jsonb_object_keys(data) FROM events
SELECT data @? '$.tags[*] ? (@ == "a")', data @@ '$.ms > 100' FROM events
## dates
SELECT date_trunc('month', placed) AS m, count(*) FROM orders GROUP BY m ORDER BY m
SELECT extract(year FROM placed), date_part('dow', placed), extract(epoch FROM placed) FROM orders
SELECT to_char(placed, 'YYYY-MM'), to_char(total, 'FM999G990D00'), to_date('03/04/2024', 'DD/MM/YYYY') FROM orders
SELECT age(DATE '2024-01-01', joined), DATE '2024-01-01' - joined, joined + 7, joined + INTERVAL '1 month' FROM customers
SELECT placed AT TIME ZONE 'UTC' AT TIME ZONE 'Europe/Warsaw' FROM orders
SELECT now() > TIMESTAMP '2020-01-01', current_date > DATE '2020-01-01', localtimestamp IS NOT NULL
SELECT generate_series(DATE '2024-01-01', DATE '2024-01-05', INTERVAL '1 day')::date
SELECT make_date(2024, 2, 29), make_interval(days => 3), date_bin('15 minutes', placed, TIMESTAMP '2001-01-01') FROM orders
SELECT * FROM orders WHERE placed >= '2023-02-01' AND placed < DATE '2023-02-01' + INTERVAL '1 month'
SELECT (DATE '2023-01-01', DATE '2023-02-01') OVERLAPS (DATE '2023-01-15', DATE '2023-03-01')
SELECT justify_days(INTERVAL '35 days'), isfinite(DATE '2024-01-01'), to_timestamp(0)
SELECT EXTRACT(QUARTER FROM placed) AS q, sum(total) FROM orders GROUP BY q
## text and patterns
SELECT name FROM customers WHERE name ILIKE '%o%' AND name NOT LIKE 'X%'
SELECT name FROM customers WHERE name ~ '^[A-D]' AND name !~* 'zzz'
SELECT name FROM customers WHERE name SIMILAR TO '(A|B)%'
SELECT name FROM customers WHERE note LIKE '100\%%' ESCAPE '\'
SELECT regexp_replace(name, '\s+', '_', 'g'), regexp_match(name, '(\w+) (\w+)'), regexp_count(name, 'a') FROM customers
SELECT (regexp_matches(name, '(\w)', 'g'))[1] FROM customers
SELECT substring(name FROM 2 FOR 3), substring(name FROM '[A-Z]\w+'), position('a' IN name), overlay(name PLACING '*' FROM 1 FOR 1) FROM customers
SELECT split_part(name, ' ', 1), initcap(lower(name)), lpad(id::text, 3, '0'), left(name, 2), right(name, 2), reverse(name) FROM customers
SELECT trim(BOTH 'x' FROM 'xax'), ltrim('  a'), btrim('xax', 'x'), concat_ws(', ', name, city), name || '!' FROM customers
SELECT format('%s costs %s', name, price), quote_literal('it''s'), md5('x'), ascii('a'), chr(233), strpos('abc', 'b') FROM products
SELECT E'tab\there', $$it's; -- text$$, $q$another $$ one$q$, U&'d\0061t'
SELECT name FROM customers ORDER BY name COLLATE "C" DESC
SELECT to_tsvector('simple', name) @@ to_tsquery('simple', 'desk | lamp') FROM products
SELECT translate('abc', 'a', 'x'), repeat('ab', 2), replace('abc', 'b', ''), encode('\x00ff'::bytea, 'hex'), length('東京')
SELECT '東京' AS "都市", '🗼' AS "🗼"
SELECT name FROM customers WHERE city IN ('İzmir', 'Kraków')
## names and quoting
SELECT "Größe", "select", "said ""yes""" FROM "order notes"
SELECT n."Größe" FROM public."order notes" AS n
SELECT public.customers.name FROM public.customers
SELECT NAME FROM CUSTOMERS
SELECT name AS "x; DROP TABLE y" FROM products
## comments
SELECT /* a /* nested */ b */ name -- c⏎FROM products
-- DELETE FROM products;⏎SELECT count(*) FROM products;
## casts and numbers
SELECT '12'::int, CAST('1.50' AS numeric(10, 2)), price::text, true::int, 'x'::varchar(3), '2024-01-01'::date FROM products
SELECT round(2.567, 1), trunc(2.9), ceil(2.1), floor(-2.1), abs(-3), sign(-1), sqrt(16), ln(2), log(100), power(2, 3), mod(7, 3)
SELECT 7 / 2, 7.0 / 2, 7 % 2, 2 ^ 10, |/ 16, @ -5, 5 & 3, 5 # 3, ~5, 1 << 3
SELECT greatest(1, 2), least(1, 2), width_bucket(5, 0, 10, 5), div(7, 2), gcd(4, 6), 12::money
SELECT pg_typeof(price), 1e3, 9223372036854775807, 0.1::float8 FROM products LIMIT 1
## conditions
SELECT coalesce(city, 'unknown'), nullif(note, ''), CASE WHEN vip THEN 'v' ELSE 'n' END FROM customers
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT name FROM customers WHERE city IS DISTINCT FROM 'Cork' AND country = ANY ('{PL,FR}')
SELECT name FROM products WHERE price BETWEEN 1 AND 100 AND category IS NOT NULL
SELECT num_nulls(city, note), num_nonnulls(city, note) FROM customers
## sets
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
(SELECT 1 AS a) UNION ALL (SELECT 2) ORDER BY a DESC LIMIT 1
SELECT id FROM customers INTERSECT ALL SELECT customer_id FROM orders
VALUES (1, 'x'), (2, 'y')
SELECT * FROM (VALUES (1, 'x')) AS t(a, b)
TABLE customers
SELECT 1 UNION SELECT count(*)::int FROM (TABLE customers) AS c
## of a person: the catalog
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'public'
SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = 'customers' ORDER BY ordinal_position
SELECT constraint_name, constraint_type FROM information_schema.table_constraints WHERE table_schema = 'public'
SELECT table_name, view_definition FROM information_schema.views WHERE table_schema = 'public'
SELECT c.relname, pg_size_pretty(pg_total_relation_size(c.oid)), c.reltuples FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public' AND c.relkind = 'r'
SELECT pg_get_viewdef('paid'::regclass), pg_get_viewdef('paid'::regclass, true)
SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'
SELECT a.attname, format_type(a.atttypid, a.atttypmod), col_description(a.attrelid, a.attnum) FROM pg_attribute a WHERE a.attrelid = 'customers'::regclass AND a.attnum > 0
SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum WHERE a.attrelid = 'orders'::regclass
SELECT indexname, indexdef FROM pg_indexes WHERE tablename = 'items'
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = 'items'::regclass
SELECT has_table_privilege('customers', 'SELECT'), has_schema_privilege('public', 'USAGE'), has_column_privilege('customers', 'name', 'SELECT')
SELECT obj_description('customers'::regclass, 'pg_class'), shobj_description(oid, 'pg_database') FROM pg_database
SELECT nspname, pg_get_userbyid(nspowner) FROM pg_namespace
SELECT tablename, tableowner FROM pg_catalog.pg_tables WHERE schemaname = 'public'
SELECT relname, n_live_tup FROM pg_stat_user_tables
SELECT sequencename FROM pg_sequences
SELECT typname FROM pg_type WHERE typnamespace = 'public'::regnamespace
SELECT proname, pg_get_function_arguments(oid), pg_get_function_result(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
SELECT datname, pg_size_pretty(pg_database_size(datname)) FROM pg_database WHERE datallowconn
SELECT pg_table_is_visible('customers'::regclass), pg_relation_size('customers'), to_regtype('int4')
SELECT rolname, rolsuper FROM pg_roles
SELECT 1 BETWEEN SYMMETRIC 2 AND 0, relname FROM pg_class WHERE relkind = 'v'
SELECT c.name, t.tablename FROM customers c CROSS JOIN pg_tables t LIMIT 3
