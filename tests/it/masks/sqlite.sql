-- hostile
SELECT hex(code) AS leak FROM people
SELECT unicode(substr(code, 3, 1)) AS leak FROM people
SELECT quote(code) AS leak FROM people
SELECT group_concat(code) AS leak FROM people
SELECT json_group_array(code) AS leak FROM people
SELECT json_group_object(id, code) AS leak FROM people
SELECT json_object('a', code) AS leak FROM people
SELECT printf('%s', code) AS leak FROM people
SELECT 'x' || code AS leak FROM people
SELECT json_array(code) ->> 0 AS leak FROM people
SELECT j.value AS leak FROM people AS p, json_each(json_array(p.code)) AS j
SELECT iif(code = 'zqann', 1, 0) AS leak FROM people
SELECT iif(code = 'zqann', 1, NULL) AS leak FROM people
SELECT total(salary) AS leak FROM people WHERE id = 3
SELECT id, code GLOB 'zqa*' AS leak FROM people
SELECT "code" AS leak FROM people
SELECT [code] AS leak FROM people
SELECT `code` AS leak FROM people
SELECT (SELECT code) AS leak FROM people
SELECT max(code) AS leak, id FROM people
SELECT region, code AS leak FROM people GROUP BY region
VALUES ((SELECT max(code) FROM people))
SELECT "max(code)" AS leak FROM (SELECT max(code) FROM people)
SELECT "'x'||code" AS leak FROM (SELECT 'x'||code FROM people)
SELECT "'x' || code" AS leak FROM (SELECT 'x' || code FROM people)
SELECT "x:1" AS leak FROM (SELECT region AS x, code AS x FROM people)
SELECT x AS leak FROM (SELECT code AS x, region AS x FROM people)
WITH a AS (SELECT x AS leak FROM b), b AS (SELECT code AS x FROM people) SELECT leak FROM a
WITH a AS (SELECT id AS leak FROM orders), orders AS (SELECT code AS id FROM people) SELECT leak FROM a
SELECT p.id, c.value AS leak FROM people AS p, json_each('["a","b","c"]') AS c WHERE substr(p.code, 3, 1) = c.value
SELECT p.id, count(*) AS leak FROM people AS p, generate_series(7100000, p.salary) GROUP BY p.id
SELECT p.id, s.value AS leak FROM people AS p, generate_series(7100000, 7100020) AS s WHERE s.value = p.salary
SELECT p.id, max(i) AS leak FROM (SELECT p.id, row_number() OVER (PARTITION BY p.id) AS i FROM people AS p, generate_series(7100000, p.salary)) AS p GROUP BY p.id
SELECT id, ntile(2) OVER (ORDER BY code = 'zqann') AS leak FROM people
SELECT id, nth_value(code, 1) OVER (ORDER BY id) AS leak FROM people
SELECT id, lead(code, 1, 'none') OVER (ORDER BY id) AS leak FROM people
SELECT id, code IS 'zqann' AS leak FROM people
SELECT id, instr(code, 'a') AS leak FROM people
SELECT CAST(salary AS TEXT) AS leak FROM people
SELECT salary % 10 AS leak FROM people
SELECT sql AS leak FROM sqlite_master
SELECT stat AS leak FROM sqlite_stat1
SELECT name AS leak FROM dbstat
SELECT name AS leak FROM pragma_table_info('people')
WITH sqlite_master AS (SELECT 1 AS x) SELECT sql AS leak FROM main.sqlite_master
SELECT code AS leak FROM people NOT INDEXED
SELECT code AS leak FROM people WHERE id = 1 UNION ALL SELECT region FROM people
-- ordinary
SELECT rowid AS r, region FROM people
SELECT group_concat(region) AS g FROM people
SELECT json_group_array(id) AS j FROM people
SELECT typeof(total) AS t FROM orders
SELECT strftime('%Y', made) AS y, count(*) AS n FROM orders GROUP BY y
SELECT value FROM json_each('[1, 2]')
SELECT iif(total > 2, 'a', 'b') AS size FROM orders
SELECT count(*) AS n FROM people WHERE code GLOB 'zqa*'
SELECT s.value AS n, count(o.id) AS c FROM generate_series(1, 5) AS s LEFT JOIN orders AS o ON o.total = s.value GROUP BY 1
SELECT "count(*)" AS n FROM (SELECT count(*) FROM people)
SELECT "region" FROM people
SELECT id, total IS 2 AS two FROM orders
WITH a AS (SELECT x FROM b), b AS (SELECT region AS x FROM people) SELECT x FROM a
SELECT region || '!' AS r FROM people
SELECT max(total) AS m, id FROM orders
VALUES (1), (2)
SELECT id FROM people WHERE id = 1 ORDER BY code COLLATE NOCASE
