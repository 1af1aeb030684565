//! Common properties of all values of a column as numbers, counted by the engine in one pass.

use super::column::AT_ONCE;
use super::number_text::{APOSTROPHE, BLANK, OTHER_BASE, WRAPPED, any_number_pattern, number_pattern, unit_pattern};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result, Row};
use vitrine_domain::DecimalSign;

/// Minimum number of digits in a phone number.
const PHONE: u32 = 7;

/// Common properties of all values of a column.
#[derive(Debug, Clone, Default)]
pub(super) struct NumberProfile {
    /// True if all are numbers with either decimal sign.
    pub numbers: bool,
    /// True if all are numbers with a decimal comma, or with a decimal point.
    pub commas: bool,
    pub points: bool,
    /// True if some values are numbers only with a comma, or only with a point.
    pub surely_comma: bool,
    pub surely_point: bool,
    /// True if groups or fractions occur.
    pub separated: bool,
    /// Number of different units; the first and the last in alphabetical order.
    pub units: i64,
    pub first_unit: Option<String>,
    pub unit: Option<String>,
    /// True if the values are codes: digits with a leading 0 but no fraction, or phone numbers.
    pub code: bool,
    pub exponents: bool,
    /// True if all are numbers of another base, such as `0x1F`.
    pub other_base: bool,
    /// True if groups are separated by a plain blank.
    spaced: bool,
    /// True if all large numbers have groups, and some number is too small to have any.
    groups_vary: bool,
    /// True if all are negative by brackets, and if some have a minus behind.
    all_wrapped: bool,
    pub minus_behind: bool,
    /// Maximum digits before and after the decimal sign.
    pub digits_comma: [u32; 2],
    pub digits_point: [u32; 2],
    /// Maximum digits of a number without fraction and exponent.
    pub longest_integer: u32,
    pub example: String,
}

impl NumberProfile {
    /// Returns true if integers may also be codes: `555 123` beside `555 124`, or a list of `(1)`, `(2)`.
    pub fn is_unsure(&self) -> bool {
        let plain = !self.surely_comma && !self.surely_point && self.units == 0 && !self.exponents;
        plain && (self.spaced && !self.groups_vary || self.all_wrapped && !self.separated)
    }
}

/// Examines the texts of all columns.
pub(super) fn profile_number_columns(
    connection: &Connection,
    raw: &str,
    texts: &[String],
) -> Result<Vec<NumberProfile>> {
    let looks: Result<Vec<_>> = texts.chunks(AT_ONCE).map(|texts| look_at_some(connection, raw, texts)).collect();
    Ok(looks?.into_iter().flatten().collect())
}

fn look_at_some(connection: &Connection, raw: &str, texts: &[String]) -> Result<Vec<NumberProfile>> {
    let inner: Vec<String> = texts.iter().enumerate().map(|(at, text)| format!("{text} AS t{at}")).collect();
    let looks: Vec<String> = (0..texts.len()).map(|at| aggregate_expressions(&format!("t{at}"))).collect();
    let sql = format!("SELECT {} FROM (SELECT {} FROM {raw})", looks.join(", "), inner.join(", "));
    connection.query_row(&sql, [], |row| (0..texts.len()).map(|at| read_number_profile(row, at * PARTS)).collect())
}

/// Number of expressions per column.
const PARTS: usize = 23;

fn aggregate_expressions(text: &str) -> String {
    let unit = unit_pattern();
    let (commas, points) = (number_pattern(DecimalSign::Comma), number_pattern(DecimalSign::Point));
    let matches = |pattern: &str| format!("regexp_matches({text}, {})", quote_literal(pattern));
    let full = |pattern: &str| format!("regexp_full_match({text}, {})", quote_literal(pattern));
    let any = |pattern: &str| format!("coalesce(bool_or({}), false)", matches(pattern));
    let all = |pattern: &str| format!("coalesce(bool_and({}), false)", full(pattern));
    let groups = |sign: &str| format!("length(regexp_replace({text}, '[^{sign}]', '', 'g'))");
    // Thousands with the same number of groups in every value may also be codes.
    let varied = |sign: &str| format!("(max({0}) > 1 AND min({0}) < max({0}))", groups(sign));
    let digits = |part: &str| format!("coalesce(max(length(regexp_replace({part}, '[^0-9]', '', 'g'))), 0)::INTEGER");
    let mantissa = format!("regexp_replace({text}, '([0-9])[eE][-+−]?[0-9]+', '\\1')");
    let whole = |sign: &str| digits(&format!("regexp_extract({mantissa}, '^[^{sign}]*')"));
    let fraction = |sign: &str| digits(&format!("regexp_extract({mantissa}, '[{sign}](.*)$', 1)"));
    let integer = format!("CASE WHEN NOT {} THEN {text} END", matches("[.,]|[0-9][eE][-+−]?[0-9]"));
    let found_unit = format!("nullif(regexp_extract({text}, '{unit}'), '')");
    let other_group = |group: &str| format!("[0-9](?:[{group}]|{BLANK}|{APOSTROPHE})[0-9]{{3}}");
    // A decimal sign is certain if it is not followed by exactly three digits, or is preceded by a thousands group, a
    // zero or nothing.
    let sure = |sign: &str, other: &str| {
        format!(
            r"[0-9][{sign}][0-9]{{1,2}}([^0-9{sign}]|$)|[0-9][{sign}][0-9]{{4}}|{}[{sign}][0-9]|(?:^|[^0-9{other}])0?[{sign}][0-9]|[{sign}][0-9]+[eE][-+−]?[0-9]|[0-9][{sign}][-–—]",
            other_group(other)
        )
    };
    let indian = "(?:^|[^0-9])[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}";
    let plus = format!("min(length(regexp_replace({text}, '[^0-9]', '', 'g'))) FILTER (WHERE {})", matches("^[+]"));
    let phone = format!(
        "(coalesce({plus}, 0) >= {PHONE} AND NOT {}) OR {}",
        any(&format!("^[^0-9]*[-−–]|{WRAPPED}")),
        any("^[+].*[0-9] [0-9]")
    );
    [
        all(&any_number_pattern()),
        all(&commas),
        all(&points),
        format!("({} OR coalesce({}, false))", any(&sure(",", ".")), varied(".")),
        format!("({} OR {} OR coalesce({}, false))", any(&sure(".", ",")), any(indian), varied(",")),
        any("[.,]"),
        format!("count(DISTINCT {found_unit})"),
        format!("min({found_unit})"),
        format!("max({found_unit})"),
        format!("({} OR {phone})", any("^[^0-9]*0[0-9]")),
        any("[0-9][eE][-+−]?[0-9]"),
        any("[0-9][ \t][0-9]"),
        format!("(NOT {} AND coalesce(bool_or(NOT {}), false))", any("[0-9]{5}"), matches("[0-9][ \t][0-9]")),
        format!("coalesce(bool_and({}), false)", matches(WRAPPED)),
        any("[0-9][^0-9,.]*[-−][^0-9]*$"),
        whole(","),
        fraction(","),
        whole("."),
        fraction("."),
        digits(&integer),
        format!("coalesce(first({text}) FILTER (WHERE {}), '')", matches("[.,]")),
        format!("coalesce(first({text}) FILTER (WHERE {}), first({text}), '')", matches("[^0-9]")),
        all(OTHER_BASE),
    ]
    .join(", ")
}

fn read_number_profile(row: &Row<'_>, at: usize) -> Result<NumberProfile> {
    let digits = |index: usize| row.get::<_, i32>(at + index).map(i32::unsigned_abs);
    let separated: bool = row.get(at + 5)?;
    Ok(NumberProfile {
        numbers: row.get(at)?,
        commas: row.get(at + 1)?,
        points: row.get(at + 2)?,
        surely_comma: row.get(at + 3)?,
        surely_point: row.get(at + 4)?,
        separated,
        units: row.get(at + 6)?,
        first_unit: row.get(at + 7)?,
        unit: row.get(at + 8)?,
        code: row.get(at + 9)?,
        exponents: row.get(at + 10)?,
        spaced: row.get(at + 11)?,
        groups_vary: row.get(at + 12)?,
        all_wrapped: row.get(at + 13)?,
        minus_behind: row.get(at + 14)?,
        digits_comma: [digits(15)?, digits(16)?],
        digits_point: [digits(17)?, digits(18)?],
        longest_integer: digits(19)?,
        other_base: row.get(at + 22)?,
        example: row.get(at + if separated { 20 } else { 21 })?,
    })
}
