//! Excel and OpenDocument workbooks: each sheet a table.
//!
//! A workbook stores every number as a binary float, so its integers are exact to 15 digits by its own rules; decimals
//! are read back from their shortest text.

use super::delimited::exact_type;
use super::file::{unreadable, wrong_file};
use super::names::Names;
use crate::WarehouseError;
use crate::duck::quoted;
use ::duckdb::{Connection, appender_params_from_iter};
use calamine::{Data, Range, Reader};
use std::path::Path;

/// Rows looked at to find the one with the column names.
const TITLE_ROWS: usize = 20;

/// Makes a table of each sheet that holds rows. A lone workbook's tables are called as its sheets, other tables as
/// the workbook, followed by the sheet when there are several.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    base: &str,
    lone: bool,
    names: &mut Names,
) -> Result<(), WarehouseError> {
    let failed = |error: &dyn std::fmt::Display| unreadable(file, "an Excel file", &error.to_string());
    let mut workbook = calamine::open_workbook_auto(file).map_err(|error| failed(&error))?;
    let mut sheets = Vec::new();
    for name in workbook.sheet_names() {
        // Chart sheets have no cells.
        let Ok(range) = workbook.worksheet_range(&name) else { continue };
        if range.height() > 0 && !range.is_empty() {
            sheets.push((name, range));
        }
    }
    if sheets.is_empty() {
        return Err(WarehouseError::Empty { path: file.to_path_buf(), looked_for: "a sheet with rows".to_owned() });
    }
    let several = sheets.len() > 1;
    for (sheet, range) in &sheets {
        let name = match (several, lone) {
            (true, true) => sheet.clone(),
            (true, false) => format!("{base}_{sheet}"),
            (false, _) => base.to_owned(),
        };
        add_sheet(connection, &names.unique(&name), range).map_err(|error| wrong_file(file, &error))?;
    }
    Ok(())
}

fn add_sheet(connection: &Connection, name: &str, range: &Range<Data>) -> ::duckdb::Result<()> {
    let (columns, first) = header(range);
    let mut types = vec![ColumnType::default(); columns.len()];
    for row in range.rows().skip(first) {
        for (seen, cell) in types.iter_mut().zip(row) {
            seen.note(cell);
        }
    }
    // Texts first, types after: the engine's own casts then decide what each text means.
    let staged: Vec<String> = columns.iter().map(|column| format!("{} VARCHAR", quoted(column))).collect();
    connection.execute_batch(&format!("CREATE TABLE staged ({})", staged.join(", ")))?;
    {
        let mut appender = connection.appender("staged")?;
        for row in range.rows().skip(first).filter(|row| row.iter().any(|cell| *cell != Data::Empty)) {
            appender.append_row(appender_params_from_iter(row.iter().map(text)))?;
        }
        appender.flush()?;
    }
    let casts: Vec<String> = columns
        .iter()
        .zip(&types)
        .map(|(column, seen)| format!("{0}::{1} AS {0}", quoted(column), seen.name()))
        .collect();
    connection.execute_batch(&format!(
        "CREATE TABLE {} AS SELECT {} FROM staged; DROP TABLE staged",
        quoted(name),
        casts.join(", ")
    ))
}

/// Column names, and the first row below them. Titles above the names are passed over.
fn header(range: &Range<Data>) -> (Vec<String>, usize) {
    let width = range.width();
    let is_header = |row: &[Data]| {
        let texts = row.iter().filter(|cell| matches!(cell, Data::String(text) if !text.trim().is_empty())).count();
        let filled = row.iter().filter(|cell| **cell != Data::Empty).count();
        texts == filled && filled * 10 >= width * 8
    };
    let found = range.rows().take(TITLE_ROWS).position(is_header);
    let texts: Vec<String> = match found {
        Some(row) => {
            range.rows().nth(row).unwrap_or_default().iter().map(|cell| text(cell).unwrap_or_default()).collect()
        }
        None => vec![String::new(); width],
    };
    let mut columns: Vec<String> = Vec::with_capacity(width);
    for (index, text) in texts.iter().enumerate() {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let base = if text.is_empty() { format!("column{}", index + 1) } else { text };
        let mut column = base.clone();
        let mut number = 2;
        while columns.iter().any(|taken| taken.eq_ignore_ascii_case(&column)) {
            column = format!("{base}_{number}");
            number += 1;
        }
        columns.push(column);
    }
    (columns, found.map_or(0, |row| row + 1))
}

/// What was seen in a column.
#[derive(Debug, Clone, Default)]
struct ColumnType {
    booleans: bool,
    numbers: bool,
    exponents: bool,
    fraction: u32,
    whole: u32,
    dates: bool,
    timestamps: bool,
    times: bool,
    texts: bool,
}

impl ColumnType {
    fn note(&mut self, cell: &Data) {
        match cell {
            Data::Empty | Data::Error(_) => {}
            Data::Bool(_) => self.booleans = true,
            Data::Int(_) | Data::Float(_) => {
                self.numbers = true;
                let text = text(cell).unwrap_or_default();
                let digits = text.strip_prefix('-').unwrap_or(&text);
                self.exponents |= digits.contains(|c: char| !c.is_ascii_digit() && c != '.');
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                self.whole = self.whole.max(whole.len() as u32);
                self.fraction = self.fraction.max(fraction.len() as u32);
            }
            // Hours beyond a day are no time of day.
            Data::DateTime(moment) if moment.is_duration() => self.texts = true,
            Data::DateTime(_) | Data::DateTimeIso(_) => match text(cell) {
                Some(text) if text.contains(' ') => self.timestamps = true,
                Some(text) if text.contains(':') => self.times = true,
                _ => self.dates = true,
            },
            Data::String(text) if text.trim().is_empty() => {}
            Data::String(_) | Data::DurationIso(_) => self.texts = true,
        }
    }

    fn name(&self) -> String {
        let dated = self.dates || self.timestamps;
        let kinds = [self.booleans, self.numbers, dated, self.times, self.texts].iter().filter(|seen| **seen).count();
        match () {
            () if kinds != 1 || self.texts => "VARCHAR".to_owned(),
            () if self.booleans => "BOOLEAN".to_owned(),
            () if self.timestamps => "TIMESTAMP".to_owned(),
            () if self.dates => "DATE".to_owned(),
            () if self.times => "TIME".to_owned(),
            () if !self.exponents && self.fraction == 0 && self.whole <= 18 => "BIGINT".to_owned(),
            () => exact_type("DOUBLE", false, !self.exponents, self.whole, self.fraction)
                .unwrap_or_else(|| "DOUBLE".to_owned()),
        }
    }
}

fn text(cell: &Data) -> Option<String> {
    match cell {
        Data::Empty | Data::Error(_) => None,
        Data::String(text) if text.trim().is_empty() => None,
        Data::String(text) | Data::DurationIso(text) => Some(text.clone()),
        Data::DateTimeIso(text) => Some(text.replace('T', " ")),
        Data::Bool(value) => Some(value.to_string()),
        Data::Int(number) => Some(number.to_string()),
        // Without an exponent where the digits say it all, and without `.0`: workbooks have no integers.
        Data::Float(number) if number.abs() < 1e15 && number.abs() >= 1e-6 || *number == 0.0 => {
            Some(number.to_string())
        }
        Data::Float(number) => Some(format!("{number:?}")),
        Data::DateTime(moment) if moment.is_duration() => {
            let seconds = (moment.as_f64() * 86_400.0).round() as i64;
            Some(format!("{:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60))
        }
        Data::DateTime(moment) => {
            let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
            let date = format!("{year:04}-{month:02}-{day:02}");
            let fraction = if milli > 0 { format!(".{milli:03}") } else { String::new() };
            let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
            Some(match moment.as_f64() {
                value if value < 1.0 && value > 0.0 => time,
                _ if time == "00:00:00" => date,
                _ => format!("{date} {time}"),
            })
        }
    }
}
