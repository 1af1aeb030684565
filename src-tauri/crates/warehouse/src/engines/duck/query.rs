//! Runs queries on DuckDB.

use super::in_query;
use super::select::{PivotValues, to_runnable_select};
use crate::WarehouseError;
use crate::cells::{self, declared_type};
use crate::run::{Flow, Sink};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use duckdb::{Connection, Error, Statement};
use std::path::Path;
use std::sync::Arc;
use vitrine_domain::{CellType, ResultColumn};

/// Runs a statement and sends its rows during the computation.
pub(super) fn run_query(
    connection: &Connection,
    path: &Path,
    sql: &str,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let interrupt = connection.interrupt_handle();
    sink.on_interrupt(move || interrupt.interrupt());
    let failed = |error: Error| in_query(path, &error);
    let sql = &to_runnable_select(connection, path, sql, PivotValues::Stored)?;
    sink.ensure_running()?;
    let types = describe_query(connection, path, sql)?;
    sink.ensure_running()?;
    let mut statement = connection.prepare(&with_exact_columns(sql, &types)).map_err(failed)?;
    let schema = statement.stream_arrow([]).map_err(failed)?.get_schema();
    let fields = schema.fields().iter().zip(&types).map(|(field, (name, data_type))| {
        let own = data_type == "JSON" || has_no_arrow_type(data_type);
        cells::build_field(name, field.data_type().clone(), own.then_some(data_type.as_str()))
    });
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    send_rows(&mut statement, schema, path, sink)
}

/// Requests the plan of a statement that the engine itself parses as one SELECT, and sends its answer.
pub(super) fn explain_query(
    connection: &Connection,
    path: &Path,
    sql: &str,
    question: &str,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let interrupt = connection.interrupt_handle();
    sink.on_interrupt(move || interrupt.interrupt());
    let failed = |error: Error| in_query(path, &error);
    let asked = to_runnable_select(connection, path, sql, PivotValues::Unread)?;
    sink.ensure_running()?;
    // The EXPLAIN text ends with the statement.
    let question = format!("{}{asked}", question.strip_suffix(sql).unwrap_or_default());
    let mut statement = connection.prepare(&question).map_err(failed)?;
    let schema = statement.stream_arrow([]).map_err(failed)?.get_schema();
    send_rows(&mut statement, schema, path, sink)
}

fn send_rows(
    statement: &mut Statement<'_>,
    schema: SchemaRef,
    path: &Path,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    sink.send_schema(schema.clone());
    // The crate's iterator is not used, because it panics if the query fails or is interrupted.
    while let Some(rows) = statement.step().map_err(|error| in_query(path, &error))? {
        let batch = RecordBatch::try_new(schema.clone(), rows.columns().to_vec())
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        if sink.send_batch(batch)? == Flow::Enough {
            break;
        }
    }
    Ok(())
}

/// Returns true if Arrow has no type for the values, or one that would lose information.
fn has_no_arrow_type(data_type: &str) -> bool {
    let rest = data_type.replace("TIMESTAMP WITH TIME ZONE", "");
    rest.contains("TIME WITH TIME ZONE")
        || rest
            .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .any(|word| matches!(word, "BIT" | "BIGNUM" | "UHUGEINT" | "VARIANT" | "GEOMETRY"))
}

/// Casts such columns to the engine's own text, which is exact. Most statements are unchanged.
fn with_exact_columns(sql: &str, types: &[(String, String)]) -> String {
    if !types.iter().any(|(_, data_type)| has_no_arrow_type(data_type)) {
        return sql.to_owned();
    }
    // Columns are addressed by number, because names may occur twice.
    let names: Vec<String> = (0..types.len()).map(|index| format!("c{index}")).collect();
    let columns: Vec<String> = names
        .iter()
        .zip(types)
        .map(|(name, (_, data_type))| match () {
            () if !has_no_arrow_type(data_type) => name.clone(),
            () if data_type == "VARIANT" => format!("{name}::JSON::VARCHAR"),
            () if declared_type(data_type) == CellType::Nested => format!("to_json({name})::VARCHAR"),
            () => format!("{name}::VARCHAR"),
        })
        .collect();
    format!("SELECT {} FROM (\n{sql}\n) AS result({})", columns.join(", "), names.join(", "))
}

/// Returns the columns that a statement would produce.
pub(super) fn describe_columns(
    connection: &Connection,
    path: &Path,
    sql: &str,
) -> Result<Vec<ResultColumn>, WarehouseError> {
    let types = describe_query(connection, path, &to_runnable_select(connection, path, sql, PivotValues::Unread)?)?;
    Ok(types.into_iter().map(|(name, data_type)| ResultColumn::new(name, declared_type(&data_type))).collect())
}

/// Returns names and types of the columns. Binds the statement, which is one SELECT, without running it.
fn describe_query(connection: &Connection, path: &Path, sql: &str) -> Result<Vec<(String, String)>, WarehouseError> {
    let failed = |error: Error| match in_query(path, &error) {
        WarehouseError::Query { message } => WarehouseError::Query { message: as_written(&message) },
        other => other,
    };
    let mut statement = connection.prepare(&format!("{DESCRIBE}{sql}")).map_err(failed)?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).map_err(failed)?;
    rows.collect::<duckdb::Result<_>>().map_err(failed)
}

/// The prefix that makes a statement return its columns.
const DESCRIBE: &str = "DESCRIBE ";

/// Restores an error message so that its first line is the user's text and the marker points to the right place.
fn as_written(message: &str) -> String {
    let Some((said, shown)) = message.split_once(&format!("LINE 1: {DESCRIBE}")) else { return message.to_owned() };
    let (line, mark) = shown.split_once('\n').unwrap_or((shown, ""));
    let mark = mark.get(DESCRIBE.len()..).filter(|_| mark.starts_with(&" ".repeat(DESCRIBE.len()))).unwrap_or(mark);
    format!("{said}LINE 1: {line}\n{mark}").trim_end().to_owned()
}

/// Returns the bytes that the engine holds for queries, without its cache of table pages.
pub(super) fn memory_used(connection: &Connection) -> Option<u64> {
    connection
        .query_row(
            "SELECT coalesce(sum(memory_usage_bytes), 0)::BIGINT FROM duckdb_memory()
             WHERE tag NOT IN ('BASE_TABLE', 'METADATA', 'EXTERNAL_FILE_CACHE', 'IN_MEMORY_TABLE')",
            [],
            |row| row.get::<_, i64>(0),
        )
        .ok()
        .and_then(|bytes| u64::try_from(bytes).ok())
}
