-- Each query with the check that has to find its fault, and why it is one. "step" marks what changes no number.

-- rows-multiplied: an order's freight is added once for each of its lines
SELECT SUM(o.freight) FROM orders o JOIN lines l ON l.order_id = o.id;

-- rows-multiplied: lines and refunds of an order meet each other, so quantities count once per refund
SELECT SUM(l.quantity) AS sold, SUM(r.amount) AS refunded FROM orders o JOIN lines l ON l.order_id = o.id
JOIN refunds r ON r.order_id = o.id;

-- rows-multiplied: a customer's freight is added once for each visit
SELECT c.name, SUM(o.freight) AS freight FROM customers c JOIN orders o ON o.customer_id = c.id JOIN visits v ON v.customer_id = c.id
GROUP BY c.id, c.name ORDER BY freight DESC LIMIT 5;

-- rows-multiplied: customers are counted once per order
SELECT COUNT(c.id) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.region = 'North';

-- rows-multiplied: the average of the freight is of lines, where orders with more lines weigh more
SELECT o.status, AVG(o.freight) FROM orders o JOIN lines l ON l.order_id = o.id GROUP BY o.status;

-- rows-multiplied: counts pairs of an order and a visit
SELECT c.region, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id JOIN visits v ON v.customer_id = c.id GROUP BY c.region;

-- rows-multiplied: the freight of orders with two refunds counts twice, in a query of its own
WITH refunded AS (SELECT o.id, o.freight FROM orders o JOIN refunds r ON r.order_id = o.id)
SELECT SUM(freight) FROM refunded;

-- share-of-filter: only cancelled orders are left, so all of them are cancelled
SELECT c.region, 100.0 * SUM(CASE WHEN o.status = 'cancelled' THEN 1 ELSE 0 END) / COUNT(*) AS cancelled FROM customers c
JOIN orders o ON o.customer_id = c.id WHERE o.status = 'cancelled' GROUP BY c.region;

-- share-of-filter: the filter stands in a query around it
WITH some AS (SELECT * FROM orders WHERE status = 'paid' AND freight > 5)
SELECT COUNT(CASE WHEN status = 'paid' THEN id END) * 1.0 / COUNT(*) FROM some;

-- share-of-filter: an average of zeros and ones that are all one
SELECT AVG(CASE WHEN o.status IN ('paid', 'shipped') THEN 1.0 ELSE 0 END) FROM orders o WHERE o.status = 'paid';

-- keeps-none: the status is written in lower case
SELECT COUNT(*) FROM orders WHERE status = 'Cancelled';

-- keeps-none: no order is so old
SELECT SUM(freight) FROM orders WHERE placed < '2020-01-01';

-- unknown-value: counts none of the orders as cancelled, since the value is written otherwise
SELECT SUM(CASE WHEN status = 'Cancelled' THEN 1 ELSE 0 END) * 100.0 / COUNT(*) FROM orders;

-- unknown-value: one of two regions is written otherwise and missing
SELECT COUNT(*) FROM customers WHERE region IN ('North', 'south');

-- step keeps-all: every order has a freight
SELECT COUNT(*) FROM orders WHERE freight > 0;

-- left-join-undone: customers without an open order are to stay with a zero
SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.status = 'open' GROUP BY c.id, c.name;

-- left-join-undone: products that nobody bought in numbers disappear from the list
SELECT p.label, SUM(l.quantity) AS sold FROM products p LEFT JOIN lines l ON l.product_id = p.id WHERE l.quantity >= 2
GROUP BY p.id, p.label ORDER BY sold;

-- left-join-counted: customers who never ordered are said to have one order
SELECT c.name, COUNT(*) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name;

-- left-join-counted: the same with a constant in place of the star
SELECT c.region, COUNT(1) AS orders FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.region;

-- not-in-empty: one order without a customer makes the condition true of no customer
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders);

-- last-day: orders of 31 March after midnight are left out
SELECT COUNT(*) FROM orders WHERE placed BETWEEN '2023-03-01' AND '2023-03-31';

-- last-day: the last day of the year is left out
SELECT SUM(freight) FROM orders WHERE placed >= '2023-01-01' AND placed <= '2023-12-31';

-- beyond-data: orders are known until June 2024 only
SELECT COUNT(*) * 1.0 / 36 FROM orders WHERE placed BETWEEN '2024-01-01' AND '2026-12-31 23:59:59';

-- text-number: sizes are compared as text, by which '9' is more than '50'
SELECT COUNT(*) FROM products WHERE size > '50';

-- text-number: the largest size as text is '99', though there are larger ones
SELECT MAX(size) FROM products;

-- text-number: sorted as text
SELECT label, size FROM products ORDER BY size DESC LIMIT 3;

-- empty-keys: orders without a customer are not in the total, for which no customer is needed
SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id;

-- empty-keys: the freight of orders without a customer is missing
SELECT SUM(o.freight) FROM orders o JOIN customers c ON c.id = o.customer_id;

-- nothing-joined: a label is no status
SELECT COUNT(*) FROM orders o JOIN products p ON p.label = o.status;

-- every-pair: no condition joins the tables
SELECT SUM(o.freight) FROM orders o, customers c WHERE c.region = 'North';

-- limit-cuts: an average of the first fifty rows that happen to come
SELECT AVG(freight) FROM (SELECT freight FROM orders LIMIT 50) AS few;

-- limit-cuts: which regions come is by chance
SELECT c.region, COUNT(*) FROM customers c GROUP BY c.region LIMIT 2;

-- step limit-cuts: five of those who ordered are shown
SELECT c.name, COUNT(*) AS n FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name ORDER BY n DESC LIMIT 5;

-- step other-key: by the billing address and not by the one that is shipped to
SELECT a.country, COUNT(*) FROM orders o JOIN addresses a ON a.id = o.billing_address GROUP BY a.country;
