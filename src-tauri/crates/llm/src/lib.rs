//! Language models: what one is ([`ChatModel`]), how a whole reply is had from it ([`complete`]), how a reply becomes
//! typed data ([`parse_json`], [`schema_of`]), and the models that live behind a wire.
//!
//! Provider JSON never leaves this crate. A model has one seam, [`ChatModel::stream`], and [`cassette`] records and
//! replays at it, so that everything above can be tested without a model.

pub mod anthropic;
pub mod cassette;
mod complete;
mod error;
pub mod gemini;
pub mod http;
mod model;
pub mod openai;
mod scripted;
mod structured;
mod tokens;

pub use complete::{Completion, complete};
pub use model::{CallUsage, ChatModel, FinishReason, LlmError, ModelEvent, ModelTraits, OutputFormat, Request};
pub use scripted::{Line, ScriptedModel};
pub use structured::{parse_json, schema_of};
pub use tokens::estimate_tokens;
