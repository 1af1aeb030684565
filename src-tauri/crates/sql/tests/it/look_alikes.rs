//! Similar names: a misspelling is repaired, but a different entity is not.

use crate::fixtures::catalog;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{ReadOnlySql, bind_names, repair_names};

fn ledger(dialect: Dialect) -> Catalog {
    catalog(
        dialect,
        "CREATE TABLE trade (id INT PRIMARY KEY, partner TEXT, exports INT, exported_on DATE, balance INT);
         CREATE TABLE station (id INT PRIMARY KEY, name TEXT, altitude INT, max_temp REAL, maxWind REAL, inflow REAL);
         CREATE TABLE plan (id INT PRIMARY KEY, team TEXT, sales_2024 INT, quarter1 INT, costs24 INT, first_half INT);
         CREATE TABLE sales_2024 (id INT PRIMARY KEY, amount INT);
         CREATE TABLE customer (id INT PRIMARY KEY, customer_name TEXT, created_at TEXT, email TEXT, is_active INT);
         CREATE TABLE signup (id INT PRIMARY KEY, customer_id INT REFERENCES customer(id), referrer_id INT, campaign_id INT,
           unit_price REAL);
         CREATE TABLE campaign (id INT PRIMARY KEY, title TEXT, referrerId TEXT);
         CREATE TABLE debit (id INT PRIMARY KEY, paid_before TEXT, net_weight REAL, male INT, maternal TEXT, width INT);",
    )
}

fn repaired(sql: &str, catalog: &Catalog) -> Option<String> {
    let sql = ReadOnlySql::parse(sql, catalog.dialect).unwrap_or_else(|e| panic!("{sql}\n{e}"));
    let found = repair_names(&sql, catalog)?.sql;
    assert_eq!(bind_names(&found, catalog).problems, [], "{}", found.as_str());
    Some(found.as_str().split_whitespace().collect::<Vec<_>>().join(" "))
}

#[test]
fn another_thing_is_no_slip() {
    let mut wrong = Vec::new();
    for dialect in [Dialect::Sqlite, Dialect::Duckdb, Dialect::Postgres] {
        let c = ledger(dialect);
        for sql in [
            // The opposite direction.
            "SELECT imports FROM trade",
            "SELECT t.imports FROM trade AS t",
            "SELECT SUM(imports) FROM trade GROUP BY partner",
            "SELECT partner FROM trade ORDER BY imports DESC",
            "SELECT t.partner FROM trade t WHERE t.imported_on > '2024-01-01'",
            "SELECT min_temp FROM station",
            "SELECT s.min_temp FROM station s",
            "SELECT minWind FROM station",
            "SELECT outflow FROM station",
            "SELECT is_inactive FROM customer",
            "SELECT paid_after FROM debit",
            "SELECT female FROM debit",
            "SELECT paternal FROM debit",
            "SELECT second_half FROM plan",
            // Another measure.
            "SELECT latitude FROM station",
            "SELECT s.latitude FROM station AS s",
            "SELECT weight FROM debit d WHERE d.wight > 3",
            // Another number.
            "SELECT sales_2025 FROM plan",
            "SELECT p.sales_2025 FROM plan AS p",
            "SELECT sales_2014 FROM plan",
            "SELECT quarter2 FROM plan",
            "SELECT costs25 FROM plan",
            "SELECT amount FROM sales_2025",
            "SELECT s.amount FROM sales_2023 AS s",
            // Another table.
            "SELECT id FROM credit",
        ] {
            if let Some(found) = repaired(sql, &c) {
                wrong.push(format!("{dialect:?}: {sql} became {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_slip_is_repaired() {
    let mut wrong = Vec::new();
    let c = ledger(Dialect::Sqlite);
    for (sql, meant) in [
        // Letters missing, doubled, changed or swapped.
        ("SELECT costumer_name FROM customer", "SELECT customer_name FROM customer"),
        ("SELECT c.custmer_name FROM customer AS c", "SELECT c.customer_name FROM customer AS c"),
        ("SELECT id FROM custmer", "SELECT id FROM customer AS custmer"),
        ("SELECT exprots FROM trade", "SELECT exports FROM trade"),
        ("SELECT altitide FROM station", "SELECT altitude FROM station"),
        ("SELECT unit_prise FROM signup", "SELECT unit_price FROM signup"),
        // A different spelling convention.
        ("SELECT customerName FROM customer", "SELECT customer_name FROM customer"),
        ("SELECT created_At, isActive FROM customer", "SELECT created_At, is_active FROM customer"),
        ("SELECT Sales2024 FROM plan", "SELECT sales_2024 FROM plan"),
        ("SELECT max_wind FROM station", "SELECT maxWind FROM station"),
        // Singular and plural.
        ("SELECT id FROM customers", "SELECT id FROM customer AS customers"),
        ("SELECT amount FROM Sales2024", "SELECT amount FROM sales_2024 AS Sales2024"),
        ("SELECT export FROM trade", "SELECT exports FROM trade"),
        // A different spelling of the table's own column takes precedence over an exact match in another table.
        ("SELECT o.referrerId FROM signup AS o", "SELECT o.referrer_id FROM signup AS o"),
        (
            "SELECT o.referrerId FROM signup AS o JOIN campaign AS c ON o.campaign_id = c.id",
            "SELECT o.referrer_id FROM signup AS o JOIN campaign AS c ON o.campaign_id = c.id",
        ),
        (
            "SELECT c.title FROM campaign AS c JOIN signup AS o ON o.campaignId = c.id WHERE o.referrerId = c.referrerId",
            "SELECT c.title FROM campaign AS c JOIN signup AS o ON o.campaign_id = c.id WHERE o.referrer_id = c.referrerId",
        ),
    ] {
        let found = repaired(sql, &c);
        if found.as_deref() != Some(meant) {
            wrong.push(format!("{sql}\n  should become {meant}\n  became {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn of_two_things_that_are_equally_near_neither_is_taken() {
    let c = catalog(
        Dialect::Sqlite,
        "CREATE TABLE t (id INT PRIMARY KEY, amount_net INT, amount_met INT, start_date TEXT, star_date TEXT)",
    );
    for sql in ["SELECT amount_bet FROM t", "SELECT stars_date FROM t WHERE 1 = 1"] {
        assert_eq!(repaired(sql, &c), None, "{sql}");
    }
}
