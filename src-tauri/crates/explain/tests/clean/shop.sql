-- Right queries that look like wrong ones: none of them may be accused.

-- each line looks up its product
SELECT SUM(l.quantity) FROM lines l JOIN products p ON p.id = l.product_id WHERE p.category = 'Toys';

-- each line counts with the price of its product
SELECT p.category, SUM(l.quantity * p.price) AS sold FROM lines l JOIN products p ON p.id = l.product_id GROUP BY p.category;

-- each product that is sold counts with its price
SELECT SUM(p.price) FROM lines l JOIN products p ON p.id = l.product_id;

-- orders that have no refund
SELECT COUNT(*) FROM orders o LEFT JOIN refunds r ON r.order_id = o.id WHERE r.id IS NULL;

-- the condition stands in ON, so that all customers stay
SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.status = 'open' GROUP BY c.id, c.name;

-- customers are counted once
SELECT c.region, COUNT(DISTINCT c.id) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.region;

-- the largest is the largest however often it stands there
SELECT MAX(o.freight), MIN(o.freight) FROM orders o JOIN lines l ON l.order_id = o.id;

-- refunds are added up before they are joined
SELECT SUM(o.freight), SUM(r.back) FROM orders o LEFT JOIN (SELECT order_id, SUM(amount) AS back FROM refunds GROUP BY order_id) r
ON r.order_id = o.id;

-- orders with a refund, each once
SELECT SUM(freight) FROM orders o WHERE EXISTS (SELECT 1 FROM refunds r WHERE r.order_id = o.id);

-- the same with IN
SELECT SUM(freight) FROM orders WHERE id IN (SELECT order_id FROM refunds);

-- made different before they are added up
SELECT SUM(freight) FROM (SELECT DISTINCT o.id, o.freight FROM orders o JOIN lines l ON l.order_id = o.id WHERE l.quantity > 3) AS some;

-- the share of the cancelled among all
SELECT 100.0 * SUM(CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) FROM orders WHERE placed >= '2023-01-01';

-- the share of each status by a window
SELECT status, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share FROM orders GROUP BY status;

-- the denominator is counted in a query of its own
WITH bad AS (SELECT COUNT(*) AS n FROM orders WHERE status = 'cancelled'), every AS (SELECT COUNT(*) AS n FROM orders)
SELECT bad.n * 1.0 / every.n FROM bad, every;

-- one part of those that are left
SELECT SUM(CASE WHEN freight > 8 THEN 1 ELSE 0 END) * 1.0 / COUNT(*) FROM orders WHERE status = 'paid';

-- those that are asked for are a region's: who has none is not meant
SELECT SUM(o.freight) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.region = 'North';

-- not all have ordered, and they are not asked for
SELECT c.name, SUM(o.freight) AS freight FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY freight DESC LIMIT 3;

-- NULL is taken care of
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL);

-- the same by NOT EXISTS
SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id);

-- all days of March
SELECT COUNT(*) FROM orders WHERE placed >= '2023-03-01' AND placed < '2023-04-01';

-- a date without a time of the day has its last day
SELECT COUNT(*) FROM visits WHERE day BETWEEN '2024-03-01' AND '2024-03-31';

-- from a day on, whatever comes
SELECT COUNT(*) FROM orders WHERE placed >= '2024-01-01';

-- the year 2023 is known from end to end
SELECT SUM(freight) FROM orders WHERE placed BETWEEN '2023-01-01' AND '2023-12-31 23:59:59';

-- sizes as numbers
SELECT MAX(CAST(size AS INTEGER)) FROM products WHERE CAST(size AS INTEGER) > 50;

-- the address that is shipped to
SELECT a.country, COUNT(*) FROM orders o JOIN addresses a ON a.id = o.shipping_address GROUP BY a.country;

-- both addresses
SELECT COUNT(*) FROM orders o JOIN addresses b ON b.id = o.billing_address JOIN addresses s ON s.id = o.shipping_address
WHERE b.country <> s.country;

-- all orders stay, each with its customer or without one
SELECT COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id;

-- a customer is looked up: each order is one row
SELECT c.region, COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id GROUP BY c.region;

-- five to look at
SELECT * FROM customers LIMIT 5;

-- the average of the ten largest
SELECT AVG(freight) FROM (SELECT freight FROM orders ORDER BY freight DESC, id LIMIT 10) AS most;

-- one row beside each: the average of all
SELECT o.id FROM orders o CROSS JOIN (SELECT AVG(freight) AS mean FROM orders) m WHERE o.freight > m.mean;

-- counts lines, by what their orders are
SELECT o.status, COUNT(*) FROM lines l JOIN orders o ON o.id = l.order_id GROUP BY o.status;

-- there was none of it, though both are known
SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND placed >= '2024-06-20' AND freight > 11;

-- a running total
SELECT id, SUM(freight) OVER (ORDER BY placed, id) AS so_far FROM orders WHERE status = 'paid' ORDER BY placed, id;

-- the key of the one that a group is about, counted for each of its orders
SELECT c.name, COUNT(c.id) AS orders FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;

-- orders by where their customers are
SELECT SUM(CASE WHEN c.region = 'North' THEN 1 ELSE 0 END) * 1.0 / COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id;

-- a customer is looked up, and only those of a region are asked for
SELECT COUNT(*) FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.region = 'North';

-- pairs of customers of one region
SELECT COUNT(*) FROM customers a JOIN customers b ON b.region = a.region AND b.id > a.id;

-- first those that count, then of these the one that comes first
SELECT c.region FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.region HAVING COUNT(*) > 3 ORDER BY COUNT(*) DESC LIMIT 1;

-- some of the values that are asked for are not there
SELECT COUNT(*) FROM customers WHERE region IN ('North', 'South', 'Centre');
