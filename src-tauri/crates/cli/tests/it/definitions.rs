//! `vitrine definitions`: the definitions that questions of a connection use.

use crate::support::Desk;
use serde_json::Value;

fn listed(desk: &Desk, connection: &str) -> Value {
    serde_json::from_str(&desk.run(&["definitions", "list", connection, "--json"]).out).unwrap()
}

#[test]
fn definitions_are_added_changed_listed_and_removed() {
    let desk = Desk::new();
    desk.run(&["connections", "add", "Shop", &desk.shop()]);
    let add = |meaning: &str| desk.run(&["definitions", "add", "shop", "Kunde", meaning, "--synonym", "buyer"]);
    assert_eq!(add("who ordered").status, 0);
    let changed = add("who ordered twice");
    assert!(changed.status == 0 && changed.err.contains("changed"), "{}", changed.err);
    let by_condition = ["definitions", "add", "Shop", "British", "--condition", "country = 'UK'"];
    assert_eq!(desk.run(&by_condition).status, 0);
    assert_eq!(desk.run(&["definitions", "text", "Shop", "Amounts are in euros."]).status, 0);

    let always = ["definitions", "add", "Shop", "test customers", "--of", "customers", "--always", "--condition"];
    let unfit = desk.run(&[&always[..], &["state <> 'x'"]].concat());
    assert!(
        unfit.status == 2 && unfit.err.contains("cannot apply to every answer") && unfit.err.contains("state"),
        "{}",
        unfit.err
    );
    assert_eq!(desk.run(&[&always[..], &["country <> 'UK'"]].concat()).status, 0);
    assert_eq!(listed(&desk, "Shop")["entries"][0]["always"], true);
    assert_eq!(desk.run(&["definitions", "rm", "Shop", "test customers"]).status, 0);

    // Merged values of a column, as stored.
    let merges = ["definitions", "add", "Shop", "UK", "--synonym", "United  Kingdom ", "--always", "--of"];
    assert_eq!(desk.run(&[&merges[..], &["customers.land"]].concat()).status, 2, "there is no such column");
    assert_eq!(desk.run(&[&merges[..], &["customers.country"]].concat()).status, 0);
    assert_eq!(listed(&desk, "Shop")["entries"][0]["synonyms"][0], "United  Kingdom ");
    assert_eq!(desk.run(&["definitions", "rm", "Shop", "UK"]).status, 0);

    // A connection and its address have the same definitions.
    let known = listed(&desk, &desk.shop());
    assert_eq!(known["text"], "Amounts are in euros.");
    assert_eq!(known["entries"].as_array().unwrap().len(), 2);
    assert_eq!(known["entries"][1]["meaning"], "who ordered twice");
    assert_eq!(known["entries"][0]["condition"], "country = 'UK'");
    let shown = desk.run(&["definitions", "list", "Shop"]);
    for told in ["Amounts are in euros.", "Kunde", "buyer", "country = 'UK'"] {
        assert!(shown.out.contains(told), "{told}: {}", shown.out);
    }

    assert_eq!(desk.run(&["definitions", "rm", "Shop", "KUNDE"]).status, 0);
    let lost = desk.run(&["definitions", "rm", "Shop", "Kunde"]);
    assert!(lost.status == 2 && lost.err.contains("Definition 'Kunde' not found"), "{}", lost.err);
    assert_eq!(listed(&desk, "Shop")["entries"].as_array().unwrap().len(), 1);

    assert_eq!(desk.run(&["definitions", "add", "Shop", "Kunde"]).status, 2, "a term alone defines nothing");
    assert_eq!(desk.run(&["definitions", "add", "Shop", " ", "something"]).status, 2);
    assert_eq!(desk.run(&["definitions", "list", "sqlite:missing.db"]).status, 4);
}

#[test]
fn they_are_imported_from_dbt_and_from_comments_once_each() {
    let desk = Desk::new();
    let dbt = "models:\n  - name: customers\n    columns:\n      - name: country\n        description: Where the customer lives.\n        meta:\n          synonyms: [Land]\n";
    std::fs::write(desk.path("schema.yml"), dbt).unwrap();
    let shop = desk.shop();
    let dry = desk.run(&["definitions", "import", &shop, "schema.yml", "--dry-run"]);
    assert!(dry.status == 0 && dry.out.contains("Where the customer lives."), "{}", dry.err);
    assert!(listed(&desk, &shop)["entries"].as_array().unwrap().is_empty(), "only shown");
    let taken = desk.run(&["definitions", "import", &shop, "schema.yml"]);
    assert!(taken.err.contains("1 definition taken over, 0 known"), "{}", taken.err);
    let again = desk.run(&["definitions", "import", &shop, "schema.yml"]);
    assert!(again.err.contains("0 definitions taken over, 1 known"), "{}", again.err);
    let entry = &listed(&desk, &shop)["entries"][0];
    assert_eq!((&entry["source"], &entry["subject"]), (&"dbt".into(), &"customers.country".into()));
    assert_eq!(entry["synonyms"][0], "Land");

    let wrong = desk.run(&["definitions", "import", &shop, "shop.db"]);
    assert!(wrong.status == 2 && wrong.err.contains("not a dbt file"), "{}", wrong.err);
    // SQLite has no comments.
    let comments = desk.run(&["definitions", "import", &shop]);
    assert!(comments.status == 0 && comments.err.contains("0 definitions taken over"), "{}", comments.err);
    let ddl = desk.path("shop.sql");
    std::fs::write(&ddl, "CREATE TABLE t (chan_cd TEXT COMMENT 'Where the order was placed');").unwrap();
    let ddl = format!("ddl:{}", ddl.display());
    let comments = desk.run(&["definitions", "import", &ddl]);
    assert!(comments.err.contains("1 definition taken over"), "{}", comments.err);
    assert_eq!(listed(&desk, &ddl)["entries"][0]["source"], "comment");
}
