//! The workspace as records that can be carried to another one. What goes out has no secrets in it (they are in the keychain), no
//! audit, no spending and no permission to call functions: those belong to the computer on which they were made.

mod intake;
mod outgoing;
mod records;
mod undo;

pub use intake::{Intake, Taken};
pub use records::{DatabaseRecord, ModelRecord, ReadingRecord, RunRecord, SavedRecord};
pub use undo::Additions;
