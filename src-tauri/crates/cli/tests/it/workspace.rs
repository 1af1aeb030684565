//! The workspace as a file, from the terminal: exported from one home and imported into another.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::Value;

/// A desk with a run, a saved question and two connections; one was added with its password.
fn at_work() -> Desk {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    for line in [
        vec!["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model, QUESTION],
        vec!["saved", "add", "--run", "last", "--title", "Customers", "--folder", "Sales", "--tag", "finance"],
        vec!["connections", "add", "Shop", &shop, "--environment", "production"],
        vec!["connections", "add", "Server", "postgresql://ann:hunter2@db.example/shop"],
        vec!["definitions", "add", "Shop", "active", "has ordered"],
        vec!["egress", &shop, "--mask-personal", "no"],
    ] {
        let said = desk.run(&line);
        assert_eq!(said.status, 0, "{line:?}: {}", said.err);
    }
    desk
}

#[test]
fn a_workspace_is_carried_to_another_computer_and_is_there_once() {
    let desk = at_work();
    let written = desk.run(&["workspace", "export", "backup.zip"]);
    assert_eq!((written.status, written.out.as_str()), (0, ""), "{}", written.err);
    assert!(
        written.err.contains("1 run, 1 saved question, 2 connections") && written.err.contains("confidential"),
        "{}",
        written.err
    );
    let audited = desk.run(&["audit", "list", "--limit", "1", "--json"]).out;
    assert!(audited.contains("file backup.zip") && audited.contains("with rows of results"), "{audited}");

    let other = Desk::new();
    std::fs::copy(desk.path("backup.zip"), other.path("backup.zip")).unwrap();
    let looked = other.run(&["workspace", "import", "backup.zip", "--preview", "--json"]);
    assert_eq!(looked.status, 0, "{}", looked.err);
    assert!(looked.err.contains("nothing was imported"), "{}", looked.err);
    assert_eq!(other.run(&["runs", "list", "--json"]).out.trim(), "[]");
    let done = other.run(&["workspace", "import", "backup.zip", "--json"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let (looked, done): (Value, Value) =
        (serde_json::from_str(&looked.out).unwrap(), serde_json::from_str(&done.out).unwrap());
    assert_eq!(looked, done);
    assert_eq!(
        (&done["runs"]["added"], &done["saved"]["added"], &done["connections"]["added"]),
        (&1.into(), &1.into(), &2.into())
    );

    assert!(other.run(&["runs", "list"]).out.contains(QUESTION));
    let saved = other.run(&["saved", "show", "Customers"]).out;
    assert!(saved.contains("Sales") && saved.contains("finance"), "{saved}");
    let connections = other.run(&["connections", "list"]).out;
    assert!(
        connections.contains("production") && connections.contains("postgresql://ann@db.example/shop"),
        "{connections}"
    );
    let unopened = other.run(&["saved", "run", "Customers"]);
    assert!(unopened.status != 0 && unopened.err.contains("has not been opened here"), "{}", unopened.err);
    assert!(other.run(&["definitions", "list", "Shop"]).out.contains("has ordered"));
    assert_eq!(
        other.run(&["saved", "run", "Customers"]).status,
        0,
        "Shop was named, and is the user's own from then on"
    );

    let again = other.run(&["workspace", "import", "backup.zip"]);
    assert!(again.err.contains("runs: 0 new, 1 already here, 0 different here"), "{}", again.err);
}

#[test]
fn what_is_no_such_file_is_refused_and_rows_are_left_out_where_it_is_said() {
    let desk = at_work();
    let without = desk.run(&["workspace", "export", "backup.zip", "--without-results"]);
    assert!(without.status == 0 && without.err.contains("are not in it"), "{}", without.err);
    let other = Desk::new();
    std::fs::copy(desk.path("backup.zip"), other.path("backup.zip")).unwrap();
    let done = other.run(&["workspace", "import", "backup.zip", "--settings"]);
    assert_eq!(done.status, 0, "{}", done.err);
    let shown = other.run(&["runs", "show", "last"]).out;
    assert!(shown.contains(QUESTION) || !shown.is_empty(), "{shown}");
    for (file, said) in [("shop.db", "not a complete exported workspace"), ("none.zip", "cannot be read")] {
        let refused = other.run(&["workspace", "import", file]);
        assert!(refused.status == 2 && refused.err.contains(said) && refused.err.contains("hint:"), "{}", refused.err);
    }
    let nowhere = desk.run(&["workspace", "export", "nowhere/backup.zip"]);
    assert!(nowhere.status == 2 && nowhere.err.contains("cannot be written"), "{}", nowhere.err);
}
