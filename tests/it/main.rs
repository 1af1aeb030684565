//! One binary for all integration tests, so that it is linked only once.

mod actor;
mod architecture;
mod av_sql;
mod bench;
mod certainty;
mod chase_sql;
mod cost;
mod decimal_commas;
mod dependencies;
mod described;
mod dsr_sql;
mod egress;
mod events;
mod every_method;
mod everyday;
mod fixed_numbers;
mod gold;
mod gone;
mod hybrid;
mod languages;
mod layers;
mod main_job;
mod methods;
mod nested;
mod nested_servers;
mod pipeline;
mod prompts;
mod prospy;
mod python;
mod readings;
mod real_server;
mod recorded;
mod reforce;
mod reply_examples;
mod secrets;
mod standing;
mod steer;
mod strict_schemas;

#[path = "../../src-tauri/crates/warehouse/src/tests/postgres_server.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod postgres_server;

#[path = "../../src-tauri/crates/warehouse/src/tests/mysql_server.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod mysql_server;

#[path = "../../src-tauri/crates/warehouse/src/tests/bigquery_emulator.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod bigquery_emulator;

#[path = "../../src-tauri/crates/warehouse/src/tests/clickhouse_server.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod clickhouse_server;

#[path = "../../src-tauri/crates/warehouse/src/tests/databricks_server.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod databricks_server;

#[path = "../../src-tauri/crates/llm/tests/it/openai_server.rs"]
mod openai_server;

#[path = "../../src-tauri/crates/llm/tests/it/openai_schema.rs"]
mod openai_schema;
