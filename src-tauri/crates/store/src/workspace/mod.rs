//! The workspace as records that can be transferred to another one. Exports contain no secrets (these are in the
//! keychain), audit log, spending or permissions to call functions: those belong to the computer on which they were
//! created.

mod intake;
mod outgoing;
mod records;
mod undo;

pub use intake::{ImportOutcome, Intake};
pub use records::{DatabaseRecord, ModelRecord, ReadingRecord, RunRecord, SavedRecord};
pub use undo::Additions;
