-- hostile
SELECT p AS leak FROM people AS p
SELECT p::text AS leak FROM people AS p
SELECT (p).code AS leak FROM people AS p
SELECT (p).* FROM people AS p
SELECT row(p.*) AS leak FROM people AS p
SELECT to_json(p) AS leak FROM people AS p
SELECT row_to_json(p) AS leak FROM people AS p
SELECT json_agg(p) AS leak FROM people AS p
SELECT v AS leak FROM people AS p, json_each_text(row_to_json(p)) AS j(k, v)
SELECT array_agg(code) AS leak FROM people
SELECT string_agg(code, ',') AS leak FROM people
SELECT string_agg(id::text, ',' ORDER BY code = 'zqann') AS leak FROM people
SELECT unnest(array_agg(code)) AS leak FROM people
SELECT mode() WITHIN GROUP (ORDER BY code) AS leak FROM people
SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY salary) AS leak FROM people
SELECT json_object_agg(id, code) AS leak FROM people
SELECT bool_or(code = 'zqann') AS leak FROM people
SELECT count(*) FILTER (WHERE code = 'zqann') AS leak FROM people
SELECT t.leak FROM people AS p, LATERAL (SELECT p.code AS leak) AS t
SELECT g AS leak FROM people AS p, generate_series(p.salary, p.salary) AS g
SELECT p.id, (SELECT count(*) FROM generate_series(7100000, p.salary)) AS leak FROM people AS p
SELECT p.id, count(*) AS leak FROM people AS p, generate_series(7100000, p.salary) GROUP BY p.id
SELECT p.id, x.leak FROM people AS p CROSS JOIN LATERAL (SELECT count(*) AS leak FROM generate_series(7100000, p.salary)) AS x
SELECT p.id, max(i) AS leak FROM (SELECT p.id, row_number() OVER (PARTITION BY p.id) AS i FROM people AS p, generate_series(7100000, p.salary)) AS p GROUP BY p.id
SELECT p.id, c.leak FROM people AS p, (VALUES ('a'), ('b'), ('c')) AS c(leak) WHERE substr(p.code, 3, 1) = c.leak
SELECT p.id, chr(n) AS leak FROM people AS p, generate_series(97, 122) AS n WHERE substr(p.code, 3, 1) = chr(n)
WITH t AS (SELECT code AS leak FROM people), "T" AS (SELECT region AS leak FROM people) SELECT leak FROM t
SELECT LEAK FROM (SELECT code AS leak, region AS "LEAK" FROM people) AS s
SELECT e AS leak FROM (people JOIN orders USING (region)) AS t(a, b, e, d)
SELECT * FROM (people JOIN orders USING (region)) AS t(a, b, c, d)
SELECT DISTINCT ON (region) code AS leak FROM people
SELECT regexp_replace(code, '^..', '') AS leak FROM people
SELECT ascii(substr(code, 3, 1)) AS leak FROM people
SELECT md5(code) AS leak FROM people
SELECT code || 'x' AS leak FROM people
SELECT id, ntile(2) OVER (ORDER BY code = 'zqann') AS leak FROM people
SELECT id, first_value(region) OVER w AS leak FROM people WINDOW w AS (PARTITION BY code LIKE 'zqa%')
SELECT id, percent_rank() OVER (ORDER BY code = 'zqann') AS leak FROM people
SELECT region AS leak FROM people FULL JOIN (SELECT code AS region FROM people) AS c USING (region)
TABLE people
SELECT * FROM people TABLESAMPLE SYSTEM (100)
SELECT (ARRAY[code])[1] AS leak FROM people
SELECT (SELECT code FROM people AS q WHERE q.id = p.id) AS leak FROM people AS p
SELECT 'people'::regclass::text AS leak
SELECT 16384::regclass::text AS leak
SELECT CAST('people' AS regclass)::oid AS leak
SELECT to_regclass('people') AS leak
SELECT 'integer'::regtype::oid AS leak
SELECT regtype 'integer' AS leak
SELECT 'postgres'::pg_catalog.regrole::text AS leak
SELECT '{people}'::regclass[] AS leak
SELECT * FROM json_to_record('{"leak": "people"}') AS r(leak regclass)
SELECT c.id AS leak FROM orders AS c JOIN people AS p ON p.id::regclass IS NOT NULL
SELECT relname AS leak FROM pg_class
SELECT relname AS leak FROM pg_catalog.pg_class
SELECT table_name AS leak FROM information_schema.tables
WITH pg_class AS (SELECT 1 AS x) SELECT relname AS leak FROM pg_catalog.pg_class
SELECT most_common_vals AS leak FROM pg_stats
SELECT setting AS leak FROM pg_settings
-- ordinary
SELECT DISTINCT ON (region) id, region FROM people ORDER BY region, salary DESC
SELECT d::date AS day, count(o.id) AS n FROM generate_series(date '2024-01-01', date '2024-01-03', interval '1 day') AS d LEFT JOIN orders AS o ON o.made = d::date GROUP BY 1
SELECT region, array_agg(id ORDER BY id) AS ids FROM people GROUP BY region
SELECT json_build_object('id', id, 'region', region) AS j FROM people
SELECT to_json(o) AS j FROM orders AS o
SELECT n FROM unnest(ARRAY[1, 2]) AS u(n)
SELECT v.k FROM (VALUES (1), (2)) AS v(k)
SELECT p.id, x.n FROM people AS p CROSS JOIN LATERAL (SELECT count(*) AS n FROM orders AS o WHERE o.person_id = p.id) AS x
SELECT region, count(*) FILTER (WHERE id > 2) AS n FROM people GROUP BY region
SELECT to_tsvector('english'::regconfig, region) AS v FROM people
SELECT tableoid::regclass AS t, count(*) AS n FROM orders GROUP BY 1
SELECT o.tableoid::regclass::text AS t FROM orders AS o
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS m FROM orders
SELECT extract(year FROM made) AS y, count(*) AS n FROM orders GROUP BY 1
SELECT CASE WHEN total > 2 THEN 'a' ELSE region END FROM orders
SELECT region FROM people FULL JOIN orders USING (region)
TABLE regions
SELECT p.* FROM regions AS p
SELECT string_agg(region, ',' ORDER BY id) AS r FROM people
SELECT coalesce(region, 'none') FROM people
SELECT (SELECT max(total) FROM orders AS o WHERE o.person_id = p.id) AS best FROM people AS p
