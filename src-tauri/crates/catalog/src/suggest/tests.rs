//! Tests which questions are suggested for which data.

use super::*;
use vitrine_domain::{
    Column, ColumnProfile, Dialect, ForeignKey, SemanticKind, Table, TableKind, TableName, TableProfile,
};

fn column(name: &str, kind: SemanticKind, distinct: u64) -> ColumnProfile {
    ColumnProfile { name: name.into(), kind, distinct, ..ColumnProfile::default() }
}

fn category(name: &str, values: &[&str]) -> ColumnProfile {
    let top = values.iter().map(|value| ((*value).to_owned(), 10)).collect();
    ColumnProfile { top, ..column(name, SemanticKind::Dimension, values.len() as u64) }
}

fn amount(name: &str, mean: f64, stddev: f64) -> ColumnProfile {
    let numbers = (Some(mean.to_string()), Some(stddev));
    ColumnProfile { mean: numbers.0, stddev: numbers.1, ..column(name, SemanticKind::Metric, 500) }
}

fn day(name: &str, first: &str, last: &str) -> ColumnProfile {
    let ends = (Some(first.to_owned()), Some(last.to_owned()));
    ColumnProfile { min: ends.0, max: ends.1, ..column(name, SemanticKind::Time, 300) }
}

fn named(name: &str, samples: &[&str], rows: u64) -> ColumnProfile {
    let samples = samples.iter().map(|text| (*text).to_owned()).collect();
    ColumnProfile { samples, ..column(name, SemanticKind::Text, rows) }
}

fn table(name: &str, rows: u64, columns: Vec<ColumnProfile>, refers: &[(&str, &str)]) -> (Table, TableProfile) {
    let all = columns.iter().map(|column| Column {
        name: column.name.clone(),
        data_type: "TEXT".into(),
        nullable: true,
        comment: None,
    });
    let foreign_keys = refers.iter().map(|(column, to)| ForeignKey {
        columns: vec![(*column).into()],
        ref_table: TableName::from_unqualified(*to),
        ref_columns: vec!["id".into()],
    });
    let table = Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: Some(rows),
        columns: all.collect(),
        primary_key: vec!["id".into()],
        unique_keys: Vec::new(),
        foreign_keys: foreign_keys.collect(),
        definition: None,
    };
    let profile = TableProfile { table: table.name.clone(), row_count: Some(rows), profiled_rows: rows, columns };
    (table, profile)
}

fn database(tables: Vec<(Table, TableProfile)>) -> (Catalog, Profile) {
    let (tables, profiles) = tables.into_iter().unzip();
    let catalog = Catalog {
        database: String::new(),
        dialect: Dialect::Duckdb,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    };
    (catalog, Profile { tables: profiles, complete: true, ..Profile::default() })
}

/// Returns the suggested questions and asserts that their tables and columns exist.
fn asked((catalog, profile): &(Catalog, Profile)) -> Vec<String> {
    let questions = suggested_questions(catalog, profile);
    assert_eq!(questions, suggested_questions(catalog, profile), "the same each time");
    for question in &questions {
        for (name, columns) in &question.about {
            let table = catalog.find_table(name).unwrap_or_else(|| panic!("{question:?}"));
            assert!(columns.iter().all(|column| table.find_column(column).is_some()), "{question:?}");
        }
    }
    let mut texts: Vec<String> = questions.into_iter().map(|question| question.question).collect();
    let all = texts.len();
    texts.dedup();
    assert_eq!(texts.len(), all, "each once");
    texts
}

fn id() -> ColumnProfile {
    column("id", SemanticKind::Identifier, 1000)
}

#[test]
fn two_tables_with_a_key_are_asked_about_apart_and_together() {
    let shop = database(vec![
        table(
            "products",
            40,
            vec![id(), named("title", &["Green tea", "Dried figs"], 40), category("SHELF", &["A", "B"])],
            &[],
        ),
        table(
            "order_items",
            1000,
            vec![
                id(),
                column("product_id", SemanticKind::Identifier, 30),
                category("status", &["paid", "open"]),
                amount("amount", 20.0, 15.0),
                day("day", "2024-01-01", "2024-12-30"),
                ColumnProfile { top: vec![("a@b.de".into(), 1)], ..category("email", &["a@b.de", "c@d.de"]) },
            ],
            &[("product_id", "products")],
        ),
    ]);
    let questions = asked(&shop);
    insta::assert_snapshot!(questions.join("\n"));
    assert!(questions.iter().all(|text| !text.contains("email") && !text.contains("product id")), "{questions:?}");
}

#[test]
fn names_in_german_are_asked_about_as_they_are() {
    let laden = database(vec![
        table(
            "Filialen",
            12,
            vec![id(), named("Ort", &["Köln", "Bremen", "Ulm"], 12), category("Region", &["Nord", "Süd"])],
            &[],
        ),
        table(
            "Bestellungen",
            5000,
            vec![
                id(),
                column("Filiale", SemanticKind::Identifier, 12),
                amount("Umsatz_netto", 80.0, 60.0),
                amount("Alter_in_Tagen", 40.0, 4.0),
                day("Bestelldatum", "2015-02-01", "2025-03-01"),
            ],
            &[("Filiale", "Filialen")],
        ),
    ]);
    let questions = asked(&laden);
    insta::assert_snapshot!(questions.join("\n"));
    assert!(questions.contains(&"What is the total Umsatz netto of Bestellungen by year of Bestelldatum?".to_owned()));
}

#[test]
fn a_table_without_numbers_is_counted() {
    let answers = database(vec![table("answers", 300, vec![id(), category("mood", &["good", "bad"])], &[])]);
    assert_eq!(asked(&answers), ["How many answers are there for each mood?", "How many answers have mood “bad”?"]);
    let plain = database(vec![table("notes", 7, vec![id(), column("text", SemanticKind::Text, 7)], &[])]);
    assert_eq!(asked(&plain), ["How many notes are there?"]);
}

#[test]
fn a_name_that_may_be_one_thing_is_asked_about_by_its_rows() {
    for (name, asked_for) in [
        ("shop", "rows of shop"),
        ("Kunden", "rows of Kunden"),
        ("address", "rows of address"),
        ("status", "rows of status"),
        ("order_items", "order items"),
        ("people", "people"),
    ] {
        let one = database(vec![table(name, 7, vec![id(), column("text", SemanticKind::Text, 7)], &[])]);
        assert_eq!(asked(&one), [format!("How many {asked_for} are there?")]);
    }
}

#[test]
fn nothing_is_asked_of_what_is_empty_or_always_the_same() {
    let still = database(vec![
        table("gone", 0, vec![id(), category("status", &["a", "b"])], &[]),
        table(
            "same",
            50,
            vec![
                id(),
                ColumnProfile { null_ratio: 0.9, ..category("rare", &["a", "b"]) },
                ColumnProfile { null_ratio: 1.0, ..column("none", SemanticKind::Empty, 0) },
                day("day", "2024-01-01", "2024-01-01"),
                category("one", &["x"]),
            ],
            &[],
        ),
    ]);
    assert_eq!(asked(&still), ["How many rows of same are there?"]);
    assert_eq!(asked(&database(Vec::new())), [""; 0]);
}
