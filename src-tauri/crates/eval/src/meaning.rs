//! What an ambiguous question means. A pack may give several readings of a question; then either each of them is right,
//! or the person who asks means one, which a method can only find out by asking.

use crate::judge::{Gold, rows};
use crate::lab::Prepared;
use crate::metrics::{Rule, Verdict};
use crate::pack::Question;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use std::sync::Arc;
use vitrine_agents::UserClarifier;
use vitrine_domain::Reading;

/// Which readings of an ambiguous question count as right.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Meaning {
    /// Each of them.
    #[default]
    Any,
    /// One, which the question's id decides.
    One,
    /// The same one, and whoever is asked says which result is the one that it gives.
    Asked,
}

impl FromStr for Meaning {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "any" => Ok(Self::Any),
            "one" => Ok(Self::One),
            "asked" => Ok(Self::Asked),
            other => Err(format!("{other} is none of any, one and asked")),
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

/// Somebody who means what the gold means, and recognises it by its result alone.
pub(crate) struct Asker {
    pub(crate) database: Prepared,
    pub(crate) golds: Arc<Vec<Gold>>,
    pub(crate) rule: Rule,
}

#[async_trait]
impl UserClarifier for Asker {
    async fn choose(&self, readings: &[Reading]) -> Option<u32> {
        for reading in readings {
            let Ok(query) = self.database.prove(&reading.sql) else { continue };
            let Some(page) = rows(self.database.warehouse.as_ref(), &query).await else { continue };
            let golds = self.golds.iter().filter_map(|gold| gold.result.as_ref());
            if golds.into_iter().any(|gold| Verdict::of(&page, gold).by(self.rule)) {
                return Some(reading.candidate);
            }
        }
        None
    }
}
