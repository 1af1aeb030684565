//! Language models: the interface ([`ChatModel`]), complete replies ([`complete`]), parsing replies into typed data
//! ([`parse_json`], [`schema_of`]), and models behind a network address.
//!
//! Provider JSON never leaves this crate. All calls pass through [`ChatModel::stream`], where [`cassette`] records and
//! replays them, so that higher layers can be tested without a model.

pub mod anthropic;
pub mod cassette;
mod complete;
mod error;
pub mod families;
pub mod gemini;
pub mod http;
mod model;
pub mod openai;
pub mod probe;
mod scripted;
mod structured;
mod tokens;

pub use complete::{Completion, complete_request};
pub use model::{AddressFault, CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, OutputFormat, Request};
pub use scripted::{Line, ScriptedModel};
pub use structured::{parse_json, schema_of, strip_reasoning};
pub use tokens::{estimate_prompt, estimate_tokens};
