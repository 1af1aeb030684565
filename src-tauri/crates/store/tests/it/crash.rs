//! Tests that a killed program loses no event that was reported as stored, and that a power cut loses only the last
//! ones.

use super::{call, event, started};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use vitrine_domain::{EventBody, RunReport, RunStatus};
use vitrine_store::{AuditEntry, AuditVerdict, Store, sha256_hex};

const PATH: &str = "VITRINE_TEST_CRASH_PATH";

/// The program that is killed, not a test.
#[test]
#[ignore = "started by the test below"]
fn the_program_that_is_killed() {
    let Ok(path) = std::env::var(PATH) else { return };
    let store = Store::open(path.as_ref()).unwrap();
    store.append_event(&event("r", 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    for seq in 2.. {
        store.append_event(&event("r", seq, call(10))).unwrap();
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
    // While the program runs, its run has the status `running` for other programs too.
    assert_eq!(Store::open(&path).unwrap().run_header("r").unwrap().status, RunStatus::Running);
    child.kill().unwrap();
    child.wait().unwrap();
    let promised = std::iter::from_fn(stored).last().unwrap_or(20);

    let store = Store::open(&path).unwrap();
    let events = store.events("r", 0).unwrap();
    assert!(events.len() as u32 > promised, "{} events, {promised} promised", events.len());
    assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
    let calls = events.iter().filter(|event| matches!(event.body, EventBody::ModelCallFinished { .. })).count() as u64;
    let report = RunReport::from_events(&events);
    assert_eq!((report.status(), report.usage.llm_calls), (RunStatus::Failed, calls));
    let run = store.run_header("r").unwrap();
    assert_eq!((run.status, run.usage.llm_calls), (RunStatus::Failed, calls));
    assert_eq!(run.error.as_deref(), Some("The app stopped before this run ended"));
    drop(store);
    assert_eq!(Store::open(&path).unwrap().events("r", 0).unwrap(), events, "it ends once");
}

fn query(sql: &str) -> AuditEntry {
    AuditEntry {
        at: "2026-03-01T10:00:00Z".into(),
        warehouse: "sqlite:/shop.db".into(),
        question: None,
        sql: sql.into(),
        sql_sha256: sha256_hex(sql),
        verdict: AuditVerdict::Ran,
        reason: None,
        rows: None,
        bytes: None,
        model: None,
        tokens: None,
        run_id: None,
        decided_by: None,
        receiver: None,
        author: None,
    }
}

/// A deterministic pseudorandom number generator.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn integrity(path: &Path) -> String {
    let db = rusqlite::Connection::open(path).unwrap();
    db.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap()
}

/// The program that is killed many times, not a test. Each line of its output is a promise.
#[test]
#[ignore = "started by the test below"]
fn the_program_that_is_killed_many_times() {
    let Ok(path) = std::env::var(PATH) else { return };
    let path = Path::new(&path);
    let run = std::env::var("VITRINE_TEST_CRASH_RUN").unwrap();
    let store = Store::open(path).unwrap();
    store.append_event(&event(&run, 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    for seq in 2.. {
        store.append_event(&event(&run, seq, call(10))).unwrap();
        println!("\nstored {seq}");
        store.append_audit_entry(&query(&format!("SELECT {seq}"))).unwrap();
        println!("\naudited {seq}");
        if seq % 7 == 0 {
            store.export_run(&run, &path.with_file_name("run.json")).unwrap();
            println!("\nexported {seq}");
        }
    }
}

#[test]
fn whenever_it_is_killed_what_was_promised_is_there_and_everything_opens() {
    const TIMES: usize = 25;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vitrine.db");
    let mut dice = Dice(7);
    let (mut audited, mut promises) = (0, 0);
    for time in 0..TIMES {
        let run = format!("r{time}");
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "crash::the_program_that_is_killed_many_times", "--ignored", "--nocapture"])
            .env(PATH, &path)
            .env("VITRINE_TEST_CRASH_RUN", &run)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let heard = std::thread::spawn(move || output.lines().map_while(Result::ok).collect::<Vec<String>>());
        std::thread::sleep(Duration::from_micros(20_000 + dice.below(180_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let mut last: BTreeMap<String, u64> = BTreeMap::new();
        let mut more = 0;
        for line in heard.join().unwrap() {
            // A line may be truncated; its number is then missing or too small.
            let Some((what, number)) = line.split_once(' ') else { continue };
            let (true, Ok(number)) = (["stored", "audited", "exported"].contains(&what), number.parse()) else {
                continue;
            };
            more += u64::from(what == "audited");
            promises += 1;
            last.insert(what.to_owned(), number);
        }
        audited += more;

        let store = Store::open(&path).unwrap();
        let check = store.check_audit().unwrap();
        assert!(check.rows >= audited && check.broken_at.is_none(), "{check:?}, {audited} promised");
        audited = check.rows;
        if let Some(stored) = last.get("stored") {
            let events = store.events(&run, 0).unwrap();
            assert!(events.len() as u64 >= *stored, "{} events, {stored} promised", events.len());
            assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq));
            assert_eq!(store.run_header(&run).unwrap().status, RunStatus::Failed, "it ends");
        }
        if last.contains_key("exported") {
            let text = std::fs::read_to_string(dir.path().join("run.json")).unwrap();
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "an export is whole or the one before");
        }
        drop(store);
        assert_eq!(integrity(&path), "ok");
    }
    assert!(promises > 20 * TIMES, "it was killed at work: {promises} promises");
}

/// After a power cut, the end of the write-ahead log may be missing or contain arbitrary data: it is not flushed for
/// each event (`synchronous = NORMAL`). The file itself is written only after the log was flushed.
#[test]
fn a_power_cut_takes_the_last_events_at_most_and_damages_nothing() {
    const EVENTS: u32 = 120;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("vitrine.db");
    drop(Store::open(&path).unwrap());
    let store = Store::open(&path).unwrap();
    store.append_event(&event("r", 1, started("How many?", "2026-03-01T10:00:00Z"))).unwrap();
    for seq in 2..=EVENTS {
        store.append_event(&event("r", seq, call(10))).unwrap();
        store.append_audit_entry(&query(&format!("SELECT {seq}"))).unwrap();
    }
    // Copied while the store is open, so that the log is not checkpointed.
    let log = |path: &Path| path.with_file_name("vitrine.db-wal");
    let (file, written) = (std::fs::read(&path).unwrap(), std::fs::read(log(&path)).unwrap());
    assert!(written.len() > 100_000, "the events are in the log: {} bytes", written.len());
    let (mut dice, mut kept) = (Dice(11), Vec::new());
    for time in 0..60 {
        let at = if time == 0 { written.len() } else { dice.below(written.len() as u64) as usize };
        let mut left = written[..at].to_vec();
        match time % 3 {
            0 => {}
            // Blocks that were allocated but not written.
            1 => left.resize(written.len(), 0),
            // Blocks written in a different order: later ones are present, some earlier ones are missing.
            _ => {
                left.extend_from_slice(&written[at..]);
                let end = (at + 8_192).min(left.len());
                left[at..end].fill(0xa5);
            }
        }
        let after = tempfile::tempdir().unwrap();
        let path = after.path().join("vitrine.db");
        std::fs::write(&path, &file).unwrap();
        std::fs::write(log(&path), &left).unwrap();
        let store = Store::open(&path).unwrap();
        let events = store.events("r", 0).unwrap_or_default();
        assert!(events.iter().zip(1..).all(|(event, seq)| event.seq == seq), "a beginning of them, without gaps");
        let check = store.check_audit().unwrap();
        assert_eq!(check.broken_at, None);
        kept.push(events.len() as u32);
        drop(store);
        assert_eq!(integrity(&path), "ok");
    }
    // Opening the workspace adds the run's final event.
    assert_eq!(kept[0], EVENTS + 1, "where nothing is lost, nothing is missing");
    assert!(kept.iter().any(|kept| (1..EVENTS).contains(kept)), "the cuts take something: {kept:?}");
}
