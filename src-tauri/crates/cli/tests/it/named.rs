//! `vitrine connections`, and connection names in place of addresses.

use crate::support::{Desk, Said};
use serde_json::Value;

#[test]
fn a_connection_is_added_used_renamed_and_removed() {
    let desk = Desk::new();
    let shop = desk.shop();
    let add = desk.run(&["connections", "add", "My shop", &shop, "--environment", "audit:violet", "--schema", "main"]);
    assert_eq!((add.status, add.out.as_str()), (0, ""), "{}", add.err);
    let listed: Value = serde_json::from_str(&desk.run(&["connections", "list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["name"], "My shop");
    assert_eq!((&listed[0]["environment"]["color"], &listed[0]["schemas"][0]), (&"violet".into(), &"main".into()));

    let count = desk.run(&["query", "my shop", "SELECT count(*) AS n FROM customers", "--json"]);
    assert_eq!(count.status, 0, "{}", count.err);
    assert!(desk.run(&["schema", "My shop"]).out.contains("customers"));

    assert_eq!(desk.run(&["connections", "rename", "My shop", "Shop"]).status, 0);
    assert_eq!(desk.run(&["query", "My shop", "SELECT 1"]).status, 4, "the old name is free");
    assert!(desk.run(&["connections", "list"]).out.contains("Shop"));
    let again = desk.run(&["connections", "add", "shop", "sqlite:other.db"]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("'Shop'"), "{}", again.err);

    assert_eq!(desk.run(&["connections", "rm", "Shop"]).status, 0);
    let lost = desk.run(&["connections", "rm", "Shop"]);
    assert_eq!(lost.status, 2, "{}", lost.err);
    assert!(desk.path("shop.db").exists());
}

#[test]
fn a_test_says_what_works_and_what_to_do_and_ends_by_it() {
    let desk = Desk::new();
    let test = desk.run(&["connections", "test", &desk.shop()]);
    assert_eq!(test.status, 0, "{}", test.err);
    assert!(test.out.contains("Readable    ok") && test.out.contains("1 table can be read"), "{}", test.out);

    let lost = desk.run(&["connections", "test", "postgresql://ann:hidden@127.0.0.1:1/shop", "--json"]);
    assert_eq!(lost.status, 4);
    let lost_test: Value = serde_json::from_str(&lost.out).unwrap();
    assert_eq!(lost_test["steps"][1]["stage"], "reach");
    assert_eq!(lost_test["steps"][1]["state"], "failed");
    assert!(lost_test["steps"][1]["advice"].as_str().unwrap().contains("port"));
    assert!(!lost.out.contains("hidden") && !lost.err.contains("hidden"));
    assert_eq!(desk.run(&["connections", "list", "--json"]).out.trim(), "[]", "a test keeps nothing");
}

#[test]
fn a_password_in_an_address_is_not_written_where_there_is_no_keychain() {
    let desk = Desk::new();
    let mut command = desk.command(&["connections", "add", "Shop", "postgresql://ann:hidden-word@db.example/shop"]);
    let output = command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent").output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("the password was not stored"), "{said}");
    assert!(!said.contains("hidden-word"));
    let listed = desk.run(&["connections", "list", "--json"]).out;
    assert!(listed.contains("postgresql://ann@db.example/shop") && !listed.contains("hidden-word"));
    let workspace = std::fs::read(desk.path("data").join("vitrine.db")).unwrap();
    assert!(!workspace.windows(11).any(|part| part == b"hidden-word"));
}

#[test]
fn connections_are_told_of_in_the_language_of_the_environment() {
    let desk = Desk::new();
    let shop = desk.shop();
    let said = |language: &str, arguments: &[&str]| {
        Said::from(desk.command(arguments).env("VITRINE_LANGUAGE", language).output().unwrap())
    };
    assert_eq!(
        said("de", &["connections", "list"]).err,
        "noch keine Verbindungen: vitrine connections add NAME ADDRESS\n"
    );
    let added = said("fr", &["connections", "add", "Shop", &shop]);
    assert!(added.err.starts_with("Shop ajoutée\u{a0}: "), "{}", added.err);
    let listed = said("de", &["connections", "list"]).out;
    for told in ["Name", "Umgebung", "Adresse", "zuletzt verwendet", "Shop"] {
        assert!(listed.contains(told), "{told}: {listed}");
    }
    let refused = said("de", &["query", "Shop", "DELETE FROM customers"]);
    assert!(
        refused.err.starts_with("Fehler: Das SQL wurde nicht ausgeführt: DELETE ist nicht erlaubt"),
        "{}",
        refused.err
    );
    let unread = said("fr", &["schema", "mysql://localhost/shop"]);
    assert!(
        unread.err.contains("n’est pas l’adresse d’une base de données\u{a0}: l’utilisateur manque"),
        "{}",
        unread.err
    );
}
