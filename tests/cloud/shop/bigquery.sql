-- A small shop as warehouses in the cloud keep it: nested rows, no keys. One statement between semicolons at line ends.
CREATE TABLE shop.customers (
  customer_id INT64 NOT NULL, name STRING, signup DATE,
  address STRUCT<city STRING, country STRING>, tags ARRAY<STRING>);
INSERT INTO shop.customers VALUES
  (1, 'Ada Lovell', DATE '2023-01-15', STRUCT('London', 'UK'), ['vip', 'newsletter']),
  (2, 'Bert Haller', DATE '2023-03-02', STRUCT('Basel', 'Switzerland'), ['newsletter']),
  (3, 'Cleo Marin', DATE '2023-07-21', STRUCT('Lyon', 'France'), []),
  (4, 'Dan Okoro', DATE '2024-01-09', STRUCT('London', 'UK'), ['vip']),
  (5, 'Eva Blom', DATE '2024-02-28', STRUCT('Oslo', 'Norway'), ['newsletter']),
  (6, 'Finn Adler', DATE '2024-05-30', STRUCT('Basel', 'Switzerland'), []);
CREATE TABLE shop.products (product_id INT64 NOT NULL, name STRING, category STRING, price NUMERIC);
INSERT INTO shop.products VALUES
  (10, 'Desk lamp', 'Lighting', 39.90), (11, 'Floor lamp', 'Lighting', 89.00), (12, 'Oak table', 'Furniture', 420.00),
  (13, 'Chair', 'Furniture', 75.50), (14, 'Tea set', 'Kitchen', 54.00), (15, 'Cast iron pan', 'Kitchen', 62.25);
CREATE TABLE shop.orders (
  order_id INT64 NOT NULL, customer_id INT64, placed_at TIMESTAMP, status STRING,
  items ARRAY<STRUCT<product_id INT64, quantity INT64, unit_price NUMERIC>>);
INSERT INTO shop.orders VALUES
  (100, 1, TIMESTAMP '2023-02-01 09:30:00+00', 'delivered', [STRUCT(10, 2, 39.90), STRUCT(14, 1, 54.00)]),
  (101, 1, TIMESTAMP '2024-03-11 14:00:00+00', 'delivered', [STRUCT(12, 1, 420.00)]),
  (102, 2, TIMESTAMP '2023-04-19 08:15:00+00', 'returned', [STRUCT(13, 4, 75.50)]),
  (103, 3, TIMESTAMP '2023-08-02 18:45:00+00', 'delivered', [STRUCT(15, 1, 62.25), STRUCT(10, 1, 39.90)]),
  (104, 4, TIMESTAMP '2024-01-20 11:05:00+00', 'delivered', [STRUCT(11, 2, 89.00)]),
  (105, 4, TIMESTAMP '2024-06-03 16:20:00+00', 'open', [STRUCT(13, 2, 75.50), STRUCT(14, 2, 54.00)]),
  (106, 5, TIMESTAMP '2024-03-01 07:50:00+00', 'delivered', [STRUCT(15, 3, 62.25)]),
  (107, 2, TIMESTAMP '2024-05-05 20:10:00+00', 'open', [STRUCT(12, 1, 420.00), STRUCT(13, 6, 75.50)]);
