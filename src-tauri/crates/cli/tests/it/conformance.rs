//! `vitrine connections test --full`: the whole suite, with its 10 million rows, on a file and on a server.

use crate::support::{Desk, Said};
use serde_json::Value;
use vitrine_api::conformance::CHECKS;
use vitrine_test_servers::mysql_server::{MysqlServer, PASSWORD};

/// Returns the checks with this outcome from the output of `--json`.
fn with(said: &Said, outcome: &str) -> Vec<String> {
    let checks: Vec<Value> = serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}", said.out));
    assert_eq!(checks.len(), CHECKS.len());
    let named = checks.iter().filter(|check| check["outcome"] == outcome);
    named.map(|check| check["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_whole_suite_passes_on_sqlite_and_says_each_check() {
    let desk = Desk::new();
    let said = desk.run(&["connections", "test", "--full", &desk.shop()]);
    assert_eq!(said.status, 0, "{}{}", said.out, said.err);
    let lines: Vec<&str> = said.out.lines().collect();
    assert_eq!(lines.len(), CHECKS.len(), "{}", said.out);
    for ((name, what), line) in CHECKS.iter().zip(&lines) {
        assert!(line.starts_with(name) && line.contains(what), "{line}");
    }
    let rows = lines.iter().find(|line| line.starts_with("rows ")).unwrap();
    assert!(rows.contains("  ok  ") && rows.contains("10000000 rows"), "{rows}");
    let untried = lines.iter().filter(|line| line.contains("  skipped  ")).count();
    assert_eq!((untried, said.out.contains("  failed  ")), (5, false), "{}", said.out);
}

#[test]
fn the_whole_suite_passes_on_mariadb_and_fails_with_a_wrong_password() {
    let desk = Desk::new();
    let folder = tempfile::tempdir().unwrap();
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = MysqlServer::start_with(&[&certificate, &key]);
    server.script(
        "shop",
        &format!(
            "CREATE TABLE item (id int PRIMARY KEY, name text); CREATE USER reader IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.* TO reader"
        ),
    );
    let address = server.address_of("reader", "shop");
    assert_eq!(desk.run(&["connections", "add", "Shop", &address]).status, 0);
    let test = |address: &str| desk.run(&["connections", "test", address, "--full", "--json"]);
    let said = test(&address);
    assert_eq!((said.status, with(&said, "failed"), with(&said, "skipped")), (0, vec![], vec![]), "{}", said.out);
    assert_eq!(with(&said, "passed").len(), CHECKS.len());
    assert!(!said.out.contains(PASSWORD) && !said.err.contains(PASSWORD));

    let wrong = test(&address.replace(PASSWORD, "wrong-word"));
    assert_eq!(wrong.status, 4, "{}", wrong.err);
    assert_eq!(with(&wrong, "failed"), ["open"]);
    assert_eq!(with(&wrong, "skipped").len(), CHECKS.len() - 1, "nothing was tried without a login");
    assert!(!wrong.out.contains("wrong-word") && !wrong.err.contains("wrong-word"));
}

#[test]
fn what_is_no_database_fails_and_the_rest_is_skipped() {
    let desk = Desk::new();
    std::fs::write(desk.path("broken.db"), "no database at all, but for its name").unwrap();
    let said =
        desk.run(&["connections", "test", "--full", "--json", &format!("sqlite:{}", desk.path("broken.db").display())]);
    assert_eq!((said.status, with(&said, "failed")), (4, vec!["open".to_owned()]), "{}", said.out);
}
