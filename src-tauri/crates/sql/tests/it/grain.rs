//! The entity that one row of a join represents.

use crate::fixtures::catalog;
use vitrine_domain::Dialect;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{Grain, Matches, each_select, parse_expr};

const SHOP: &str = "
    CREATE TABLE region (code TEXT PRIMARY KEY, label TEXT UNIQUE);
    CREATE TABLE customer (id INT PRIMARY KEY, name TEXT, region TEXT REFERENCES region(code));
    CREATE TABLE passport (nr TEXT PRIMARY KEY, holder INT UNIQUE REFERENCES customer(id));
    CREATE TABLE purchase (id INT PRIMARY KEY, buyer INT REFERENCES customer(id), placed TEXT);
    CREATE TABLE line (purchase INT, pos INT, product INT, amount REAL, PRIMARY KEY (purchase, pos));
    CREATE TABLE price (product INT, valid_in INT, price REAL, UNIQUE (product, valid_in));
    CREATE TABLE visit (customer INT REFERENCES customer(id), page TEXT);
    CREATE TABLE note (of_customer INT, text TEXT);";

/// Returns the number of times that a row of the first table occurs in the rows of the join.
fn repeats(from: &str) -> Matches {
    let catalog = catalog(Dialect::Sqlite, SHOP);
    let sql = ReadOnlySql::parse(&format!("SELECT 1 FROM {from}"), Dialect::Sqlite).unwrap();
    let mut found = None;
    each_select(&sql, &catalog, |_, select, tables| found = Some(Grain::from_select(select, tables).count_repeats(0)));
    found.expect("a SELECT")
}

#[test]
fn a_key_that_is_joined_by_lets_each_row_stand_once() {
    for from in [
        "customer",
        "customer c JOIN region r ON c.region = r.code",
        "customer c LEFT JOIN region r ON r.code = c.region",
        "customer c JOIN region r ON c.region = r.label",
        "customer c JOIN passport p ON p.holder = c.id",
        "purchase p JOIN customer c ON c.id = p.buyer JOIN region r ON r.code = c.region",
        // Through columns that are equal to the key.
        "purchase p JOIN passport s ON s.holder = p.buyer JOIN customer c ON c.id = s.holder",
        // All columns of a key, one of them set to a constant.
        "line l JOIN price p ON p.product = l.product AND p.valid_in = 2024",
        "line l JOIN price p ON p.product = l.product WHERE p.valid_in = 2024",
        "line l JOIN purchase p ON l.purchase = p.id JOIN line again ON again.purchase = p.id AND again.pos = l.pos",
        "customer c, region r WHERE c.region = r.code",
        "customer c CROSS JOIN region r WHERE r.code = 'EU'",
    ] {
        assert_eq!(repeats(from), Matches::One, "{from}");
    }
}

#[test]
fn another_column_repeats_the_row() {
    for from in [
        "customer c JOIN purchase p ON p.buyer = c.id",
        "region r JOIN customer c ON c.region = r.code JOIN passport p ON p.holder = c.id",
        "customer c LEFT JOIN visit v ON v.customer = c.id",
        "purchase p JOIN line l ON l.purchase = p.id",
        "line l JOIN price p ON p.product = l.product",
        "customer c, region r",
        "customer c JOIN region r ON c.region <> r.code",
        // A table behind one with unknown keys.
        "note n JOIN note m ON m.text = n.text JOIN purchase p ON p.buyer = m.of_customer",
    ] {
        assert_eq!(repeats(from), Matches::Several, "{from}");
    }
}

#[test]
fn without_keys_nothing_is_known() {
    assert_eq!(repeats("customer c JOIN note n ON n.of_customer = c.id"), Matches::Unknown);
}

#[test]
fn constants_settle_columns() {
    let catalog = catalog(Dialect::Sqlite, SHOP);
    let constant = |column: &str, rest: &str| {
        let sql = format!("SELECT 1 FROM customer c {rest}");
        let sql = ReadOnlySql::parse(&sql, Dialect::Sqlite).unwrap();
        let column = parse_expr(column, Dialect::Sqlite).unwrap();
        let mut found = None;
        each_select(&sql, &catalog, |_, select, tables| {
            found = Some(Grain::from_select(select, tables).is_constant(&column))
        });
        found.expect("a SELECT")
    };
    let joined = |condition: &str| format!("JOIN purchase p ON p.buyer = c.id WHERE {condition}");
    assert!(constant("c.name", &joined("c.id = 5")));
    assert!(constant("c.name", &joined("p.id = 5")));
    assert!(constant("p.placed", &joined("p.placed = '2024-01-01'")));
    assert!(!constant("c.id", &joined("c.name = 'Ada'")));
    assert!(!constant("c.name", &joined("c.id = 5 OR c.id = 6")));
    // A customer without such a visit has NULL as page.
    assert!(!constant("v.page", "LEFT JOIN visit v ON v.customer = c.id AND v.page = 'home'"));
}
