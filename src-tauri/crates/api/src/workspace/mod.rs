//! The workspace as one file, to be opened on another computer or after the program was installed anew.
//!
//! It is a ZIP archive of JSON lines, so that anybody can open it: `manifest.json` says what wrote it and what it holds, and each other
//! part holds one record a line, a run with its whole log being one. Nothing of it becomes a path, and nothing of it is run. What
//! belongs to the computer itself is in none: passwords and keys, the audit, what was spent, permission to call functions, profiles and
//! value indexes.

mod policy;
mod read;
mod take;
mod window;
mod write;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What tells the file from others.
const FORMAT: &str = "vitrine-workspace";
const VERSION: u32 = 1;

const MANIFEST: &str = "manifest.json";
const DATABASES: &str = "databases.jsonl";
const MODELS: &str = "models.jsonl";
const DRIVERS: &str = "drivers.jsonl";
const RUNS: &str = "runs.jsonl";
const SAVED: &str = "saved.jsonl";
const SETTINGS: &str = "settings.jsonl";

/// What stands in `manifest.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: String,
    version: u32,
    /// The program that wrote it, with its version.
    program: String,
    /// RFC 3339, UTC.
    written_at: String,
    /// Whether rows of results are in it.
    results: bool,
    /// The address of the sample where it was written: here it is another one.
    sample: String,
    /// Records of each part.
    parts: BTreeMap<String, u64>,
}

/// A driver that the user added there. It is not taken over: it is a program, and it is named so that it can be added by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DriverRecord {
    name: String,
    path: String,
    sha256: String,
}

/// Whether the address of a model can be kept: no login and no key is in it.
fn is_usable_address(base_url: &str) -> bool {
    vitrine_llm::http::same_origin(base_url, base_url)
}
