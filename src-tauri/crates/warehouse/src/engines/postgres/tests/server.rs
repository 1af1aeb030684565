use super::super::*;
use crate::{Warehouse, WarehouseUri, open_warehouse, read_page};
use vitrine_domain::{AppError, CellType, ErrorCode, Page, TableKind};
use vitrine_sql::{ReadOnlySql, bind_names};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

async fn warehouse(server: &PostgresServer, script: &str) -> PostgresWarehouse {
    server.psql("shop", script);
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap()
}

async fn page(warehouse: &PostgresWarehouse, sql: &str, limits: Limits) -> Result<Page, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?;
    read_page(batches, u64::MAX).await
}

async fn rows(warehouse: &PostgresWarehouse, sql: &str) -> Vec<Vec<Option<String>>> {
    page(warehouse, sql, Limits::default()).await.unwrap_or_else(|error| panic!("{sql}: {error}")).rows
}

async fn cell(warehouse: &PostgresWarehouse, sql: &str) -> Option<String> {
    rows(warehouse, sql).await.remove(0).remove(0)
}

#[tokio::test]
async fn every_type_comes_out_exactly() {
    let server = PostgresServer::start();
    let warehouse = warehouse(
        &server,
        "CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN small AS int CHECK (VALUE < 10); CREATE TYPE pair AS (x int, y text);",
    )
    .await;
    use CellType as C;
    for (expression, expected, cell_type) in [
        ("32767::int2", "32767", C::Integer),
        ("-2147483648", "-2147483648", C::Integer),
        ("9223372036854775807", "9223372036854775807", C::Integer),
        ("'-9223372036854775808'::int8", "-9223372036854775808", C::Integer),
        ("'1234567890123456789012345678.09'::numeric(30,2)", "1234567890123456789012345678.09", C::Decimal),
        ("123456789012345678901234567890", "123456789012345678901234567890", C::Decimal),
        ("-0.00000000000000000000000000001", "-0.00000000000000000000000000001", C::Decimal),
        (
            "sum(x) FROM (VALUES (9223372036854775807), (9223372036854775807)) AS v(x)",
            "18446744073709551614",
            C::Decimal,
        ),
        ("'NaN'::numeric(5,2)", "NaN", C::Decimal),
        ("12::numeric(10,0)", "12", C::Integer),
        ("12.5::money", "12.50", C::Decimal),
        ("0.1::float8", "0.1", C::Float),
        ("0.1::float4", "0.1", C::Float),
        ("'nan'::float8", "NaN", C::Float),
        ("true", "true", C::Boolean),
        ("DATE '2024-02-29'", "2024-02-29", C::Date),
        ("DATE '0044-03-15 BC'", "-0043-03-15", C::Date),
        ("'-infinity'::date", "-infinity", C::Date),
        ("TIME '12:34:56.789'", "12:34:56.789", C::Time),
        ("TIMESTAMP '2024-02-29 23:59:59.000001'", "2024-02-29 23:59:59.000001", C::Timestamp),
        ("TIMESTAMPTZ '2024-02-29 23:59:59+02'", "2024-02-29 21:59:59+00:00", C::Timestamp),
        ("'-infinity'::timestamptz", "-infinity", C::Timestamp),
        ("INTERVAL '1 year 2 months 3 days 04:05:06.5'", "1 year 2 months 3 days 04:05:06.5", C::Text),
        ("'\\x00ff'::bytea", "00ff", C::Binary),
        ("'9a3e6e4c-0000-4000-8000-0123456789ab'::uuid", "9a3e6e4c-0000-4000-8000-0123456789ab", C::Text),
        ("'b'::mood", "b", C::Text),
        ("5::small", "5", C::Integer),
        ("'x'::name", "x", C::Text),
        ("'ab'::char(4)", "ab  ", C::Text),
        ("'größe'", "größe", C::Text),
        ("ARRAY[1, NULL, 9223372036854775807]", "[1,null,9223372036854775807]", C::Nested),
        ("ARRAY[1.50, 123456789012345678901234567890]", "[1.50,123456789012345678901234567890]", C::Nested),
        ("ARRAY['q\"', 'é']", "[\"q\\\"\",\"é\"]", C::Nested),
        ("'{\"a\": 1.10}'::json", "{\"a\": 1.10}", C::Nested),
        ("'{\"a\":1}'::jsonb", "{\"a\": 1}", C::Nested),
        ("ROW(1, 'x')::pair", "{\"x\":1,\"y\":\"x\"}", C::Nested),
        ("ROW(1, 'x')", "{\"f1\":1,\"f2\":\"x\"}", C::Nested),
        ("int4range(1, 5)", "[1,5)", C::Text),
        ("'10.0.0.1'::inet", "10.0.0.1/32", C::Text),
        ("B'101'", "101", C::Text),
        ("TIMETZ '12:00:00+02'", "12:00:00+02", C::Text),
    ] {
        let sql = format!("SELECT {expression}");
        match page(&warehouse, &sql, Limits::default()).await {
            Ok(page) => assert_eq!(
                (page.rows[0][0].as_deref(), page.columns[0].cell_type),
                (Some(expected), cell_type),
                "{expression}"
            ),
            Err(error) => panic!("{expression}: {error}"),
        }
        assert_eq!(warehouse.check_text(&sql).await.unwrap().columns[0].cell_type, cell_type, "{expression}");
    }
    assert_eq!(cell(&warehouse, "SELECT ARRAY[1] -- why").await.as_deref(), Some("[1]"));
    let types =
        "bool int2 int4 int8 oid float4 float8 numeric text jsonb uuid date time timestamp interval bytea int[]";
    for name in types.split(' ') {
        assert_eq!(
            rows(&warehouse, &format!("SELECT NULL::{name}, 1 AS a, ARRAY[2] AS a")).await[0][0],
            None,
            "{name}"
        );
    }
    // More than one batch, in the order of the query, also with cast columns.
    let all = Limits { rows: None, ..Limits::default() };
    let many = page(&warehouse, "SELECT i, ARRAY[i] FROM generate_series(1, 10000) AS i ORDER BY i DESC", all).await;
    let many = many.unwrap();
    assert_eq!((many.row_count, many.rows[9_999][1].as_deref(), many.truncated), (10_000, Some("[1]"), false));
}

const SCHEMA: &str = "
    CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL, mood text);
    COMMENT ON TABLE customer IS 'who buys'; COMMENT ON COLUMN customer.name IS 'full name';
    CREATE TYPE state AS ENUM ('new', 'paid');
    CREATE TABLE purchase (id int, line int, customer_id int REFERENCES customer, total numeric(38,10), state state,
                           PRIMARY KEY (line, id));
    CREATE TABLE ship (line int, purchase_id int, FOREIGN KEY (line, purchase_id) REFERENCES purchase(line, id));
    CREATE SCHEMA hr; CREATE TABLE hr.staff (id int PRIMARY KEY, customer_id int REFERENCES customer);
    CREATE TABLE hr.customer (id int);
    CREATE VIEW big AS SELECT * FROM customer; CREATE MATERIALIZED VIEW kept AS SELECT id FROM customer;
    CREATE TABLE log (day date, text text) PARTITION BY RANGE (day);
    CREATE TABLE log_2024 PARTITION OF log FOR VALUES FROM ('2024-01-01') TO ('2025-01-01');
    INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob'); ANALYZE customer;";

#[tokio::test]
async fn the_catalog_has_what_the_person_can_read() {
    let server = PostgresServer::start();
    let owner = warehouse(&server, SCHEMA).await;
    let catalog = owner.load_catalog().await.unwrap();
    assert_eq!((catalog.database.as_str(), catalog.dialect), ("shop", Dialect::Postgres));
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customer", "purchase", "ship", "big", "kept", "log", "hr.staff", "hr.customer"]);
    let customer = catalog.find_table("customer").unwrap();
    assert_eq!((customer.row_count, customer.comment.as_deref()), (Some(2), Some("who buys")));
    let name = customer.find_column("name").unwrap();
    assert_eq!((name.data_type.as_str(), name.nullable), ("character varying(40)", false));
    assert_eq!(name.comment.as_deref(), Some("full name"));
    let purchase = catalog.find_table("purchase").unwrap();
    assert_eq!(purchase.primary_key, ["line", "id"]);
    assert_eq!(purchase.find_column("total").unwrap().data_type, "numeric(38,10)");
    assert_eq!(purchase.find_column("state").unwrap().data_type, "enum('new', 'paid')");
    assert_eq!(purchase.foreign_keys[0].ref_table.to_string(), "customer");
    assert_eq!(catalog.find_table("ship").unwrap().foreign_keys[0].ref_columns, ["line", "id"]);
    assert_eq!(catalog.find_table("hr.staff").unwrap().foreign_keys[0].ref_table.to_string(), "customer");
    let kind = |name: &str| catalog.find_table(name).unwrap().kind;
    assert_eq!((kind("big"), kind("kept"), kind("log")), (TableKind::View, TableKind::Table, TableKind::Table));
    let defined = |name: &str| catalog.find_table(name).unwrap().definition.clone().unwrap_or_default();
    assert!(defined("big").contains("FROM customer") && defined("kept").contains("FROM customer"));

    // The server publishes row statistics shortly after the writing session has ended.
    let read = async || {
        tokio::time::sleep(Duration::from_millis(100)).await;
        owner.load_catalog().await.unwrap().fingerprint
    };
    let mut before = catalog.fingerprint.clone();
    let mut again = read().await;
    for _ in 0..50 {
        if again == before {
            break;
        }
        before = again;
        again = read().await;
    }
    assert_eq!(again, before, "nothing has changed");
    server.psql("shop", "INSERT INTO customer VALUES (3, 'Cy')");
    let mut after = read().await;
    for _ in 0..50 {
        if after != before {
            break;
        }
        after = read().await;
    }
    assert_ne!(after, before);
    server.psql("shop", "ALTER TABLE ship ADD COLUMN day date");
    assert_ne!(owner.load_catalog().await.unwrap().fingerprint, after);

    // A user with few rights, over the socket, where no password is requested.
    server.psql(
        "shop",
        "CREATE ROLE guest LOGIN; GRANT SELECT ON hr.staff, log TO guest; GRANT SELECT (id, name) ON customer TO guest;",
    );
    let socket = server.socket().display().to_string().replace('/', "%2F");
    let port = server.address("").rsplit_once(':').unwrap().1.trim_end_matches('/').to_owned();
    let uri = WarehouseUri::parse(&format!("postgresql://guest@{socket}:{port}/shop")).unwrap();
    let seen = open_warehouse(&uri).await.unwrap().load_catalog().await.unwrap();
    let names: Vec<String> = seen.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["customer", "log"]);
    assert_eq!(seen.tables[0].columns.len(), 2);
}

#[tokio::test]
async fn tables_of_all_schemas_are_found_as_the_server_finds_them() {
    let server = PostgresServer::start();
    server.psql("shop", "CREATE SCHEMA sales; ALTER DATABASE shop SET search_path = sales, public;");
    let script = "CREATE TABLE sales.orders (id int); CREATE TABLE public.customer (id int); CREATE TABLE public.orders (id int);
                  CREATE SCHEMA hr; CREATE TABLE hr.staff (id int, name text);";
    let warehouse = warehouse(&server, script).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(catalog.search_path, ["sales", "public"]);
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["orders", "customer", "public.orders", "hr.staff"]);
    for (sql, good) in [
        ("SELECT id FROM orders", true),
        ("SELECT sales.orders.id FROM sales.orders", true),
        ("SELECT o.id FROM public.orders AS o", true),
        ("SELECT id FROM public.customer", true),
        ("SELECT staff.name FROM hr.staff", true),
        ("SELECT hr.staff.name FROM HR.Staff", true),
        ("SELECT name FROM staff", false),
        ("SELECT id FROM finance.orders", false),
    ] {
        let sql = ReadOnlySql::parse(sql, Dialect::Postgres).unwrap();
        assert_eq!(bind_names(&sql, &catalog).problems.is_empty(), good, "{sql:?}");
        assert_eq!(warehouse.check_query(&sql).await.is_ok(), good, "{sql:?}");
    }
}

#[tokio::test]
async fn nothing_is_changed() {
    let server = PostgresServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (a int); INSERT INTO t VALUES (1); CREATE SEQUENCE s;").await;
    for sql in [
        "INSERT INTO t VALUES (2)",
        "INSERT INTO t VALUES (2) RETURNING a",
        "WITH x AS (DELETE FROM t RETURNING a) SELECT * FROM x",
        "UPDATE t SET a = 2 RETURNING a",
        "SELECT * INTO u FROM t",
        "CREATE TABLE u (a int)",
        "DROP TABLE t",
        "SELECT * FROM t FOR UPDATE",
        "SELECT nextval('s')",
        "SELECT set_config('transaction_read_only', 'off', false)",
        "COPY t TO '/tmp/vitrine-never-written'",
        "SELECT 1; DROP TABLE t",
        "COMMIT",
        "SET transaction_read_only = off",
    ] {
        match page(&warehouse, sql, Limits::default()).await {
            Ok(page) => panic!("{sql} ran and gave {page:?}"),
            Err(WarehouseError::Refused { .. } | WarehouseError::Query { .. }) => {}
            Err(error) => panic!("{sql}: {error:?}"),
        }
    }
    assert_eq!(server.psql("shop", "SELECT sum(a), count(*) FROM t"), "1|1");
    // Servers before 16 allow this; nothing remains, because transactions are never committed.
    let _ = page(&warehouse, "SELECT lo_create(7)", Limits::default()).await;
    assert_eq!(server.psql("shop", "SELECT count(*) FROM pg_largeobject_metadata"), "0");
    assert_eq!(cell(&warehouse, "SELECT current_setting('transaction_read_only')").await.as_deref(), Some("on"));
    // The proof blocks functions that a read-only transaction permits.
    for sql in
        ["SELECT pg_terminate_backend(1)", "SELECT pg_read_file('x')", "SELECT pg_sleep(9)", "SELECT lo_create(7)"]
    {
        assert!(ReadOnlySql::parse(sql, Dialect::Postgres).is_err(), "{sql}");
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Work {
    Going,
    Over,
}

/// Waits until the server reports that it runs a statement of this test, or none. On a busy machine, either may take
/// some time.
async fn until(server: &PostgresServer, wanted: Work) {
    let busy = "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND application_name = 'vitrine'";
    for _ in 0..300 {
        let work = if server.psql("shop", busy) == "0" { Work::Over } else { Work::Going };
        if work == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the server's work is never {wanted:?}");
}

#[tokio::test]
async fn queries_are_stopped() {
    let server = PostgresServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (a int)").await;
    let cancel = CancellationToken::new();
    let sleeping = async {
        let sql = "SELECT 'cancelled', pg_sleep(600)".to_owned();
        match warehouse.query_text(sql, Limits::default(), cancel.clone()).await {
            Ok(batches) => read_page(batches, 1).await.unwrap_err(),
            Err(error) => error,
        }
    };
    let stopping = async {
        until(&server, Work::Going).await;
        cancel.cancel();
    };
    let (error, ()) = tokio::join!(sleeping, stopping);
    assert_eq!(error, WarehouseError::Cancelled);
    until(&server, Work::Over).await;

    let short = Limits { timeout: Duration::from_millis(200), ..Limits::default() };
    let error = page(&warehouse, "SELECT 'timed out', pg_sleep(600)", short).await.unwrap_err();
    assert_eq!(error, WarehouseError::Timeout { seconds: 1 });
    until(&server, Work::Over).await;

    let few = Limits { rows: Some(10), ..Limits::default() };
    // The server materializes a series before it returns rows; short series are not written to disk.
    let long = "SELECT a.i FROM generate_series(1, 20000) a(i), generate_series(1, 20000) b(i)";
    let some = page(&warehouse, long, few).await.unwrap();
    assert_eq!((some.rows.len(), some.truncated), (10, true));
    // Dropping the reader stops the query, too.
    let all = Limits { rows: None, ..Limits::default() };
    drop(warehouse.query_text(long.to_owned(), all, CancellationToken::new()).await.unwrap());

    until(&server, Work::Over).await;
    assert_eq!(cell(&warehouse, "SELECT 1").await.as_deref(), Some("1"));
    // An idle connection that the server has closed is not used.
    server.psql("shop", "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'vitrine'");
    assert_eq!(cell(&warehouse, "SELECT 2").await.as_deref(), Some("2"));
    warehouse.close().await;
    assert!(page(&warehouse, "SELECT 1", Limits::default()).await.is_err());
    assert!(warehouse.load_catalog().await.is_err());
}

#[tokio::test]
async fn errors_say_what_is_wrong_and_never_the_password() {
    let server = PostgresServer::start();
    let warehouse = warehouse(&server, "CREATE TABLE t (name text)").await;
    let check = async |sql: &str| warehouse.check_text(sql).await.unwrap_err();
    let said = check("SELECT nam FROM t").await.to_string();
    assert!(said.starts_with("column \"nam\" does not exist. Perhaps you meant"), "{said}");
    assert!(said.contains("\"t.name\"") && said.ends_with("(at character 8)"), "{said}");
    assert!(check("SELECT * FROM nowhere").await.to_string().contains("relation \"nowhere\" does not exist"));
    assert!(matches!(check("SELECT count(*), name FROM t").await, WarehouseError::Query { .. }));
    assert!(matches!(check("DROP TABLE t").await, WarehouseError::Refused { .. }));
    let error = page(&warehouse, "SELECT 1 / 0", Limits::default()).await.unwrap_err();
    assert_eq!(error, WarehouseError::query("division by zero"));

    let mut texts = Vec::new();
    let mut fault = async |address: String| {
        let uri = WarehouseUri::parse(&address).map_err(AppError::from);
        texts.push(format!("{uri:?}"));
        let error: AppError = match uri {
            Err(error) => error,
            Ok(uri) => match open_warehouse(&uri).await {
                Err(error) => error.into(),
                Ok(_) => panic!("{uri} opened"),
            },
        };
        texts.push(format!("{error:?} {error}"));
        error
    };
    let good = server.address("shop");
    let wrong = fault(good.replace("word", "phrase")).await;
    assert_eq!(wrong.code, ErrorCode::Password);
    assert!(wrong.message.contains("refused the password for postgresql://owner@127.0.0.1"), "{wrong:?}");
    assert!(wrong.detail.clone().unwrap().contains("password authentication failed"), "{wrong:?}");
    assert!(wrong.hint.unwrap().contains("PGPASSWORD"));
    let none = fault(good.replace(&format!(":{PASSWORD}"), "")).await;
    assert_eq!(none.code, ErrorCode::Password);
    assert!(none.message.contains("asks for a password"), "{none:?}");
    let missing = fault(server.address("nothing")).await;
    assert_eq!(missing.code, ErrorCode::Connection);
    assert!(missing.message.contains("refused the connection to postgresql://owner@127.0.0.1"), "{missing:?}");
    assert!(missing.detail.clone().unwrap().contains("does not exist"), "{missing:?}");
    let closed = fault(format!("postgresql://owner:{PASSWORD}@127.0.0.1:1/shop")).await;
    assert!(closed.message.contains("cannot be reached"), "{closed:?}");
    let plain = fault(format!("{good}?sslmode=require")).await;
    assert!(plain.detail.clone().unwrap().contains("TLS"), "{plain:?}");
    fault(format!("{good}?sslmode=odd")).await;
    fault(format!("postgresql://owner:{PASSWORD}@host:port/shop")).await;
    server.encrypt();
    let verified = fault(format!("{good}?sslmode=verify-full")).await;
    assert!(verified.detail.clone().unwrap().contains("certificate"), "{verified:?}");
    let uri = WarehouseUri::parse(&format!("{good}?sslmode=require")).unwrap();
    let encrypted =
        PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let own = "SELECT ssl::text FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    assert_eq!(cell(&encrypted, own).await.as_deref(), Some("true"));
    for text in texts {
        assert!(!text.contains("pass-word") && !text.contains("pass-phrase"), "{text}");
    }
}

#[tokio::test]
async fn what_a_role_could_change_is_read_from_the_server_and_not_tried() {
    use vitrine_domain::{SafetyKind, SafetyState};
    let server = PostgresServer::start();
    server.psql(
        "shop",
        &format!(
            "CREATE TABLE a (x int); CREATE TABLE b (x int); CREATE SCHEMA own;
             CREATE ROLE reader LOGIN PASSWORD '{PASSWORD}'; CREATE ROLE writer LOGIN PASSWORD '{PASSWORD}';
             CREATE ROLE powerful LOGIN PASSWORD '{PASSWORD}'; GRANT pg_read_server_files TO powerful;
             REVOKE CREATE ON SCHEMA public FROM PUBLIC; GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader, writer, powerful;
             GRANT UPDATE ON b TO writer; GRANT CREATE ON SCHEMA own TO writer;"
        ),
    );
    let layers = async |role: &str| {
        let uri = WarehouseUri::parse(&server.address("shop").replace("owner", role)).unwrap();
        let warehouse =
            PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
        warehouse.safety_layers().await.unwrap()
    };
    let of = async |role: &str, kind: SafetyKind| {
        let layer = layers(role).await.into_iter().find(|layer| layer.kind == kind).unwrap();
        (layer.state, layer.says)
    };
    for role in ["owner", "reader"] {
        assert_eq!(of(role, SafetyKind::Engine).await.0, SafetyState::Holds, "{role}");
    }
    let (state, says) = of("reader", SafetyKind::Rights).await;
    assert!(state == SafetyState::Holds && says.contains("2 tables"), "{says}");
    let (state, says) = of("writer", SafetyKind::Rights).await;
    assert!(state == SafetyState::Partly && says.contains("1 of the 2 tables") && says.contains("1 schema."), "{says}");
    let (state, says) = of("powerful", SafetyKind::Rights).await;
    assert!(state == SafetyState::Partly && says.contains("pg_read_server_files"), "{says}");
    let (state, says) = of("owner", SafetyKind::Rights).await;
    assert!(state == SafetyState::Missing && says.contains("superuser"), "{says}");
    let (state, says) = of("reader", SafetyKind::Connection).await;
    assert!(state == SafetyState::Holds && says.contains("this computer"), "{says}");
}
