//! The result of covering a question.

use vitrine_domain::metric_answer::MetricAnswer;
use vitrine_metrics::MetricQuery;

/// The extent to which metrics cover a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Coverage {
    /// Every word of the question has a role in the query.
    Complete(Box<CoveredQuestion>),
    /// Words of the question have several meanings.
    Ambiguous {
        /// The words as the user wrote them.
        text: String,
        /// The possible meanings.
        meanings: Vec<String>,
        /// Names of the metrics that the question mentions.
        metrics: Vec<String>,
    },
    /// Words of the question have no certain role.
    Incomplete {
        /// These words as the user wrote them; empty if the question lacks something, such as a metric.
        unused: Vec<String>,
        /// Names of the metrics that the question mentions.
        metrics: Vec<String>,
    },
}

/// A question that metrics cover.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CoveredQuestion {
    /// The query that answers the question.
    pub query: MetricQuery,
    /// The query in words, with the role of each word of the question.
    pub answer: MetricAnswer,
}

/// The reason why a question is not covered in a language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Gap {
    /// Words without a certain role.
    Unused(Vec<String>),
    /// Words with several meanings.
    Ambiguous { text: String, meanings: Vec<String> },
}

impl Gap {
    pub fn unused(text: &str) -> Self {
        Gap::Unused(vec![text.to_owned()])
    }
}
