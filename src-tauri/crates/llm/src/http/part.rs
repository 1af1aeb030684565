//! The part of a request that one call asks for, and what of it has to be said in words.

use crate::{OutputFormat, Request};
use serde_json::{Value, json};
use vitrine_domain::{ModelProfile, SchemaSupport};

/// The samples of a request that one call asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first sample.
    pub(crate) first: u32,
    /// How many.
    pub(crate) samples: u32,
    /// At temperature 0, whatever the request says.
    pub(crate) greedy: bool,
}

impl Part {
    /// The temperature of the samples, as it is written in JSON.
    pub(crate) fn temperature(self, request: &Request) -> f32 {
        if self.greedy { 0.0 } else { request.temperature }
    }

    /// The seed of the first sample. Some servers keep seeds in 32 bits, some with a sign.
    pub(crate) fn seed(self, request: &Request) -> u64 {
        request.seed.wrapping_add(self.first.into()) & 0x7fff_ffff
    }
}

/// The level of effort that a model is asked with, as most providers call it.
pub(crate) fn effort(profile: &ModelProfile) -> Option<Value> {
    profile.effort.map(|effort| json!(effort))
}

/// A schema's name in the letters that are taken.
pub(crate) fn schema_name(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).take(64).collect()
}

/// Whether the reply is to be JSON.
pub(crate) fn wants_json(request: &Request) -> bool {
    matches!(request.output, OutputFormat::JsonSchema { .. })
}

/// Whether the reply is to be held to a schema, and may be able to be.
pub(crate) fn wants_schema(request: &Request, profile: &ModelProfile) -> bool {
    wants_json(request) && profile.schema != SchemaSupport::None
}

/// What the model is asked at the end of the prompt, where it is least forgotten, because the server cannot be made to do
/// it.
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

/// 0.8 as 0.8 and not as 0.800000011920929.
pub(crate) fn number(value: f32) -> Value {
    json!(value.to_string().parse::<f64>().unwrap_or_default())
}
