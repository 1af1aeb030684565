CREATE TABLE events (id INTEGER PRIMARY KEY, kind TEXT, data TEXT);
INSERT INTO events VALUES (1, 'click', '{"page": "/home", "ms": 120, "tags": ["a", "b"]}'), (2, 'buy', '{"page": "/desk", "ms": 90, "tags": [], "sum": {"amount": "249.90", "currency": "EUR"}}');
CREATE VIRTUAL TABLE letters USING fts5(title, body);
INSERT INTO letters VALUES ('Reclamation', 'The lamp arrived broken'), ('Praise', 'What a nice lamp');
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid';
CREATE TRIGGER guard INSTEAD OF INSERT ON paid BEGIN INSERT INTO orders VALUES (99, 1, NULL, 'x', 0); END;
