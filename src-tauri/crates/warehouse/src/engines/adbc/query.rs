//! Running a query with a driver.

use super::driver::Pool;
use crate::run::{Flow, Sink};
use crate::{Checked, WarehouseError, cells};
use adbc_core::error::Status;
use adbc_core::{Connection, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedStatement};
use arrow::datatypes::{Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use std::sync::Arc;

/// Maximum bytes of a batch that is passed on; batches of drivers can be of any size.
const BATCH_BYTES: usize = 8 << 20;

/// Adds the information about a column that its Arrow type does not contain.
pub(crate) type FieldMapper = fn(&Field) -> Field;

/// Runs a statement and sends its rows as they arrive. A cancellation is reported by the caller that requested it,
/// because drivers report it in many different ways.
pub(crate) fn run_statement(pool: &Pool, sql: &str, told: FieldMapper, sink: &mut Sink) -> Result<(), WarehouseError> {
    // An expired session fails before there are rows.
    pool.retry_expired_session(|| {
        let taken = pool.take_connection(|| sink.ensure_running())?;
        taken.with_connection(|connection| {
            let whole = read_rows(pool, connection, sql, told, sink);
            sink.disable_interrupt();
            whole.map(|whole| ((), whole))
        })
    })
}

/// Reads the rows. Returns false if the sink needed no more before the end.
fn read_rows(
    pool: &Pool,
    connection: &mut ManagedConnection,
    sql: &str,
    told: FieldMapper,
    sink: &mut Sink,
) -> Result<bool, WarehouseError> {
    let mut statement = prepare_statement(pool, connection, sql)?;
    let handle = statement.get_cancel_handle();
    sink.on_interrupt(move || drop(handle.try_cancel()));
    sink.ensure_running()?;
    let reader = statement.execute().map_err(|error| pool.in_query(&error))?;
    let schema = map_schema(&reader.schema(), told);
    sink.send_schema(schema.clone());
    for batch in reader {
        let batch = batch.map_err(|error| WarehouseError::query(error.to_string()))?;
        let batch = RecordBatch::try_new(schema.clone(), batch.columns().to_vec())
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        for piece in split_batch(&batch) {
            if sink.send_batch(piece)? == Flow::Enough {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Returns the columns of a statement. If the driver cannot describe it, the statement runs with `LIMIT 0`.
pub(crate) fn check_statement(pool: &Pool, sql: &str, told: FieldMapper) -> Result<Checked, WarehouseError> {
    let schema = pool.retry_expired_session(|| {
        pool.take_for_short()?.with_connection(|connection| Ok((describe_schema(pool, connection, sql)?, true)))
    })?;
    Ok(Checked::from_columns(cells::result_columns(&map_schema(&schema, told))))
}

fn describe_schema(pool: &Pool, connection: &mut ManagedConnection, sql: &str) -> Result<Schema, WarehouseError> {
    let described = prepare_statement(pool, connection, sql)?.execute_schema();
    match described {
        Err(error) if error.status == Status::NotImplemented => {
            let text = format!("SELECT * FROM (\n{sql}\n) AS described LIMIT 0");
            let mut statement = prepare_statement(pool, connection, &text)?;
            let reader = statement.execute().map_err(|error| pool.in_query(&error))?;
            Ok(reader.schema().as_ref().clone())
        }
        described => described.map_err(|error| pool.in_query(&error)),
    }
}

/// Returns all rows of an internal query as text, for results that are known to be short.
pub(crate) fn query_rows(pool: &Pool, sql: &str) -> Result<Vec<Row>, WarehouseError> {
    pool.retry_expired_session(|| {
        pool.take_for_short()?.with_connection(|connection| Ok((fetch_rows(pool, connection, sql)?, true)))
    })
}

fn fetch_rows(pool: &Pool, connection: &mut ManagedConnection, sql: &str) -> Result<Vec<Row>, WarehouseError> {
    // The rows belong to the statement, which must outlive them.
    let mut statement = prepare_statement(pool, connection, sql)?;
    let reader = statement.execute().map_err(|error| pool.in_query(&error))?;
    let names: Vec<String> = reader.schema().fields().iter().map(|field| field.name().to_lowercase()).collect();
    let mut rows = Vec::new();
    for batch in reader {
        let batch = batch.map_err(|error| WarehouseError::query(error.to_string()))?;
        rows.extend(cells::format_rows(&batch).into_iter().map(|row| Row(names.iter().cloned().zip(row).collect())));
    }
    Ok(rows)
}

/// One row by its column names in lower case. If two columns share a name, the first is used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Row(pub Vec<(String, Option<String>)>);

impl Row {
    /// Returns the text of a column; `None` if it is NULL or empty, or if the column does not exist.
    pub(crate) fn column_text(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(own, _)| own == name);
        found.and_then(|(_, text)| text.as_deref()).filter(|text| !text.is_empty())
    }
}

fn prepare_statement(
    pool: &Pool,
    connection: &mut ManagedConnection,
    sql: &str,
) -> Result<ManagedStatement, WarehouseError> {
    let mut statement = connection.new_statement().map_err(|error| pool.in_query(&error))?;
    statement.set_sql_query(sql).map_err(|error| pool.in_query(&error))?;
    Ok(statement)
}

fn map_schema(schema: &Schema, told: FieldMapper) -> SchemaRef {
    Arc::new(Schema::new(schema.fields().iter().map(|field| told(field)).collect::<Vec<_>>()))
}

/// Splits a batch into parts of bounded size.
fn split_batch(batch: &RecordBatch) -> impl Iterator<Item = RecordBatch> {
    let rows = batch.num_rows();
    let parts = (batch.get_array_memory_size() / BATCH_BYTES + 1).min(rows.max(1));
    let each = rows.div_ceil(parts).max(1);
    (0..rows).step_by(each).map(move |from| batch.slice(from, each.min(rows - from)))
}

#[cfg(test)]
mod tests {
    use super::split_batch;
    use arrow::array::{ArrayRef, StringArray};
    use arrow::record_batch::RecordBatch;
    use std::sync::Arc;

    #[test]
    fn a_large_batch_comes_in_parts_and_whole() {
        let of = |rows: usize, width: usize| {
            let column: ArrayRef = Arc::new(StringArray::from(vec!["x".repeat(width); rows]));
            RecordBatch::try_from_iter([("a", column)]).unwrap()
        };
        for (rows, width, parts) in [(0, 1, 0..=0), (5, 1, 1..=1), (20_000, 1_000, 3..=5), (2, 30 << 20, 2..=2)] {
            let batch = of(rows, width);
            let found: Vec<RecordBatch> = split_batch(&batch).collect();
            assert!(parts.contains(&found.len()), "{rows} rows in {} parts", found.len());
            assert_eq!(found.iter().map(RecordBatch::num_rows).sum::<usize>(), rows);
        }
    }
}
