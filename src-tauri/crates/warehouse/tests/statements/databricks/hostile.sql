## writes
INSERT INTO customers (id, name) VALUES (99, 'x')
INSERT INTO customers (id, name) SELECT 98, 'x'
INSERT OVERWRITE items VALUES (9, 9, 9, 9)
INSERT INTO TABLE items TABLE items
FROM items INSERT INTO items SELECT *
FROM items AS i INSERT OVERWRITE items SELECT i.*
UPDATE customers SET name = 'x' WHERE id = 1
DELETE FROM items WHERE order_id = 1
MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN DELETE
TRUNCATE TABLE items
/* a comment */ TRUNCATE TABLE items
-- x⏎TRUNCATE TABLE products
COPY INTO items FROM '/FOLDER/secret.csv' FILEFORMAT = CSV
LOAD DATA LOCAL INPATH 'FOLDER/secret.csv' INTO TABLE items
OPTIMIZE items
VACUUM items
## writes behind a WITH
WITH x AS (SELECT 95 AS id, 'x' AS name) INSERT INTO customers (id, name) SELECT id, name FROM x
WITH x AS (SELECT * FROM items) FROM x INSERT INTO items SELECT *
INSERT INTO customers (id, name) WITH x AS (SELECT 95 AS id) SELECT id, 'x' FROM x
## definitions
CREATE TABLE t (a INT)
CREATE TABLE t2 AS SELECT 1 AS a
CREATE OR REPLACE VIEW paid AS SELECT 1 AS a
CREATE VIEW v AS SELECT 1 AS a
CREATE TEMPORARY VIEW tv AS SELECT 1 AS a
CREATE SCHEMA s
CREATE FUNCTION f AS 'org.apache.hadoop.hive.ql.udf.UDFYear'
CREATE OR REPLACE FUNCTION g(a INT) RETURNS INT RETURN a + 1
ALTER TABLE staff RENAME TO people
ALTER TABLE customers ADD COLUMNS (more INT)
ALTER TABLE customers SET TBLPROPERTIES ('a' = 'b')
COMMENT ON TABLE customers IS 'x'
DROP TABLE orders
DROP VIEW paid
DROP SCHEMA other CASCADE
CACHE TABLE items
ANALYZE TABLE items COMPUTE STATISTICS
MSCK REPAIR TABLE items
REFRESH TABLE items
REFRESH 'FOLDER'
## files written
INSERT OVERWRITE DIRECTORY 'FOLDER/out' USING csv SELECT 1
INSERT OVERWRITE LOCAL DIRECTORY 'FOLDER/out2' SELECT 1
CREATE TABLE outside USING csv LOCATION 'FOLDER/out3' AS SELECT 1 AS a
## files read
SELECT * FROM csv.`FOLDER/secret.csv`
SELECT * FROM text.`FOLDER/secret.csv`
SELECT * FROM CSV.`file:FOLDER/secret.csv`
SELECT * FROM `text`.`FOLDER/secret.csv`
SELECT * FROM `org.apache.spark.sql.execution.datasources.text.TextFileFormat`.`FOLDER/secret.csv`
SELECT * FROM binaryFile.`FOLDER/*`
SELECT * FROM parquet.secret
SELECT (SELECT max(value) FROM text.`FOLDER/secret.csv`)
WITH x AS (SELECT * FROM text.`FOLDER/secret.csv`) SELECT * FROM x
SELECT * FROM customers WHERE name IN (SELECT value FROM text.`FOLDER/secret.csv`)
SELECT * FROM customers AS c, LATERAL (SELECT * FROM text.`FOLDER/secret.csv`) AS l
SELECT * FROM customers JOIN text.`FOLDER/secret.csv` ON true
SELECT * FROM delta.`/data/t`
SELECT * FROM delta.`s3://bucket/t`
SELECT * FROM read_files('FOLDER/secret.csv')
SELECT * FROM read_files('FOLDER/secret.csv', format => 'text')
SELECT * FROM cloud_files('FOLDER', 'csv')
LIST 'FOLDER'
SELECT * FROM `FOLDER/secret.csv`
## places elsewhere
SELECT http_request(conn => 'c', method => 'GET', path => '/')
SELECT ai_query('model', 'prompt')
SELECT ai_gen('prompt')
SELECT ai_classify(name, array('a', 'b')) FROM customers
SELECT * FROM vector_search(index => 'i', query_text => 'x', num_results => 1)
SELECT * FROM remote_query('connection', query => 'SELECT 1')
SELECT * FROM read_kafka(bootstrapServers => 'h:1', subscribe => 't')
SELECT * FROM read_kinesis(streamName => 's')
SELECT * FROM event_log('p')
SELECT * FROM STREAM read_files('FOLDER')
SELECT * FROM table_changes('items', 1)
SELECT * FROM ai_forecast(TABLE(orders), horizon => '2025-01-01')
## code
SELECT java_method('java.lang.System', 'getProperty', 'user.home')
SELECT reflect('java.lang.System', 'getenv', 'PATH')
SELECT try_reflect('java.lang.System', 'exit', 1)
SELECT REFLECT('java.lang.System', 'getProperty', 'user.home') FROM customers
SELECT `java_method`('java.lang.System', 'getProperty', 'user.home')
SELECT system.builtin.java_method('java.lang.System', 'getProperty', 'user.home')
SELECT builtin.reflect('java.lang.System', 'getenv', 'PATH')
SELECT TRANSFORM(name) USING 'cat' AS (x) FROM customers
SELECT TRANSFORM(name, city) USING 'touch FOLDER/out' AS (x STRING) FROM customers
FROM customers MAP name USING 'cat' AS x
FROM customers REDUCE name USING 'cat' AS x
SELECT own_margin(1, 2)
SELECT shop.own_margin(1, 2)
EXECUTE IMMEDIATE 'DROP TABLE items'
EXECUTE IMMEDIATE 'SELECT ?' USING 1
CALL f(1)
BEGIN SELECT 1; END
DECLARE x INT DEFAULT 1
## sessions and settings
SET spark.sql.ansi.enabled = false
SET VAR x = 1
SET TIME ZONE 'UTC'
RESET
USE CATALOG main
USE other
SELECT '${spark.app.name}'
SELECT '${env:HOME}'
SELECT 1 AS `${env:HOME}`
SELECT * FROM IDENTIFIER('customers')
SELECT IDENTIFIER('name') FROM customers
SELECT IDENTIFIER('java_' || 'method')('java.lang.System', 'getenv', 'PATH')
SELECT :name
SELECT ?
ADD JAR 'FOLDER/x.jar'
ADD FILE 'FOLDER/secret.csv'
## catalogs of secrets
SELECT secret('scope', 'key')
SELECT try_secret('scope', 'key')
SELECT * FROM list_secrets()
SELECT * FROM system.access.audit
SELECT * FROM system.billing.usage
SELECT * FROM information_schema.table_privileges
SELECT * FROM spark_catalog.information_schema.catalog_privileges
SHOW GRANTS ON TABLE customers
SHOW TABLES
DESCRIBE TABLE customers
DESCRIBE QUERY SELECT 1
## several statements
SELECT 1; DROP TABLE items
SELECT 1; SELECT 2
SELECT 'a\'; DROP TABLE items; --'; DROP TABLE items
SELECT 'a'';' , "b\"; DROP TABLE items; --"; DROP TABLE items
SELECT r'a\'; DROP TABLE items; --'
SELECT R"a\"; DROP TABLE items; --"
SELECT 'a' 'b'
SELECT 1 -- x \⏎; DROP TABLE items
SELECT 1 /* a /* b */ ; DROP TABLE items */
SELECT 1 /*+ BROADCAST(customers) */
SELECT /*+ BROADCAST(customers) */ * FROM customers
## no queries
EXPLAIN SELECT 1
EXPLAIN EXTENDED INSERT INTO items SELECT * FROM items
TABLE customers
FROM customers |> SELECT name
SELECT name FROM customers LATERAL VIEW java_method('java.lang.Runtime', 'exec') e AS x
SELECT name FROM customers LATERAL VIEW OUTER explode(array(reflect('java.lang.System', 'getenv'))) e AS x
SELECT name FROM customers LATERAL VIEW read_files('/tmp/x') e AS x
VALUES
