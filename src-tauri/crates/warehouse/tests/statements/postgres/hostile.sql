## writes
INSERT INTO customers (id, name) VALUES (9, 'x')
INSERT INTO customers (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET name = 'y'
INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *
UPDATE customers SET name = 'x'
UPDATE orders SET total = 0 FROM customers WHERE customers.id = orders.customer_id RETURNING orders.id
DELETE FROM items
DELETE FROM items USING orders WHERE orders.id = items.order_id
DELETE FROM ONLY items RETURNING *
TRUNCATE items
TRUNCATE TABLE customers RESTART IDENTITY CASCADE
MERGE INTO items i USING orders o ON i.order_id = o.id WHEN MATCHED THEN DELETE
MERGE INTO items i USING orders o ON i.order_id = o.id WHEN MATCHED THEN UPDATE SET quantity = 0
## writes behind a WITH
WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x
WITH x AS (INSERT INTO items VALUES (1, 3, 1, 1) RETURNING *) SELECT count(*) FROM x
WITH x AS (UPDATE items SET quantity = 0 RETURNING *) SELECT 1
WITH x AS (MERGE INTO items i USING orders o ON i.order_id = o.id WHEN MATCHED THEN DELETE RETURNING i.*) SELECT * FROM x
WITH a AS (SELECT 1), b AS (DELETE FROM items) SELECT * FROM a
WITH RECURSIVE a AS (SELECT 1), b AS (DELETE FROM items RETURNING 1) SELECT * FROM b
SELECT * FROM (WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x) y
SELECT (WITH x AS (DELETE FROM items RETURNING *) SELECT count(*) FROM x)
SELECT name FROM customers WHERE EXISTS (WITH x AS (DELETE FROM items RETURNING 1) SELECT FROM x)
WITH x AS (SELECT 1 AS a) INSERT INTO customers (id, name) SELECT 77, 'x' FROM x
WITH x AS (SELECT 1 AS a) DELETE FROM items USING x
WITH x AS (WITH y AS (DELETE FROM items RETURNING *) SELECT * FROM y) SELECT * FROM x
WITH x AS MATERIALIZED (UPDATE items SET quantity = 0 RETURNING 1 AS one) SELECT one BETWEEN SYMMETRIC 2 AND 1 FROM x
## definitions
SELECT * INTO taken FROM customers
SELECT name INTO TEMP taken FROM customers
WITH x AS (SELECT 1 AS a) SELECT a INTO taken FROM x
SELECT 1 AS a INTO UNLOGGED taken UNION SELECT 2
CREATE TABLE taken AS SELECT 1
CREATE TEMP TABLE taken (a int)
CREATE VIEW taken AS SELECT 1
CREATE MATERIALIZED VIEW taken AS SELECT 1
REFRESH MATERIALIZED VIEW taken
CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'
CREATE OR REPLACE FUNCTION pg_temp.f() RETURNS int LANGUAGE sql AS 'DELETE FROM items RETURNING 1'
CREATE RULE r AS ON SELECT TO customers DO INSTEAD DELETE FROM items
CREATE TRIGGER t BEFORE INSERT ON items EXECUTE FUNCTION mark()
CREATE EXTENSION dblink
CREATE SCHEMA s
CREATE ROLE boss SUPERUSER
CREATE DATABASE other
CREATE INDEX i ON customers (name)
ALTER TABLE customers RENAME TO clients
ALTER SYSTEM SET work_mem = '1GB'
ALTER ROLE clerk SUPERUSER
ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC
DROP TABLE items
DROP SCHEMA public CASCADE
DROP OWNED BY clerk
REASSIGN OWNED BY clerk TO owner
GRANT ALL ON ALL TABLES IN SCHEMA public TO PUBLIC
REVOKE ALL ON customers FROM PUBLIC
COMMENT ON TABLE customers IS 'x'
SECURITY LABEL ON TABLE customers IS 'x'
IMPORT FOREIGN SCHEMA x FROM SERVER elsewhere INTO public
VACUUM
VACUUM FULL customers
ANALYZE customers
REINDEX TABLE customers
CLUSTER
CHECKPOINT
## files and programs
COPY customers TO 'FOLDER/out.csv'
COPY customers FROM 'FOLDER/secret.csv'
COPY (SELECT * FROM customers) TO 'FOLDER/out.csv'
COPY (SELECT 1) TO PROGRAM 'touch FOLDER/out'
COPY customers FROM PROGRAM 'touch FOLDER/out'
COPY customers TO STDOUT
SELECT pg_read_file('FOLDER/secret.csv')
SELECT pg_catalog.pg_read_file('FOLDER/secret.csv')
SELECT "pg_read_file"('FOLDER/secret.csv')
SELECT PG_READ_FILE('FOLDER/secret.csv', 0, 10)
SELECT U&"\0070g_read_file"('FOLDER/secret.csv')
SELECT pg_read_binary_file('FOLDER/secret.csv')
SELECT pg_ls_dir('FOLDER')
SELECT * FROM pg_ls_dir('FOLDER') AS f
SELECT * FROM pg_ls_logdir()
SELECT pg_stat_file('FOLDER/secret.csv')
SELECT * FROM ROWS FROM (pg_ls_dir('FOLDER'), generate_series(1, 3)) AS r(a, b)
SELECT lo_import('FOLDER/secret.csv')
SELECT lo_export(1, 'FOLDER/out')
SELECT lo_from_bytea(0, '\x00')
SELECT lo_put(1, 0, '\x00'), lo_get(1)
SELECT lo_unlink(1)
SELECT lo_create(0), lo_creat(-1), lo_open(1, 131072)
SELECT loread(0, 10), lowrite(0, '\x00')
SELECT pg_file_write('FOLDER/out', 'x', false)
SELECT pg_read_server_files('FOLDER')
SELECT pg_current_logfile()
SELECT name FROM customers ORDER BY pg_read_file('FOLDER/secret.csv')
SELECT name FROM customers GROUP BY name HAVING pg_read_file('FOLDER/secret.csv') <> ''
SELECT count(*) FILTER (WHERE pg_read_file('FOLDER/secret.csv') <> '') FROM customers
SELECT CASE WHEN true THEN pg_read_file('FOLDER/secret.csv') END
SELECT sum(length(pg_read_file('FOLDER/secret.csv'))) OVER () FROM customers
SELECT 1 LIMIT length(pg_read_file('FOLDER/secret.csv'))
VALUES (pg_read_file('FOLDER/secret.csv'))
SELECT ARRAY[pg_read_file('FOLDER/secret.csv')]
SELECT ROW(pg_read_file('FOLDER/secret.csv'))
SELECT (SELECT pg_read_file('FOLDER/secret.csv'))
SELECT jsonb_build_object('a', pg_read_file('FOLDER/secret.csv'))
SELECT c.name, t FROM customers c, LATERAL pg_read_file('FOLDER/secret.csv') AS t
SELECT XMLFOREST(pg_read_file('FOLDER/secret.csv') AS a)
LOAD 'FOLDER/evil.so'
## other servers
SELECT * FROM dblink('host=127.0.0.1', 'DELETE FROM items') AS t(a int)
SELECT dblink_exec('host=127.0.0.1', 'DELETE FROM items')
SELECT dblink_connect('x', 'host=127.0.0.1')
SELECT * FROM postgres_fdw_get_connections()
SELECT postgres_fdw_disconnect_all()
SELECT http_get('http://127.0.0.1:9/')
SELECT * FROM pg_create_physical_replication_slot('x')
SELECT pg_logical_emit_message(false, 'x', 'y')
SELECT pg_create_restore_point('x')
SELECT pg_switch_wal()
SELECT pg_promote()
## settings, locks, time
SELECT set_config('work_mem', '1MB', false)
SELECT set_config('default_transaction_read_only', 'off', false)
SELECT set_config('transaction_read_only', 'off', true)
SELECT current_setting('data_directory')
SELECT pg_catalog.set_config('role', 'clerk', false)
SET work_mem = '1MB'
SET SESSION AUTHORIZATION clerk
SET ROLE clerk
SET TRANSACTION READ WRITE
RESET ALL
DISCARD ALL
SHOW data_directory
SHOW ALL
SELECT pg_sleep(30)
SELECT pg_sleep_for('30 seconds')
SELECT pg_sleep_until(now() + interval '30 seconds')
SELECT name FROM customers WHERE pg_sleep(30) IS NULL
SELECT pg_advisory_lock(1)
SELECT pg_advisory_xact_lock(1)
SELECT pg_try_advisory_lock(1, 2)
SELECT pg_advisory_unlock_all()
LOCK TABLE customers
LOCK customers IN ACCESS EXCLUSIVE MODE NOWAIT
SELECT name FROM customers FOR UPDATE
SELECT name FROM customers FOR NO KEY UPDATE SKIP LOCKED
SELECT name FROM customers FOR SHARE NOWAIT
SELECT name FROM customers FOR KEY SHARE
SELECT * FROM (SELECT name FROM customers FOR UPDATE) x
WITH x AS (SELECT name FROM customers FOR UPDATE) SELECT * FROM x
SELECT pg_terminate_backend(pid) FROM pg_stat_activity
SELECT pg_cancel_backend(1)
SELECT pg_reload_conf()
SELECT pg_rotate_logfile()
SELECT pg_notify('c', 'x')
NOTIFY c, 'x'
LISTEN c
UNLISTEN *
SELECT pg_stat_reset()
SELECT pg_export_snapshot()
SELECT txid_current()
SELECT pg_current_xact_id()
SELECT setseed(0.5)
## sequences
SELECT nextval('numbers')
SELECT setval('numbers', 99)
SELECT pg_catalog.nextval('numbers')
SELECT currval('numbers'), lastval()
SELECT id, nextval('numbers') FROM customers
SELECT name FROM customers ORDER BY nextval('numbers')
SELECT nextval('numbers'::regclass) FROM generate_series(1, 100)
## what runs other text
SELECT query_to_xml('DELETE FROM items', true, true, '')
SELECT query_to_xml_and_xmlschema('SELECT 1', true, true, '')
SELECT table_to_xml('pg_authid', true, true, '')
SELECT cursor_to_xml('c', 1, true, true, '')
SELECT schema_to_xml('public', true, true, '')
SELECT database_to_xml(true, true, '')
SELECT ts_stat('SELECT to_tsvector(''x'')')
SELECT * FROM ts_stat('SELECT to_tsvector(name) FROM customers')
SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, pg_read_file(''FOLDER/secret.csv'')::tsquery')
SELECT * FROM xpath_table('id', 'x', 't', 'x', 'true') AS t(a int)
SELECT crosstab('DELETE FROM items')
SELECT connectby('t', 'a', 'b', 'c', 0)
DO $$ BEGIN DELETE FROM items; END $$
DO LANGUAGE plpgsql $$ BEGIN PERFORM mark(); END $$
CALL clean()
PREPARE x AS DELETE FROM items
EXECUTE x
DEALLOCATE ALL
DECLARE c CURSOR FOR SELECT 1
FETCH ALL FROM c
MOVE 1 FROM c
CLOSE ALL
EXPLAIN ANALYZE DELETE FROM items
EXPLAIN (ANALYZE, BUFFERS) SELECT mark()
EXPLAIN SELECT 1
TABLE pg_authid
## functions of the database's own
SELECT mark()
SELECT public.mark()
SELECT "mark"()
SELECT mark() FROM customers
SELECT * FROM touched_rows()
SELECT * FROM public.touched_rows() AS t(a)
SELECT * FROM ROWS FROM (touched_rows()) AS t
SELECT * FROM customers, LATERAL touched_rows() t
SELECT touch(o) FROM orders o
SELECT touch(o.*) FROM orders o
SELECT 1 OPERATOR(sneaky.+) 1
SELECT 1 OPERATOR(public.@#@) 2
SELECT 1 @#@ 2
SELECT id FROM customers ORDER BY id USING OPERATOR(sneaky.+)
SELECT 1 = ANY (SELECT 1) OR 1 OPERATOR(sneaky.+) ANY (ARRAY[1]) IS NULL
## functional notation
SELECT o.touch FROM orders o
SELECT orders.touch FROM orders
SELECT (o).touch FROM orders o
SELECT (s.*).touch FROM staff s
SELECT id FROM orders o WHERE o.touch = 1
SELECT id FROM orders o ORDER BY o.touch
SELECT x.touch FROM (SELECT o AS x FROM orders o) AS y, LATERAL (SELECT (y.x).*) AS x
SELECT (SELECT o FROM orders o LIMIT 1).touch
SELECT (ROW(1, 1, now()::timestamp, 'x', 1)::orders).touch
SELECT s.touch BETWEEN SYMMETRIC 1 AND 2 FROM staff s
## last-part names
SELECT sneaky.upper('x')
SELECT sneaky.sum(id) FROM customers
SELECT sneaky.sum(id) OVER () FROM customers
SELECT public.count(1)
SELECT public.lower(1)
SELECT lower(1)
SELECT * FROM public.generate_series('x')
SELECT * FROM generate_series('x'::text)
SELECT "public"."count"(id) FROM customers
SELECT count(id) FROM (SELECT 1 AS id) x WHERE public.count(1) = 1
## casts that call functions
SELECT 1::sneaky.mood
SELECT CAST(1 AS sneaky.mood)
SELECT id::sneaky.mood FROM customers
SELECT ARRAY[1]::sneaky.mood[]
SELECT 1::sneaky.mood IS NULL BETWEEN SYMMETRIC true AND false
## catalogs with secrets
SELECT * FROM pg_authid
SELECT rolname, rolpassword FROM pg_catalog.pg_authid
SELECT * FROM pg_shadow
SELECT usename, passwd FROM pg_catalog.pg_shadow
SELECT * FROM pg_user_mapping
SELECT umoptions FROM pg_user_mappings
SELECT * FROM information_schema.user_mapping_options
SELECT * FROM pg_subscription
SELECT * FROM pg_largeobject
SELECT * FROM pg_hba_file_rules
SELECT * FROM pg_file_settings
SELECT * FROM pg_stat_activity
SELECT query FROM pg_stat_activity
SELECT * FROM pg_settings
SELECT * FROM pg_statistic
SELECT most_common_vals FROM pg_stats
SELECT * FROM pg_stat_statements
SELECT "pg_authid".* FROM "pg_authid"
SELECT rolpassword FROM (SELECT * FROM pg_authid) x
WITH x AS (SELECT * FROM pg_authid) SELECT * FROM x
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM pg_authid WHERE rolpassword LIKE 'x%')
SELECT a BETWEEN SYMMETRIC 1 AND 2, rolpassword FROM pg_authid, (SELECT 1 AS a) x
SELECT pg_catalog.pg_authid.rolpassword FROM pg_catalog.pg_authid
## several statements, comments, quotes
SELECT 1; DELETE FROM items
SELECT 1;; DROP TABLE items
SELECT 1; COMMIT; DELETE FROM items
COMMIT; DELETE FROM items; BEGIN
SELECT 1 -- x⏎; DELETE FROM items
SELECT $$;$$; DELETE FROM items
SELECT $a$ $b$ $a$; DELETE FROM items; SELECT $b$ $b$
SELECT E'\''; DELETE FROM items; --'
SELECT '\'; DELETE FROM items; --'
SELECT U&'\0027'; DELETE FROM items; --'
SELECT "a;b"; DELETE FROM items
/* /* */ DELETE FROM items; /* */ */ DELETE FROM items
SELECT 1 /* /* */ */ ; DELETE FROM items -- */
-- x⏎DELETE FROM items
BEGIN
START TRANSACTION READ WRITE
ROLLBACK
SAVEPOINT s
SELECT $1
SELECT $1::text
\! touch FOLDER/out
\copy customers TO 'FOLDER/out'
## more than a description
SELECT pg_read_file('FOLDER/secret.csv') FROM pg_class
SELECT relname, pg_sleep(9) FROM pg_class
SELECT has_table_privilege('customers', pg_read_file('FOLDER/secret.csv'))
SELECT pg_get_viewdef(lo_import('FOLDER/secret.csv'))
SELECT set_config('a.b', 'c', false) FROM pg_class
SELECT setval('numbers', 5) FROM pg_sequences
SELECT pg_relation_filepath('customers')
SELECT * FROM pg_show_all_settings()
SELECT * FROM pg_show_all_file_settings()
SELECT * FROM pg_stat_get_activity(NULL)
SELECT pg_stat_reset() FROM pg_stat_user_tables
SELECT pg_stat_reset_single_table_counters('customers'::regclass)
SELECT pg_get_functiondef(oid), pg_ls_dir('.') FROM pg_proc
SELECT pg_notify('a', relname) FROM pg_class
SELECT pg_try_advisory_lock(1) FROM pg_class
SELECT pg_nextoid('pg_class', 'oid', 'pg_class_oid_index')
SELECT current_setting('data_directory') FROM pg_class
SELECT current_setting('config_file')
SELECT relname FROM pg_class, pg_authid
SELECT * FROM information_schema.foreign_server_options
SELECT * FROM information_schema.tables, pg_shadow
SELECT pg_describe_object(1, nextval('numbers')::oid, 0)
SELECT brin_summarize_new_values('customers_pkey'::regclass) FROM pg_class
SELECT (c).pg_relation_filepath FROM (SELECT oid::regclass AS c FROM pg_class) x
SELECT relname FROM pg_class FOR UPDATE
SELECT relname INTO taken FROM pg_class
WITH x AS (DELETE FROM items RETURNING *) SELECT * FROM x, pg_class
SELECT 1 BETWEEN SYMMETRIC 2 AND 0, pg_read_file('FOLDER/secret.csv') FROM pg_class
SELECT query_to_xml('DELETE FROM items', true, true, '') FROM pg_class
SELECT pg_read_binary_file(relname) FROM pg_class
