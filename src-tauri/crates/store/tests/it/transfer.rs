//! Tests of exporting and importing runs.

use super::{Desk, call, event, started, whole_run};
use serde_json::{Value, json};
use vitrine_domain::RunStatus;
use vitrine_store::StoreError;

/// A run id in the program's format.
const ID: &str = "0190a5f2-7c1e-7f00-8a3b-1234567890ab";

#[test]
fn an_exported_run_is_the_same_run_elsewhere() {
    let here = Desk::new();
    here.run(ID, "How many?", "2026-01-01T00:00:00Z");
    let file = here.dir.path().join("run.json");
    here.store.export_run(ID, &file).unwrap();
    let json: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(
        (&json["format"], &json["version"], json["events"].as_array().unwrap().len()),
        (&json!("vitrine-run"), &json!(1), 4)
    );

    let there = Desk::new();
    for _ in 0..2 {
        assert_eq!(there.store.import_run(&file).unwrap(), ID);
    }
    assert_eq!(there.store.events(ID, 0).unwrap(), whole_run(ID, "How many?", "2026-01-01T00:00:00Z"));
    assert_eq!(there.store.run_header(ID).unwrap(), here.store.run_header(ID).unwrap());

    let other = Desk::new();
    other.run(ID, "Something else?", "2026-01-01T00:00:00Z");
    assert!(matches!(other.store.import_run(&file), Err(StoreError::NotARun { .. })));
    assert_eq!(other.store.run_header(ID).unwrap().question, "Something else?");
}

#[test]
fn a_run_exported_while_it_ran_arrives_as_one_that_was_cut_off() {
    let here = Desk::new();
    here.store.append_event(&event(ID, 1, started("?", "2026-01-01T00:00:00Z"))).unwrap();
    here.store.append_event(&event(ID, 2, call(5))).unwrap();
    let file = here.dir.path().join("run.json");
    here.store.export_run(ID, &file).unwrap();
    let there = Desk::new();
    for _ in 0..2 {
        there.store.import_run(&file).unwrap();
    }
    let run = there.store.run_header(ID).unwrap();
    assert_eq!((run.status, run.usage.prompt_tokens), (RunStatus::Failed, 5));
}

#[test]
fn a_file_that_is_no_run_changes_nothing_and_says_what_is_wrong() {
    let desk = Desk::new();
    let file = desk.dir.path().join("x.json");
    let mut events = serde_json::to_value(whole_run(ID, "?", "2026-01-01T00:00:00Z")).unwrap();
    events.as_array_mut().unwrap().remove(1);
    let strange = |id: &str| serde_json::to_value(whole_run(id, "?", "2026-01-01T00:00:00Z")).unwrap();
    let run = |events: &Value| json!({ "format": "vitrine-run", "version": 1, "events": events }).to_string();
    let cases = [
        ("not json".to_owned(), "expected ident"),
        (json!({ "format": "other", "version": 1 }).to_string(), "its format is 'other'"),
        (json!({ "format": "vitrine-run", "version": 2, "events": 3 }).to_string(), "newer version"),
        (run(&json!([])), "no event"),
        (run(&json!([{ "runId": ID }])), "missing field"),
        (run(&strange("../../../home/ann")), "its runId '../../../home/ann' is not the id of a run"),
        (run(&strange("r")), "a UUID"),
        (run(&events), "the next one is 2"),
    ];
    for (text, expected) in cases {
        std::fs::write(&file, text).unwrap();
        let error = desk.store.import_run(&file).unwrap_err().to_string();
        assert!(error.contains("x.json") && error.contains(expected), "{error}");
    }
    assert!(matches!(desk.store.import_run(&desk.dir.path().join("missing.json")), Err(StoreError::File { .. })));
    assert_eq!(desk.store.find_runs("", 10, 0).unwrap(), []);
}

#[test]
fn an_export_that_cannot_be_written_leaves_nothing_behind() {
    let desk = Desk::new();
    desk.run("r", "?", "2026-01-01T00:00:00Z");
    let folder = desk.dir.path().join("folder");
    std::fs::create_dir(&folder).unwrap();
    assert!(matches!(desk.store.export_run("r", &folder), Err(StoreError::File { .. })));
    assert!(!desk.dir.path().join("folder.part").exists());
    assert!(matches!(desk.store.export_run("none", &folder), Err(StoreError::NotFound { .. })));
}
