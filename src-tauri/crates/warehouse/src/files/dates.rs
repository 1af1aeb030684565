//! Dates in local notations. Only the file can show if `03/04/2024` is in March or in April: the order of a column is
//! known if one of the two orders is impossible, or if the other date columns of the file prove one. Otherwise the
//! column stays text, and the reading reports it.

use super::column::{AT_ONCE, Column, How};
use super::date_text::{Form, group_expression};
use super::value_counts::{self, ValueCount};
use crate::engines::duck::quote_literal;
use ::duckdb::{Connection, Result, Row};
use vitrine_domain::{DateOrder, FileReading};
use vitrine_words::tr;

/// Number of first rows that are examined to find candidates for date columns.
const SAMPLE: usize = 1000;

/// A column that may contain dates, with the common properties of its values.
#[derive(Debug)]
struct DateProfile {
    column: usize,
    form: Form,
    /// True if all values are dates when read with the day first, or with the month first.
    day_first: bool,
    month_first: bool,
    /// Number of different separators between the numbers.
    signs: i64,
    /// True if some years, or all years, have two digits.
    short_years: (bool, bool),
    /// The minimum, maximum and number of distinct values of the last number.
    last: (i32, i32, i64),
    /// Number of distinct first numbers.
    firsts: i64,
    some_time: bool,
    /// Number of different time zones, including none, and one of them.
    zones: i64,
    zone: Option<String>,
    example: String,
    sign: String,
    /// Number of rows with an existing date.
    valid: i64,
    /// Number of rows whose date does not exist in either order, and the number of these that are not all zeros.
    impossible: i64,
    wrong: i64,
}

/// Converts columns of dates. Columns that the engine detected as dates are examined again if it may have guessed the
/// order.
pub(super) fn convert_date_columns(
    connection: &Connection,
    raw: &str,
    columns: &mut [&mut Column],
    said_order: Option<DateOrder>,
    reading: &mut FileReading,
) -> Result<()> {
    let looks = profile_date_columns(connection, raw, columns)?;
    // If the columns with a proven order agree, it applies to the whole file.
    let sure: Vec<&DateProfile> = looks.iter().filter(|look| look.proven_order().is_some()).collect();
    let agreed = sure
        .first()
        .and_then(|first| first.proven_order())
        .filter(|order| sure.iter().all(|look| look.proven_order() == Some(*order)));
    let four_digits = sure.iter().any(|look| !look.short_years.0);
    let mut orders = Vec::new();
    for look in &looks {
        let column = &mut columns[look.column];
        let (order, as_others) = match (said_order, look.proven_order()) {
            (Some(order), _) | (None, Some(order)) => (Some(order), false),
            (None, None) if look.form == Form::Numbers => {
                let sign = |other: &&&DateProfile| other.sign == look.sign;
                (agreed.filter(|_| sure.iter().any(|other| sign(&other))), true)
            }
            (None, None) => (None, false),
        };
        let century = look.infer_century(order, four_digits, said_order.is_some());
        let impossible = look.impossible_values(connection, raw, column)?;
        let (name, example) = (column.name.clone(), quote_literal(&look.example));
        let doubt = match (look.form, order) {
            _ if look.signs > 1 => continue,
            _ if look.zones > 1 => Some(tr!(
                "{name} contains times in several time zones, such as {example}; it stays text.",
                name,
                example
            )),
            _ if look.valid <= look.wrong && !impossible.is_empty() => Some(tr!(
                "{name} contains invalid dates, such as {example}; it stays text.",
                name,
                example = quote_literal(&impossible[0].text)
            )),
            (Form::Numbers, _) if !look.day_first && !look.month_first => Some(tr!(
                "{name} contains dates with the day first and dates with the month first, such as {example}; it stays text.",
                name,
                example
            )),
            (Form::Numbers, None) => Some(tr!(
                "{name} may have the day or the month first, such as {example}; it stays text.",
                name,
                example
            )),
            (Form::Numbers, Some(order)) if !look.can_be(order) => Some(tr!(
                "{name} contains dates that do not exist in the given order, such as {example}; it stays text.",
                name,
                example
            )),
            (Form::Numbers, _) if century.is_none() => Some(tr!(
                "{name} has years of two digits that may be read in several ways, such as {example}; it stays text.",
                name,
                example
            )),
            (form, _) if form != Form::Numbers && !look.day_first => continue,
            _ => None,
        };
        if let Some(doubt) = doubt {
            column.keep_text();
            column.has_reason = true;
            reading.doubts.push(doubt);
            continue;
        }
        let known = order.unwrap_or(DateOrder::DayFirst);
        let value = look.form.value_expression(
            &look.form.capture_expression(&column.text_expression()),
            known,
            century.unwrap_or("20"),
            look.some_time,
        );
        if look.form == Form::Numbers {
            orders.push(known);
        }
        column.set_conversion(value, How::new(|| look.in_words(known, as_others)));
        if !impossible.is_empty() {
            reading.doubts.push(tr!(
                "{name} contains dates that do not exist; their cells are empty: {values}.",
                name,
                values = value_counts::in_words(&impossible)
            ));
        }
    }
    reading.date_order = orders.first().copied().filter(|first| orders.iter().all(|order| order == first));
    Ok(())
}

impl DateProfile {
    /// Describes the conversion for users and models.
    fn in_words(&self, order: DateOrder, as_others: bool) -> String {
        let kind = if self.some_time { tr!("point in time") } else { tr!("date") };
        let order = match (self.form, order) {
            (Form::Numbers, DateOrder::DayFirst) => Some(tr!("with the day first")),
            (Form::Numbers, DateOrder::MonthFirst) => Some(tr!("with the month first")),
            _ => None,
        };
        let example = quote_literal(&self.example);
        let read = match (order, as_others) {
            (None, _) => tr!("read as a {kind} from text such as {example}", kind, example),
            (Some(order), false) => tr!("read as a {kind} {order} from text such as {example}", kind, order, example),
            (Some(order), true) => tr!(
                "read as a {kind} {order} as in the file's other dates from text such as {example}",
                kind,
                order,
                example
            ),
        };
        match &self.zone {
            Some(zone) => tr!("{read}; local time, {zone}", read, zone),
            None => read,
        }
    }

    /// Returns the values that are not a date in either order.
    fn impossible_values(&self, connection: &Connection, raw: &str, column: &Column) -> Result<Vec<ValueCount>> {
        if self.impossible == 0 {
            return Ok(Vec::new());
        }
        let groups = self.form.capture_expression("v");
        let no_day = [DateOrder::DayFirst, DateOrder::MonthFirst]
            .map(|order| format!("({}) IS NULL", self.form.value_expression(&groups, order, "20", true)));
        value_counts::count_values(connection, raw, &column.text_expression(), &no_day.join(" AND "))
    }

    /// Returns the order that the values prove.
    fn proven_order(&self) -> Option<DateOrder> {
        match (self.form, self.day_first, self.month_first) {
            (Form::Numbers, true, false) if self.signs == 1 => Some(DateOrder::DayFirst),
            (Form::Numbers, false, true) if self.signs == 1 => Some(DateOrder::MonthFirst),
            _ => None,
        }
    }

    fn can_be(&self, order: DateOrder) -> bool {
        match order {
            DateOrder::DayFirst => self.day_first,
            DateOrder::MonthFirst => self.month_first,
        }
    }

    /// Returns the first digits of two-digit years if they are certain: the year must be the last number, and all years
    /// must fall into one century.
    fn infer_century(&self, order: Option<DateOrder>, four_digits: bool, told: bool) -> Option<&'static str> {
        let (some, all) = self.short_years;
        if self.form != Form::Numbers || !some {
            return Some("20");
        }
        let (least, most, lasts) = self.last;
        // If the year came first, the last number would be the day: it must be invalid as a day or constant over many
        // years.
        let common_day = |day: i32| matches!(day, 1 | 15 | 28..=31);
        let at_the_end = told
            || four_digits
            || order == Some(DateOrder::MonthFirst)
            || most > 31
            || least == 0
            || (lasts <= 2 && self.firsts >= 3 * lasts && !common_day(least) && !common_day(most));
        match (all && at_the_end, least, most) {
            (true, _, 0..=39) => Some("20"),
            (true, 70.., _) => Some("19"),
            _ => None,
        }
    }
}

fn profile_date_columns(connection: &Connection, raw: &str, columns: &[&mut Column]) -> Result<Vec<DateProfile>> {
    let typed = |column: &Column| {
        ["VARCHAR", "DATE", "TIMESTAMP"].iter().any(|known| column.data_type.starts_with(known))
            && column.value.is_none()
            && !column.is_words
    };
    let open: Vec<usize> = (0..columns.len()).filter(|at| typed(columns[*at])).collect();
    let looks: Result<Vec<_>> = open.chunks(AT_ONCE).map(|open| look_at_some(connection, raw, columns, open)).collect();
    Ok(looks?.into_iter().flatten().collect())
}

fn look_at_some(
    connection: &Connection,
    raw: &str,
    columns: &[&mut Column],
    open: &[usize],
) -> Result<Vec<DateProfile>> {
    let all = |at: &usize, form: &Form| {
        format!(
            "coalesce(bool_and(regexp_full_match({}, {})), false)",
            columns[*at].text_expression(),
            quote_literal(&form.pattern())
        )
    };
    let tests: Vec<String> = open.iter().flat_map(|at| Form::ALL.map(|form| all(at, &form))).collect();
    let sql = format!("SELECT {} FROM (SELECT * FROM {raw} LIMIT {SAMPLE})", tests.join(", "));
    let mut candidates = connection.query_row(&sql, [], |row| {
        let mut found = Vec::new();
        for (index, at) in open.iter().enumerate() {
            for (number, form) in Form::ALL.into_iter().enumerate() {
                if row.get::<_, bool>(index * Form::ALL.len() + number)? {
                    found.push((*at, form));
                    break;
                }
            }
        }
        Ok(found)
    })?;
    // Dates that the engine parsed with the year first are correct.
    candidates.retain(|(at, form)| *form == Form::Numbers || columns[*at].data_type == "VARCHAR");
    if candidates.is_empty() {
        return Ok(Vec::new());
    }
    let inner: Vec<String> = candidates
        .iter()
        .enumerate()
        .map(|(index, (at, form))| {
            let text = columns[*at].text_expression();
            format!("{text} AS t{index}, {} AS g{index}", form.capture_expression(&text))
        })
        .collect();
    let days: Vec<String> =
        candidates.iter().enumerate().map(|(index, (_, form))| day_expressions(index, *form)).collect();
    let wrong: Vec<String> =
        candidates.iter().enumerate().map(|(index, (_, form))| is_impossible(index, *form)).collect();
    let looks: Vec<String> = (0..candidates.len()).map(aggregate_expressions).collect();
    let inner = format!("SELECT *, {} FROM (SELECT {} FROM {raw})", days.join(", "), inner.join(", "));
    let sql = format!("SELECT {} FROM (SELECT *, {} FROM ({inner}))", looks.join(", "), wrong.join(", "));
    let looks: Vec<Option<DateProfile>> = connection.query_row(&sql, [], |row| {
        candidates
            .iter()
            .enumerate()
            .map(|(index, (at, form))| read_date_profile(row, index * PARTS, *at, *form))
            .collect()
    })?;
    Ok(looks.into_iter().flatten().collect())
}

/// Returns the expressions for the date of a text in each order, as columns `d` and `m`.
fn day_expressions(index: usize, form: Form) -> String {
    let day = |order: DateOrder| form.value_expression(&format!("g{index}"), order, "20", true);
    format!("{} AS d{index}, {} AS m{index}", day(DateOrder::DayFirst), day(DateOrder::MonthFirst))
}

/// Returns the expression that is true if a text is not a date in either order, as column `x`; a word that is not a
/// month's name makes no date.
fn is_impossible(index: usize, form: Form) -> String {
    let month = form.month_expression(&format!("g{index}"));
    format!("(t{index} IS NOT NULL AND d{index} IS NULL AND m{index} IS NULL AND {month} IS NOT NULL) AS x{index}")
}

/// Number of expressions in [`aggregate_expressions`].
const PARTS: usize = 18;

fn aggregate_expressions(index: usize) -> String {
    let (text, groups) = (format!("t{index}"), format!("g{index}"));
    let group = |number: usize| group_expression(&groups, number);
    let possible = format!("{text} IS NOT NULL AND NOT x{index}");
    let valid = |day: &str| format!("coalesce(bool_and({day}{index} IS NOT NULL) FILTER (WHERE {possible}), false)");
    let all = format!("coalesce(bool_and({} <> '') FILTER (WHERE {text} IS NOT NULL), false)", group(5));
    let number = |group: String| format!("TRY_CAST(nullif({group}, '') AS INTEGER)");
    let (first, last) = (number(group(1)), number(group(5)));
    [
        all,
        valid("d"),
        valid("m"),
        format!("count(DISTINCT {} || {}) FILTER (WHERE {text} IS NOT NULL)", group(2), group(4)),
        format!("coalesce(bool_or(length({}) = 2), false)", group(5)),
        format!("coalesce(bool_and(length({}) = 2), false)", group(5)),
        format!("coalesce(min({last}) FILTER (WHERE {possible}), 0)"),
        format!("coalesce(max({last}) FILTER (WHERE {possible}), 0)"),
        format!("count(DISTINCT {last}) FILTER (WHERE {possible})"),
        format!("count(DISTINCT {first}) FILTER (WHERE {possible})"),
        format!("coalesce(bool_or(length({}) > 0), false)", group(6)),
        format!("count(DISTINCT {}) FILTER (WHERE {text} IS NOT NULL)", group(8)),
        format!("max(nullif({}, ''))", group(8)),
        // An example that shows the order is preferred.
        format!(
            "coalesce(max({text}) FILTER (WHERE {possible} AND ({first} > 12 OR {} > 12)), max({text}) FILTER (WHERE {possible}), max({text}), '')",
            number(group(3))
        ),
        format!("coalesce(max({}), '')", group(2)),
        format!("count(*) FILTER (WHERE {possible})"),
        format!("count(*) FILTER (WHERE x{index})"),
        format!("count(*) FILTER (WHERE x{index} AND regexp_matches({text}, '[1-9]'))"),
    ]
    .join(", ")
}

fn read_date_profile(row: &Row<'_>, at: usize, column: usize, form: Form) -> Result<Option<DateProfile>> {
    if !row.get::<_, bool>(at)? {
        return Ok(None);
    }
    let mixed_signs: i64 = if form == Form::Numbers || form == Form::YearFirst { row.get(at + 3)? } else { 1 };
    Ok(Some(DateProfile {
        column,
        form,
        day_first: row.get(at + 1)?,
        month_first: row.get(at + 2)?,
        signs: mixed_signs,
        short_years: (row.get(at + 4)?, row.get(at + 5)?),
        last: (row.get(at + 6)?, row.get(at + 7)?, row.get(at + 8)?),
        firsts: row.get(at + 9)?,
        some_time: row.get(at + 10)?,
        zones: row.get(at + 11)?,
        zone: row.get(at + 12)?,
        example: row.get(at + 13)?,
        sign: row.get(at + 14)?,
        valid: row.get(at + 15)?,
        impossible: row.get(at + 16)?,
        wrong: row.get(at + 17)?,
    }))
}
