//! The agent pipeline: stages, and the methods composed of them.
//!
//! A stage is one step with typed input and output and exists once; a method is a composition of stages. Every event is sent to a
//! [`RunSink`] as a `RunEvent`; this crate does not know the destination of events, the current time, or the provider of a model.
//!
//! The modules, each using only the modules before it: `question`, `candidate`, `certainty`, `run`, `prompt`, `schema`, `attempt`,
//! `choice`, `stages`, `methods`, then `prefill`, `follow_up`, `best_so_far` and `driver`.

pub mod attempt;
mod best_so_far;
pub mod candidate;
pub mod certainty;
pub mod choice;
mod driver;
mod follow_up;
pub mod methods;
#[cfg(test)]
mod one_table;
mod prefill;
pub mod prompt;
pub mod question;
pub mod run;
pub mod schema;
pub mod stages;

pub use driver::run;
pub use follow_up::{Completion, DataNames, FollowUpInput, Rewriting, complete_follow_up, find_values, follow_up};
pub use prefill::prefill_schema;
pub use run::ask::{Ask, AskData, AskHistory, AskOptions, AskPermissions, FollowedRun, Models, UserRoles};
pub use run::clarifier::{Onlooker, QueryApprover, UserClarifier};
pub use run::earlier::Earlier;
pub use run::events::{RunSink, StageError};
pub use run::meter::{CallTime, MonthlyMeter, SpentCall};
pub use run::places::list_steer_places;
pub use run::reading::RememberedReading;
pub use run::template::VerifiedTemplate;
pub use run::verified::VerifiedExample;
