//! Servers that tests of several crates start, and other helpers that they share.
//!
//! Each server is started by a test and removed with it; it gives addresses as texts, so that this crate depends on no
//! other. The servers in Python lie beside the file that starts them.

pub mod bigquery_emulator;
pub mod bigquery_exchanges;
pub mod clickhouse_server;
pub mod databricks_server;
mod installed;
pub mod json_nodes;
pub mod motherduck_server;
pub mod mysql_server;
pub mod openai_schema;
pub mod openai_server;
pub mod postgres_server;
mod process;
mod server_files;
pub mod silent_way;
pub mod small_disk;
pub mod snowflake_emulator;
pub mod spoiled;
pub mod sqlglot_server;
pub mod ssh_server;
