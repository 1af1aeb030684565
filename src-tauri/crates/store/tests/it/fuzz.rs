//! Imported run files come from untrusted sources: none may crash the program or change existing data.

use super::{Desk, whole_run};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicU32, Ordering};
use vitrine_domain::is_run_id;
use vitrine_test_servers::json_nodes::{count_nodes, replace_node};

const ID: &str = "0190a5f2-7c1e-7f00-8a3b-1234567890ab";
const MINE: &str = "0190a5f2-7c1e-7f00-8a3b-00000000000a";

#[derive(Debug, Clone)]
enum Change {
    /// Replaces the value at a place of the JSON.
    Put(prop::sample::Index, Value),
    /// Repeats, removes or moves an event.
    Repeat(prop::sample::Index),
    Remove(prop::sample::Index),
    Swap(prop::sample::Index, prop::sample::Index),
    /// Changes bytes of the text.
    Cut(prop::sample::Index),
    Byte(prop::sample::Index, u8),
}

fn values() -> impl Strategy<Value = Value> {
    let texts = [
        "",
        "..",
        "../../x",
        "/etc/passwd",
        ID,
        MINE,
        "\u{0}",
        "'; DROP TABLE runs; --",
        "runStarted",
        "runFinished",
        "resultReady",
        "2024-13-99T99:99:99Z",
        "vitrine-run",
        "x\u{202e}y",
    ];
    let deep = (0..300).fold(json!(1), |inner, _| json!([inner]));
    prop_oneof![
        5 => prop::sample::select(texts.to_vec()).prop_map(|text| json!(text)),
        2 => any::<i64>().prop_map(|number| json!(number)),
        1 => any::<u64>().prop_map(|number| json!(number)),
        1 => any::<f64>().prop_map(|number| json!(number)),
        1 => Just(Value::Null),
        1 => Just(json!([])),
        1 => Just(json!({"body": {"kind": "runStarted"}})),
        1 => Just(deep),
        1 => Just(json!("x".repeat(100_000))),
    ]
}

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let at = any::<prop::sample::Index>;
    let change = prop_oneof![
        6 => (at(), values()).prop_map(|(at, value)| Change::Put(at, value)),
        1 => at().prop_map(Change::Repeat),
        1 => at().prop_map(Change::Remove),
        1 => (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        1 => at().prop_map(Change::Cut),
        1 => (at(), any::<u8>()).prop_map(|(at, byte)| Change::Byte(at, byte)),
    ];
    prop::collection::vec(change, 0..4)
}

fn changed(file: &Value, changes: Vec<Change>) -> Vec<u8> {
    let mut file = file.clone();
    let mut bytes = Vec::new();
    for change in changes {
        if let Change::Put(at, value) = change {
            let at = at.index(count_nodes(&file));
            replace_node(&mut file, at, value);
            continue;
        }
        let events = file.get_mut("events").and_then(Value::as_array_mut).filter(|events| !events.is_empty());
        match (change, events) {
            (Change::Repeat(at), Some(events)) => {
                let at = at.index(events.len());
                events.insert(at, events[at].clone());
            }
            (Change::Remove(at), Some(events)) => drop(events.remove(at.index(events.len()))),
            (Change::Swap(a, b), Some(events)) => {
                let (a, b) = (a.index(events.len()), b.index(events.len()));
                events.swap(a, b);
            }
            (change, _) => bytes.push(change),
        }
    }
    let mut text = serde_json::to_vec(&file).unwrap();
    for change in bytes {
        if text.is_empty() {
            break;
        }
        match change {
            Change::Cut(at) => text.truncate(at.index(text.len())),
            Change::Byte(at, byte) => {
                let at = at.index(text.len());
                text[at] = byte;
            }
            _ => {}
        }
    }
    text
}

#[test]
fn whatever_is_imported_leaves_what_is_there_alone() {
    let source = Desk::new();
    source.run(ID, "How many?", "2026-01-01T00:00:00Z");
    let file = serde_json::to_value(source.store.exported_run(ID).unwrap()).unwrap();
    let desk = Desk::new();
    desk.run(MINE, "Mine?", "2026-01-01T00:00:00Z");
    let mine = whole_run(MINE, "Mine?", "2026-01-01T00:00:00Z");
    let path = desk.dir.path().join("run.json");
    let (accepted, refused) = (AtomicU32::new(0), AtomicU32::new(0));
    // Deterministic, so that failures can be reproduced.
    let config = Config { cases: 800, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome = runner.run(&changes(), |changes| {
        std::fs::write(&path, changed(&file, changes)).unwrap();
        match desk.store.import_run(&path) {
            Ok(id) => {
                accepted.fetch_add(1, Ordering::AcqRel);
                prop_assert!(is_run_id(&id), "{id}");
                // An accepted run can be listed, read, exported and deleted.
                desk.store.find_runs("", 100, 0).unwrap();
                desk.store.run_header(&id).unwrap();
                desk.store.events(&id, 0).unwrap();
                desk.store.export_run(&id, &desk.dir.path().join("again.json")).unwrap();
                if id != MINE {
                    desk.store.delete_run(&id).unwrap();
                }
            }
            Err(error) => {
                refused.fetch_add(1, Ordering::AcqRel);
                let error = vitrine_domain::AppError::from(error);
                prop_assert!(!error.message.is_empty() && error.message.len() < 2_000, "{}", error.message.len());
            }
        }
        prop_assert_eq!(&desk.store.events(MINE, 0).unwrap(), &mine);
        prop_assert_eq!(desk.store.find_runs("", 100, 0).unwrap().len(), 1);
        Ok(())
    });
    outcome.unwrap();
    let (accepted, refused) = (accepted.load(Ordering::Acquire), refused.load(Ordering::Acquire));
    assert!(accepted > 80 && refused > 80, "{accepted} accepted, {refused} refused");
}
