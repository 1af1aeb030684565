-- hostile
SELECT group_concat(code) AS leak FROM people
SELECT json_arrayagg(code) AS leak FROM people
SELECT json_objectagg(id, code) AS leak FROM people
SELECT json_object('a', code) AS leak FROM people
SELECT concat(code, '') AS leak FROM people
SELECT elt(1, code) AS leak FROM people
SELECT if(code = 'zqann', 1, 0) AS leak FROM people
SELECT if(code = 'zqann', 1, NULL) AS leak FROM people
SELECT ifnull(code, '') AS leak FROM people
SELECT code REGEXP '^zqa' AS leak FROM people
SELECT code RLIKE '^zqa' AS leak FROM people
SELECT code <=> 'zqann' AS leak FROM people
SELECT md5(code) AS leak FROM people
SELECT ord(substr(code, 3, 1)) AS leak FROM people
SELECT hex(code) AS leak FROM people
SELECT soundex(code) AS leak FROM people
SELECT code SOUNDS LIKE 'zqan' AS leak FROM people
SELECT strcmp(code, 'zqann') AS leak FROM people
SELECT field(code, 'zqann', 'zqbob') AS leak FROM people
SELECT find_in_set('zqann', code) AS leak FROM people
SELECT code + 0 AS leak FROM people
SELECT salary DIV 10 AS leak FROM people
SELECT salary MOD 10 AS leak FROM people
SELECT code leak FROM people
SELECT `code` AS leak FROM people
SELECT j.leak FROM people AS p, JSON_TABLE(json_array(p.code), '$[*]' COLUMNS (leak VARCHAR(50) PATH '$')) AS j
SELECT id, nth_value(code, 1) OVER (ORDER BY id) AS leak FROM people
SELECT id, ntile(2) OVER (ORDER BY code = 'zqann') AS leak FROM people
SELECT std(salary) AS leak FROM people WHERE id = 3
SELECT bit_or(salary) AS leak FROM people
SELECT * FROM people AS p RIGHT JOIN orders AS o USING (region)
SELECT * FROM people AS p LEFT JOIN orders AS o USING (region)
SELECT * FROM people AS p NATURAL RIGHT JOIN regions AS r
SELECT * FROM people AS p RIGHT JOIN (SELECT region, 'x' AS code FROM orders) AS o USING (region)
SELECT p.id, c.leak FROM people AS p JOIN (SELECT 'a' AS leak UNION ALL SELECT 'b') AS c ON substr(p.code, 3, 1) = c.leak
SELECT (SELECT code FROM people AS q WHERE q.id = p.id) AS leak FROM people AS p
SELECT id, code AS leak FROM people GROUP BY id
SELECT id, code AS leak FROM people HAVING leak LIKE 'zqa%'
SELECT CASE id WHEN 1 THEN code ELSE region END AS leak FROM people
SELECT replace(code, 'zq', '') AS leak FROM people
SELECT trim(LEADING 'z' FROM code) AS leak FROM people
SELECT convert(code USING utf8mb4) AS leak FROM people
SELECT cast(salary AS CHAR) AS leak FROM people
SELECT table_name AS leak FROM information_schema.tables
SELECT user AS leak FROM mysql.user
WITH RECURSIVE a AS (SELECT region AS leak FROM orders), orders AS (SELECT code AS region FROM people) SELECT leak FROM a
SELECT json_extract(json_object('a', code), '$.a') AS leak FROM people
SELECT greatest(code, 'a') AS leak FROM people
-- ordinary
SELECT group_concat(region ORDER BY id) AS g FROM people
SELECT if(total > 2, 'a', 'b') AS size FROM orders
SELECT date_format(made, '%Y-%m') AS m, count(*) AS n FROM orders GROUP BY m
SELECT json_object('r', region) AS j FROM people
SELECT concat(region, '!') AS r FROM people
SELECT count(*) AS n FROM people WHERE code REGEXP '^zqa'
SELECT id, ifnull(total, 0) AS t FROM orders
SELECT region, count(*) AS n FROM people GROUP BY region WITH ROLLUP
SELECT * FROM orders AS o RIGHT JOIN regions AS r USING (region)
SELECT * FROM orders AS o LEFT JOIN regions AS r USING (region)
SELECT j.n FROM JSON_TABLE('[1, 2]', '$[*]' COLUMNS (n INT PATH '$')) AS j
SELECT o.id, o.total DIV 2 AS half FROM orders AS o
SELECT p.region, sum(o.total) AS t FROM people AS p LEFT JOIN orders AS o ON o.person_id = p.id AND o.total > 1 GROUP BY p.region
SELECT year(made) AS y, sum(total) AS t FROM orders GROUP BY year(made)
SELECT region AS r, count(*) AS n FROM people GROUP BY r HAVING n > 1
SELECT id FROM people ORDER BY field(region, 'south', 'north')
