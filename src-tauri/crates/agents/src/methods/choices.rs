//! Values of parameters that several methods have.

use vitrine_domain::method_info::ParameterChoice;
use vitrine_words::later;

/// Words for the values of [`crate::attempt::context::EmptyResults`].
pub(super) const EMPTY_RESULTS: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("Kept with a large model, otherwise corrected"),
    },
    ParameterChoice { value: Some("kept"), label: later!("Kept"), note: later!("An empty result can be the answer") },
    ParameterChoice {
        value: Some("corrected"),
        label: later!("Corrected"),
        note: later!("The query is corrected like one that fails"),
    },
];
