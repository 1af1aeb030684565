## writes
INSERT INTO customers (id, name) VALUES (99, 'x')
UPDATE customers SET name = 'x' WHERE id = 1
DELETE FROM items WHERE order_id = 1
DELETE TOP (1) FROM items
MERGE INTO items USING orders ON items.order_id = orders.id WHEN MATCHED THEN DELETE;
TRUNCATE TABLE items
SELECT * INTO copied FROM customers
SELECT TOP 1 * INTO #copied FROM customers
WITH x AS (SELECT 95 AS id) INSERT INTO customers (id) SELECT id FROM x
WITH x AS (SELECT * FROM items) DELETE FROM x
BULK INSERT items FROM 'c:/secret.csv'
## definitions
CREATE TABLE t (a INT)
CREATE VIEW v AS SELECT 1 AS a
CREATE LOGIN l WITH PASSWORD = 'x'
ALTER TABLE staff ADD more INT
DROP TABLE orders
GRANT SELECT ON customers TO x
DENY SELECT ON customers TO x
## another statement without a sign between
SELECT 1 SHUTDOWN
SELECT 1 CHECKPOINT
SELECT 1 RECONFIGURE
SELECT 1 REVERT
SELECT 1 AS a SHUTDOWN
SELECT * FROM customers SHUTDOWN
SELECT * FROM customers AS c ROLLBACK
SELECT * FROM customers c COMMIT
SELECT 1 DROP TABLE items
SELECT 1 AS a DROP TABLE items
SELECT * FROM customers DELETE FROM items
SELECT * FROM customers WHERE id = 1 DELETE items
SELECT 1 EXEC xp_cmdshell 'dir'
SELECT 1 AS a EXECUTE ('DROP TABLE items')
SELECT 1 WAITFOR DELAY '0:0:10'
SELECT * FROM customers WAITFOR DELAY '0:0:10'
SELECT 1 BACKUP DATABASE shop TO DISK = 'x'
SELECT 1 KILL 53
SELECT 1 DBCC FREEPROCCACHE
SELECT 1 USE master
SELECT 1 SET IDENTITY_INSERT items ON
SELECT 1 TRUNCATE TABLE items
SELECT 1 DECLARE @x INT
SELECT 1 IF 1 = 1 DROP TABLE items
SELECT 1 BEGIN TRAN
SELECT 1 -- a⏎DROP TABLE items
SELECT * FROM customers c ENABLE TRIGGER x ON items
SELECT 1 DISABLE TRIGGER ALL ON ALL SERVER
SELECT 1 SEND ON CONVERSATION 'x' ('y')
SELECT 1 RECEIVE * FROM q
SELECT 1 GET CONVERSATION GROUP g FROM q
SELECT 1 ADD SIGNATURE TO x BY CERTIFICATE c
SELECT 1 AS [a]]; DROP TABLE items --]
SELECT 1 AS [a] DROP TABLE [items]
## code
EXEC xp_cmdshell 'dir'
EXEC sp_executesql N'DROP TABLE items'
EXECUTE AS USER = 'dbo'
xp_cmdshell 'dir'
sp_who
WAITFOR DELAY '0:0:10'
DECLARE @x INT = 1
PRINT 'x'
IF 1 = 1 SELECT 1
WHILE 1 = 1 SELECT 1
SELECT dbo.own_margin(1, 2)
SELECT own_margin(1, 2)
SELECT * FROM dbo.own_rows(1)
SELECT NEXT VALUE FOR seq
SELECT @@VERSION
SELECT @x
SELECT @x = name FROM customers
SELECT :name
SELECT ?
## places elsewhere
SELECT * FROM OPENROWSET('SQLNCLI', 'Server=h;Trusted_Connection=yes', 'SELECT 1')
SELECT * FROM OPENROWSET(BULK 'c:/secret.txt', SINGLE_CLOB) AS x
SELECT * FROM OPENQUERY(linked, 'SELECT 1')
SELECT * FROM OPENDATASOURCE('SQLNCLI', 'Data Source=h').shop.dbo.t
SELECT * FROM OPENXML(1, '/a')
SELECT * FROM linked.shop.dbo.customers
SELECT * FROM fn_trace_gettable('c:/x.trc', 1)
SELECT * FROM sys.dm_exec_sql_text(0x00)
SELECT * FROM sys.fn_xe_file_target_read_file('c:/x.xel', NULL, NULL, NULL)
SELECT * FROM CHANGETABLE(CHANGES customers, 0) AS c
SELECT * FROM #temp
SELECT * FROM @rows
## catalogs of people and secrets
SELECT * FROM sys.sql_logins
SELECT * FROM sys.server_principals
SELECT * FROM sys.dm_exec_sessions
SELECT * FROM master.dbo.spt_values
SELECT * FROM master..sysdatabases
SELECT * FROM msdb.dbo.sysjobs
SELECT * FROM syslogins
SELECT * FROM sysusers
SELECT * FROM dbo.sysprocesses
SELECT * FROM INFORMATION_SCHEMA.TABLE_PRIVILEGES
SELECT * FROM shop.sys.objects
## several statements
SELECT 1; DROP TABLE items
SELECT 1; SELECT 2
SELECT 1 SELECT 2
SELECT 1 /* a /* b */ */ ; DROP TABLE items
SELECT * FROM customers FOR XML AUTO
SELECT * FROM customers FOR JSON PATH
SELECT * FROM customers WITH (UPDLOCK)
SELECT * FROM customers OPTION (MAXDOP 1)
