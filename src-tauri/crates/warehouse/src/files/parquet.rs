//! Parquet files: the engine reads them in place with the types that they declare.

use super::column::AT_ONCE;
use super::file::{path_literal, wrong_file};
use super::{json, text_order};
use crate::WarehouseError;
use crate::engines::duck::quote_identifier;
use ::duckdb::{Connection, Result};
use std::path::Path;
use vitrine_domain::FileReading;

/// Creates a view with this name; returns a reading if some columns of text mean numbers or dates.
pub(super) fn add(connection: &Connection, file: &Path, name: &str) -> Result<Option<FileReading>, WarehouseError> {
    let view = quote_identifier(name);
    let sql =
        format!("CREATE VIEW {view} AS SELECT * FROM read_parquet({}, hive_partitioning = false)", path_literal(file));
    let doubts = connection.execute_batch(&sql).and_then(|()| describe_texts(connection, &view));
    let doubts = doubts.map_err(|error| wrong_file(file, &error))?;
    Ok((!doubts.is_empty()).then(|| FileReading {
        table: name.to_owned(),
        file: file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        doubts,
        ..FileReading::default()
    }))
}

fn describe_texts(connection: &Connection, view: &str) -> Result<Vec<String>> {
    let sql = format!("SELECT column_name FROM (DESCRIBE {view}) WHERE column_type = 'VARCHAR'");
    let names: Vec<String> = connection.prepare(&sql)?.query_map([], |row| row.get(0))?.collect::<Result<_>>()?;
    let mut doubts = Vec::new();
    for names in names.chunks(AT_ONCE) {
        let texts: Vec<String> = names.iter().map(|name| quote_identifier(name)).collect();
        let samples = text_order::sample_texts(connection, view, &texts)?;
        doubts.extend(names.iter().zip(samples).flat_map(|(name, sample)| json::describe_texts(name, &sample)));
    }
    Ok(doubts)
}
