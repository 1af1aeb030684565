//! The depth of an evaluation: the full answer, or only the needed tables and columns.

use serde::{Deserialize, Serialize};

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
