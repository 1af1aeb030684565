//! Reruns at the terminal.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::Value;

#[test]
fn a_run_goes_on_with_the_sql_of_a_file_and_is_compared_with_the_one_before() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    let said = desk.run(&["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model, QUESTION]);
    assert_eq!(said.status, 0, "{}", said.err);
    std::fs::write(desk.path("own.sql"), "SELECT count(*) AS customers FROM customers\n").unwrap();
    let said = desk.run(&["runs", "rerun", "last", "--sql", "own.sql"]);
    assert_eq!((said.status, said.out.as_str()), (0, "customers\n─────────\n        3\n"), "{}", said.err);
    for told in ["kept from the earlier run", "as you set it", "0 model calls"] {
        assert!(said.err.contains(told), "{told}: {}", said.err);
    }
    let runs: Value = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    let (next, first) = (runs[0]["runId"].as_str().unwrap(), runs[1]["runId"].as_str().unwrap());
    assert_eq!(runs[0]["steeredFrom"], first);
    let said = desk.run(&["runs", "compare", first, next]);
    assert_eq!(said.status, 0, "{}", said.err);
    for told in ["SQL of the second", "Rows as a whole: 0 in both", "  - 1\n", "  + 3"] {
        assert!(said.out.contains(told), "{told}: {}", said.out);
    }
}

#[test]
fn sql_that_does_not_run_is_told_and_nothing_is_put_in_its_place() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    desk.run(&["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model, QUESTION]);
    std::fs::write(desk.path("own.sql"), "DROP TABLE customers").unwrap();
    let said = desk.run(&["runs", "rerun", "last", "--sql", "own.sql"]);
    assert_eq!((said.status, said.out.as_str()), (3, ""), "{}", said.err);
    assert!(said.err.contains("Your SQL does not run"), "{}", said.err);
    let said = desk.run(&["runs", "rerun", "last", "--plan", "own.sql"]);
    assert_eq!(said.status, 2, "{}", said.err);
    assert!(said.err.contains("The plan cannot be edited"), "{}", said.err);
}
