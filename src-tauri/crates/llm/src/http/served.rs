//! A model in a server's list, with the properties that the list contains.

use reqwest::Url;
use serde_json::Value;
use vitrine_domain::ProfileFacts;

/// A model that a server offers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServedModel {
    /// The model's name on the server.
    pub id: String,
    /// The display name, if the server has one.
    pub title: Option<String>,
    /// The facts that the server reports about it.
    pub facts: ProfileFacts,
    /// The server software, which some servers report in `owned_by`.
    pub(crate) owner: String,
}

/// A request for further details about one model.
pub(crate) struct Details {
    pub(crate) url: Url,
    /// The body to post; `None` sends a GET request.
    pub(crate) body: Option<Value>,
}
