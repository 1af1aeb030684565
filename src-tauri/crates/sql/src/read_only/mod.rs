//! Read-only queries: allowed functions, the proof, and rewrites that are proven again.

mod descriptive_tables;
mod error;
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
mod words;

pub use descriptive_tables::is_descriptive_table;
pub use functions::{AllowedFunctions, is_aggregate};
pub use known::{is_known_function, known_functions, missing_function, runs_more};
pub use names_read::NamesRead;
pub use query::ReadOnlySql;
pub use reading::{EngineReading, order_and_limit, statement_text};
pub use rewrite::{rewrite_query, rewrite_unformatted};
