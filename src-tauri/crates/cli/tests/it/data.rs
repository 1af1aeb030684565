//! Commands for data that need no model.

use crate::support::Desk;
use serde_json::{Value, json};

#[test]
fn only_the_result_is_on_standard_output() {
    let desk = Desk::new();
    let said = desk.run(&["query", &desk.shop(), "SELECT name, country FROM customers WHERE id = 1"]);
    assert_eq!((said.status, said.out.as_str()), (0, "name  country\n────  ───────\nAda   UK\n"), "{}", said.err);
    assert!(said.err.contains("1 row"));
}

#[test]
fn json_keeps_every_digit() {
    let desk = Desk::new();
    let said = desk.run(&["query", &desk.shop(), "SELECT id, country FROM customers ORDER BY id", "--json"]);
    let result: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(result["rows"], json!([[1, "UK"], [2, "US"], [9007199254740993_i64, null]]));
    assert_eq!((result["row_count"].as_u64(), result["truncated"].as_bool()), (Some(3), Some(false)));
}

#[test]
fn a_dry_run_gives_the_columns_and_runs_nothing() {
    let desk = Desk::new();
    let sql = "SELECT name, id AS number FROM customers";
    let said = desk.run(&["query", &desk.shop(), sql, "--dry-run"]);
    assert_eq!((said.status, said.out.as_str()), (0, "name\nnumber\n"), "{}", said.err);
    assert!(said.err.contains("nothing was run; this database does not estimate"), "{}", said.err);
    let said = desk.run(&["query", &desk.shop(), sql, "--dry-run", "--json"]);
    let result: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&result["columns"][1]["name"], &result["bytes"]), (&json!("number"), &Value::Null));
    assert_eq!(desk.run(&["query", &desk.shop(), "SELECT nothing FROM customers", "--dry-run"]).status, 3);
}

#[test]
fn a_result_goes_to_a_file_in_full() {
    let desk = Desk::new();
    let said = desk.run(&[
        "query",
        &desk.shop(),
        "SELECT name FROM customers ORDER BY id",
        "--limit",
        "1",
        "--csv",
        "out.csv",
    ]);
    assert_eq!((said.status, said.out.as_str()), (0, ""), "{}", said.err);
    assert_eq!(std::fs::read_to_string(desk.path("out.csv")).unwrap().lines().count(), 4);
}

#[test]
fn the_status_says_what_kind_of_failure_it_was() {
    let desk = Desk::new();
    let shop = desk.shop();
    for (arguments, status, said) in [
        (vec!["query", &shop, "DELETE FROM customers"], 2, "not run"),
        (vec!["query", &shop], 2, "Usage"),
        (vec!["query", &shop, "SELECT nothing FROM customers"], 3, "nothing"),
        (vec!["query", "sqlite:missing.db", "SELECT 1"], 4, "missing.db"),
        (vec!["query", "oracle:db", "SELECT 1"], 2, "oracle"),
        (vec!["runs", "show", "no-such-run"], 2, "no-such-run"),
        (vec!["runs", "show", "last"], 2, "There are no runs"),
        (vec!["models", "use", "no-such-model"], 2, "qwen2.5-coder-1.5b"),
        (vec!["models", "remote", "m", "--url", "localhost:11434/v1", "--model", "m"], 2, "http:// or https://"),
        (
            vec!["models", "remote", "m", "--url", "api.openai.com/v1", "--model", "m", "--list"],
            2,
            "http:// or https://",
        ),
        (
            vec!["models", "remote", "m", "--url", "http://127.0.0.1:9/v1", "--model", "m", "--list"],
            4,
            "cannot be reached",
        ),
    ] {
        let got = desk.run(&arguments);
        assert_eq!((got.status, got.out.as_str()), (status, ""), "{arguments:?}: {}", got.err);
        assert!(got.err.contains(said), "{arguments:?}: {}", got.err);
    }
    assert_eq!(desk.run(&["query", &shop, "SELECT count(*) FROM customers"]).out.lines().last().unwrap().trim(), "3");
}

#[test]
fn where_a_question_has_no_limit_that_is_said() {
    let desk = Desk::new();
    let limit = |tokens: &str| desk.run(&["models", "limit", "--question", "--tokens", tokens]).err;
    assert!(limit("5000").contains("A question may cost 5000 tokens"));
    let none = limit("none");
    assert!(none.contains("no limit") && !none.contains("nothing"), "{none}");
}

#[test]
fn what_cannot_be_said_of_a_model_is_refused_in_words() {
    let desk = Desk::new();
    let remote = desk.run(&["models", "remote", "m", "--url", "http://127.0.0.1:9/v1", "--model", "m"]);
    assert_eq!(remote.status, 0, "{}", remote.err);
    for (line, said) in [
        ("price=-1,2,3", "cannot be -1"),
        ("price=1", "price=2.5,0.25,15"),
        ("chunk_budget=0", "the range is 100 to"),
        ("chunk_budget=99999999", "to 32,768"),
        ("reply_tokens=999999999", "to 32,768"),
    ] {
        let got = desk.run(&["models", "set", "m", line]);
        assert_eq!((got.status, got.out.as_str()), (2, ""), "{line}: {}", got.err);
        assert!(got.err.contains(said) && !got.err.contains("struct"), "{line}: {}", got.err);
    }
    let set = desk.run(&["models", "set", "m", "price=1,0.5,3", "reply_tokens=8000"]);
    assert!(set.status == 0 && set.out.contains("1,0.5,3"), "{}", set.err);
}

#[test]
fn the_schema_is_shown_as_a_model_sees_it() {
    let desk = Desk::new();
    let text = desk.run(&["schema", &desk.shop(), "--render"]).out;
    assert!(text.starts_with("CREATE TABLE customers") && text.contains("'Ada'"), "{text}");
    let report: Value =
        serde_json::from_str(&desk.run(&["schema", &desk.shop(), "--budget", "100", "--json"]).out).unwrap();
    assert_eq!((report["table_count"].as_u64(), report["column_count"].as_u64()), (Some(1), Some(3)));
    assert_eq!(report["chunks"][0]["tables"][0], "customers");
    assert!(desk.run(&["schema", &desk.shop()]).out.contains("1 table, 3 columns"));
}

#[test]
fn profile_and_values_are_made_on_the_way() {
    let desk = Desk::new();
    let profile: Value = serde_json::from_str(&desk.run(&["profile", &desk.shop(), "--json"]).out).unwrap();
    assert_eq!(profile["tables"][0]["columns"][1]["name"], "name");
    assert!(desk.run(&["profile", &desk.shop()]).out.starts_with("customers: 3 rows\n"));
    let size: Value = serde_json::from_str(&desk.run(&["values", &desk.shop(), "build", "--json"]).out).unwrap();
    assert!(size["values"].as_u64().unwrap() >= 3, "{size}");
    let found: Value =
        serde_json::from_str(&desk.run(&["values", &desk.shop(), "search", "grace", "--json"]).out).unwrap();
    assert_eq!((found[0]["value"].as_str(), found[0]["column"].as_str()), (Some("Grace"), Some("name")));
}

#[test]
fn the_sample_is_made_when_it_is_first_used() {
    let desk = Desk::new();
    let said = desk.run(&["query", "sample", "SELECT count(*) AS n FROM customers"]);
    assert_eq!((said.status, said.out.as_str()), (0, "    n\n─────\n12000\n"), "{}", said.err);
    assert!(said.err.contains("Creating the sample"));
    assert!(!desk.run(&["query", "sample", "SELECT 1"]).err.contains("Creating the sample"));
}

#[test]
fn text_that_a_spreadsheet_would_run_is_disarmed_unless_it_is_wanted() {
    let desk = Desk::new();
    let written = |flags: &[&str]| {
        let arguments = ["query", &desk.shop(), "SELECT '=1+2' AS a, -5 AS b", "--csv", "o.csv"];
        let said = desk.run(&[&arguments[..], flags].concat());
        assert_eq!(said.status, 0, "{}", said.err);
        std::fs::read_to_string(desk.path("o.csv")).unwrap()
    };
    assert_eq!(written(&[]), "a,b\r\n'=1+2,-5\r\n");
    assert_eq!(written(&["--csv-formulas", "--csv-bom"]), "\u{feff}a,b\r\n=1+2,-5\r\n");
    let alone = desk.run(&["query", &desk.shop(), "SELECT 1", "--csv-bom"]);
    assert!(alone.status == 2 && alone.err.contains("--csv"), "{}", alone.err);
}

#[cfg(target_os = "linux")]
#[test]
fn a_connection_tells_what_keeps_it_from_being_changed() {
    let desk = Desk::new();
    let layers: Value = serde_json::from_str(&desk.run(&["safety", &desk.shop(), "--json"]).out).unwrap();
    let state = |kind: &str| {
        let layer = layers.as_array().unwrap().iter().find(|layer| layer["kind"] == kind);
        layer.unwrap_or_else(|| panic!("{layers}"))["state"].as_str().unwrap().to_owned()
    };
    for kind in ["proof", "engine", "process"] {
        assert_eq!(state(kind), "holds", "{kind}: {layers}");
    }
    let text = desk.run(&["safety", &desk.shop()]).out;
    assert!(text.contains("Read-only engine: holds") && text.contains("How it is known: "), "{text}");
}

#[test]
fn what_ran_and_what_was_refused_is_in_the_audit() {
    let desk = Desk::new();
    desk.run(&["query", &desk.shop(), "SELECT name FROM customers ORDER BY id"]);
    desk.run(&["query", &desk.shop(), "DELETE FROM customers"]);
    let said = desk.run(&["audit", "list", "--json"]);
    let rows: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    assert_eq!((&rows[0]["verdict"], &rows[1]["verdict"]), (&json!("refused"), &json!("ran")));
    assert_eq!(rows[1]["rows"], json!(3));
    let said = desk.run(&["audit", "verify"]);
    assert!(said.status == 0 && said.err.contains("2 rows, intact"), "{}", said.err);
    let by = |author: &str| {
        let said = desk.run(&["audit", "list", "--json", "--by", author]);
        serde_json::from_str::<Vec<Value>>(&said.out).unwrap_or_else(|_| panic!("{}", said.err)).len()
    };
    assert_eq!((by("user"), by("model"), by("app"), by("program")), (2, 0, 0, 0));
    assert_eq!(desk.run(&["audit", "export", "audit.csv"]).status, 0);
    assert_eq!(std::fs::read_to_string(desk.path("audit.csv")).unwrap().lines().count(), 3);
}

#[test]
fn what_models_are_told_is_shown_and_decided() {
    let desk = Desk::new();
    let shop = desk.shop();
    let said = desk.run(&["egress", &shop, "--json"]);
    let info: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    assert_eq!((&info["policy"]["level"], &info["policy"]["maskPersonal"]), (&json!("results"), &json!(true)));
    let said = desk.run(&["egress", &shop, "--level", "profile", "--mask", "customers.country"]);
    assert!(said.out.contains("profile") && said.out.contains("customers.country"), "{}{}", said.out, said.err);
    let said = desk.run(&["egress", &shop, "--unset", "customers.country", "--mask-personal", "no"]);
    assert!(said.out.contains("profile") && !said.out.contains("customers.country"), "{}{}", said.out, said.err);
    let said = desk.run(&["egress", &shop, "--level", "everything"]);
    assert!(said.status != 0 && said.err.contains("names, comments"), "{}", said.err);
    let said = desk.run(&["egress", &shop, "--allow", "customers.nothing"]);
    assert!(said.status != 0 && said.err.contains("customers.nothing"), "{}", said.err);
}

#[test]
fn a_result_is_written_as_its_files_name_ends() {
    let desk = Desk::new();
    let written = |name: &str| {
        let said = desk.run(&["query", &desk.shop(), "SELECT id, name FROM customers ORDER BY id", "--out", name]);
        assert_eq!(said.status, 0, "{}", said.err);
        std::fs::read(desk.path(name)).unwrap()
    };
    let rows: Value = serde_json::from_slice(&written("o.json")).unwrap();
    assert_eq!(rows[0], json!({ "id": 1, "name": "Ada" }));
    assert!(written("o.csv").starts_with(b"id,name\r\n1,Ada"));
    assert!(written("o.xlsx").starts_with(b"PK") && written("o.parquet").starts_with(b"PAR1"));
    let said = desk.run(&["query", &desk.shop(), "SELECT 1", "--out", "o.docx"]);
    assert!(said.status == 2 && said.err.contains(".docx") && said.err.contains(".parquet"), "{}", said.err);
    assert!(!desk.path("o.csv.about.txt").exists());
    let said = desk.run(&["query", &desk.shop(), "SELECT 1 AS n", "--out", "o.csv", "--about"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let about = std::fs::read_to_string(desk.path("o.csv.about.txt")).unwrap();
    assert!(about.starts_with("About these rows\n\nSQL: SELECT 1 AS n\nSource: sqlite:"), "{about}");
    let both = desk.run(&["query", &desk.shop(), "SELECT 1", "--out", "o.csv", "--csv", "p.csv"]);
    assert_eq!(both.status, 2, "{}", both.err);
}
