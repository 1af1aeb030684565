//! Results as CSV (RFC 4180). NULL is an empty field and an empty text is `""`, so that they can be distinguished.

use super::row_writer::RowWriter;
use crate::cells;
use crate::nested::write_cell;
use arrow::datatypes::Schema;
use arrow::record_batch::RecordBatch;
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Write};
use vitrine_domain::CellType;

/// Options for the output of CSV files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CsvOptions {
    /// Puts an apostrophe before text that a spreadsheet would evaluate as a formula, also where it splits a cell at
    /// `;`.
    pub guard_formulas: bool,
    /// Starts the file with a byte order mark, by which some spreadsheets recognize UTF-8.
    pub byte_order_mark: bool,
    /// Writes a header line with the column names.
    pub header: bool,
}

impl Default for CsvOptions {
    fn default() -> Self {
        Self { guard_formulas: true, byte_order_mark: false, header: true }
    }
}

/// Formats rows as CSV text.
pub(super) struct CsvWriter {
    types: Vec<CellType>,
    options: CsvOptions,
    text: String,
}

impl CsvWriter {
    pub(super) fn new(schema: &Schema, options: CsvOptions) -> Self {
        let types = cells::result_columns(schema).iter().map(|column| column.cell_type).collect();
        let mut text = String::new();
        if options.byte_order_mark {
            text.push('\u{feff}');
        }
        if options.header {
            for (index, field) in schema.fields().iter().enumerate() {
                write_separator(&mut text, index);
                write_csv_field(&mut text, field.name(), options.guard_formulas);
            }
            text.push_str("\r\n");
        }
        Self { types, options, text }
    }
}

impl RowWriter for CsvWriter {
    fn write_batch(&mut self, file: &mut File, batch: &RecordBatch) -> io::Result<()> {
        render_rows(&mut self.text, batch, &self.types, self.options);
        file.write_all(self.text.as_bytes())?;
        self.text.clear();
        Ok(())
    }

    fn finish(self: Box<Self>, file: &mut File) -> io::Result<()> {
        // For a result without rows, the header is still buffered.
        file.write_all(self.text.as_bytes())
    }
}

fn render_rows(out: &mut String, batch: &RecordBatch, types: &[CellType], options: CsvOptions) {
    let mut cell = String::new();
    for row in 0..batch.num_rows() {
        for (index, column) in batch.columns().iter().enumerate() {
            write_separator(out, index);
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

fn write_separator(out: &mut String, index: usize) {
    if index > 0 {
        out.push(',');
    }
}

/// Appends a CSV field to `out`, quoted if necessary. `guard` protects texts that a spreadsheet would evaluate.
pub fn write_csv_field(out: &mut String, text: &str, guard: bool) {
    let text = if guard { guard_formula(text) } else { Cow::Borrowed(text) };
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

/// Characters that start a formula, including their full-width forms.
const STARTERS: [char; 8] = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
/// Characters at which a spreadsheet may start another cell, even inside quotes: a spreadsheet that separates by
/// semicolons ignores the quotes of a comma-separated file.
const SEPARATORS: [char; 4] = [';', '\t', '\r', '\n'];

/// Returns true for characters before a formula that a spreadsheet strips or does not show, such as a byte order mark.
fn is_passed_over(c: char) -> bool {
    c == '"'
        || c.is_whitespace()
        || c.is_control()
        || matches!(c, '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}'..='\u{2064}')
}

/// Inserts an apostrophe before each part that a spreadsheet would evaluate. Plain numbers are unchanged.
pub fn guard_formula(text: &str) -> Cow<'_, str> {
    if !text.contains(STARTERS) && !text.starts_with(['\t', '\r']) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 1);
    if text.starts_with(['\t', '\r']) {
        safe.push('\'');
    }
    // True while a spreadsheet may treat the next character as the beginning of a cell.
    let mut begins = true;
    for (at, c) in text.char_indices() {
        if begins && STARTERS.contains(&c) && !is_number(&text[at..]) {
            safe.push('\'');
        }
        safe.push(c);
        begins = SEPARATORS.contains(&c) || begins && is_passed_over(c);
    }
    Cow::Owned(safe)
}

/// Returns true if the cell that begins here is a number, which must stay a number.
fn is_number(rest: &str) -> bool {
    let cell = rest.split(SEPARATORS).next().unwrap_or_default();
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests;
