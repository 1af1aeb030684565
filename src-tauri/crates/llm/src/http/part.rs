//! The part of a request that one call covers, and instructions for features that the server lacks.

use crate::{OutputFormat, Request};
use serde_json::{Value, json};
use vitrine_domain::{ModelProfile, SchemaSupport};

/// The samples of a request that one call covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SampleRange {
    /// The index of the first sample.
    pub(crate) first: u32,
    /// The number of samples to generate.
    pub(crate) samples: u32,
    /// Forces temperature 0, regardless of the request.
    pub(crate) greedy: bool,
}

impl SampleRange {
    /// Returns the temperature for these samples.
    pub(crate) fn sample_temperature(self, request: &Request) -> f32 {
        if self.greedy { 0.0 } else { request.temperature }
    }

    /// Returns the seed of the first sample, limited to 31 bits, because some servers store seeds as 32-bit or signed
    /// integers.
    pub(crate) fn sample_seed(self, request: &Request) -> u64 {
        request.seed.wrapping_add(self.first.into()) & 0x7fff_ffff
    }
}

/// Returns the effort level under its most common name.
pub(crate) fn effort_to_json(profile: &ModelProfile) -> Option<Value> {
    profile.effort.map(|effort| json!(effort))
}

/// Replaces characters that providers reject in a schema's name, and truncates it.
pub(crate) fn schema_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(64).collect()
}

/// Checks if the reply must be JSON.
pub(crate) fn wants_json(request: &Request) -> bool {
    matches!(request.output, OutputFormat::JsonSchema { .. })
}

/// Checks if the reply should be constrained by a schema and the model may support it.
pub(crate) fn wants_schema(request: &Request, profile: &ModelProfile) -> bool {
    wants_json(request) && profile.schema != SchemaSupport::None
}

/// Returns instructions that replace features the server lacks. They are placed at the end of the prompt, where models
/// follow them best.
pub(crate) fn asked_in_words(request: &Request, with_schema: bool, with_prefill: bool) -> String {
    match &request.output {
        OutputFormat::JsonSchema { schema, .. } if !with_schema => {
            format!("\n\nReply with JSON only, without any other text. It must fit this JSON Schema:\n{schema}")
        }
        OutputFormat::JsonSchema { .. } => String::new(),
        OutputFormat::Text | OutputFormat::Lark(_) if request.assistant_prefix.is_empty() || with_prefill => {
            String::new()
        }
        OutputFormat::Text | OutputFormat::Lark(_) => {
            format!("\n\nBegin your reply with exactly this text:\n{}", request.assistant_prefix)
        }
    }
}

/// Converts a number to JSON as 0.8 and not as 0.800000011920929.
pub(crate) fn number_to_json(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or_default())
}
