//! Rules over queries: deterministic checks and changes of SQL that a model wrote.

use crate::RuleCode;
use crate::connection::Definition;
use serde::{Deserialize, Serialize};
use specta::Type;

/// The applicability of a rule: the extent to which it may change a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Applicability {
    /// Changes a query that could not run, or changes nothing observable in its result.
    Safe,
    /// Applies a definition of the user to every query.
    Defined,
    /// Creates a second candidate next to the original query.
    Variant,
    /// Creates the query of another interpretation, which the user can choose.
    Reading,
    /// Reports a finding without changing the query.
    Hint,
}

impl Applicability {
    /// Returns the name on the command line and in documents.
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

/// The evidence that a rule needs before it applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Evidence {
    /// The query and the catalog.
    Catalog,
    /// The profile of the columns.
    Profile,
    /// Stored values from the value index.
    StoredValues,
    /// The owner's description of a table.
    Description,
    /// A definition of the user for this database.
    Definition,
    /// The text of the question.
    Question,
    /// The result: the database rejected the query, or it returned no rows.
    Result,
}

impl Evidence {
    /// Returns a description for users.
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

/// The description of a rule for users.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleInfo {
    /// A short, stable code, used in settings, logs and `--without rule:CODE`.
    pub code: RuleCode,
    /// The name of its change or finding: `join-path`.
    pub name: String,
    /// A description in one sentence.
    pub summary: String,
    /// An example: a part of a query before the rule.
    pub before: String,
    /// The example after the rule, or its finding.
    pub after: String,
    /// The evidence that the rule needs.
    pub evidence: Vec<Evidence>,
    /// The extent to which it may change queries.
    pub applicability: Applicability,
}

/// A change or finding of a rule about a query.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RuleNote {
    /// The code of the rule.
    pub rule: RuleCode,
    /// The change or finding in one sentence for users.
    pub note: String,
}

/// A query that a rule derives from the final query, and that is not the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct QueryVariant {
    /// The code of the rule.
    pub rule: RuleCode,
    /// The change in one sentence.
    pub note: String,
    /// The SQL of the changed query.
    pub sql: String,
    /// Number of its rows, up to the limit; `None` if it was not executed.
    #[specta(type = Option<f64>)]
    pub row_count: Option<u64>,
    /// The first row of its result.
    pub first_row: Vec<Option<String>>,
    /// Definitions that the user can accept, so that future answers follow this variant.
    #[serde(default)]
    pub always: Vec<Definition>,
}
