//! Tests of this crate over real engines, in one binary to link only once. `language.rs` changes the language of its
//! process.

mod bombs;
mod cage;
mod conformance;
mod date_pages;
mod expired;
mod json_places;
mod snowflake;
mod sqlglot;
mod ssh_passphrase;
mod views_dsl;
mod views_fuzz;

#[path = "../src/tests/bigquery_emulator.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod bigquery_emulator;
#[path = "../src/tests/clickhouse_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod clickhouse_server;
#[path = "../src/tests/databricks_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod databricks_server;
#[path = "../src/tests/motherduck_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod motherduck_server;
#[path = "../src/tests/mysql_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod mysql_server;
#[path = "../src/tests/postgres_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod postgres_server;
#[path = "../src/tests/snowflake_emulator.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod snowflake_emulator;
#[path = "../src/tests/sqlglot_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod sqlglot_server;
#[path = "../src/tests/ssh_server.rs"]
#[allow(dead_code, reason = "other tests use more of it")]
mod ssh_server;
