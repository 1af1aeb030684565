//! A program that is killed in the middle of a run loses nothing that it had been told was stored.

use super::{call, event, started};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use vitrine_domain::{EventBody, RunReport, RunStatus};
use vitrine_store::Store;

const PATH: &str = "VITRINE_TEST_CRASH_PATH";

/// Not a test by itself: what the killed program does.
#[test]
#[ignore = "started by the test below"]
fn the_program_that_is_killed() {
    let Ok(path) = std::env::var(PATH) else { return };
    let store = Store::open(path.as_ref()).unwrap();
    store.append(&event("r", 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    for seq in 2.. {
        store.append(&event("r", seq, call(10))).unwrap();
        println!("\nstored {seq}");
    }
}

#[test]
fn a_run_of_a_killed_program_keeps_every_event_and_is_listed_as_ended() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vitrine.db");
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_program_that_is_killed", "--ignored", "--nocapture"])
        .env(PATH, &path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let mut stored = || lines.by_ref().find_map(|line| line.strip_prefix("stored ")?.parse::<u32>().ok());
    while stored().is_some_and(|seq| seq < 20) {}
    // While it lives its run is running, also for others.
    assert_eq!(Store::open(&path).unwrap().run("r").unwrap().status, RunStatus::Running);
    child.kill().unwrap();
    child.wait().unwrap();
    let promised = std::iter::from_fn(stored).last().unwrap_or(20);

    let store = Store::open(&path).unwrap();
    let events = store.events("r", 0).unwrap();
    assert!(events.len() as u32 > promised, "{} events, {promised} promised", events.len());
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    let calls = events.iter().filter(|event| matches!(event.body, EventBody::ModelCallFinished { .. })).count() as u64;
    let report = RunReport::fold(&events);
    assert_eq!((report.status(), report.usage.llm_calls), (RunStatus::Failed, calls));
    let run = store.run("r").unwrap();
    assert_eq!((run.status, run.usage.llm_calls), (RunStatus::Failed, calls));
    assert_eq!(run.error.as_deref(), Some("The app stopped before this run ended"));
    drop(store);
    assert_eq!(Store::open(&path).unwrap().events("r", 0).unwrap(), events, "it ends once");
}
