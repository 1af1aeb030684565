## writes
INSERT INTO customers (id, name) VALUES (9, 'x')
INSERT OR REPLACE INTO customers (id, name) VALUES (1, 'x')
INSERT INTO customers BY NAME SELECT 9 AS id, 'x' AS name
INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *
INSERT INTO products FROM products
UPDATE customers SET name = 'x'
UPDATE orders SET total = 0 FROM customers WHERE customers.id = orders.customer_id
UPDATE items SET quantity = 0 RETURNING *
DELETE FROM items
DELETE FROM items USING orders WHERE orders.id = items.order_id
DELETE FROM items RETURNING *
TRUNCATE items
MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN DELETE
MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN UPDATE SET quantity = 0
## writes behind a WITH
WITH x AS (SELECT 1 AS a) INSERT INTO customers (id, name) SELECT 77, 'x' FROM x
WITH x AS (SELECT 1 AS a) DELETE FROM items WHERE order_id IN (FROM x)
WITH x AS (SELECT 1 AS a) UPDATE products SET price = (SELECT a FROM x)
WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x
WITH x AS (INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *) SELECT * FROM x
WITH x AS (UPDATE items SET quantity = 0 RETURNING *) FROM x
WITH x AS (MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN DELETE RETURNING *) FROM x
SELECT * FROM (DELETE FROM items RETURNING *)
FROM (UPDATE items SET quantity = 0 RETURNING *)
## definitions
CREATE TABLE taken AS FROM customers
CREATE OR REPLACE TABLE customers AS SELECT 1 AS id
CREATE TEMP TABLE taken (a INTEGER)
CREATE VIEW taken AS SELECT 1
CREATE OR REPLACE VIEW paid AS SELECT 1
CREATE MACRO upper(x) AS 'x'
CREATE OR REPLACE MACRO count(x) AS 0
CREATE TEMP MACRO lower(x) AS getenv('HOME')
CREATE FUNCTION f(x) AS x + 1
CREATE SEQUENCE more
CREATE INDEX i ON customers (name)
CREATE SCHEMA s
CREATE TYPE mood AS ENUM ('a')
CREATE SECRET k (TYPE s3, KEY_ID 'a', SECRET 'b')
CREATE PERSISTENT SECRET k (TYPE s3, KEY_ID 'a', SECRET 'b')
DROP TABLE items
DROP VIEW paid
DROP SCHEMA main CASCADE
DROP SECRET k
ALTER TABLE customers RENAME TO clients
ALTER TABLE customers ADD COLUMN x INTEGER
ALTER TABLE customers DROP note
ALTER VIEW paid RENAME TO sold
COMMENT ON TABLE customers IS 'x'
ANALYZE
VACUUM
CHECKPOINT
FORCE CHECKPOINT
CREATE TABLE taken AS PIVOT sales ON year USING sum(amount)
## files written
COPY customers TO 'FOLDER/out.csv'
COPY (SELECT * FROM customers) TO 'FOLDER/out.parquet' (FORMAT parquet)
COPY (SELECT 1) TO 'FOLDER/out' (PARTITION_BY (a))
COPY customers FROM 'FOLDER/secret.csv'
COPY FROM DATABASE shop TO other
EXPORT DATABASE 'FOLDER/out'
IMPORT DATABASE 'FOLDER/out'
ATTACH 'FOLDER/new.duckdb'
ATTACH 'FOLDER/new.duckdb' AS n (READ_WRITE)
ATTACH IF NOT EXISTS ':memory:' AS m
ATTACH 'postgresql://localhost/x' AS p (TYPE postgres)
ATTACH 'FOLDER/other.db' AS s (TYPE sqlite)
DETACH shop
USE memory
## files read
FROM 'FOLDER/secret.csv'
SELECT * FROM 'FOLDER/secret.csv'
SELECT * FROM "FOLDER/secret.csv"
SELECT * FROM 'FOLDER/*.csv'
SELECT * FROM 'FOLDER/secret.csv' AS t(a, b)
SELECT (SELECT b FROM 'FOLDER/secret.csv')
SELECT name FROM customers WHERE id IN (SELECT a FROM 'FOLDER/secret.csv')
SELECT * FROM customers, 'FOLDER/secret.csv'
WITH x AS (FROM 'FOLDER/secret.csv') FROM x
SELECT * FROM read_csv('FOLDER/secret.csv')
SELECT * FROM read_csv_auto(['FOLDER/secret.csv'])
SELECT * FROM main.read_csv('FOLDER/secret.csv')
SELECT * FROM system.main.read_csv('FOLDER/secret.csv')
SELECT * FROM "read_csv"('FOLDER/secret.csv')
SELECT * FROM READ_CSV/**/('FOLDER/secret.csv')
SELECT * FROM read_text('FOLDER/secret.csv')
SELECT * FROM read_blob('FOLDER/*')
SELECT * FROM read_parquet('FOLDER/x.parquet')
SELECT * FROM parquet_scan('FOLDER/x.parquet')
SELECT * FROM parquet_metadata('FOLDER/x.parquet')
SELECT * FROM read_json('FOLDER/x.json')
SELECT * FROM read_json_auto('FOLDER/x.json')
SELECT * FROM read_ndjson_objects('FOLDER/secret.csv')
SELECT * FROM sniff_csv('FOLDER/secret.csv')
SELECT * FROM glob('FOLDER/*')
SELECT * FROM glob('/etc/*')
FROM read_text('/etc/passwd') SELECT content
SELECT content FROM customers, LATERAL (SELECT * FROM read_text('FOLDER/secret.csv'))
SELECT * FROM sqlite_scan('FOLDER/other.db', 't')
SELECT * FROM arrow_scan(1, 2, 3)
SELECT * FROM st_read('FOLDER/secret.csv')
SELECT * FROM read_xlsx('FOLDER/x.xlsx')
SELECT * FROM delta_scan('FOLDER')
SELECT * FROM iceberg_scan('FOLDER')
SELECT * FROM secret_file()
SELECT secret_text()
SELECT main.secret_text() FROM customers
PIVOT 'FOLDER/secret.csv' ON a IN (1) USING count(*)
SUMMARIZE 'FOLDER/secret.csv'
DESCRIBE 'FOLDER/secret.csv'
## network
FROM 'https://example.org/x.csv'
SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')
SELECT * FROM 's3://bucket/x.parquet'
SELECT * FROM read_parquet('hf://datasets/x')
SELECT * FROM postgres_scan('host=127.0.0.1', 'public', 't')
SELECT * FROM mysql_query('db', 'SELECT 1')
SELECT * FROM http_get('http://127.0.0.1:9/')
SELECT * FROM shellfs('touch FOLDER/out |')
FROM 'touch FOLDER/out |'
INSTALL httpfs
INSTALL httpfs FROM community
FORCE INSTALL json
LOAD httpfs
LOAD 'FOLDER/evil.duckdb_extension'
UPDATE EXTENSIONS
## settings
SET threads = 1
SET GLOBAL enable_external_access = true
SET SESSION memory_limit = '100GB'
SET allowed_paths = ['/']
SET lock_configuration = false
SET search_path = 'x'
SET VARIABLE v = getenv('HOME')
RESET threads
PRAGMA threads = 1
PRAGMA database_list
PRAGMA enable_profiling
PRAGMA profiling_output = 'FOLDER/out'
PRAGMA import_database('FOLDER')
CALL pragma_database_size()
CALL enable_logging()
CALL add_parquet_key('k', '0123456789112345')
CALL start_ui()
SELECT getenv('HOME')
SELECT current_setting('home_directory')
SELECT main.getenv('HOME')
SELECT 'HOME'.getenv()
SELECT list_transform(['HOME'], x -> getenv(x))
SELECT apply(['HOME'], lambda x: getenv(x))
SELECT getvariable('v')
SELECT name FROM customers ORDER BY getenv('HOME')
SELECT * REPLACE (getenv('HOME') AS name) FROM customers
SELECT COLUMNS(c -> getenv(c) IS NULL) FROM customers
SELECT sum(id) OVER (PARTITION BY getenv('HOME')) FROM customers
SELECT count(*) FILTER (getenv('HOME') = 'x') FROM customers
SELECT * FROM sales PIVOT (max(getenv('HOME')) FOR year IN (2023))
SELECT 1 LIMIT (SELECT getenv('HOME')::INTEGER)
## what runs other text
SELECT * FROM query('SELECT getenv(''HOME'')')
FROM query_table('customers')
FROM query_table(['customers', 'products'])
SELECT json_execute_serialized_sql(json_serialize_sql('SELECT 1'))
SELECT * FROM json_execute_serialized_sql('x')
FROM json_execute_serialized_sql(json_serialize_sql('FROM read_text(''FOLDER/secret.csv'')'))
EXECUTE x
PREPARE x AS DELETE FROM items
EXPLAIN ANALYZE DELETE FROM items
EXPLAIN ANALYZE SELECT 1
EXPLAIN SELECT 1
SELECT * FROM (EXPLAIN SELECT 1)
## sequences and secrets
SELECT nextval('numbers')
SELECT currval('numbers')
SELECT id, nextval('numbers') FROM customers
SELECT setseed(0.5)
SELECT * FROM duckdb_secrets()
SELECT * FROM duckdb_settings()
SELECT * FROM duckdb_secrets
SELECT * FROM which_secret('s3://x', 's3')
SELECT * FROM pragma_storage_info('customers')
SELECT * FROM duckdb_logs
SELECT write_log('x')
SELECT sleep_ms(100)
SELECT txid_current()
## what MotherDuck has besides
SELECT md_user()
SELECT * FROM md_user_info()
FROM md_run_flight('x')
SELECT * FROM md_information_schema.owned_shares
FROM MD_Information_Schema.main.query_history
SELECT (SELECT count(*) FROM "md_information_schema".main.recent_queries)
SELECT prompt('what is in it?')
SELECT embedding('x')
FROM prompt_query('drop all tables')
CALL prompt_sql('x')
CREATE SHARE taken FROM shop
DROP SHARE taken
UPDATE SHARE taken
ATTACH 'md:other'
CREATE SNAPSHOT OF shop
REFRESH DATABASE shop
SELECT * FROM read_csv('s3://bucket/x.csv')
FROM 's3://bucket/x.parquet'
FROM "gs://bucket/x.parquet"
SELECT * FROM iceberg_scan('s3://bucket/x')
SELECT * FROM delta_scan('s3://bucket/x')
SELECT * FROM postgres_query('other', 'SELECT 1')
SELECT * FROM ducklake_snapshots('lake')
## several statements, comments, quotes
SELECT 1; DELETE FROM items
SELECT 1;; DROP TABLE items
SELECT 1 -- x⏎; DELETE FROM items
SELECT $$ ; $$; DELETE FROM items
SELECT $a$ ' $a$; DELETE FROM items; SELECT $a$ ' $a$
SELECT E'\''; DELETE FROM items; --'
SELECT '\'; DELETE FROM items; --'
SELECT "a;b"; DELETE FROM items
/* a */ DELETE FROM items
/* /* */ DELETE FROM items /* */ */
-- x⏎DELETE FROM items
BEGIN; DELETE FROM items; COMMIT
BEGIN TRANSACTION
ROLLBACK
SELECT * INTO taken FROM customers
SELECT name FROM customers FOR UPDATE
SELECT ?
SELECT $1
SELECT $name
.shell touch FOLDER/out
## names of files that are no tables
SELECT * FROM "secret.csv"
FROM "b/a"
FROM "a/b/c"
FROM sales.csv
FROM main."other.csv"
FROM other."sales.csv"
FROM other.main."sales.csv"
FROM "main.json"
FROM main.csv
FROM 'SALES.csv.gz'
SELECT 2 ** 2, * FROM "other.csv"
SELECT 2 ** 2, * FROM "sales.csv", "other.csv"
WITH x AS (FROM "sales.csv") SELECT * FROM x, "y.parquet"
SELECT * FROM "sales.csv"('FOLDER/secret.csv')
SUMMARIZE "other.csv"
SHOW "other.csv"
SUMMARIZE FROM read_csv('FOLDER/secret.csv')
DESCRIBE SELECT * FROM 'FOLDER/secret.csv'
## pivots that hide something
PIVOT 'FOLDER/secret.csv' ON a USING count(*)
PIVOT (FROM read_text('FOLDER/secret.csv')) ON content USING count(*)
PIVOT sales ON getenv('HOME') USING sum(amount)
PIVOT sales ON year || getenv('HOME') USING sum(amount)
PIVOT sales ON year USING max(getenv('HOME'))
PIVOT sales ON year USING sum(amount) GROUP BY region ORDER BY getenv('HOME')
PIVOT sales ON nextval('numbers') USING sum(amount)
PIVOT sales ON year, (SELECT secret_text()) USING sum(amount)
PIVOT sales ON year IN (SELECT b FROM 'FOLDER/secret.csv') USING sum(amount)
PIVOT sales ON year IN (SELECT getenv('HOME')) USING sum(amount)
PIVOT sales ON year USING sum(amount); DELETE FROM items
PIVOT sales ON year USING sum(amount) ; COPY customers TO 'FOLDER/out.csv'
WITH x AS (FROM read_text('FOLDER/secret.csv')) PIVOT x ON content USING count(*)
WITH x AS (DELETE FROM items RETURNING *) PIVOT x ON price USING count(*)
FROM (PIVOT sales ON year USING sum(amount)), read_text('FOLDER/secret.csv')
CREATE TEMP TABLE taken AS PIVOT sales ON year USING sum(amount)
CREATE TYPE mood AS ENUM (SELECT DISTINCT region FROM sales)
COPY (PIVOT sales ON year USING sum(amount)) TO 'FOLDER/out.csv'
INSERT INTO items SELECT * FROM (PIVOT sales ON year USING sum(amount))
EXPLAIN ANALYZE PIVOT sales ON year USING sum(amount)
DESCRIBE PIVOT sales ON year USING sum(amount)
PIVOT duckdb_secrets ON name USING count(*)
PIVOT (FROM duckdb_settings()) ON name USING count(*)
## what shows more than tables
SHOW duckdb_secrets
DESCRIBE duckdb_settings
SUMMARIZE duckdb_logs
SUMMARIZE FROM duckdb_secrets()
SHOW VARIABLES
SHOW TABLES; DELETE FROM items
DESCRIBE customers; DROP TABLE items
DESCRIBE INSERT INTO items VALUES (1, 3, 1, 1)
DESCRIBE DELETE FROM items
SUMMARIZE SELECT getenv('HOME')
SUMMARIZE SELECT nextval('numbers')
SUMMARIZE SELECT * FROM query('DELETE FROM items')
FROM (SUMMARIZE 'FOLDER/secret.csv')
FROM (DESCRIBE customers), read_text('FOLDER/secret.csv')
SHOW ALL SETTINGS
SHOW threads; SET threads = 1
FROM duckdb_extensions()
FROM duckdb_memory()
FROM duckdb_variables()
FROM duckdb_temporary_files()
FROM duckdb_external_file_cache()
FROM pragma_database_list
FROM pragma_version()
FROM pragma_metadata_info('FOLDER/other.duckdb')
SELECT duckdb_tables()
SELECT * FROM duckdb_tables(), duckdb_secrets()
