use super::*;
use vitrine_domain::{Column, ColumnProfile, TableKind, TableName, TableProfile};
use vitrine_sql::{ReadOnlySql, bind_names};

fn make_table(name: &str, columns: &[&str], refers: &[(&str, &str, &str)]) -> Table {
    let column = |name: &&str| Column {
        name: (*name).to_owned(),
        data_type: if name.ends_with("id") || *name == "amount" { "INTEGER" } else { "TEXT" }.to_owned(),
        nullable: true,
        comment: None,
    };
    let key = |(column, table, target): &(&str, &str, &str)| ForeignKey {
        columns: vec![(*column).to_owned()],
        ref_table: TableName::from_unqualified(*table),
        ref_columns: vec![(*target).to_owned()],
    };
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: Some(9),
        columns: columns.iter().map(column).collect(),
        primary_key: vec![columns[0].to_owned()],
        unique_keys: Vec::new(),
        foreign_keys: refers.iter().map(key).collect(),
        definition: None,
    }
}

fn make_shop(dialect: Dialect) -> (Catalog, Profile) {
    let catalog = Catalog {
        database: "shop".to_owned(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![
            make_table("customers", &["customer_id", "customerName", "country"], &[]),
            make_table("order", &["order_id", "amount", "customer_id"], &[("customer_id", "customers", "customer_id")]),
        ],
    };
    let column = |(name, kind, top): (&str, SemanticKind, &str)| ColumnProfile {
        name: name.to_owned(),
        kind,
        top: if top.is_empty() { Vec::new() } else { vec![(top.to_owned(), 3)] },
        ..ColumnProfile::default()
    };
    let table = |name: &str, columns: Vec<ColumnProfile>| TableProfile {
        table: TableName::from_unqualified(name),
        row_count: Some(9),
        profiled_rows: 9,
        columns,
    };
    let customers = [
        ("customer_id", SemanticKind::Identifier, ""),
        ("customerName", SemanticKind::Text, "O'Hara"),
        ("country", SemanticKind::Dimension, "FR"),
    ];
    let orders = [
        ("order_id", SemanticKind::Identifier, ""),
        ("amount", SemanticKind::Metric, ""),
        ("customer_id", SemanticKind::Identifier, ""),
    ];
    let tables = vec![
        table("customers", customers.into_iter().map(column).collect()),
        table("order", orders.into_iter().map(column).collect()),
    ];
    (catalog, Profile { tables, complete: true, ..Profile::default() })
}

#[test]
fn examples_are_derived_from_keys_kinds_and_values() {
    let (catalog, profile) = make_shop(Dialect::Sqlite);
    let made = derive_examples(&catalog, &profile, "How many orders has each customer?");
    let lines: Vec<String> = made.iter().map(|example| format!("{}\n  {}", example.question, example.sql)).collect();
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn every_derived_query_is_proven_and_binds_in_every_dialect() {
    for dialect in [
        Dialect::Sqlite,
        Dialect::Duckdb,
        Dialect::Snowflake,
        Dialect::Bigquery,
        Dialect::Postgres,
        Dialect::Mysql,
        Dialect::Clickhouse,
        Dialect::Databricks,
        Dialect::Trino,
        Dialect::Mssql,
    ] {
        let (catalog, profile) = make_shop(dialect);
        let made = derive_examples(&catalog, &profile, "");
        assert!(made.len() > 6, "{dialect:?}");
        for example in made {
            let sql = ReadOnlySql::parse(&example.sql, dialect)
                .unwrap_or_else(|e| panic!("{dialect:?} {}: {e}", example.sql));
            assert_eq!(bind_names(&sql, &catalog).problems, [], "{dialect:?} {}", example.sql);
        }
    }
}

#[test]
fn without_statistics_nothing_is_derived() {
    let (catalog, _) = make_shop(Dialect::Sqlite);
    assert_eq!(derive_examples(&catalog, &Profile::default(), "How many orders?"), []);
}
