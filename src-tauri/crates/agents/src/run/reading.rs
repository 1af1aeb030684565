//! A reading of the question that the user has chosen: in the earlier run that this one goes on from, or some time ago for the
//! same question.

use crate::run::earlier::Earlier;
use vitrine_domain::{EventBody, Reading, RememberedChoice, RunChange};

/// What the user chose when the same question was asked before.
#[derive(Debug, Clone, PartialEq)]
pub struct RememberedReading {
    /// Which choice it is.
    pub choice: RememberedChoice,
    /// What was chosen.
    pub reading: Reading,
    /// What could be chosen then, where that is still known.
    pub offered: Vec<Reading>,
}

impl Earlier {
    /// The readings that it offered.
    pub fn offered_readings(&self) -> &[Reading] {
        let last = self.events().iter().rev().find_map(|body| match body {
            EventBody::ReadingsOffered { readings, .. } => Some(readings.as_slice()),
            _ => None,
        });
        last.unwrap_or_default()
    }

    /// The reading that was set.
    pub fn chosen_reading(&self) -> Option<&Reading> {
        self.steered.changes.iter().find_map(|change| match change {
            RunChange::Reading { candidate } => {
                self.offered_readings().iter().find(|reading| reading.candidate == *candidate)
            }
            _ => None,
        })
    }
}
