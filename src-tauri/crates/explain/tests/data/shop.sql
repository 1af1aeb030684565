-- A shop: orders with their lines, refunds, visits to its pages.
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT, email TEXT, since DATE);
CREATE TABLE addresses (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), town TEXT, country TEXT);
CREATE TABLE products (id INTEGER PRIMARY KEY, label TEXT, category TEXT, price DECIMAL(8, 2), size TEXT);
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), placed TIMESTAMP, status TEXT, freight DECIMAL(8, 2),
  billing_address INTEGER REFERENCES addresses(id), shipping_address INTEGER REFERENCES addresses(id));
CREATE TABLE lines (
  order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES products(id), quantity INTEGER,
  PRIMARY KEY (order_id, product_id));
CREATE TABLE refunds (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), amount DECIMAL(8, 2), reason TEXT);
CREATE TABLE visits (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers(id), day DATE, page TEXT);

INSERT INTO customers SELECT i, 'Customer ' || i, CASE i % 4 WHEN 0 THEN 'North' WHEN 1 THEN 'South' WHEN 2 THEN 'East' ELSE 'West' END,
  CASE WHEN i % 5 = 0 THEN NULL ELSE 'c' || i || '@example.org' END, '2022-' || substr('0' || (1 + i % 12), -2) || '-15'
FROM number WHERE i <= 80;
INSERT INTO addresses SELECT i, 1 + (i * 7) % 80, CASE i % 3 WHEN 0 THEN 'Bern' WHEN 1 THEN 'Basel' ELSE 'Lyon' END,
  CASE i % 3 WHEN 2 THEN 'France' ELSE 'Switzerland' END FROM number WHERE i <= 120;
INSERT INTO products SELECT i, 'Product ' || i, CASE i % 3 WHEN 0 THEN 'Tools' WHEN 1 THEN 'Garden' ELSE 'Toys' END, 3 + (i * 37) % 90,
  '' || (5 + (i * 13) % 110) FROM number WHERE i <= 40;
-- Sold over the counter: no customer is known. Customers from 61 on never ordered. Orders go on until June 2024.
INSERT INTO orders SELECT i, CASE WHEN i % 25 = 0 THEN NULL ELSE 1 + (i * 11) % 60 END,
  CASE WHEN i % 5 < 3 THEN '2023-' || substr('0' || (1 + i % 12), -2) ELSE '2024-' || substr('0' || (1 + i % 6), -2) END
    || '-' || substr('0' || CASE WHEN i % 11 = 0 THEN 31 - CASE WHEN i % 5 < 3 AND i % 12 IN (3, 5, 8, 10) OR i % 5 > 2 AND i % 6 IN (3, 5) THEN 1
      WHEN i % 5 < 3 AND i % 12 = 1 OR i % 5 > 2 AND i % 6 = 1 THEN 3 ELSE 0 END ELSE 1 + i % 27 END, -2)
    || ' ' || substr('0' || (8 + i % 12), -2) || ':30:00',
  CASE WHEN i % 10 < 6 THEN 'paid' WHEN i % 10 < 8 THEN 'shipped' WHEN i % 10 = 8 THEN 'open' ELSE 'cancelled' END,
  4 + i % 9, 1 + (i * 5) % 120, 1 + (i * 5 + i % 4) % 120
FROM number WHERE i <= 600;
INSERT INTO lines SELECT o.i, 1 + (o.i * 3 + p.i * 7) % 38, 1 + (o.i + p.i) % 5 FROM number o JOIN number p ON p.i <= 1 + o.i % 4
WHERE o.i <= 600;
INSERT INTO refunds SELECT i, 1 + (i * 17) % 150, 1 + i % 20, CASE i % 3 WHEN 0 THEN 'damaged' WHEN 1 THEN 'late' ELSE 'other' END
FROM number WHERE i <= 220;
INSERT INTO visits SELECT i, 1 + (i * 13) % 80, '2024-' || substr('0' || (1 + i % 6), -2) || '-' || substr('0' || (1 + i % 28), -2),
  CASE i % 2 WHEN 0 THEN 'home' ELSE 'offers' END FROM number WHERE i <= 900;
