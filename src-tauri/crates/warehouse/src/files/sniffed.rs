//! Properties that the engine detects in a delimited file, and the call that reads the file with them.

use super::column::Column;
use super::encoding;
use super::file::{file_size, path_literal};
use super::records::{Dialect, parse_delimiter};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use vitrine_domain::{FileOptions, FileReading};
use vitrine_words::tr;

/// Files up to this size in bytes are read completely to detect types; in larger ones, only [`SAMPLE`] rows.
pub(super) const WHOLE: u64 = 1 << 30;
const SAMPLE: &str = "1000000";

#[derive(Debug, Deserialize)]
struct SniffedColumn {
    name: String,
    #[serde(rename = "type")]
    data_type: String,
}

/// The detected dialect, columns and types.
#[derive(Debug)]
pub(super) struct Sniffed {
    dialect: Vec<(&'static str, String)>,
    columns: Vec<SniffedColumn>,
}

impl Sniffed {
    /// Sniffs a UTF-8 file. `dialect` and `header` are passed to the engine if known.
    pub fn from_file(
        connection: &Connection,
        file: &Path,
        dialect: Option<Dialect>,
        header: Option<usize>,
    ) -> Result<Self> {
        let mut known = vec![("encoding", quote_literal("utf-8")), no_comment()];
        if let Some(dialect) = dialect {
            let sign =
                |byte: Option<u8>| quote_literal(&byte.map(|byte| char::from(byte).to_string()).unwrap_or_default());
            known.extend([
                ("delim", sign(Some(dialect.delimiter))),
                ("quote", sign(dialect.quote)),
                ("escape", sign(dialect.escape.or(dialect.quote))),
                ("skip", "0".to_owned()),
                ("header", header.is_some().to_string()),
            ]);
        }
        run_sniffer(connection, file, known)
    }

    /// Sniffs a file that is too large to be parsed here, with the user's options; the encoding is reported in the
    /// reading.
    pub fn of_unread(
        connection: &Connection,
        file: &Path,
        told: &FileOptions,
        reading: &mut FileReading,
    ) -> Result<Self> {
        let mut known = vec![no_comment()];
        known.extend(
            parse_delimiter(told).map(|delimiter| ("delim", quote_literal(&char::from(delimiter).to_string()))),
        );
        if let Some(row) = told.header_row {
            known.extend([("header", (row > 0).to_string()), ("skip", row.saturating_sub(1).to_string())]);
        }
        let with = |encoding: &'static str| [vec![("encoding", quote_literal(encoding))], known.clone()].concat();
        let first = if is_utf16(file) { "utf-16" } else { "utf-8" };
        let sniffed = run_sniffer(connection, file, with(first));
        let (sniffed, encoding) = match (sniff_leniently(connection, file, &sniffed, with(first)), sniffed) {
            (Some(lenient), _) => (lenient, first),
            // Older spreadsheet programs use single-byte encodings.
            (None, Err(error))
                if error.to_string().to_lowercase().contains("unicode") || error.to_string().contains("utf-8") =>
            {
                (run_sniffer(connection, file, with("latin-1"))?, "latin-1")
            }
            (None, sniffed) => (sniffed?, first),
        };
        reading.encoding = Some(encoding.to_owned());
        Ok(sniffed)
    }

    /// Replaces the names if their number matches.
    pub fn with_names(mut self, names: &[String]) -> Self {
        if names.len() == self.columns.len() {
            self.columns.iter_mut().zip(names).for_each(|(column, name)| column.name = name.clone());
        }
        self
    }

    /// Returns the columns with the engine's types.
    pub fn columns(&self) -> impl Iterator<Item = Column> {
        self.columns.iter().map(|column| Column::new(column.name.clone(), &column.data_type))
    }

    /// Returns the call that reads the file with fixed dialect and types; without types all columns are text.
    pub fn read_csv_expression(&self, file: &Path, columns: Option<&[Column]>) -> String {
        let types: Vec<String> = self
            .columns
            .iter()
            .enumerate()
            .map(|(at, column)| {
                let data_type = columns.map_or("VARCHAR", |columns| columns[at].data_type.as_str());
                format!("{}: {}", quote_literal(&column.name), quote_literal(data_type))
            })
            .collect();
        let mut options: Vec<String> = self
            .dialect
            .iter()
            .filter(|(option, _)| !(columns.is_none() && option.ends_with("format")))
            .map(|(option, value)| format!("{option} = {value}"))
            .collect();
        options.push(format!("columns = {{{}}}", types.join(", ")));
        format!("read_csv({}, auto_detect = false, null_padding = false, {})", path_literal(file), options.join(", "))
    }

    /// Keeps dates as text if the engine guessed their order from some rows.
    pub fn distrust_dates(&self, columns: &mut [Column], reading: &mut FileReading) {
        for (option, data_type) in [("dateformat", "DATE"), ("timestampformat", "TIMESTAMP")] {
            let year_first = |(name, format): &(&str, String)| *name != option || format.starts_with("'%Y");
            if self.dialect.iter().all(year_first) {
                continue;
            }
            for column in columns.iter_mut().filter(|column| column.data_type == data_type) {
                column.keep_text();
                reading
                    .doubts
                    .push(tr!("{name} may have the day or the month first; it stays text.", name = column.name));
            }
        }
    }
}

/// Returns the option that disables comments; otherwise the engine may treat a sign such as `#` as one and drop the
/// rest.
fn no_comment() -> (&'static str, String) {
    ("comment", quote_literal(""))
}

fn is_utf16(file: &Path) -> bool {
    let mut mark = [0; 2];
    File::open(file).and_then(|mut file| file.read_exact(&mut mark)).is_ok() && mark == [0xff, 0xfe]
}

/// Sniffs a file with several kinds of line ends, which the engine accepts only in lenient mode. In this mode it would
/// cut lines that do not fit a known delimiter, so the delimiter must be detected.
fn sniff_leniently(
    connection: &Connection,
    file: &Path,
    strict: &Result<Sniffed>,
    known: Vec<(&'static str, String)>,
) -> Option<Sniffed> {
    let is_letters = |error: &::duckdb::Error| error.to_string().to_lowercase().contains("unicode");
    let has_delimiter = known.iter().any(|(option, _)| *option == "delim");
    if has_delimiter || strict.as_ref().err().is_none_or(is_letters) || !encoding::has_mixed_lines(file) {
        return None;
    }
    let known = [known, vec![("strict_mode", "false".to_owned())]].concat();
    run_sniffer(connection, file, known).ok().filter(|sniffed| sniffed.columns.len() > 1)
}

/// Lets the engine detect the unknown options.
fn run_sniffer(connection: &Connection, file: &Path, known: Vec<(&'static str, String)>) -> Result<Sniffed> {
    let sample = if file_size(file) <= WHOLE { "-1" } else { SAMPLE };
    let given: Vec<String> = known.iter().map(|(option, value)| format!("{option} = {value}")).collect();
    let sql = format!(
        "SELECT Delimiter, Quote, Escape, SkipRows::VARCHAR, HasHeader::VARCHAR, DateFormat, TimestampFormat, to_json(Columns)::VARCHAR
           FROM sniff_csv({}, sample_size = {sample}, {})",
        path_literal(file),
        given.join(", ")
    );
    connection.query_row(&sql, [], |row| {
        let text = |index| row.get::<_, Option<String>>(index).map(|text| text.filter(|text| text != "(empty)"));
        let character = |index| Ok::<_, ::duckdb::Error>(quote_literal(&text(index)?.unwrap_or_default()));
        let mut dialect = known;
        let mut found = vec![("delim", character(0)?), ("quote", character(1)?), ("escape", character(2)?)];
        found.push(("skip", row.get(3)?));
        found.push(("header", row.get(4)?));
        for (option, index) in [("dateformat", 5), ("timestampformat", 6)] {
            if let Some(format) = text(index)?.filter(|text| !text.is_empty()) {
                found.push((option, quote_literal(&format)));
            }
        }
        for (option, value) in found {
            if dialect.iter().all(|(known, _)| *known != option) {
                dialect.push((option, value));
            }
        }
        let columns = serde_json::from_str(&row.get::<_, String>(7)?).unwrap_or_default();
        Ok(Sniffed { dialect, columns })
    })
}
