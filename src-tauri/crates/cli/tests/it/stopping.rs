//! Ctrl-C and harder terminations, with a model server that never replies.

use crate::support::{Desk, Said};
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Returns the address of a model that accepts connections but never replies.
pub(crate) fn silent_model(desk: &Desk) -> TcpListener {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let said = desk.run(&["models", "remote", "silent", "--url", &url, "--model", "m"]);
    assert_eq!(said.status, 0, "{}", said.err);
    listener
}

fn asking(desk: &Desk) -> Child {
    let mut command = desk.command(&[
        "ask",
        "--warehouse",
        &desk.shop(),
        "--model",
        "silent",
        "--events",
        "e.jsonl",
        "--json",
        "Anyone?",
    ]);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let began = Instant::now();
    while !std::fs::read_to_string(desk.path("e.jsonl")).unwrap_or_default().contains("modelCallStarted") {
        assert!(began.elapsed() < Duration::from_secs(60), "the question does not get to the model");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn send(signal: &str, child: &Child) {
    std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
}

#[test]
fn ctrl_c_ends_the_run_in_its_log() {
    let desk = Desk::new();
    let _server = silent_model(&desk);
    let child = asking(&desk);
    // The terminal and a parent program may both send the signal.
    send("-INT", &child);
    send("-INT", &child);
    let said = Said::from(child.wait_with_output().unwrap());
    assert_eq!(said.status, 3, "{}", said.err);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((answer["status"].as_str(), answer["error"]["code"].as_str()), (Some("failed"), Some("cancelled")));
    assert!(std::fs::read_to_string(desk.path("e.jsonl")).unwrap().lines().last().unwrap().contains("runFinished"));
    let listed: Value = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["status"], "cancelled");
}

#[test]
fn a_run_survives_the_death_of_the_program_as_one_that_was_cut_off() {
    let desk = Desk::new();
    let _server = silent_model(&desk);
    let mut child = asking(&desk);
    // While the process lives, other programs do not report the run as dead.
    let listed: Value = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["status"], "running");
    send("-KILL", &child);
    child.wait().unwrap();
    let shown: Value = serde_json::from_str(&desk.run(&["runs", "show", "last", "--json"]).out).unwrap();
    assert_eq!((shown["status"].as_str(), shown["question"].as_str()), (Some("failed"), Some("Anyone?")));
    assert!(shown["error"]["hint"].is_string());
}

/// Returns the names in the desk's folder with this prefix.
fn beginning(desk: &Desk, start: &str) -> Vec<String> {
    let entries = std::fs::read_dir(desk.folder.path()).unwrap().flatten();
    let mut names: Vec<String> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.retain(|name| name.starts_with(start));
    names.sort();
    names
}

#[test]
fn an_export_whose_program_dies_leaves_the_old_file_and_the_next_one_removes_its_part() {
    let desk = Desk::new();
    let many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900000)
        SELECT i, 'a text of some length to be written ' || i AS t, i * 0.5 AS x, 'x' AS y FROM n";
    for ending in ["csv", "xlsx", "parquet"] {
        let (name, part) = (format!("out.{ending}"), format!(".out.{ending}."));
        let small = ["query", &desk.shop(), "SELECT name FROM customers", "--out", &name];
        assert_eq!(desk.run(&small).status, 0);
        let old = std::fs::read(desk.path(&name)).unwrap();
        let mut child = desk
            .command(&["query", &desk.shop(), many, "--out", &name])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let began = Instant::now();
        while beginning(&desk, &part).is_empty() {
            assert!(began.elapsed() < Duration::from_secs(60) && child.try_wait().unwrap().is_none(), "{name}");
            std::thread::sleep(Duration::from_millis(2));
        }
        // In the middle of writing the rows.
        std::thread::sleep(Duration::from_millis(150));
        assert!(child.try_wait().unwrap().is_none(), "{name} is written before it could be stopped");
        send("-KILL", &child);
        child.wait().unwrap();
        assert_eq!(std::fs::read(desk.path(&name)).unwrap(), old, "{name}: the old file is whole");
        assert_eq!(beginning(&desk, &part).len(), 1, "{name}: nobody could remove it");
        assert_eq!(desk.run(&small).status, 0);
        assert_eq!(beginning(&desk, &part), Vec::<String>::new(), "{name}");
        assert!(desk.path(&name).exists());
    }
}
