//! One query over several warehouses.

use crate::support::Desk;
use serde_json::{Value, json};

fn desk() -> (Desk, Vec<String>) {
    let desk = Desk::new();
    std::fs::write(desk.path("targets.csv"), "country,target\nUK,5\nUS,7\nFR,9\n").unwrap();
    let sources = vec![
        "--warehouse".to_owned(),
        format!("shop={}", desk.shop()),
        "--warehouse".to_owned(),
        "plan=targets.csv".to_owned(),
    ];
    (desk, sources)
}

fn with<'a>(first: &[&'a str], sources: &'a [String], rest: &[&'a str]) -> Vec<&'a str> {
    first.iter().copied().chain(sources.iter().map(String::as_str)).chain(rest.iter().copied()).collect()
}

const JOIN: &str = "SELECT t.country, t.target, count(c.id) AS n FROM plan.targets t LEFT JOIN shop.customers c \
                    ON c.country = t.country GROUP BY ALL ORDER BY t.country";

#[test]
fn tables_of_two_warehouses_meet_in_one_query() {
    let (desk, sources) = desk();
    let said = desk.run(&with(&["query"], &sources, &[JOIN]));
    assert_eq!(said.status, 0, "{}", said.err);
    let lines: Vec<&str> = said.out.lines().skip(2).map(str::trim_end).collect();
    assert_eq!(lines, ["FR            9  0", "UK            5  1", "US            7  1"], "{}", said.out);
    assert!(said.err.contains("plan: 3 rows") && said.err.contains("shop: "), "{}", said.err);

    let said = desk.run(&with(&["query"], &sources, &[JOIN, "--json"]));
    let result: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(result["rows"], json!([["FR", 9, 0], ["UK", 5, 1], ["US", 7, 1]]));
    let reads = result["sources"].as_array().unwrap();
    assert_eq!(reads.len(), 2);
    for read in reads {
        assert!(read["sql"].as_str().unwrap().starts_with("SELECT"), "{read}");
        assert!(
            read["rows"].as_u64().is_some() && read["bytes"].as_u64().is_some() && read["seconds"].as_f64().is_some()
        );
    }
    let said = desk.run(&with(&["query"], &sources, &[JOIN, "--out", "out.csv"]));
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(std::fs::read_to_string(desk.path("out.csv")).unwrap().lines().count(), 4);
    let said = desk.run(&with(&["query"], &sources, &[JOIN, "--dry-run"]));
    assert_eq!((said.status, said.out.as_str()), (0, "country\ntarget\nn\n"), "{}", said.err);
}

#[test]
fn each_source_has_its_own_queries_in_the_audit() {
    let (desk, sources) = desk();
    assert_eq!(desk.run(&with(&["query"], &sources, &[JOIN])).status, 0);
    let said = desk.run(&["audit", "list", "--json"]);
    assert!(said.out.contains("shop.db") && said.out.contains("targets.csv"), "{}", said.out);
}

#[test]
fn wrong_names_are_refused_before_anything_is_read() {
    let (desk, sources) = desk();
    for (arguments, status, said) in [
        (vec!["query", "--warehouse", "a=targets.csv", "--warehouse", "targets.csv", "SELECT 1"], 2, "needs a name"),
        (
            vec!["query", "--warehouse", "1a=targets.csv", "--warehouse", "b=shop.db", "SELECT 1"],
            2,
            "cannot name a source",
        ),
        (
            vec!["query", "--warehouse", "main=targets.csv", "--warehouse", "b=shop.db", "SELECT 1"],
            2,
            "cannot name a source",
        ),
        (vec!["query", "--warehouse", "a=targets.csv", "--warehouse", "A=shop.db", "SELECT 1"], 2, "Two sources"),
        (vec!["query", "--warehouse", "a=targets.csv", "--warehouse", "b=missing.db", "SELECT 1"], 4, "b: missing.db"),
        (vec!["query", "--warehouse", "a=targets.csv", "shop.db", "SELECT 1"], 2, "cannot be used with"),
        (vec!["query", "SELECT 1"], 2, "Usage"),
        (with(&["query"], &sources, &["SELECT * FROM customers"]), 3, "shop.customers"),
        (with(&["query"], &sources, &["SELECT * FROM shop.orders"]), 3, "shop has no table orders"),
        (with(&["query"], &sources, &["SELECT nothing FROM shop.customers, plan.targets"]), 3, "nothing"),
        (with(&["query"], &sources, &["DELETE FROM shop.customers"]), 2, "not run"),
        (with(&["query"], &sources, &["SELECT * FROM read_csv('targets.csv')"]), 2, "not run"),
        (
            with(&["query", "--fetch-rows", "2"], &sources, &["SELECT c.name FROM shop.customers c, plan.targets"]),
            3,
            "--fetch-rows",
        ),
    ] {
        let found = desk.run(&arguments);
        assert_eq!(found.status, status, "{arguments:?}: {}{}", found.out, found.err);
        assert!(found.err.contains(said), "{arguments:?}: {}", found.err);
    }
}

#[test]
fn one_warehouse_works_as_before_also_with_an_equals_sign() {
    let (desk, _) = desk();
    std::fs::copy(desk.path("shop.db"), desk.path("a=b.db")).unwrap();
    let sql = "SELECT count(*) AS n FROM customers";
    let sqlite = format!("sqlite:{}", desk.path("a=b.db").display());
    for address in ["shop.db", "a=b.db", sqlite.as_str()] {
        let said = desk.run(&["query", "--warehouse", address, sql]);
        assert_eq!((said.status, said.out.as_str()), (0, "n\n─\n3\n"), "{address}: {}", said.err);
    }
    let said = desk.run(&["query", "--warehouse", "own=shop.db", "SELECT count(*) AS n FROM own.customers"]);
    assert_eq!((said.status, said.out.as_str()), (0, "n\n─\n3\n"), "{}", said.err);
    let said = desk.run(&["query", "--warehouse", "own=a=b.db", "SELECT count(*) AS n FROM own.customers"]);
    assert_eq!((said.status, said.out.as_str()), (0, "n\n─\n3\n"), "{}", said.err);
}
