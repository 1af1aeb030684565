//! Cells of a workbook: their texts, and the common type of a column.
//!
//! A workbook stores every number as a binary float, so its integers are exact to 15 digits by its own rules; decimals
//! are read back from their shortest text.

use super::exact::exact_type;
use calamine::Data;

/// The kinds of cells that occur in a column.
#[derive(Debug, Clone, Default)]
pub(super) struct ColumnType {
    booleans: bool,
    numbers: bool,
    exponents: bool,
    fraction: u32,
    whole: u32,
    dates: bool,
    timestamps: bool,
    times: bool,
    texts: bool,
    cut: bool,
}

impl ColumnType {
    /// Records the kind of a cell.
    pub fn record_cell(&mut self, cell: &Data) {
        match cell {
            Data::Empty | Data::Error(_) => {}
            Data::Bool(_) => self.booleans = true,
            Data::Int(_) | Data::Float(_) => {
                self.numbers = true;
                self.cut |= matches!(cell, Data::Float(number) if (1e15..1e21).contains(&number.abs()));
                let text = cell_text(cell).unwrap_or_default();
                let digits = text.strip_prefix('-').unwrap_or(&text);
                self.exponents |= digits.contains(|c: char| !c.is_ascii_digit() && c != '.');
                let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
                self.whole = self.whole.max(whole.len() as u32);
                self.fraction = self.fraction.max(fraction.len() as u32);
            }
            // A duration of more than a day is not a time of day.
            Data::DateTime(moment) if moment.is_duration() => self.texts = true,
            Data::DateTime(_) | Data::DateTimeIso(_) => match cell_text(cell) {
                // Dates get the type that the workbook displays.
                None => self.dates = true,
                Some(text) if text.contains(' ') => self.timestamps = true,
                Some(text) if text.contains(':') => self.times = true,
                _ => self.dates = true,
            },
            Data::String(text) if text.trim().is_empty() => {}
            Data::String(_) | Data::DurationIso(_) => self.texts = true,
        }
    }

    fn count_kinds(&self) -> usize {
        let dated = self.dates || self.timestamps;
        [self.booleans, self.numbers, dated, self.times, self.texts].iter().filter(|seen| **seen).count()
    }

    /// Returns true if the column has texts and also numbers or dates.
    pub fn is_mixed(&self) -> bool {
        self.count_kinds() > 1
    }

    /// Returns true if numbers have more digits than a workbook stores.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// Returns the engine's type for the workbook's type; `None` for texts, whose type is not known yet.
    pub fn native_type(&self) -> Option<String> {
        (self.count_kinds() == 1 && !self.texts).then(|| self.type_name())
    }

    fn type_name(&self) -> String {
        match () {
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

/// Returns true if a cell shows a date that never existed: workbooks include 1900-02-29 and dates before their first
/// day.
pub(super) fn is_no_day(cell: &Data) -> bool {
    let Data::DateTime(moment) = cell else { return false };
    let (year, month, day, ..) = moment.to_ymd_hms_milli();
    !moment.is_duration() && (moment.as_f64() < 0.0 || (year, month, day) == (1900, 2, 29))
}

/// Formats a cell as the text that the engine casts to its type.
pub(super) fn cell_text(cell: &Data) -> Option<String> {
    match cell {
        Data::Empty | Data::Error(_) => None,
        Data::String(text) if text.trim().is_empty() => None,
        Data::String(text) | Data::DurationIso(text) => Some(text.clone()),
        Data::DateTimeIso(text) => Some(text.replace('T', " ")),
        Data::Bool(value) => Some(value.to_string()),
        Data::Int(number) => Some(number.to_string()),
        // Without an exponent if all digits can be shown, and without `.0`, because workbooks have no integers.
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
            if is_no_day(cell) {
                return None;
            }
            let date = format!("{year:04}-{month:02}-{day:02}");
            let fraction = if milli > 0 { format!(".{milli:03}") } else { String::new() };
            let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
            Some(match moment.as_f64() {
                // A value below 1 is a time of day; 0 is midnight, or a date in workbooks whose calendar starts in
                // 1904.
                value if value < 1.0 && (value > 0.0 || year < 1900) => time,
                _ if time == "00:00:00" => date,
                _ => format!("{date} {time}"),
            })
        }
    }
}
