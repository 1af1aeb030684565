//! Results of the stages of published methods: the payloads of their run events.

use crate::Page;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The outcome of a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum ChunkOutcome {
    /// The question needs nothing of the chunk.
    Irrelevant,
    /// Every view ran and the selection is consistent.
    Valid,
    /// The rounds ran out; the views that run without the others are kept.
    Partial,
    /// The rounds ran out and no view could be kept.
    Failed,
}

/// A literal of a view or of the question, with a similar stored value (AV-SQL, section 4.1.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ValueMatch {
    /// The literal that was searched for.
    pub literal: String,
    /// The table that stores the value.
    pub table: String,
    /// The column that stores the value.
    pub column: String,
    /// The stored value that was found.
    pub value: String,
    /// Edit similarity, from 0 to 1.
    pub edit: f64,
    /// Cosine similarity of the embeddings; `None` if one of the texts was not embedded.
    pub semantic: Option<f64>,
}

impl ValueMatch {
    /// Returns true if the question names the value: in full, also misspelled or paraphrased, or by a part that is written
    /// like a name. The common word "years" does not name the title `14 Years`.
    pub fn is_named(&self) -> bool {
        const ALIKE: f64 = 0.75;
        let count_words = |text: &str| text.split_whitespace().count();
        let similarity = self.edit.max(self.semantic.unwrap_or_default());
        let is_whole = count_words(&self.literal) == count_words(&self.value) && similarity >= ALIKE;
        is_whole
            || self.literal.to_lowercase() == self.value.to_lowercase()
            || self.literal.chars().next().is_some_and(|first| first.is_uppercase() || first.is_numeric())
    }
}

/// A probing query, which inspects the data and is never an answer (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Probe {
    /// The 1-based number; queries are ordered from simple to nested.
    pub number: u32,
    /// The purpose of the query.
    pub purpose: String,
    /// The query as executed, or as written if it could not run.
    pub sql: String,
    /// The probe whose correction was applied to this one (ReFoRCE, Algorithm 1).
    pub carried_from: Option<u32>,
    /// Number of corrections by the model.
    pub fixes: u32,
    /// The reason why it did not run.
    pub error: Option<String>,
    /// A few rows of the result.
    pub page: Option<Page>,
}

/// An action on the generation state (DSR-SQL, 3.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum GenerationAction {
    /// Extends the query by the next part of the question.
    Extend,
    /// Corrects an error of the query.
    Revise,
    /// Inspects the data; the query is never an answer.
    Explore,
    /// Accepts the query as the answer.
    Finalize,
}

impl GenerationAction {
    /// Returns the kind of the shortest path with this action.
    pub fn path(self) -> GenerationPath {
        match self {
            GenerationAction::Extend | GenerationAction::Finalize => GenerationPath::Straightforward,
            GenerationAction::Revise => GenerationPath::Refinement,
            GenerationAction::Explore => GenerationPath::Exploratory,
        }
    }
}

/// The kind of a path of the generation state, by its most demanding action (DSR-SQL, Figure 4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum GenerationPath {
    /// Only Extend and Finalize.
    #[default]
    Straightforward,
    /// With Revise, without Explore.
    Refinement,
    /// With Explore.
    Exploratory,
}

impl GenerationPath {
    /// All paths, in the paper's order.
    pub const ALL: [GenerationPath; 3] =
        [GenerationPath::Straightforward, GenerationPath::Refinement, GenerationPath::Exploratory];

    /// Returns the display name of the path.
    pub fn name(self) -> &'static str {
        match self {
            GenerationPath::Straightforward => "straightforward",
            GenerationPath::Refinement => "refinement",
            GenerationPath::Exploratory => "exploratory",
        }
    }
}

/// An example question with its query, generated for the current database (CHASE-SQL, 3.3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct SyntheticExample {
    /// The text of the question.
    pub question: String,
    /// The question's query, which ran successfully.
    pub sql: String,
}

/// A group of candidates with equal results.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Cluster {
    /// The numbers of the candidates, the representative first.
    pub candidates: Vec<u32>,
    /// The reason why the result is suspicious, if it is: no rows, or only zeros.
    pub suspicious: Option<String>,
}

/// The confidence of a vote (ReFoRCE, equations 5 and 6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Confidence {
    /// One result has more votes than any other.
    High,
    /// The leading results have equally many votes, or no result can be trusted.
    Low,
}

/// A pass of schema linking (ProSPy, A.2; ReFoRCE, 3.2.1; DSR-SQL, 3.2.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum LinkingPass {
    /// Keeps the names that several drafted queries use.
    Drafts,
    /// Decides for each table whether it is needed, and with which columns.
    Tables,
    /// Excludes tables in the coarse pass.
    CoarseTables,
    /// Excludes columns in the coarse pass.
    CoarseColumns,
    /// Excludes tables in the fine pass.
    FineTables,
    /// Excludes columns in the fine pass.
    FineColumns,
    /// Restores names that an earlier pass excluded.
    BroughtBack,
    /// Keeps the names that were given with the question, such as those of an evaluation's gold query.
    Given,
}

/// A model's decision about a table of the schema (ReFoRCE, 3.2.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct TableVerdict {
    /// The table, or the pattern of a group of look-alike tables.
    pub table: String,
    /// True if the question needs the table.
    pub needed: bool,
    /// The model's reason for the decision.
    pub why: String,
}

/// An interpretation of the question: a result on which candidates agree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct Reading {
    /// The first candidate with this result.
    pub candidate: u32,
    /// Number of candidates with this result; 0 if a rule made the query.
    pub votes: u32,
    /// The SQL text of `candidate`.
    pub sql: String,
    /// The meaning of the question in this interpretation, in plain words: the output, and the properties of the SQL
    /// that not all interpretations share. Empty in logs of earlier versions.
    #[serde(default)]
    pub meaning: String,
    /// Number of rows of the result, at most the row limit.
    #[specta(type = f64)]
    pub row_count: u64,
    /// The first row of the result.
    pub first_row: Vec<Option<String>>,
}

/// An interpretation that the user chose earlier for the same question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RememberedChoice {
    /// The id of the stored choice, with which it can be deleted.
    pub id: String,
    /// The time of the choice; RFC 3339, UTC.
    pub chosen_at: String,
}

/// A schema chunk (AV-SQL, section 4.1.2).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct ChunkSummary {
    /// The 1-based number of the chunk.
    pub index: u32,
    /// Tables of the chunk, by their names in prompts.
    pub tables: Vec<String>,
    /// Number of tokens of its text. Exact for the embedded model; for remote models an estimate from the number of
    /// characters, corrected by earlier token counts of the server.
    pub tokens: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_named_in_full_or_by_a_part_like_a_name() {
        let found = |literal: &str, value: &str, edit: f64| ValueMatch {
            literal: literal.to_owned(),
            table: "t".to_owned(),
            column: "c".to_owned(),
            value: value.to_owned(),
            edit,
            semantic: None,
        };
        for (literal, value, edit) in [
            ("horror", "Horror", 1.0),
            ("horor", "Horror", 0.83),
            ("Acme", "Acme GmbH", 0.4),
            ("2023", "Season 2023", 0.4),
            ("straße", "Straße", 1.0),
        ] {
            assert!(found(literal, value, edit).is_named(), "{literal}");
        }
        let paraphrased = ValueMatch { semantic: Some(0.8), ..found("alemania", "Germany", 0.2) };
        assert!(paraphrased.is_named());
        for (literal, value) in [("years", "14 Years"), ("sales", "Sales Manager"), ("without", "Without You")] {
            assert!(!found(literal, value, 0.6).is_named(), "{literal}");
        }
    }
}
