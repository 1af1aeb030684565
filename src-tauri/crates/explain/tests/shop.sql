CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, region TEXT);
CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), amount REAL, status TEXT, placed TEXT);
CREATE TABLE visit (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), page TEXT);
CREATE TABLE product (id INTEGER PRIMARY KEY, label TEXT, price REAL);
CREATE TABLE line (purchase_id INTEGER REFERENCES purchase(id), product_id INTEGER REFERENCES product(id), quantity INTEGER,
  PRIMARY KEY (purchase_id, product_id));
INSERT INTO customer VALUES (1, 'Ada', 'North'), (2, 'Bert', 'North'), (3, 'Cleo', 'South'), (4, 'Dan', 'West');
-- One was sold over the counter: no customer is known.
INSERT INTO purchase VALUES (1, 1, 10, 'paid', '2023-11-02'), (2, 1, 20, 'paid', '2024-01-15'), (3, 2, 30, 'cancelled', '2024-02-01'),
  (4, 3, 40, 'paid', '2024-03-09'), (5, NULL, 50, 'paid', '2024-03-10');
INSERT INTO visit VALUES (1, 1, 'home'), (2, 1, 'tea'), (3, 2, 'home'), (4, 3, 'home'), (5, 4, 'home');
INSERT INTO product VALUES (1, 'tea', 4.5), (2, 'pot', 20);
INSERT INTO line VALUES (1, 1, 2), (2, 1, 1), (2, 2, 1), (4, 2, 2), (5, 1, 1);
