//! Export and import of the workspace in one file.

use serde::{Deserialize, Serialize};
use specta::Type;

/// Number of records of a workspace that can be exported.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceContent {
    /// Number of runs that have ended.
    pub runs: u32,
    /// Number of saved questions in the library.
    pub saved: u32,
    /// Number of connections with a name.
    pub connections: u32,
    /// Number of remote models, and of models with properties from tests or the user.
    pub models: u32,
}

/// Options that control an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportChoice {
    /// True if the settings in the file replace the current ones.
    pub settings: bool,
    /// True if records are imported; otherwise the import is only previewed.
    pub apply: bool,
    /// Ids of the looser policies that the user has confirmed.
    pub confirmed: Vec<String>,
}

/// A part of a file that would loosen a policy. It has no effect until the user confirms it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct LooserPolicy {
    /// Id; equal for the same part in any file.
    pub id: String,
    /// Address to which the policy applies.
    pub address: String,
    /// The resulting policy, as a sentence.
    pub what: String,
    /// True if the part is confirmed and was, or would be, imported.
    pub taken: bool,
}

/// Number of imported, or importable, records of one kind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ImportCount {
    /// Number of records that are new here.
    pub added: u32,
    /// Number of records that already exist.
    pub here: u32,
    /// Number of records that exist with other content and are not changed.
    pub differs: u32,
}

/// The result of an import or of its preview.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct WorkspaceImport {
    /// Name and version of the program that wrote the file.
    pub program: String,
    /// Time of writing: RFC 3339, UTC.
    pub written_at: String,
    /// True if the file contains rows of results.
    pub results: bool,
    /// Counts for runs with their logs.
    pub runs: ImportCount,
    /// Counts for saved questions of the library.
    pub saved: ImportCount,
    /// Counts for connections with their settings.
    pub connections: ImportCount,
    /// Counts of databases with further records: definitions, egress policies, file options, keys.
    pub descriptions: ImportCount,
    /// Counts for interpretations that are remembered.
    pub readings: ImportCount,
    /// Counts for models and their properties.
    pub models: ImportCount,
    /// True if the settings in the file differ from the current ones.
    pub settings_differ: bool,
    /// True if the settings were replaced.
    pub settings_taken: bool,
    /// Parts that would loosen a policy.
    pub looser: Vec<LooserPolicy>,
    /// Notes for the user, one sentence each.
    pub notes: Vec<String>,
    /// Records that could not be read, each with the reason. Nothing of them was imported.
    pub refused: Vec<String>,
}
