//! Numbers in local notations: decimal commas, thousands groups, currency and percent signs, minus signs behind and
//! brackets. A text column is read as numbers only if every value is one, and if the file shows which sign is the
//! decimal one, because "1.200" alone is ambiguous. The column's comment describes the conversion.

use super::column::{Column, How};
use super::exact::LONGEST_FRACTION;
use super::number_look::{self, NumberProfile};
use super::number_text::as_number;
use super::value_counts;
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result};
use vitrine_domain::{DecimalSign, FileReading};
use vitrine_words::tr;

/// Significant digits of an integer that a binary float always preserves.
pub(super) const FLOAT_DIGITS: u32 = 15;
/// Maximum number of digits of a decimal.
const DECIMAL_DIGITS: u32 = 38;

/// The conversion of a text column whose values are all numbers.
#[derive(Debug, Clone, PartialEq)]
struct NumberColumn {
    decimal: DecimalSign,
    data_type: String,
    exponents: bool,
    /// True if groups or fractions occur.
    separated: bool,
    /// The currency or percent sign, if all values with a sign have the same one.
    unit: Option<String>,
    example: String,
}

/// Converts text columns of numbers; `raw` reads the file with all columns as text. Columns that the engine read as
/// numbers with points are examined too, because the points separate thousands if another column has a decimal comma.
pub(super) fn convert_number_columns(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    told: Option<DecimalSign>,
    reading: &mut FileReading,
) -> Result<()> {
    let mut columns: Vec<&mut &mut Column> =
        columns.iter_mut().filter(|column| column.data_type == "DOUBLE" || column.may_be_numbers()).collect();
    if columns.is_empty() {
        return Ok(());
    }
    let texts: Vec<String> = columns.iter().map(|column| column.text_expression()).collect();
    let looks = number_look::profile_number_columns(connection, raw, &texts)?;
    // A column with a certain decimal sign decides for the others, because one program writes a file.
    let says = |sure: fn(&NumberProfile) -> bool| looks.iter().any(sure);
    let comma = says(|look| look.commas && look.surely_comma && !look.code);
    let point = says(|look| look.points && look.surely_point && !look.code);
    let mut signs = Vec::new();
    for (column, look) in columns.iter_mut().zip(looks) {
        let is_text = column.data_type == "VARCHAR";
        match look.to_number_column(told, comma, point, is_text) {
            Some(written) => {
                if look.separated {
                    signs.push(written.decimal);
                } else if look.minus_behind {
                    let (name, example) = (&column.name, quote_literal(&look.example));
                    reading.doubts.push(tr!(
                        "{name} contains numbers with a minus behind, such as {example}, which are read as negative.",
                        name,
                        example
                    ));
                }
                reading.doubts.extend(without_percent(connection, raw, column, &written)?);
                let value = as_number(
                    &column.text_expression(),
                    written.decimal,
                    &written.data_type,
                    "CAST",
                    written.exponents,
                );
                column.set_conversion(value, How::new(|| written.in_words()));
            }
            None => {
                let doubt = look.describe_doubt(&column.name, told, comma, point, is_text);
                column.has_reason |= doubt.is_some() || look.numbers;
                reading.doubts.extend(doubt);
            }
        }
    }
    reading.decimal = signs.first().copied().filter(|first| signs.iter().all(|sign| sign == first));
    Ok(())
}

/// Describes numbers without the percent sign that others of the column have: `0.5` beside `12 %`.
fn without_percent(
    connection: &Connection,
    raw: &str,
    column: &Column,
    written: &NumberColumn,
) -> Result<Option<String>> {
    let Some(unit) = written.unit.as_deref().filter(|unit| matches!(*unit, "%" | "‰")) else { return Ok(None) };
    // Zero has the same meaning with and without the sign.
    let plain = format!("NOT contains(v, '{unit}') AND regexp_matches(v, '[1-9]')");
    let plain = value_counts::count_values(connection, raw, &column.text_expression(), &plain)?;
    Ok((!plain.is_empty()).then(|| {
        tr!(
            "{name} contains numbers with {unit} and numbers without it: {values}; all are read alike.",
            name = column.name,
            unit,
            values = value_counts::in_words(&plain)
        )
    }))
}

impl NumberProfile {
    /// Returns the doubt that the file does not resolve, if any.
    fn describe_doubt(
        &self,
        name: &str,
        told: Option<DecimalSign>,
        comma: bool,
        point: bool,
        is_text: bool,
    ) -> Option<String> {
        let example = quote_literal(&self.example);
        if self.other_base {
            return Some(tr!(
                "{name} contains numbers in another base, such as {example}; it stays text.",
                name,
                example
            ));
        }
        if !self.numbers || self.code {
            return None;
        }
        if self.units > 1 {
            let [first, second] = [&self.first_unit, &self.unit].map(|unit| unit.clone().unwrap_or_default());
            return Some(tr!(
                "{name} contains amounts in several units, such as {first} and {second}; it stays text.",
                name,
                first,
                second
            ));
        }
        if !self.commas && !self.points {
            return Some(tr!(
                "{name} contains numbers with a decimal comma and numbers with a decimal point, such as {example}; it stays text.",
                name,
                example
            ));
        }
        let open = told.is_none() && !comma && !point && self.commas && self.points && self.separated;
        if open && !self.surely_comma && !self.surely_point {
            return Some(match is_text {
                true => {
                    tr!("{name} may contain thousands or fractions, such as {example}; it stays text.", name, example)
                }
                false => tr!(
                    "{name} may contain thousands or fractions, such as {example}; the point was read as a decimal point.",
                    name,
                    example
                ),
            });
        }
        if told.is_none() && self.is_unsure() {
            return Some(tr!("{name} may contain numbers or codes, such as {example}; it stays text.", name, example));
        }
        let is_too_long = [DecimalSign::Comma, DecimalSign::Point].iter().all(|sign| self.data_type(*sign).is_none());
        (is_text && is_too_long).then(|| too_long(name, &example))
    }

    fn to_number_column(
        &self,
        told: Option<DecimalSign>,
        comma: bool,
        point: bool,
        is_text: bool,
    ) -> Option<NumberColumn> {
        let is_unsure = told.is_none() && self.is_unsure();
        if self.code || self.units > 1 || is_unsure || !(is_text || self.separated || self.units == 1) {
            return None;
        }
        let decimal = match (self.surely_comma, self.surely_point) {
            _ if told == Some(DecimalSign::Comma) && self.commas => DecimalSign::Comma,
            _ if told == Some(DecimalSign::Point) && self.points => DecimalSign::Point,
            _ if told.is_some() => return None,
            (true, false) if self.commas => DecimalSign::Comma,
            (false, true) if self.points => DecimalSign::Point,
            (false, false) if self.commas && comma && !point => DecimalSign::Comma,
            (false, false) if self.points && point && !comma => DecimalSign::Point,
            // Integers are the same with either sign.
            (false, false) if self.commas && self.points && !self.separated => DecimalSign::Point,
            _ => return None,
        };
        // The engine has already parsed numbers with points.
        if !is_text && decimal == DecimalSign::Point {
            return None;
        }
        Some(NumberColumn {
            decimal,
            data_type: self.data_type(decimal)?,
            exponents: self.exponents,
            separated: self.separated,
            unit: self.unit.clone(),
            example: self.example.clone(),
        })
    }

    /// Returns the type that keeps every digit; `None` if there is none.
    fn data_type(&self, decimal: DecimalSign) -> Option<String> {
        let [whole, fraction] = if decimal == DecimalSign::Comma { self.digits_comma } else { self.digits_point };
        Some(match (whole + fraction, fraction) {
            _ if self.exponents && self.longest_integer > FLOAT_DIGITS => return None,
            _ if self.exponents => "DOUBLE".to_owned(),
            (digits, _) if digits > DECIMAL_DIGITS => return None,
            (digits, 0) if digits <= 18 => "BIGINT".to_owned(),
            (digits, fraction) if fraction <= LONGEST_FRACTION || digits > 18 => {
                format!("DECIMAL({},{fraction})", if digits > 18 { DECIMAL_DIGITS } else { 18 })
            }
            _ => "DOUBLE".to_owned(),
        })
    }
}

/// Returns the message that no type holds all digits.
pub(super) fn too_long(name: &str, example: &str) -> String {
    tr!(
        "{name} contains numbers with more digits than any type can store, such as {example}; it stays text.",
        name,
        example
    )
}

impl NumberColumn {
    /// Describes the conversion for users and models.
    fn in_words(&self) -> String {
        let example = quote_literal(&self.example);
        let read = match self.decimal {
            _ if !self.separated && self.unit.is_none() => {
                tr!("read as a number from text such as {example}", example)
            }
            DecimalSign::Comma => tr!("read as a number with a decimal comma from text such as {example}", example),
            DecimalSign::Point => tr!("read as a number with a decimal point from text such as {example}", example),
        };
        match &self.unit {
            Some(unit) => tr!("{read}; in {unit}", read, unit),
            None => read,
        }
    }
}
