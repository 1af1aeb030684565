-- The shop in ClickHouse: tuples and arrays of tuples. One statement between semicolons at line ends.
CREATE TABLE customers (
  customer_id UInt32, name String, signup Date,
  address Tuple(city String, country String), tags Array(String)) ENGINE = MergeTree ORDER BY customer_id;
INSERT INTO customers VALUES
  (1, 'Ada Lovell', '2023-01-15', ('London', 'UK'), ['vip', 'newsletter']),
  (2, 'Bert Haller', '2023-03-02', ('Basel', 'Switzerland'), ['newsletter']),
  (3, 'Cleo Marin', '2023-07-21', ('Lyon', 'France'), []),
  (4, 'Dan Okoro', '2024-01-09', ('London', 'UK'), ['vip']),
  (5, 'Eva Blom', '2024-02-28', ('Oslo', 'Norway'), ['newsletter']),
  (6, 'Finn Adler', '2024-05-30', ('Basel', 'Switzerland'), []);
CREATE TABLE products (product_id UInt32, name String, category LowCardinality(String), price Decimal(10, 2))
  ENGINE = MergeTree ORDER BY product_id;
INSERT INTO products VALUES
  (10, 'Desk lamp', 'Lighting', 39.90), (11, 'Floor lamp', 'Lighting', 89.00), (12, 'Oak table', 'Furniture', 420.00),
  (13, 'Chair', 'Furniture', 75.50), (14, 'Tea set', 'Kitchen', 54.00), (15, 'Cast iron pan', 'Kitchen', 62.25);
CREATE TABLE orders (
  order_id UInt32, customer_id UInt32, placed_at DateTime('UTC'), status LowCardinality(String),
  items Array(Tuple(product_id UInt32, quantity UInt32, unit_price Decimal(10, 2)))) ENGINE = MergeTree ORDER BY order_id;
INSERT INTO orders VALUES
  (100, 1, '2023-02-01 09:30:00', 'delivered', [(10, 2, 39.90), (14, 1, 54.00)]),
  (101, 1, '2024-03-11 14:00:00', 'delivered', [(12, 1, 420.00)]),
  (102, 2, '2023-04-19 08:15:00', 'returned', [(13, 4, 75.50)]),
  (103, 3, '2023-08-02 18:45:00', 'delivered', [(15, 1, 62.25), (10, 1, 39.90)]),
  (104, 4, '2024-01-20 11:05:00', 'delivered', [(11, 2, 89.00)]),
  (105, 4, '2024-06-03 16:20:00', 'open', [(13, 2, 75.50), (14, 2, 54.00)]),
  (106, 5, '2024-03-01 07:50:00', 'delivered', [(15, 3, 62.25)]),
  (107, 2, '2024-05-05 20:10:00', 'open', [(12, 1, 420.00), (13, 6, 75.50)]);
