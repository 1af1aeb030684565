## writes
INSERT INTO customers (id, name) VALUES (99, 'x')
INSERT INTO customers SET id = 99, name = 'x'
INSERT IGNORE INTO customers (id, name) VALUES (98, 'x')
INSERT INTO customers (id, name) VALUES (1, 'x') ON DUPLICATE KEY UPDATE name = 'x'
INSERT INTO customers (id, name) VALUES (97, 'x') RETURNING id
REPLACE INTO customers (id, name) VALUES (96, 'x')
UPDATE customers SET name = 'x'
UPDATE customers c JOIN staff s ON s.id = c.id SET c.name = s.name
UPDATE LOW_PRIORITY customers SET name = 'y' ORDER BY id LIMIT 1
DELETE FROM items
DELETE FROM items WHERE quantity > 0 RETURNING order_id
DELETE i FROM items i JOIN orders o ON o.id = i.order_id
DELETE FROM i USING items i JOIN orders o ON o.id = i.order_id
TRUNCATE TABLE items
TRUNCATE items
/* a comment */ DELETE FROM items
/*!50000 DELETE FROM items */
/*!DELETE FROM items*/
/*M! DELETE FROM items */
-- x⏎DELETE FROM items
# x⏎DELETE FROM items
LOAD DATA INFILE 'FOLDER/secret.csv' INTO TABLE customers
LOAD DATA LOCAL INFILE 'FOLDER/secret.csv' INTO TABLE customers
LOAD XML INFILE 'FOLDER/secret.csv' INTO TABLE customers
## writes behind a WITH
WITH x AS (SELECT 1) DELETE FROM items
WITH x AS (SELECT 1 AS id) UPDATE customers SET name = 'x' WHERE id IN (SELECT id FROM x)
INSERT INTO customers (id, name) WITH x AS (SELECT 95 AS id, 'x' AS name) SELECT * FROM x
EXPLAIN ANALYZE DELETE FROM items
ANALYZE FORMAT=JSON DELETE FROM items
ANALYZE DELETE FROM items
## definitions
CREATE TABLE t (a int)
CREATE TEMPORARY TABLE t (a int)
CREATE TABLE t AS SELECT * FROM customers
CREATE TABLE t LIKE customers
CREATE OR REPLACE TABLE items (a int)
CREATE VIEW v AS SELECT 1
CREATE OR REPLACE VIEW paid AS SELECT 1
CREATE INDEX i ON customers (name)
CREATE DATABASE other
CREATE SCHEMA other
CREATE USER eve
CREATE ROLE eve
CREATE FUNCTION f() RETURNS int RETURN 1
CREATE FUNCTION f RETURNS string SONAME 'udf.so'
CREATE PROCEDURE p() SELECT 1
CREATE TRIGGER t BEFORE INSERT ON customers FOR EACH ROW SET NEW.name = 'x'
CREATE EVENT e ON SCHEDULE EVERY 1 DAY DO DELETE FROM items
CREATE SERVER s FOREIGN DATA WRAPPER mysql OPTIONS (HOST 'evil.example')
CREATE SEQUENCE s
ALTER TABLE customers ADD COLUMN x int
ALTER TABLE customers DROP COLUMN note
ALTER DATABASE shop CHARACTER SET latin1
ALTER USER owner IDENTIFIED BY 'x'
DROP TABLE items
DROP VIEW paid
DROP DATABASE shop
DROP USER owner
DROP SEQUENCE numbers
RENAME TABLE items TO x
RENAME USER owner TO eve
GRANT ALL ON *.* TO eve IDENTIFIED BY 'x'
GRANT SELECT ON shop.* TO 'owner'@'%'
REVOKE ALL ON *.* FROM owner
SET PASSWORD FOR owner = PASSWORD('x')
OPTIMIZE TABLE customers
REPAIR TABLE customers
ANALYZE TABLE customers
CHECK TABLE customers
INSTALL PLUGIN x SONAME 'x.so'
INSTALL SONAME 'x'
UNINSTALL PLUGIN x
## files written
SELECT * FROM customers INTO OUTFILE 'FOLDER/out.csv'
SELECT * INTO OUTFILE 'FOLDER/out2.csv' FIELDS TERMINATED BY ',' FROM customers
SELECT name FROM customers LIMIT 1 INTO DUMPFILE 'FOLDER/out.bin'
(SELECT 1 INTO OUTFILE 'FOLDER/out3.csv')
SELECT 1 UNION SELECT 2 INTO OUTFILE 'FOLDER/out4.csv'
WITH x AS (SELECT 1) SELECT * FROM x INTO OUTFILE 'FOLDER/out5.csv'
SELECT id INTO @a FROM customers LIMIT 1
SELECT 1 INTO /* c */ OUTFILE 'FOLDER/out6.csv'
SELECT extract(DAY_HOUR FROM placed) INTO OUTFILE 'FOLDER/unit.txt' FROM orders
## files read
SELECT LOAD_FILE('FOLDER/secret.csv')
SELECT load_file(concat('FOLDER', '/secret.csv'))
SELECT hex(LOAD_FILE('FOLDER/secret.csv'))
SELECT name FROM customers WHERE LOAD_FILE('FOLDER/secret.csv') LIKE '%'
SELECT `load_file`('FOLDER/secret.csv')
SELECT /*!50000 LOAD_FILE('FOLDER/secret.csv') */
SELECT extract(YEAR_MONTH FROM load_file('FOLDER/secret.csv'))
SELECT id MOD (SELECT length(load_file('FOLDER/secret.csv'))) FROM orders
## sessions and settings
SET GLOBAL general_log = 1
SET SESSION sql_mode = ''
SET @@sql_log_bin = 0
SET @a = 1
SET NAMES latin1
SET ROLE DBA
SET TRANSACTION READ WRITE
SET STATEMENT max_statement_time = 0 FOR SELECT 1
START TRANSACTION
START TRANSACTION READ WRITE
BEGIN
COMMIT
ROLLBACK
COMMIT AND CHAIN
SAVEPOINT a
XA START 'x'
USE mysql
SELECT @a := 1
SELECT @a := count(*) FROM customers
FLUSH TABLES
FLUSH PRIVILEGES
FLUSH TABLES WITH READ LOCK
RESET MASTER
PURGE BINARY LOGS BEFORE now()
CHANGE MASTER TO MASTER_HOST = 'evil.example'
START SLAVE
STOP SLAVE
SHUTDOWN
KILL 1
KILL QUERY 1
BINLOG 'x'
CACHE INDEX customers IN x
HANDLER customers OPEN
HANDLER customers READ FIRST
PREPARE s FROM 'DELETE FROM items'
EXECUTE s
EXECUTE IMMEDIATE 'DELETE FROM items'
DEALLOCATE PREPARE s
CALL p()
DO own_touch()
DO SLEEP(1)
HELP 'contents'
SIGNAL SQLSTATE '45000'
BACKUP STAGE START
## locks
LOCK TABLES customers WRITE
LOCK TABLES customers READ
UNLOCK TABLES
SELECT * FROM customers FOR UPDATE
SELECT * FROM customers LOCK IN SHARE MODE
SELECT * FROM customers FOR UPDATE SKIP LOCKED
SELECT * FROM customers FOR SHARE
SELECT GET_LOCK('x', 1)
SELECT RELEASE_LOCK('x')
SELECT RELEASE_ALL_LOCKS()
SELECT IS_FREE_LOCK('x')
SELECT name FROM customers WHERE GET_LOCK('y', 0) = 1
SELECT placed + INTERVAL get_lock('x', 0) DAY_HOUR FROM orders
SELECT extract(YEAR_MONTH FROM placed) FROM orders FOR UPDATE
## functions that act
SELECT own_touch()
SELECT shop.own_touch()
SELECT name FROM customers WHERE own_touch() = 1
SELECT SLEEP(100)
SELECT BENCHMARK(1000000000, md5('x'))
SELECT NEXT VALUE FOR numbers
SELECT NEXTVAL(numbers)
SELECT SETVAL(numbers, 100)
SELECT LASTVAL(numbers)
SELECT MASTER_POS_WAIT('x', 1, 1)
SELECT MASTER_GTID_WAIT('0-1-1', 1)
SELECT LAST_INSERT_ID(7)
SELECT UUID_SHORT()
SELECT sys_exec('id')
SELECT sys_eval('id')
SELECT CURRENT_USER()
SELECT CONNECTION_ID()
SELECT ENCRYPT('x')
SELECT DES_DECRYPT('x')
SELECT AES_DECRYPT(note, 'k') FROM customers
SELECT @@version
SELECT @@global.datadir
SELECT @@hostname, name FROM customers
SELECT id MOD own_touch() FROM orders
SELECT extract(DAY_HOUR FROM own_touch()) FROM orders
SELECT placed + INTERVAL sleep(9) YEAR_MONTH FROM orders
## catalogs of secrets
SELECT * FROM mysql.user
SELECT authentication_string FROM mysql.user
SELECT * FROM mysql.global_priv
SELECT * FROM mysql.servers
SELECT * FROM information_schema.processlist
SELECT * FROM information_schema.user_privileges
SELECT * FROM performance_schema.threads
SELECT * FROM `mysql`.`db`
SELECT * FROM MySQL.User
TABLE mysql.user
## several statements
SELECT 1; DELETE FROM items
SELECT 1;; DROP TABLE items
SELECT 1; SELECT 2
DELIMITER //
SELECT 1 /*! ; DELETE FROM items */
SELECT 1 -- ⏎; DELETE FROM items
SELECT 7 MOD 3; DELETE FROM items
## no queries
SHOW GRANTS
SHOW PROCESSLIST
SHOW VARIABLES
SHOW CREATE TABLE customers
DESCRIBE customers
EXPLAIN SELECT * FROM customers
EXPLAIN FOR CONNECTION 1

garbage
SELECT
SELECT * FROM customers PROCEDURE ANALYSE()
SELECT * FROM customers WHERE
## words of its own that hide something
SELECT name SOUNDS LIKE load_file('FOLDER/secret.csv') FROM customers
SELECT own_touch() SOUNDS LIKE 'a'
SELECT name FROM customers WHERE name SOUNDS LIKE (SELECT authentication_string FROM mysql.user LIMIT 1)
SELECT ! sleep(9)
SELECT 1 OR ! own_touch()
SELECT ! (SELECT count(*) FROM mysql.user)
SELECT !@a
SELECT 0b01 INTO OUTFILE 'FOLDER/bits.txt'
SELECT 0b02
SELECT 0b01own_touch()
SELECT {d load_file('FOLDER/secret.csv')}
SELECT {d own_touch()}
SELECT {d (SELECT authentication_string FROM mysql.user LIMIT 1)}
SELECT {x own_touch()}
SELECT {x (SELECT 1)}
SELECT {fn own_touch()}
SELECT {fn load_file('FOLDER/secret.csv')}
SELECT {fn sleep(9)}
SELECT {`fn` load_file('FOLDER/secret.csv')}
SELECT {d '2024-01-01' INTO OUTFILE 'FOLDER/date.txt'}
SELECT * FROM {oj mysql.user LEFT JOIN customers ON 1 = 1}
SELECT INTERVAL(own_touch(), 1, 2)
SELECT INTERVAL(1, sleep(9), 2)
SELECT INTERVAL(1, 2, load_file('FOLDER/secret.csv'))
SELECT INTERVAL(1, 2) INTO OUTFILE 'FOLDER/interval.txt'
## the history of a table
SELECT * FROM prices FOR SYSTEM_TIME AS OF own_touch()
SELECT * FROM prices FOR SYSTEM_TIME AS OF load_file('FOLDER/secret.csv')
SELECT * FROM prices FOR SYSTEM_TIME AS OF sleep(9)
SELECT * FROM prices FOR SYSTEM_TIME AS OF (SELECT max(password_last_changed) FROM mysql.user)
SELECT * FROM prices FOR SYSTEM_TIME AS OF (SELECT max(placed) FROM orders)
SELECT * FROM prices FOR SYSTEM_TIME BETWEEN own_touch() AND now()
SELECT * FROM prices FOR SYSTEM_TIME BETWEEN '2024-01-01' AND get_lock('x', 0)
SELECT * FROM prices FOR SYSTEM_TIME FROM '2024-01-01' TO sleep(9)
SELECT * FROM prices FOR SYSTEM_TIME FROM @a TO now()
SELECT * FROM mysql.user FOR SYSTEM_TIME ALL
SELECT * FROM prices FOR SYSTEM_TIME ALL FOR UPDATE
SELECT * FROM prices FOR SYSTEM_TIME ALL INTO OUTFILE 'FOLDER/history.txt'
DELETE HISTORY FROM prices
DELETE HISTORY FROM prices BEFORE SYSTEM_TIME now()
SET STATEMENT system_versioning_asof = '2024-01-01' FOR SELECT * FROM prices
SELECT * FROM prices FOR UPDATE
## tables in brackets
SELECT 1 FROM (customers, mysql.user)
SELECT 1 FROM customers LEFT JOIN (orders, mysql.global_priv) ON 1 = 1
SELECT 1 FROM (customers, (SELECT own_touch()) x)
SELECT 1 FROM (customers, orders JOIN staff ON own_touch() = staff.id)
SELECT 1 FROM (customers, orders) WHERE sleep(9)
SELECT 1 FROM (customers, orders) INTO OUTFILE 'FOLDER/tables.txt'
SELECT 1 FROM (customers, orders) FOR UPDATE
DELETE FROM c USING (customers c, orders o) WHERE c.id = o.customer_id
UPDATE (customers c, orders o) SET c.note = 'x' WHERE c.id = o.customer_id
## more than a description
SELECT * FROM information_schema.routines
SELECT * FROM information_schema.system_variables
SELECT * FROM information_schema.global_variables
SELECT * FROM information_schema.innodb_trx
SELECT * FROM information_schema.schema_privileges
SELECT * FROM information_schema.tables, mysql.user
SELECT * FROM information_schema.tables WHERE sleep(9)
