//! What tells one provider from another: its format, as pure translation.

pub(crate) use super::budget::with_thinking;
use super::config::ServerConfig;
use super::failure::Failure;
use super::quirks::{Feature, Without};
use super::reply::Reply;
use crate::{LlmError, OutputFormat, Request};
use reqwest::Url;
use serde_json::{Value, json};
use std::fmt::Debug;

/// The format of a provider. An implementation opens no connection and keeps no state.
pub(crate) trait Format: Debug + Send + Sync + 'static {
    /// The address that calls are posted to.
    fn endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError>;

    /// The header that carries the key, and its value.
    fn key_header(&self, key: &str) -> (&'static str, String);

    /// Headers of every call.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Features that the provider does not have at all.
    fn lacks(&self) -> &'static [Feature] {
        &[]
    }

    /// Words by which a refusal names the feature, in lower case.
    fn words(&self, feature: Feature) -> &'static [&'static str];

    /// The body of a call. The order of keys is fixed.
    fn body(&self, config: &ServerConfig, request: &Request, part: Part, features: &mut Features) -> Value;

    /// Reads the data of one event, or a whole reply.
    fn read(&self, data: &str, reply: &mut Reply) -> Result<(), Failure>;
}

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

/// Which features that a server may refuse a body makes use of.
#[derive(Debug)]
pub(crate) struct Features {
    without: Without,
    sent: Vec<Feature>,
}

impl Features {
    pub(super) fn new(without: Without) -> Self {
        Self { without, sent: Vec::new() }
    }

    /// Whether a feature that is wanted may be used; notes that it is.
    pub(crate) fn uses(&mut self, feature: Feature, wanted: bool) -> bool {
        let used = wanted && !self.without.lacks(feature);
        if used {
            self.sent.push(feature);
        }
        used
    }

    pub(super) fn sent(&self) -> &[Feature] {
        &self.sent
    }
}

/// Whether the reply is to be JSON of a schema.
pub(crate) fn wants_schema(request: &Request) -> bool {
    matches!(request.output, OutputFormat::JsonSchema { .. })
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
