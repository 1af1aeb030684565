//! CSV and TSV files. Files with a uniform structure are read by the engine, which is fast; files with titles, totals,
//! other encodings and similar deviations are parsed here cell by cell.

use super::column::{AT_ONCE, Column};
use super::columns;
use super::file::{file_size as packed_size, start_reading, unreadable_error, wrong_file};
use super::grid::Grid;
use super::layout::{self, Layout};
use super::records;
use super::sniffed::{Sniffed, WHOLE};
use super::{encoding, ends, far_end, kind, packed, staged};
use crate::engines::duck::{quote_identifier, quote_literal};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::{Connection, Result};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::io::Read;
use std::path::Path;
use vitrine_domain::FileReading;
use vitrine_words::{plural, tr};

/// Creates a table, or a view for a large file, with this name. `size` is the unpacked size in bytes.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    size: u64,
    name: &str,
    options: &OpenOptions,
) -> Result<FileReading, WarehouseError> {
    let mut reading = start_reading(file, name, options);
    let kind = if size <= options.load_bytes { "TABLE" } else { "VIEW" };
    let most = options.load_bytes.min(WHOLE);
    let bytes = if size > most { None } else { read_bytes(connection, file, most)? };
    let Some(bytes) = bytes else {
        let mut told = reading.options.clone();
        let ends = ends::inspect_ends(file, &mut told, &mut reading);
        if let Some(ends) = &ends {
            // If this fails, the file is read without the special treatment of its end.
            let mut careful = reading.clone();
            let made = size <= WHOLE && far_end::add(connection, file, name, ends, kind, &mut careful).unwrap_or(false);
            if made {
                reading = careful;
            }
            ends.report_kept_rows(&mut reading);
            if made {
                return Ok(reading);
            }
        }
        let sniffed = Sniffed::of_unread(connection, file, &told, &mut reading);
        let made = sniffed.and_then(|sniffed| load_with_engine(connection, file, name, sniffed, kind, &mut reading));
        return made.map(|()| reading).map_err(|error| wrong_file(file, &error));
    };
    let told = reading.options.clone();
    let encoding = match told.encoding.as_deref().map(|label| (label, Encoding::for_label(label.as_bytes()))) {
        Some((label, None)) => {
            reading.doubts.push(tr!("There is no encoding {label}; the file's encoding was detected instead.", label));
            encoding::detect_encoding(&bytes)
        }
        Some((_, Some(encoding))) => encoding,
        None => encoding::detect_encoding(&bytes),
    };
    let text = encoding::decode_text(&bytes, encoding);
    let is_guessed = encoding == WINDOWS_1252 && told.encoding.is_none();
    let doubtful = is_guessed.then(|| encoding::find_doubtful_word(&bytes)).flatten();
    drop(bytes);
    reading.encoding = Some(encoding.name().to_owned());
    if text.contains('\u{fffd}') {
        reading.doubts.push(tr!(
            "Some bytes are not valid in {encoding}; they are shown as {mark}.",
            encoding = encoding.name(),
            mark = '\u{fffd}'
        ));
    }
    if let Some(word) = doubtful {
        reading.doubts.push(tr!(
            "Letters such as those of {word} show that the file may have another encoding than {encoding}.",
            word = quote_literal(&word.chars().take(40).collect::<String>()),
            encoding = encoding.name()
        ));
    }
    let broken = |line: u64| {
        unreadable_error(
            file,
            &tr!("a CSV file"),
            &tr!("the quote in line {line} does not surround a cell: it would swallow the lines below it", line),
        )
    };
    let dialect = records::detect_dialect(&text, records::parse_delimiter(&told)).map_err(broken)?;
    let grid = records::parse_grid(&text, dialect);
    drop(text);
    reading.delimiter = (grid.width() > 1).then(|| char::from(dialect.delimiter).to_string());
    let layout = layout::find_layout(&grid, |_| Vec::new(), &told, &mut reading);
    if layout.columns.is_empty() {
        return Err(WarehouseError::Empty { path: file.to_path_buf(), looked_for: tr!("a file with rows") });
    }
    let is_plain = encoding == UTF_8 && dialect.escape.is_none();
    if is_plain && is_even(&grid, &layout, &reading) {
        let before = reading.clone();
        let sniffed = match grid.width() {
            1 => Sniffed::from_file(connection, file, None, None),
            _ => Sniffed::from_file(connection, file, Some(dialect), layout.header)
                .map(|sniffed| sniffed.with_names(&layout.names)),
        };
        if sniffed.and_then(|sniffed| load_with_engine(connection, file, name, sniffed, kind, &mut reading)).is_ok() {
            return Ok(reading);
        }
        // A file that the engine cannot parse is read cell by cell.
        reading = before;
    }
    even_out(file, &grid, &layout, &mut reading)?;
    let make = |reading: &mut FileReading| -> Result<()> {
        staged::stage_rows(connection, &grid, &layout)?;
        let mut columns = staged::plain_types(connection, &layout.names, &quote_identifier(staged::STAGED))?;
        columns.iter_mut().zip(&layout.units).for_each(|(column, unit)| column.unit.clone_from(unit));
        columns::resolve_column_types(connection, &quote_identifier(staged::STAGED), &mut columns, &told, reading)?;
        staged::create_from_staged(connection, name, &columns)
    };
    make(&mut reading).map(|()| reading).map_err(|error| wrong_file(file, &error))
}

/// Returns true if the engine reads the file correctly: names in the first line or none, and only rows of equal length
/// below.
fn is_even(grid: &Grid, layout: &Layout, reading: &FileReading) -> bool {
    layout.header.is_none_or(|row| row == 0 && grid.line_number(0) == 1)
        && reading.set_aside.is_empty()
        && layout.columns.len() == grid.width()
        && layout.body.len() + usize::from(layout.header.is_some()) == grid.height()
        && (0..grid.height()).all(|row| grid.cells_of(row) == grid.width())
}

/// Detects lines that are shorter or longer than the others.
///
/// # Errors
/// A line with more values than there are names, because its values would be in the wrong columns.
fn even_out(file: &Path, grid: &Grid, layout: &Layout, reading: &mut FileReading) -> Result<(), WarehouseError> {
    let width = match layout.header {
        Some(header) => grid.cells_of(header),
        None => grid.width(),
    };
    let is_longer = |row: &&usize| (width..grid.cells_of(**row)).any(|column| !grid.cell(**row, column).is_empty());
    let longer: Vec<&usize> = layout.body.iter().filter(is_longer).collect();
    // If most lines are longer, names are missing.
    if let Some(row) = longer.first().filter(|_| longer.len() * 2 < layout.body.len() || layout.body.len() < 3) {
        let detail = tr!(
            "line {line} has {cells} cells, but there are names for {width}; a text that contains the delimiter must be quoted",
            line = grid.line_number(**row),
            cells = grid.cells_of(**row),
            width
        );
        return Err(unreadable_error(file, &tr!("a CSV file"), &detail));
    }
    let shorter: Vec<&usize> = layout.body.iter().filter(|row| grid.cells_of(**row) < width).collect();
    if let Some(row) = shorter.first() {
        reading.doubts.push(plural!(
            shorter.len(),
            "{n} line is shorter than the column names, the first is line {line}; the cells that they lack are empty.",
            "{n} lines are shorter than the column names, the first is line {line}; the cells that they lack are empty.",
            line = grid.line_number(**row)
        ));
    }
    Ok(())
}

/// Reads the unpacked bytes of a file; returns `None` if only the engine can unpack it, or if there are more than
/// `most`.
fn read_bytes(connection: &Connection, file: &Path, most: u64) -> Result<Option<Vec<u8>>, WarehouseError> {
    let packed = kind::is_compressed(file);
    let input = match packed::open_reader(connection, file, most) {
        Err(_) if packed => None,
        input => input?,
    };
    let Some(input) = input else { return Ok(None) };
    let mut bytes = Vec::new();
    let failed = |error: std::io::Error| match packed {
        true => unreadable_error(file, &tr!("a CSV file"), &error.to_string()),
        false => WarehouseError::from_io_error("reading", file, &error),
    };
    input.take(most + 1).read_to_end(&mut bytes).map_err(failed)?;
    Ok((bytes.len() as u64 <= most).then_some(bytes))
}

/// Reads the file with the engine.
fn load_with_engine(
    connection: &Connection,
    file: &Path,
    name: &str,
    sniffed: Sniffed,
    kind: &str,
    reading: &mut FileReading,
) -> Result<()> {
    let mut columns: Vec<Column> = sniffed.columns().collect();
    if packed_size(file) <= WHOLE {
        let told = reading.options.clone();
        let texts = sniffed.read_csv_expression(file, None);
        // Many columns are examined in many queries, each of which would parse the whole file.
        match columns.len() > AT_ONCE && kind == "TABLE" {
            true => staged::with_staged_texts(connection, &texts, |raw| {
                columns::resolve_column_types(connection, raw, &mut columns, &told, reading)
            })?,
            false => columns::resolve_column_types(connection, &texts, &mut columns, &told, reading)?,
        }
    } else {
        sniffed.distrust_dates(&mut columns, reading);
    }
    let values: Vec<String> = columns
        .iter()
        .filter_map(|column| {
            column.value.as_ref().map(|value| format!("{value} AS {}", quote_identifier(&column.name)))
        })
        .collect();
    let replaced = if values.is_empty() { String::new() } else { format!(" REPLACE ({})", values.join(", ")) };
    let name = quote_identifier(name);
    let reader = sniffed.read_csv_expression(file, Some(&columns));
    connection.execute_batch(&format!("CREATE {kind} {name} AS SELECT *{replaced} FROM {reader}"))?;
    staged::comment_columns(connection, &name, &columns)
}
