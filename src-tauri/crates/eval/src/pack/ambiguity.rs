//! Handling of ambiguous questions. A pack may give several interpretations of a question; then either each is right,
//! or the user means one, which a method can only find out by asking.

use super::question::Question;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use vitrine_words::tr;

/// Selects which interpretations of an ambiguous question are right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmbiguityMode {
    /// Every interpretation of the question is right.
    #[default]
    Any,
    /// A single interpretation, selected by the question's id.
    One,
    /// The same single interpretation; a simulated user recognizes it by its result when asked.
    Asked,
}

impl FromStr for AmbiguityMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Any),
            "one" => Ok(Self::One),
            "asked" => Ok(Self::Asked),
            other => Err(tr!("{other} is none of any, one and asked", other)),
        }
    }
}

impl Question {
    /// Keeps a single interpretation. Unambiguous questions are unchanged, because their golds are equivalent.
    #[must_use]
    pub(crate) fn keep_interpretation(mut self) -> Self {
        if self.ambiguous && self.gold_sql.len() > 1 {
            let drawn = self.id.bytes().map(usize::from).sum::<usize>() % self.gold_sql.len();
            self.gold_sql = vec![self.gold_sql.swap_remove(drawn)];
        }
        self
    }
}
