//! Cells of a workbook: their texts, and the type that a column of them has.
//!
//! A workbook stores every number as a binary float, so its integers are exact to 15 digits by its own rules; decimals
//! are read back from their shortest text.

use super::exact::exact_type;
use calamine::Data;

/// What was seen in a column.
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
    /// Takes a cell into account.
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
            // Hours beyond a day are no time of day.
            Data::DateTime(moment) if moment.is_duration() => self.texts = true,
            Data::DateTime(_) | Data::DateTimeIso(_) => match cell_text(cell) {
                // The type of what the workbook shows as a day.
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

    /// Whether texts stand beside numbers or dates.
    pub fn is_mixed(&self) -> bool {
        self.count_kinds() > 1
    }

    /// Whether numbers have more digits than a workbook keeps.
    pub fn is_cut(&self) -> bool {
        self.cut
    }

    /// The engine's type for the workbook's own one; `None` for texts, of which nobody knows yet what they are.
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

/// Returns whether a cell shows a day that there never was: workbooks count 1900-02-29, and show nothing before their first day.
pub(super) fn is_no_day(cell: &Data) -> bool {
    let Data::DateTime(moment) = cell else { return false };
    let (year, month, day, ..) = moment.to_ymd_hms_milli();
    !moment.is_duration() && (moment.as_f64() < 0.0 || (year, month, day) == (1900, 2, 29))
}

/// A cell in the text that the engine casts to its type.
pub(super) fn cell_text(cell: &Data) -> Option<String> {
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
            if is_no_day(cell) {
                return None;
            }
            let date = format!("{year:04}-{month:02}-{day:02}");
            let fraction = if milli > 0 { format!(".{milli:03}") } else { String::new() };
            let time = format!("{hour:02}:{minute:02}:{second:02}{fraction}");
            Some(match moment.as_f64() {
                // Midnight is the time of no day; workbooks that count from 1904 have a day 0.
                value if value < 1.0 && (value > 0.0 || year < 1900) => time,
                _ if time == "00:00:00" => date,
                _ => format!("{date} {time}"),
            })
        }
    }
}
