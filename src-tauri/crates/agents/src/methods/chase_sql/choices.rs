//! Values of CHASE-SQL's parameters that are words.

use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::ParameterChoice;
use vitrine_words::later;

/// Prompts that share an order of tables and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Orders {
    /// All samples of a generator, in one request that the provider can cache.
    Generator,
    /// Each sample has its own order and its own request.
    Sample,
}

/// Source of the phrases whose stored values are looked up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Keywords {
    /// A model names the keywords of question and knowledge (paper, section 3.2).
    Model,
    /// All phrases of the question are looked up.
    Phrases,
}

/// Words for the values of [`crate::stages::compare::Selection`].
pub(super) const SELECTIONS: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("Pairwise with a large model, otherwise the most common result"),
    },
    ParameterChoice {
        value: Some("pairwise"),
        label: later!("Pairwise"),
        note: later!("Compares every pair of results in both orders"),
    },
    ParameterChoice {
        value: Some("self-consistency"),
        label: later!("Most common result"),
        note: later!("No further request"),
    },
    ParameterChoice { value: Some("ranker"), label: later!("Ranking"), note: later!("One request ranks all results") },
    ParameterChoice {
        value: Some("learned"),
        label: later!("Learned"),
        note: later!("Pairwise, weighed with the votes as judged answers suggest"),
    },
];

/// Words for the values of [`crate::stages::examples::ExampleKinds`].
pub(super) const EXAMPLE_KINDS: &[ParameterChoice] = &[
    ParameterChoice { value: Some("both"), label: later!("Both"), note: later!("Each kind has its own examples") },
    ParameterChoice {
        value: Some("features"),
        label: later!("By SQL feature"),
        note: later!("Over the whole database, different SQL in each"),
    },
    ParameterChoice {
        value: Some("columns"),
        label: later!("By column"),
        note: later!("Over the columns that the question needs"),
    },
];

/// Words for the values of [`Orders`].
pub(super) const ORDERS: &[ParameterChoice] = &[
    ParameterChoice {
        value: Some("generator"),
        label: later!("Per generator"),
        note: later!("The queries of a generator share one prompt, which providers can cache"),
    },
    ParameterChoice {
        value: Some("sample"),
        label: later!("Per query"),
        note: later!("Every query has its own prompt, which costs more"),
    },
];

/// Words for the values of [`Keywords`].
pub(super) const KEYWORDS: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("By the model if it is large, otherwise all phrases"),
    },
    ParameterChoice {
        value: Some("model"),
        label: later!("By the model"),
        note: later!("One request names the keywords"),
    },
    ParameterChoice { value: Some("phrases"), label: later!("All phrases"), note: later!("No further request") },
];
