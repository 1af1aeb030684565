-- The shop in Databricks: structs and arrays of structs. One statement between semicolons at line ends.
CREATE TABLE customers (
  customer_id INT NOT NULL, name STRING, signup DATE,
  address STRUCT<city: STRING, country: STRING>, tags ARRAY<STRING>);
INSERT INTO customers VALUES
  (1, 'Ada Lovell', DATE '2023-01-15', named_struct('city', 'London', 'country', 'UK'), array('vip', 'newsletter')),
  (2, 'Bert Haller', DATE '2023-03-02', named_struct('city', 'Basel', 'country', 'Switzerland'), array('newsletter')),
  (3, 'Cleo Marin', DATE '2023-07-21', named_struct('city', 'Lyon', 'country', 'France'), array()),
  (4, 'Dan Okoro', DATE '2024-01-09', named_struct('city', 'London', 'country', 'UK'), array('vip')),
  (5, 'Eva Blom', DATE '2024-02-28', named_struct('city', 'Oslo', 'country', 'Norway'), array('newsletter')),
  (6, 'Finn Adler', DATE '2024-05-30', named_struct('city', 'Basel', 'country', 'Switzerland'), array());
CREATE TABLE products (product_id INT NOT NULL, name STRING, category STRING, price DECIMAL(10, 2));
INSERT INTO products VALUES
  (10, 'Desk lamp', 'Lighting', 39.90), (11, 'Floor lamp', 'Lighting', 89.00), (12, 'Oak table', 'Furniture', 420.00),
  (13, 'Chair', 'Furniture', 75.50), (14, 'Tea set', 'Kitchen', 54.00), (15, 'Cast iron pan', 'Kitchen', 62.25);
CREATE TABLE orders (
  order_id INT NOT NULL, customer_id INT, placed_at TIMESTAMP, status STRING,
  items ARRAY<STRUCT<product_id: INT, quantity: INT, unit_price: DECIMAL(10, 2)>>);
INSERT INTO orders VALUES
  (100, 1, TIMESTAMP '2023-02-01 09:30:00', 'delivered', array(named_struct('product_id', 10, 'quantity', 2, 'unit_price', 39.90), named_struct('product_id', 14, 'quantity', 1, 'unit_price', 54.00))),
  (101, 1, TIMESTAMP '2024-03-11 14:00:00', 'delivered', array(named_struct('product_id', 12, 'quantity', 1, 'unit_price', 420.00))),
  (102, 2, TIMESTAMP '2023-04-19 08:15:00', 'returned', array(named_struct('product_id', 13, 'quantity', 4, 'unit_price', 75.50))),
  (103, 3, TIMESTAMP '2023-08-02 18:45:00', 'delivered', array(named_struct('product_id', 15, 'quantity', 1, 'unit_price', 62.25), named_struct('product_id', 10, 'quantity', 1, 'unit_price', 39.90))),
  (104, 4, TIMESTAMP '2024-01-20 11:05:00', 'delivered', array(named_struct('product_id', 11, 'quantity', 2, 'unit_price', 89.00))),
  (105, 4, TIMESTAMP '2024-06-03 16:20:00', 'open', array(named_struct('product_id', 13, 'quantity', 2, 'unit_price', 75.50), named_struct('product_id', 14, 'quantity', 2, 'unit_price', 54.00))),
  (106, 5, TIMESTAMP '2024-03-01 07:50:00', 'delivered', array(named_struct('product_id', 15, 'quantity', 3, 'unit_price', 62.25))),
  (107, 2, TIMESTAMP '2024-05-05 20:10:00', 'open', array(named_struct('product_id', 12, 'quantity', 1, 'unit_price', 420.00), named_struct('product_id', 13, 'quantity', 6, 'unit_price', 75.50)));
