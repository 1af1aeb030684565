//! One query over several warehouses.
//!
//! The query is written in DuckDB's dialect and names tables as `SOURCE.TABLE` or `SOURCE.SCHEMA.TABLE`. For each table, its
//! source runs a query of its own in its own dialect, which is proven read-only there: with the columns that the query
//! mentions, and with the conditions and groups that the source certainly evaluates like DuckDB. The rows are streamed into
//! Parquet files, and the query runs over these files in a local DuckDB that can read nothing else.
//!
//! Conditions that a source evaluates are evaluated again by the local engine, so a source may deliver more rows than
//! needed, but never fewer.

mod blocking;
mod cache;
mod catalog;
mod columns;
mod condition;
mod enough;
mod fetch;
mod from;
mod needs;
mod part;
mod partial;
mod plan;
mod reduce;
mod source;
mod source_query;
mod warehouse;
mod whole;
mod words;

pub use fetch::FetchLimits;
pub use source::{NameFault, Source, SourceRead, check_source_name};
pub use warehouse::FederatedWarehouse;
