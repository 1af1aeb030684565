//! Ctrl-C and worse, with a model server that never answers.

use crate::support::{Desk, Said};
use serde_json::Value;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A model behind an address where somebody listens and nobody answers.
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
    // A terminal and a program in between may both pass it on.
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
    // While it lives, another program does not think it dead.
    let listed: Value = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["status"], "running");
    send("-KILL", &child);
    child.wait().unwrap();
    let shown: Value = serde_json::from_str(&desk.run(&["runs", "show", "last", "--json"]).out).unwrap();
    assert_eq!((shown["status"].as_str(), shown["question"].as_str()), (Some("failed"), Some("Anyone?")));
    assert!(shown["error"]["hint"].is_string());
}
