//! Results as files: CSV, Excel, Parquet, JSON. Rows are streamed, memory is bounded, and a file is either complete or
//! missing.

mod about;
mod csv;
mod fault;
mod json;
mod kept;
mod names;
mod parquet;
mod part_file;
mod row_writer;
mod xlsx;

pub use csv::{CsvOptions, guard_formula, write_csv_field};
pub use kept::write_parquet;
pub(crate) use parquet::write_batches;
pub use part_file::write_file;
use vitrine_words::tr;

use crate::{Batches, WarehouseError};
use arrow::datatypes::Schema;
use futures::StreamExt;
use part_file::PartFile;
use row_writer::RowWriter;
use std::fs::File;
use std::io;
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_domain::ExportAbout;

/// The file format of an exported result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Comma-separated values as in RFC 4180.
    Csv,
    /// An Excel workbook: the rows, and a second sheet with facts about them if available.
    Xlsx,
    /// Apache Parquet with the types of the database.
    Parquet,
    /// A JSON array of objects. Integers, floating-point numbers and booleans are native; all other values are text, so
    /// that no digit is lost.
    Json,
}

impl ExportFormat {
    /// All formats in declaration order.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Xlsx, Self::Parquet, Self::Json];

    /// Returns the extension of the format's files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Parquet => "parquet",
            Self::Json => "json",
        }
    }

    /// Returns the format for a file's extension; CSV without an extension.
    ///
    /// # Errors
    /// If the extension belongs to another kind of file, because programs could not open it.
    pub fn from_path(path: &Path) -> Result<Self, WarehouseError> {
        let Some(extension) = path.extension().map(|end| end.to_string_lossy().to_lowercase()) else {
            return Ok(Self::Csv);
        };
        let known = Self::ALL.into_iter().find(|format| format.extension() == extension);
        match extension.as_str() {
            "txt" => Ok(Self::Csv),
            _ => known.ok_or(WarehouseError::NoExport { extension }),
        }
    }
}

/// Options for the export of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportOptions {
    /// The format of the file.
    pub format: ExportFormat,
    /// The options for CSV files.
    pub csv: CsvOptions,
    /// The facts that are exported with the rows.
    pub about: Option<ExportAbout>,
}

fn create_writer(schema: &Schema, options: &ExportOptions, file: &File) -> io::Result<Box<dyn RowWriter>> {
    Ok(match options.format {
        ExportFormat::Csv => Box::new(csv::CsvWriter::new(schema, options.csv)),
        ExportFormat::Xlsx => Box::new(xlsx::XlsxWriter::new(schema, options.about.clone())?),
        ExportFormat::Parquet => Box::new(parquet::ParquetWriter::new(schema, file)?),
        ExportFormat::Json => Box::new(json::JsonWriter::new(schema)),
    })
}

/// Writes all rows to `dest` and returns their number. The file appears, or is replaced, only when it is complete; a
/// text file with facts about the rows is written afterwards if requested.
///
/// # Errors
/// If reading or writing fails, the format cannot hold the rows, or `cancel` stops it; then no file remains.
pub async fn export_batches(
    mut batches: Batches,
    dest: &Path,
    options: ExportOptions,
    progress: impl Fn(u64) + Send + Sync,
    cancel: CancellationToken,
) -> Result<u64, WarehouseError> {
    if dest.is_dir() {
        return Err(WarehouseError::IsFolder { path: dest.to_path_buf(), wanted: tr!("a file to write to") });
    }
    if let Some(folder) = dest.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(WarehouseError::NotFound { path: folder.to_path_buf() });
    }
    let failed = |error: io::Error| WarehouseError::from_io_error("writing", dest, &error);
    let part = PartFile::create(dest).map_err(failed)?;
    let writer = create_writer(&batches.schema, &options, &part.file).map_err(failed)?;
    let mut both = (part, writer);
    let mut rows = 0;
    loop {
        let batch = tokio::select! {
            batch = batches.stream.next() => batch,
            () = cancel.cancelled() => return Err(WarehouseError::Cancelled),
        };
        let Some(batch) = batch else { break };
        let batch = batch?;
        rows += batch.num_rows() as u64;
        // Blocking writes run outside the async threads, because the disk may be slow.
        let ((part, writer), written) =
            run_blocking_with(both, move |(part, writer)| writer.write_batch(&mut part.file, &batch)).await?;
        written.map_err(failed)?;
        both = (part, writer);
        progress(rows);
    }
    if cancel.is_cancelled() {
        return Err(WarehouseError::Cancelled);
    }
    let finished = crate::run::run_blocking(move || {
        let (mut part, writer) = both;
        Ok(writer.finish(&mut part.file).and_then(|()| part.finish()))
    });
    finished.await?.map_err(failed)?;
    if let Some(about) = options.about.filter(|about| about.beside && options.format != ExportFormat::Xlsx) {
        let path = about::about_path(dest);
        let place = path.clone();
        let written = crate::run::run_blocking(move || Ok(write_file(&place, about::about_text(&about).as_bytes())));
        written.await?.map_err(|error| WarehouseError::from_io_error("writing", &path, &error))?;
    }
    Ok(rows)
}

/// Runs blocking work with a value and returns the value.
async fn run_blocking_with<T: Send + 'static, R: Send + 'static>(
    mut thing: T,
    work: impl FnOnce(&mut T) -> R + Send + 'static,
) -> Result<(T, R), WarehouseError> {
    crate::run::run_blocking(move || {
        let done = work(&mut thing);
        Ok((thing, done))
    })
    .await
}

#[cfg(test)]
mod tests;
