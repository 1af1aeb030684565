//! How far each question of a run is taken: to an answer, or as far as the tables and columns that it needs.

use serde::{Deserialize, Serialize};

/// How far each question is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EvalScope {
    /// To an answer, which is judged.
    #[default]
    Answers,
    /// As far as schema linking, which needs a schema alone and no data. Tables that look alike count as one: no question
    /// tells them apart by anything but their names' endings.
    Linking,
}
