//! Queries over several warehouses, compared with the same query in one DuckDB database.

mod files;
mod limits;
mod names;
mod queries;
mod servers;
mod support;
mod types;
