## counting and sums
SELECT count(*) FROM customers
SELECT count() FROM customers
SELECT count(DISTINCT country), count(city) FROM customers
SELECT uniqExact(country), uniq(city) FROM customers
SELECT sum(quantity * price) AS revenue FROM items
SELECT status, count(*) AS n, round(sum(total), 2) AS amount FROM orders GROUP BY status ORDER BY n DESC, status
SELECT category, avg(price), min(price), max(price) FROM products GROUP BY category HAVING count(*) > 1
SELECT countIf(status = 'paid'), sumIf(total, status = 'open'), avgIf(total, total > 50) FROM orders
SELECT sum(CASE WHEN status = 'paid' THEN 1 ELSE 0 END) AS paid FROM orders
SELECT argMax(name, price), argMin(name, price) FROM products
SELECT quantile(0.9)(total), median(total), quantileExact(0.5)(total), quantilesExact(0.25, 0.75)(total) FROM orders
SELECT groupArray(name), groupUniqArray(country), arrayStringConcat(groupArray(name), ', ') FROM customers
SELECT topK(2)(status), any(status), anyLast(status) FROM orders
SELECT stddevSamp(total), varPop(total), corr(id, customer_id) FROM orders
SELECT sumMap(counts), maxOrNull(id), uniqExactIf(kind, id > 1) FROM events
SELECT team, sum(salary) FROM staff GROUP BY 1 ORDER BY 2 DESC LIMIT 1
SELECT status, toYear(placed) AS y, sum(total) FROM orders GROUP BY status, y WITH ROLLUP
SELECT status, sum(total) FROM orders GROUP BY ROLLUP(status)
SELECT count(*) / (SELECT count(*) FROM orders) FROM orders WHERE status = 'open'
SELECT intDiv(total, 10), total % 7, modulo(id, 2) FROM orders
SELECT groupBitOr(id), simpleLinearRegression(id, customer_id) FROM orders
## joins
SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.name, count(o.id) FROM customers AS c LEFT JOIN orders AS o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL
SELECT c.name FROM customers c LEFT ANTI JOIN orders o ON o.customer_id = c.id
SELECT c.name FROM customers c LEFT SEMI JOIN orders o ON o.customer_id = c.id
SELECT p.name, sum(i.quantity) AS sold FROM items i INNER JOIN products p ON p.id = i.product_id GROUP BY p.id, p.name ORDER BY sold DESC
SELECT a.name, b.name FROM staff a CROSS JOIN staff b WHERE a.id < b.id
SELECT s.name, b.name AS boss FROM staff s LEFT OUTER JOIN staff b ON b.id = s.boss_id
SELECT c.name, o.total FROM customers c RIGHT JOIN orders o ON c.id = o.customer_id
SELECT c.name, o.total FROM customers c FULL JOIN orders o ON c.id = o.customer_id
SELECT quantity FROM items JOIN (SELECT id AS product_id FROM products) p USING (product_id)
SELECT shop.customers.name FROM shop.customers
SELECT name, total FROM customers, orders WHERE customers.id = orders.customer_id
## subqueries
SELECT name FROM products WHERE price > (SELECT avg(price) FROM products)
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE status = 'paid')
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders)
SELECT * FROM (SELECT country, count(*) AS n FROM customers GROUP BY country) t WHERE n >= 1
SELECT (SELECT count(*) FROM customers) AS c, (SELECT count(*) FROM orders) AS o
SELECT id FROM orders WHERE (customer_id, status) IN (SELECT id, 'paid' FROM customers)
SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id AND o.total > 100)
## CTEs
WITH paid_orders AS (SELECT * FROM orders WHERE status = 'paid') SELECT count(*) FROM paid_orders
WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS y FROM a) SELECT * FROM a, b
WITH per AS (SELECT customer_id, sum(total) AS t FROM orders GROUP BY 1) SELECT name, t FROM per JOIN customers ON customers.id = customer_id
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT sum(i) FROM n
## windows
SELECT name, salary, rank() OVER (ORDER BY salary DESC) FROM staff
SELECT name, row_number() OVER (PARTITION BY team ORDER BY hired) AS n FROM staff
SELECT id, total, sum(total) OVER (ORDER BY placed ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders
SELECT id, total - lagInFrame(total) OVER w AS change FROM orders WINDOW w AS (ORDER BY placed)
SELECT name, dense_rank() OVER (ORDER BY salary DESC), ntile(2) OVER (ORDER BY salary) FROM staff
SELECT name, first_value(name) OVER (PARTITION BY team ORDER BY salary DESC) FROM staff
SELECT * FROM (SELECT o.*, row_number() OVER (PARTITION BY customer_id ORDER BY total DESC) AS r FROM orders o) t WHERE r = 1
SELECT customer_id, id, total FROM orders ORDER BY customer_id, total DESC LIMIT 1 BY customer_id
SELECT name FROM staff QUALIFY row_number() OVER (PARTITION BY team ORDER BY salary DESC) = 1
## sets
SELECT city FROM customers UNION SELECT name FROM staff
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
SELECT 'c' AS kind, count(*) FROM customers UNION ALL SELECT 'o', count(*) FROM orders
SELECT id FROM customers UNION DISTINCT SELECT id FROM orders
## dates
SELECT toYear(placed), toMonth(placed), count(*) FROM orders GROUP BY toYear(placed), toMonth(placed)
SELECT toStartOfMonth(placed) AS m, sum(total) FROM orders GROUP BY m ORDER BY m
SELECT formatDateTime(placed, '%Y-%m') AS m, sum(total) FROM orders GROUP BY m
SELECT * FROM orders WHERE placed >= '2023-01-01' AND placed < '2024-01-01'
SELECT * FROM orders WHERE toDate(placed) BETWEEN '2023-01-01' AND '2023-12-31'
SELECT toDate(placed), toDayOfWeek(placed), toQuarter(placed), toISOWeek(placed), toMonday(placed) FROM orders
SELECT dateDiff('day', min(placed), max(placed)) FROM orders
SELECT date_diff('month', min(placed), max(placed)), age('year', hired, toDate('2024-01-01')) FROM orders, staff GROUP BY hired
SELECT placed + INTERVAL 1 MONTH, placed - INTERVAL 7 DAY, addDays(placed, 3) FROM orders
SELECT toLastDayOfMonth(placed), toYYYYMM(placed), toUnixTimestamp(placed) FROM orders
SELECT parseDateTimeOrNull('31.01.2024', '%d.%m.%Y'), parseDateTimeBestEffort('2024-01-31 10:00'), toDateOrNull('x')
SELECT EXTRACT(YEAR FROM placed), date_trunc('month', placed), dateTrunc('week', placed) FROM orders
SELECT count(*) FROM orders WHERE placed > now() - INTERVAL 10 YEAR
SELECT today(), yesterday(), now(), toDate('2024-02-29'), DATE '2024-02-29'
SELECT toStartOfInterval(placed, INTERVAL 6 HOUR) AS t, count(*) FROM orders GROUP BY t ORDER BY t
SELECT toStartOfDay(placed) AS day, count() AS n FROM orders GROUP BY day ORDER BY day WITH FILL STEP INTERVAL 1 DAY LIMIT 5
## text
SELECT upper(name), lowerUTF8(name), length(name), lengthUTF8(name) FROM customers
SELECT name FROM customers WHERE name LIKE '%a%' OR name ILIKE 'ç%'
SELECT name FROM customers WHERE name NOT LIKE 'A\\_%'
SELECT concat(name, ' (', coalesce(city, '?'), ')'), name || '!' FROM customers
SELECT substring(name, 1, 3), left(name, 2), splitByChar(' ', name)[1] FROM customers
SELECT replaceAll(name, 'a', 'o'), trim(name), leftPad(toString(id), 5, '0') FROM customers
SELECT name FROM customers WHERE match(name, '^[A-C]')
SELECT replaceRegexpAll(name, '[aeiou]', ''), extract(name, '[A-Z]+') FROM customers
SELECT position(name, 'a'), positionCaseInsensitiveUTF8(name, 'ç'), startsWith(name, 'A') FROM customers
SELECT 'it''s', 'it\'s', 'a\\b', 'tab\there'
SELECT hex(name), MD5(name), base64Encode(name), cityHash64(name) FROM customers
SELECT multiIf(total > 300, 'large', total > 50, 'middle', 'small') FROM orders
SELECT 'DROP TABLE items; SET readonly = 0' AS text
SELECT note FROM customers WHERE note = 'SETTINGS readonly = 0'
SELECT format('{} of {}', name, toString(id)) FROM customers
SELECT domain('https://example.com/a?b=1'), cutQueryString('https://example.com/a?b=1'), extractURLParameter('https://x/?b=1', 'b')
## names
SELECT `Größe`, `select`, `said "yes"` FROM `order notes`
SELECT "Größe", n."select" FROM "order notes" AS n
SELECT * FROM paid
SELECT p.* FROM paid p WHERE p.total > 100
SELECT name AS `update`, city AS `delete` FROM customers
SELECT * EXCEPT (note) FROM customers
SELECT * REPLACE (id + 1 AS id) FROM customers
## conditions
SELECT * FROM customers WHERE country IN ('PL', 'IE') AND vip
SELECT * FROM customers WHERE NOT vip OR city IS NULL
SELECT * FROM orders WHERE status != 'paid' AND total <> 0
SELECT * FROM customers WHERE id BETWEEN 1 AND 3
SELECT CASE status WHEN 'paid' THEN 1 WHEN 'open' THEN 2 ELSE 0 END FROM orders
SELECT coalesce(city, 'none'), ifNull(city, 'none'), nullIf(city, 'Cork'), if(vip, 'a', 'b') FROM customers
SELECT greatest(1, 2), least(1, 2), sign(-1), abs(-1), ceil(1.2), floor(1.8), pow(2, 3), sqrt(9)
SELECT CAST(total AS Float64), CAST(id AS String), toInt64OrNull('12x'), total::Float64, toDecimal64('1.5', 2) FROM orders
SELECT * FROM orders ORDER BY total DESC LIMIT 2, 3
SELECT * FROM orders ORDER BY status ASC, total DESC NULLS LAST LIMIT 3 OFFSET 1
SELECT DISTINCT status FROM orders
SELECT 0xFF, 1e3, .5, -7, NULL, true, 1_000
SELECT name FROM customers PREWHERE id > 1 WHERE vip
## nested
SELECT tags, tags[1], length(tags), has(tags, 'a'), place.city, tupleElement(place, 'zip'), counts['x'] FROM events
SELECT tag FROM events ARRAY JOIN tags AS tag
SELECT arrayJoin(tags) AS tag, count() FROM events GROUP BY tag
SELECT arrayFilter(x -> x != 'a', tags), arrayMap(x -> upper(x), tags), arrayExists(x -> x = 'b', tags) FROM events
SELECT mapKeys(counts), mapValues(counts), mapContains(counts, 'x') FROM events
SELECT JSONExtractString(data, 'page'), JSONExtractInt(data, 'ms'), JSONExtractString(data, 'sum', 'amount'), JSONHas(data, 'tags') FROM events
SELECT JSONExtractArrayRaw(data, 'tags'), JSONLength(data), JSON_VALUE(data, '$.page') FROM events
SELECT kind, toString(kind) FROM events WHERE kind = 'buy'
SELECT [1, 2, 3], (1, 'x'), map('a', 1), range(3), array(1, 2)
SELECT number FROM numbers(5)
## comments
SELECT 'a\'; TRUNCATE TABLE items; --'
SELECT count(*) /* all of them */ FROM customers
SELECT count(*) FROM customers -- the end
SELECT count(*) FROM customers;
