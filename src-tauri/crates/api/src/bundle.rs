//! Evidence bundles: one file with a question, its answer, query and steps, and a hash of each part, that can be checked without a model.
//!
//! A bundle is a ZIP archive of text files, so that any archive tool opens it. `manifest.json` lists the parts with their hashes. The
//! hashes detect accidental changes and mixed parts, but not deliberate forgery, because a forger can recompute all of them. Against that,
//! keep the hash of the whole file elsewhere.

mod read;
mod write;

use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;
use vitrine_domain::{Agent, Dialect, MethodName, ModelId, Page};
use vitrine_warehouse::write_csv_field;

/// Identifies the file format in the manifest.
const FORMAT: &str = "vitrine-bundle";
const VERSION: u32 = 1;

const MANIFEST: &str = "manifest.json";
const QUESTION: &str = "question.txt";
const SQL: &str = "answer.sql";
const CODE: &str = "answer.py";
const RESULT: &str = "result.csv";
const EVENTS: &str = "events.json";

/// The content of `manifest.json` in a bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct BundleManifest {
    /// Name of the format, always `vitrine-bundle`.
    pub format: String,
    /// Version of the format, currently 1.
    pub version: u32,
    /// Name and version of the program that wrote the bundle.
    pub program: String,
    /// Time of writing: RFC 3339, UTC.
    pub written_at: String,
    /// Id of the run whose answer the bundle contains.
    pub run_id: String,
    /// Time of the question: RFC 3339, UTC.
    pub asked_at: String,
    /// The warehouse's address, without secrets.
    pub warehouse: String,
    /// SQL dialect of the query; `None` if the log does not contain it.
    pub dialect: Option<Dialect>,
    /// Method that answered; `None` if the log does not contain it.
    pub method: Option<MethodName>,
    /// The model of each agent.
    pub models: BTreeMap<Agent, ModelId>,
    /// Number of rows in the result.
    #[specta(type = f64)]
    pub rows: u64,
    /// True if the result may have more rows.
    pub truncated: bool,
    /// Description of the content that the warehouse's policy removed from the result and the log; `None` if nothing was removed.
    pub left_out: Option<String>,
    /// Hash and event count of the run's whole log, in the format of `vitrine runs export`.
    pub log: LogHash,
    /// SHA-256 of each part, 64 hex digits.
    pub parts: BTreeMap<String, String>,
}

/// Hash of a log, by which it is recognized.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct LogHash {
    /// Number of events in the log.
    pub events: u32,
    /// SHA-256 of the log's text, 64 hex digits.
    pub sha256: String,
}

/// The result of checking a bundle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
pub struct BundleCheck {
    /// The manifest that the bundle contains.
    pub manifest: BundleManifest,
    /// The question that the run answered.
    pub question: String,
    /// The query of the answer.
    pub sql: String,
    /// Discrepancies, one sentence each; empty if there are none.
    pub problems: Vec<String>,
    /// True if the answer was computed again from the events and compared.
    pub replayed: bool,
    /// True if the query was run again.
    pub rerun: bool,
}

/// Formats a result as CSV for the bundle: the bytes are the same for the same rows, and the file is safe to open in a spreadsheet.
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
