-- hostile
SELECT p AS leak FROM people AS p
SELECT to_json(p) AS leak FROM people AS p
SELECT COLUMNS('co.*') FROM people
SELECT COLUMNS(lambda c: c LIKE 'co%') FROM people
SELECT COLUMNS(*) FROM people
SELECT max(COLUMNS(*)) FROM people
SELECT * EXCLUDE (id) FROM people
SELECT * REPLACE (upper(code) AS code) FROM people
SELECT * REPLACE (code AS region) FROM people
SELECT * RENAME (code AS other) FROM people
SELECT any_value(code) AS leak FROM people
SELECT list(code) AS leak FROM people
SELECT string_agg(code, ',') AS leak FROM people
SELECT histogram(code) AS leak FROM people
SELECT mode(code) AS leak FROM people
SELECT arg_max(code, id) AS leak FROM people
SELECT arg_max(id, code = 'zqann') AS leak FROM people
SELECT approx_top_k(code, 2) AS leak FROM people
SELECT quantile_disc(salary, 0.5) AS leak FROM people
SELECT first(id ORDER BY code = 'zqann' DESC) AS leak FROM people
SELECT count(*) FILTER (WHERE code = 'zqann') AS leak FROM people
SELECT bool_or(code = 'zqann') AS leak FROM people
SELECT v AS leak FROM people UNPIVOT (v FOR n IN (code, region))
SELECT leak FROM (SELECT id, code, region FROM people) UNPIVOT (v FOR n IN (code, region)) AS u(a, b, leak)
UNPIVOT people ON code, region INTO NAME n VALUE v
PIVOT people ON code USING count(*)
PIVOT people ON code IN ('zqann', 'zqbob') USING max(salary)
SELECT * FROM people PIVOT (max(code) FOR region IN ('north', 'south'))
SELECT x AS leak FROM (SELECT 'a' AS x UNION ALL SELECT COLUMNS('code') FROM people) AS t
SELECT a AS leak FROM (SELECT COLUMNS('co.*'), region FROM people) AS t(a, b)
WITH t(a, b) AS (SELECT COLUMNS('co.*'), region FROM people) SELECT a AS leak FROM t
SELECT "('x' || code)" AS leak FROM (SELECT 'x' || code FROM people)
SELECT x_1 AS leak FROM (SELECT region AS x, code AS x FROM people)
FROM people SELECT code AS leak
FROM people
SELECT p.code AS leak FROM people AS p POSITIONAL JOIN orders AS o
SELECT unnest(p) FROM people AS p
SELECT unnest(list(code)) AS leak FROM people
SELECT [x FOR x IN list(code)] AS leak FROM people
SELECT {'a': code} AS leak FROM people
SELECT map([id], [code]) AS leak FROM people
SELECT code[3:5] AS leak FROM people
SELECT p.id, c.leak FROM people AS p, (SELECT unnest(['a', 'b', 'c']) AS leak) AS c WHERE c.leak = p.code[3]
SELECT p.id, chr(n.i::INTEGER) AS leak FROM people AS p, range(97, 123) AS n(i) WHERE p.code[3] = chr(n.i::INTEGER)
SELECT p.id, n.leak FROM people AS p, range(7100000, 7100020) AS n(leak) WHERE n.leak = p.salary
SELECT p.id, count(*) AS leak FROM people AS p, range(7100000, p.salary) AS n(i) GROUP BY p.id
SELECT p.id, (SELECT count(*) FROM range(7100000, p.salary)) AS leak FROM people AS p
SELECT id, dense_rank() OVER (ORDER BY code[3]) AS leak FROM people
SELECT code.upper() AS leak FROM people
SELECT b AS leak FROM (SELECT code AS a, a AS b FROM people)
SELECT 2 ** 2 AS a, code AS leak FROM people
WITH RECURSIVE a AS (SELECT name AS leak FROM sqlite_master), sqlite_master AS (SELECT 1 AS x) SELECT leak FROM a
WITH RECURSIVE sqlite_master AS (SELECT name FROM sqlite_master) SELECT name AS leak FROM sqlite_master
WITH RECURSIVE a AS (SELECT 2 ** 2 AS b, name AS leak FROM sqlite_master), sqlite_master AS (SELECT 1 AS x) SELECT * FROM a
SELECT id, code AS leak FROM people QUALIFY row_number() OVER (ORDER BY salary DESC) = 1
SELECT #2 FROM people
SELECT * FROM people SEMI JOIN orders ON orders.person_id = people.id
SELECT * FROM (VALUES ((SELECT max(code) FROM people))) AS v(leak)
SELECT array_agg(DISTINCT code ORDER BY code) AS leak FROM people
SELECT hash(code) AS leak FROM people
-- ordinary
SELECT * EXCLUDE (code, salary) FROM people
SELECT COLUMNS('^reg') FROM orders
SELECT region, list(id) AS ids FROM people GROUP BY ALL
SELECT id FROM people QUALIFY row_number() OVER (PARTITION BY region ORDER BY salary DESC) = 1
SELECT region, arg_max(id, total) AS best FROM orders GROUP BY region
FROM orders SELECT region, sum(total) AS t GROUP BY region
FROM orders
PIVOT orders ON region IN ('north', 'south') USING sum(total)
SELECT * FROM orders PIVOT (sum(total) FOR region IN ('north', 'south'))
SELECT d.d::DATE AS day, count(o.id) AS n FROM range(DATE '2024-01-01', DATE '2024-01-04', INTERVAL 1 DAY) AS d(d) LEFT JOIN orders AS o ON o.made = d.d GROUP BY 1
SELECT o AS whole FROM orders AS o
SELECT struct_pack(a := region) AS s FROM people
SELECT histogram(region) AS h FROM people
UNPIVOT (SELECT id, total FROM orders) ON total INTO NAME n VALUE v
SELECT median(total) AS m, mode(region) AS r FROM orders
SELECT unnest([1, 2]) AS n
SELECT 2 ** 2 AS a, region FROM people
WITH t AS (SELECT 2 ** 2 AS a, region FROM people) SELECT a, region FROM t
SELECT region, string_agg(id::VARCHAR, ',' ORDER BY salary) AS ids FROM people GROUP BY region
SELECT p.id, x.n FROM people AS p, (SELECT count(*) AS n FROM orders AS o WHERE o.person_id = p.id) AS x
SELECT region, count(*) FILTER (WHERE id > 1) AS n FROM people GROUP BY region
SELECT id AS a, a + 1 AS b FROM people
SELECT v.a FROM (VALUES (1), (2)) AS v(a)
SELECT list_transform(list(id), lambda x: x + 1) AS l FROM people
SELECT id, row_number() OVER w AS n FROM people WINDOW w AS (ORDER BY salary)
WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r WHERE x < 3) SELECT x FROM r
