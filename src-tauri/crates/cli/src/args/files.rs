//! Arguments of `vitrine files`.

use clap::{Args, ValueEnum};
use vitrine_domain::{DateOrder, DecimalSign, FileOptions};

/// `vitrine files`
#[derive(Debug, Args)]
pub struct FilesArgs {
    /// The file, or the folder of files
    pub uri: String,
    /// The table that the options below are about; they are remembered for this file
    #[arg(long, value_name = "NAME")]
    pub table: Option<String>,
    /// Discard the earlier settings of the table
    #[arg(long, requires = "table")]
    pub reset: bool,
    /// The decimal sign of numbers in text
    #[arg(long, value_name = "SIGN", requires = "table")]
    pub decimal: Option<Sign>,
    /// The first part of dates such as 03/04/2024
    #[arg(long, value_name = "FIRST", requires = "table")]
    pub date_order: Option<First>,
    /// The line or row with the column names, from 1; 0: there is none
    #[arg(long, value_name = "N", requires = "table")]
    pub header_row: Option<u32>,
    /// The text encoding, such as utf-8, utf-16le or windows-1252
    #[arg(long, value_name = "NAME", requires = "table")]
    pub encoding: Option<String>,
    /// The separator between cells: one character, or `tab`
    #[arg(long, value_name = "CHARACTER", requires = "table")]
    pub delimiter: Option<String>,
    /// Keep totals and notes below the data as rows
    #[arg(long, requires = "table")]
    pub keep_rows: bool,
    /// Leave a column as text; may be given several times
    #[arg(long = "as-text", value_name = "COLUMN", requires = "table")]
    pub as_text: Vec<String>,
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
}

/// The decimal sign of numbers.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Sign {
    /// 1.200,50
    Comma,
    /// 1,200.50
    Point,
}

/// The first part of a date.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum First {
    /// The third of April
    Day,
    /// The fourth of March
    Month,
}

impl FilesArgs {
    /// Returns the options `before`, overridden by the arguments.
    pub fn update_options(&self, before: FileOptions) -> FileOptions {
        let before = if self.reset { FileOptions::default() } else { before };
        let decimal = self.decimal.map(|sign| match sign {
            Sign::Comma => DecimalSign::Comma,
            Sign::Point => DecimalSign::Point,
        });
        let date_order = self.date_order.map(|first| match first {
            First::Day => DateOrder::DayFirst,
            First::Month => DateOrder::MonthFirst,
        });
        let mut as_text = before.as_text;
        as_text.extend(self.as_text.iter().filter(|column| !as_text.contains(column)).cloned().collect::<Vec<_>>());
        FileOptions {
            decimal: decimal.or(before.decimal),
            date_order: date_order.or(before.date_order),
            header_row: self.header_row.or(before.header_row),
            encoding: self.encoding.clone().or(before.encoding),
            delimiter: self.delimiter.clone().or(before.delimiter),
            keep_rows: self.keep_rows || before.keep_rows,
            as_text,
        }
    }
}
