//! A connection that runs only approved SQL, with and without a terminal.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::Value;

const SQL: &str = "SELECT count(*) AS n FROM customers";

fn desk() -> Desk {
    let desk = Desk::new();
    let add = desk.run(&["connections", "add", "Prod", &desk.shop(), "--require-approval"]);
    assert_eq!(add.status, 0, "{}", add.err);
    desk
}

#[test]
fn without_a_terminal_a_query_ends_with_its_hash_and_runs_once_that_is_approved() {
    let desk = desk();
    let refused = desk.run(&["query", "Prod", SQL]);
    assert_eq!((refused.status, refused.out.as_str()), (3, ""), "{}", refused.err);
    assert!(refused.err.contains(SQL) && refused.err.contains("vitrine approvals add"), "{}", refused.err);
    let hash = refused.err.split("SHA-256 ").nth(1).unwrap()[..64].to_owned();

    let unseen = desk.run(&["approvals", "add", "Prod", SQL]);
    assert!(unseen.status == 2 && unseen.err.contains(&hash), "{}", unseen.err);
    let other = desk.run(&["approvals", "add", "Prod", "SELECT name FROM customers", "--sha256", &hash]);
    assert_eq!(other.status, 3, "the hash is of another text: {}", other.err);
    assert_eq!(desk.run(&["approvals", "add", "Prod", SQL, "--sha256", &hash]).status, 0);

    assert!(desk.run(&["query", "Prod", SQL]).out.contains('3'));
    assert_eq!(desk.run(&["query", "Prod", "SELECT count(*) AS m FROM customers"]).status, 3);
    assert!(desk.run(&["approvals", "list", "Prod"]).out.contains(&hash[..12]));
    let audit: Value =
        serde_json::from_str(&desk.run(&["audit", "list", "--search", "approved", "--json"]).out).unwrap();
    assert_eq!(audit[0]["sqlSha256"], hash.as_str());
    assert!(audit[0]["decidedBy"].as_str().is_some_and(|user| !user.is_empty()));

    assert_eq!(desk.run(&["approvals", "revoke", "Prod", &hash[..8]]).status, 0);
    assert_eq!(desk.run(&["query", "Prod", SQL]).status, 3);
    assert_eq!(desk.run(&["connections", "approval", "Prod", "off"]).status, 0);
    assert_eq!(desk.run(&["query", "Prod", SQL]).status, 0);
}

#[test]
fn without_a_terminal_a_question_ends_with_the_query_that_it_would_run() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let ask = || desk.run(&["ask", "--warehouse", "Prod", "--strategy", "direct", "--model", &model, QUESTION]);
    desk.run(&["connections", "add", "Prod", &desk.shop()]);
    assert_eq!(desk.run(&["connections", "approval", "Prod", "on"]).status, 0);
    // Data is not read ahead for such a connection, so it is prepared here.
    assert_eq!(desk.run(&["prepare", "Prod"]).status, 0);
    let refused = ask();
    assert_eq!((refused.status, refused.out.as_str()), (3, ""), "{}", refused.err);
    assert!(refused.err.contains("country = 'US'") && refused.err.contains("SHA-256"), "{}", refused.err);
    assert_eq!(desk.run(&["connections", "approval", "Prod", "off"]).status, 0);
    assert_eq!(ask().status, 0, "it is this setting alone that kept it from running");
}

/// The tool `script` provides a terminal.
#[test]
#[cfg(target_os = "linux")]
fn at_a_terminal_the_query_is_shown_and_runs_only_with_a_yes() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let desk = desk();
    let program = desk.command(&[]);
    let typed = |word: &str| {
        let line = format!("{} query Prod '{SQL}'", program.get_program().display());
        let mut script = Command::new("script");
        script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
        script.current_dir(desk.folder.path());
        script.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let mut child = script.spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        keys.write_all(format!("{word}\n").as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        drop(keys);
        (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (status, seen) = typed("");
    assert!(status == Some(3) && seen.contains("Run exactly this?") && seen.contains("SHA-256"), "{seen}");
    let (status, seen) = typed("y");
    assert!(status == Some(0) && seen.contains("1 row"), "{seen}");
    let (status, seen) = typed("");
    assert!(status == Some(0) && !seen.contains("Run exactly this?"), "it was approved before: {seen}");
}
