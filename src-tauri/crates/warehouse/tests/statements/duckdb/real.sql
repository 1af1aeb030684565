## counting and sums
SELECT count(*), count(DISTINCT country) FROM customers
SELECT count() FROM orders
SELECT status, count(*), sum(total), avg(total), median(total) FROM orders GROUP BY ALL ORDER BY ALL
SELECT sum(total) FILTER (status = 'paid') AS paid FROM orders
SELECT max_by(name, price), min_by(name, price), arg_max(name, price) FROM products
SELECT quantile_cont(total, 0.9), quantile_disc(total, [0.25, 0.75]), mode(status) FROM orders
SELECT string_agg(name, ', ' ORDER BY name), list(name), array_agg(id ORDER BY id DESC) FROM customers
SELECT any_value(city), first(name), last(name), bool_or(vip), count_if(vip) FROM customers
SELECT stddev(total), var_pop(total), corr(quantity, price) FROM orders, items
SELECT approx_count_distinct(customer_id), approx_quantile(total, 0.5) FROM orders
SELECT histogram(status) FROM orders
SELECT category, count(*) FROM products GROUP BY category HAVING sum(price) > 100
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) FROM orders
## grouping sets
SELECT region, year, sum(amount) FROM sales GROUP BY ROLLUP (region, year) ORDER BY ALL
SELECT region, year, sum(amount) FROM sales GROUP BY CUBE (region, year)
SELECT region, quarter, grouping(region, quarter) FROM sales GROUP BY GROUPING SETS ((region), (quarter), ())
SELECT year, region, sum(amount) FROM sales GROUP BY year, ROLLUP (region)
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT name FROM customers SEMI JOIN orders ON customers.id = orders.customer_id
SELECT name FROM customers ANTI JOIN orders ON customers.id = orders.customer_id
SELECT * FROM orders JOIN items ON orders.id = items.order_id JOIN products ON products.id = product_id
SELECT o.id, c.name FROM orders o ASOF JOIN (SELECT name, joined::TIMESTAMP AS at FROM customers) c ON o.placed >= c.at
SELECT a.id, b.id FROM orders a POSITIONAL JOIN products b
SELECT c.name, x.n FROM customers c, LATERAL (SELECT count(*) AS n FROM orders o WHERE o.customer_id = c.id) x
SELECT c.name, t.id FROM customers c LEFT JOIN LATERAL (SELECT id FROM orders WHERE customer_id = c.id ORDER BY total DESC LIMIT 1) t ON true
SELECT * FROM customers FULL OUTER JOIN staff ON customers.id = staff.id
SELECT s.name, b.name FROM staff s LEFT JOIN staff b ON b.id = s.boss_id
SELECT * FROM orders NATURAL JOIN (SELECT 1 AS id)
SELECT count(*) FROM products CROSS JOIN customers
## DuckDB's own ways
FROM customers
FROM customers SELECT name WHERE vip
SELECT * EXCLUDE (note) FROM customers
SELECT * REPLACE (upper(name) AS name) FROM products
SELECT * RENAME (name AS title) FROM products
SELECT COLUMNS('.*id') FROM orders
SELECT min(COLUMNS(*)) FROM products
SELECT COLUMNS(c -> c LIKE '%a%') FROM products
SELECT name, price FROM products ORDER BY price LIMIT 50%
SELECT name, rank() OVER (ORDER BY price) AS r FROM products QUALIFY r <= 2
SELECT * FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY placed DESC) = 1
SELECT customer_id, name: 'x' FROM orders
SELECT category AS c, count(*) AS n FROM products GROUP BY c HAVING n > 1 ORDER BY n DESC
SELECT price * 2 AS double_price, double_price + 1 AS more FROM products
SELECT * FROM customers UNION BY NAME SELECT id, name FROM products
SELECT * FROM orders USING SAMPLE 3 ROWS
SELECT * FROM orders TABLESAMPLE reservoir(50%)
SELECT DISTINCT ON (customer_id) customer_id, total FROM orders ORDER BY customer_id, total DESC
SELECT #1 FROM products
SELECT name FROM products WHERE name.lower().contains('a')
SELECT name.upper().concat('!') FROM products
SELECT 2 ** 10, 7 // 2, 7 / 2, 7 % 3, -7 // 2
## pivot
SELECT * FROM sales PIVOT (sum(amount) FOR quarter IN (1, 2))
PIVOT sales ON year IN (2023, 2024) USING sum(amount) GROUP BY region
FROM sales PIVOT (sum(amount) AS s FOR year IN (2023, 2024) GROUP BY region)
SELECT * FROM (SELECT region, amount, quarter FROM sales) UNPIVOT (v FOR k IN (amount, quarter))
UNPIVOT (SELECT year, amount::DOUBLE AS a, quarter::DOUBLE AS q FROM sales) ON a, q INTO NAME k VALUE v
## subqueries
SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)
SELECT name FROM customers c WHERE EXISTS (FROM orders o WHERE o.customer_id = c.id)
SELECT name FROM products WHERE price >= ALL (SELECT price FROM products)
SELECT name FROM products WHERE id = ANY (SELECT product_id FROM items)
SELECT (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n, name FROM customers c
SELECT ARRAY (SELECT id FROM orders ORDER BY id)
SELECT (SELECT {'n': count(*), 's': sum(total)} FROM orders) AS both
## CTEs
WITH t AS (FROM orders WHERE status = 'paid') FROM t SELECT sum(total)
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 10) SELECT list(i) FROM n
WITH RECURSIVE chain(id, path) AS (SELECT id, [name] FROM staff WHERE boss_id IS NULL UNION ALL SELECT s.id, list_append(c.path, s.name) FROM staff s JOIN chain c ON s.boss_id = c.id) SELECT * FROM chain
WITH RECURSIVE t(a, b) USING KEY (a) AS (SELECT 1, 1 UNION SELECT a, b + 1 FROM t WHERE b < 5) SELECT * FROM t
WITH a AS MATERIALIZED (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT * FROM b
WITH a(x, y) AS (VALUES (1, 2), (3, 4)) SELECT x * y FROM a
## windows
SELECT id, sum(total) OVER (ORDER BY placed RANGE BETWEEN INTERVAL 60 DAY PRECEDING AND CURRENT ROW) FROM orders
SELECT id, lag(total) OVER w, lead(total, 2) OVER w FROM orders WINDOW w AS (PARTITION BY customer_id ORDER BY placed)
SELECT name, ntile(3) OVER (ORDER BY price), cume_dist() OVER (ORDER BY price) FROM products
SELECT last_value(total IGNORE NULLS) OVER (ORDER BY id), first_value(status) OVER (ORDER BY id) FROM orders
SELECT sum(total) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM orders
SELECT count(DISTINCT status) OVER (PARTITION BY customer_id) FROM orders
SELECT team, 100 * salary / sum(salary) OVER (PARTITION BY team) AS share FROM staff
SELECT list(id) OVER (ORDER BY id) FROM orders
## lists, structs, maps
SELECT fruits[1], fruits[-1], fruits[1:2], len(fruits) FROM baskets
SELECT unnest(fruits) AS fruit FROM baskets
SELECT id, f FROM baskets, unnest(fruits) AS u(f)
SELECT list_transform(counts, x -> x * 2), list_filter(counts, x -> x > 1), list_reduce([1, 2, 3], (a, b) -> a + b) FROM baskets
SELECT list_transform(counts, lambda x: x + 1) FROM baskets
SELECT [x * 2 FOR x IN counts IF x > 1] FROM baskets
SELECT address.street, address['zip'], struct_extract(address, 'zip') FROM baskets
SELECT extra['a'], map_keys(extra), map_values(extra), cardinality(extra) FROM baskets
SELECT {'a': 1, 'b': [1, 2]}.b[2], row(1, 'x'), struct_pack(k := 1)
SELECT list_sort(fruits), list_distinct(fruits), list_contains(fruits, 'fig'), array_to_string(fruits, '+') FROM baskets
SELECT unnest(address) FROM baskets WHERE id = 1
SELECT list_sum(counts), list_aggregate(counts, 'max'), list_zip(fruits, counts) FROM baskets
SELECT flatten([[1], [2, 3]]), range(5), generate_series(1, 5, 2)
SELECT * FROM range(3) r(i), generate_series(1, 2) g(j)
SELECT 'fig' IN fruits FROM baskets
SELECT unnest([{'a': 1, 'b': 2}], recursive := true)
## json
SELECT data ->> '$.page', data -> 'tags' -> 0, data.ms FROM events
SELECT json_extract_string(data, '$.sum.currency'), json_extract(data, ['$.ms', '$.page']) FROM events
SELECT json_array_length(data, '$.tags'), json_keys(data), json_type(data -> 'ms') FROM events
SELECT (data ->> '$.ms')::INTEGER + 1 FROM events WHERE json_exists(data, '$.sum')
SELECT e.id, j.value FROM events e, json_each(e.data, '$.tags') j
SELECT unnest(from_json(data -> 'tags', '["VARCHAR"]')) FROM events
SELECT to_json(c), json_object('n', count(*)) FROM customers c GROUP BY c
SELECT json_group_array(name), json_group_object(name, price) FROM products
SELECT '{"a": 1}'::JSON ->> 'a', json_valid('{'), json_structure(data) FROM events
## dates
SELECT date_trunc('month', placed) AS m, count(*) FROM orders GROUP BY m ORDER BY m
SELECT year(placed), month(placed), dayname(placed), quarter(placed), week(placed), isodow(placed) FROM orders
SELECT extract(year FROM joined), date_part('dow', joined), datepart('month', joined) FROM customers
SELECT date_diff('day', joined, DATE '2024-01-01'), age(TIMESTAMP '2024-01-01', joined::TIMESTAMP) FROM customers
SELECT joined + INTERVAL 1 MONTH, joined - 7, joined + INTERVAL '2 days', last_day(joined) FROM customers
SELECT strftime(placed, '%d.%m.%Y'), strptime('03/04/2024', '%d/%m/%Y'), try_strptime('x', '%Y') FROM orders
SELECT make_date(2024, 2, 29), DATE '2024-02-29', TIMESTAMP '2024-02-29 12:00:00', TIME '12:00'
SELECT * FROM orders WHERE placed BETWEEN '2023-02-01' AND '2023-02-28 23:59:59'
SELECT time_bucket(INTERVAL '2 weeks', placed), epoch(placed), epoch_ms(placed) FROM orders
SELECT current_date >= DATE '2020-01-01', now() > TIMESTAMPTZ '2020-01-01', today() IS NOT NULL
SELECT unnest(generate_series(DATE '2024-01-01', DATE '2024-01-05', INTERVAL 1 DAY))
SELECT placed AT TIME ZONE 'Europe/Warsaw' FROM orders
SELECT to_timestamp(0), to_days(3), datesub('month', DATE '2024-01-31', DATE '2024-02-29')
## text and patterns
SELECT name FROM customers WHERE name ILIKE '%O%' OR name NOT LIKE 'A%'
SELECT name FROM customers WHERE note LIKE '100\%%' ESCAPE '\'
SELECT regexp_matches(name, '^[A-Z]'), regexp_replace(name, '\s+', '_', 'g'), regexp_extract(name, '(\w+) (\w+)', 2) FROM customers
SELECT name FROM customers WHERE name SIMILAR TO '[A-D].*' AND name ~ '.*a.*'
SELECT name GLOB 'D*', starts_with(name, 'D'), contains(name, 'a'), suffix(name, 'z') FROM customers
SELECT split_part(name, ' ', 1), string_split(name, ' '), str_split('a,b', ',') FROM customers
SELECT lpad('7', 3, '0'), rpad('x', 3, '.'), reverse('abc'), repeat('ab', 2), left('abc', 2), right('abc', 2)
SELECT format('{} costs {:.2f}', name, price::DOUBLE), printf('%05d', id) FROM products
SELECT levenshtein('kitten', 'sitting'), jaro_winkler_similarity('a', 'b'), strip_accents('é'), md5('x'), hash(1) IS NOT NULL
SELECT substring('hello' FROM 2 FOR 3), position('l' IN 'hello'), trim(BOTH 'x' FROM 'xax')
SELECT concat_ws(', ', name, city), name || '!' , length(name), strlen(name), ascii('a'), chr(233) FROM customers
SELECT E'tab\there', 'it''s; -- no', $$dollar 'quoted'; text$$
SELECT name FROM customers ORDER BY name COLLATE NOCASE DESC NULLS LAST
SELECT '東京' AS "都市", '🗼' AS "🗼"
## names and quoting
SELECT "Größe", "select", "said ""yes""" FROM "order notes"
SELECT n."Größe" FROM main."order notes" n
SELECT c.name FROM main.customers AS c
SELECT "name" AS "x; DROP TABLE y" FROM products
## comments
SELECT /* a */ name -- b⏎FROM products
-- DELETE FROM products;⏎SELECT count(*) FROM products;
/* nested is not; */ SELECT 1
## casts and numbers
SELECT '12'::INTEGER, CAST('1.50' AS DECIMAL(10, 2)), TRY_CAST('x' AS INTEGER), price::VARCHAR, 1::BOOLEAN FROM products
SELECT round(2.567, 1), trunc(2.9), ceil(2.1), floor(-2.1), abs(-3), sign(-1), sqrt(16), ln(2), log10(100), greatest(1, 2), least(1, 2)
SELECT 1_000, 0x1F, 1e3, 9223372036854775807, 170141183460469231731687303715884105727::HUGEINT
SELECT 5 & 3, 5 | 3, xor(5, 3), 1 << 3, ~5, bit_count(7)
SELECT cast(price AS DOUBLE) / nullif(id - 1, 0), typeof(price), isnan('nan'::DOUBLE) FROM products
## conditions
SELECT coalesce(city, 'unknown'), ifnull(note, ''), nullif(note, ''), CASE WHEN vip THEN 'v' ELSE 'n' END FROM customers
SELECT name FROM customers WHERE city IS DISTINCT FROM 'Cork' AND (country, vip) IN (('PL', true), ('FR', false))
SELECT name FROM products WHERE category IS NOT NULL AND price BETWEEN 1 AND 100
SELECT if(vip, 1, 0), vip IS TRUE, NOT vip FROM customers
## sets
SELECT id FROM customers EXCEPT ALL SELECT customer_id FROM orders
(SELECT 1 AS a) UNION ALL (SELECT 2) ORDER BY a DESC
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
VALUES (1, 'x'), (2, 'y')
SELECT * FROM (VALUES (1, 'x')) AS t(a, b)
SELECT count(*) FROM paid
## tables that are named like files
SELECT count(*) FROM "sales.csv"
FROM "SALES.CSV" SELECT amount
SELECT s.amount FROM main."sales.csv" AS s JOIN "a/b" AS x ON x.id = s.id
FROM shop.main."sales.csv"
FROM 'sales.csv'
SELECT * FROM main.json
FROM "x.parquet"
WITH s AS (FROM "sales.csv") FROM s SELECT sum(amount)
SELECT 2 ** 2, amount FROM "sales.csv"
SELECT amount FROM "sales.csv" WHERE id IN (SELECT id FROM "a/b")
FROM "C:\data\old.xlsx"
## of a person: pivot
PIVOT sales ON year USING sum(amount)
PIVOT sales ON year USING sum(amount) GROUP BY region ORDER BY region
PIVOT sales ON year, quarter USING sum(amount) AS s, count(*) AS n GROUP BY region
PIVOT sales ON year || '-' || quarter USING sum(amount) GROUP BY region
PIVOT (SELECT region, amount, year FROM sales WHERE amount > 8) ON region USING max(amount)
PIVOT sales ON quarter IN (1, 2), year USING sum(amount) GROUP BY region
WITH s AS (FROM sales WHERE region <> 'x') PIVOT s ON year USING sum(amount) GROUP BY region
FROM (PIVOT sales ON year USING sum(amount) GROUP BY region) WHERE region = 'north'
PIVOT_WIDER sales ON region USING first(amount) GROUP BY year
PIVOT customers ON name USING count(*) GROUP BY country
PIVOT "sales.csv" ON id USING sum(amount)
## of a person: what is shown
SHOW TABLES
SHOW ALL TABLES
show tables;
SHOW DATABASES
SHOW SCHEMAS
SHOW TABLES FROM main
SHOW customers
DESCRIBE
DESCRIBE customers
DESC main.customers
DESCRIBE TABLE orders
DESCRIBE SELECT name, price FROM products
DESCRIBE "sales.csv"
SUMMARIZE orders
SUMMARIZE SELECT name, price FROM products WHERE price > 10
SUMMARIZE baskets
-- what is there⏎SHOW TABLES
FROM (DESCRIBE customers)
SELECT column_name FROM (DESCRIBE customers) WHERE "null" = 'NO'
SELECT * FROM (SHOW TABLES)
SELECT column_name, min, max FROM (SUMMARIZE customers) ORDER BY column_name
## of a person: the catalog
SELECT table_name, estimated_size FROM duckdb_tables()
SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal
SELECT view_name, sql FROM duckdb_views() WHERE NOT internal
SELECT * FROM duckdb_constraints()
SELECT database_name, readonly FROM duckdb_databases()
SELECT schema_name FROM duckdb_schemas()
SELECT function_name FROM duckdb_functions() WHERE NOT internal
SELECT sequence_name FROM duckdb_sequences()
SELECT name, type FROM pragma_table_info('customers')
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = 'main'
SELECT column_name, data_type FROM information_schema.columns WHERE table_name = 'customers' ORDER BY ordinal_position
SELECT name, sql FROM sqlite_master WHERE type = 'table'
SELECT tablename FROM pg_catalog.pg_tables
SELECT table_name FROM duckdb_tables
SELECT c.name, t.table_name FROM customers c, information_schema.tables t
