//! A catalog of 50,000 tables: the window receives the requested part and no more.

use crate::support::Desk;
use std::fmt::Write;
use vitrine_api::{App, NameKind, Reach};
use vitrine_domain::{ErrorCode, TableName};

const TABLES: usize = 50_000;

/// Each table refers to one before it, except every tenth. A schema without data is read quickly.
async fn large(desk: &Desk) -> String {
    let mut script = String::new();
    for n in 0..TABLES {
        let key = match n {
            0 => String::new(),
            _ if n % 10 == 9 => String::new(),
            _ => format!(", up INTEGER REFERENCES t{:05}(id)", (n - 1) / 3),
        };
        writeln!(script, "CREATE TABLE t{n:05} (id INTEGER PRIMARY KEY, part_{n} TEXT{key});").unwrap();
    }
    let path = desk.path("large.sql");
    std::fs::write(&path, script).unwrap();
    let uri = format!("ddl:{}", path.display());
    desk.app.confirm_warehouse(&uri).await;
    uri
}

fn bytes(value: &impl serde::Serialize) -> usize {
    serde_json::to_vec(value).unwrap().len()
}

#[tokio::test(flavor = "multi_thread")]
async fn of_fifty_thousand_tables_a_page_crosses_and_the_rest_stays() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let uri = large(&desk).await;
    pages(&desk.app, &uri).await;
    names(&desk.app, &uri).await;
    keys(&desk.app, &uri).await;
}

async fn pages(app: &App, uri: &str) {
    let uri = uri.to_owned();
    let opened = app.open_warehouse(uri.clone()).await.unwrap();
    assert_eq!((opened.tables as usize, bytes(&opened) < 4_000), (TABLES, true));

    let view = app.catalog(uri.clone()).await.unwrap();
    assert_eq!((view.whole, view.tables as usize, view.catalog.tables.len()), (false, TABLES, 0));
    assert!(bytes(&view) < 1_000 && bytes(&app.profile(uri.clone()).await.unwrap()) < 1_000);

    let page = app.tables(uri.clone(), String::new(), 49_900, 10_000).await.unwrap();
    assert_eq!((page.total as usize, page.found as usize, page.tables.len()), (TABLES, TABLES, 100));
    let first = app.tables(uri.clone(), String::new(), 0, 10_000).await.unwrap();
    assert_eq!(first.tables.len(), 500, "no page holds them all");
    assert!(bytes(&first) < 100_000, "{}", bytes(&first));

    let found = app.tables(uri.clone(), "PART_777 t0077".to_owned(), 0, 50).await.unwrap();
    let names: Vec<_> = found.tables.iter().map(|table| (table.name.as_str(), table.hits.concat())).collect();
    assert_eq!(names[0], ("t00777", "part_777".to_owned()));
    assert_eq!(found.found, 1);
    assert_eq!(app.tables(uri.clone(), "no such".to_owned(), 0, 50).await.unwrap().found, 0);
}

async fn names(app: &App, uri: &str) {
    let uri = uri.to_owned();
    let names = app.names(uri.clone(), "t4999".to_owned(), 12).await.unwrap();
    assert_eq!((names.len(), names[0].name.as_str(), names[0].kind), (10 + 2, "t49990", NameKind::Table));
    let part = app.names(uri.clone(), "part_31415".to_owned(), 100_000).await.unwrap();
    assert_eq!((part.len(), part[0].table.as_str(), part[0].kind), (1, "t31415", NameKind::Column));
    assert_eq!(app.names(uri.clone(), "id".to_owned(), 1).await.unwrap()[0].more as usize, TABLES - 1);
    assert_eq!(app.names(uri.clone(), String::new(), 100_000).await.unwrap().len(), 100);
    assert_eq!(app.columns(uri.clone(), "t31415.PART".to_owned(), 9).await.unwrap(), ["t31415.part_31415"]);
}

/// Returns the keys around one table.
async fn keys(app: &App, uri: &str) {
    let around = async |reach, limit| {
        let part = app.table(uri.to_owned(), TableName::from_unqualified("t00100"), reach, limit).await.unwrap();
        let names: Vec<String> = part.tables.iter().map(|table| table.name.name.clone()).collect();
        (names, part)
    };
    let (names, alone) = around(Reach::Alone, 100).await;
    assert_eq!((names.concat(), alone.keys[0], alone.left), ("t00100".to_owned(), 4, 0));
    assert_eq!(alone.tables[0].foreign_keys[0].ref_table.name, "t00033");
    let (names, _) = around(Reach::Near, 100).await;
    assert_eq!(names, ["t00100", "t00033", "t00301", "t00302", "t00303"]);
    let (far, near) = (around(Reach::Far, 100).await.0.len(), names.len());
    assert!(far > near, "{far}");
    let (names, schema) = around(Reach::Schema, 120).await;
    assert_eq!((names.len(), schema.left as usize, names[0].as_str()), (120, TABLES - 120, "t00100"));
    assert!(bytes(&schema) < 60_000, "{}", bytes(&schema));
    let gone = app.table(uri.to_owned(), TableName::from_unqualified("gone"), Reach::Near, 9).await.unwrap_err();
    assert_eq!(gone.code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_catalog_crosses_whole() {
    let desk = Desk::new(Vec::<&str>::new()).await;
    let view = desk.app.catalog(desk.shop.clone()).await.unwrap();
    assert_eq!((view.whole, view.tables, view.catalog.tables.len()), (true, 2, 2));
}
