//! Results as a workbook of Excel. A number that Excel would round is text, as it stands; text is never run as a formula.

use super::fault::of_file;
use super::row_writer::RowWriter;
use crate::cells;
use crate::nested::write_cell;
use arrow::datatypes::Schema;
use arrow::record_batch::RecordBatch;
use rust_xlsxwriter::{ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use std::fs::File;
use std::io;
use vitrine_domain::{CellType, ResultColumn};

/// Rows of a sheet, the names of the columns among them, and columns.
const ROWS: u32 = 1_048_576;
const COLUMNS: usize = 16_384;
/// Letters of a cell, as UTF-16 counts them.
const LETTERS: usize = 32_767;
/// Digits that Excel keeps of a number.
const DIGITS: usize = 15;

/// Writes a workbook. Rows go to a temporary file as they come.
pub(super) struct XlsxWriter {
    book: Workbook,
    columns: Vec<ResultColumn>,
    date: Format,
    moment: Format,
    /// The next row, from 0.
    row: u32,
}

impl XlsxWriter {
    pub(super) fn new(schema: &Schema) -> io::Result<Self> {
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
        for (index, column) in columns.iter().enumerate() {
            // What is narrower than a time of a day is drawn as signs in its place.
            let least = if column.cell_type == CellType::Timestamp { 20 } else { 11 };
            let width = column.name.chars().count().clamp(least, 40) as f64;
            sheet.set_column_width(index as u16, width).map_err(io::Error::other)?;
        }
        for (index, column) in columns.iter().enumerate() {
            let name: String = column.name.chars().take(LETTERS / 2).collect();
            sheet.write_string_with_format(0, index as u16, name, &bold).map_err(io::Error::other)?;
        }
        let date = Format::new().set_num_format("yyyy-mm-dd");
        let moment = Format::new().set_num_format("yyyy-mm-dd hh:mm:ss");
        Ok(Self { book, columns, date, moment, row: 1 })
    }
}

impl RowWriter for XlsxWriter {
    fn write(&mut self, _: &mut File, batch: &RecordBatch) -> io::Result<()> {
        let Self { book, columns, date, moment, row: next } = self;
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
                    cell(sheet, at, &text, column, (date, moment))?;
                }
            }
            *next += 1;
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>, file: &mut File) -> io::Result<()> {
        self.book.save_to_writer(file).map_err(|error| match error {
            XlsxError::IoError(error) => error,
            error => of_file(error),
        })
    }
}

fn cell(
    sheet: &mut Worksheet,
    (row, at): (u32, u16),
    text: &str,
    column: &ResultColumn,
    (date, moment): (&Format, &Format),
) -> io::Result<()> {
    let written: Result<&mut Worksheet, XlsxError> = match column.cell_type {
        CellType::Boolean if text == "true" || text == "false" => sheet.write_boolean(row, at, text == "true"),
        CellType::Integer | CellType::Decimal | CellType::Float => match number(text, column.cell_type) {
            Some(number) => sheet.write_number(row, at, number),
            None => sheet.write_string(row, at, text),
        },
        // Excel's calendar begins in 1900, and its clock has milliseconds.
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

/// The number, where Excel keeps all of its digits. Of floating point it keeps what there is.
fn number(text: &str, cell_type: CellType) -> Option<f64> {
    let number: f64 = text.parse().ok().filter(|number: &f64| number.is_finite())?;
    let digits = text.trim_start_matches(['-', '+', '0', '.']).bytes().filter(u8::is_ascii_digit).count();
    (cell_type == CellType::Float || digits <= DIGITS).then_some(number)
}

/// What Excel cannot hold is not cut: other formats hold it.
fn too_much(what: String) -> io::Error {
    io::Error::other(format!("{what}. Export it as CSV or Parquet"))
}
