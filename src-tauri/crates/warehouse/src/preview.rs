//! A bounded sample of a database's rows in a local copy.
//!
//! If queries are billed, or tables may be too expensive to scan, profiling must not query freely. A bounded sample is
//! therefore copied into a DuckDB file, and profile, value index and keys are read from that file. The file is removed
//! with its owner. Rows are listed if the database can do so without a query, otherwise read by one query per table
//! (`preview/head.rs`).

mod head;
mod types;

use crate::engines::duck::{duckdb_address, quote_identifier, quote_literal};
use crate::export::write_batches;
use crate::run::run_blocking;
use crate::{Metering, OpenOptions, Preview, Warehouse, WarehouseError};
use ::duckdb::Connection;
use arrow::datatypes::Field;
use futures::{StreamExt, stream};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Column, Profile, Table, TableName};
use vitrine_words::{plural, tr};

/// Replaces the star of a wildcard name in the copy, because DuckDB's proof treats a name with a star as files. No
/// original table has such a name.
const ALL: &str = "(all)";
/// Number of tables that are read concurrently.
const AT_ONCE: usize = 4;

/// The size limits of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewOptions {
    /// Maximum number of rows per table.
    pub rows: u64,
    /// Maximum number of tables, in the catalog's order.
    pub tables: usize,
}

/// A table without a preview, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoPreview {
    /// The name of the table.
    pub table: TableName,
    /// The reason, as a sentence without its final period.
    pub reason: String,
}

/// A local copy of a sample, removed on drop.
pub struct PreviewCopy {
    /// The DuckDB warehouse of the sample; tables have their original names, except for wildcard names.
    pub warehouse: Arc<dyn Warehouse>,
    /// The tables of the copy, with their types there and the declared keys.
    pub catalog: Catalog,
    /// The tables that are not in the copy.
    pub without: Vec<NoPreview>,
    options: PreviewOptions,
    is_listed: bool,
    // Removed with the copy.
    _folder: TempDir,
}

impl PreviewCopy {
    /// Converts a profile of the copy to one of the original, with the original names and declared types.
    pub fn profile_of_original(&self, mut profile: Profile, original: &Catalog) -> Profile {
        for known in &mut profile.tables {
            known.table.name = known.table.name.replace(ALL, "*");
            let Some(table) = original.tables.iter().find(|table| table.name == known.table) else { continue };
            for column in &mut known.columns {
                if let Some(own) = table.find_column(&column.name) {
                    column.data_type.clone_from(&own.data_type);
                }
            }
        }
        profile
    }

    /// Describes the extent of the sample in a sentence.
    pub fn to_sentence(&self) -> String {
        let PreviewOptions { rows, .. } = self.options;
        let tables = self.catalog.tables.len();
        let read = match self.is_listed {
            true => {
                tr!("A free preview of up to {rows} rows was read of {tables} tables; no query was run", rows, tables)
            }
            false => tr!("The first {rows} rows at most were read of {tables} tables, by one query each", rows, tables),
        };
        if self.without.is_empty() {
            return read;
        }
        let without = plural!(
            self.without.len(),
            "{n} table or view has no preview and is known by its metadata alone",
            "{n} tables and views have no preview and are known by their metadata alone"
        );
        format!("{read}; {without}")
    }
}

/// Copies rows of the tables in `original` within `options`. A table that cannot be read is left out.
///
/// # Errors
/// If it is cancelled or the copy cannot be written.
pub async fn preview_copy(
    warehouse: Arc<dyn Warehouse>,
    original: &Catalog,
    options: PreviewOptions,
    cancel: CancellationToken,
) -> Result<PreviewCopy, WarehouseError> {
    let folder = run_blocking(|| {
        tempfile::Builder::new()
            .prefix("vitrine-preview-")
            .tempdir()
            .map_err(|error| WarehouseError::from_io_error("writing", &std::env::temp_dir(), &error))
    })
    .await?;
    // The database of the copy is named after the project, the first part of three-part names.
    let project = original.tables.iter().find_map(|table| table.name.catalog.clone());
    let database = project.unwrap_or_else(|| "preview".to_owned());
    let path = folder.path().join(format!("{database}.duckdb"));
    let mut without = Vec::new();
    let mut wanted = Vec::new();
    for table in &original.tables {
        let other = table.name.catalog.as_ref().is_some_and(|own| *own != database) || database.contains(['.', ':']);
        if other {
            without.push(no_preview(table, &tr!("its project's name cannot be copied")));
        } else if wanted.len() >= options.tables {
            without.push(no_preview(table, &tr!("previews end after {tables} tables", tables = options.tables)));
        } else {
            wanted.push(table.clone());
        }
    }
    let is_listed = warehouse.metering() == Metering::Billed;
    let listing = wanted.into_iter().map(|table| {
        let (warehouse, cancel) = (Arc::clone(&warehouse), cancel.child_token());
        async move {
            let listed = match is_listed {
                true => warehouse.preview_rows(&table, options.rows).await,
                false => head::read_head_rows(warehouse.as_ref(), &table, options.rows, cancel).await,
            };
            (table, listed)
        }
    });
    let mut listing = stream::iter(listing.collect::<Vec<_>>()).buffered(AT_ONCE);
    let (mut tables, mut connection) = (Vec::new(), None);
    loop {
        let next = cancel.run_until_cancelled(listing.next()).await.ok_or(WarehouseError::Cancelled)?;
        let Some((table, listed)) = next else { break };
        match listed {
            Ok(preview) => {
                let own = build_copied_table(&table, &preview);
                let (sample, target) = (path.clone(), own.clone());
                let work = move || write_table(connection, &sample, &target, &preview);
                let (open, written) = run_blocking(work).await?;
                connection = Some(open);
                match written {
                    Ok(()) => tables.push(own),
                    // DuckDB ignores the case of names, so tables of another engine may collide.
                    Err(reason) => without.push(no_preview(&table, &reason)),
                }
            }
            Err(WarehouseError::Cancelled) => return Err(WarehouseError::Cancelled),
            Err(error @ (WarehouseError::SignInAgain { .. } | WarehouseError::Unreachable { .. })) => {
                return Err(error);
            }
            Err(error) => without.push(no_preview(&table, &error.to_string())),
        }
    }
    let file = path.clone();
    run_blocking(move || {
        let connection = match connection {
            Some(connection) => connection,
            None => Connection::open(&file).map_err(|error| crate::engines::duck::in_query(&file, &error))?,
        };
        connection.close().map_err(|(_, error)| crate::engines::duck::in_query(&file, &error))
    })
    .await?;
    let uri = duckdb_address(path);
    let copy = crate::open_with(&uri, &OpenOptions::default()).await?;
    let names: Vec<TableName> = tables.iter().map(|table: &Table| table.name.clone()).collect();
    for table in &mut tables {
        table.foreign_keys.retain(|key| names.contains(&key.ref_table));
    }
    let catalog = Catalog { dialect: copy.dialect(), tables, ..original.clone() };
    Ok(PreviewCopy { warehouse: copy, catalog, without, options, is_listed, _folder: folder })
}

fn no_preview(table: &Table, reason: &str) -> NoPreview {
    NoPreview { table: table.name.clone(), reason: reason.to_owned() }
}

/// Returns the table's description in the copy.
fn build_copied_table(table: &Table, preview: &Preview) -> Table {
    let column = |field: &Arc<Field>| {
        let declared = table.find_column(field.name());
        Column {
            name: field.name().clone(),
            data_type: types::in_copy(field, declared.map_or("", |column| &column.data_type)),
            nullable: declared.is_none_or(|column| column.nullable),
            comment: declared.and_then(|column| column.comment.clone()),
        }
    };
    let name = TableName { name: table.name.name.replace('*', ALL), ..table.name.clone() };
    Table {
        name,
        row_count: preview.total,
        columns: preview.schema.fields().iter().map(column).collect(),
        definition: None,
        ..table.clone()
    }
}

/// Writes the rows into the copy. The inner error is a table that DuckDB does not accept; the outer error aborts the
/// copy.
fn write_table(
    connection: Option<Connection>,
    path: &Path,
    table: &Table,
    preview: &Preview,
) -> Result<(Connection, Result<(), String>), WarehouseError> {
    let rows = path.with_extension("parquet");
    let written = write_batches(&preview.schema, &preview.batches, &rows);
    written.map_err(|error| WarehouseError::from_io_error("writing", &rows, &error))?;
    let connection = match connection {
        Some(connection) => connection,
        None => Connection::open(path).map_err(|error| crate::engines::duck::in_query(path, &error))?,
    };
    let made = (|| {
        let schema = table.name.schema.as_deref();
        if let Some(schema) = schema {
            connection.execute_batch(&format!("CREATE SCHEMA IF NOT EXISTS {}", quote_identifier(schema)))?;
        }
        let values = table.columns.iter().map(|column| {
            let name = quote_identifier(&column.name);
            // A value that DuckDB cannot represent becomes NULL in the sample.
            format!("TRY_CAST({name} AS {}) AS {name}", column.data_type)
        });
        let name: Vec<String> = schema.into_iter().chain([table.name.name.as_str()]).map(quote_identifier).collect();
        let (name, values) = (name.join("."), values.collect::<Vec<_>>().join(", "));
        let from = quote_literal(&rows.to_string_lossy());
        connection.execute_batch(&format!("CREATE TABLE {name} AS SELECT {values} FROM read_parquet({from})"))
    })();
    let _ = std::fs::remove_file(&rows);
    Ok((connection, made.map_err(|error: ::duckdb::Error| error.to_string())))
}

#[cfg(test)]
mod tests;
