//! Records that are transferred between workspaces.

use crate::{Connection, KeptFacts, KeptReading, RemoteModel, SavedQuestion, SavedResult};
use serde::{Deserialize, Serialize};
use vitrine_domain::{DecidedKey, Definitions, EgressPolicy, EventBody, RunEvent, TableOptions, is_run_id};
use vitrine_words::tr;

/// A run with its log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// The user's title, replacing the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// `true` if the user pinned it.
    #[serde(default)]
    pub pinned: bool,
    /// All events of the run.
    pub events: Vec<RunEvent>,
}

impl RunRecord {
    /// Returns the run's id if the run is complete.
    ///
    /// # Errors
    /// Returns the reason why the run is incomplete.
    pub fn checked_id(&self) -> Result<&str, String> {
        let (Some(first), Some(last)) = (self.events.first(), self.events.last()) else {
            return Err(tr!("it holds no event"));
        };
        let run_id = first.run_id.as_str();
        // The id is used as a folder name.
        if !is_run_id(run_id) {
            let shown: String = run_id.chars().take(40).collect();
            return Err(tr!("its id '{id}' is not a UUID", id = shown));
        }
        let in_order = (1..).zip(&self.events).all(|(seq, event)| event.seq == seq && event.run_id == run_id);
        let begins = |event: &RunEvent| matches!(event.body, EventBody::RunStarted { .. });
        let ends = |event: &RunEvent| matches!(event.body, EventBody::RunFinished { .. });
        let one_of_each = begins(first)
            && !self.events[1..].iter().any(begins)
            && ends(last)
            && !self.events[..self.events.len() - 1].iter().any(ends);
        if in_order && one_of_each { Ok(run_id) } else { Err(tr!("its events are not those of one whole run")) }
    }
}

/// A saved question with its last result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedRecord {
    /// The content of the saved question.
    pub question: SavedQuestion,
    /// The last result of its query, if stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<SavedResult>,
}

/// All user data of one address.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseRecord {
    /// The address of the database, without secrets.
    pub address: String,
    /// The named connection to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<Connection>,
    /// Its definitions, with the conditions that always apply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    /// The chosen interpretations of its questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ReadingRecord>,
    /// The egress policy, if the user has set one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress: Option<EgressPolicy>,
    /// Options for reading its data files.
    #[serde(default, skip_serializing_if = "TableOptions::is_empty")]
    pub tables: TableOptions,
    /// Inferred keys that were confirmed or rejected.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<DecidedKey>,
}

/// An interpretation with the key of its question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingRecord {
    /// The question's text after normalization.
    pub question_key: String,
    /// The background knowledge in its prompt.
    pub knowledge: String,
    /// The interpretation that the user chose.
    #[serde(flatten)]
    pub reading: KeptReading,
}

/// A model's settings. Its key is in the keychain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRecord {
    /// The model's name in settings and logs.
    pub id: String,
    /// Its address and provider, for a remote model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteModel>,
    /// The stored properties of the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<KeptFacts>,
}
