//! What all models behind HTTP have in common: addresses and keys, one client, retries, time limits, size bounds,
//! server-sent events, and how the samples of a request are spread over calls.
//!
//! A provider is a [`format::Format`]: it writes the body of a call and reads what comes back, and does nothing else.
//! Servers differ in what they accept. A call asks for the best (several samples at once, replies held to a schema), and
//! where a server refuses a feature it is asked again without it, which is remembered; what is missing is made up for
//! here: samples by concurrent calls, the schema as text in the prompt.

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

pub(crate) use address::parsed;
pub use address::{key_may_travel, leads_here, same_origin};
pub use config::{Patience, ServerConfig};
pub use model::HttpModel;
pub use served::ServedModel;
pub use strict::strict as strict_schema;
