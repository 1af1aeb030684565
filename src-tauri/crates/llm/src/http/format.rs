//! The interface of a provider's format: a pure translation between Vitrine's types and the provider's JSON.

use super::config::ServerConfig;
use super::failure::Failure;
use super::part::SampleRange;
use super::quirks::{Feature, Without};
use super::reply::Reply;
use super::served::{Details, ServedModel};
use crate::{LlmError, Request};
use reqwest::Url;
use serde_json::Value;
use std::fmt::Debug;

/// The format of a provider. Implementations open no connections and keep no state.
pub(crate) trait Format: Debug + Send + Sync + 'static {
    /// Returns the address to which calls are posted.
    fn call_endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError>;

    /// Returns the header that carries the key, and its value.
    fn key_header(&self, key: &str) -> (&'static str, String);

    /// Returns the headers that every call carries.
    fn fixed_headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Returns the features that the provider does not support.
    fn unsupported_features(&self) -> &'static [Feature] {
        &[]
    }

    /// Returns the words by which a refusal names the feature, in lower case.
    fn refusal_words(&self, feature: Feature) -> &'static [&'static str];

    /// Writes the body of a call, with a fixed order of keys.
    fn build_body(&self, config: &ServerConfig, request: &Request, part: SampleRange, features: &mut Features)
    -> Value;

    /// Reads the data of one event, or a complete reply.
    fn read_event(&self, data: &str, reply: &mut Reply) -> Result<(), Failure>;

    /// Returns the address of the list of models; `after` is the token for the next page.
    fn models_endpoint(&self, config: &ServerConfig, after: Option<&str>) -> Result<Url, LlmError>;

    /// Reads a page of models and returns them with the token for the next page.
    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>);

    /// Returns the address of further details about a model, if the server has one.
    fn details_request(&self, _config: &ServerConfig, _model: &ServedModel) -> Option<Details> {
        None
    }

    /// Adds the details that the server returned about a model.
    fn read_details(&self, _said: &Value, _model: &mut ServedModel) {}
}

/// Tracks which refusable features a request body uses.
#[derive(Debug)]
pub(crate) struct Features {
    without: Without,
    sent: Vec<Feature>,
}

impl Features {
    pub(super) fn new(without: Without) -> Self {
        Self { without, sent: Vec::new() }
    }

    /// Returns true if a wanted feature may be used, and records its use.
    pub(crate) fn use_feature(&mut self, feature: Feature, wanted: bool) -> bool {
        let used = wanted && !self.without.contains_feature(feature);
        if used {
            self.sent.push(feature);
        }
        used
    }

    pub(super) fn sent_features(&self) -> &[Feature] {
        &self.sent
    }
}
