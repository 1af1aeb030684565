//! What an ambiguous question means. A pack may give several readings of a question; then either each of them is right,
//! or the user means one, which a method can only find out by asking.

use super::question::Question;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use vitrine_words::tr;

/// Which readings of an ambiguous question count as right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmbiguityMode {
    /// Each of them.
    #[default]
    Any,
    /// One, which the question's id decides.
    One,
    /// The same one, and whoever is asked says which result is the one that it gives.
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
    /// The question with one reading alone. Other questions stay as they are: their golds are the same in other words.
    #[must_use]
    pub(crate) fn meant(mut self) -> Self {
        if self.ambiguous && self.gold_sql.len() > 1 {
            let drawn = self.id.bytes().map(usize::from).sum::<usize>() % self.gold_sql.len();
            self.gold_sql = vec![self.gold_sql.swap_remove(drawn)];
        }
        self
    }
}
