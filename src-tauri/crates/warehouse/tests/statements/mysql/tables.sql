CREATE TABLE events (id int PRIMARY KEY, kind varchar(20), data json);
INSERT INTO events VALUES (1, 'click', '{"page": "/home", "ms": 120, "tags": ["a", "b"]}'), (2, 'buy', '{"page": "/desk", "ms": 90, "tags": [], "sum": {"amount": "249.90", "currency": "EUR"}}');
CREATE SEQUENCE numbers;
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid';
CREATE TABLE prices (id int PRIMARY KEY, price decimal(10, 2)) WITH SYSTEM VERSIONING;
INSERT INTO prices VALUES (1, 10.00);
UPDATE prices SET price = 12.00;
CREATE FUNCTION own_touch() RETURNS int MODIFIES SQL DATA BEGIN UPDATE customers SET note = 'touched'; RETURN 1; END;
