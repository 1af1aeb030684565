//! Runs queries on SQLite.
//!
//! The type of a column is known only after all its rows. Results that fit the first buffer are read once. Longer
//! results are read twice in one snapshot: first for their types, then for their rows. Memory stays bounded, and values
//! are never converted to another type.

use super::column::{Builder, Seen, declared_type};
use super::errors::in_query;
use crate::run::{Flow, Sink};
use crate::{WarehouseError, cells};
use arrow::array::RecordBatchOptions;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Statement};
use std::path::Path;
use std::sync::Arc;
use vitrine_domain::ResultColumn;

/// Maximum number of rows of a result that is read only once.
const BUFFER_ROWS: usize = 20_000;
const BUFFER_BYTES: usize = 32 << 20;
const BATCH_ROWS: usize = 4_096;
const BATCH_BYTES: usize = 8 << 20;
/// Virtual machine steps between two checks for cancellation; about a tenth of a millisecond.
const STEPS: i32 = 5_000;

/// Runs a statement and sends its rows.
pub(super) fn run_statement(
    connection: &Connection,
    path: &Path,
    sql: &str,
    sink: &mut Sink,
) -> Result<(), WarehouseError> {
    let control = sink.control().clone();
    let failed = |error: rusqlite::Error| in_query(path, &error);
    connection.progress_handler(STEPS, Some(move || control.is_stopped())).map_err(failed)?;
    let interrupt = connection.get_interrupt_handle();
    sink.on_interrupt(move || interrupt.interrupt());
    let before = memory_used();
    sink.on_memory(move || Some(memory_used().saturating_sub(before)));

    let mut statement = prepare_statement(connection, path, sql)?;
    connection.execute_batch("BEGIN").map_err(failed)?;
    let declared: Vec<Option<String>> =
        statement.columns().iter().map(|column| column.decl_type().map(str::to_owned)).collect();
    let width = declared.len();
    // One more row than the limit shows if the result is truncated.
    let enough = sink.row_limit().map_or(u64::MAX, |limit| limit.saturating_add(1));

    let mut seen = vec![Seen::default(); width];
    let mut buffer: Vec<Vec<Value>> = Vec::new();
    let (mut bytes, mut count, mut fits) = (0, 0_u64, true);
    let mut rows = statement.query([]).map_err(failed)?;
    while count < enough {
        let Some(row) = rows.next().map_err(failed)? else { break };
        count += 1;
        for (index, seen) in seen.iter_mut().enumerate() {
            seen.record_value(row.get_ref(index).map_err(failed)?);
        }
        if fits {
            let values = (0..width).map(|index| row.get(index)).collect::<rusqlite::Result<Vec<Value>>>();
            // Text with invalid UTF-8 cannot be buffered as text; the second pass decodes it leniently.
            match values {
                Ok(values) => {
                    bytes += values.iter().map(value_size).sum::<usize>();
                    buffer.push(values);
                }
                Err(_) => fits = false,
            }
            if buffer.len() > BUFFER_ROWS || bytes > BUFFER_BYTES {
                fits = false;
            }
            if !fits {
                buffer = Vec::new();
            }
        }
    }
    drop(rows);
    let schema = build_schema(&statement, &seen, &declared);
    sink.send_schema(schema.clone());

    let mut writer = Writer::new(schema);
    if fits {
        for values in &buffer {
            writer.push_row(values.iter().map(ValueRef::from))?;
            if writer.is_full() && writer.flush(sink)? == Flow::Enough {
                return Ok(());
            }
        }
    } else {
        let mut rows = statement.query([]).map_err(failed)?;
        while let Some(row) = rows.next().map_err(failed)? {
            writer.push_row((0..width).map(|index| row.get_ref_unwrap(index)))?;
            if writer.is_full() && writer.flush(sink)? == Flow::Enough {
                return Ok(());
            }
        }
    }
    writer.flush(sink).map(drop)
}

/// Resets a connection for the next query.
pub(super) fn reset_connection(connection: &Connection) -> rusqlite::Result<()> {
    connection.progress_handler(0, None::<fn() -> bool>)?;
    if connection.is_autocommit() { Ok(()) } else { connection.execute_batch("ROLLBACK") }
}

/// Returns the columns that a statement would produce. The type of an expression is known only when it runs.
pub(super) fn result_columns(
    connection: &Connection,
    path: &Path,
    sql: &str,
) -> Result<Vec<ResultColumn>, WarehouseError> {
    let statement = prepare_statement(connection, path, sql)?;
    let columns = statement.columns();
    Ok(columns
        .iter()
        .map(|column| {
            let declared = column.decl_type().map_or(DataType::Null, declared_type);
            ResultColumn::new(column.name(), cells::cell_type(&declared))
        })
        .collect())
}

fn prepare_statement<'c>(connection: &'c Connection, path: &Path, sql: &str) -> Result<Statement<'c>, WarehouseError> {
    let statement = connection.prepare(sql).map_err(|error| in_query(path, &error))?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(WarehouseError::Refused { message: "the statement is not a query".to_owned() });
    }
    Ok(statement)
}

fn build_schema(statement: &Statement<'_>, seen: &[Seen], declared: &[Option<String>]) -> SchemaRef {
    let names = statement.column_names();
    let fields = names
        .iter()
        .zip(seen)
        .zip(declared)
        .map(|((name, seen), declared)| Field::new(*name, seen.data_type(declared.as_deref()), true));
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}

fn value_size(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::Text(text) => text.len(),
            Value::Blob(bytes) => bytes.len(),
            _ => 0,
        }
}

/// Returns the bytes that SQLite has allocated in this process. Concurrent queries cannot be distinguished, so the
/// limit applies to the process.
#[allow(unsafe_code)]
fn memory_used() -> u64 {
    // SAFETY: takes no argument and only reads a counter, under SQLite's own lock.
    let bytes = unsafe { rusqlite::ffi::sqlite3_memory_used() };
    u64::try_from(bytes).unwrap_or(0)
}

struct Writer {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    bytes: usize,
}

impl Writer {
    fn new(schema: SchemaRef) -> Self {
        let builders = schema.fields().iter().map(|field| Builder::new(field.data_type())).collect();
        Self { schema, builders, rows: 0, bytes: 0 }
    }

    fn push_row<'v>(&mut self, values: impl Iterator<Item = ValueRef<'v>>) -> Result<(), WarehouseError> {
        for (builder, value) in self.builders.iter_mut().zip(values) {
            if let ValueRef::Text(bytes) | ValueRef::Blob(bytes) = value {
                self.bytes += bytes.len();
            }
            builder.push(value)?;
        }
        self.rows += 1;
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    fn flush(&mut self, sink: &mut Sink) -> Result<Flow, WarehouseError> {
        let columns = self.builders.iter_mut().map(Builder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        (self.rows, self.bytes) = (0, 0);
        sink.send_batch(batch)
    }
}
