//! Servers that are compatible with PostgreSQL: a PostgreSQL server that reports another product's version and lists
//! its tables as that product's documentation describes.

use super::super::*;
use crate::{Warehouse, WarehouseUri, read_page};
use vitrine_domain::{SafetyState, TableKind};
use vitrine_test_servers::postgres_server::PostgresServer;

const SHOP: &str = "
    CREATE TABLE customer (id int PRIMARY KEY, name varchar(40) NOT NULL UNIQUE, note text);
    CREATE TABLE purchase (id int, line int, customer_id int REFERENCES customer, total numeric(12,2), PRIMARY KEY (id, line));
    CREATE TABLE ship (purchase_id int, line int, FOREIGN KEY (purchase_id, line) REFERENCES purchase (id, line));
    CREATE SCHEMA hr; CREATE TABLE hr.customer (id int); CREATE TABLE hr.staff (id int, customer_id int REFERENCES customer);
    CREATE VIEW big AS SELECT * FROM customer;
    CREATE FUNCTION touch(x int) RETURNS int LANGUAGE sql AS 'SELECT 1';
    INSERT INTO customer VALUES (1, 'Ann'), (2, 'Bob');";

/// Starts a server with the shop that reports this `version`.
async fn server_of(version: &str, views: &str) -> (PostgresServer, PostgresWarehouse) {
    let server = PostgresServer::start();
    server.psql("shop", SHOP);
    server.psql(
        "shop",
        &format!(
            "CREATE SCHEMA vendor;
             {views}
             ALTER ROLE owner SET search_path = vendor, pg_catalog, public;
             ALTER ROLE owner SET IntervalStyle = 'iso_8601'; ALTER ROLE owner SET TimeZone = 'Asia/Tokyo';"
        ),
    );
    // The family is passed explicitly: a function cannot replace the server's version, because the version query names
    // the schema.
    let (uri, options) = (WarehouseUri::parse(&server.address("shop")).unwrap(), OpenOptions::default());
    let pool =
        Pool::of_family(uri.server_address().unwrap().clone(), &options, Some(Family::from_version(version))).unwrap();
    let warehouse = PostgresWarehouse::with_pool(pool, &options).await.unwrap();
    (server, warehouse)
}

async fn cell(warehouse: &PostgresWarehouse, sql: &str) -> Result<Option<String>, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
    Ok(read_page(batches, 10).await?.rows.remove(0).remove(0))
}

/// The views in which Redshift lists tables and columns, over the standard ones.
const SVV: &str = "
    CREATE VIEW vendor.svv_tables AS SELECT *, CASE table_name WHEN 'customer' THEN 'who buys' END AS remarks
      FROM information_schema.tables WHERE table_schema <> 'vendor';
    CREATE VIEW vendor.svv_columns AS SELECT *, CASE column_name WHEN 'name' THEN 'full name' END AS remarks
      FROM information_schema.columns WHERE table_schema <> 'vendor';";

const REDSHIFT_SAYS: &str = "PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017 (Red Hat 3.4.2-6.fc3), Redshift 1.0.48004";

#[tokio::test]
async fn documented_redshift_lists_its_tables_in_its_own_views() {
    let (_server, warehouse) = server_of(REDSHIFT_SAYS, SVV).await;
    let catalog = warehouse.load_catalog().await.unwrap();
    let names: Vec<String> = catalog.tables.iter().map(|table| table.name.to_string()).collect();
    assert_eq!(names, ["big", "customer", "purchase", "ship", "hr.customer", "hr.staff"]);
    let customer = catalog.find_table("customer").unwrap();
    assert_eq!((customer.comment.as_deref(), customer.kind), (Some("who buys"), TableKind::Table));
    assert_eq!(catalog.find_table("big").unwrap().kind, TableKind::View);
    let name = customer.find_column("name").unwrap();
    assert_eq!((name.data_type.as_str(), name.nullable), ("character varying(40)", false));
    assert_eq!(name.comment.as_deref(), Some("full name"));
    assert_eq!(customer.unique_keys, [["name"]]);
    let purchase = catalog.find_table("purchase").unwrap();
    assert_eq!(purchase.find_column("total").unwrap().data_type, "numeric(12,2)");
    assert_eq!(purchase.primary_key, ["id", "line"]);
    let key = &purchase.foreign_keys[0];
    assert_eq!(
        (key.ref_table.to_string(), key.ref_columns.as_slice()),
        ("customer".to_owned(), &["id".to_owned()][..])
    );
    // The pairing of two columns is not listed, so the key is omitted rather than guessed.
    assert!(catalog.find_table("ship").unwrap().foreign_keys.is_empty());
    assert_eq!(catalog.find_table("hr.staff").unwrap().foreign_keys[0].ref_table.to_string(), "customer");
    assert!(catalog.own_functions.iter().any(|function| function.name == "touch"));
}

#[tokio::test]
async fn documented_redshift_gets_no_setting_that_it_refuses_and_only_reads() {
    let (server, warehouse) = server_of(REDSHIFT_SAYS, SVV).await;
    assert_eq!(cell(&warehouse, "SELECT count(*) FROM customer").await.unwrap().as_deref(), Some("2"));
    let setting =
        async |name: &str| cell(&warehouse, &format!("SELECT current_setting('{name}')")).await.unwrap().unwrap();
    assert_eq!(setting("IntervalStyle").await, "iso_8601", "not sent");
    assert_eq!(setting("TimeZone").await, "UTC");
    assert_eq!(setting("transaction_read_only").await, "on");
    assert!(cell(&warehouse, "SELECT setval('s', 1)").await.is_err());
    // Each query gets another session, so that no state remains.
    let pid = async || cell(&warehouse, "SELECT pg_backend_pid()").await.unwrap();
    assert_ne!(pid().await, pid().await);
    assert_eq!(server.psql("shop", "SELECT count(*) FROM customer"), "2");
}

#[tokio::test]
async fn documented_what_redshift_would_read_otherwise_is_refused() {
    let (_server, warehouse) = server_of(REDSHIFT_SAYS, SVV).await;
    for sql in [r"SELECT '\' AS a, ' OR 1=1 --' AS b", r"SELECT 'C:\temp'"] {
        let refused = cell(&warehouse, sql).await.unwrap_err();
        assert!(
            matches!(&refused, WarehouseError::Refused { message } if message.contains("Amazon Redshift")),
            "{refused}"
        );
        assert!(warehouse.check_text(sql).await.is_err());
    }
    assert_eq!(cell(&warehouse, "SELECT 'C:' || chr(92)").await.unwrap().as_deref(), Some(r"C:\"));
    // For PostgreSQL, the session sets the meaning of backslashes, independent of the owner's setting.
    let (server, plain) = server_of("PostgreSQL 15", "").await;
    server.psql("shop", "ALTER ROLE owner SET standard_conforming_strings = off");
    plain.close_idle_connections();
    assert_eq!(cell(&plain, r"SELECT 'C:\temp'").await.unwrap().as_deref(), Some(r"C:\temp"));
}

#[tokio::test]
async fn documented_cockroach_is_read_by_the_standard_and_its_safety_is_not_claimed() {
    let (_server, warehouse) = server_of("CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu)", "").await;
    let catalog = warehouse.load_catalog().await.unwrap();
    assert_eq!(catalog.find_table("purchase").unwrap().foreign_keys.len(), 1);
    assert_eq!(cell(&warehouse, "SELECT current_setting('IntervalStyle')").await.unwrap().as_deref(), Some("postgres"));
    let layers = warehouse.query_safety_layers().await.unwrap();
    assert!(layers.iter().all(|layer| layer.state == SafetyState::Unknown), "{layers:?}");
    assert!(layers[0].how.contains("never tried"), "{layers:?}");
}
