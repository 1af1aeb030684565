//! Code shared by all models behind HTTP: addresses and keys, one client, retries, timeouts, size bounds, server-sent
//! events, and the distribution of a request's samples over calls.
//!
//! A provider is a [`format::Format`], which only writes the body of a call and reads the response. Servers differ in
//! the features that they accept. A call first uses all features (several samples at once, replies constrained by a
//! schema). If a server rejects a feature, the call is repeated without it, and this is remembered. Missing features
//! are emulated: samples by concurrent calls, the schema as text in the prompt.

mod address;
pub(crate) mod budget;
mod caller;
mod config;
pub(crate) mod failure;
pub(crate) mod format;
mod held;
pub(crate) mod keywords;
mod list;
mod measure;
mod model;
pub(crate) mod part;
pub(crate) mod quirks;
pub(crate) mod reply;
pub(crate) mod served;
mod spread_key;
mod sse;
pub(crate) mod strict;

pub(crate) use address::parse_address;
pub use address::{key_may_travel, leads_here, same_origin};
pub use config::{Patience, ServerConfig};
pub use model::HttpModel;
pub use served::ServedModel;
pub use strict::to_strict_schema as strict_schema;
