//! Behaviour that other crates depend on, as tables of cases.

mod clickhouse;
mod databricks;
mod fixtures;
mod grain;
mod guard;
mod languages;
mod limits;
mod lineage;
mod look_alikes;
mod mysql;
mod names;
mod outline;
mod places;
mod property;
mod repair;
mod words;
