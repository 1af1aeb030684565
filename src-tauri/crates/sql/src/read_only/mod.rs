//! Read-only queries: allowed functions, the proof, and rewrites that are proven again.

mod described;
mod error;
mod files;
mod functions;
mod guard;
mod instead;
mod known;
mod moments;
mod names_read;
mod query;
mod reading;
mod rewrite;
mod rewritten;
mod secrets;
mod words;

pub use described::is_system_table;
pub use files::may_be_a_file;
pub(crate) use functions::is_generator;
pub use functions::{AllowedFunctions, is_aggregate};
pub use known::{is_known_function, known_functions, missing_function, runs_more};
pub use names_read::NamesRead;
pub use query::ReadOnlySql;
pub use reading::{EngineReading, order_and_limit, statement_text};
pub use rewrite::{rewrite_query, rewrite_unformatted};
