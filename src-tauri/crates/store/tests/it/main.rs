//! Tests of the workspace's behaviour for its callers, with real files.

mod crash;
mod files;
mod full;
mod fuzz;
mod keychain;
mod lists;
mod runs;
mod transfer;

use std::collections::BTreeMap;
use vitrine_domain::{Agent, AppError, Dialect, EventBody, Page, RunEvent, Usage};
use vitrine_store::Store;

/// A workspace in a temporary folder.
struct Desk {
    store: Store,
    dir: tempfile::TempDir,
}

impl Desk {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(&dir.path().join("vitrine.db")).unwrap();
        Self { store, dir }
    }

    /// Adds a complete run with one model call and one row.
    fn run(&self, run_id: &str, question: &str, started_at: &str) {
        for event in whole_run(run_id, question, started_at) {
            self.store.append_event(&event).unwrap();
        }
    }
}

fn event(run_id: &str, seq: u32, body: EventBody) -> RunEvent {
    RunEvent { run_id: run_id.into(), seq, at_ms: seq * 100, body }
}

fn started(question: &str, started_at: &str) -> EventBody {
    EventBody::RunStarted {
        egress: None,
        follows: None,
        steered: None,
        guided_by: Vec::new(),
        question: question.into(),
        knowledge: None,
        warehouse: "duckdb:/tmp/shop.duckdb".into(),
        dialect: Dialect::Duckdb,
        settings: Box::default(),
        models: BTreeMap::new(),
        started_at: started_at.into(),
    }
}

fn call(tokens: u64) -> EventBody {
    EventBody::ModelCallFinished {
        node: "generator".into(),
        call: 1,
        agent: Agent::Generator,
        replies: vec!["SELECT 1".into()],
        probabilities: Vec::new(),
        usage: Usage { llm_calls: 1, prompt_tokens: tokens, ..Usage::default() },
        error: None,
    }
}

fn result(rows: u64) -> EventBody {
    EventBody::ResultReady {
        node: "result".into(),
        sql: "SELECT 1".into(),
        code: None,
        page: Page { row_count: rows, ..Page::default() },
        headline: None,
        written: None,
        changes: Vec::new(),
        variants: Vec::new(),
        findings: Vec::new(),
    }
}

fn finished(error: Option<AppError>) -> EventBody {
    EventBody::RunFinished {
        error,
        usage: Usage { llm_calls: 1, prompt_tokens: 90, ..Usage::default() },
        usage_by_agent: BTreeMap::new(),
    }
}

fn whole_run(run_id: &str, question: &str, started_at: &str) -> Vec<RunEvent> {
    let bodies = [started(question, started_at), call(90), result(7), finished(None)];
    bodies.into_iter().zip(1..).map(|(body, seq)| event(run_id, seq, body)).collect()
}
