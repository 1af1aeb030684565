CREATE TABLE events (id INTEGER, data VARCHAR, tags VARCHAR, words VARCHAR);
INSERT INTO events VALUES (1, '{"page": "/home", "ms": 120, "sum": {"amount": "249.90"}, "tags": ["a", "b"]}', '["a","b"]', 'red,green'), (2, '{"page": "/shop"}', '[]', 'blue');
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid';
