-- hostile
SELECT id, code AS leak FROM people
SELECT p.* FROM people AS p
SELECT id, upper(code) AS leak FROM people
SELECT id, length(code) AS leak FROM people
SELECT id, coalesce(code, region) AS leak FROM people
SELECT id, CASE WHEN code LIKE 'zqa%' THEN 1 ELSE 0 END AS leak FROM people
SELECT id, CASE WHEN code LIKE 'zqa%' THEN 1 END AS leak FROM people
SELECT id, nullif(code, 'zqann') AS leak FROM people
SELECT id, code = 'zqann' AS leak FROM people
SELECT id, salary > 7100002 AS leak FROM people
SELECT id, abs(salary - 7100003) AS leak FROM people
SELECT id, x IS NULL AS leak FROM (SELECT id, nullif(code, 'zqann') AS x FROM people) AS t
SELECT id, count(x) AS leak FROM (SELECT id, nullif(code, 'zqann') AS x FROM people) AS t GROUP BY id
SELECT min(code) AS leak FROM people
SELECT region, max(code) AS leak FROM people GROUP BY region
SELECT max(salary) AS leak FROM people
SELECT sum(salary) AS leak FROM people WHERE id = 3
SELECT sum(salary * CASE WHEN id = 3 THEN 1 ELSE 0 END) AS leak FROM people
SELECT avg(salary) AS leak FROM people GROUP BY id
SELECT count(DISTINCT CASE WHEN code LIKE 'zqa%' THEN id END) AS leak FROM people
SELECT id, first_value(code) OVER (ORDER BY id) AS leak FROM people
SELECT id, lag(code) OVER (ORDER BY id) AS leak FROM people
SELECT id, rank() OVER (ORDER BY CASE WHEN code LIKE 'zqa%' THEN 0 ELSE 1 END) AS leak FROM people
SELECT id, count(*) OVER (PARTITION BY substr(code, 1, 3)) AS leak FROM people
SELECT id, row_number() OVER (ORDER BY salary - 7100003) AS leak FROM people
SELECT id, count(*) OVER w AS leak FROM people WINDOW w AS (PARTITION BY substr(code, 1, 3))
SELECT 'a' AS leak UNION ALL SELECT code FROM people
SELECT region AS leak FROM people UNION SELECT code FROM people
SELECT leak FROM (SELECT code AS leak FROM people) AS t
SELECT t.leak FROM people AS p CROSS JOIN (SELECT max(salary) AS leak FROM people) AS t
WITH t(leak) AS (SELECT code FROM people) SELECT leak FROM t
WITH t AS (SELECT code AS c FROM people), u AS (SELECT c AS d FROM t) SELECT d AS leak FROM u
WITH RECURSIVE r(n, leak) AS (SELECT 1, max(code) FROM people UNION ALL SELECT n + 1, leak FROM r WHERE n < 3) SELECT n, leak FROM r
WITH RECURSIVE a AS (SELECT id AS leak FROM orders), orders AS (SELECT code AS id FROM people) SELECT leak FROM a
SELECT * FROM orders JOIN people USING (region)
SELECT * FROM people JOIN orders USING (region)
SELECT * FROM people NATURAL JOIN regions
SELECT * FROM regions NATURAL JOIN people
SELECT * FROM regions JOIN people USING (region) JOIN orders USING (region)
SELECT o.id, (SELECT p.code FROM people AS p WHERE p.id = o.person_id) AS leak FROM orders AS o
SELECT o.id, (SELECT count(*) FROM people AS p WHERE p.id = o.person_id AND p.code LIKE 'zqa%') AS leak FROM orders AS o
SELECT o.id, EXISTS (SELECT 1 FROM people AS p WHERE p.id = o.person_id AND p.code LIKE 'zqa%') AS leak FROM orders AS o
SELECT o.id, o.person_id IN (SELECT id FROM people WHERE code LIKE 'zqa%') AS leak FROM orders AS o
SELECT code AS leak, count(*) AS n FROM people GROUP BY code
SELECT DISTINCT code AS leak FROM people ORDER BY 1
SELECT id, code AS leak FROM people ORDER BY salary DESC LIMIT 1
SELECT p.id, v.leak FROM people AS p JOIN (SELECT 'zqann' AS k, 'one' AS leak UNION ALL SELECT 'zqbob', 'two') AS v ON v.k = p.code
WITH RECURSIVE n(leak) AS (SELECT 7100000 UNION ALL SELECT leak + 1 FROM n WHERE leak < 7100020) SELECT p.id, n.leak FROM people AS p JOIN n ON n.leak = p.salary
WITH RECURSIVE n(leak) AS (SELECT 7100000 UNION ALL SELECT leak + 1 FROM n WHERE leak < 7100020) SELECT p.id, n.leak FROM people AS p, n WHERE p.salary - n.leak = 0
WITH RECURSIVE n(leak) AS (SELECT 7100000 UNION ALL SELECT leak + 1 FROM n WHERE leak < 7100020) SELECT p.id, n.leak FROM people AS p, n WHERE NOT (p.salary <> n.leak)
WITH RECURSIVE n(leak) AS (SELECT 7100000 UNION ALL SELECT leak + 1 FROM n WHERE leak < 7100020) SELECT p.id, n.leak FROM people AS p, n WHERE (p.id, n.leak) IN (SELECT id, salary FROM people)
WITH RECURSIVE n(leak) AS (SELECT 7100000 UNION ALL SELECT leak + 1 FROM n WHERE leak < 7100020) SELECT p.id, n.leak FROM people AS p, n WHERE EXISTS (SELECT 1 FROM people AS q WHERE q.id = p.id AND q.salary = n.leak)
WITH RECURSIVE n(i) AS (SELECT 7100000 UNION ALL SELECT i + 1 FROM n WHERE i < 7100020) SELECT p.id, count(*) AS leak FROM people AS p JOIN n ON n.i <= p.salary GROUP BY p.id
WITH RECURSIVE n(i) AS (SELECT 7100000 UNION ALL SELECT i + 1 FROM n WHERE i < 7100020) SELECT p.id, sum(1) AS leak FROM people AS p JOIN n ON n.i <= p.salary GROUP BY p.id
WITH RECURSIVE n(i) AS (SELECT 7100000 UNION ALL SELECT i + 1 FROM n WHERE i < 7100020), m AS (SELECT p.id, count(*) AS c FROM people AS p JOIN n ON n.i <= p.salary GROUP BY p.id) SELECT id, c AS leak FROM m
-- ordinary
SELECT id, region FROM people
SELECT count(*) AS n FROM people WHERE code LIKE 'zqa%'
SELECT region, count(code) AS n FROM people GROUP BY region
SELECT count(DISTINCT code) AS n FROM people
SELECT id, code IS NULL AS missing FROM people
SELECT region, sum(total) AS t FROM orders GROUP BY region
SELECT region, avg(total) AS a, min(total) AS low, max(total) AS high FROM orders GROUP BY region
SELECT o.id, o.total, p.region FROM orders AS o JOIN people AS p ON p.id = o.person_id
SELECT p.region, count(*) AS n, sum(o.total) AS t FROM people AS p JOIN orders AS o ON o.person_id = p.id GROUP BY p.region ORDER BY t DESC
SELECT id, row_number() OVER (ORDER BY salary DESC) AS place FROM people
SELECT id, row_number() OVER (PARTITION BY region ORDER BY id) AS n FROM people
SELECT id, sum(total) OVER (PARTITION BY region ORDER BY id) AS running FROM orders
SELECT id FROM people ORDER BY salary DESC LIMIT 1
SELECT region FROM people WHERE salary > 7100003
SELECT id FROM orders WHERE person_id IN (SELECT id FROM people WHERE code LIKE 'zqa%')
SELECT o.id, o.person_id FROM orders AS o WHERE EXISTS (SELECT 1 FROM people AS p WHERE p.id = o.person_id AND p.salary > 7100001)
WITH t AS (SELECT region, count(*) AS n FROM people GROUP BY region) SELECT region, n FROM t WHERE n > 1
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, (SELECT count(*) FROM orders AS o WHERE o.total <= i) AS c FROM n
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT n.i, count(o.id) AS c FROM n LEFT JOIN orders AS o ON o.total = n.i GROUP BY n.i
SELECT CASE WHEN region = 'north' THEN 'n' ELSE 's' END AS side, count(*) AS c FROM people GROUP BY 1
SELECT * FROM orders
SELECT * FROM orders JOIN regions USING (region)
SELECT region FROM people UNION SELECT region FROM orders
SELECT r.region, r.boss FROM regions AS r JOIN people AS p ON p.region = r.region WHERE p.code = 'zqann'
SELECT x.region FROM (SELECT region, max(salary) AS m FROM people GROUP BY region) AS x WHERE x.m > 7100003
SELECT p.id, p.region FROM people AS p WHERE (p.region, p.salary) IN (SELECT region, max(salary) FROM people GROUP BY region)
SELECT p.id, p.region FROM people AS p JOIN (SELECT region, max(salary) AS m FROM people GROUP BY region) AS x ON x.region = p.region AND x.m = p.salary
SELECT (SELECT count(*) FROM people) AS n
SELECT count(*) AS n FROM orders AS o LEFT JOIN people AS p ON p.id = o.person_id WHERE p.id IS NULL
SELECT DISTINCT region FROM people
SELECT region, count(*) AS n FROM people GROUP BY region HAVING max(salary) > 7100003
SELECT p.id, count(o.id) AS n FROM people AS p LEFT JOIN orders AS o ON o.person_id = p.id GROUP BY p.id ORDER BY n DESC
SELECT id, NULL AS missing, 1 AS one FROM people LIMIT 2
