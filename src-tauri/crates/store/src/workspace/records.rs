//! What is carried from one workspace to another.

use crate::{Connection, KeptFacts, KeptReading, RemoteModel, SavedQuestion, SavedResult};
use serde::{Deserialize, Serialize};
use vitrine_domain::{DecidedKey, Definitions, EgressPolicy, EventBody, RunEvent, TableOptions, is_run_id};
use vitrine_words::tr;

/// A run with its log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunRecord {
    /// What the user calls it, in place of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the user keeps it on top.
    #[serde(default)]
    pub pinned: bool,
    /// The whole log.
    pub events: Vec<RunEvent>,
}

impl RunRecord {
    /// The run's id, where it is one.
    ///
    /// # Errors
    /// Why this is no whole run.
    pub fn checked_id(&self) -> Result<&str, String> {
        let (Some(first), Some(last)) = (self.events.first(), self.events.last()) else {
            return Err(tr!("it holds no event"));
        };
        let run_id = first.run_id.as_str();
        // Folders are named after it.
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

/// A saved question with what it gave last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SavedRecord {
    /// The question.
    pub question: SavedQuestion,
    /// What its query gave, where that is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<SavedResult>,
}

/// All that the user has said of one address.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DatabaseRecord {
    /// The address, without secrets.
    pub address: String,
    /// The connection to it, where it has a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connection: Option<Connection>,
    /// What is known of it in words, with the conditions that always hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    /// What questions of it were chosen to mean.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<ReadingRecord>,
    /// What models may be told of it, where that was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub egress: Option<EgressPolicy>,
    /// How its data files are read.
    #[serde(default, skip_serializing_if = "TableOptions::is_empty")]
    pub tables: TableOptions,
    /// Inferred keys that were confirmed or struck.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<DecidedKey>,
}

/// A reading with the question that it is kept for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadingRecord {
    /// The question as it is compared.
    pub question_key: String,
    /// What models are told with it.
    pub knowledge: String,
    /// The reading.
    #[serde(flatten)]
    pub reading: KeptReading,
}

/// What is known of a model. Its key is in the keychain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ModelRecord {
    /// The model's name in settings and logs.
    pub id: String,
    /// Where it is, if behind an address.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<RemoteModel>,
    /// What was found out and said of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<KeptFacts>,
}
