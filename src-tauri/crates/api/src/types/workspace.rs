//! The workspace in one file: what it holds, and what an import does.

use serde::{Deserialize, Serialize};
use specta::Type;

/// How much a workspace holds that can be written to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceContent {
    /// Runs that have ended.
    pub runs: u32,
    /// Saved questions.
    pub saved: u32,
    /// Connections.
    pub connections: u32,
    /// Models behind an address, and those of which something was said or found out.
    pub models: u32,
}

/// How an import goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportChoice {
    /// Whether the settings of the file take the place of those here.
    pub settings: bool,
    /// Whether anything is taken in; otherwise it is only said what would be.
    pub apply: bool,
    /// Ids of the looser policies that are taken in all the same.
    pub confirmed: Vec<String>,
}

/// A part of a file that would loosen a policy here. It has no effect until the user confirms it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LooserPolicy {
    /// Its id: the same for the same part of any file.
    pub id: String,
    /// The address that it is about.
    pub address: String,
    /// What would hold, as a sentence.
    pub what: String,
    /// Whether it is confirmed and was, or would be, taken in.
    pub taken: bool,
}

/// What became, or would become, of the records of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportCount {
    /// Records that are new.
    pub added: u32,
    /// Those that are here already.
    pub here: u32,
    /// Those that are here otherwise, and stay as they are here.
    pub differs: u32,
}

/// What an import did, or would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceImport {
    /// The program that wrote the file, with its version.
    pub program: String,
    /// When it was written: RFC 3339, UTC.
    pub written_at: String,
    /// Whether the file holds rows of results.
    pub results: bool,
    /// Runs.
    pub runs: ImportCount,
    /// Saved questions.
    pub saved: ImportCount,
    /// Connections.
    pub connections: ImportCount,
    /// Databases of which something else is said: definitions, what leaves, how files are read, keys.
    pub descriptions: ImportCount,
    /// Readings that were chosen.
    pub readings: ImportCount,
    /// Models.
    pub models: ImportCount,
    /// Whether the file holds settings that are not those here.
    pub settings_differ: bool,
    /// Whether the settings were taken over.
    pub settings_taken: bool,
    /// Parts that would loosen a policy here.
    pub looser: Vec<LooserPolicy>,
    /// What the user should know, one sentence each.
    pub notes: Vec<String>,
    /// Records that could not be read, with the reason. Nothing of them was taken in.
    pub refused: Vec<String>,
}
