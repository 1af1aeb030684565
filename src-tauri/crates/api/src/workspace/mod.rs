//! Export of the workspace to one file, for another computer or a new installation.
//!
//! The file is a ZIP archive of JSON lines, so that any archive tool opens it: `manifest.json` names its program and content, and every
//! other part contains one record per line; a run with its whole log is one record. Content of the file is never used as a path and never
//! executed. Data that belongs to this computer is not exported: passwords and keys, the audit log, spending, permission to call functions,
//! profiles and value indexes.

mod policy;
mod read;
mod take;
mod window;
mod write;

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Identifies the file format in the manifest.
const FORMAT: &str = "vitrine-workspace";
const VERSION: u32 = 1;

const MANIFEST: &str = "manifest.json";
const DATABASES: &str = "databases.jsonl";
const MODELS: &str = "models.jsonl";
const DRIVERS: &str = "drivers.jsonl";
const RUNS: &str = "runs.jsonl";
const SAVED: &str = "saved.jsonl";
const SETTINGS: &str = "settings.jsonl";

/// The content of `manifest.json` in an exported file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: String,
    version: u32,
    /// Name and version of the program that wrote the file.
    program: String,
    /// Time of writing: RFC 3339, UTC.
    written_at: String,
    /// True if the file contains rows of results.
    results: bool,
    /// Address of the sample on the computer of origin, which is replaced on import.
    sample: String,
    /// Number of records of each part.
    parts: BTreeMap<String, u64>,
}

/// A driver that the user added. It is not imported, because it is executable code; its name lets the user add it manually.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct DriverRecord {
    name: String,
    path: String,
    sha256: String,
}

/// Returns true if the address of a model contains no login and no key, so that it can be stored.
fn is_usable_address(base_url: &str) -> bool {
    vitrine_llm::http::same_origin(base_url, base_url)
}
