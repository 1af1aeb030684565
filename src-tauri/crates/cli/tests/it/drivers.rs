//! Database drivers, and the databases behind them, from the command line.

use crate::support::{Desk, Said};
use vitrine_test_servers::snowflake_emulator::{PASSWORD, SnowflakeEmulator, driver};

/// Returns a desk with Snowflake's driver where `drivers add snowflake` would install it.
pub fn desk_with_driver() -> Desk {
    let desk = Desk::new();
    let folder = desk.path("cache/drivers/snowflake");
    std::fs::create_dir_all(&folder).unwrap();
    let library = driver("snowflake");
    std::os::unix::fs::symlink(&library, folder.join(library.file_name().unwrap())).unwrap();
    desk
}

#[tokio::test(flavor = "multi_thread")]
async fn snowflake_is_queried_by_its_driver_and_says_what_keeps_it() {
    let (emulator, desk) = (SnowflakeEmulator::start().await, desk_with_driver());
    emulator
        .script(&[
            "CREATE TABLE ITEM (ID INT PRIMARY KEY, PRICE NUMBER(10,2), DOC VARIANT)",
            "INSERT INTO ITEM SELECT 1, 12.34, PARSE_JSON('{\"colour\": \"red\", \"sizes\": [1, 2]}')",
            "INSERT INTO ITEM SELECT 2, 0.66, PARSE_JSON('{\"colour\": \"blue\", \"sizes\": []}')",
        ])
        .await;
    let address = emulator.address().replace(&format!(":{}", PASSWORD.replace(':', "%3A")), "");
    let run = |arguments: &[&str], password: Option<&str>| {
        let mut command = desk.command(arguments);
        command.env_remove("SNOWFLAKE_PASSWORD");
        if let Some(word) = password {
            command.env("SNOWFLAKE_PASSWORD", word);
        }
        Said::from(command.output().unwrap())
    };
    // The emulator adds in floating point.
    let said = run(&["query", &address, "SELECT price, sum(price) OVER () AS sum FROM item"], Some(PASSWORD));
    assert!(said.status == 0 && said.out.contains("12.34") && said.out.contains("13.0"), "{} {}", said.out, said.err);
    let said = run(&["query", &address, "SELECT 1"], None);
    assert!(said.status == 4 && said.err.contains("SNOWFLAKE_PASSWORD"), "{}", said.err);
    let said = run(&["query", &address, "SELECT 1"], Some("pass-phrase"));
    assert!(said.status == 4 && said.err.contains("refused") && !said.err.contains("pass-phrase"), "{}", said.err);
    let said = run(&["query", &address, "SELECT 1 ->> DELETE FROM item"], Some(PASSWORD));
    assert!(said.status != 0 && said.err.contains("->>"), "{}", said.err);
    let said = run(&["safety", &address], Some(PASSWORD));
    assert!(
        said.status == 0 && said.out.contains("fakesnow") && said.out.contains("no read-only sessions"),
        "{}",
        said.out
    );
    let said = run(&["connections", "test", &address], Some(PASSWORD));
    assert!(said.out.contains("1 table can be read"), "{} {}", said.out, said.err);
    // VARIANT is profiled from its rows, path by path.
    emulator
        .script(&[
            "INSERT INTO ITEM SELECT seq4() + 10, 1, NULL FROM TABLE(GENERATOR(ROWCOUNT => 2000))",
            "CREATE VIEW CHEAP AS SELECT ID FROM ITEM",
        ])
        .await;
    let before = emulator.log().len();
    let said = run(&["profile", &address, "--json"], Some(PASSWORD));
    assert!(said.status == 0 && said.out.contains("colour") && said.out.contains("sizes"), "{} {}", said.out, said.err);
    // Every statement that reads rows has a row limit.
    let log = emulator.log()[before..].to_owned();
    let reads = |line: &&str| line.contains("FROM ITEM") || line.contains("ITEM AS") || line.contains("FROM CHEAP");
    let reading: Vec<&str> = log.lines().filter(reads).collect();
    assert!(!reading.is_empty() && reading.iter().all(|line| line.contains("LIMIT 1000")), "{reading:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn approximate_statistics_of_snowflake_stay_within_the_bytes_that_a_connection_allows() {
    let (emulator, desk) = (SnowflakeEmulator::start().await, desk_with_driver());
    emulator
        .script(&[
            "CREATE TABLE VISITS (ID INT, CITY VARCHAR)",
            "INSERT INTO VISITS SELECT seq4() + 1, CASE WHEN seq4() < 30 THEN 'Basel' ELSE 'Oslo' END FROM TABLE(GENERATOR(ROWCOUNT => 400))",
        ])
        .await;
    let address = emulator.address().replace(&format!(":{}", PASSWORD.replace(':', "%3A")), "");
    desk.run(&["connections", "add", "Snow", &address]);
    let limit = |bytes: &str| {
        let said = desk.run(&["connections", "limit", "Snow", "--preview-rows", "20", "--profile-bytes", bytes]);
        assert_eq!(said.status, 0, "{}", said.err);
    };
    let profile = || {
        let mut command = desk.command(&["profile", "Snow", "--json"]);
        let said = Said::from(command.env("SNOWFLAKE_PASSWORD", PASSWORD).output().unwrap());
        assert_eq!(said.status, 0, "{}", said.err);
        serde_json::from_str::<serde_json::Value>(&said.out).unwrap()["tables"][0].clone()
    };
    limit("none");
    assert_eq!(profile()["profiledRows"], 20);
    // The emulator estimates 49,152 bytes for any query, also for one over a sample.
    limit("0.01MB");
    assert_eq!(profile()["profiledRows"], 20);
    limit("1GB");
    let table = profile();
    assert_eq!((&table["profiledRows"], &table["rowCount"]), (&400.into(), &serde_json::Value::Null), "{table}");
    let city = &table["columns"][1];
    assert_eq!((&city["distinct"], &city["complete"]), (&2.into(), &false.into()), "{table}");
    assert_eq!((&city["min"], &city["max"]), (&"Basel".into(), &"Oslo".into()), "{table}");
}

#[test]
fn limits_that_nothing_would_hold_are_refused_and_what_is_read_ahead_is_listed() {
    let desk = Desk::new();
    desk.run(&["connections", "add", "Snow", "snowflake://ann@acme-shop/SHOP/PUBLIC?warehouse=WH"]);
    desk.run(&["connections", "add", "Shop", &desk.shop()]);
    for wrong in [["Snow", "--month", "$50"], ["Snow", "--question", "1GB"], ["Shop", "--month", "$50"]] {
        let said = desk.run(&[&["connections", "limit"][..], &wrong[..]].concat());
        assert!(said.status == 2 && said.err.contains("BigQuery"), "{} {}", said.out, said.err);
    }
    let said = desk.run(&["connections", "limit", "Shop", "--preview-rows", "7"]);
    assert!(said.status == 2 && said.err.contains("cloud"), "{} {}", said.out, said.err);
    let said = desk.run(&["connections", "limit", "Snow", "--preview-rows", "200", "--preview-tables", "30"]);
    assert!(said.status == 0 && said.err.contains("up to 200 rows of up to 30 tables"), "{} {}", said.out, said.err);
    assert!(!said.err.contains("free"), "{}", said.err);
    let listed = desk.run(&["connections", "list"]).out;
    assert!(listed.contains("200 rows of 30 tables") && listed.contains("samples"), "{listed}");
}

#[test]
fn drivers_are_listed_added_by_their_path_and_removed() {
    let desk = desk_with_driver();
    let said = desk.run(&["drivers", "add", "snowflake"]);
    assert!(said.status == 0 && said.err.contains("1.11.0 is installed (Apache-2.0)"), "{}", said.err);
    let library = driver("sqlite").display().to_string();
    assert_eq!(desk.run(&["drivers", "add", &library]).status, 2, "a name is missing");
    let said = desk.run(&["drivers", "add", &library, "--name", "lite"]);
    assert!(said.status == 0 && said.err.contains("no engine-level proof of read-only"), "{}", said.err);
    let said = desk.run(&["drivers", "list"]);
    for word in ["snowflake", "1.11.0", "Apache-2.0", "Python package index", "lite", "preview"] {
        assert!(said.out.contains(word), "{word}: {}", said.out);
    }
    let address = format!("adbc:lite?dialect=sqlite&uri={}", desk.path("shop.db").display());
    let said = desk.run(&["query", &address, "SELECT name FROM customers WHERE country = 'US'"]);
    assert!(said.status == 0 && said.out.contains("Grace"), "{}", said.err);
    assert_ne!(desk.run(&["query", &address, "DELETE FROM customers"]).status, 0);
    let said = desk.run(&["safety", &address]);
    assert!(said.out.contains("no engine-level proof of read-only"), "{}", said.out);
    assert_eq!(desk.run(&["drivers", "rm", "lite"]).status, 0);
    let said = desk.run(&["query", &address, "SELECT 1"]);
    assert!(said.status == 4 && said.err.contains("vitrine drivers add"), "{}", said.err);
}
