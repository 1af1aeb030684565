//! The database that most tests of a single rule use.

use vitrine_domain::{Catalog, Column, Dialect, Table, TableKind, TableName};

/// Returns a catalog with one table, whose columns are nullable texts.
pub(crate) fn one_table(dialect: Dialect, table: &str, columns: &[&str]) -> Catalog {
    let column = |name: &&str| Column { name: (*name).into(), data_type: "TEXT".into(), nullable: true, comment: None };
    let table = Table {
        name: TableName::from_unqualified(table),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.iter().map(column).collect(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    };
    Catalog {
        database: "shop".into(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![table],
    }
}
