//! Runs a source's query and streams its rows into a Parquet file.

use crate::blocking::blocking;
use crate::columns::{ColumnTransfer, choose_transfer, to_file};
use crate::part::{PartColumn, PartQuery, TablePart};
use crate::source::{Source, SourceRead};
use crate::source_query::{of_source, prove_for, write_count};
use arrow::array::{Array, RecordBatch};
use arrow::datatypes::{Field, Schema, SchemaRef};
use futures::StreamExt;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use tokio_util::sync::CancellationToken;
use vitrine_warehouse::{JoinedColumn, JoinedTable, Limits, Metering, WarehouseError, read_page};
use vitrine_words::{format_number, tr};

/// Rows per row group, which are held in memory.
const GROUP: usize = 50_000;

/// The limits on the rows that one table of a source may deliver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FetchLimits {
    /// Maximum number of rows.
    pub rows: u64,
    /// Maximum size of these rows in memory, in bytes.
    pub bytes: u64,
}

impl Default for FetchLimits {
    fn default() -> Self {
        Self { rows: 5_000_000, bytes: 2 << 30 }
    }
}

/// A file that is being written.
struct RowFile {
    path: PathBuf,
    writer: ArrowWriter<File>,
    schema: SchemaRef,
    transfers: Vec<ColumnTransfer>,
}

/// Fetches a table into `folder`; the file is named after `place`.
///
/// # Errors
/// The source's own error, or that it delivers too much or a type that cannot be carried.
pub(crate) async fn fetch_table(
    source: &Source,
    (part, sql): (&TablePart, &str),
    place: (&Path, usize),
    (limits, bounds): (&Limits, FetchLimits),
    cancel: &CancellationToken,
) -> Result<(JoinedTable, SourceRead), WarehouseError> {
    let began = Instant::now();
    let failed = |error: WarehouseError| of_source(source, error);
    let sql = prove_for(source, sql)?;
    let own = Limits { rows: Some(bounds.rows), ..limits.clone() };
    let mut batches = source.warehouse.run_query(&sql, own, cancel.clone()).await.map_err(failed)?;
    let transfers = choose_transfers(source, part, &batches.schema)?;
    let (folder, number) = place;
    let file_name = format!("{number}.parquet");
    let mut file = Some(RowFile::create(folder.join(&file_name), transfers.clone())?);
    let (mut rows, mut bytes) = (0, 0);
    while let Some(batch) = batches.stream.next().await {
        let batch = batch.map_err(failed)?;
        rows += batch.num_rows() as u64;
        bytes += size_of_rows(&batch);
        if bytes > bounds.bytes {
            return Err(too_large(source, part, bounds, None));
        }
        file = write_batch(file, batch, source, part).await?;
    }
    if batches.is_truncated() {
        let counted = count_rows(source, part, limits, cancel).await;
        return Err(too_large(source, part, bounds, Some(counted)));
    }
    if let Some(file) = file {
        blocking(move || file.finish()).await?;
    }
    let columns = part.columns.iter().zip(transfers).enumerate().map(|(at, (column, transfer))| JoinedColumn {
        name: column.name.clone(),
        stored: stored_name(at),
        form: transfer.form,
    });
    let table = JoinedTable {
        source: source.name.clone(),
        schema: part.table.schema.clone(),
        name: part.name.clone(),
        file: Some(file_name),
        columns: columns.collect(),
    };
    let read = SourceRead {
        source: source.name.clone(),
        table: source.catalog.tables[part.table.table].name.to_string(),
        sql: sql.as_str().to_owned(),
        rows,
        bytes,
        seconds: began.elapsed().as_secs_f64(),
    };
    Ok((table, read))
}

fn stored_name(at: usize) -> String {
    format!("c{at}")
}

fn choose_transfers(source: &Source, part: &TablePart, schema: &Schema) -> Result<Vec<ColumnTransfer>, WarehouseError> {
    if schema.fields().len() != part.columns.len() {
        let message = format!("{} columns instead of {}", schema.fields().len(), part.columns.len());
        return Err(of_source(source, WarehouseError::query(message)));
    }
    let dialect = source.catalog.dialect;
    let transfer = |(field, column): (&Arc<Field>, &PartColumn)| {
        choose_transfer(field, &column.data_type, dialect).ok_or_else(|| unfit(source, part, &column.name))
    };
    schema.fields().iter().zip(&part.columns).map(transfer).collect()
}

impl RowFile {
    fn create(path: PathBuf, transfers: Vec<ColumnTransfer>) -> Result<Self, WarehouseError> {
        let fields: Vec<Field> = transfers
            .iter()
            .enumerate()
            .map(|(at, transfer)| Field::new(stored_name(at), transfer.file_type.clone(), true))
            .collect();
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP))
            .build();
        let file = File::create(&path).map_err(|error| unwritten(&path, &error))?;
        let writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties));
        let writer = writer.map_err(|error| unwritten(&path, &error.into()))?;
        Ok(Self { path, writer, schema, transfers })
    }

    /// Writes rows; returns the column whose values would change.
    fn write(&mut self, batch: &RecordBatch) -> Result<Option<usize>, WarehouseError> {
        let mut columns = Vec::new();
        for (at, (column, transfer)) in batch.columns().iter().zip(&self.transfers).enumerate() {
            match to_file(column, transfer) {
                Some(column) => columns.push(column),
                None => return Ok(Some(at)),
            }
        }
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        self.writer.write(&batch).map_err(|error| unwritten(&self.path, &error.into()))?;
        Ok(None)
    }

    fn finish(self) -> Result<(), WarehouseError> {
        let Self { path, writer, .. } = self;
        writer.close().map(drop).map_err(|error| unwritten(&path, &error.into()))
    }
}

async fn write_batch(
    file: Option<RowFile>,
    batch: RecordBatch,
    source: &Source,
    part: &TablePart,
) -> Result<Option<RowFile>, WarehouseError> {
    let Some(mut file) = file else { return Ok(None) };
    let (file, changed) = blocking(move || file.write(&batch).map(|changed| (file, changed))).await?;
    match changed {
        None => Ok(Some(file)),
        Some(at) => Err(unfit(source, part, &part.columns[at].name)),
    }
}

/// Returns the size of the rows, without parts of buffers that belong to other rows.
pub(crate) fn size_of_rows(batch: &RecordBatch) -> u64 {
    batch.columns().iter().map(|column| column.to_data().get_slice_memory_size().unwrap_or(0) as u64).sum()
}

/// Counts the rows of a part, if that costs nothing.
async fn count_rows(source: &Source, part: &TablePart, limits: &Limits, cancel: &CancellationToken) -> Option<u64> {
    let PartQuery::Rows { filter, limit: None, .. } = &part.query else { return None };
    if source.warehouse.metering() != Metering::Untold {
        return None;
    }
    let table = &source.catalog.tables[part.table.table];
    let sql = prove_for(source, &write_count(source, table, filter.as_ref())).ok()?;
    let batches = source.warehouse.run_query(&sql, limits.clone(), cancel.clone()).await.ok()?;
    let page = read_page(batches, 1).await.ok()?;
    page.rows.first()?.first()?.as_ref()?.parse().ok()
}

/// Creates the error for a part that exceeds a limit; `rows` is set for the limit of rows, with their number if known.
fn too_large(source: &Source, part: &TablePart, bounds: FetchLimits, rows: Option<Option<u64>>) -> WarehouseError {
    let table = format!("{}.{}", source.name, part.name);
    let limit = format_number(bounds.rows);
    let message = match rows {
        Some(Some(rows)) => tr!(
            "{table} would deliver {rows} rows, more than the {limit} that may be joined here",
            table,
            rows = format_number(rows),
            limit
        ),
        Some(None) => tr!("{table} would deliver more than the {limit} rows that may be joined here", table, limit),
        None => tr!(
            "{table} would deliver more than the {limit} MB that may be joined here",
            table,
            limit = format_number(bounds.bytes >> 20)
        ),
    };
    let hint = tr!(
        "Add a condition on {table} that compares a column with constants, name fewer columns, or aggregate it; --fetch-rows raises the limit of rows.",
        table
    );
    WarehouseError::Join { message, hint }
}

fn unfit(source: &Source, part: &TablePart, column: &str) -> WarehouseError {
    let column = format!("{}.{}.{column}", source.name, part.name);
    WarehouseError::Join {
        message: tr!("{column} has a type that cannot be joined here without changing its values", column),
        hint: tr!("Leave the column out of the query."),
    }
}

fn unwritten(path: &Path, error: &std::io::Error) -> WarehouseError {
    WarehouseError::Io {
        action: "writing".to_owned(),
        path: path.to_path_buf(),
        message: error.to_string(),
        disk_full: vitrine_domain::is_disk_full(error),
    }
}
