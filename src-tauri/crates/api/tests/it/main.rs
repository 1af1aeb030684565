//! The application as front ends use it: real databases, a real workspace, and a scripted model.

mod approvals;
mod asking;
mod audit;
mod bad_input;
mod bigquery;
mod clickhouse;
mod connected;
mod connections;
mod cost;
mod egress;
mod evaluations;
#[cfg(target_os = "linux")]
mod full_disk;
mod google;
mod guided;
mod imported;
mod keeping;
mod large;
mod library;
mod next;
#[cfg(unix)]
mod passphrases;
mod postgres;
mod profiles;
mod reading_ahead;
mod readings;
mod results;
mod sources;
mod steer;
mod stopping;
mod support;
mod table;
mod two;
mod warehouses;
mod workspace;
mod workspace_hostile;
