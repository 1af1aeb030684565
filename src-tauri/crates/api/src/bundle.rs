//! Evidence: one file with a question, its answer, the query and the steps, with a hash of each part, that can be looked at and
//! checked without a model.
//!
//! It is a ZIP archive of texts, so that anybody can open it. `manifest.json` names the parts with their hashes. The hashes tell
//! that parts belong together and were not changed by accident; whoever wants to deceive can write all of them anew, so that where
//! that matters the hash of the whole file is kept elsewhere.

mod read;
mod write;

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, Dialect, MethodName, ModelId, Page};
use vitrine_warehouse::write_csv_field;

/// What tells the file from others.
const FORMAT: &str = "vitrine-bundle";
const VERSION: u32 = 1;

const MANIFEST: &str = "manifest.json";
const QUESTION: &str = "question.txt";
const SQL: &str = "answer.sql";
const CODE: &str = "answer.py";
const RESULT: &str = "result.csv";
const EVENTS: &str = "events.json";

/// What stands in `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct BundleManifest {
    /// Always `vitrine-bundle`.
    pub format: String,
    /// 1.
    pub version: u32,
    /// The program that wrote it, with its version.
    pub program: String,
    /// When it was written: RFC 3339, UTC.
    pub written_at: String,
    /// The run.
    pub run_id: String,
    /// When the question was asked: RFC 3339, UTC.
    pub asked_at: String,
    /// The warehouse's address, without secrets.
    pub warehouse: String,
    /// What its SQL is written in.
    pub dialect: Option<Dialect>,
    /// The method.
    pub method: Option<MethodName>,
    /// The model of each agent.
    pub models: BTreeMap<Agent, ModelId>,
    /// Rows of the result, and whether there are more than it holds.
    #[specta(type = f64)]
    pub rows: u64,
    /// Whether there may be more rows.
    pub truncated: bool,
    /// What was left out of the result and of the log, since the policy of the warehouse keeps it here; `None` where nothing was.
    pub left_out: Option<String>,
    /// Events of the run's whole log, and the SHA-256 of them as `vitrine runs export` writes it.
    pub log: LogHash,
    /// SHA-256 of each part, 64 hex digits.
    pub parts: BTreeMap<String, String>,
}

/// A log that is known again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LogHash {
    /// Its events.
    pub events: u32,
    /// SHA-256 of its text.
    pub sha256: String,
}

/// What a look at a bundle found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct BundleCheck {
    /// What it says of itself.
    pub manifest: BundleManifest,
    /// The question.
    pub question: String,
    /// The answer's query.
    pub sql: String,
    /// What does not fit, one sentence each; empty where all does.
    pub problems: Vec<String>,
    /// Whether the events were folded again to the same answer.
    pub replayed: bool,
    /// Whether the query was run again.
    pub rerun: bool,
}

/// A result as the bundle holds it: always the same bytes for the same rows, and safe to open in a spreadsheet.
fn page_to_csv(page: &Page) -> String {
    let mut out = String::new();
    let mut line = |cells: &mut dyn Iterator<Item = Option<&str>>| {
        for (at, cell) in cells.enumerate() {
            if at > 0 {
                out.push(',');
            }
            if let Some(cell) = cell {
                write_csv_field(&mut out, cell, true);
            }
        }
        out.push_str("\r\n");
    };
    line(&mut page.columns.iter().map(|column| Some(column.name.as_str())));
    for row in &page.rows {
        line(&mut row.iter().map(Option::as_deref));
    }
    out
}
