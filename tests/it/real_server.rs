//! The server of llama.cpp with a real small model, through the built program: connected, listed, tested and asked. The
//! deep tier uses every method, and two methods with the model declared as deliberating.

use crate::bench::vitrine;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::process::{Command, Output};
use vitrine_agents::methods::METHODS;
use vitrine_test_servers::openai_server::{OpenaiServer, start};

const CONTEXT: u32 = 8_192;

struct Desk {
    home: tempfile::TempDir,
    shop: PathBuf,
}

impl Desk {
    fn new() -> Self {
        let home = tempfile::tempdir().expect("a temporary folder");
        let shop = home.path().join("shop.sqlite");
        let connection = rusqlite::Connection::open(&shop).expect("a database");
        connection
            .execute_batch(
                "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, country TEXT);
                 INSERT INTO customer VALUES (1,'Ada','US'),(2,'Bert','US'),(3,'Cleo','DE'),(4,'Dan','FR'),(5,'Eve','FR');",
            )
            .expect("rows");
        std::fs::write(home.path().join("terms.txt"), "A buyer is a row of the table customer.").expect("written");
        Self { home, shop }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(vitrine())
            .args(arguments)
            .current_dir(self.home.path())
            .env("VITRINE_HOME", self.home.path())
            .output()
            .expect("vitrine starts")
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", String::from_utf8_lossy(&output.stderr)))
    }

    fn ask(&self, method: &str) -> Output {
        let shop = format!("sqlite:{}", self.shop.display());
        self.run(&[
            "ask",
            "--json",
            "--model",
            "served",
            "--strategy",
            method,
            "--max-seconds",
            "90",
            "--knowledge",
            "terms.txt",
            "--warehouse",
            &shop,
            "How many buyers are there?",
        ])
    }
}

/// Connects a server as the model `served`; `None` if no server is installed.
fn connected() -> Option<(OpenaiServer, Desk)> {
    let server = start("", CONTEXT)?;
    let desk = Desk::new();
    let listed = desk.json(&["models", "remote", "--list", "--json", "--url", &server.address]);
    let name = listed[0]["id"].as_str().expect("a model").to_owned();
    assert_eq!(listed[0]["facts"]["contextTokens"], CONTEXT, "{listed:#}");
    let added = desk.run(&["models", "remote", "served", "--url", &server.address, "--model", &name]);
    assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
    Some((server, desk))
}

/// Asks with a method and checks that the run has an answer or an error, and token counts; returns `true` if it is
/// right.
fn asks_by(desk: &Desk, method: &str) -> bool {
    let output = desk.ask(method);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{method}: {error}"));
    let right = answer["result"]["rows"] == json!([[5]]);
    println!("{method}: {} {} {}", answer["status"], answer["sql"], if right { "right" } else { "wrong" });
    match answer["status"].as_str() {
        Some("answered") => assert!(answer["sql"].is_string(), "{method}: {answer:#}"),
        _ => assert!(answer["error"]["message"].as_str().is_some_and(|m| !m.is_empty()), "{method}: {answer:#}"),
    }
    assert!(answer["usage"]["prompt_tokens"].as_u64() > Some(0), "{method}: the server counted: {answer:#}");
    right
}

#[test]
fn a_real_server_is_connected_listed_tested_and_asked() {
    let Some((_server, desk)) = connected() else { return };
    let test = desk.json(&["models", "test", "served", "--json"]);
    let found = |line: &str| {
        let findings = test["findings"].as_array().expect("findings");
        findings.iter().find(|f| f["name"] == line).map_or(Value::Null, |f| f["found"].clone())
    };
    assert_eq!(found("context_tokens"), json!(CONTEXT.to_string()), "{test:#}");
    assert_eq!(found("schema"), "lenient", "{test:#}");
    assert_eq!(found("stop"), "true", "{test:#}");
    assert_eq!(found("reasoning"), "none", "{test:#}");
    let shown = desk.json(&["models", "show", "served", "--json"]);
    assert_eq!(
        (&shown["profile"]["contextTokens"], &shown["profile"]["deliberates"]),
        (&json!(CONTEXT), &json!(false))
    );
    assert!(asks_by(&desk, "direct"));
}

#[test]
fn deep_a_real_server_is_asked_by_every_method() {
    let Some((_server, desk)) = connected() else { return };
    for method in METHODS.iter().map(|method| method.info.name) {
        let right = asks_by(&desk, method);
        assert!(right || !["direct", "auto"].contains(&method), "{method}");
    }
    // A model that deliberates gets the long prompts, and its output is not limited. A model of this size takes minutes
    // for the other methods; `prompts.rs` tests them with a scripted model.
    let set = desk.run(&["models", "set", "served", "deliberates=true"]);
    assert!(set.status.success(), "{}", String::from_utf8_lossy(&set.stderr));
    for method in ["direct", "auto"] {
        asks_by(&desk, method);
    }
}
