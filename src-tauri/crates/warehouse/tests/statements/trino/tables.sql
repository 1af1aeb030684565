CREATE TABLE events (id INTEGER, data VARCHAR, tags VARCHAR[], place STRUCT(city VARCHAR, zip INTEGER), counts MAP(VARCHAR, INTEGER), lines STRUCT(sku VARCHAR, quantity INTEGER)[]);
INSERT INTO events VALUES (1, '{"page": "/home", "ms": 120, "sum": {"amount": "249.90"}, "tags": ["a", "b"]}', ['a', 'b'], {'city': 'Rome', 'zip': 185}, MAP {'x': 1}, [{'sku': 'a', 'quantity': 2}, {'sku': 'b', 'quantity': 1}]), (2, '{"page": "/shop"}', [], {'city': 'Oslo', 'zip': 150}, MAP {}, []);
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid';
