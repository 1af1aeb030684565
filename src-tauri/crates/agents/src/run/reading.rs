//! Interpretation of the question that the user chose, in the earlier run that this one continues or when the same question was asked
//! before.

use crate::run::earlier::Earlier;
use vitrine_domain::{EventBody, Reading, RememberedChoice, RunChange};

/// The user's choice when the same question was asked before.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedReading {
    /// Identity of the stored choice.
    pub choice: RememberedChoice,
    /// Interpretation that the user chose.
    pub reading: Reading,
    /// Interpretations that were offered, if they are still known.
    pub offered: Vec<Reading>,
}

impl Earlier {
    /// Returns the interpretations that the earlier run offered.
    pub fn offered_readings(&self) -> &[Reading] {
        let last = self.events().iter().rev().find_map(|body| match body {
            EventBody::ReadingsOffered { readings, .. } => Some(readings.as_slice()),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// Returns the interpretation that the user set.
    pub fn chosen_reading(&self) -> Option<&Reading> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Reading { candidate } => {
                self.offered_readings().iter().find(|reading| reading.candidate == *candidate)
            }
            _ => None,
        })
    }
}
