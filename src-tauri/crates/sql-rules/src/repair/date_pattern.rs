//! Dates matched with a text pattern: `order_date LIKE '2023%'`. Some engines match the date in ISO form; others do not
//! support patterns for dates and reject the query. For these, the pattern is replaced by a date range, `order_date >=
//! '2023-01-01' AND order_date < '2024-01-01'`, or by a date part, `EXTRACT(MONTH FROM order_date) = 3`. Neither form
//! converts the date to text, so an index can serve the range, and a timestamp with time zone is read in the displayed
//! zone. A pattern that no ISO date matches (`'03/%'`), or that is ambiguous (`'%-03%'`), stays unchanged, because an
//! empty result would be worse than an error.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{BinaryOperator, Expr, Ident, OrderBy, Query, Select, SelectItem, Value};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    InScope, Relation, build_and, build_or, each_own_expr, iter_relations, parse_expr, resolve_column_table,
};
use vitrine_sql::{ColumnType, DialectExt, days_in_month, same_name};
use vitrine_words::{join_with_and, tr};

/// Range of numbers that are interpreted as years.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2999;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if !input.catalog.dialect.sql().rejects_date_patterns() {
        return Vec::new();
    }
    each_select(query, input, |select, order_by, scope| {
        replace_date_patterns(select, order_by, scope).into_iter().collect()
    })
}

/// Replaces matches of dates with a pattern in a SELECT and its ORDER BY.
fn replace_date_patterns(select: &mut Select, order_by: &mut Option<OrderBy>, scope: &InScope<'_>) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, scope).flatten().collect();
    let hidden = shadowed_names(select, &tables);
    let mut comparer = Comparer { tables, hidden, dialect: scope.dialect, compared: Vec::new() };
    if let Some(condition) = &mut select.selection {
        comparer.replace_conjuncts(condition);
    }
    let mut anywhere = |expr: &mut Expr| {
        if let Some(comparison) = comparer.date_comparison(expr) {
            *expr = Expr::Nested(Box::new(comparison));
        }
    };
    each_own_expr(select, &mut anywhere);
    each_own_expr(order_by, &mut anywhere);
    let columns = comparer.compared;
    (!columns.is_empty()).then(|| tr!("Compared {columns} as a date, not as text", columns = join_with_and(&columns)))
}

/// Returns the aliases of a SELECT that hide a column of the same name in some engines.
fn shadowed_names(select: &Select, tables: &[Relation<'_>]) -> Vec<String> {
    let other = |item: &SelectItem| match item {
        SelectItem::ExprWithAlias { expr, alias } => {
            let itself = resolve_column_table(expr, tables).is_some_and(|(_, name)| same_name(name, &alias.value));
            (!itself).then(|| alias.value.clone())
        }
        _ => None,
    };
    select.projection.iter().filter_map(other).collect()
}

struct Comparer<'a> {
    tables: Vec<Relation<'a>>,
    hidden: Vec<String>,
    dialect: Dialect,
    compared: Vec<String>,
}

impl Comparer<'_> {
    /// Replaces the operands of a conjunction, which need no parentheses around a conjunction.
    fn replace_conjuncts(&mut self, expr: &mut Expr) {
        if let Expr::BinaryOp { left, op: BinaryOperator::And, right } = expr {
            self.replace_conjuncts(left);
            self.replace_conjuncts(right);
        } else if let Some(comparison) = self.date_comparison(expr) {
            *expr = match comparison {
                Expr::BinaryOp { op: BinaryOperator::Or, .. } => Expr::Nested(Box::new(comparison)),
                comparison => comparison,
            };
        }
    }

    /// Returns the replacement for a match of a date with a pattern.
    fn date_comparison(&mut self, expr: &Expr) -> Option<Expr> {
        let (Expr::Like { negated, any: false, expr, pattern, escape_char: None }
        | Expr::ILike { negated, any: false, expr, pattern, escape_char: None }) = expr
        else {
            return None;
        };
        let (name, with_time) = self.date_column(expr)?;
        let Expr::Value(pattern) = pattern.as_ref() else { return None };
        let (Value::SingleQuotedString(pattern) | Value::DoubleQuotedString(pattern)) = &pattern.value else {
            return None;
        };
        let parts = Asked::parse_pattern(pattern, with_time)?.column_comparisons(&expr.to_string());
        let parsed = parts.iter().map(|(fits, fails)| parse_expr(if *negated { fails } else { fits }, self.dialect));
        let joined =
            parsed.collect::<Option<Vec<_>>>()?.into_iter().reduce(if *negated { build_or } else { build_and })?;
        if !self.compared.contains(&name) {
            self.compared.push(name);
        }
        Some(joined)
    }

    /// Returns the name of a date column, and true if it has a time.
    fn date_column(&self, expr: &Expr) -> Option<(String, bool)> {
        let (table, name) = resolve_column_table(expr, &self.tables)?;
        if matches!(expr, Expr::Identifier(Ident { value, .. }) if self.hidden.iter().any(|own| same_name(own, value)))
        {
            return None;
        }
        match self.dialect.sql().column_type(&table.find_column(name)?.data_type) {
            ColumnType::Date => Some((name.to_owned(), false)),
            ColumnType::Timestamp => Some((name.to_owned(), true)),
            _ => None,
        }
    }
}

/// The date parts that a pattern fixes, in ISO form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Asked {
    year: Option<u32>,
    month: Option<u32>,
    day: Option<u32>,
}

impl Asked {
    fn parse_pattern(pattern: &str, with_time: bool) -> Option<Self> {
        let head = pattern.trim_end_matches('%');
        let open = head != pattern;
        let parts: Vec<&str> = head.split('-').collect();
        let whole = parts.len() == 3;
        // All remaining parts must be open, including the time of a timestamp.
        if parts.len() > 3 || !open && (with_time || !whole) {
            return None;
        }
        // `%2023` can only be the year, independent of the text before it.
        let year = parts[0].strip_prefix('%').filter(|rest| !rest.is_empty()).unwrap_or(parts[0]);
        let year = DatePart::parse_part(year, "____", 4, false)?;
        let month =
            parts.get(1).map_or(Some(DatePart::Any), |part| DatePart::parse_part(part, "__", 2, open && !whole))?;
        let day = parts.get(2).map_or(Some(DatePart::Any), |part| DatePart::parse_part(part, "__", 2, open))?;
        // `%-03` may be a month or a day.
        if parts[0] == "%" && !whole {
            return None;
        }
        let asked = Self { year: year.number_value(), month: month.number_value(), day: day.number_value() };
        asked.is_valid_date().then_some(asked)
    }

    /// Returns true if such a day exists, and the pattern fixes at least one part.
    fn is_valid_date(self) -> bool {
        let Self { year, month, day } = self;
        let days = month.map_or(Some(31), |month| days_in_month(year.unwrap_or(2000), month));
        let fits = days.is_some_and(|days| day.is_none_or(|day| (1..=days).contains(&day)));
        fits && year.is_none_or(|year| YEARS.contains(&year)) && (year.or(month).or(day)).is_some()
    }

    /// Returns the comparisons that must all be true for a column, each with its negation.
    fn column_comparisons(self, column: &str) -> Vec<(String, String)> {
        let either = |fits: &str, fails: &str, value: &str| (format!("{fits} {value}"), format!("{fails} {value}"));
        let part = |name: &str, number: u32| {
            let part = format!("EXTRACT({name} FROM {column})");
            either(&format!("{part} ="), &format!("{part} <>"), &number.to_string())
        };
        let (from, before) = (format!("{column} >="), format!("{column} <"));
        let span = |year: u32, month: Option<u32>, day: Option<u32>| {
            let first = date_literal((year, month.unwrap_or(1), day.unwrap_or(1)));
            let end = date_literal(day_after(year, month, day));
            [either(&from, &before, &first), either(&before, &from, &end)]
        };
        match self {
            Self { year: Some(year), month: None, day: Some(day) } => {
                span(year, None, None).into_iter().chain([part("DAY", day)]).collect()
            }
            Self { year: Some(year), month, day } => span(year, month, day).to_vec(),
            Self { year: None, month, day } => {
                let parts = [("MONTH", month), ("DAY", day)];
                parts.into_iter().filter_map(|(name, number)| Some(part(name, number?))).collect()
            }
        }
    }
}

/// A part of a date in a pattern.
#[derive(Clone, Copy)]
enum DatePart {
    Any,
    Number(u32),
}

impl DatePart {
    /// Parses a part. `blank` has one wildcard for each character of the part. If `may_lack` is true, an empty part
    /// matches any value.
    fn parse_part(text: &str, blank: &str, digits: usize, may_lack: bool) -> Option<Self> {
        if text == blank || text == "%" || text.is_empty() && may_lack {
            return Some(DatePart::Any);
        }
        let is_number = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { text.parse().ok().map(DatePart::Number) } else { None }
    }

    fn number_value(self) -> Option<u32> {
        match self {
            DatePart::Any => None,
            DatePart::Number(number) => Some(number),
        }
    }
}

/// Returns the first day after a year, a month of it, or a day.
fn day_after(year: u32, month: Option<u32>, day: Option<u32>) -> (u32, u32, u32) {
    match (month, day) {
        (None | Some(12), None) => (year + 1, 1, 1),
        (Some(month), Some(day)) if days_in_month(year, month).is_some_and(|days| day < days) => (year, month, day + 1),
        (Some(month), None) => (year, month + 1, 1),
        (month, Some(_)) => day_after(year, month, None),
    }
}

fn date_literal((year, month, day): (u32, u32, u32)) -> String {
    format!("'{year:04}-{month:02}-{day:02}'")
}
