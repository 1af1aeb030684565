## writes
INSERT INTO customers (id, name) VALUES (9, 'x')
INSERT OR REPLACE INTO customers (id, name) VALUES (1, 'x')
INSERT INTO customers SELECT id + 100, name, city, country, joined, vip, note FROM customers
INSERT INTO products DEFAULT VALUES
INSERT INTO customers (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = 'y'
INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *
INSERT INTO paid (id) VALUES (7)
REPLACE INTO products VALUES (1, 'x', 'y', 0)
UPDATE customers SET name = 'x'
UPDATE orders SET total = 0 FROM customers WHERE customers.id = orders.customer_id
UPDATE OR IGNORE items SET quantity = 0 RETURNING order_id
DELETE FROM items
DELETE FROM items WHERE order_id = 1 RETURNING *
delete from items where rowid in (select rowid from items)
## writes behind a WITH
WITH x AS (SELECT 1 AS id) DELETE FROM items WHERE order_id IN (SELECT id FROM x)
WITH x AS (SELECT 1) INSERT INTO customers (id, name) SELECT 77, 'x' FROM x
WITH x AS (SELECT 1 AS a) UPDATE products SET price = (SELECT a FROM x)
WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 110) INSERT INTO customers (id, name) SELECT i, 'x' FROM n
WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) REPLACE INTO products SELECT 1, 'x', 'y', 0 FROM a
WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x
WITH x AS (INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *) SELECT * FROM x
## definitions
CREATE TABLE taken AS SELECT * FROM customers
CREATE TEMP TABLE taken (a)
CREATE TABLE IF NOT EXISTS taken (a)
CREATE VIEW taken AS SELECT 1
CREATE TEMP VIEW customers AS SELECT 'x' AS name
CREATE INDEX i ON customers (name)
CREATE TRIGGER t AFTER INSERT ON items BEGIN DELETE FROM items; END
CREATE TEMP TRIGGER t AFTER UPDATE ON items BEGIN DELETE FROM items; END
CREATE VIRTUAL TABLE f USING fts5(a)
CREATE VIRTUAL TABLE d USING dbstat
CREATE VIRTUAL TABLE c USING csv(filename = 'FOLDER/secret.csv')
DROP TABLE items
DROP VIEW paid
DROP TABLE IF EXISTS letters
DROP TRIGGER guard
ALTER TABLE customers RENAME TO clients
ALTER TABLE customers ADD COLUMN x
ALTER TABLE customers DROP COLUMN note
ALTER TABLE customers RENAME COLUMN name TO title
ANALYZE
REINDEX
VACUUM
VACUUM INTO 'FOLDER/copy.db'
VACUUM main INTO 'FOLDER/copy.db'
## other files
ATTACH 'FOLDER/new.db' AS n
ATTACH DATABASE 'FOLDER/other.db' AS o
ATTACH 'file:FOLDER/new.db?mode=rwc' AS n
ATTACH ':memory:' AS m
DETACH main
WITH x AS (SELECT 1) ATTACH 'FOLDER/new.db' AS n
## pragmas
PRAGMA writable_schema = 1
PRAGMA user_version = 7
PRAGMA journal_mode = wal
PRAGMA journal_mode
PRAGMA query_only = 0
PRAGMA query_only(0)
PRAGMA main.application_id = 1
PRAGMA trusted_schema = 1
PRAGMA wal_checkpoint(TRUNCATE)
PRAGMA incremental_vacuum
PRAGMA optimize
PRAGMA table_info(customers)
PRAGMA temp_store_directory = 'FOLDER'
PRAGMA foreign_keys = off
PRAGMA integrity_check
SELECT * FROM pragma_database_list
SELECT * FROM pragma_user_version
SELECT * FROM "pragma_database_list"()
SELECT file FROM PRAGMA_DATABASE_LIST
SELECT (SELECT file FROM pragma_database_list LIMIT 1)
## transactions and plans
BEGIN
BEGIN IMMEDIATE
COMMIT
ROLLBACK
SAVEPOINT s
RELEASE s
END
EXPLAIN DELETE FROM items
EXPLAIN SELECT 1
EXPLAIN QUERY PLAN SELECT * FROM customers
## several statements
SELECT 1; DELETE FROM items
SELECT 1;; DROP TABLE items
; DELETE FROM items
SELECT 1; -- done⏎DELETE FROM items
SELECT 1 /* ; */ ; UPDATE products SET price = 0
SELECT ';'; DROP TABLE items; SELECT ';'
BEGIN; DELETE FROM items; COMMIT
SELECT 1;⏎⏎⏎INSERT INTO customers (id, name) VALUES (9, 'x');
## comments and quotes
/* SELECT */ DELETE FROM items
-- SELECT⏎DELETE FROM items
/**/DELETE/**/FROM/**/items
DELETE--⏎FROM items
SELECT 'a' /* ' */ ; DELETE FROM items --'
SELECT "a' ; DELETE FROM items --"; DELETE FROM items
SELECT `a;` FROM customers; DELETE FROM items
SELECT [a'b]; DELETE FROM items --]'
SELECT '\'; DELETE FROM items; --'
/* unclosed DELETE FROM items
SELECT 1 /* /* */ ; DELETE FROM items -- */
## functions that reach out
SELECT load_extension('FOLDER/evil.so')
SELECT LOAD_EXTENSION('FOLDER/evil.so', 'init')
SELECT "load_extension"('FOLDER/evil.so')
SELECT [load_extension]('FOLDER/evil.so')
SELECT load_extension/* */('FOLDER/evil.so')
SELECT readfile('FOLDER/secret.csv')
SELECT writefile('FOLDER/out', 'x')
SELECT edit('x', 'touch FOLDER/out')
SELECT * FROM fsdir('FOLDER')
SELECT fts3_tokenizer('simple')
SELECT fts3_tokenizer('x', x'00')
SELECT eval('DELETE FROM items')
SELECT sqlite_log(1, 'x')
SELECT zipfile('a', 'b')
SELECT name FROM customers WHERE writefile('FOLDER/out', name) > 0
SELECT name FROM customers ORDER BY readfile('FOLDER/secret.csv')
SELECT name FROM customers GROUP BY writefile('FOLDER/out', 'x')
SELECT count(*) FILTER (WHERE load_extension('FOLDER/evil.so')) FROM customers
SELECT sum(id) OVER (PARTITION BY writefile('FOLDER/out', 'x')) FROM customers
WITH x AS (SELECT writefile('FOLDER/out', 'x') AS w) SELECT 1 FROM x
VALUES (writefile('FOLDER/out', 'x'))
SELECT CASE WHEN 1 THEN readfile('FOLDER/secret.csv') END
SELECT 1 LIMIT (SELECT writefile('FOLDER/out', 'x'))
SELECT name FROM customers c JOIN orders o ON writefile('FOLDER/out', 'x') = o.id
SELECT * FROM sqlite_dbpage
SELECT * FROM dbstat
SELECT * FROM bytecode('SELECT 1')
SELECT * FROM sqlite_stmt
## full-text commands
INSERT INTO letters (letters) VALUES ('rebuild')
INSERT INTO letters (letters) VALUES ('delete-all')
INSERT INTO letters (letters, rank) VALUES ('automerge', 0)
## odd beginnings
TABLE customers
(DELETE FROM items)
SELECT * FROM (DELETE FROM items RETURNING *)
SELECT (INSERT INTO items VALUES (1, 3, 1, 1) RETURNING order_id)
DESCRIBE customers
SHOW TABLES
SELECT * INTO taken FROM customers
SELECT name FROM customers FOR UPDATE
CALL x()
SELECT ?1
SELECT :name
## pragmas as tables that tell more, or do something
SELECT * FROM pragma_module_list
SELECT * FROM pragma_pragma_list
SELECT * FROM pragma_journal_mode
SELECT * FROM pragma_query_only
SELECT * FROM pragma_wal_checkpoint
SELECT * FROM pragma_optimize
SELECT * FROM pragma_integrity_check
SELECT * FROM pragma_temp_store_directory
SELECT * FROM pragma_table_info('customers'), pragma_database_list
SELECT * FROM pragma_table_info((SELECT file FROM pragma_database_list))
SELECT * FROM pragma_table_info(load_extension('FOLDER/evil.so'))
SELECT pragma_table_info('customers')
PRAGMA page_size = 512
PRAGMA table_list
SELECT 1 IS 1, file FROM pragma_database_list
## searches that are none
SELECT * FROM letters(readfile('FOLDER/secret.csv'))
SELECT * FROM letters(load_extension('FOLDER/evil.so'))
SELECT * FROM fts3tokenize('simple')
SELECT * FROM zipfile('FOLDER/a.zip')
SELECT * FROM csv('FOLDER/secret.csv')
SELECT * FROM sqlite_dbpage('main')
SELECT * FROM dbstat('main')
SELECT * FROM temp.letters('lamp')
SELECT * FROM other.letters('lamp')
SELECT letters('lamp')
## trees and what they keep
INSERT INTO boxes VALUES (9, 0, 1, 0, 1)
UPDATE boxes SET x1 = 0
DELETE FROM boxes
INSERT INTO boxes_node VALUES (9, x'00')
UPDATE boxes_node SET data = x'00'
DELETE FROM boxes_rowid
REPLACE INTO boxes_parent VALUES (1, 1)
WITH x AS (SELECT 1) DELETE FROM boxes_node
DROP TABLE boxes
CREATE VIRTUAL TABLE more USING rtree(id, a, b)
