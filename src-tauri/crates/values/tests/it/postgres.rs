//! Profile and index of a database on a PostgreSQL server: its types, its functions, its method of sampling rows.

use crate::common::values;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{ProfileOptions, profile_database};
use vitrine_domain::SemanticKind as K;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_values::ValueIndex;
use vitrine_warehouse::{WarehouseUri, open_warehouse};

const ZOO: &str = "
    CREATE TYPE print_kind AS ENUM ('paw', 'hoof');
    CREATE TABLE animal (id int PRIMARY KEY, species varchar(20), \"Full Name\" text, born text, fed_at timestamptz,
        weight numeric(8,2), price_text text, code uuid, tame boolean, print print_kind, tags text[], facts jsonb,
        photo bytea, address inet, note xml, cost money, lonely text);
    INSERT INTO animal SELECT i, (ARRAY['lion', 'owl', 'o''hare'])[i % 3 + 1], 'Name ' || chr(65 + i % 26) || i,
        to_char(DATE '2000-01-01' + i, 'DD/MM/YYYY'), TIMESTAMPTZ '2020-01-01' + i * INTERVAL '1 day', i * 0.5,
        to_char(i / 4.0, 'FM999990.00'), md5(i::text)::uuid, i % 2 = 0, 'paw', ARRAY['a', 'b'],
        jsonb_build_object('kind', 'x', 'toes', i), '\\x00', '10.0.0.1', '<a/>', i, NULL
      FROM generate_series(1, 400) AS i;
    CREATE VIEW lions AS SELECT id, \"Full Name\" FROM animal WHERE species = 'lion';";

#[tokio::test(flavor = "multi_thread")]
async fn a_database_on_a_server_is_profiled_and_indexed() {
    let server = PostgresServer::start();
    server.psql("shop", ZOO);
    let warehouse = open_warehouse(&WarehouseUri::parse(&server.address("shop")).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let look = async |options: ProfileOptions| {
        profile_database(Arc::clone(&warehouse), &catalog, options, |_, _, _| {}, CancellationToken::new())
            .await
            .unwrap()
    };
    let found = look(ProfileOptions::default()).await;
    assert!(found.complete && found.tables.len() == 2, "{:?}", found.tables.len());
    let of = |name: &str| found.tables[0].find_column(name).unwrap_or_else(|| panic!("{name} is profiled"));
    assert_eq!((of("weight").mean.as_deref(), of("weight").stddev), (Some("100.25"), Some(57.8072)));
    assert_eq!((of("price_text").mean.as_deref(), of("price_text").stddev), (Some("50.125"), Some(28.9036)));
    let toes = of("facts").fields.iter().find(|f| f.name == "toes").unwrap();
    assert_eq!((toes.kind, toes.max.as_deref(), toes.stddev), (K::Metric, Some("400"), Some(115.614)));
    for (name, kind) in [
        ("id", K::Identifier),
        ("species", K::Dimension),
        ("Full Name", K::Text),
        ("born", K::Time),
        ("fed_at", K::Time),
        ("weight", K::Metric),
        ("price_text", K::Metric),
        ("tame", K::Dimension),
        ("print", K::Dimension),
        ("tags", K::Nested),
        ("facts", K::Nested),
        ("lonely", K::Empty),
    ] {
        assert_eq!(of(name).kind, kind, "{name}");
    }
    let range = |name: &str| (of(name).min.clone().unwrap_or_default(), of(name).max.clone().unwrap_or_default());
    assert_eq!(range("weight"), ("0.50".into(), "200.00".into()));
    assert_eq!(range("price_text"), ("0.25".into(), "100".into()));
    assert_eq!(range("born"), ("2000-01-02".into(), "2001-02-04".into()));
    assert!(range("fed_at").0.starts_with("2020-01-02"), "{:?}", range("fed_at"));
    assert_eq!(range("tame"), ("false".into(), "true".into()));
    assert_eq!(of("species").top.len(), 3);
    assert_eq!(of("weight").mean.as_deref(), Some("100.25"));
    assert!(of("facts").paths.iter().any(|(path, _)| path == "toes"), "{:?}", of("facts").paths);

    let few = ProfileOptions { sample_rows: 100, ..ProfileOptions::default() };
    let drawn = look(few.clone()).await;
    assert!((50..=160).contains(&drawn.tables[0].profiled_rows), "{}", drawn.tables[0].profiled_rows);
    assert_eq!(drawn, look(few).await);

    let folder = tempfile::tempdir().unwrap();
    let index = ValueIndex::open(&folder.path().join("values.db")).unwrap();
    let report = index.build(Arc::clone(&warehouse), &catalog, &found, |_| {}, CancellationToken::new()).await.unwrap();
    assert!(report.skipped.is_empty(), "{:?}", report.skipped);
    assert!(report.read.iter().any(|(table, column)| table == "animal" && column == "Full Name"), "{:?}", report.read);
    assert!(values(&index, "ohare").contains(&"o'hare".to_owned()), "{:?}", values(&index, "ohare"));
}

/// The engine fails on one value of one column; the other columns are still profiled.
#[tokio::test(flavor = "multi_thread")]
async fn a_column_that_the_engine_fails_on_takes_nothing_from_the_others() {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        "CREATE TABLE parcel (id int PRIMARY KEY, price text, weight text, size text);
         INSERT INTO parcel SELECT i, to_char(i / 4.0, 'FM999990.00'),
             CASE WHEN i = 3000 THEN repeat('9', 400) ELSE (i % 90)::text END, (i % 70 + 0.5)::text
           FROM generate_series(1, 3000) AS i;",
    );
    let warehouse = open_warehouse(&WarehouseUri::parse(&server.address("shop")).unwrap()).await.unwrap();
    let catalog = warehouse.load_catalog().await.unwrap();
    let found = profile_database(
        warehouse.clone(),
        &catalog,
        ProfileOptions::default(),
        |_, _, _| {},
        CancellationToken::new(),
    );
    let found = found.await.unwrap();
    let column = |name: &str| found.tables[0].find_column(name).unwrap().clone();
    assert_eq!(["price", "weight", "size"].map(|name| column(name).hidden), ["number"; 3].map(|n| Some(n.to_owned())));
    assert_eq!((column("price").mean.as_deref(), column("price").max.as_deref()), (Some("375.125"), Some("750")));
    assert_eq!((column("size").min.as_deref(), column("size").max.as_deref()), (Some("0.5"), Some("69.5")));
    assert_eq!(column("weight").mean, None, "that one is too large for the engine");
    warehouse.close().await;
}
