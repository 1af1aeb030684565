//! End-to-end test with the real model: a question on the sample warehouse, through the built program.

use crate::bench::{cache, vitrine};
use serde_json::Value;
use std::process::{Command, Output};

fn run(home: &tempfile::TempDir, args: &[&str]) -> Output {
    Command::new(vitrine()).args(args).env("VITRINE_HOME", home.path()).output().expect("vitrine starts")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        panic!("not one JSON object ({e}): {}\n{}", text(&output.stdout), text(&output.stderr))
    })
}

#[test]
fn a_question_on_the_sample_warehouse_gets_a_true_answer() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let csv = home.path().join("answer.csv");
    let events = home.path().join("events.jsonl");
    let output = run(
        &home,
        &[
            "ask",
            "--strategy",
            "av-sql",
            "--json",
            "--csv",
            csv.to_str().unwrap(),
            "--events",
            events.to_str().unwrap(),
            "How many stores are there?",
        ],
    );
    let answer = json(&output);
    assert_eq!(output.status.code(), Some(0), "{answer:#}");
    assert_eq!(answer["status"], "answered");
    assert_eq!(answer["strategy"], "av-sql");
    let truth = json(&run(&home, &["query", "--json", sample().as_str(), "SELECT count(*) FROM stores"]));
    assert_eq!(answer["result"]["rows"][0][0], truth["rows"][0][0], "{answer:#}");
    for key in [
        "run_id",
        "models",
        "dialect",
        "rewritten",
        "selection",
        "views",
        "plan",
        "sql",
        "revised",
        "usage",
        "warnings",
    ] {
        assert!(answer.get(key).is_some(), "{key} is missing");
    }
    assert!(answer["usage"]["llm_calls"].as_u64() >= Some(5), "every agent was asked: {}", answer["usage"]);
    assert!(std::fs::read_to_string(&csv).expect("the CSV").lines().count() >= 2);
    let lines = std::fs::read_to_string(&events).expect("the events");
    assert!(lines.lines().all(|l| serde_json::from_str::<Value>(l).is_ok()));

    // The run is stored and can be replayed without a model.
    let run_id = answer["run_id"].as_str().unwrap();
    let listed = run(&home, &["runs", "list", "--json"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains(run_id));
    let replayed = run(&home, &["runs", "replay", run_id]);
    assert_eq!(replayed.status.code(), Some(0), "{}", String::from_utf8_lossy(&replayed.stderr));
}

/// Returns the sample warehouse's address, the default of `ask`.
fn sample() -> String {
    let folder = cache().join("sample");
    let newest = std::fs::read_dir(&folder)
        .expect("the sample folder")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "duckdb"))
        .max()
        .expect("a sample warehouse");
    format!("duckdb:{}", newest.display())
}

#[test]
fn bad_input_ends_in_a_clear_error() {
    let home = tempfile::tempdir().expect("a temporary folder");
    let text = home.path().join("notes.txt");
    std::fs::write(&text, "this is no database").unwrap();
    let long = "x".repeat(100_000);
    let bad: [(&[&str], i32, &str); 5] = [
        (&["ask", "--warehouse", "sqlite:/nowhere/at/all.db", "How many?"], 4, "/nowhere/at/all.db"),
        (&["ask", "--warehouse", &format!("sqlite:{}", text.display()), "How many?"], 4, "notes.txt"),
        (&["ask", "--strategy", "guess", "How many?"], 2, "guess"),
        (&["query", &sample(), "DELETE FROM stores"], 2, "read"),
        (&["ask", &long], 2, "too long"),
    ];
    for (args, status, word) in bad {
        let output = run(&home, args);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(status), "{:?}: {message}", &args[..args.len() - 1]);
        assert!(message.contains(word), "{word} is not in: {message}");
        assert!(output.stdout.is_empty(), "nothing on standard output");
    }
}
