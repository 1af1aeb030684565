//! Sentences of rules about a query, in the language of the window: each rule once, and none in English. The language
//! is set for the whole process, so this test needs its own process, as nextest provides.

use crate::shop::{catalog, input};
use std::collections::BTreeMap;
use vitrine_domain::{
    Catalog, ColumnProfile, Definition, DefinitionSource, Dialect, Page, Profile, RuleCode, RuleNote, TableName,
    TableProfile,
};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::{
    ADD_VARIANTS, KEY_BY_NAME, QUOTE_NAMES, QuestionFacts, REPLACE_LITERAL, RuleInput, SAME_VALUES, Standing,
    UNUSED_PART, VAGUE_WORD, apply_safe_rules, apply_standing_rules, collect_findings, describe_rules,
    find_path_readings, find_readings, find_variants, repair_names, repair_refused, unknown_rows, unused_parts,
    variants_of_unbound,
};
use vitrine_words::{Language, in_english, set_language};

const TABLES: &str = "
    CREATE TABLE region (id INTEGER PRIMARY KEY, label TEXT);
    CREATE TABLE store (id INTEGER PRIMARY KEY, name TEXT, opened INTEGER, staff INTEGER,
        region INTEGER REFERENCES region (id));
    CREATE TABLE visit (id INTEGER PRIMARY KEY, store_id INTEGER REFERENCES store (id), customer TEXT, day TEXT,
        kind TEXT, price REAL);
    CREATE TABLE guest (visit_id INTEGER REFERENCES visit (id), name TEXT, PRIMARY KEY (visit_id, name));
    CREATE TABLE brand (id INTEGER PRIMARY KEY, label TEXT, shelf_life TEXT);
    CREATE TABLE stock (store INTEGER REFERENCES store (id), brand INTEGER REFERENCES brand (id),
        PRIMARY KEY (store, brand));
    CREATE TABLE maker (nr INTEGER PRIMARY KEY);
    CREATE TABLE line (nr INTEGER, part INTEGER, tags TEXT[], made DATE, parcels STRUCT(weight INTEGER)[],
        PRIMARY KEY (nr, part));
    CREATE TABLE basket (id INTEGER PRIMARY KEY, worth REAL, packed DATE);
    CREATE TABLE basket_item (basket_id INTEGER REFERENCES basket (id), item_no INTEGER, paid REAL,
        PRIMARY KEY (basket_id, item_no));
    CREATE TABLE ticket (\"order\" INTEGER);
    CREATE TABLE gift (nr INTEGER, part INTEGER, FOREIGN KEY (nr, part) REFERENCES line (nr, part));";

/// One query for each rule, with a question for which the rule applies.
const QUERIES: [(&str, Dialect, &str, &str); 51] = [
    ("N001", Dialect::Sqlite, "", "SELECT b.label FROM store s JOIN brand b ON s.id = b.store_id"),
    ("N001", Dialect::Sqlite, "", "SELECT v.day FROM store s JOIN visit v ON s.visit_id = v.id"),
    ("N002", Dialect::Sqlite, "", "SELECT custmer FROM visit"),
    ("N003", Dialect::Sqlite, "", "SELECT s.day FROM visit v JOIN store s ON v.store_id = s.id WHERE v.price > 3"),
    ("N008", Dialect::Sqlite, "", "SELECT v.name FROM store s JOIN visit v ON s.id = v.store_id WHERE s.staff > 3"),
    (
        "N004",
        Dialect::Sqlite,
        "",
        "SELECT s.name, COUNT(g.visit_id) FROM store s JOIN guest g ON s.id = g.store_id GROUP BY s.name",
    ),
    ("N006", Dialect::Sqlite, "", "SELECT order FROM ticket"),
    ("N007", Dialect::Sqlite, "Which ids are in stock?", "SELECT id FROM stock"),
    ("R001", Dialect::Sqlite, "", "SELECT strftime('%Y', opened) FROM store"),
    ("R002", Dialect::Duckdb, "", "SELECT tag FROM line, unnest(tags) AS tag"),
    ("R003", Dialect::Postgres, "", "SELECT nr FROM line WHERE tags = 'gift'"),
    ("R004", Dialect::Sqlite, "", "SELECT customer, COUNT(*) FROM visit"),
    ("R007", Dialect::Sqlite, "", "SELECT s.name, v.day FROM store s, visit v WHERE s.staff > 3"),
    ("R008", Dialect::Sqlite, "", "SELECT v.day FROM visit v JOIN store s ON v.store_id = s.name"),
    ("R009", Dialect::Sqlite, "", "SELECT r.label FROM visit v JOIN region r ON v.store_id = r.id"),
    ("R011", Dialect::Sqlite, "", "SELECT SUM(staff) / COUNT(id) FROM store"),
    ("R012", Dialect::Sqlite, "", "SELECT customer FROM visit WHERE day > 9"),
    ("R013", Dialect::Sqlite, "", "SELECT l.nr FROM line l JOIN gift g ON g.nr = l.nr"),
    ("R014", Dialect::Duckdb, "", "SELECT nr FROM line WHERE made LIKE '2023%'"),
    ("R015", Dialect::Duckdb, "", "SELECT nr FROM line WHERE made > date_trunc('year', '2023-01-01')"),
    ("R016", Dialect::Trino, "", "SELECT name FROM store WHERE name ILIKE 'a%' LIMIT 5 OFFSET 5"),
    ("R017", Dialect::Duckdb, "", "SELECT SUM(parcels[1].weight) FROM line"),
    (
        "R018",
        Dialect::Sqlite,
        "",
        "SELECT SUM(CASE WHEN kind = 'late' THEN price END) / SUM(price) FROM visit WHERE kind = 'late'",
    ),
    ("R019", Dialect::Sqlite, "", "SELECT SUM(price) - SUM(price) FROM visit WHERE kind IN ('early', 'late')"),
    ("R020", Dialect::Sqlite, "", "SELECT day, COUNT(DISTINCT day) FROM visit GROUP BY day"),
    ("R020", Dialect::Sqlite, "", "SELECT COUNT(DISTINCT day) FROM visit GROUP BY day HAVING COUNT(*) > 3"),
    ("D001", Dialect::Sqlite, "", "SELECT COUNT(*) FROM maker"),
    ("D002", Dialect::Sqlite, "", "SELECT COUNT(*) FROM store WHERE id NOT IN (SELECT nr FROM maker WHERE nr <> 9)"),
    ("D003", Dialect::Sqlite, "", "SELECT label, COUNT(*) FROM brand GROUP BY label"),
    ("Q006", Dialect::Sqlite, "What is the average basket worth?", "SELECT AVG(paid) FROM basket_item"),
    (
        "Q003",
        Dialect::Sqlite,
        "How many stores are there?",
        "SELECT COUNT(*) FROM store s JOIN visit v ON s.id = v.store_id",
    ),
    (
        "Q005",
        Dialect::Sqlite,
        "Which stores have no visit of Ann?",
        "SELECT s.name FROM store s JOIN visit v ON s.id = v.store_id WHERE v.customer <> 'Ann'",
    ),
    (
        "A001",
        Dialect::Sqlite,
        "Which early visits and late visits of Ann are there?",
        "SELECT day FROM visit WHERE kind IN ('early', 'late') AND customer = 'Ann'",
    ),
    (
        "A002",
        Dialect::Sqlite,
        "Which brands has each store?",
        "SELECT s.name, b.label FROM store s JOIN stock k ON k.store = s.id JOIN brand b ON b.id = k.brand",
    ),
    ("V004", Dialect::Sqlite, "What did we earn?", "SELECT SUM(price) FROM visit"),
    ("L010", Dialect::Sqlite, "", "SELECT SUM(price) - SUM(price) FROM visit"),
    (
        "L010",
        Dialect::Sqlite,
        "",
        "SELECT AVG(CASE WHEN kind = 'late' THEN 1.0 ELSE 0 END) FROM visit WHERE kind = 'late'",
    ),
    ("L010", Dialect::Sqlite, "", "SELECT SUM(CASE WHEN kind = 'late' THEN 1 END) FROM visit WHERE kind = 'early'"),
    ("L001", Dialect::Sqlite, "Visits of 2023 and 1999?", "SELECT COUNT(price) FROM visit WHERE store_id = 4"),
    ("L002", Dialect::Sqlite, "What is the shelf life of each brand?", "SELECT label FROM brand"),
    ("L003", Dialect::Sqlite, "", "SELECT s.name FROM store s JOIN maker m ON s.id = m.nr"),
    (
        "L006",
        Dialect::Sqlite,
        "Which visits do not have the customer Ann?",
        "SELECT id FROM visit WHERE customer = 'Ann'",
    ),
    (
        "L007",
        Dialect::Sqlite,
        "What is the day of all visits by Ann?",
        "SELECT day FROM visit WHERE customer = 'Bertha'",
    ),
    ("L008", Dialect::Duckdb, "", "SELECT COUNT(*) FROM line WHERE tags[1] = 'gift'"),
    ("L011", Dialect::Sqlite, "", "SELECT day, COUNT(*) FROM visit GROUP BY day"),
    ("L012", Dialect::Sqlite, "What is the name of the largest store?", "SELECT name FROM guest"),
    ("L009", Dialect::Sqlite, "", "SELECT json_extract(customer, '$.Age') FROM visit"),
    ("L013", Dialect::Sqlite, "Which visits of 2024 cost 7?", "SELECT day FROM visit WHERE price = 8"),
    ("L014", Dialect::Duckdb, "Which basket is the latest?", "SELECT MAX(worth) FROM basket"),
    ("V006", Dialect::Sqlite, "", "SELECT COUNT(*) FROM visit WHERE price <> 5"),
    ("V007", Dialect::Sqlite, "", "SELECT name FROM store WHERE id NOT IN (SELECT store_id FROM visit)"),
];

fn described(dialect: Dialect) -> Catalog {
    let mut catalog = catalog(dialect, TABLES);
    let visit = catalog.tables.iter_mut().find(|table| table.name.name == "visit").expect("it is there");
    visit.comment = Some("cancelled visits do not count".to_owned());
    catalog
}

/// Days are numbers stored as text, stores have opening years, and some visits were cancelled.
fn profile() -> Profile {
    let opened = ColumnProfile {
        name: "opened".into(),
        min: Some("1987".into()),
        max: Some("2024".into()),
        ..ColumnProfile::default()
    };
    let day = ColumnProfile {
        name: "day".into(),
        hidden: Some("number".into()),
        top: vec![("7".into(), 1)],
        ..ColumnProfile::default()
    };
    let paths = vec![("age".to_owned(), "integer".to_owned())];
    let customer = ColumnProfile { name: "customer".into(), paths, ..ColumnProfile::default() };
    let kind = ColumnProfile {
        name: "kind".into(),
        top: vec![("kept".into(), 90), ("cancelled".into(), 2)],
        complete: true,
        ..ColumnProfile::default()
    };
    let table = |name: &str, columns| TableProfile {
        table: TableName::from_unqualified(name),
        row_count: Some(400),
        profiled_rows: 400,
        columns,
    };
    let number = ColumnProfile {
        name: "item_no".into(),
        top: vec![("1".into(), 300), ("2".into(), 100)],
        complete: true,
        ..ColumnProfile::default()
    };
    let tables = vec![
        table("basket_item", vec![number]),
        table("store", vec![opened]),
        table("visit", vec![customer, day, kind]),
    ];
    Profile { tables, ..Profile::default() }
}

/// Returns all sentences of rules about a query: changes, variants and findings.
fn notes(dialect: Dialect, question: &str, sql: &str) -> Vec<RuleNote> {
    let (catalog, profile) = (described(dialect), profile());
    let facts = QuestionFacts::from_question(question, &catalog);
    let always = Definition {
        term: "maker".to_owned(),
        synonyms: Vec::new(),
        meaning: "9".to_owned(),
        condition: Some("nr <> 9".to_owned()),
        always: true,
        subject: Some("maker".to_owned()),
        source: DefinitionSource::User,
    };
    let merged = Definition {
        term: "Acme".to_owned(),
        synonyms: vec!["ACME".to_owned()],
        meaning: String::new(),
        condition: None,
        subject: Some("brand.label".to_owned()),
        ..always.clone()
    };
    let known = Standing::from_definitions(&[always, merged], &catalog, question);
    let input = RuleInput { standing: &known, ..input(&catalog, &profile, &facts) };
    let sql = ReadOnlySql::parse(sql, dialect).expect("a query");
    let changed = [
        repair_names(&sql, &input).ok().flatten(),
        apply_safe_rules(&sql, &input),
        repair_refused(&sql, &input),
        apply_standing_rules(&sql, &input),
    ];
    let beside = find_variants(&sql, &input).into_iter().chain(variants_of_unbound(&sql, &input));
    let readings = find_readings(&sql, &input).into_iter().chain(find_path_readings(&sql, &input));
    let beside = beside.chain(readings).flat_map(|variant| {
        let rule = variant.rule;
        let notes = std::iter::once(variant.note).chain(variant.as_written);
        notes.map(move |note| RuleNote { rule: rule.clone(), note })
    });
    let unknown = unknown_rows(&sql, &input).into_iter().flat_map(|unknown| {
        let notes = [None, Some(1), Some(3)].map(|rows| unknown.describe_change(rows));
        notes.map(|note| RuleNote { rule: unknown.rule.clone(), note })
    });
    let unused = unused_parts(&sql, &input, &[], &Page::default());
    let unused = unused.into_iter().map(|note| RuleNote { rule: UNUSED_PART, note });
    changed
        .into_iter()
        .flatten()
        .flat_map(|changed| changed.changes)
        .chain(beside)
        .chain(unknown)
        .chain(unused)
        .chain(collect_findings(&sql, &input))
        .collect()
}

#[test]
fn no_rule_speaks_english_in_another_language() {
    for (language, catalog) in [
        (Language::German, include_str!("../../../../../ui/locales/program/de.po")),
        (Language::French, include_str!("../../../../../ui/locales/program/fr.po")),
    ] {
        set_language(language, catalog);
        let mut told: BTreeMap<String, String> = BTreeMap::new();
        for (rule, dialect, question, sql) in QUERIES {
            let (english, other) = (in_english(|| notes(dialect, question, sql)), notes(dialect, question, sql));
            assert!(english.iter().any(|note| note.rule.contains(rule)), "{rule}: {english:#?}");
            assert_eq!(english.len(), other.len(), "{rule}");
            for (english, other) in english.into_iter().zip(other) {
                assert_eq!(english.rule, other.rule);
                assert_ne!(english.note, other.note, "{language:?}");
                // Words that exist in neither German nor French.
                let is_english = |word: &str| matches!(word, "the" | "of" | "which" | "were" | "it" | "its" | "is");
                assert!(!other.note.split(' ').any(is_english), "{language:?} {}: {}", other.rule, other.note);
                told.extend(other.rule.split('+').map(|rule| (rule.to_owned(), other.note.clone())));
            }
        }
        // These rules need a text or looked-up values, or their sentence comes from a model in the language of the
        // question.
        let elsewhere = [QUOTE_NAMES, REPLACE_LITERAL, KEY_BY_NAME, ADD_VARIANTS, SAME_VALUES, VAGUE_WORD];
        let silent = describe_rules().into_iter().map(|rule| rule.code).filter(|code| !elsewhere.contains(code));
        let silent: Vec<RuleCode> = silent.filter(|code| !told.contains_key(code.as_str())).collect();
        assert!(silent.is_empty(), "nothing was heard of {silent:?}");
    }
}
