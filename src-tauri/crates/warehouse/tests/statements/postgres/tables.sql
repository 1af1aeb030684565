CREATE TABLE events (id int PRIMARY KEY, kind text, data jsonb);
INSERT INTO events VALUES (1, 'click', '{"page": "/home", "ms": 120, "tags": ["a", "b"]}'), (2, 'buy', '{"page": "/desk", "ms": 90, "tags": [], "sum": {"amount": "249.90", "currency": "EUR"}}');
CREATE TABLE baskets (id int, fruits text[], counts int[], bought daterange);
INSERT INTO baskets VALUES (1, '{apple,fig}', '{3,1}', '[2023-01-01,2023-02-01)'), (2, '{}', NULL, NULL);
CREATE SEQUENCE numbers;
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid';
