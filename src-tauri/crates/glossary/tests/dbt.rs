//! Tests imports of typical dbt files.

use vitrine_domain::{Catalog, Column, Definition, Dialect, Table, TableKind, TableName};
use vitrine_glossary::{DbtFile, UnreadableDbt, from_comments, from_dbt};

fn table(schema: Option<&str>, name: &str, columns: &[&str]) -> Table {
    let column = |name: &&str| Column {
        name: (*name).to_owned(),
        data_type: "text".to_owned(),
        nullable: true,
        comment: (*name == "total").then(|| "In cents.".to_owned()),
    };
    Table {
        name: TableName { catalog: None, schema: schema.map(str::to_owned), name: name.to_owned() },
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.iter().map(column).collect(),
        primary_key: Vec::new(),
        unique_keys: Vec::new(),
        foreign_keys: Vec::new(),
        definition: None,
    }
}

fn shop() -> Catalog {
    Catalog {
        database: "shop".to_owned(),
        dialect: Dialect::Postgres,
        search_path: vec!["public".to_owned()],
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables: vec![
            table(None, "customers", &["customer_id", "first_order"]),
            table(Some("marts"), "Fct_Orders", &["order_id", "total"]),
        ],
    }
}

fn said(definitions: &[Definition]) -> Vec<String> {
    let line = |d: &Definition| {
        format!("{} [{}] {} ({})", d.term, d.subject.as_deref().unwrap_or("-"), d.meaning, d.synonyms.join(","))
    };
    definitions.iter().map(line).collect()
}

const PROPERTIES: &str = r#"
version: 2
x-defaults: &defaults
  tests: [unique, not_null]
models:
  - name: customers
    description: >
      One row per customer,
      whoever ordered once.
    columns:
      - name: customer_id
        description: "{{ doc('customer_id') }}"
        <<: *defaults
      - name: first_order
        description: 'Day of the first order: "NULL" before it'
        config: {meta: {synonyms: [debut, Erstbestellung]}}
      - name: gone
        description: no longer there
  - name: fct_orders
    columns:
      - name: TOTAL
        description: Gross amount, in cents.
        meta: {synonyms: [revenue]}
  - name: not_built
    description: only in development
sources:
  - name: raw
    tables:
      - name: customers_v2
        identifier: customers
        description: As the shop writes them.
metrics:
  - name: gmv
    label: GMV
    description: Sum of all totals.
"#;

#[test]
fn a_file_of_properties_tells_what_tables_columns_and_metrics_mean() {
    let read = from_dbt(PROPERTIES, DbtFile::Properties, &shop()).unwrap();
    assert_eq!(
        said(&read.definitions),
        [
            "customers [customers] One row per customer, whoever ordered once.\n ()",
            "first order [customers.first_order] Day of the first order: \"NULL\" before it (debut,Erstbestellung)",
            "total [marts.Fct_Orders.total] Gross amount, in cents. (revenue)",
            "customers [customers] As the shop writes them. ()",
            "gmv [-] Sum of all totals. ()",
        ]
    );
    assert_eq!(read.notes.len(), 2, "{:?}", read.notes);
    assert!(read.notes[0].starts_with("2 descriptions") && read.notes[1].contains("manifest.json"));
}

#[test]
fn a_manifest_tells_the_same_of_what_was_built() {
    let manifest = r#"{"metadata": {}, "nodes": {
        "model.shop.orders": {"resource_type": "model", "name": "orders", "alias": "fct_orders", "schema": "marts",
            "description": "All orders.", "columns": {"total": {"name": "total", "description": "In cents."}}},
        "test.shop.x": {"resource_type": "test", "name": "customers", "description": "no"}},
        "sources": {"source.shop.raw.customers": {"resource_type": "source", "name": "customers", "identifier": "customers",
            "schema": "raw", "description": "As written.", "columns": {}}},
        "metrics": {}}"#;
    let read = from_dbt(manifest, DbtFile::Manifest, &shop()).unwrap();
    assert_eq!(
        said(&read.definitions),
        [
            "fct orders [marts.Fct_Orders] All orders. ()",
            "total [marts.Fct_Orders.total] In cents. ()",
            "customers [customers] As written. ()",
        ]
    );
    assert!(read.notes.is_empty());
}

#[test]
fn a_file_of_something_else_is_refused_with_the_reason() {
    let read = |text: &str, file| from_dbt(text, file, &shop()).unwrap_err();
    assert!(matches!(read("a: [1, 2", DbtFile::Properties), UnreadableDbt::Format(_)));
    assert!(matches!(read("{", DbtFile::Manifest), UnreadableDbt::Format(_)));
    assert_eq!(read("name: my_project\nversion: 1", DbtFile::Properties), UnreadableDbt::NothingKnown);
    assert_eq!(read("[]", DbtFile::Manifest), UnreadableDbt::NothingKnown);
    let laughs = "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n\
        d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n\
        g: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n";
    assert!(matches!(read(laughs, DbtFile::Properties), UnreadableDbt::Format(_)), "it does not grow without end");
}

#[test]
fn comments_of_the_database_are_definitions_too() {
    assert_eq!(said(&from_comments(&shop())), ["total [marts.Fct_Orders.total] In cents. ()"]);
}

#[test]
fn a_column_named_like_a_boolean_of_yaml_keeps_its_description() {
    let catalog = Catalog { tables: vec![table(None, "answers", &["n", "yes"])], ..shop() };
    let text = "models:\n  - name: answers\n    columns:\n      - name: n\n        description: Number of answers.\n      - name: yes\n        description: Number of consents.\n";
    let imported = from_dbt(text, DbtFile::Properties, &catalog).unwrap();
    assert_eq!(
        said(&imported.definitions),
        ["n [answers.n] Number of answers. ()", "yes [answers.yes] Number of consents. ()"]
    );
}
