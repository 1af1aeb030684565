//! Reads the first rows of one table by a query with a LIMIT.

use crate::{Limits, Preview, Warehouse, WarehouseError};
use futures::StreamExt;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Dialect, Table, TableKind};
use vitrine_sql::{DialectExt, ReadOnlySql, first_rows, quote_identifier, table_ref};
use vitrine_words::tr;

/// Time limit for the query of one table. Compute resources may have to start for the first one.
const TIME: Duration = Duration::from_secs(60);
/// Maximum bytes per table, because a cell may contain a whole document.
const BYTES: usize = 32 << 20;

/// Reads at most `rows` rows of a table. The total is known if fewer rows arrive than requested. Otherwise it is the
/// catalog's number if that is larger than the number read, because counting may scan the whole table.
pub(super) async fn read_head_rows(
    warehouse: &dyn Warehouse,
    table: &Table,
    rows: u64,
    cancel: CancellationToken,
) -> Result<Preview, WarehouseError> {
    let none = |reason: String| WarehouseError::NoPreview { table: table.name.to_string(), reason };
    let dialect = warehouse.dialect();
    if table.kind == TableKind::View {
        return Err(none(tr!("a few rows of a view may be computed from all rows of its tables")));
    }
    if dialect.sql().bills_whole_columns() {
        return Err(none(tr!("BigQuery reads and bills whole columns, however few rows a query wants")));
    }
    if table.columns.is_empty() {
        return Err(none(tr!("none of its columns can be listed")));
    }
    let sql = build_head_query(table, dialect, rows);
    let sql = ReadOnlySql::parse(&sql, dialect).map_err(|error| WarehouseError::query(error.to_string()))?;
    let limits = Limits { rows: Some(rows), timeout: TIME, ..Limits::default() };
    let mut found = warehouse.run_query(&sql, limits, cancel).await?;
    let (mut batches, mut bytes, mut count) = (Vec::new(), 0, 0);
    while let Some(batch) = found.stream.next().await {
        let batch = batch?;
        bytes += batch.get_array_memory_size();
        count += batch.num_rows() as u64;
        batches.push(batch);
        if bytes > BYTES {
            break;
        }
    }
    let has_more = count >= rows || bytes > BYTES;
    let total = if has_more { table.row_count.filter(|known| *known > count) } else { Some(count) };
    Ok(Preview { schema: found.schema, batches, total })
}

/// Builds the query: the columns of the catalog, limited to `rows` rows.
fn build_head_query(table: &Table, dialect: Dialect, rows: u64) -> String {
    let columns: Vec<String> = table.columns.iter().map(|column| quote_identifier(&column.name, dialect)).collect();
    first_rows(&columns.join(", "), &table_ref(&table.name, dialect), rows, dialect)
}
