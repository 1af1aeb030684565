//! The agent pipeline: stages, and the strategies composed of them.
//!
//! A stage is one step with typed input and output and exists once; a strategy is a composition. Everything that
//! happens is told to a [`RunSink`] as a `RunEvent`; nothing here knows where events go, what time it is, or
//! which provider a model comes from.

pub mod ask;
pub mod attempt;
pub mod candidate;
pub mod choice;
pub mod prompt;
pub mod question;
pub mod run;
pub mod schema;
pub mod stages;
pub mod strategies;
mod warm;

pub use ask::run;
pub use run::ask::{Ask, Models};
pub use run::clarifier::Person;
pub use run::events::{RunSink, StageError};
pub use warm::warm;
