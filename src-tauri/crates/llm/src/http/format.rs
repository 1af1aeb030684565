//! What tells one provider from another: its format, as pure translation.

use super::config::ServerConfig;
use super::failure::Failure;
use super::part::Part;
use super::quirks::{Feature, Without};
use super::reply::Reply;
use super::served::{Details, ServedModel};
use crate::{LlmError, Request};
use reqwest::Url;
use serde_json::Value;
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

    /// Where the server lists its models; `after` is what the page before said.
    fn models_endpoint(&self, config: &ServerConfig, after: Option<&str>) -> Result<Url, LlmError>;

    /// The models of a page, and what to ask the next one with.
    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>);

    /// Where the server tells more about a model.
    fn details(&self, _config: &ServerConfig, _model: &ServedModel) -> Option<Details> {
        None
    }

    /// Reads what the server tells about a model elsewhere.
    fn read_details(&self, _said: &Value, _model: &mut ServedModel) {}
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
