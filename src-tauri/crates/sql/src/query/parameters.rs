//! The constants of a query that a user may replace for each execution: dates, texts and numbers that are compared with
//! a column, and the row limit.
//!
//! A value replaces the characters of the constant, so that the rest of the query stays unchanged. The tokens of the
//! new text are compared to detect any other change, and the new text is proven like any other query.

use super::constant_subject::{Subject, part_of_date, subject_of, to_parameter_name};
use super::literals::only_column;
use crate::ast::visit_tree;
use crate::dialect::DialectExt;
use crate::parse::{Offsets, tokenize_sql};
use crate::read_only::ReadOnlySql;
use crate::text::is_date;
use sqlparser::ast::{BinaryOperator, Expr, LimitClause, Query, SetExpr, UnaryOperator, Value, ValueWithSpan, Visitor};
use sqlparser::tokenizer::Token;
use std::collections::{BTreeMap, HashMap};
use std::ops::{ControlFlow, Range};
use vitrine_domain::Dialect;
use vitrine_words::is_ambiguous_number;

/// Maximum length of a value, in characters.
const LONGEST: usize = 1_000;

/// The kind of value that a parameter accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ParameterKind {
    /// A date, with or without a time, in the format of the query.
    Date,
    /// A string of any content.
    Text,
    /// Digits with an optional sign and fraction.
    Number,
}

/// The side on which a constant limits the values of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bound {
    /// `>=`
    From,
    /// `>`
    After,
    /// `<`
    Before,
    /// `<=`
    UpTo,
}

impl Bound {
    /// Returns the bound that the opposite condition has: rows outside "from 3" are before 3.
    fn negate(self) -> Self {
        match self {
            Self::From => Self::Before,
            Self::After => Self::UpTo,
            Self::Before => Self::From,
            Self::UpTo => Self::After,
        }
    }
}

/// A constant that can be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parameter {
    /// Unique name within the query, derived from the column that it is compared with.
    pub name: String,
    /// The kind of value that it accepts.
    pub kind: ParameterKind,
    /// Current value in the query.
    pub value: String,
    /// The side that it limits; `None` for other constants, and if its positions differ.
    pub bound: Option<Bound>,
}

/// The reason why values cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// The query has no parameter of this name.
    Unknown {
        /// The name that was requested.
        name: String,
    },
    /// A value is not of its parameter's kind.
    Value {
        /// The name of the parameter.
        name: String,
        /// The kind of value that it accepts.
        kind: ParameterKind,
        /// Current value in the query, as an example.
        example: String,
    },
    /// A number that may be a fraction or may have grouped digits, in a language that groups digits by points.
    Ambiguous {
        /// The name of the parameter.
        name: String,
        /// The number as typed.
        value: String,
    },
    /// A placeholder of the query has no value.
    Missing {
        /// The name of the placeholder.
        name: String,
    },
    /// The query with these values is not proven to differ only in its constants.
    Unproven,
}

/// Returns the parameters of a query in text order. A constant that is compared with the same column in the same way at
/// several positions is one parameter.
pub fn extract_parameters(sql: &ReadOnlySql) -> Vec<Parameter> {
    locate_parameters(sql).into_iter().map(|place| place.parameter).collect()
}

/// Replaces the values of some parameters.
///
/// # Errors
/// An unknown parameter, a value of the wrong kind, or a new text that is not proven.
pub fn with_values(sql: &ReadOnlySql, values: &BTreeMap<String, String>) -> Result<ReadOnlySql, Unfit> {
    let places = locate_parameters(sql);
    if let Some(name) = values.keys().find(|name| !places.iter().any(|place| place.parameter.name == **name)) {
        return Err(Unfit::Unknown { name: name.clone() });
    }
    let mut edits: Vec<(Range<usize>, String, &str)> = Vec::new();
    for ParameterPosition { parameter, ranges, limits_rows } in &places {
        let Some(value) = values.get(&parameter.name).map(|value| value.trim()) else { continue };
        let wrong =
            || Unfit::Value { name: parameter.name.clone(), kind: parameter.kind, example: parameter.value.clone() };
        if parameter.kind == ParameterKind::Number && value != parameter.value && is_ambiguous_number(value) {
            return Err(Unfit::Ambiguous { name: parameter.name.clone(), value: value.to_owned() });
        }
        let written = format_value(value, parameter, sql.dialect()).filter(|_| !limits_rows || !value.starts_with('-'));
        let written = written.ok_or_else(wrong)?;
        edits.extend(ranges.iter().map(|range| (range.clone(), written.clone(), value)));
    }
    edits.sort_by_key(|(range, ..)| range.start);
    let mut text = sql.as_str().to_owned();
    for (range, written, _) in edits.iter().rev() {
        text.replace_range(range.clone(), written);
    }
    let changed = sql.with_text(&text).ok_or(Unfit::Unproven)?;
    let starts: BTreeMap<usize, &str> = edits.iter().map(|(range, _, value)| (range.start, *value)).collect();
    if only_these_differ(sql, &changed, &starts) { Ok(changed) } else { Err(Unfit::Unproven) }
}

/// Returns the first expression that a text constant is compared with. `None` if it is not compared.
pub fn compared_with(sql: &ReadOnlySql, constant: &str) -> Option<Subject> {
    sql.with_query(|query| {
        let mut finder = Finder::new(sql.as_str());
        let _ = visit_tree(&query, &mut finder);
        finder.subjects.into_iter().find(|(value, _)| value == constant).map(|(_, subject)| subject)
    })
    .flatten()
}

/// Returns the positions of the constants in a part of the query with this text.
pub(super) fn constant_ranges(text: &str, part: &Expr) -> Vec<Range<usize>> {
    let mut finder = Finder::new(text);
    let _ = visit_tree(part, &mut finder);
    finder.found.into_iter().map(|constant| constant.range).collect()
}

/// The parameters of a query by the positions of their constants.
pub(super) struct ParameterPositions(Vec<ParameterPosition>);

impl ParameterPositions {
    pub(super) fn from_query(sql: &ReadOnlySql) -> Self {
        Self(locate_parameters(sql))
    }

    /// Returns the parameters with constants at these positions. `None` if one of them also has constants at other positions.
    pub(super) fn find_inside(&self, ranges: &[Range<usize>]) -> Option<Vec<Parameter>> {
        let mut inside = Vec::new();
        for ParameterPosition { parameter, ranges: own, .. } in &self.0 {
            match own.iter().filter(|range| ranges.contains(range)).count() {
                0 => {}
                count if count == own.len() => inside.push(parameter.clone()),
                _ => return None,
            }
        }
        Some(inside)
    }
}

/// Returns the row limit of the outermost query as a parameter. `None` if it is not a constant, or if the parameter also has constants at
/// other positions.
pub fn find_row_limit(sql: &ReadOnlySql) -> Option<Parameter> {
    let range = sql.with_query(|query| {
        let limit = outermost_limit(&query)?;
        let offsets = Offsets::new(sql.as_str());
        let span = constant_value(limit)?.span;
        Some(offsets.byte_offset_at(span.start)..offsets.byte_offset_at(span.end))
    })??;
    let found = locate_parameters(sql).into_iter().find(|place| place.ranges == [range.clone()])?;
    Some(found.parameter)
}

fn outermost_limit(query: &Query) -> Option<&Expr> {
    match (&query.limit_clause, query.body.as_ref()) {
        (Some(LimitClause::LimitOffset { limit: Some(limit), .. }), _) => Some(limit),
        (None, SetExpr::Query(inner)) => outermost_limit(inner),
        _ => None,
    }
}

/// Returns the names of the parameters with the positions of their constants.
pub(super) fn parameter_ranges(sql: &ReadOnlySql) -> Vec<(String, Vec<Range<usize>>)> {
    locate_parameters(sql).into_iter().map(|place| (place.parameter.name, place.ranges)).collect()
}

/// A parameter with the positions of its constant.
struct ParameterPosition {
    parameter: Parameter,
    ranges: Vec<Range<usize>>,
    /// True if one of the constants is a row limit.
    limits_rows: bool,
}

fn locate_parameters(sql: &ReadOnlySql) -> Vec<ParameterPosition> {
    let mut found = sql
        .with_query(|query| {
            let mut finder = Finder::new(sql.as_str());
            let _ = visit_tree(&query, &mut finder);
            finder.found
        })
        .unwrap_or_default();
    found.sort_by_key(|constant| constant.range.start);
    found.dedup_by_key(|constant| constant.range.start);
    let mut places: Vec<ParameterPosition> = Vec::new();
    let mut known: HashMap<(String, ParameterKind, String), usize> = HashMap::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for Constant { name, kind, value, range, bound, limits_rows } in found {
        if let Some(&at) = known.get(&(name.clone(), kind, value.clone())) {
            let place: &mut ParameterPosition = &mut places[at];
            place.ranges.push(range);
            place.limits_rows |= limits_rows;
            place.parameter.bound = place.parameter.bound.filter(|own| Some(*own) == bound);
            continue;
        }
        let number = numbers.entry(name.clone()).or_default();
        *number += 1;
        let own = if *number == 1 { name.clone() } else { format!("{name}_{number}") };
        known.insert((name, kind, value.clone()), places.len());
        let parameter = Parameter { name: own, kind, value, bound };
        places.push(ParameterPosition { parameter, ranges: vec![range], limits_rows });
    }
    // Two parameters "a" yield "a_2", which may also be the name of a column.
    let mut taken = std::collections::HashSet::new();
    for place in &mut places {
        while !taken.insert(place.parameter.name.clone()) {
            place.parameter.name.push('_');
        }
    }
    places
}

/// A constant that is compared with a column.
struct Constant {
    name: String,
    kind: ParameterKind,
    value: String,
    range: Range<usize>,
    bound: Option<Bound>,
    limits_rows: bool,
}

struct Finder<'a> {
    offsets: Offsets<'a>,
    text: &'a str,
    found: Vec<Constant>,
    /// Text constants with the expressions they are compared with.
    subjects: Vec<(String, Subject)>,
    /// True within an odd number of NOT.
    negated: bool,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str) -> Self {
        Self { offsets: Offsets::new(text), text, found: Vec::new(), subjects: Vec::new(), negated: false }
    }

    fn record_comparison(&mut self, subject: &Expr, value: &Expr, bound: Option<Bound>) {
        match value {
            Expr::Tuple(items) => return items.iter().for_each(|item| self.record_comparison(subject, item, bound)),
            Expr::Nested(inner) => return self.record_comparison(subject, inner, bound),
            _ => {}
        }
        let Some(constant) = constant_value(value) else { return };
        if let Value::SingleQuotedString(text) = &constant.value {
            self.subjects.push((text.clone(), subject_of(subject)));
        }
        let Some((_, column)) = only_column(subject) else { return };
        // Names do not depend on NOT, because saved questions store them.
        let suffix = match bound {
            Some(Bound::From | Bound::After) => "_from",
            Some(Bound::Before | Bound::UpTo) => "_to",
            None => "",
        };
        let name =
            part_of_date(subject).map_or_else(|| format!("{}{suffix}", to_parameter_name(&column)), str::to_owned);
        let bound = bound.map(|bound| if self.negated { bound.negate() } else { bound });
        self.add(name, constant, bound);
    }

    fn add(&mut self, name: String, constant: &ValueWithSpan, bound: Option<Bound>) {
        let range = self.offsets.byte_offset_at(constant.span.start)..self.offsets.byte_offset_at(constant.span.end);
        let Some(own) = self.text.get(range.clone()) else { return };
        let (kind, value) = match &constant.value {
            Value::Number(number, _) if own == *number => (ParameterKind::Number, own.to_owned()),
            Value::SingleQuotedString(text) if own.starts_with('\'') && own.ends_with('\'') => {
                (if is_date(text) { ParameterKind::Date } else { ParameterKind::Text }, text.clone())
            }
            _ => return,
        };
        self.found.push(Constant { name, kind, value, range, bound, limits_rows: false });
    }
}

impl Visitor for Finder<'_> {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        if let Some(LimitClause::LimitOffset { limit: Some(limit), .. }) = &query.limit_clause
            && let Some(constant) = constant_value(limit)
        {
            if let Value::SingleQuotedString(text) = &constant.value {
                self.subjects.push((text.clone(), Subject::Number));
            }
            let before = self.found.len();
            self.add("limit".to_owned(), constant, None);
            self.found[before..].iter_mut().for_each(|constant| constant.limits_rows = true);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        use BinaryOperator as B;
        match expr {
            Expr::BinaryOp { left, op, right } => {
                let (bound, turned) = match op {
                    B::Eq | B::NotEq | B::Spaceship => (None, None),
                    B::Gt => (Some(Bound::After), Some(Bound::Before)),
                    B::GtEq => (Some(Bound::From), Some(Bound::UpTo)),
                    B::Lt => (Some(Bound::Before), Some(Bound::After)),
                    B::LtEq => (Some(Bound::UpTo), Some(Bound::From)),
                    _ => return ControlFlow::Continue(()),
                };
                self.record_comparison(left, right, bound);
                self.record_comparison(right, left, turned);
            }
            Expr::UnaryOp { op: UnaryOperator::Not, .. } => self.negated = !self.negated,
            Expr::InList { expr, list, .. } => list.iter().for_each(|item| self.record_comparison(expr, item, None)),
            Expr::Between { expr, low, high, negated } => {
                let outside = self.negated;
                self.negated = outside != *negated;
                self.record_comparison(expr, low, Some(Bound::From));
                self.record_comparison(expr, high, Some(Bound::UpTo));
                self.negated = outside;
            }
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                self.record_comparison(expr, pattern, None)
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn post_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        if matches!(expr, Expr::UnaryOp { op: UnaryOperator::Not, .. }) {
            self.negated = !self.negated;
        }
        ControlFlow::Continue(())
    }
}

/// Returns the constant of an expression, with or without a type.
fn constant_value(expr: &Expr) -> Option<&ValueWithSpan> {
    match expr {
        Expr::Value(value) => Some(value),
        Expr::TypedString(typed) if !typed.uses_odbc_syntax => Some(&typed.value),
        Expr::Cast { expr, .. } | Expr::Nested(expr) => constant_value(expr),
        _ => None,
    }
}

/// Formats a value in the notation of the query. `None` if it is not of the parameter's kind.
fn format_value(value: &str, parameter: &Parameter, dialect: Dialect) -> Option<String> {
    if !is_value(value) {
        return None;
    }
    match parameter.kind {
        ParameterKind::Number => format_number(value),
        // Same precision as the query's own value: with or without a time.
        ParameterKind::Date if !is_date(value) || value.len() != parameter.value.len() => None,
        ParameterKind::Date | ParameterKind::Text => Some(dialect.sql().quoted_text(value)),
    }
}

/// Returns true if the value has one line and does not exceed the maximum length.
pub(super) fn is_value(value: &str) -> bool {
    value.chars().count() <= LONGEST && !value.chars().any(char::is_control)
}

/// Removes the escapes from the text of a string token.
pub(super) fn unescape_text(text: &str, dialect: Dialect) -> String {
    if dialect.sql().keeps_escapes() { text.replace("\\\\", "\\") } else { text.to_owned() }
}

/// Returns true for digits with at most one decimal point.
pub(super) fn is_number(text: &str) -> bool {
    let (whole, rest) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| !text.is_empty() && text.len() <= 38 && text.bytes().all(|byte| byte.is_ascii_digit());
    digits(whole) && digits(rest)
}

/// Formats a number as a constant; a negative one in parentheses, because `a -:b` would otherwise begin a comment.
pub(super) fn format_number(value: &str) -> Option<String> {
    match value.strip_prefix('-') {
        Some(digits) => is_number(digits).then(|| format!("(-{digits})")),
        None => is_number(value).then(|| value.to_owned()),
    }
}

/// Returns true if two queries have the same tokens, except for constants at the given positions of the first, which
/// have the given values in the second.
fn only_these_differ(one: &ReadOnlySql, other: &ReadOnlySql, starts: &BTreeMap<usize, &str>) -> bool {
    let read = |sql: &ReadOnlySql| tokenize_sql(sql.as_str(), sql.dialect()).ok();
    let (Some(before), Some(after)) = (read(one), read(other)) else { return false };
    let offsets = Offsets::new(one.as_str());
    let mut after = after.iter().map(|token| &token.token);
    let same = before.iter().all(|before| {
        let Some(value) = starts.get(&offsets.byte_offset_at(before.span.start)) else {
            return after.next() == Some(&before.token);
        };
        match (&before.token, value.strip_prefix('-')) {
            (Token::Number(..), Some(digits)) => {
                let number = Token::Number(digits.to_owned(), false);
                [Token::LParen, Token::Minus, number, Token::RParen]
                    .iter()
                    .all(|expected| after.next() == Some(expected))
            }
            _ => match after.next() {
                Some(Token::Number(number, false)) => number == value,
                Some(Token::SingleQuotedString(text)) => unescape_text(text, one.dialect()) == *value,
                _ => false,
            },
        }
    });
    same && after.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_words::{Language, set_language};

    fn parse_sql(text: &str, dialect: Dialect) -> ReadOnlySql {
        ReadOnlySql::parse(text, dialect).expect(text)
    }

    fn parameter_values(text: &str) -> Vec<(String, String)> {
        extract_parameters(&parse_sql(text, Dialect::Duckdb))
            .into_iter()
            .map(|found| (found.name, found.value))
            .collect()
    }

    fn fill_parameters(text: &str, dialect: Dialect, values: &[(&str, &str)]) -> Result<String, Unfit> {
        let values = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        with_values(&parse_sql(text, dialect), &values).map(|filled| filled.as_str().to_owned())
    }

    fn owned_pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn constants_are_named_after_what_they_are_compared_with() {
        let text = "SELECT country, count(*) FROM orders
                    WHERE order_date >= DATE '2024-01-01' AND order_date < '2025-01-01' AND status IN ('paid', 'open')
                    AND year(shipped) = 2024 AND 100 < total GROUP BY 1 LIMIT 10";
        let expected = [
            ("order_date_from", "2024-01-01"),
            ("order_date_to", "2025-01-01"),
            ("status", "paid"),
            ("status_2", "open"),
            ("year", "2024"),
            ("total_from", "100"),
            ("limit", "10"),
        ];
        assert_eq!(parameter_values(text), owned_pairs(&expected));
        // Constants in computations and in the select list are not parameters.
        assert_eq!(parameter_values("SELECT 'total', 1 + n, round(x, 2) FROM t WHERE a = b AND n * 2 = m"), []);
    }

    #[test]
    fn what_a_constant_is_compared_with_is_told() {
        let text = "SELECT a FROM t WHERE t.a = 'a' AND lower(b) = 'b' AND year(c) = 'c' GROUP BY a HAVING count(*) > 'd' \
                    AND a + 'e' = 1 LIMIT 'f'";
        let sql = parse_sql(text, Dialect::Duckdb);
        let found: Vec<Option<Subject>> = ["a", "b", "c", "d", "e", "f"].map(|it| compared_with(&sql, it)).into();
        let (column, number) = (Some(Subject::Column("a".to_owned())), Some(Subject::Number));
        assert_eq!(found, [column, Some(Subject::Text), number.clone(), number.clone(), None, number]);
    }

    #[test]
    fn one_value_at_several_places_is_one_parameter() {
        let text =
            "WITH a AS (SELECT * FROM t WHERE year = 2024) SELECT * FROM a JOIN t USING (id) WHERE t.year = 2024";
        assert_eq!(parameter_values(text), owned_pairs(&[("year", "2024")]));
        assert_eq!(fill_parameters(text, Dialect::Duckdb, &[("year", "2023")]).unwrap(), text.replace("2024", "2023"));
    }

    #[test]
    fn the_rest_of_the_query_stays_letter_by_letter() {
        let text = "SELECT  n -- as 'paid'\nFROM t\tWHERE s='paid'  AND d >= '2024-02-29'";
        let changed = fill_parameters(text, Dialect::Duckdb, &[("s", "o'hara"), ("d_from", "2023-02-28")]).unwrap();
        assert_eq!(changed, "SELECT  n -- as 'paid'\nFROM t\tWHERE s='o''hara'  AND d >= '2023-02-28'");
        assert_eq!(fill_parameters(text, Dialect::Duckdb, &[]).unwrap(), text);
    }

    #[test]
    fn a_value_stays_a_value() {
        let text = "SELECT * FROM t WHERE s = 'a' AND n = 1";
        for (dialect, value, expected) in [
            (Dialect::Sqlite, "x' OR '1'='1", "'x'' OR ''1''=''1'"),
            (Dialect::Postgres, "a\\'b", "'a\\''b'"),
            (Dialect::Mysql, "a\\' OR 1=1 -- ", "'a\\\\'' OR 1=1 --'"),
            (Dialect::Bigquery, "a\\' OR 1=1", "'a\\\\\\' OR 1=1'"),
            (Dialect::Snowflake, "a\\", "'a\\\\'"),
            (Dialect::Clickhouse, "a\\' OR 1=1", "'a\\\\'' OR 1=1'"),
            (Dialect::Databricks, "a\\' OR 1=1", "'a\\\\'' OR 1=1'"),
        ] {
            let changed =
                fill_parameters(text, dialect, &[("s", value)]).unwrap_or_else(|why| panic!("{dialect:?}: {why:?}"));
            assert_eq!(changed, text.replace("'a'", expected), "{dialect:?}");
        }
        for wrong in ["1 OR 1=1", "", "-", "--1", "1; DROP TABLE t", "0x10", "1e9", "١"] {
            assert!(fill_parameters(text, Dialect::Sqlite, &[("n", wrong)]).is_err(), "{wrong}");
        }
        assert!(fill_parameters(text, Dialect::Sqlite, &[("s", "a\nb")]).is_err());
        assert_eq!(fill_parameters(text, Dialect::Sqlite, &[("m", "1")]), Err(Unfit::Unknown { name: "m".to_owned() }));
    }

    #[test]
    fn dates_are_days_of_the_calendar_written_as_the_query_writes_them() {
        let text = "SELECT * FROM t WHERE d = '2024-05-01'";
        assert!(fill_parameters(text, Dialect::Duckdb, &[("d", "2024-02-29")]).is_ok());
        for wrong in ["2023-02-29", "2024-13-01", "2024-5-1", "01.05.2024", "2024-05-01 10:00:00", "yesterday"] {
            assert!(fill_parameters(text, Dialect::Duckdb, &[("d", wrong)]).is_err(), "{wrong}");
        }
        assert!(is_date("2024-05-01T10:00:00.25") && !is_date("2024-05-01T24:00:00") && !is_date("2024-05-01x"));
    }

    #[test]
    fn a_number_may_be_negative_unless_it_limits_the_rows() {
        let text = "SELECT a FROM t WHERE n > 1 AND m=2 LIMIT 10";
        let changed = fill_parameters(text, Dialect::Sqlite, &[("n_from", "-1.5"), ("m", "-2")]).unwrap();
        assert_eq!(changed, "SELECT a FROM t WHERE n > (-1.5) AND m=(-2) LIMIT 10");
        assert!(fill_parameters(text, Dialect::Sqlite, &[("limit", "-1")]).is_err());
        assert!(fill_parameters(text, Dialect::Sqlite, &[("limit", "3")]).is_ok());
    }

    #[test]
    fn digits_that_may_be_grouped_are_refused_where_points_group_digits() {
        let text = "SELECT a FROM t WHERE n = 5";
        let fill = |value: &str| fill_parameters(text, Dialect::Sqlite, &[("n", value)]);
        assert!(fill("1.000").is_ok());
        for language in [Language::German, Language::French] {
            set_language(language, "");
            let refused = |value: &str| matches!(fill(value), Err(Unfit::Ambiguous { .. }));
            assert!(refused("1.000") && refused("-12.345"));
            assert!(fill("1000").is_ok() && fill("1.5").is_ok() && fill("0.125").is_ok());
        }
    }

    #[test]
    fn the_row_limit_is_found_by_its_position() {
        let limit = |text: &str| find_row_limit(&parse_sql(text, Dialect::Duckdb)).map(|found| found.value);
        assert_eq!(limit("SELECT a FROM t WHERE b = 1 LIMIT 10").as_deref(), Some("10"));
        assert_eq!(limit("SELECT a FROM (SELECT a FROM t LIMIT 5) AS x LIMIT 10").as_deref(), Some("10"));
        for none in [
            "SELECT a FROM (SELECT a FROM t LIMIT 10) AS x",
            "SELECT a FROM (SELECT a FROM t LIMIT 10) AS x LIMIT 10",
            "SELECT a FROM t WHERE \"limit\" = 10 LIMIT 10",
            "SELECT a FROM t WHERE \"limit\" = 10",
        ] {
            assert_eq!(limit(none), None, "{none}");
        }
    }

    #[test]
    fn a_bound_is_labelled_by_its_operator() {
        let bounds = |condition: &str| -> Vec<Option<Bound>> {
            let sql = parse_sql(&format!("SELECT a FROM t WHERE {condition}"), Dialect::Duckdb);
            extract_parameters(&sql).into_iter().map(|found| found.bound).collect()
        };
        assert_eq!(bounds("d >= 1 AND d < 2"), [Some(Bound::From), Some(Bound::Before)]);
        assert_eq!(bounds("d > 1 AND 2 >= d"), [Some(Bound::After), Some(Bound::UpTo)]);
        assert_eq!(bounds("NOT (d < 1) AND d <= 2"), [Some(Bound::From), Some(Bound::UpTo)]);
        assert_eq!(bounds("d NOT BETWEEN 1 AND 2"), [Some(Bound::Before), Some(Bound::After)]);
        assert_eq!(
            bounds("d BETWEEN 1 AND 2 AND year(d) >= 2024"),
            [Some(Bound::From), Some(Bound::UpTo), Some(Bound::From)]
        );
        assert_eq!(bounds("d = 1"), [None]);
    }
}
