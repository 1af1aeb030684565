//! A model that a server has, with what it tells about it.

use reqwest::Url;
use serde_json::Value;
use vitrine_domain::ProfileFacts;

/// A model that a server has.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServedModel {
    /// Its name there.
    pub id: String,
    /// Its name for people, where it has one.
    pub title: Option<String>,
    /// What the server tells about it.
    pub facts: ProfileFacts,
    /// Who serves it, as some kinds of servers say of themselves.
    pub(crate) owner: String,
}

/// Where more is told about one model.
pub(crate) struct Details {
    pub(crate) url: Url,
    /// What is posted; `None` asks for the address alone.
    pub(crate) body: Option<Value>,
}
