use super::*;
use crate::compress_catalog;
use vitrine_domain::{Catalog, Column, ColumnProfile, Dialect, ForeignKey, SemanticKind, Table, TableKind, TableName};

fn make_table(name: &str, references: &[&str], rows: u64) -> Table {
    let column = |name: &str, data_type: &str| Column {
        name: name.into(),
        data_type: data_type.into(),
        nullable: true,
        comment: None,
    };
    let key = |other: &&str| ForeignKey {
        columns: vec!["id".into()],
        ref_table: TableName::from_unqualified(*other),
        ref_columns: vec!["id".into()],
    };
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: Some(rows),
        columns: vec![column("id", "INTEGER"), column("placed", "DATE"), column(&format!("{name}_note"), "VARCHAR")],
        primary_key: vec!["id".into()],
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: references.iter().map(key).collect(),
    }
}

fn make_catalog(tables: Vec<Table>) -> Catalog {
    Catalog {
        database: "db".into(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: "0".repeat(32),
        tables,
    }
}

#[test]
fn a_database_is_described_by_its_areas_central_and_large_tables_and_dates() {
    let catalog = make_catalog(vec![
        make_table("customer", &[], 40),
        make_table("purchase", &["customer"], 1_200),
        make_table("item", &["purchase"], 5_000),
        make_table("holiday", &[], 0),
    ]);
    let placed = ColumnProfile {
        name: "placed".into(),
        kind: SemanticKind::Time,
        min: Some("2016-09-04".into()),
        max: Some("2018-10-17".into()),
        ..ColumnProfile::default()
    };
    let known = TableProfile {
        table: TableName::from_unqualified("purchase"),
        row_count: Some(1_200),
        profiled_rows: 1_200,
        columns: vec![placed],
    };
    let profile = Profile { tables: vec![known], ..Profile::default() };
    let lines = describe_database(&compress_catalog(&catalog), Some(&profile));
    assert_eq!(
        lines,
        [
            "Subject areas (4 tables): purchase, customer, item; 1 table that no key joins",
            "Central tables: purchase (joined with 2 others)",
            "Largest tables: item (5,000 rows); purchase (1,200 rows); customer (40 rows)",
            "Dates: purchase.placed from 2016-09-04 to 2018-10-17",
        ]
    );
}

#[test]
fn schemas_are_areas_and_a_single_table_needs_no_overview() {
    let mut tables =
        vec![make_table("a", &[], 0), make_table("b", &[], 0), make_table("c", &[], 0), make_table("d", &[], 0)];
    for (table, schema) in tables.iter_mut().zip(["sales", "sales", "staff", "staff"]) {
        table.name = TableName { schema: Some(schema.into()), ..table.name.clone() };
    }
    let lines = describe_database(&compress_catalog(&make_catalog(tables)), None);
    assert_eq!(lines, ["Subject areas (4 tables): sales with sales.a, sales.b; staff with staff.c, staff.d"]);
    assert!(describe_database(&compress_catalog(&make_catalog(vec![make_table("a", &[], 9)])), None).is_empty());
}
