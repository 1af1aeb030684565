SELECT c.name, o.total FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.total > 10
SELECT c.name, o.total FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.total > 10
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL ORDER BY c.name
SELECT c.name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY 2 DESC, 1
SELECT * FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.*, o.id FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY o.id
SELECT c.id, o.id FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY o.id DESC
SELECT a.name, b.name FROM customers a JOIN customers b ON a.city = b.city AND a.id < b.id ORDER BY a.name, b.name
SELECT a.name AS name, b.name AS other FROM customers a, customers b WHERE a.city = b.city AND a.id < b.id AND a.active = 1 ORDER BY name, other
SELECT * FROM customers NATURAL JOIN cities
SELECT * FROM cities JOIN customers USING (city)
SELECT city, region, count(*) FROM customers JOIN cities USING (city) GROUP BY city, region ORDER BY city
SELECT city FROM customers LEFT JOIN cities USING (city) ORDER BY city, customers.id
SELECT c.name, x.region FROM cities x RIGHT JOIN customers c ON c.city = x.city WHERE x.region IS NULL
SELECT c.name, x.region FROM cities x FULL JOIN customers c ON c.city = x.city WHERE c.id IS NULL OR x.region = 'north' ORDER BY 1, 2
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 20)
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 20)
SELECT name FROM customers c WHERE NOT EXISTS (SELECT * FROM orders WHERE customer_id = c.id)
SELECT name, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c ORDER BY n DESC, name
SELECT name FROM customers WHERE age > (SELECT avg(age) FROM customers)
SELECT name FROM customers WHERE age > (SELECT 2 * avg(age) / 3 FROM customers WHERE city = 'Bern')
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE total > 1000)
SELECT name FROM customers c WHERE age = (SELECT max(age) FROM customers d WHERE d.city = c.city) ORDER BY name
SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE o.total > (SELECT avg(total) FROM orders p WHERE p.customer_id = c.id) ORDER BY 1
SELECT city, avg(age) AS a FROM customers GROUP BY city HAVING a > 30 ORDER BY a
SELECT city, avg(age) AS a FROM customers GROUP BY city HAVING count(*) > 1 AND avg(age) > 20 ORDER BY max(age) DESC
SELECT city FROM customers GROUP BY city ORDER BY count(*) DESC, city LIMIT 2
SELECT city, max(age), name FROM customers GROUP BY city ORDER BY city
SELECT name, max(age) FROM customers
SELECT upper(city) AS u, count(*) FROM customers GROUP BY upper(city) ORDER BY u
SELECT upper(city) AS u, count(*) FROM customers GROUP BY u ORDER BY u
SELECT upper(city), count(*) FROM customers GROUP BY 1 ORDER BY 1
SELECT age / 10 * 10 AS decade, count(*) AS n FROM customers GROUP BY decade HAVING n > 1 ORDER BY decade
SELECT DISTINCT city FROM customers ORDER BY city
SELECT DISTINCT city FROM customers ORDER BY age
SELECT DISTINCT upper(city) FROM customers ORDER BY upper(city) DESC LIMIT 2
SELECT count(DISTINCT city), count(city), count(*) FROM customers
SELECT sum(total) * 100.0 / count(*) FROM orders
SELECT sum(CASE WHEN total > 20 THEN 1 ELSE 0 END) * 1.0 / count(*) AS share FROM orders WHERE customer_id IS NOT NULL
SELECT name, age + 1 FROM customers ORDER BY age * -1 LIMIT 3 OFFSET 1
SELECT name, age + 1 AS next FROM customers ORDER BY next DESC, name
SELECT age AS name, name AS age FROM customers ORDER BY name, age
SELECT name AS n FROM customers WHERE n LIKE 'A%'
SELECT a.n FROM (SELECT name AS n, city FROM customers WHERE age > 20) a WHERE a.city = 'Bern'
SELECT t.city, t.n FROM (SELECT city, count(*) AS n FROM customers GROUP BY city) t JOIN cities c ON c.city = t.city WHERE t.n > 1 ORDER BY t.city
SELECT max(n) FROM (SELECT count(*) AS n FROM customers GROUP BY city)
SELECT * FROM (SELECT name, age FROM customers ORDER BY age DESC LIMIT 2) ORDER BY name
SELECT * FROM (SELECT count(*) FROM customers)
SELECT t.flag, c.name FROM customers c LEFT JOIN (SELECT 1 AS flag, customer_id FROM orders WHERE total > 20) t ON t.customer_id = c.id ORDER BY c.name, t.flag
WITH big AS (SELECT * FROM orders WHERE total > 20) SELECT c.name FROM customers c JOIN big ON big.customer_id = c.id ORDER BY 1
WITH big AS (SELECT * FROM orders WHERE total > 20), n AS (SELECT customer_id, count(*) AS k FROM big GROUP BY customer_id) SELECT * FROM n ORDER BY k DESC, customer_id
WITH n(c, k) AS (SELECT customer_id, count(*) FROM orders GROUP BY customer_id) SELECT name, k FROM customers LEFT JOIN n ON n.c = customers.id ORDER BY name
WITH big AS (SELECT * FROM orders WHERE total > 20) SELECT * FROM big
WITH big AS (SELECT * FROM orders WHERE total > 20) SELECT (SELECT count(*) FROM big), (SELECT max(total) FROM big)
WITH big AS (SELECT * FROM orders WHERE total > 20) SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM big WHERE big.customer_id = c.id)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT i, i * i FROM n WHERE i > 2
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT n.i, c.name FROM n JOIN customers c ON c.id = n.i ORDER BY 1
SELECT name FROM customers UNION SELECT city FROM cities
SELECT name FROM customers UNION ALL SELECT city FROM cities ORDER BY name LIMIT 4
SELECT city FROM customers INTERSECT SELECT city FROM cities ORDER BY 1 DESC
SELECT city FROM customers EXCEPT SELECT city FROM cities WHERE region = 'north'
SELECT city FROM customers UNION SELECT city FROM cities EXCEPT SELECT city FROM cities WHERE region = 'north'
SELECT 'customer' AS kind, name FROM customers UNION ALL SELECT 'city', city FROM cities ORDER BY kind, name
SELECT id, NULL FROM customers UNION ALL SELECT id, total FROM orders
SELECT 1 UNION SELECT 2
SELECT 1, 'x'
SELECT 1 + 1
SELECT (SELECT count(*) FROM customers) - (SELECT count(*) FROM orders)
SELECT (SELECT count(*) FROM customers) * 1.0 / (SELECT count(*) FROM orders) AS ratio, 'x' AS note
SELECT name, rank() OVER (ORDER BY age DESC) FROM customers ORDER BY name
SELECT name, age, row_number() OVER (PARTITION BY city ORDER BY age, id) AS rn FROM customers ORDER BY city, rn
SELECT * FROM (SELECT name, city, row_number() OVER (PARTITION BY city ORDER BY age DESC, id) AS rn FROM customers) WHERE rn = 1 ORDER BY name
SELECT city, sum(count(*)) OVER (ORDER BY city) AS running FROM customers GROUP BY city ORDER BY city
SELECT city, count(*) * 100.0 / sum(count(*)) OVER () AS pct FROM customers GROUP BY city ORDER BY pct DESC, city
SELECT name, sum(age) OVER w, avg(age) OVER w FROM customers WINDOW w AS (PARTITION BY city) ORDER BY name
SELECT total - lag(total) OVER (ORDER BY id) AS delta FROM orders ORDER BY id
SELECT "name", [city], `age` FROM "customers" WHERE "city" = "Bern" AND name <> "name"
SELECT NAME, CITY FROM CUSTOMERS AS C WHERE C.AGE > 30
SELECT rowid, name FROM customers ORDER BY rowid
SELECT c.name FROM customers c, orders o, items i WHERE i.order_id = o.id AND c.id = o.customer_id AND i.price > 5 ORDER BY c.name, i.id
SELECT c.name FROM customers c, items i, orders o WHERE i.order_id = o.id AND c.id = o.customer_id ORDER BY c.name, i.id
SELECT count(*) FROM customers, cities
SELECT count(*) FROM customers WHERE age > 30 OR city = 'Bern'
SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.age > 30 OR o.total > 20 ORDER BY 1
SELECT c.name FROM customers c JOIN cities x ON x.city = i.price JOIN items i ON i.id = c.id
SELECT c.name, o.id, i.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN items i ON i.order_id = o.id AND i.price > 5 ORDER BY c.id, o.id, i.id
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id ORDER BY i.id
SELECT code FROM typed WHERE num = '10'
SELECT code FROM typed WHERE code = 10
SELECT code FROM typed WHERE code > 9
SELECT t.code FROM (SELECT code, num + 0 AS n FROM typed) t WHERE t.n = '10'
SELECT t.code FROM (SELECT code, CAST(num AS TEXT) AS n FROM typed) t WHERE t.n = 10
SELECT a.code, b.num FROM typed a JOIN typed b ON a.code = b.num
SELECT label FROM typed WHERE label = 'abc'
SELECT label, count(*) FROM typed GROUP BY label HAVING label = 'ABC'
SELECT DISTINCT label FROM typed
SELECT label FROM typed ORDER BY label, code
SELECT x FROM (SELECT label AS x FROM typed UNION SELECT code FROM typed) WHERE x = 'abc'
SELECT code FROM typed WHERE label IN (SELECT code FROM typed)
SELECT p FROM (SELECT num AS p FROM typed UNION ALL SELECT num + 1 FROM typed) WHERE p < '11'
SELECT p FROM (SELECT code AS p FROM typed UNION ALL SELECT num || '' FROM typed) WHERE p < 11
SELECT group_concat(name, ', ') FROM customers WHERE city = 'Bern'
SELECT city, group_concat(name) FROM (SELECT city, name FROM customers ORDER BY name DESC) GROUP BY city ORDER BY city
SELECT max(age, 30) FROM customers ORDER BY id
SELECT max(1, id) m, min(age) OVER () FROM customers
SELECT count(*) FILTER (WHERE age > 30) FROM customers
SELECT city, count(*) FROM customers WHERE city IS NOT NULL GROUP BY city HAVING count(*) = (SELECT max(n) FROM (SELECT count(*) AS n FROM customers WHERE city IS NOT NULL GROUP BY city))
SELECT name FROM customers WHERE (city, active) IN (SELECT city, 1 FROM cities)
SELECT name FROM customers WHERE age BETWEEN 20 AND 40 AND NOT (city = 'Bern' OR active = 0)
SELECT name FROM customers LIMIT 2
SELECT DISTINCT city, active FROM customers LIMIT 3
SELECT name, name FROM customers WHERE id < 3
SELECT id AS "order", name AS "select" FROM customers WHERE id < 3 ORDER BY "order" DESC
SELECT "order total", "group" FROM "odd table" WHERE "order total" > 1 ORDER BY "group"
SELECT t."group", count(*) AS "count(*)" FROM "odd table" t GROUP BY t."group" ORDER BY "count(*)" DESC, 1
SELECT count(*) FROM (SELECT DISTINCT city FROM customers)
SELECT avg(n) FROM (SELECT customer_id, count(*) n FROM orders GROUP BY customer_id HAVING count(*) > 1)
SELECT value FROM json_each('[1,2,3]')
SELECT c.name, j.value FROM customers c, json_each('[1,2]') j ORDER BY 1, 2
SELECT * FROM (VALUES (1, 'a'), (2, 'b'))
VALUES (1, 2)
SELECT name FROM customers ORDER BY city COLLATE NOCASE DESC, name
SELECT name FROM customers ORDER BY CASE WHEN city = 'Bern' THEN 0 ELSE 1 END, name
SELECT strftime('%Y', day) AS y, sum(total) FROM orders GROUP BY y ORDER BY y
SELECT city FROM customers GROUP BY city HAVING sum(age) > (SELECT avg(s) FROM (SELECT sum(age) AS s FROM customers GROUP BY city))
SELECT c.city, (SELECT count(*) FROM customers d WHERE d.city = c.city AND d.age > avg(c.age)) FROM customers c GROUP BY c.city ORDER BY 1
SELECT name FROM customers WHERE id = (SELECT customer_id FROM orders ORDER BY total DESC LIMIT 1)
SELECT x.city, x.n FROM (SELECT city, count(*) n FROM customers GROUP BY city) x WHERE x.n = (SELECT max(n) FROM (SELECT count(*) n FROM customers GROUP BY city)) ORDER BY 1
SELECT city || ' ' || name AS full FROM customers WHERE full LIKE 'B%' ORDER BY full
SELECT o.id, o.total FROM orders o WHERE o.total > ALL_TOTAL.a
SELECT name FROM customers WHERE 1 = 1
SELECT count(*) FROM customers WHERE 1 = 0
SELECT sum(age) FROM customers WHERE 1 = 0
SELECT city FROM customers WHERE 1 = 0 GROUP BY city
SELECT c1.name FROM customers c1 JOIN (SELECT city, max(age) AS m FROM customers GROUP BY city) c2 ON c1.city = c2.city AND c1.age = c2.m ORDER BY c1.name
SELECT s1_orders.id FROM orders AS s1_orders WHERE s1_orders.total > 20
SELECT row_count, count(*) FROM (SELECT customer_id AS row_count FROM orders WHERE total > 1) GROUP BY row_count ORDER BY 1
SELECT a.id FROM orders a WHERE a.total = (SELECT max(b.total) FROM orders b WHERE b.customer_id = a.customer_id AND b.id IN (SELECT order_id FROM items WHERE price > a.total - 100)) ORDER BY 1
SELECT c.name, t.m FROM customers c JOIN (SELECT customer_id, max(total) AS m FROM orders GROUP BY customer_id ORDER BY m DESC LIMIT 2) AS t ON t.customer_id = c.id ORDER BY t.m
(SELECT name FROM customers WHERE id < 3)
SELECT count(*), city FROM customers GROUP BY city ORDER BY count(*) DESC
SELECT name AS city, city AS name FROM customers GROUP BY city ORDER BY city
SELECT id % 2 AS odd, count(*) FROM customers GROUP BY id % 2, city HAVING id % 2 = 1
SELECT name FROM customers c WHERE age > (SELECT avg(age) FROM (SELECT age FROM customers WHERE city = c.city))
SELECT customers.name, orders.total FROM customers JOIN orders ON customers.id = orders.customer_id JOIN items ON items.order_id = orders.id WHERE items.price = (SELECT max(price) FROM items) ORDER BY orders.total
SELECT main.customers.name FROM main.customers WHERE main.customers.id = 1
SELECT c.name FROM customers AS c GROUP BY c.city, c.active ORDER BY count(*) DESC, c.city, c.active
SELECT total FROM orders GROUP BY total HAVING count(*) > 0 ORDER BY total DESC LIMIT 3
SELECT city, count(*) AS n FROM customers GROUP BY city HAVING n > 0 ORDER BY n DESC LIMIT 2
SELECT day, total FROM orders WHERE day >= '2024-02-01' AND strftime('%m', day) = '02' ORDER BY day, id
SELECT c.id, c.name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id ORDER BY count(o.id) DESC, c.id
SELECT DISTINCT ON (city) city, name FROM customers ORDER BY city, age DESC, id
SELECT date_trunc('month', day) AS m, sum(total) FROM orders GROUP BY m ORDER BY m
SELECT extract(year FROM day) AS y, count(*) FROM orders GROUP BY 1 HAVING count(*) > 1 ORDER BY y DESC NULLS LAST
SELECT city, count(*) FILTER (WHERE age > 30) AS old, round(avg(age)::numeric, 1) FROM customers GROUP BY city ORDER BY city NULLS FIRST
SELECT name, age::text || ' years' FROM customers WHERE age::int > 20 ORDER BY 2
SELECT string_agg(name, ', ' ORDER BY name) FROM customers
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY age) FROM customers
SELECT name FROM customers WHERE age > ANY (SELECT age FROM customers WHERE city = 'Bern') ORDER BY name
SELECT name FROM customers WHERE id = ANY(ARRAY[1,2]) ORDER BY name
SELECT 'x' AS k, NULL AS v UNION ALL SELECT 'y', 1
SELECT 'x' AS k, NULL AS v FROM customers UNION ALL SELECT name, age FROM customers
SELECT count(*), max(age), CASE WHEN count(*) > 3 THEN 'many' ELSE 'few' END FROM customers
SELECT coalesce(city, 'none') AS c, count(*) FROM customers GROUP BY coalesce(city, 'none') ORDER BY count(*) DESC, c
SELECT c.name, l.total FROM customers c CROSS JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY total DESC LIMIT 1) l ORDER BY 1
SELECT city, region FROM customers JOIN cities USING (city) ORDER BY city, id
SELECT * FROM customers JOIN cities USING (city) ORDER BY id
SELECT * FROM customers NATURAL LEFT JOIN cities ORDER BY id
SELECT city, grouping(city), count(*) FROM customers GROUP BY ROLLUP (city)
SELECT name FROM customers FETCH FIRST 2 ROWS ONLY
SELECT day - interval '1 day' AS d FROM orders WHERE day > date '2024-01-01' ORDER BY d
WITH x AS (SELECT city, count(*) AS n FROM customers GROUP BY city) SELECT x.city, x.n, rank() OVER (ORDER BY x.n DESC, x.city) FROM x ORDER BY 3
SELECT c.name, sum(o.total) OVER (PARTITION BY c.city) - o.total AS rest FROM customers c JOIN orders o ON o.customer_id = c.id ORDER BY c.name, rest
WITH customers AS (SELECT * FROM customers WHERE age > 30) SELECT name FROM customers ORDER BY name
SELECT t.a, t.b FROM (VALUES (1, 'x'), (2, 'y')) AS t(a, b) WHERE a > 1
SELECT name FROM customers WHERE city = 'Bern' AND id IN (SELECT customer_id FROM orders WHERE day < now())
SELECT generate_series(1, 3) AS g, name FROM customers WHERE id = 1
SELECT a.city, b.n FROM cities a LEFT JOIN (SELECT city, count(*) AS n FROM customers GROUP BY city HAVING count(*) > 1) b ON a.city = b.city ORDER BY b.n DESC NULLS LAST, a.city LIMIT 3
SELECT avg(age), avg(age) FILTER (WHERE city = 'Bern') / nullif(avg(age), 0) AS share FROM customers
SELECT count(*) AS n FROM customers HAVING count(*) > 100
SELECT name AS "Name" FROM customers ORDER BY "Name"
SELECT sum(x.total) FROM (SELECT total FROM orders ORDER BY total DESC LIMIT 3) x
