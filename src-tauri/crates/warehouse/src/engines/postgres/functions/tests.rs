use super::with_values;
use crate::{OpenOptions, WarehouseUri, open_with, prove_read_only, prove_with};
use vitrine_sql::{AllowedFunctions, SqlRejection};
use vitrine_test_servers::postgres_server::PostgresServer;

#[test]
fn parameters_become_values_and_names_stay() {
    assert_eq!(with_values("SELECT round($1::numeric, $2)"), "SELECT round(NULL::numeric, NULL)");
    assert_eq!(with_values("SELECT a$1, $$x$$, '$'"), "SELECT a$1, $$x$$, '$'");
}

const SCHEMA: &str = "
    CREATE TABLE customer (id int, name text, tags text[]); INSERT INTO customer VALUES (1, 'Ann', '{a}');
    CREATE TABLE visit (id int, customer_id int, touch text, city text); INSERT INTO visit VALUES (1, 1, 'mouse', 'Rome');
    CREATE TABLE called (what text);
    -- Each would wait for an hour: what is called is noticed.
    CREATE FUNCTION touch(customer) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); RETURN 1; END';
    CREATE FUNCTION ruin(customer) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); RETURN 1; END';
    CREATE FUNCTION upper(int) RETURNS text LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); RETURN 1; END';
    CREATE SCHEMA other;
    CREATE FUNCTION other.count(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(3600); RETURN 1; END';
    -- What many databases have, and only computes.
    CREATE FUNCTION round(double precision, int) RETURNS numeric LANGUAGE sql AS 'SELECT pg_catalog.round($1::numeric, $2)';
    CREATE FUNCTION full_name(customer) RETURNS text LANGUAGE sql AS 'SELECT $1.name || chr(33)';
    CREATE FUNCTION margin(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN 1; END';";

/// Queries do not call the owner's functions implicitly, and similar harmless queries run.
#[tokio::test]
async fn functions_of_the_databases_own_are_not_called_unawares() {
    let server = PostgresServer::start();
    server.psql("shop", SCHEMA);
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    let warehouse = open_with(&uri, &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let own: Vec<&str> = catalog.own_functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(own, ["ruin", "touch", "upper"]);
    for hostile in [
        "SELECT c.ruin FROM customer c",
        "SELECT c.touch FROM customer c",
        "SELECT (c).ruin FROM customer c",
        "SELECT public.c.ruin FROM customer c",
        "SELECT (SELECT x.touch FROM (SELECT * FROM customer) AS x)",
        "SELECT u.ruin FROM (SELECT array_agg(c) AS a FROM customer c) s, unnest(s.a) AS u",
        "SELECT name FROM customer c WHERE c.ruin > 0",
        "SELECT name FROM customer c ORDER BY c.RUIN",
        // Only the server's own parser accepts these.
        "SELECT c.ruin BETWEEN SYMMETRIC 3 AND 1 FROM customer c",
        "SELECT (c).ruin BETWEEN SYMMETRIC 3 AND 1 FROM customer c",
        "SELECT upper(5)",
        "SELECT \"upper\"(id) FROM customer",
        "SELECT public.upper(5)",
        "SELECT other.count(5)",
        "SELECT other.count(id) BETWEEN SYMMETRIC 3 AND 1 FROM customer",
        "SELECT margin(5)",
    ] {
        let refused = prove_read_only(hostile, &catalog);
        assert!(matches!(refused, Err(SqlRejection::Function { .. })), "{hostile}: {refused:?}");
    }
    for (right, value) in [
        ("SELECT c.name FROM customer c", "Ann"),
        ("SELECT v.touch FROM visit v", "mouse"),
        ("SELECT v.touch FROM customer c JOIN visit AS v ON v.customer_id = c.id", "mouse"),
        ("SELECT v.touch FROM (SELECT touch FROM visit) AS v", "mouse"),
        ("WITH v AS (SELECT touch FROM visit) SELECT v.touch FROM v", "mouse"),
        ("SELECT round(2.345::double precision, 2)", "2.35"),
        ("SELECT c.full_name FROM customer c", "Ann!"),
        ("SELECT pg_catalog.upper('a')", "A"),
        ("SELECT pg_catalog.count(*) FROM customer", "1"),
        ("SELECT lower('A')", "a"),
    ] {
        let sql = prove_read_only(right, &catalog).unwrap_or_else(|rejection| panic!("{right}: {rejection}"));
        let batches = warehouse.run_query(&sql, crate::Limits::default(), Default::default()).await;
        let page = crate::read_page(batches.unwrap_or_else(|error| panic!("{right}: {error}")), 10).await.unwrap();
        assert_eq!(page.rows[0][0].as_deref(), Some(value), "{right}");
    }
    // The user may allow functions explicitly.
    let allowed = AllowedFunctions::new(["margin", "upper", "ruin"]).unwrap();
    for sql in ["SELECT margin(5)", "SELECT upper(5)", "SELECT c.ruin FROM customer c"] {
        assert!(prove_with(sql, &catalog, &allowed).is_ok(), "{sql}");
    }
}

#[tokio::test]
async fn the_servers_secrets_are_not_read_and_tables_of_such_names_are() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE SCHEMA app; CREATE TABLE app.pg_stats (team text); INSERT INTO app.pg_stats VALUES ('Red')",
    );
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    let warehouse = open_with(&uri, &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    for secret in [
        "SELECT rolpassword FROM pg_authid",
        "SELECT * FROM pg_catalog.pg_shadow",
        "SELECT \"rolpassword\" FROM \"pg_catalog\".\"pg_authid\"",
        "SELECT query FROM pg_stat_activity",
        "WITH x AS (SELECT * FROM PG_USER_MAPPINGS) SELECT * FROM x",
        "SELECT 1 BETWEEN SYMMETRIC 3 AND 1 FROM pg_authid",
        "SELECT (SELECT max(setting) FROM pg_settings)",
    ] {
        let refused = prove_read_only(secret, &catalog);
        assert!(matches!(refused, Err(SqlRejection::Secrets { .. })), "{secret}: {refused:?}");
    }
    assert!(prove_read_only("SELECT team FROM app.pg_stats", &catalog).is_ok());
}

/// The session is equal for every query, independent of the settings of previous ones.
#[tokio::test]
async fn nothing_of_a_query_stays_in_its_session() {
    let server = PostgresServer::start();
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    let own = super::super::PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default())
        .await
        .unwrap();
    let cell = async |sql: &str| {
        let batches =
            crate::engine::Engine::query_text(&own, sql.to_owned(), crate::Limits::default(), Default::default()).await;
        crate::read_page(batches.unwrap(), 10).await.unwrap().rows.remove(0).remove(0)
    };
    let zone = "SELECT current_setting('TimeZone') || pg_backend_pid()";
    let before = cell(zone).await;
    assert!(before.as_deref().unwrap().starts_with("UTC"));
    cell("SELECT set_config('TimeZone', 'Europe/Rome', false)").await;
    cell("SELECT pg_advisory_lock(7)::text").await;
    assert_eq!(cell(zone).await, before);
    assert_eq!(server.psql("shop", "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'"), "0");
    assert_eq!(cell("SELECT current_setting('default_transaction_read_only')").await.as_deref(), Some("on"));
}
