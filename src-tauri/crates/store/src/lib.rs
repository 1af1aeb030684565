//! The workspace: the data that Vitrine keeps between starts in one SQLite file, and the keys that it keeps elsewhere.
//!
//! Runs are event logs. [`Store::append_event`] commits an event before it returns, and in the same transaction folds
//! it into the run's header, so that a list of runs never contradicts their logs. No function here reads the clock:
//! callers pass times. All functions block; callers on an async runtime wrap them in `spawn_blocking`.
//!
//! Secrets are never in the workspace file: see [`secrets`].

mod audit;
mod connections;
mod egress;
mod error;
mod models;
mod open;
mod presence;
mod profiles;
mod readings;
mod run_words;
mod runs;
mod saved;
mod saved_file;
mod saved_result;
mod scans;
pub mod secrets;
mod settings;
mod spending;
mod transfer;
mod warehouses;
mod watches;
mod workspace;
mod written_queries;

pub use audit::{AuditCheck, AuditEntry, AuditRow, AuditVerdict, QueryAuthor, sha256_hex};
pub use connections::{Connection, ConnectionSettings, PreviewSettings};
pub use error::StoreError;
pub use models::{Provider, RemoteModel};
pub use open::Store;
pub use profiles::KeptFacts;
pub use readings::{KeptReading, QuestionKey};
pub use runs::{PastRun, RunHeader};
pub use saved::{Checked, Filing, ResultCheck, SavedCode, SavedQuestion, SavedStatus, SavedView, UsedSchema};
pub use saved_file::{is_saved_file, read_saved_file, write_saved_file};
pub use saved_result::SavedResult;
pub use scans::{ScanRefused, ScanRequest, Scanned};
pub use spending::Spent;
pub use transfer::RunFile;
pub use warehouses::RecentWarehouse;
pub use watches::{
    Watch, WatchAlert, WatchFormat, WatchInterval, WatchOutcome, WatchOutput, WatchPlan, WatchRun, WatchState,
};
pub use workspace::{
    Additions, DatabaseRecord, ImportOutcome, Intake, ModelRecord, ReadingRecord, RunRecord, SavedRecord,
};
pub use written_queries::WrittenQuery;
