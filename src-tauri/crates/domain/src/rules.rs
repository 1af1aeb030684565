//! Rules over queries: what the program may say of a query that a model wrote, and how far it may go.

use crate::connection::Definition;
use serde::{Deserialize, Serialize};
use specta::Type;

/// How far a rule may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Applicability {
    /// Changes a query that could not run as it was written, or changes nothing that could be seen in its result.
    Safe,
    /// Does to every query what the user has defined.
    Defined,
    /// Makes a second candidate, which stands beside the query as it was written.
    Variant,
    /// Makes the query of another reading of the question, which the person chooses.
    Reading,
    /// Changes nothing: a finding that is shown and weighed.
    Hint,
}

impl Applicability {
    /// Its name on the command line and in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::Safe => "safe",
            Applicability::Defined => "defined",
            Applicability::Variant => "variant",
            Applicability::Reading => "reading",
            Applicability::Hint => "hint",
        }
    }
}

/// What a rule has to know before it says anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Evidence {
    /// The query and the catalog.
    Catalog,
    /// What the columns hold, as profiled.
    Profile,
    /// What the value index found stored.
    StoredValues,
    /// What the owner's description of a table says.
    Description,
    /// What the user has defined for this database.
    Definition,
    /// What the question says.
    Question,
    /// That the database refused the query, or that it found nothing.
    Result,
}

impl Evidence {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Evidence::Catalog => "query and catalog",
            Evidence::Profile => "profile",
            Evidence::StoredValues => "stored values",
            Evidence::Description => "description of a table",
            Evidence::Definition => "definition of the user",
            Evidence::Question => "question",
            Evidence::Result => "result",
        }
    }
}

/// One rule, as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleInfo {
    /// Short and stable: settings, logs and `--without rule:CODE` name rules by it.
    pub code: String,
    /// What it does or finds, as a name: `join-path`.
    pub name: String,
    /// What it does, in one sentence.
    pub summary: String,
    /// Part of a query before it.
    pub before: String,
    /// The same after it, or what it says of it.
    pub after: String,
    /// What it has to know.
    pub evidence: Vec<Evidence>,
    /// How far it may go.
    pub applicability: Applicability,
}

/// What a rule did to a query, or says of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleNote {
    /// The rule's code.
    pub rule: String,
    /// One sentence for people.
    pub note: String,
}

/// A query that a rule makes of the answer's, and that is not the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryVariant {
    /// The rule's code.
    pub rule: String,
    /// What it changes, in one sentence.
    pub note: String,
    /// The changed query.
    pub sql: String,
    /// Rows that it gives, up to the limit; `None` where it was not run.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// Its first row.
    pub first_row: Vec<Option<String>>,
    /// What the user may want always, so that answers are like this one from then on.
    #[serde(default)]
    pub always: Vec<Definition>,
}
