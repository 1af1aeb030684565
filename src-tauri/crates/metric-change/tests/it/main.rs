//! Explanations of changes: properties of the contributions, and whole explanations over DuckDB.

mod misleading;
mod properties;
mod requests;
mod sample;
mod support;
