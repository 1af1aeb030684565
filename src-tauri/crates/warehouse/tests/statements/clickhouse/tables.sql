CREATE TABLE customers (id Int32, name String, city Nullable(String), country LowCardinality(Nullable(String)), joined Nullable(Date32), vip Nullable(Bool), note Nullable(String)) ENGINE = MergeTree ORDER BY id
CREATE TABLE products (id Int32, name String, category Nullable(String), price Decimal(10, 2)) ENGINE = MergeTree ORDER BY id
CREATE TABLE orders (id Int32, customer_id Int32, placed DateTime, status LowCardinality(String), total Decimal(12, 2)) ENGINE = MergeTree PARTITION BY toYear(placed) ORDER BY (placed, id)
CREATE TABLE items (order_id Int32, product_id Int32, quantity Int32, price Decimal(10, 2)) ENGINE = MergeTree ORDER BY (order_id, product_id)
CREATE TABLE staff (id Int32, name String, boss_id Nullable(Int32), salary Decimal(10, 2), hired Date, team String) ENGINE = MergeTree ORDER BY id
CREATE TABLE `order notes` (id Int32, `Größe` Int32, `select` String, `said "yes"` Bool) ENGINE = MergeTree ORDER BY id
CREATE TABLE events (id Int32, kind Enum8('click' = 1, 'buy' = 2), data String, tags Array(String), place Tuple(city String, zip UInt32), counts Map(String, UInt32)) ENGINE = MergeTree ORDER BY id
CREATE TABLE latest (id Int32, state String, version UInt32) ENGINE = ReplacingMergeTree(version) ORDER BY id
INSERT INTO events VALUES (1, 'click', '{"page": "/home", "ms": 120, "tags": ["a", "b"]}', ['a', 'b'], ('Rome', 185), {'x': 1}), (2, 'buy', '{"page": "/desk", "ms": 90, "sum": {"amount": "249.90"}}', [], ('Oslo', 150), {})
INSERT INTO latest VALUES (1, 'new', 1), (1, 'done', 2)
CREATE VIEW paid AS SELECT * FROM orders WHERE status = 'paid'
CREATE FUNCTION own_margin AS (a, b) -> (a - b) / a
CREATE DICTIONARY names (id UInt64, name String) PRIMARY KEY id SOURCE(CLICKHOUSE(TABLE 'customers' DB 'shop')) LAYOUT(FLAT()) LIFETIME(0)
