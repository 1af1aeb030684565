//! The scope of an evaluation: the full answer or only the needed tables and columns, over the whole schema or the part that the gold SQL
//! reads.

use serde::{Deserialize, Serialize};
use std::str::FromStr;
use vitrine_words::tr;

/// The depth to which each question is evaluated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvalScope {
    /// The answer, which is judged.
    #[default]
    Answers,
    /// Schema linking only, which needs a schema but no data. Look-alike tables are treated as one, because questions
    /// distinguish them only by the ends of their names.
    Linking,
}

/// The schema that a method receives (ReFoRCE, tables 3 and 4).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GivenSchema {
    /// The whole schema.
    #[default]
    Whole,
    /// The tables that the gold SQL reads, with all their columns.
    GoldTables,
    /// The tables and columns that the gold SQL reads.
    GoldColumns,
}

impl GivenSchema {
    /// Returns true if the method receives the whole schema.
    pub fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// Returns the name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::GoldTables => "gold-tables",
            Self::GoldColumns => "gold-columns",
        }
    }
}

impl FromStr for GivenSchema {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::Whole, Self::GoldTables, Self::GoldColumns];
        all.into_iter()
            .find(|given| given.as_str() == text)
            .ok_or_else(|| tr!("{other} is none of {names}", other = text, names = all.map(Self::as_str).join(", ")))
    }
}
