//! Tests which questions are suggested for which data.

use super::*;
use vitrine_domain::{
    Column, ColumnProfile, Dialect, ForeignKey, SemanticKind, Table, TableKind, TableName, TableProfile,
};

fn make_column(name: &str, kind: SemanticKind, distinct: u64) -> ColumnProfile {
    ColumnProfile { name: name.into(), kind, distinct, ..ColumnProfile::default() }
}

fn category_column(name: &str, values: &[&str]) -> ColumnProfile {
    let top = values.iter().map(|value| ((*value).to_owned(), 10)).collect();
    ColumnProfile { top, ..make_column(name, SemanticKind::Dimension, values.len() as u64) }
}

fn amount_column(name: &str, mean: f64, stddev: f64) -> ColumnProfile {
    let numbers = (Some(mean.to_string()), Some(stddev));
    ColumnProfile { mean: numbers.0, stddev: numbers.1, ..make_column(name, SemanticKind::Metric, 500) }
}

fn day_column(name: &str, first: &str, last: &str) -> ColumnProfile {
    let ends = (Some(first.to_owned()), Some(last.to_owned()));
    ColumnProfile { min: ends.0, max: ends.1, ..make_column(name, SemanticKind::Time, 300) }
}

fn text_column(name: &str, samples: &[&str], rows: u64) -> ColumnProfile {
    let samples = samples.iter().map(|text| (*text).to_owned()).collect();
    ColumnProfile { samples, ..make_column(name, SemanticKind::Text, rows) }
}

fn make_table(name: &str, rows: u64, columns: Vec<ColumnProfile>, refers: &[(&str, &str)]) -> (Table, TableProfile) {
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

fn make_database(tables: Vec<(Table, TableProfile)>) -> (Catalog, Profile) {
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
fn checked_suggestions((catalog, profile): &(Catalog, Profile)) -> Vec<String> {
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

fn id_column() -> ColumnProfile {
    make_column("id", SemanticKind::Identifier, 1000)
}

#[test]
fn two_tables_with_a_key_are_asked_about_apart_and_together() {
    let shop = make_database(vec![
        make_table(
            "products",
            40,
            vec![
                id_column(),
                text_column("title", &["Green tea", "Dried figs"], 40),
                category_column("SHELF", &["A", "B"]),
            ],
            &[],
        ),
        make_table(
            "order_items",
            1000,
            vec![
                id_column(),
                make_column("product_id", SemanticKind::Identifier, 30),
                category_column("status", &["paid", "open"]),
                amount_column("amount", 20.0, 15.0),
                day_column("day", "2024-01-01", "2024-12-30"),
                ColumnProfile { top: vec![("a@b.de".into(), 1)], ..category_column("email", &["a@b.de", "c@d.de"]) },
            ],
            &[("product_id", "products")],
        ),
    ]);
    let questions = checked_suggestions(&shop);
    insta::assert_snapshot!(questions.join("\n"));
    assert!(questions.iter().all(|text| !text.contains("email") && !text.contains("product id")), "{questions:?}");
}

#[test]
fn names_in_german_are_asked_about_as_they_are() {
    let laden = make_database(vec![
        make_table(
            "Filialen",
            12,
            vec![
                id_column(),
                text_column("Ort", &["Köln", "Bremen", "Ulm"], 12),
                category_column("Region", &["Nord", "Süd"]),
            ],
            &[],
        ),
        make_table(
            "Bestellungen",
            5000,
            vec![
                id_column(),
                make_column("Filiale", SemanticKind::Identifier, 12),
                amount_column("Umsatz_netto", 80.0, 60.0),
                amount_column("Alter_in_Tagen", 40.0, 4.0),
                day_column("Bestelldatum", "2015-02-01", "2025-03-01"),
            ],
            &[("Filiale", "Filialen")],
        ),
    ]);
    let questions = checked_suggestions(&laden);
    insta::assert_snapshot!(questions.join("\n"));
    assert!(questions.contains(&"What is the total Umsatz netto of Bestellungen by year of Bestelldatum?".to_owned()));
}

#[test]
fn a_table_without_numbers_is_counted() {
    let answers = make_database(vec![make_table(
        "answers",
        300,
        vec![id_column(), category_column("mood", &["good", "bad"])],
        &[],
    )]);
    assert_eq!(
        checked_suggestions(&answers),
        ["How many answers are there for each mood?", "How many answers have mood “bad”?"]
    );
    let plain =
        make_database(vec![make_table("notes", 7, vec![id_column(), make_column("text", SemanticKind::Text, 7)], &[])]);
    assert_eq!(checked_suggestions(&plain), ["How many notes are there?"]);
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
        let one = make_database(vec![make_table(
            name,
            7,
            vec![id_column(), make_column("text", SemanticKind::Text, 7)],
            &[],
        )]);
        assert_eq!(checked_suggestions(&one), [format!("How many {asked_for} are there?")]);
    }
}

#[test]
fn nothing_is_asked_of_what_is_empty_or_always_the_same() {
    let still = make_database(vec![
        make_table("gone", 0, vec![id_column(), category_column("status", &["a", "b"])], &[]),
        make_table(
            "same",
            50,
            vec![
                id_column(),
                ColumnProfile { null_ratio: 0.9, ..category_column("rare", &["a", "b"]) },
                ColumnProfile { null_ratio: 1.0, ..make_column("none", SemanticKind::Empty, 0) },
                day_column("day", "2024-01-01", "2024-01-01"),
                category_column("one", &["x"]),
            ],
            &[],
        ),
    ]);
    assert_eq!(checked_suggestions(&still), ["How many rows of same are there?"]);
    assert_eq!(checked_suggestions(&make_database(Vec::new())), [""; 0]);
}
