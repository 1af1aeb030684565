//! Expressions and clauses that Vitrine writes itself, such as dates, quotients and casts.

use super::syntax::Syntax;
use crate::column_type::ColumnType;
use vitrine_domain::AROUND_MONTHS;
use vitrine_domain::views::{Period, Step};

/// An engine's behaviour when a number column is compared with a text column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NumberTextComparison {
    /// Converts text that is a number; other text differs from every number.
    ConvertsNumbers,
    /// Converts the number at the beginning of the text, or 0 if it begins with none.
    ConvertsPrefix,
    /// Casts the text to a number and fails if it is not one.
    Casts,
    /// Rejects the query with an error.
    Refuses,
}

/// Expressions and clauses that Vitrine writes itself, such as dates, quotients and casts. Defaults describe standard SQL.
///
/// Expressions that read text are NULL for text that does not parse, because one bad value must not fail a query.
pub trait Expressions: Syntax {
    /// Formats a text constant as a string literal.
    fn text_literal(&self, value: &str) -> String {
        self.quoted_text(value)
    }

    /// Returns a boolean constant.
    fn boolean_literal(&self, value: bool) -> &'static str {
        if value { "TRUE" } else { "FALSE" }
    }

    /// Formats a day in ISO form as a date literal.
    fn day_literal(&self, day: &str) -> String {
        format!("DATE '{day}'")
    }

    /// Returns the function that converts text to lower case, including letters other than ASCII where possible.
    fn lower_function(&self) -> &'static str {
        "LOWER"
    }

    /// Returns true if ROUND with a precision accepts decimals but no floats.
    fn rounds_only_decimals(&self) -> bool {
        false
    }

    /// Returns true if there are types for dates and timestamps, rather than text that date functions parse.
    fn has_date_types(&self) -> bool {
        true
    }

    /// Returns true if the columns that a foreign key refers to are reliably unique.
    fn enforces_referenced_keys(&self) -> bool {
        true
    }

    /// Returns true if declared primary and unique keys are unique, rather than information for the planner.
    fn enforces_unique_keys(&self) -> bool {
        true
    }

    /// Returns the behaviour when a number column is compared with a text column.
    fn number_text_comparison(&self) -> NumberTextComparison {
        NumberTextComparison::Casts
    }

    // Dates.

    /// Returns the function that casts arbitrary text to a day.
    fn day_cast_of_text(&self) -> &'static str {
        "CAST"
    }

    /// Returns the day of a date, a timestamp or a text with either.
    fn day_of(&self, expr: &str, family: ColumnType) -> String {
        match family {
            ColumnType::Date => expr.to_owned(),
            ColumnType::Text | ColumnType::Unknown => format!("{}({expr} AS DATE)", self.day_cast_of_text()),
            _ => format!("CAST({expr} AS DATE)"),
        }
    }

    /// Converts a timestamp to a form in which timestamps can be compared.
    fn comparable_timestamp(&self, expr: String) -> String {
        expr
    }

    /// Returns the first day of a date's period; weeks begin on Monday.
    fn first_day(&self, expr: &str, period: Period, family: ColumnType) -> String {
        match period {
            Period::Day => self.day_of(expr, family),
            _ => self.first_day_of_longer(expr, period, family),
        }
    }

    /// Returns the first day of a date's week or longer period.
    fn first_day_of_longer(&self, expr: &str, period: Period, family: ColumnType) -> String {
        let day = match family {
            // DATE_TRUNC accepts timestamps.
            ColumnType::Timestamp => expr.to_owned(),
            _ => self.day_of(expr, family),
        };
        format!("CAST(DATE_TRUNC('{}', {day}) AS DATE)", period.name())
    }

    /// Counts calendar steps between two days.
    fn count_steps(&self, from: &str, to: &str, unit: Period) -> String {
        let monday = |day: &str| self.first_day(day, Period::Week, ColumnType::Date);
        match unit {
            Period::Day => self.count_days(from, to),
            Period::Week => self.days_to_weeks(&self.count_days(&monday(from), &monday(to))),
            Period::Month | Period::Quarter | Period::Year => self.count_longer_steps(from, to, unit),
        }
    }

    /// Counts the days between two days.
    fn count_days(&self, from: &str, to: &str) -> String {
        format!("DATE_DIFF('day', {from}, {to})")
    }

    /// Converts a number of days between Mondays, as written by [`Expressions::count_days`], to weeks.
    fn days_to_weeks(&self, days: &str) -> String {
        format!("{days} / 7")
    }

    /// Counts months, quarters or years between two days.
    fn count_longer_steps(&self, from: &str, to: &str, unit: Period) -> String {
        let years = |day: &str| self.date_number(Period::Year, day);
        let steps_per_year = match unit {
            Period::Quarter => 4,
            Period::Month => 12,
            Period::Year | Period::Week | Period::Day => return format!("{} - {}", years(to), years(from)),
        };
        let years = format!("({} - {}) * {steps_per_year}", years(to), years(from));
        format!("{years} + {} - {}", self.date_number(unit, to), self.date_number(unit, from))
    }

    /// Returns the number of a day's month, quarter or year.
    fn date_number(&self, part: Period, day: &str) -> String {
        format!("CAST(EXTRACT({} FROM {day}) AS INTEGER)", part.name().to_uppercase())
    }

    /// Adds a number of days, as an expression of an integer, to a day.
    fn add_days(&self, day: &str, days: &str) -> String {
        format!("DATE_ADD('day', {days}, {day})")
    }

    /// Adds a constant number of months to a day. The last day of a shorter month replaces days that it lacks.
    fn add_months(&self, day: &str, months: i64) -> String {
        format!("DATE_ADD('month', {months}, {day})")
    }

    /// Returns true if timestamps of a declared type have a time zone.
    fn is_zoned_type(&self, data_type: &str) -> bool {
        let name = data_type.to_ascii_uppercase();
        ["TZ", "WITH TIME ZONE", "_LTZ"].iter().any(|sign| name.contains(sign)) && !name.contains("NTZ")
    }

    /// Converts a stored timestamp to the local time of a time zone. `stored` is the time zone of timestamps without one;
    /// `zoned` is true for a column whose timestamps have one. `None` if the dialect cannot do this reliably.
    fn local_time(&self, _expr: &str, _zone: &str, _stored: &str, _zoned: bool) -> Option<String> {
        None
    }

    // Numbers.

    /// Converts a dividend so that the quotient keeps its fraction.
    fn dividend(&self, expr: &str, _family: ColumnType) -> String {
        expr.to_owned()
    }

    /// Returns a mean that keeps its fraction.
    fn mean(&self, of: &str) -> String {
        format!("AVG({of})")
    }

    /// Returns true if there is an aggregate for exact medians.
    fn has_median(&self) -> bool {
        true
    }

    /// Returns a median, in dialects that have one.
    fn median(&self, of: &str) -> String {
        format!("MEDIAN({of})")
    }

    /// Returns true if there is an aggregate for standard deviations.
    fn has_standard_deviation(&self) -> bool {
        true
    }

    /// Returns a sample standard deviation that is NULL for a single value, in dialects that have one.
    fn standard_deviation(&self, of: &str) -> String {
        format!("STDDEV_SAMP({of})")
    }

    /// Truncates a number to its whole part.
    fn truncate_number(&self, expr: &str) -> String;

    /// Converts the text of a number column to a number.
    fn read_number(&self, expr: &str) -> String;

    // Casts. Values that cannot be converted become NULL.

    /// Converts a value to text.
    fn cast_to_text(&self, expr: &str) -> String {
        format!("CAST({expr} AS {})", self.text_type())
    }

    /// Converts arbitrary text to a number.
    fn cast_text_to_number(&self, expr: &str) -> String {
        self.read_number(expr)
    }

    /// Converts a date to text in ISO form.
    fn day_to_text(&self, expr: &str) -> String {
        self.cast_to_text(expr)
    }

    /// Converts a boolean to one of two expressions.
    fn boolean_case(&self, expr: &str, yes: &str, no: &str) -> String {
        format!("CASE WHEN {expr} THEN {yes} WHEN NOT {expr} THEN {no} END")
    }

    /// Returns the first letters of a text.
    fn first_letters(&self, expr: &str, letters: u32) -> String {
        format!("SUBSTR({expr}, 1, {letters})")
    }

    /// Converts text that begins with a day in ISO form.
    fn text_to_day(&self, expr: &str) -> String {
        self.iso_text_to_day(&self.first_letters(&format!("TRIM({expr})"), 10))
    }

    /// Converts a text of ten characters to a day if it is one in ISO form.
    fn iso_text_to_day(&self, text: &str) -> String {
        // The cast accepts more than whole days.
        let read = format!("TRY_CAST({text} AS DATE)");
        format!("CASE WHEN {} = {text} THEN {read} END", self.cast_to_text(&read))
    }

    /// Converts text of a strptime format to a date, or to a timestamp if the format has a time of day.
    fn text_to_moment(&self, expr: &str, format: &str) -> String;

    /// Returns the month name in a text of digits, separators and one name.
    fn month_name_in(&self, text: &str) -> String {
        format!("RTRIM(LTRIM({text}, '{AROUND_MONTHS}'), '{AROUND_MONTHS}')")
    }

    // Conditions.

    /// Returns a condition that is true if a text contains another.
    fn contains_condition(&self, expr: &str, wanted: &str) -> String {
        format!("STRPOS({expr}, {wanted}) > 0")
    }

    /// Converts a pattern whose only wildcards are `%` and `_` to a pattern of LIKE.
    fn like_pattern(&self, pattern: &str) -> String {
        pattern.to_owned()
    }

    // Nested values.

    /// Returns true if text columns may contain JSON that paths lead into, because other text gives NULL.
    fn reads_paths_in_text(&self) -> bool {
        true
    }

    /// Formats a path into JSON as a string literal.
    fn json_path(&self, path: &[Step]) -> String {
        self.text_literal(&format!("${}", join_steps(path, |key| format!(".\"{key}\""))))
    }

    /// Returns the text of the value at the end of a path into an array, struct or JSON; NULL if there is none, or if a
    /// text column contains no JSON.
    fn text_at_path(&self, expr: &str, path: &[Step], family: ColumnType) -> String;

    /// Returns true if the types of list columns declare the types of their members.
    fn has_typed_lists(&self) -> bool {
        false
    }

    /// Returns true if a query can name the fields of a list's members after unnesting it.
    fn reads_fields_of_members(&self) -> bool {
        true
    }

    /// Returns the beginning of a string literal in list syntax.
    fn list_literal_start(&self) -> &'static str {
        "'{"
    }

    /// Returns a condition that is true if a list contains a value.
    fn list_contains(&self, list: &str, value: &str) -> String {
        format!("{value} = ANY({list})")
    }

    /// Returns a condition that is true if any member of a list meets a condition on the name `member`. `fields` are the
    /// quoted field names of members that are structs.
    fn any_list_member(&self, list: &str, member: &str, fields: Option<&[String]>, condition: &str) -> String {
        format!("EXISTS (SELECT 1 FROM {} WHERE {condition})", self.list_members_table(list, member, fields))
    }

    /// Returns a FROM item with the members of a list as rows.
    fn list_members_table(&self, list: &str, member: &str, _fields: Option<&[String]>) -> String {
        format!("unnest({list}) AS {member}s({member})")
    }

    /// Returns a join that repeats a row for each member of its list.
    fn list_members_join(&self, list: &str, member: &str, fields: Option<&[String]>) -> String {
        format!("CROSS JOIN {}", self.list_members_table(list, member, fields))
    }

    // Clauses.

    /// Returns true if there are full joins.
    fn has_full_join(&self) -> bool {
        true
    }

    /// Returns the join that keeps the left rows without a match; `None` if a subquery must express it.
    fn anti_join(&self) -> Option<&'static str> {
        None
    }

    /// Returns true if ORDER BY accepts expressions over names of the select list.
    fn sorts_by_expressions_over_aliases(&self) -> bool {
        true
    }

    /// Returns true if ORDER BY accepts expressions over aggregates where [`Expressions::nulls_last`] writes them.
    fn sorts_by_expressions_over_aggregates(&self) -> bool {
        true
    }

    /// Returns a sort key with NULL at the end.
    fn nulls_last(&self, key: &str, descending: bool) -> String {
        if descending { format!("{key} DESC NULLS LAST") } else { format!("{key} NULLS LAST") }
    }

    /// Returns true if the first row by an ascending key ignores the order of NULL.
    fn ignores_nulls_last_of_first_row(&self) -> bool {
        false
    }

    /// Returns the end of a query that sorts and limits its rows, each part on a line of its own.
    fn sort_and_limit_clauses(&self, keys: &[String], limit: Option<u32>) -> String {
        let order = if keys.is_empty() { String::new() } else { format!("\nORDER BY {}", keys.join(", ")) };
        let limit = limit.map(|limit| format!("\nLIMIT {limit}")).unwrap_or_default();
        order + &limit
    }

    /// Returns a window function that numbers the rows of a table in any order.
    fn row_numbers(&self) -> &'static str {
        "ROW_NUMBER() OVER ()"
    }

    /// Returns the value of an earlier row of a window, NULL if there is none.
    fn lag(&self, of: &str, rows: u32, over: &str) -> String {
        format!("LAG({of}, {rows}) OVER ({over})")
    }
}

/// A regular expression for numbers, for engines that fail on other text or convert only its beginning.
pub(crate) const NUMBER_PATTERN: &str = "'^ *[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)? *$'";

/// Returns true if a column of this class may contain text.
pub(crate) fn may_be_text(family: ColumnType) -> bool {
    matches!(family, ColumnType::Text | ColumnType::Unknown)
}

/// Joins the steps of a path, with array indices in brackets and keys as formatted by `key`.
pub(crate) fn join_steps(path: &[Step], key: impl Fn(&str) -> String) -> String {
    let step = |step: &Step| match step {
        Step::Key(name) => key(name),
        Step::Element(at) => format!("[{at}]"),
    };
    path.iter().map(step).collect()
}
