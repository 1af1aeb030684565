//! The beginning and the end of a file that is too large, or packed, to be taken apart: titles above the column names are found there,
//! and last rows that look like totals or notes are told. Nothing else of the file is held.

use super::cell::Shape;
use super::grid::Grid;
use super::total_words::is_total_word;
use super::{encoding, kind, layout, records};
use flate2::read::MultiGzDecoder;
use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;
use vitrine_domain::{FileOptions, FileReading};

/// Bytes that are looked at on either end.
const LOOKED_AT: u64 = 1 << 20;
/// Last rows that are looked at one by one.
const LAST: usize = 5;

/// Says in the reading what is found, and in the options where the column names stand.
pub(super) fn look(file: &Path, told: &mut FileOptions, reading: &mut FileReading) {
    let packed = kind::is_compressed(file);
    // A file that cannot be read is told of by whoever reads it whole.
    let head = head(file).ok().flatten();
    reading.doubts.push(match (packed, head.is_some()) {
        (true, false) => "The file is packed: titles, totals and notes in it were not looked for.",
        (true, true) => "The file is packed: titles were looked for in its first megabyte, totals and notes at its end were not.",
        (false, _) => "The file is large: titles, totals and notes were looked for in its first and last megabyte.",
    }
    .to_owned());
    let Some(Ok(dialect)) = head.as_ref().map(|text| records::dialect(text, records::delimiter(told))) else { return };
    let grid = records::read(head.as_deref().unwrap_or_default(), dialect);
    let mut found = FileReading::default();
    let layout = layout::of(&grid, |_| Vec::new(), &FileOptions { keep_rows: true, ..told.clone() }, &mut found);
    if told.header_row.is_none()
        && let Some(row) = found.header_row.filter(|row| *row > 1 && layout.columns.len() > 1)
    {
        told.header_row = Some(row);
        told.delimiter.get_or_insert_with(|| char::from(dialect.delimiter).to_string());
        reading.header_row = Some(row);
        reading.skipped = found.skipped;
    }
    if told.keep_rows || packed {
        return;
    }
    let Ok(Some(text)) = tail(file) else { return };
    let rows = records::read(&text, dialect);
    let last = like_no_data(&rows, &layout.columns);
    if !last.is_empty() {
        let shown: Vec<String> = last.iter().map(|row| rows.shown(*row)).collect();
        reading.doubts.push(format!(
            "The last {} like a total or a note, and {} in the table: {}",
            if shown.len() == 1 { "row looks" } else { "rows look" },
            if shown.len() == 1 { "is" } else { "are" },
            shown.join("; ")
        ));
    }
}

/// Last rows with one text alone, with a column empty that all rows above fill, or with the word for a total.
fn like_no_data(grid: &Grid, columns: &[usize]) -> Vec<usize> {
    let filled: Vec<usize> = (0..grid.height()).filter(|row| grid.filled(*row) > 0).collect();
    let data = &filled[..filled.len().saturating_sub(LAST)];
    if data.len() < LAST || columns.len() < 2 {
        return Vec::new();
    }
    let always: Vec<usize> =
        columns.iter().copied().filter(|column| data.iter().all(|row| !grid.cell(*row, *column).is_empty())).collect();
    let is_none = |row: &&usize| {
        let words =
            columns.iter().map(|column| grid.cell(**row, *column)).filter(|cell| Shape::of(cell) == Shape::Words);
        always.iter().any(|column| grid.cell(**row, *column).is_empty()) || words.take(1).any(is_total_word)
    };
    let mut last: Vec<usize> = filled[data.len()..].iter().rev().take_while(is_none).copied().collect();
    last.reverse();
    last
}

/// The first lines, unpacked; `None` where this is a way to pack that is not read here.
fn head(file: &Path) -> Result<Option<String>> {
    let opened = File::open(file)?;
    let mut bytes = Vec::new();
    match file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("gz") => MultiGzDecoder::new(opened).take(LOOKED_AT).read_to_end(&mut bytes)?,
        _ if kind::is_compressed(file) => return Ok(None),
        _ => opened.take(LOOKED_AT).read_to_end(&mut bytes)?,
    };
    let whole = (bytes.len() as u64) < LOOKED_AT;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    // A line that is cut is none; in UTF-16 a line's end has two bytes.
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let end = if whole {
        bytes.len()
    } else if wide {
        (end + 1) & !1
    } else {
        end
    };
    let bytes = &bytes[..end.min(bytes.len())];
    Ok(Some(encoding::decode(bytes, encoding::of(bytes))))
}

/// The last lines; `None` of UTF-16, where the beginning of a line is not found by bytes.
fn tail(file: &Path) -> Result<Option<String>> {
    let mut opened = File::open(file)?;
    let length = opened.metadata()?.len();
    opened.seek(SeekFrom::Start(length.saturating_sub(LOOKED_AT)))?;
    let mut bytes = Vec::new();
    opened.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let from = if length > LOOKED_AT { bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1) } else { 0 };
    let bytes = &bytes[from..];
    Ok((!bytes.contains(&0)).then(|| encoding::decode(bytes, encoding::of(bytes))))
}
