//! Results as CSV files (RFC 4180): streamed, bounded in memory, and whole or not there at all.

use crate::nested::write_cell;
use crate::{Batches, WarehouseError, cells};
use arrow::record_batch::RecordBatch;
use futures::StreamExt;
use std::borrow::Cow;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;
use vitrine_domain::CellType;

/// How a CSV file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CsvOptions {
    /// Puts an apostrophe before text that a spreadsheet would run as a formula, also where it splits a cell at `;`.
    pub guard_formulas: bool,
    /// Begins with a byte order mark, by which some spreadsheets know that the file is UTF-8.
    pub byte_order_mark: bool,
    /// Writes the column names first.
    pub header: bool,
}

impl Default for CsvOptions {
    fn default() -> Self {
        Self { guard_formulas: true, byte_order_mark: false, header: true }
    }
}

/// Writes all rows to `dest` and gives their number. The file appears, or is replaced, only when it is complete.
///
/// NULL is an empty field and an empty text is `""`, so that the two stay apart.
pub async fn write_csv(
    mut batches: Batches,
    dest: &Path,
    options: CsvOptions,
    progress: impl Fn(u64) + Send + Sync,
    cancel: CancellationToken,
) -> Result<u64, WarehouseError> {
    if dest.is_dir() {
        return Err(WarehouseError::IsFolder { path: dest.to_path_buf(), wanted: "a file to write to".to_owned() });
    }
    if let Some(folder) = dest.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        return Err(WarehouseError::NotFound { path: folder.to_path_buf() });
    }
    let failed = |error: io::Error| WarehouseError::io("writing", dest, &error);
    let mut part = Some(PartFile::create(dest).map_err(failed)?);
    let types: Vec<CellType> = cells::result_columns(&batches.schema).iter().map(|column| column.cell_type).collect();
    let mut text = String::new();
    if options.byte_order_mark {
        text.push('\u{feff}');
    }
    if options.header {
        for (index, field) in batches.schema.fields().iter().enumerate() {
            separate(&mut text, index);
            write_csv_field(&mut text, field.name(), options.guard_formulas);
        }
        text.push_str("\r\n");
    }
    let mut rows = 0;
    loop {
        // The disk may be slow; nobody else should wait for it.
        (part, text) = write_out(part, text).await.map_err(failed)?;
        let batch = tokio::select! {
            batch = batches.stream.next() => batch,
            () = cancel.cancelled() => return Err(WarehouseError::Cancelled),
        };
        let Some(batch) = batch else { break };
        let batch = batch?;
        render(&mut text, &batch, &types, options);
        rows += batch.num_rows() as u64;
        progress(rows);
    }
    if cancel.is_cancelled() {
        return Err(WarehouseError::Cancelled);
    }
    crate::run::blocking(move || Ok(part.map_or(Ok(()), PartFile::finish))).await?.map_err(failed)?;
    Ok(rows)
}

async fn write_out(part: Option<PartFile>, mut text: String) -> io::Result<(Option<PartFile>, String)> {
    tokio::task::spawn_blocking(move || {
        let mut part = part;
        if let Some(part) = &mut part {
            part.file.write_all(text.as_bytes())?;
        }
        text.clear();
        Ok((part, text))
    })
    .await
    .map_err(io::Error::other)?
}

fn render(out: &mut String, batch: &RecordBatch, types: &[CellType], options: CsvOptions) {
    let mut cell = String::new();
    for row in 0..batch.num_rows() {
        for (index, column) in batch.columns().iter().enumerate() {
            separate(out, index);
            cell.clear();
            if write_cell(&mut cell, column, row) {
                let text =
                    matches!(types[index], CellType::Text | CellType::Nested | CellType::Binary | CellType::Null);
                write_csv_field(out, &cell, options.guard_formulas && text);
            }
        }
        out.push_str("\r\n");
    }
}

fn separate(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

/// Adds a field of CSV to `out`, quoted where it must be. `guard` makes text of what a spreadsheet would compute.
pub fn write_csv_field(out: &mut String, text: &str, guard: bool) {
    let text = if guard { guarded(text) } else { Cow::Borrowed(text) };
    let quoted =
        text.is_empty() || text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ');
    if quoted {
        out.push('"');
    }
    if quoted {
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&text);
    }
}

/// Characters that make a formula of a cell, also in their wide form.
const STARTERS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Characters at which some spreadsheet begins another cell, whether they stand in quotes or not: to one that separates by
/// semicolons, the quotes of a file that separates by commas mean nothing.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// The text with an apostrophe before whatever a spreadsheet would run. Plain numbers stay numbers.
fn guarded(text: &str) -> Cow<'_, str> {
    if !text.contains(STARTERS) && !text.starts_with(['\t', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 1);
    if text.starts_with(['\t', '\r']) {
        safe.push('\'');
    }
    // Whether a spreadsheet may take what comes for the beginning of a cell.
    let mut begins = true;
    for (at, c) in text.char_indices() {
        if begins && STARTERS.contains(&c) && !is_number(&text[at..]) {
            safe.push('\'');
        }
        safe.push(c);
        begins = SEPARATORS.contains(&c) || begins && matches!(c, ' ' | '"');
    }
    Cow::Owned(safe)
}

/// Whether the cell that begins here is a number, which has to stay one.
fn is_number(rest: &str) -> bool {
    let cell = rest.split(SEPARATORS).next().unwrap_or_default();
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

/// The file while it grows; removed when it is dropped before it is finished.
struct PartFile {
    file: File,
    path: PathBuf,
    dest: PathBuf,
    finished: bool,
}

impl PartFile {
    fn create(dest: &Path) -> io::Result<Self> {
        let name = dest.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy().into_owned();
        remove_left_over(dest, &name);
        // The same folder, so that the rename stays on one disk and is atomic.
        for number in 0..100 {
            let path = dest.with_file_name(format!(".{name}.{}-{number}.part", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // Held as long as this program writes. Where it cannot be had, the file is only not known as left over.
                    let _ = file.try_lock();
                    return Ok(Self { file, path, dest: dest.to_path_buf(), finished: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::ErrorKind::AlreadyExists.into())
    }

    fn finish(mut self) -> io::Result<()> {
        // Some file systems report a full disk only here.
        self.file.sync_all()?;
        std::fs::rename(&self.path, &self.dest)?;
        self.finished = true;
        Ok(())
    }
}

/// Removes what programs left that ended in the middle of an export to the same file: nobody holds it any more.
fn remove_left_over(dest: &Path, name: &str) {
    let beginning = format!(".{name}.");
    let folder = dest.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let file_name = entry.file_name();
        let numbers = file_name.to_str().and_then(|name| name.strip_prefix(&beginning)?.strip_suffix(".part"));
        let is_part = numbers.and_then(|numbers| numbers.split_once('-')).is_some_and(|(process, number)| {
            [process, number].iter().all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()))
        });
        if is_part && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

impl Drop for PartFile {
    fn drop(&mut self) {
        if !self.finished {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
#[path = "tests/csv.rs"]
mod tests;
