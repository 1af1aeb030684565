//! Tests descriptions of interpretations, and that they never contain SQL.

use super::*;
use proptest::prelude::*;
use vitrine_domain::{CellType, Column, Dialect, ForeignKey, ResultColumn, Table, TableKind, TableName};

/// Queries of all kinds, one per line; not each is valid in every dialect.
const QUERIES: &str = include_str!("../../../sql-steps/src/queries.sql");

fn make_table(name: &str, columns: &[&str], key: &[&str], refers: &[(&str, &str)]) -> Table {
    let column = |name: &&str| Column { name: (*name).into(), data_type: "TEXT".into(), nullable: true, comment: None };
    let foreign = |(column, to): &(&str, &str)| ForeignKey {
        columns: vec![(*column).into()],
        ref_table: TableName::from_unqualified(*to),
        ref_columns: vec!["id".into()],
    };
    Table {
        name: TableName::from_unqualified(name),
        kind: TableKind::Table,
        comment: None,
        row_count: None,
        columns: columns.iter().map(column).collect(),
        primary_key: key.iter().map(|name| (*name).into()).collect(),
        definition: None,
        unique_keys: Vec::new(),
        foreign_keys: refers.iter().map(foreign).collect(),
    }
}

fn make_catalog(dialect: Dialect) -> Catalog {
    let mut tables = vec![
        make_table("cities", &["city", "region"], &["city"], &[]),
        make_table("customers", &["id", "name", "city", "age", "active"], &["id"], &[]),
        make_table(
            "orders",
            &["id", "customer_id", "total", "day", "status"],
            &["id"],
            &[("customer_id", "customers")],
        ),
        make_table("items", &["id", "order_id", "price", "quantity"], &["id"], &[("order_id", "orders")]),
        make_table("typed", &["code", "num", "label"], &[], &[]),
        make_table("odd table", &["order total", "group"], &[], &[]),
        make_table("Bestellungen", &["id", "filiale", "umsatz", "größe", "注文"], &["id"], &[("filiale", "Filialen")]),
        make_table("Filialen", &["id", "ort", "umsatz"], &["id"], &[]),
    ];
    tables[6].columns[2].comment = Some("Umsatz in Euro".into());
    tables[6].columns[3].comment = Some("Wie groß die Lieferung war; in Litern (gerundet)".into());
    tables[7].comment = Some("Läden".into());
    Catalog {
        database: String::new(),
        dialect,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: String::new(),
        tables,
    }
}

/// Returns a result with one cell.
fn one_cell_page(cell: &str) -> Page {
    Page {
        columns: vec![ResultColumn::new("count(*)", CellType::Text)],
        rows: vec![vec![Some(cell.to_owned())]],
        row_count: 1,
        truncated: false,
    }
}

fn describe_queries(queries: &[&str], dialect: Dialect) -> Vec<String> {
    let sql: Vec<ReadOnlySql> = queries.iter().map(|text| ReadOnlySql::parse(text, dialect).expect(text)).collect();
    let pages: Vec<Page> = (0..queries.len()).map(|at| one_cell_page(&at.to_string())).collect();
    let all: Vec<Meant<'_>> = sql.iter().zip(&pages).map(|(sql, page)| Meant { sql, page, effects: &[] }).collect();
    describe_readings(&all, &make_catalog(dialect))
}

/// Returns the parts of a line outside of quotation marks, which do not come from the database.
fn strip_quoted(line: &str) -> String {
    line.split('“').map(|part| part.split_once('”').map_or(part, |(_, rest)| rest)).collect()
}

/// Reports a character of SQL syntax in a line.
fn sign_in(line: &str) -> Option<String> {
    let sign = strip_quoted(line).chars().find(|c| "()[]{}<>=*|`\"'+/%!".contains(*c));
    sign.map(|sign| format!("the sign {sign} in: {line}"))
}

/// Reports why a line is not in plain words.
fn not_plain(line: &str) -> Option<String> {
    const SQL: [&str; 19] = [
        "select", "distinct", "count", "null", "cast", "having", "join", "like", "ilike", "case", "when", "desc",
        "asc", "coalesce", "limit", "varchar", "strftime", "substr", "exists",
    ];
    let own = strip_quoted(line);
    let word = own.split(|c: char| !c.is_alphanumeric() && c != '_').find(|w| SQL.contains(&w.to_lowercase().as_str()));
    sign_in(line).or_else(|| word.map(|word| format!("the word {word} in: {line}")))
}

#[test]
fn readings_are_told_by_what_they_mean() {
    let cases: &[&[&str]] = &[
        &[
            "SELECT COUNT(*) FROM customers",
            "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE day >= '2025-01-01'",
            "SELECT city, COUNT(*) FROM customers GROUP BY city",
        ],
        &["SELECT SUM(total) FROM orders", "SELECT AVG(total) AS revenue FROM orders", "SELECT MAX(total) FROM orders"],
        &["SELECT COUNT(*) FROM orders WHERE status = 'paid'", "SELECT COUNT(*) FROM orders"],
        &[
            "SELECT name FROM customers WHERE age > (SELECT AVG(age) FROM customers)",
            "SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > 5)",
            "SELECT name FROM customers WHERE NOT (age > 5 OR active)",
        ],
        &[
            "SELECT SUM(price * quantity) FROM items WHERE price > 3 OR (quantity > 2 AND price < 1)",
            "SELECT SUM(price * (quantity - 1)) FROM items",
        ],
        &[
            "SELECT name, SUM(total) AS spent FROM customers JOIN orders ON orders.customer_id = customers.id GROUP BY name ORDER BY spent DESC LIMIT 3",
            "SELECT name, total FROM customers JOIN orders ON orders.customer_id = customers.id ORDER BY total DESC LIMIT 1",
        ],
        &["SELECT DISTINCT city FROM customers", "SELECT city FROM customers"],
        &[
            "SELECT SUM(umsatz) FROM Bestellungen",
            "SELECT SUM(b.umsatz) FROM Bestellungen b JOIN Filialen f ON b.filiale = f.id WHERE f.ort = 'Köln'",
        ],
        &[
            "SELECT COUNT(DISTINCT filiale) FROM Bestellungen WHERE größe > 3",
            "SELECT COUNT(DISTINCT id) FROM Filialen",
        ],
        &["SELECT city FROM customers INTERSECT SELECT city FROM cities", "SELECT city FROM cities"],
        &[
            "SELECT COUNT(*) FROM orders WHERE status = 'paid'",
            "SELECT COUNT(*) FROM orders WHERE trim(status) = 'paid'",
        ],
        &["SELECT COUNT(*) FROM orders WHERE substr(day, 1, 4) = '2023'", "SELECT COUNT(*) FROM orders"],
    ];
    let mut told = String::new();
    for queries in cases {
        for (query, line) in queries.iter().zip(describe_queries(queries, Dialect::Duckdb)) {
            assert_eq!(not_plain(&line), None);
            told.push_str(&format!("{query}\n    {line}\n"));
        }
        told.push('\n');
    }
    insta::assert_snapshot!(told);
}

#[test]
fn days_and_decimals_are_told_as_the_language_writes_them() {
    use vitrine_words::{Language, set_language};
    let told = || {
        let conditions = [
            "day >= '2025-01-31' AND total > 12.5",
            // Neither is a day: a product's code, and a date that does not exist.
            "status = '2025-77' AND day = '2025-02-30'",
        ];
        let queries = conditions.map(|condition| format!("SELECT count(*) FROM orders WHERE {condition}"));
        describe_queries(&queries.each_ref().map(String::as_str), Dialect::Duckdb).join("\n")
    };
    for (language, day, decimal) in [
        (Language::German, "31.01.2025", "12,5"),
        (Language::French, "31/01/2025", "12,5"),
        (Language::English, "2025-01-31", "12.5"),
    ] {
        set_language(language, "");
        let told = told();
        for part in [day, decimal, "2025-77", "2025-02-30"] {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
}

#[test]
fn no_query_of_any_kind_is_told_with_sql() {
    for dialect in [Dialect::Sqlite, Dialect::Duckdb, Dialect::Postgres] {
        let parses = |line: &&str| ReadOnlySql::parse(line, dialect).is_ok();
        let queries: Vec<&str> = QUERIES.lines().filter(parses).collect();
        assert!(queries.len() > 100, "{}", queries.len());
        for pair in queries.windows(2) {
            // Columns have names such as `row_count` here; a function would have parentheses.
            describe_queries(pair, dialect).iter().for_each(|line| assert_eq!(sign_in(line), None, "{pair:?}"));
        }
    }
}

fn value_strategy() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("umsatz".to_owned()),
        Just("größe".to_owned()),
        Just("注文".to_owned()),
        (0..1000u32).prop_map(|n| n.to_string()),
        Just("'K(ö)ln = 5'".to_owned()),
        Just("'2024-01-01'".to_owned()),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            (inner.clone(), "[-+*/]", inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("coalesce({a}, {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} || {b}")),
            inner.clone().prop_map(|a| format!("lower({a})")),
            inner.clone().prop_map(|a| format!("substr({a}, 1, 4)")),
            inner.clone().prop_map(|a| format!("CAST({a} AS INTEGER)")),
            inner.clone().prop_map(|a| format!("strftime('%Y', {a})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("CASE WHEN {a} > 3 THEN {b} ELSE 0 END")),
        ]
    })
}

fn condition_strategy() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        (value_strategy(), "=|<>|<|>=", value_strategy()).prop_map(|(a, op, b)| format!("{a} {op} {b}")),
        value_strategy().prop_map(|a| format!("{a} IS NOT NULL")),
        value_strategy().prop_map(|a| format!("{a} LIKE '%x%'")),
        (value_strategy(), value_strategy()).prop_map(|(a, b)| format!("{a} NOT BETWEEN {b} AND 7")),
        value_strategy().prop_map(|a| format!("{a} IN (1, 2)")),
        value_strategy().prop_map(|a| format!("{a} IN (SELECT ort FROM Filialen WHERE id > 2)")),
        Just("umsatz > (SELECT AVG(umsatz) FROM Filialen)".to_owned()),
        Just("EXISTS (SELECT 1 FROM Filialen f WHERE f.id = filiale)".to_owned()),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            (inner.clone(), "AND|OR", inner.clone()).prop_map(|(a, op, b)| format!("({a} {op} {b})")),
            inner.prop_map(|a| format!("NOT ({a})")),
        ]
    })
}

fn query_strategy() -> impl Strategy<Value = String> {
    let output = prop_oneof![
        value_strategy(),
        Just("COUNT(*)".to_owned()),
        value_strategy().prop_map(|a| format!("COUNT(DISTINCT {a})")),
        value_strategy().prop_map(|a| format!("SUM({a}) AS n")),
        value_strategy().prop_map(|a| format!("RANK() OVER (ORDER BY {a} DESC)")),
    ];
    let outputs = prop::collection::vec(output, 1..3).prop_map(|all| all.join(", "));
    let rest = prop_oneof![
        Just(String::new()),
        value_strategy().prop_map(|a| format!(" GROUP BY {a} HAVING COUNT(*) > 2")),
        value_strategy().prop_map(|a| format!(" ORDER BY {a} DESC LIMIT 3")),
    ];
    (outputs, prop::option::of(condition_strategy()), rest).prop_map(|(outputs, only, rest)| {
        let only = only.map(|only| format!(" WHERE {only}")).unwrap_or_default();
        format!("SELECT {outputs} FROM Bestellungen{only}{rest}")
    })
}

proptest! {
    #[test]
    fn readings_never_hold_sql(queries in prop::collection::vec(query_strategy(), 2..4)) {
        let queries: Vec<&str> = queries.iter().map(String::as_str).collect();
        let lines = describe_queries(&queries, Dialect::Sqlite);
        for line in &lines {
            prop_assert_eq!(not_plain(line), None);
            prop_assert!(!line.trim().is_empty());
        }
    }
}
