//! Results as an Excel workbook. A number that Excel would round is exported as unchanged text; text is never evaluated
//! as a formula.

use super::about::write_about;
use super::fault::of_file;
use super::row_writer::RowWriter;
use crate::cells;
use crate::nested::write_cell;
use arrow::datatypes::Schema;
use arrow::record_batch::RecordBatch;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::fs::File;
use std::io;
use vitrine_domain::{CellType, ExportAbout, ExportColumn, ResultColumn};

/// Maximum rows of a sheet, including the header, and maximum columns.
const ROWS: u32 = 1_048_576;
const COLUMNS: usize = 16_384;
/// Maximum length of a cell in UTF-16 units.
const LETTERS: usize = 32_767;
/// Significant digits that Excel stores of a number.
const DIGITS: usize = 15;
/// Maximum number of decimal places with which all numbers of a column are formatted; columns with more use Excel's
/// default.
const PLACES: usize = 4;

/// Writes a workbook. Rows are written to a temporary file as they arrive.
pub(super) struct XlsxWriter {
    book: Workbook,
    columns: Vec<ResultColumn>,
    date: Format,
    moment: Format,
    /// The number format of each column; `None` before the first rows, which determine it.
    numbers: Option<Vec<NumberFormat>>,
    about: Option<ExportAbout>,
    /// The index of the next row, from 0.
    row: u32,
}

/// The format of a column's numbers.
enum NumberFormat {
    /// The default format of Excel.
    General,
    /// A format given by the interface.
    Given(Format),
    /// Thousands groups with this number of decimal places; a number with more places uses the default format, so that
    /// no digit is hidden.
    Places(usize, Format),
}

impl XlsxWriter {
    pub(super) fn new(schema: &Schema, about: Option<ExportAbout>) -> io::Result<Self> {
        let columns = cells::result_columns(schema);
        if columns.len() > COLUMNS {
            return Err(too_much(format!(
                "the result has {} columns, and a sheet has {COLUMNS} at most",
                columns.len()
            )));
        }
        let mut book = Workbook::new();
        let bold = Format::new().set_bold();
        let sheet = book.add_worksheet_with_constant_memory().map_err(io::Error::other)?;
        sheet.set_freeze_panes(1, 0).map_err(io::Error::other)?;
        let names = build_headers(&columns, display_columns(&about, columns.len()));
        for (index, (column, name)) in columns.iter().zip(&names).enumerate() {
            // Excel shows `###` in a column that is too narrow for a timestamp.
            let least = if column.cell_type == CellType::Timestamp { 20 } else { 11 };
            let width = name.chars().count().clamp(least, 40) as f64;
            sheet.set_column_width(index as u16, width).map_err(io::Error::other)?;
        }
        for (index, name) in names.iter().enumerate() {
            let name: String = name.chars().take(LETTERS / 2).collect();
            sheet.write_string_with_format(0, index as u16, name, &bold).map_err(io::Error::other)?;
        }
        let date = Format::new().set_num_format("yyyy-mm-dd");
        let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
        Ok(Self { book, columns, date, moment, numbers: None, about, row: 1 })
    }
}

impl RowWriter for XlsxWriter {
    fn write_batch(&mut self, _: &mut File, batch: &RecordBatch) -> io::Result<()> {
        let Self { book, columns, date, moment, numbers, about, row: next } = self;
        let numbers =
            numbers.get_or_insert_with(|| number_formats(batch, columns, display_columns(about, columns.len())));
        let sheet = book.worksheet_from_index(0).map_err(io::Error::other)?;
        let mut text = String::new();
        for row in 0..batch.num_rows() {
            if *next == ROWS {
                return Err(too_much(format!("the result has more than the {} rows of a sheet", ROWS - 1)));
            }
            for (index, (array, column)) in batch.columns().iter().zip(columns.iter()).enumerate() {
                text.clear();
                if write_cell(&mut text, array, row) {
                    let at = (*next, index as u16);
                    let number = numbers[index].format_for(&text);
                    write_sheet_cell(sheet, at, &text, column, (date, moment), number)?;
                }
            }
            *next += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, file: &mut File) -> io::Result<()> {
        if let Some(about) = self.about.as_ref().filter(|about| !about.facts.is_empty()) {
            write_about(&mut self.book, about).map_err(io::Error::other)?;
        }
        self.book.save_to_writer(file).map_err(|error| match error {
            XlsxError::IoError(error) => error,
            error => of_file(error),
        })
    }
}

fn write_sheet_cell(
    sheet: &mut Worksheet,
    (row, at): (u32, u16),
    text: &str,
    column: &ResultColumn,
    (date, moment): (&Format, &Format),
    number_format: Option<&Format>,
) -> io::Result<()> {
    let written: Result<&mut Worksheet, XlsxError> = match column.cell_type {
        CellType::Boolean if text == "true" || text == "false" => sheet.write_boolean(row, at, text == "true"),
        CellType::Integer | CellType::Decimal | CellType::Float => match parse_exact_number(text, column.cell_type) {
            Some(number) => match number_format {
                Some(format) => sheet.write_number_with_format(row, at, number, format),
                None => sheet.write_number(row, at, number),
            },
            None => sheet.write_string(row, at, text),
        },
        // Excel's calendar starts in 1900, and its times have milliseconds.
        CellType::Date if text >= "1900-03-01" => match ExcelDateTime::parse_from_str(text) {
            Ok(day) => sheet.write_datetime_with_format(row, at, &day, date),
            Err(_) => sheet.write_string(row, at, text),
        },
        CellType::Timestamp if text >= "1900-03-01" && text.len() == "2024-01-31 10:00:00".len() => {
            match ExcelDateTime::parse_from_str(text) {
                Ok(time) => sheet.write_datetime_with_format(row, at, &time, moment),
                Err(_) => sheet.write_string(row, at, text),
            }
        }
        _ if text.encode_utf16().count() > LETTERS => {
            let name = &column.name;
            return Err(too_much(format!("row {row} has a text in '{name}' of more than {LETTERS} letters")));
        }
        _ => sheet.write_string(row, at, text),
    };
    written.map(drop).map_err(io::Error::other)
}

/// Returns the interface's formats of the columns; empty if they belong to other columns.
fn display_columns(about: &Option<ExportAbout>, columns: usize) -> &[ExportColumn] {
    about.as_ref().map(|about| about.columns.as_slice()).filter(|looks| looks.len() == columns).unwrap_or_default()
}

/// Returns readable headers: names with blanks instead of underscores. Columns that would get equal headers keep their
/// names.
fn build_headers(columns: &[ResultColumn], looks: &[ExportColumn]) -> Vec<String> {
    let given = |at: usize| looks.get(at).and_then(|look| look.header.clone());
    let readable: Vec<String> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| given(at).unwrap_or_else(|| column.name.replace('_', " ").trim().to_owned()))
        .collect();
    let is_only = |name: &str| readable.iter().filter(|other| other.to_lowercase() == name.to_lowercase()).count() == 1;
    let named = columns.iter().zip(&readable);
    named.map(|(column, name)| if is_only(name) && !name.is_empty() { name } else { &column.name }.clone()).collect()
}

/// Chooses the number format of each column from the first rows.
fn number_formats(batch: &RecordBatch, columns: &[ResultColumn], looks: &[ExportColumn]) -> Vec<NumberFormat> {
    let of = |at: usize, column: &ResultColumn| {
        if let Some(given) = looks.get(at).and_then(|look| look.format.as_deref()).filter(|format| is_format(format)) {
            return NumberFormat::Given(Format::new().set_num_format(given));
        }
        if !matches!(column.cell_type, CellType::Decimal | CellType::Float) {
            return NumberFormat::General;
        }
        let mut text = String::new();
        let most = (0..batch.num_rows()).try_fold(0, |most, row| {
            text.clear();
            let known = write_cell(&mut text, batch.column(at), row);
            if known { count_decimal_places(&text).map(|places| places.max(most)) } else { Some(most) }
        });
        match most {
            Some(most @ 1..=PLACES) => {
                NumberFormat::Places(most, Format::new().set_num_format(format!("#,##0.{}", "0".repeat(most))))
            }
            _ => NumberFormat::General,
        }
    };
    columns.iter().enumerate().map(|(at, column)| of(at, column)).collect()
}

impl NumberFormat {
    /// Returns the format of one number.
    fn format_for(&self, text: &str) -> Option<&Format> {
        match self {
            Self::General => None,
            Self::Given(format) => Some(format),
            Self::Places(most, format) => {
                count_decimal_places(text).is_some_and(|places| places <= *most).then_some(format)
            }
        }
    }
}

/// Returns the decimal places of a number in plain notation; `None` for other texts.
fn count_decimal_places(text: &str) -> Option<usize> {
    let (whole, behind) = text.split_once('.').unwrap_or((text, ""));
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let whole = whole.strip_prefix('-').unwrap_or(whole);
    (!whole.is_empty() && is_digits(whole) && is_digits(behind)).then_some(if behind == "0" { 0 } else { behind.len() })
}

/// Returns true if a text contains only a short number format.
fn is_format(text: &str) -> bool {
    let is_known = |letter: char| letter.is_ascii_uppercase() || "#,0.% \"".contains(letter);
    text.len() <= 40 && text.chars().all(is_known)
}

/// Parses the number if Excel keeps all of its digits. Floating-point numbers are always accepted.
fn parse_exact_number(text: &str, cell_type: CellType) -> Option<f64> {
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    let digits = text.trim_start_matches(['-', '+', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    (cell_type == CellType::Float || digits <= DIGITS).then_some(number)
}

/// Creates an error for values that exceed Excel's limits, instead of truncating them.
fn too_much(what: String) -> io::Error {
    io::Error::other(format!("{what}. Export it as CSV or Parquet"))
}
