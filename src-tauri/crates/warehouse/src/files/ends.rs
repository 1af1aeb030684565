//! Examines the beginning and the end of a file that is too large, or packed, to be parsed here: titles above the
//! column names, and last rows that look like totals or notes. The rest of the file is not held in memory.

use super::cell::Shape;
use super::grid::Grid;
use super::records::{self, Dialect};
use super::total_words::is_total_word;
use super::{encoding, kind, layout};
use crate::regular;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use flate2::read::MultiGzDecoder;
use std::io::{Read, Result, Seek, SeekFrom};
use std::path::Path;
use vitrine_domain::{FileOptions, FileReading};
use vitrine_words::{plural, tr};

/// Number of bytes that are examined at either end.
const LOOKED_AT: u64 = 1 << 20;
/// Number of last rows that are examined individually.
const LAST: usize = 5;

/// The last rows of a file, if some of them do not look like data.
#[derive(Debug)]
pub(super) struct Ends {
    pub rows: Grid,
    /// The rows that do not look like data, all at the end.
    pub last: Vec<usize>,
    /// The names of all columns; empty if the engine would read the file differently.
    pub names: Vec<String>,
    pub dialect: Dialect,
    /// The line of the names, from 1; 0 if there is none.
    pub header_row: u32,
    /// The encoding's name in the engine.
    pub encoding: &'static str,
    /// Number of lines above the rows.
    lines: u32,
}

impl Ends {
    /// Returns the line number of a row in the file.
    pub fn line_number(&self, row: usize) -> u32 {
        self.lines + self.rows.line_number(row)
    }

    /// Reports the rows that are kept in the table.
    pub fn report_kept_rows(&self, reading: &mut FileReading) {
        let kept = |row: &&usize| reading.set_aside.iter().all(|out| out.row != self.line_number(**row));
        let shown: Vec<String> = self.last.iter().filter(kept).map(|row| self.rows.display_row(*row)).collect();
        if shown.is_empty() {
            return;
        }
        reading.doubts.push(plural!(
            shown.len(),
            "The last row looks like a total or a note, and is in the table: {rows}",
            "The last rows look like a total or a note, and are in the table: {rows}",
            rows = shown.join("; ")
        ));
    }
}

/// Examines both ends: reports the findings in the reading, sets the line of the column names in the options, and
/// returns the last rows if some do not look like data.
pub(super) fn inspect_ends(file: &Path, told: &mut FileOptions, reading: &mut FileReading) -> Option<Ends> {
    let packed = kind::is_compressed(file);
    // Errors of the file are reported when it is read completely.
    let head = read_head(file).ok().flatten();
    reading.doubts.push(match (packed, head.is_some()) {
        (true, false) => tr!("The file is packed: titles, totals and notes in it were not looked for."),
        (true, true) => tr!(
            "The file is packed: titles were looked for in its first megabyte, totals and notes at its end were not."
        ),
        (false, _) => {
            tr!("The file is large: titles, totals and notes were looked for in its first and last megabyte.")
        }
    });
    let (head, head_encoding) = head?;
    let dialect = records::detect_dialect(&head, records::parse_delimiter(told)).ok()?;
    let grid = records::parse_grid(&head, dialect);
    let mut found = FileReading::default();
    let layout =
        layout::find_layout(&grid, |_| Vec::new(), &FileOptions { keep_rows: true, ..told.clone() }, &mut found);
    if told.header_row.is_none()
        && let Some(row) = found.header_row.filter(|row| *row > 1 && layout.columns.len() > 1)
    {
        told.header_row = Some(row);
        told.delimiter.get_or_insert_with(|| char::from(dialect.delimiter).to_string());
        reading.header_row = Some(row);
        reading.skipped = found.skipped;
    }
    if told.keep_rows || packed {
        return None;
    }
    let (text, encoding, from) = read_tail(file).ok().flatten()?;
    let rows = records::parse_grid(&text, dialect);
    let last = like_no_data(&rows, &layout.columns);
    if last.is_empty() {
        return None;
    }
    let encoding = match [head_encoding, encoding] {
        all if all.iter().all(|encoding| *encoding == UTF_8) => Some("utf-8"),
        all if all.iter().all(|encoding| [UTF_8, WINDOWS_1252].contains(encoding)) => Some("latin-1"),
        _ => None,
    };
    let header_row = layout.header.map_or(0, |row| grid.line_number(row));
    // The engine returns every column, but the layout omits empty ones.
    let engine = encoding.filter(|_| layout.columns.len() == grid.width());
    let names = if engine.is_some() { layout.names } else { Vec::new() };
    let (encoding, lines) = (encoding.unwrap_or_default(), count_lines(file, from).ok()?);
    Some(Ends { rows, last, names, dialect, header_row, encoding, lines })
}

/// Returns the last rows that have an empty cell in a column that all rows above fill, or a word for a total as label.
fn like_no_data(grid: &Grid, columns: &[usize]) -> Vec<usize> {
    let filled: Vec<usize> = (0..grid.height()).filter(|row| grid.count_filled(*row) > 0).collect();
    let data = &filled[..filled.len().saturating_sub(LAST)];
    if data.len() < LAST || columns.len() < 2 {
        return Vec::new();
    }
    let always: Vec<usize> =
        columns.iter().copied().filter(|column| data.iter().all(|row| !grid.cell(*row, *column).is_empty())).collect();
    let is_none = |row: &&usize| {
        let words =
            columns.iter().map(|column| grid.cell(**row, *column)).filter(|cell| Shape::classify(cell) == Shape::Words);
        always.iter().any(|column| grid.cell(**row, *column).is_empty()) || words.take(1).any(is_total_word)
    };
    let mut last: Vec<usize> = filled[data.len()..].iter().rev().take_while(is_none).copied().collect();
    last.reverse();
    last
}

/// Reads the first lines, unpacked; returns `None` if the compression format is not supported here.
fn read_head(file: &Path) -> Result<Option<(String, &'static Encoding)>> {
    let opened = regular::open_found(file)?;
    let mut bytes = Vec::new();
    match file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).as_deref() {
        Some("gz") => MultiGzDecoder::new(opened).take(LOOKED_AT).read_to_end(&mut bytes)?,
        _ if kind::is_compressed(file) => return Ok(None),
        _ => opened.take(LOOKED_AT).read_to_end(&mut bytes)?,
    };
    let whole = (bytes.len() as u64) < LOOKED_AT;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(bytes.len(), |at| at + 1);
    // An incomplete last line is dropped; in UTF-16, a line end has two bytes.
    let wide = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let end = if whole {
        bytes.len()
    } else if wide {
        (end + 1) & !1
    } else {
        end
    };
    let bytes = &bytes[..end.min(bytes.len())];
    let encoding = encoding::detect_encoding(bytes);
    Ok(Some((encoding::decode_text(bytes, encoding), encoding)))
}

/// Reads the last lines and the offset of their first byte; returns `None` for UTF-16, where line starts cannot be
/// found by bytes.
fn read_tail(file: &Path) -> Result<Option<(String, &'static Encoding, u64)>> {
    let mut opened = regular::open_found(file)?;
    let length = opened.metadata()?.len();
    let start = length.saturating_sub(LOOKED_AT);
    opened.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    opened.take(LOOKED_AT).read_to_end(&mut bytes)?;
    let from = if start > 0 { bytes.iter().position(|byte| *byte == b'\n').map_or(0, |at| at + 1) } else { 0 };
    let bytes = &bytes[from..];
    let encoding = encoding::detect_encoding(bytes);
    Ok((!bytes.contains(&0)).then(|| (encoding::decode_text(bytes, encoding), encoding, start + from as u64)))
}

/// Counts the line ends within the first bytes.
fn count_lines(file: &Path, bytes: u64) -> Result<u32> {
    let (mut opened, mut buffer, mut lines) = (regular::open_found(file)?.take(bytes), vec![0; 1 << 16], 0_u32);
    loop {
        match opened.read(&mut buffer)? {
            0 => return Ok(lines),
            read => lines += buffer[..read].iter().filter(|byte| **byte == b'\n').count() as u32,
        }
    }
}
