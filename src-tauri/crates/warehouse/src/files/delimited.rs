//! CSV and TSV files. The engine recognises dialect and types; two of its habits lose what is written and are mended
//! here: `007` becoming the number 7, and prices becoming binary floats.

use super::file::{pattern, size, wrong_file};
use crate::duck::{literal, message, quoted};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::{Connection, Result};
use serde::Deserialize;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Files up to this size are read whole to find their types; of larger ones this many rows.
const WHOLE: u64 = 1 << 30;
const SAMPLE: &str = "1000000";
/// Fractions up to this length are kept exact as decimals; longer ones are measurements.
const LONGEST_FRACTION: u32 = 6;

/// Makes a table, or of a large file a view, under this name.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    name: &str,
    options: &OpenOptions,
) -> Result<(), WarehouseError> {
    let make = |encoding: &'static str| -> Result<()> {
        let mut sniffed = sniff(connection, file, encoding)?;
        if size(file) <= WHOLE {
            mend_types(connection, file, &mut sniffed)?;
        }
        let kind = if size(file) <= options.load_bytes { "TABLE" } else { "VIEW" };
        connection.execute_batch(&format!(
            "CREATE {kind} {} AS SELECT * FROM {}",
            quoted(name),
            sniffed.reader(file, false)
        ))
    };
    let made = match make(if is_utf16(file) { "utf-16" } else { "utf-8" }) {
        // Older spreadsheet programs write one byte for each letter.
        Err(error) if message(&error).to_lowercase().contains("unicode") || message(&error).contains("utf-8") => {
            make("latin-1")
        }
        made => made,
    };
    made.map_err(|error| wrong_file(file, &error))
}

fn is_utf16(file: &Path) -> bool {
    let mut mark = [0; 2];
    File::open(file).and_then(|mut file| file.read_exact(&mut mark)).is_ok() && mark == [0xff, 0xfe]
}

#[derive(Debug, Deserialize)]
struct SniffedColumn {
    name: String,
    #[serde(rename = "type")]
    data_type: String,
}

#[derive(Debug)]
struct Sniffed {
    dialect: Vec<(&'static str, String)>,
    columns: Vec<SniffedColumn>,
}

fn sniff(connection: &Connection, file: &Path, encoding: &'static str) -> Result<Sniffed> {
    let sample = if size(file) <= WHOLE { "-1" } else { SAMPLE };
    let sql = format!(
        "SELECT Delimiter, Quote, Escape, Comment, SkipRows::VARCHAR, HasHeader::VARCHAR, DateFormat, TimestampFormat, to_json(Columns)::VARCHAR
           FROM sniff_csv({}, sample_size = {sample}, encoding = '{encoding}')",
        pattern(file)
    );
    connection.query_row(&sql, [], |row| {
        let text = |index| row.get::<_, Option<String>>(index).map(|text| text.filter(|text| text != "(empty)"));
        let character = |index| Ok::<_, ::duckdb::Error>(literal(&text(index)?.unwrap_or_default()));
        let mut dialect = vec![
            ("delim", character(0)?),
            ("quote", character(1)?),
            ("escape", character(2)?),
            ("encoding", literal(encoding)),
        ];
        if let Some(comment) = text(3)?.filter(|text| !text.is_empty()) {
            dialect.push(("comment", literal(&comment)));
        }
        dialect.push(("skip", row.get(4)?));
        dialect.push(("header", row.get(5)?));
        for (option, index) in [("dateformat", 6), ("timestampformat", 7)] {
            if let Some(format) = text(index)?.filter(|text| !text.is_empty()) {
                dialect.push((option, literal(&format)));
            }
        }
        let columns = serde_json::from_str(&row.get::<_, String>(8)?).unwrap_or_default();
        Ok(Sniffed { dialect, columns })
    })
}

impl Sniffed {
    /// The call that reads the file with settled dialect and types; `raw` gives all columns as text.
    fn reader(&self, file: &Path, raw: bool) -> String {
        let columns: Vec<String> = self
            .columns
            .iter()
            .map(|column| {
                format!("{}: {}", literal(&column.name), literal(if raw { "VARCHAR" } else { &column.data_type }))
            })
            .collect();
        let mut options: Vec<String> = self
            .dialect
            .iter()
            .filter(|(option, _)| !(raw && option.ends_with("format")))
            .map(|(option, value)| format!("{option} = {value}"))
            .collect();
        options.push(format!("columns = {{{}}}", columns.join(", ")));
        format!("read_csv({}, auto_detect = false, null_padding = false, {})", pattern(file), options.join(", "))
    }
}

/// Looks at the text of every column of numbers and settles for a type that keeps it.
fn mend_types(connection: &Connection, file: &Path, sniffed: &mut Sniffed) -> Result<()> {
    let numeric: Vec<usize> = (0..sniffed.columns.len())
        .filter(|index| matches!(sniffed.columns[*index].data_type.as_str(), "BIGINT" | "DOUBLE" | "HUGEINT"))
        .collect();
    if numeric.is_empty() {
        return Ok(());
    }
    let looks: Vec<String> = numeric
        .iter()
        .map(|index| {
            let text = format!("trim({})", quoted(&sniffed.columns[*index].name));
            format!(
                "coalesce(bool_or(regexp_matches({text}, '^[+-]?0[0-9]')), false),
                 coalesce(bool_and({text} = '' OR regexp_full_match({text}, '[+-]?[0-9]+([.][0-9]*)?')), false),
                 coalesce(max(length(regexp_extract({text}, '^[+-]?([0-9]*)', 1))), 0)::INTEGER,
                 coalesce(max(length(regexp_extract({text}, '[.]([0-9]*)', 1))), 0)::INTEGER"
            )
        })
        .collect();
    let sql = format!("SELECT {} FROM {}", looks.join(", "), sniffed.reader(file, true));
    let mended: Vec<Option<String>> = connection.query_row(&sql, [], |row| {
        (0..numeric.len())
            .map(|at| {
                let look = |part: usize| at * 4 + part;
                let code: bool = row.get(look(0))?;
                let plain: bool = row.get(look(1))?;
                let (whole, fraction) =
                    (row.get::<_, i32>(look(2))?.unsigned_abs(), row.get::<_, i32>(look(3))?.unsigned_abs());
                Ok(exact_type(&sniffed.columns[numeric[at]].data_type, code, plain, whole, fraction))
            })
            .collect()
    })?;
    for (index, mended) in numeric.into_iter().zip(mended) {
        if let Some(data_type) = mended {
            sniffed.columns[index].data_type = data_type;
        }
    }
    Ok(())
}

/// A better type for a column of numbers, when there is one. `code`: leading zeros occur; `plain`: no exponents.
pub(super) fn exact_type(sniffed: &str, code: bool, plain: bool, whole: u32, fraction: u32) -> Option<String> {
    if code {
        return Some("VARCHAR".to_owned());
    }
    if sniffed != "DOUBLE" || !plain {
        return None;
    }
    match (whole + fraction, fraction) {
        (digits, 0) if digits > 38 => Some("VARCHAR".to_owned()),
        (_, 0) => Some("DECIMAL(38,0)".to_owned()),
        (digits, fraction) if fraction <= LONGEST_FRACTION && digits <= 38 => {
            Some(format!("DECIMAL({},{fraction})", if digits > 18 { 38 } else { 18 }))
        }
        _ => None,
    }
}
