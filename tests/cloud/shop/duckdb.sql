-- The shop in DuckDB, and in MotherDuck: structs and lists of structs. One statement between semicolons at line ends.
CREATE TABLE customers (
  customer_id INTEGER NOT NULL, name VARCHAR, signup DATE,
  address STRUCT(city VARCHAR, country VARCHAR), tags VARCHAR[]);
INSERT INTO customers VALUES
  (1, 'Ada Lovell', DATE '2023-01-15', {city: 'London', country: 'UK'}, ['vip', 'newsletter']),
  (2, 'Bert Haller', DATE '2023-03-02', {city: 'Basel', country: 'Switzerland'}, ['newsletter']),
  (3, 'Cleo Marin', DATE '2023-07-21', {city: 'Lyon', country: 'France'}, []),
  (4, 'Dan Okoro', DATE '2024-01-09', {city: 'London', country: 'UK'}, ['vip']),
  (5, 'Eva Blom', DATE '2024-02-28', {city: 'Oslo', country: 'Norway'}, ['newsletter']),
  (6, 'Finn Adler', DATE '2024-05-30', {city: 'Basel', country: 'Switzerland'}, []);
CREATE TABLE products (product_id INTEGER NOT NULL, name VARCHAR, category VARCHAR, price DECIMAL(10, 2));
INSERT INTO products VALUES
  (10, 'Desk lamp', 'Lighting', 39.90), (11, 'Floor lamp', 'Lighting', 89.00), (12, 'Oak table', 'Furniture', 420.00),
  (13, 'Chair', 'Furniture', 75.50), (14, 'Tea set', 'Kitchen', 54.00), (15, 'Cast iron pan', 'Kitchen', 62.25);
CREATE TABLE orders (
  order_id INTEGER NOT NULL, customer_id INTEGER, placed_at TIMESTAMP, status VARCHAR,
  items STRUCT(product_id INTEGER, quantity INTEGER, unit_price DECIMAL(10, 2))[]);
INSERT INTO orders VALUES
  (100, 1, TIMESTAMP '2023-02-01 09:30:00', 'delivered', [{product_id: 10, quantity: 2, unit_price: 39.90}, {product_id: 14, quantity: 1, unit_price: 54.00}]),
  (101, 1, TIMESTAMP '2024-03-11 14:00:00', 'delivered', [{product_id: 12, quantity: 1, unit_price: 420.00}]),
  (102, 2, TIMESTAMP '2023-04-19 08:15:00', 'returned', [{product_id: 13, quantity: 4, unit_price: 75.50}]),
  (103, 3, TIMESTAMP '2023-08-02 18:45:00', 'delivered', [{product_id: 15, quantity: 1, unit_price: 62.25}, {product_id: 10, quantity: 1, unit_price: 39.90}]),
  (104, 4, TIMESTAMP '2024-01-20 11:05:00', 'delivered', [{product_id: 11, quantity: 2, unit_price: 89.00}]),
  (105, 4, TIMESTAMP '2024-06-03 16:20:00', 'open', [{product_id: 13, quantity: 2, unit_price: 75.50}, {product_id: 14, quantity: 2, unit_price: 54.00}]),
  (106, 5, TIMESTAMP '2024-03-01 07:50:00', 'delivered', [{product_id: 15, quantity: 3, unit_price: 62.25}]),
  (107, 2, TIMESTAMP '2024-05-05 20:10:00', 'open', [{product_id: 12, quantity: 1, unit_price: 420.00}, {product_id: 13, quantity: 6, unit_price: 75.50}]);
