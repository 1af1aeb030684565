//! Detects the types of columns that were read as text: dates, numbers and codes.

use super::column::{AT_ONCE, Column};
use super::exact::exact_type;
use super::missing::{self, filter_guessed_markers};
use super::numbers::{self, FLOAT_DIGITS, too_long};
use super::{clock_times, date_text, dates, durations, number_text, staged, text_order, value_counts, versions};
use crate::engines::duck::{quote_identifier, quote_literal};
use ::duckdb::{Connection, Result};
use vitrine_domain::{ConvertedColumn, FileOptions, FileReading};
use vitrine_words::tr;

/// Determines the types of all columns. `raw` reads all columns as text; the results are described in `reading`.
pub(super) fn resolve_column_types(
    connection: &Connection,
    raw: &str,
    columns: &mut [Column],
    options: &FileOptions,
    reading: &mut FileReading,
) -> Result<()> {
    let stays_text = |name: &str| options.as_text.iter().any(|kept| kept.eq_ignore_ascii_case(name));
    let mut open: Vec<&mut Column> = Vec::new();
    for column in columns.iter_mut() {
        match stays_text(&column.name) {
            true => column.keep_text(),
            false if column.is_settled => {}
            false => open.push(column),
        }
    }
    for columns in open.chunks_mut(AT_ONCE) {
        distrust_literals(connection, raw, columns)?;
        distrust_moments(connection, raw, columns, reading)?;
        missing::find_missing_markers(connection, raw, columns)?;
        type_texts(connection, raw, columns)?;
        versions::keep_versions_as_text(connection, raw, columns, reading)?;
    }
    dates::convert_date_columns(connection, raw, &mut open, options.date_order, reading)?;
    open.retain(|column| column.value.is_none());
    for columns in open.chunks_mut(AT_ONCE) {
        durations::convert_duration_columns(connection, raw, columns, reading)?;
        clock_times::convert_clock_columns(connection, raw, columns)?;
    }
    open.retain(|column| column.value.is_none());
    numbers::convert_number_columns(connection, raw, &mut open, options.decimal, reading)?;
    open.retain(|column| column.value.is_none());
    for columns in open.chunks_mut(AT_ONCE) {
        keep_digits(connection, raw, columns, reading)?;
    }
    for columns in open.chunks(AT_ONCE) {
        reading.doubts.extend(text_order::describe_text_order(connection, raw, columns)?);
    }
    for column in columns.iter_mut() {
        column.finish_conversion();
        reading.doubts.extend(describe_doubt(column));
    }
    let converted = columns.iter().filter_map(|column| {
        Some(ConvertedColumn { column: column.name.clone(), how: column.how.as_ref()?.said.clone() })
    });
    reading.converted = converted.collect();
    Ok(())
}

/// Describes the values other than numbers or dates in a column of these.
fn describe_doubt(column: &Column) -> Option<String> {
    let name = column.name.clone();
    if column.value.is_none() {
        let values = value_counts::in_words(&column.others);
        return (!column.others.is_empty()).then(|| {
            tr!("{name} contains mostly numbers, dates or times and stays text because of {values}.", name, values)
        });
    }
    let words = filter_guessed_markers(&column.missing);
    let markers = value_counts::in_words(&words);
    (!words.is_empty()).then(|| {
        tr!(
            "{name} contains {markers} instead of values, read as missing; in text columns they are kept.",
            name,
            markers
        )
    })
}

/// Keeps numbers of other bases, infinite numbers and numbers beyond the range of a float as text, because the engine
/// would convert them. Treats its `NaN` as missing.
fn distrust_literals(connection: &Connection, raw: &str, columns: &mut [&mut Column]) -> Result<()> {
    let is_number = |column: &&mut &mut Column| matches!(column.data_type.as_str(), "BIGINT" | "DOUBLE" | "HUGEINT");
    let mut numeric: Vec<&mut &mut Column> = columns.iter_mut().filter(is_number).collect();
    if numeric.is_empty() {
        return Ok(());
    }
    let any = |column: &Column, pattern: &str| {
        format!("coalesce(bool_or(regexp_matches({}, '{pattern}')), false)", quote_identifier(&column.name))
    };
    let beyond = |column: &Column| {
        format!(
            "coalesce(bool_or({}), false)",
            number_text::beyond_floats(&format!("trim({})", quote_identifier(&column.name)))
        )
    };
    let looks: Vec<String> = numeric
        .iter()
        .map(|column| match column.data_type.as_str() {
            "BIGINT" => format!("{}, false", any(column, "(?i)[xob_]")),
            _ => format!("{} OR {}, {}", any(column, "(?i)[xob_]|inf"), beyond(column), any(column, "(?i)nan")),
        })
        .collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    let found: Vec<(bool, bool)> = connection.query_row(&sql, [], |row| {
        (0..numeric.len()).map(|at| Ok((row.get(at * 2)?, row.get(at * 2 + 1)?))).collect()
    })?;
    for (column, (is_no_number, has_nan)) in numeric.iter_mut().zip(found) {
        if is_no_number {
            column.keep_text();
        } else if has_nan {
            column.missing = value_counts::count_values(
                connection,
                raw,
                &column.text_expression(),
                "regexp_full_match(v, '(?i)[+-]?nan')",
            )?;
        }
    }
    Ok(())
}

/// Keeps texts such as `1-2-3` and `infinity` as text, which the engine would parse as dates or times without a full
/// year or without minutes.
fn distrust_moments(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    reading: &mut FileReading,
) -> Result<()> {
    /// Matches more digits of a second than the engine stores.
    const FINE: &str = "':[0-9]{2}[.,][0-9]{6}[0-9]*[1-9]'";
    const MOMENT: &str = r"(?:[0-9]{4}([-/.])[0-9]{1,2}[-/.][0-9]{1,2}(?:[ T].*)?|[0-9]{1,2}:[0-9]{2}(?::.*)?)";
    let is_moment =
        |column: &&mut &mut Column| ["DATE", "TIME"].iter().any(|known| column.data_type.starts_with(known));
    let mut moments: Vec<&mut &mut Column> = columns.iter_mut().filter(is_moment).collect();
    if moments.is_empty() {
        return Ok(());
    }
    let pattern = quote_literal(&format!("{MOMENT}|{}", date_text::any_pattern()));
    let looks = moments.iter().map(|column| {
        let text = column.text_expression();
        format!(
            "coalesce(bool_and(regexp_full_match({text}, {pattern})), true), max({text}) FILTER (WHERE regexp_matches({text}, {FINE}))"
        )
    });
    let sql = format!("SELECT {} FROM {raw}", looks.collect::<Vec<_>>().join(", "));
    let looks: Vec<(bool, Option<String>)> = connection.query_row(&sql, [], |row| {
        (0..moments.len()).map(|at| Ok((row.get(at * 2)?, row.get(at * 2 + 1)?))).collect()
    })?;
    for (column, (is_moment, fine)) in moments.iter_mut().zip(looks) {
        if let Some(fine) = &fine {
            column.has_reason = true;
            reading.doubts.push(tr!(
                "{name} contains times finer than a microsecond, such as {example}; it stays text.",
                name = column.name,
                example = quote_literal(fine)
            ));
        }
        if !is_moment || fine.is_some() {
            column.keep_text();
        }
    }
    Ok(())
}

/// Detects the types of plain texts between markers.
fn type_texts(connection: &Connection, raw: &str, columns: &mut [&mut Column]) -> Result<()> {
    let mut marked: Vec<&mut &mut Column> = columns.iter_mut().filter(|column| !column.missing.is_empty()).collect();
    let texts: Vec<String> = marked.iter().map(|column| column.text_expression()).collect();
    for (column, data_type) in marked.iter_mut().zip(staged::types_of(connection, &texts, raw)?) {
        if data_type != "VARCHAR" {
            column.data_type = data_type.to_owned();
        }
    }
    Ok(())
}

/// Examines the digits of each column of numbers and chooses a type that keeps them.
fn keep_digits(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    reading: &mut FileReading,
) -> Result<()> {
    let mut numeric: Vec<&mut &mut Column> = columns
        .iter_mut()
        .filter(|column| matches!(column.data_type.as_str(), "BIGINT" | "DOUBLE" | "HUGEINT"))
        .collect();
    if numeric.is_empty() {
        return Ok(());
    }
    let looks: Vec<String> = numeric
        .iter()
        .map(|column| match column.data_type.as_str() {
            "BIGINT" => integer_aggregates(&column.text_expression()),
            _ => digit_aggregates(&column.text_expression()),
        })
        .collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    let all: Vec<Digits> = connection.query_row(&sql, [], |row| {
        let one = |at: usize| {
            let count = |part: usize| row.get::<_, i32>(at + part).map(i32::unsigned_abs);
            Ok::<_, ::duckdb::Error>(Digits {
                code: row.get(at)?,
                plain: row.get(at + 1)?,
                whole: count(2)?,
                fraction: count(3)?,
                longest: count(4)?,
                longest_integer: count(5)?,
                letter_code: row.get(at + 6)?,
                example: row.get(at + 7)?,
            })
        };
        (0..numeric.len()).map(|at| one(at * 8)).collect()
    })?;
    for (column, digits) in numeric.iter_mut().zip(all) {
        let (name, example) = (&column.name, quote_literal(&digits.example));
        if digits.letter_code {
            reading.doubts.push(tr!(
                "{name} may contain numbers or codes, such as {example}; it stays text.",
                name,
                example
            ));
            column.keep_text();
            column.has_reason = true;
        } else if let Some(data_type) = digits.exact_type(&column.data_type) {
            column.has_reason = data_type == "VARCHAR";
            if data_type == "VARCHAR" && !digits.code {
                reading.doubts.push(too_long(name, &example));
            }
            column.data_type = data_type;
        }
    }
    Ok(())
}

/// Properties of the digits in a column of numbers.
struct Digits {
    /// True if some numbers have leading zeros.
    code: bool,
    /// True if no number has an exponent.
    plain: bool,
    /// The maximum number of digits before and after the decimal point.
    whole: u32,
    fraction: u32,
    /// The maximum number of digits, overall and among integers without exponent.
    longest: u32,
    longest_integer: u32,
    /// True if all values are digits around an `E`, as in codes.
    letter_code: bool,
    example: String,
}

impl Digits {
    /// Returns a more exact type than the engine's, if necessary.
    fn exact_type(&self, found: &str) -> Option<String> {
        /// Significant digits with which a float is written without loss.
        const ROUND_TRIP: u32 = 17;
        let floats = found == "DOUBLE" && !self.code;
        if floats && !self.plain && self.longest_integer > FLOAT_DIGITS {
            return Some("VARCHAR".to_owned());
        }
        let exact = exact_type(found, self.code, self.plain, self.whole, self.fraction);
        let loses = floats && self.plain && exact.is_none();
        match self.longest.max(self.longest_integer + 2) > ROUND_TRIP {
            true if loses && self.whole + self.fraction <= 38 => Some(format!("DECIMAL(38,{})", self.fraction)),
            true if loses => Some("VARCHAR".to_owned()),
            _ => exact,
        }
    }
}

/// Returns the expressions of [`digit_aggregates`] for integers of 64 bits, of which only leading zeros matter.
fn integer_aggregates(text: &str) -> String {
    format!("{}, true, 0, 0, 0, 0, false, ''", leading_zeros(text))
}

fn leading_zeros(text: &str) -> String {
    format!("coalesce(bool_or(regexp_matches({text}, '^[+-]?0[0-9]')), false)")
}

fn digit_aggregates(text: &str) -> String {
    let length = |part: &str| format!("coalesce(max(length({part})), 0)::INTEGER");
    [
        leading_zeros(text),
        format!("coalesce(bool_and(regexp_full_match({text}, '[+-]?[0-9]+([.][0-9]*)?')), false)"),
        length(&format!("regexp_extract({text}, '^[+-]?([0-9]*)', 1)")),
        length(&format!("regexp_extract({text}, '[.]([0-9]*)', 1)")),
        length(&format!("ltrim(regexp_replace({text}, '[^0-9]', '', 'g'), '0')")),
        length(&format!("regexp_extract({text}, '^[+-]?0*([0-9]+)$', 1)")),
        format!("coalesce(bool_and(regexp_full_match({text}, '[0-9]+[eE][0-9]+')), false)"),
        format!("coalesce(max_by({text}, length({text})), '')"),
    ]
    .join(", ")
}
