//! A database whose owner is not a superuser and tries to make a superuser run his code: calls hidden in
//! harmless-looking queries are refused by name and never run. Each hostile statement also runs without Vitrine, to
//! show that the assertions can fail.

use super::super::*;
use crate::{Warehouse, WarehouseUri, prove_read_only, prove_with, read_page};
use std::path::PathBuf;
use tokio_postgres::{Client, NoTls};
use vitrine_domain::Page;
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

mod statements;

use statements::{BENIGN, HOSTILE, MACHINERY, ORDINARY, SHOP};

/// A server with a database `owned` of the role `shopkeeper`, and the file that his code creates.
struct Owned {
    server: PostgresServer,
    keeper: Client,
    touched: PathBuf,
}

impl Owned {
    async fn new() -> Self {
        let server = PostgresServer::start();
        let folder = server.socket().join("marks");
        std::fs::create_dir(&folder).unwrap();
        std::fs::set_permissions(&folder, std::os::unix::fs::PermissionsExt::from_mode(0o777)).unwrap();
        server.psql(
            "postgres",
            &format!("CREATE ROLE shopkeeper LOGIN PASSWORD '{PASSWORD}'; CREATE DATABASE owned OWNER shopkeeper"),
        );
        server.psql("owned", "CREATE ROLE visitor LOGIN PASSWORD 'visit'");
        let keeper = connect(&server.address("owned").replace("owner:", "shopkeeper:")).await;
        Self { keeper, touched: folder.join("touched"), server }
    }

    /// Recreates the tables of the database, then runs the owner's script. `MARK` calls his code.
    async fn set_up(&self, own: &str) {
        let start = "ALTER DATABASE owned RESET ALL; DROP SCHEMA IF EXISTS public, evil CASCADE; CREATE SCHEMA public; CREATE SCHEMA evil;
            SET search_path = public; GRANT USAGE ON SCHEMA public, evil TO PUBLIC;";
        let mark = format!(
            "CREATE FUNCTION evil.mark() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
                 EXECUTE 'COPY (SELECT 1) TO ''{}'''; RETURN true; EXCEPTION WHEN insufficient_privilege THEN RETURN true; END $$;",
            self.touched.display()
        );
        let own = own.replace("MARK", "BEGIN PERFORM evil.mark();");
        for script in [start, &mark, SHOP, &own] {
            self.keeper.batch_execute(script).await.unwrap_or_else(|error| panic!("{own}: {error:?}"));
        }
        let _ = std::fs::remove_file(&self.touched);
    }

    async fn open(&self) -> PostgresWarehouse {
        let uri = WarehouseUri::parse(&self.server.address("owned")).unwrap();
        PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap()
    }

    /// Returns true if the owner's code ran since the last call.
    fn was_touched(&self) -> bool {
        std::fs::remove_file(&self.touched).is_ok()
    }
}

async fn connect(address: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn asked(warehouse: &PostgresWarehouse, sql: &str, catalog: &Catalog) -> Result<Page, String> {
    let proven = prove_read_only(sql, catalog).map_err(|rejection| rejection.to_string())?;
    let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await;
    read_page(batches.map_err(|error| error.to_string())?, 100).await.map_err(|error| error.to_string())
}

/// Runs a statement without a proof, so that only the server's resolution of names applies.
async fn unproven(warehouse: &PostgresWarehouse, sql: &str) -> Result<Page, WarehouseError> {
    let limits = Limits { timeout: Duration::from_secs(5), ..Limits::default() };
    read_page(warehouse.query_text(sql.to_owned(), limits, CancellationToken::new()).await?, 100).await
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_owners_runs_in_a_query_that_looks_harmless() {
    let owned = Owned::new().await;
    let mut wrong = Vec::new();
    for (own, sql) in HOSTILE {
        owned.set_up(own).await;
        let warehouse = owned.open().await;
        let catalog = warehouse.load_catalog().await.unwrap();
        let answer = asked(&warehouse, sql, &catalog).await;
        let past = unproven(&warehouse, sql).await;
        let checked = warehouse.check_text(sql).await;
        let planned = match prove_read_only(sql, &catalog) {
            Ok(proven) => warehouse.query_plan(&proven, Limits::default(), CancellationToken::new()).await.is_ok(),
            Err(_) => false,
        };
        if owned.was_touched() {
            wrong.push(format!("ran: {sql}\n    {own}"));
        }
        if let (Ok(_), _, _) | (_, Ok(_), _) | (_, _, true) = (&answer, &past, planned) {
            wrong.push(format!("not refused: {sql}\n    {answer:?} {past:?} {planned}"));
        }
        if !matches!(&checked, Err(WarehouseError::Refused { .. })) {
            wrong.push(format!("not refused before it is prepared: {sql}\n    {checked:?}"));
        }
        drop(warehouse);
        // The same without protection.
        let superuser = connect(&owned.server.address("owned")).await;
        let _ = superuser.batch_execute("SET statement_timeout = 5000").await;
        let _ = superuser.batch_execute(sql).await;
        if !owned.was_touched() {
            wrong.push(format!("does no harm by itself: {sql}\n    {own}"));
        }
    }
    assert!(HOSTILE.len() >= 60, "{}", HOSTILE.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Vitrine's own statements use only the server's built-in functions, operators and types.
#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_the_owners_runs_in_vitrines_own_statements() {
    let owned = Owned::new().await;
    for (own, harm) in MACHINERY {
        owned.set_up(own).await;
        let warehouse = owned.open().await;
        let catalog = warehouse.load_catalog().await.unwrap();
        assert!(catalog.tables.iter().any(|table| table.name.to_string() == "orders"), "{:?}", catalog.tables);
        for _ in 0..3 {
            let page = asked(&warehouse, "SELECT id, tags FROM orders WHERE id < 3 ORDER BY id", &catalog).await;
            assert_eq!(page.map(|page| page.rows.len()), Ok(2), "{own}");
        }
        warehouse.safety_layers().await.unwrap();
        let uri = WarehouseUri::parse(&owned.server.address("owned")).unwrap();
        let limit = Duration::from_secs(30);
        crate::inspect_connection(Ok(uri), &OpenOptions::default(), limit, &|_| {}, CancellationToken::new()).await;
        warehouse.close().await;
        assert!(!owned.was_touched(), "{own}");
        let superuser = connect(&owned.server.address("owned")).await;
        let _ = superuser.batch_execute(harm).await;
        assert!(owned.was_touched(), "does no harm by itself: {harm}\n{own}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ordinary_databases_have_is_in_nobodys_way() {
    let server = PostgresServer::start();
    server.psql("shop", &format!("{SHOP}{ORDINARY}"));
    let uri = WarehouseUri::parse(&server.address("shop")).unwrap();
    let warehouse =
        PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let mut wrong = Vec::new();
    for (sql, value) in BENIGN {
        let page = asked(&warehouse, sql, &catalog).await;
        let cell =
            page.map(|page| page.rows.first().and_then(|row| row.first().cloned().flatten()).unwrap_or_default());
        if cell.as_deref() != Ok(*value) {
            wrong.push(format!("{sql}: {cell:?} and not {value:?}"));
        }
    }
    assert!(BENIGN.len() >= 60, "{}", BENIGN.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Types and views are read as before the search path started with the server's schema.
    let column =
        |table: &str, name: &str| catalog.find_table(table).unwrap().find_column(name).unwrap().data_type.clone();
    assert_eq!((column("people", "email"), column("people", "places")), ("citext".to_owned(), "place[]".to_owned()));
    let view = catalog.find_table("big_orders").unwrap().definition.clone().unwrap();
    assert!(view.contains("FROM orders"), "{view}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_owner_wrote_runs_once_a_person_allows_it_by_name() {
    let owned = Owned::new().await;
    owned
        .set_up(
            "CREATE FUNCTION evil.half(int) RETURNS int LANGUAGE plpgsql AS 'BEGIN RETURN $1 / 2; END';
             CREATE VIEW halves AS SELECT evil.half(id) AS half FROM orders;
             CREATE FUNCTION evil.text_is(text, int) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN $1 = $2::text; END';
             CREATE OPERATOR public.= (leftarg = text, rightarg = int, function = evil.text_is);",
        )
        .await;
    let warehouse = owned.open().await;
    let catalog = warehouse.load_catalog().await.unwrap();
    for (sql, name, value) in [
        ("SELECT half FROM halves ORDER BY 1 DESC LIMIT 1", "evil.half", "1"),
        ("SELECT count(*) FROM orders WHERE region = 1", "evil.text_is", "0"),
    ] {
        let refused = asked(&warehouse, sql, &catalog).await.unwrap_err();
        assert!(refused.contains(&format!("--allow-function {name}")), "{refused}");
        let allowed = AllowedFunctions::new([name]).unwrap();
        let proven = prove_with(sql, &catalog, &allowed).unwrap();
        warehouse.check_query(&proven).await.unwrap();
        let batches = warehouse.run_query(&proven, Limits::default(), CancellationToken::new()).await.unwrap();
        assert_eq!(read_page(batches, 10).await.unwrap().rows[0][0].as_deref(), Some(value), "{sql}");
    }
}

/// A login without superuser rights is subject to the owner's policies and runs the functions in them.
#[tokio::test(flavor = "multi_thread")]
async fn row_policies_of_the_owner_are_named() {
    let owned = Owned::new().await;
    owned
        .set_up(
            "CREATE FUNCTION evil.sees(text) RETURNS boolean LANGUAGE plpgsql AS 'BEGIN RETURN true; END';
             ALTER TABLE orders ENABLE ROW LEVEL SECURITY; CREATE POLICY regional ON orders USING (evil.sees(region));
             CREATE TABLE plain (id int, who text); INSERT INTO plain VALUES (1, 'visitor'), (2, 'other');
             ALTER TABLE plain ENABLE ROW LEVEL SECURITY; CREATE POLICY own ON plain USING (who = current_user);
             GRANT SELECT ON ALL TABLES IN SCHEMA public TO visitor;",
        )
        .await;
    let address = owned.server.address("owned").replace(&format!("owner:{PASSWORD}"), "visitor:visit");
    let uri = WarehouseUri::parse(&address).unwrap();
    let warehouse =
        PostgresWarehouse::open(uri.server_address().unwrap().clone(), &OpenOptions::default()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let refused = asked(&warehouse, "SELECT count(*) FROM orders", &catalog).await.unwrap_err();
    assert!(refused.contains("regional") && refused.contains("evil.sees"), "{refused}");
    let seen = asked(&warehouse, "SELECT id FROM plain", &catalog).await.unwrap();
    assert_eq!(seen.rows, [[Some("1".to_owned())]]);
    // The superuser is not subject to policies.
    let warehouse = owned.open().await;
    let all = asked(&warehouse, "SELECT count(*) FROM orders", &catalog).await.unwrap();
    assert_eq!(all.rows[0][0].as_deref(), Some("3"));
}

/// A view calls built-in functions with the rights of the reading user, including functions that queries may not call.
#[tokio::test(flavor = "multi_thread")]
async fn views_that_do_more_than_compute_are_refused() {
    let owned = Owned::new().await;
    owned
        .set_up(
            "CREATE VIEW files AS SELECT pg_read_file('PG_VERSION') AS f; CREATE VIEW naps AS SELECT id, pg_sleep(0) IS NULL AS slept FROM orders;
             CREATE VIEW whole AS SELECT table_to_xml('orders', true, true, '');
             CREATE EXTENSION IF NOT EXISTS tablefunc;
             CREATE VIEW crossed AS SELECT * FROM crosstab('SELECT 1, 2, 3') AS c(a int, b int);
             CREATE VIEW sound AS SELECT id, now() AS t, random() AS r, to_char(placed, 'YYYY') AS y FROM orders;",
        )
        .await;
    let warehouse = owned.open().await;
    let catalog = warehouse.load_catalog().await.unwrap();
    for (view, function) in
        [("files", "pg_read_file"), ("naps", "pg_sleep"), ("whole", "table_to_xml"), ("crossed", "crosstab")]
    {
        let refused = asked(&warehouse, &format!("SELECT count(*) FROM {view}"), &catalog).await.unwrap_err();
        assert!(refused.contains(view) && refused.contains(function), "{refused}");
    }
    let years = asked(&warehouse, "SELECT y FROM sound WHERE id = 1", &catalog).await.unwrap();
    assert_eq!(years.rows, [[Some("2024".to_owned())]]);
    for hostile in
        ["SELECT ('PG_VERSION'::text).pg_read_file", "SELECT (0.1::float8).pg_sleep", "SELECT ('x'::text).pg_ls_dir"]
    {
        assert!(prove_read_only(hostile, &catalog).is_err(), "{hostile}");
        assert!(matches!(unproven(&warehouse, hostile).await, Err(WarehouseError::Refused { .. })), "{hostile}");
    }
}
