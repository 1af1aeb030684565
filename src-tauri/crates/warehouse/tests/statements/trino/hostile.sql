## writes
INSERT INTO customers (id, name) VALUES (99, 'x')
INSERT INTO customers (id, name) SELECT 98, 'x'
UPDATE customers SET name = 'x' WHERE id = 1
DELETE FROM items WHERE order_id = 1
MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN DELETE
TRUNCATE TABLE items
/* a comment */ TRUNCATE TABLE items
-- x⏎TRUNCATE TABLE products
WITH x AS (SELECT 95 AS id) INSERT INTO customers (id) SELECT id FROM x
INSERT INTO customers (id, name) WITH x AS (SELECT 95 AS id) SELECT id, 'x' FROM x
## definitions
CREATE TABLE t (a INTEGER)
CREATE TABLE t2 AS SELECT 1 AS a
CREATE OR REPLACE VIEW paid AS SELECT 1 AS a
CREATE MATERIALIZED VIEW v AS SELECT 1 AS a
CREATE SCHEMA s
CREATE CATALOG c USING memory
CREATE FUNCTION g(a INTEGER) RETURNS INTEGER RETURN a + 1
CREATE ROLE r
ALTER TABLE staff RENAME TO people
ALTER TABLE orders EXECUTE optimize
ALTER TABLE orders EXECUTE expire_snapshots(retention_threshold => '0d')
COMMENT ON TABLE customers IS 'x'
DROP TABLE orders
DROP VIEW paid
DROP SCHEMA other CASCADE
REFRESH MATERIALIZED VIEW v
ANALYZE orders
GRANT SELECT ON customers TO x
DENY SELECT ON customers TO USER x
REVOKE SELECT ON customers FROM x
## SQL of another engine
SELECT * FROM TABLE(system.query(query => 'DROP TABLE items'))
SELECT * FROM TABLE(postgresql.system.query(query => 'SELECT pg_sleep(10)'))
SELECT * FROM TABLE(shop.system.query('SELECT 1'))
SELECT * FROM customers c JOIN TABLE(mysql.system.query(query => 'SELECT 1')) t ON true
SELECT * FROM TABLE(elasticsearch.system.raw_query(schema => 's', index => 'i', query => '{}'))
SELECT * FROM TABLE(system.execute(query => 'DROP TABLE items'))
SELECT (SELECT max(a) FROM TABLE(system.query(query => 'x')) AS t (a))
WITH x AS (SELECT * FROM TABLE(system.query(query => 'x'))) SELECT * FROM x
SELECT * FROM TABLE(hive.system.unload(input => TABLE(orders), location => 's3://x', format => 'ORC'))
SELECT * FROM TABLE(iceberg.system.table_changes('main', 'orders', 1, 2))
SELECT * FROM TABLE(exclude_columns(input => TABLE(orders), columns => DESCRIPTOR(id)))
CALL system.runtime.kill_query(query_id => 'x', message => 'y')
CALL hive.system.sync_partition_metadata('s', 't', 'FULL')
EXECUTE IMMEDIATE 'DROP TABLE items'
EXECUTE IMMEDIATE 'SELECT ?' USING 1
PREPARE p FROM SELECT 1
EXECUTE p
DEALLOCATE PREPARE p
## functions that are not known
WITH FUNCTION f(x INTEGER) RETURNS INTEGER RETURN x + 1 SELECT f(1)
SELECT own_margin(1, 2)
SELECT shop.main.own_margin(1, 2)
SELECT ai_gen('prompt')
SELECT ai_analyze_sentiment(name) FROM customers
SELECT fail('x')
SELECT main.lower('A')
SELECT learn_classifier(1, features(1))
## sessions
SET SESSION query_max_run_time = '9d'
RESET SESSION query_max_run_time
SET ROLE admin
SET TIME ZONE 'UTC'
SET PATH shop.main
SET SESSION AUTHORIZATION admin
USE shop.other
START TRANSACTION
COMMIT
SHOW TABLES
SHOW CREATE TABLE customers
DESCRIBE customers
EXPLAIN ANALYZE SELECT 1
EXPLAIN SELECT 1
SELECT ?
SELECT :name
## catalogs of people and places
SELECT * FROM system.runtime.queries
SELECT * FROM system.runtime.nodes
SELECT * FROM system.metadata.catalogs
SELECT * FROM system.metadata.table_properties
SELECT * FROM system.jdbc.tables
SELECT * FROM "system"."runtime"."queries"
SELECT * FROM shop.information_schema.table_privileges
SELECT * FROM information_schema.applicable_roles
SELECT * FROM information_schema.enabled_roles
SELECT * FROM "orders$files"
SELECT * FROM main."orders$history"
SELECT * FROM jmx.current."java.lang:type=runtime"
## several statements
SELECT 1; DROP TABLE items
SELECT 1; SELECT 2
SELECT 'a'; DROP TABLE items; --'
SELECT 1 /* a /* b */ ; DROP TABLE items */
## no queries
TABLE customers
VALUES (1) ; DROP TABLE items
SELECT * FROM customers FOR UPDATE
SELECT 1 INTO x
