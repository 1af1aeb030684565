## writes
INSERT INTO customers (id, name) VALUES (99, 'x')
INSERT INTO customers (id, name) SELECT 98, 'x'
INSERT INTO customers (id, name) FORMAT Values (97, 'x')
INSERT INTO TABLE FUNCTION file('FOLDER/out.csv', 'CSV', 'a Int8') SELECT 1
INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'CSV', 'a Int8') VALUES (1)
ALTER TABLE customers UPDATE name = 'x' WHERE 1
ALTER TABLE items DELETE WHERE 1
DELETE FROM items WHERE 1
UPDATE customers SET name = 'x' WHERE 1
TRUNCATE TABLE items
TRUNCATE DATABASE shop
OPTIMIZE TABLE latest FINAL
ALTER TABLE orders DROP PARTITION 2023
ALTER TABLE orders DETACH PARTITION 2023
ALTER TABLE orders FREEZE
/* a comment */ TRUNCATE TABLE items
-- x⏎TRUNCATE TABLE items
# x⏎TRUNCATE TABLE items
#!x⏎TRUNCATE TABLE items
// x⏎TRUNCATE TABLE items
## writes behind a WITH
WITH x AS (SELECT 1) INSERT INTO customers (id, name) SELECT 95, 'x'
INSERT INTO customers (id, name) WITH x AS (SELECT 95 AS id) SELECT id, 'x' FROM x
WITH 1 AS x INSERT INTO customers (id, name) SELECT x, 'x'
## definitions
CREATE TABLE t (a Int8) ENGINE = Memory
CREATE TEMPORARY TABLE t (a Int8)
CREATE TABLE t ENGINE = Memory AS SELECT 1 AS a
CREATE OR REPLACE TABLE items (a Int8) ENGINE = Memory
CREATE VIEW v AS SELECT 1
CREATE MATERIALIZED VIEW v ENGINE = Memory AS SELECT 1 AS a
CREATE OR REPLACE VIEW paid AS SELECT 1
CREATE DATABASE third
CREATE FUNCTION f AS (a) -> a
CREATE TABLE u (a Int8) ENGINE = URL('http://127.0.0.1:1/', 'CSV')
CREATE TABLE u2 (a String) ENGINE = File('CSV', 'FOLDER/secret.csv')
CREATE USER eve
CREATE ROLE eve
CREATE NAMED COLLECTION c AS a = 1
CREATE SETTINGS PROFILE p SETTINGS readonly = 0
ALTER TABLE customers ADD COLUMN x Int8
ALTER TABLE customers DROP COLUMN note
ALTER TABLE customers MODIFY SETTING index_granularity = 1
ALTER USER owner IDENTIFIED BY 'x'
DROP TABLE items
DROP VIEW paid
DROP DATABASE shop
DROP FUNCTION own_margin
DROP DICTIONARY names
UNDROP TABLE items
RENAME TABLE items TO x
EXCHANGE TABLES items AND orders
ATTACH TABLE t
DETACH TABLE items
GRANT ALL ON *.* TO eve
REVOKE ALL ON *.* FROM owner
BACKUP TABLE items TO File('FOLDER/out')
RESTORE TABLE items FROM File('FOLDER/out')
MOVE USER eve TO x
CHECK GRANT SELECT ON items
## files written
SELECT * FROM customers INTO OUTFILE 'FOLDER/out.csv'
SELECT 1 INTO OUTFILE 'FOLDER/out2.csv' FORMAT CSV
SELECT 1 INTO OUTFILE 'FOLDER/out3.csv' TRUNCATE
(SELECT 1) INTO OUTFILE 'FOLDER/out4.csv'
SELECT 1 UNION ALL SELECT 2 INTO OUTFILE 'FOLDER/out5.csv'
SELECT 1 INTO /* c */ OUTFILE 'FOLDER/out6.csv' APPEND
## files read
SELECT file('FOLDER/secret.csv')
SELECT * FROM file('FOLDER/secret.csv', 'CSV', 'a String, b String')
SELECT * FROM file('FOLDER/secret.csv')
SELECT * FROM 'FOLDER/secret.csv'
SELECT * FROM `FOLDER/secret.csv`
SELECT * FROM "FOLDER/secret.csv"
SELECT * FROM fileCluster('default', 'FOLDER/secret.csv', 'CSV', 'a String, b String')
SELECT name FROM customers WHERE file('FOLDER/secret.csv') LIKE '%'
SELECT `file`('FOLDER/secret.csv')
SELECT arrayMap(x -> file(x), ['FOLDER/secret.csv'])
SELECT * FROM customers WHERE name IN (SELECT file('FOLDER/secret.csv'))
SELECT * FROM sqlite('FOLDER/x.db', 't')
SELECT * FROM executable('x.sh', 'CSV', 'a Int8')
SELECT * FROM deltaLakeLocal('FOLDER')
SELECT * FROM icebergLocal('FOLDER')
SELECT * FROM hudi('FOLDER')
SELECT * FROM customers JOIN file('FOLDER/secret.csv', 'CSV', 'a String, b String') f ON f.a = name
## places elsewhere
SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8')
SELECT * FROM urlCluster('default', 'http://127.0.0.1:1/', 'CSV', 'a Int8')
SELECT * FROM s3('http://127.0.0.1:1/bucket/key', 'CSV', 'a Int8')
SELECT * FROM s3Cluster('default', 'http://127.0.0.1:1/bucket/key', 'CSV', 'a Int8')
SELECT * FROM gcs('http://127.0.0.1:1/bucket/key', 'CSV', 'a Int8')
SELECT * FROM azureBlobStorage('http://127.0.0.1:1/', 'c', 'b', 'a', 'k', 'CSV', 'auto', 'a Int8')
SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', 'CSV', 'a Int8')
SELECT * FROM remote('127.0.0.1:1', system.one)
SELECT * FROM remoteSecure('127.0.0.1:1', 'system', 'one')
SELECT * FROM cluster('default', system.one)
SELECT * FROM clusterAllReplicas('default', system.one)
SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')
SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')
SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'e Int8')
SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')
SELECT * FROM jdbc('jdbc:x', 'a', 'b')
SELECT * FROM odbc('x', 'a', 'b')
SELECT * FROM prometheusQuery('x', 'y', now())
SELECT * FROM (SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8'))
SELECT * FROM customers WHERE id IN (SELECT a FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8'))
SELECT * FROM customers WHERE id IN url('http://127.0.0.1:1/', 'CSV', 'a Int8')
WITH u AS (SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8')) SELECT * FROM u
SELECT * FROM numbers(1) UNION ALL SELECT a FROM url('http://127.0.0.1:1/', 'CSV', 'a Int8')
SELECT dictGet('names', 'name', toUInt64(1))
SELECT dictGetOrDefault('names', 'name', toUInt64(1), '')
SELECT * FROM dictionary('names')
SELECT joinGet('shop.j', 'a', 1)
SELECT aiGenerate('x')
SELECT regionToName(toUInt32(1))
SELECT catboostEvaluate('x', 1)
SELECT evalMLMethod(1, 2)
SELECT * FROM eval('SELECT 1')
SELECT * FROM python('x')
## sessions and settings
SET readonly = 0
SET max_execution_time = 0
SELECT 1 SETTINGS readonly = 0
SELECT 1 SETTINGS max_memory_usage = 0, readonly = 0
SELECT * FROM (SELECT 1 SETTINGS readonly = 0)
SELECT * FROM customers WHERE id IN (SELECT 1 SETTINGS readonly = 0)
WITH x AS (SELECT 1 SETTINGS readonly = 0) SELECT * FROM x
SELECT 1 SETTINGS readonly = 0 UNION ALL SELECT 2
SELECT 1 FORMAT CSV
SELECT 1 FORMAT Null SETTINGS readonly = 0
USE system
SET ROLE ALL
SET DEFAULT ROLE ALL TO owner
BEGIN TRANSACTION
COMMIT
ROLLBACK
SYSTEM SHUTDOWN
SYSTEM RELOAD CONFIG
SYSTEM FLUSH LOGS
SYSTEM DROP DNS CACHE
KILL QUERY WHERE 1
KILL MUTATION WHERE 1
EXECUTE AS owner SELECT 1
WATCH v
EXISTS TABLE customers
SELECT {name:String}
SELECT * FROM {t:Identifier}
SELECT @@max_allowed_packet
SELECT $$DROP TABLE items$$
SELECT ?
## functions that act
SELECT sleep(3)
SELECT sleepEachRow(1) FROM numbers(3)
SELECT throwIf(1)
SELECT own_margin(1, 2)
SELECT getSetting('readonly')
SELECT getServerSetting('max_connections')
SELECT getMacro('shard')
SELECT getClientHTTPHeader('Authorization')
SELECT hostName(), fullHostName()
SELECT currentUser(), user(), authenticatedUser()
SELECT currentProfiles(), currentRoles()
SELECT showCertificate()
SELECT filesystemAvailable(), filesystemCapacity()
SELECT buildId(), serverUUID(), tcpPort()
SELECT generateSerialID('x')
SELECT addressToLine(1)
SELECT demangle('x')
SELECT hasColumnInTable('system', 'users', 'name')
SELECT decrypt('aes-128-ecb', 'x', 'y')
SELECT encrypt('aes-128-ecb', 'x', 'y')
SELECT fuzzQuery('x')
SELECT zookeeperSessionUptime()
SELECT name FROM customers WHERE sleep(1) = 0
SELECT sumIf(sleep(1), 1) FROM customers
SELECT arrayMap(x -> sleep(x), [1])
SELECT in(1, system.users)
SELECT * FROM merge('system', 'users')
SELECT * FROM loop(system.users)
SELECT * FROM view(SELECT 1)
SELECT * FROM viewExplain('EXPLAIN', '', (SELECT 1))
SELECT * FROM input('a Int8')
SELECT * FROM generateRandom('a Int8')
SELECT * FROM mergeTreeIndex('shop', 'orders')
SELECT * FROM format(CSV, '1')
## catalogs of secrets
SELECT * FROM system.users
SELECT * FROM system.query_log
SELECT query FROM system.processes
SELECT * FROM system.settings
SELECT * FROM system.server_settings
SELECT * FROM system.named_collections
SELECT * FROM system.grants
SELECT * FROM system.macros
SELECT * FROM system.tables
SELECT * FROM system.functions
SELECT * FROM system.zookeeper WHERE path = '/'
SELECT * FROM system.dictionaries
SELECT * FROM `system`.`users`
SELECT * FROM "system"."users"
SELECT * FROM SYSTEM.users
SELECT * FROM information_schema.user_privileges
SELECT 'x' IN system.users
SELECT 'x' IN (system.users)
SELECT 'x' IN ((system.users))
SELECT 1 NOT IN system.one
SELECT name FROM customers WHERE name IN customers
## several statements
SELECT 1; TRUNCATE TABLE items
SELECT 1;; DROP TABLE items
SELECT 1; SELECT 2
SELECT 1 -- ⏎; TRUNCATE TABLE items
SELECT `a\`; TRUNCATE TABLE items; --`
SELECT "a\" FROM customers; TRUNCATE TABLE items; --"
SELECT 1 /* /* */ ; TRUNCATE TABLE items */
## no queries
SHOW TABLES
SHOW CREATE TABLE customers
SHOW GRANTS
SHOW PROCESSLIST
DESCRIBE TABLE customers
DESCRIBE (SELECT 1)
EXPLAIN SELECT 1
EXPLAIN ESTIMATE SELECT * FROM customers
EXPLAIN PIPELINE SELECT 1

garbage
SELECT
SELECT * FROM customers WHERE
WITH 1 AS x
