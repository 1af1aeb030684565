//! Dates matched with a pattern of text: `order_date LIKE '2023%'`. Some engines match the date as they write it, in ISO
//! form; the others know no pattern for a date and reject the query. There the pattern becomes what it says of year, month
//! and day: a span of days that the column is compared with, `order_date >= '2023-01-01' AND order_date < '2024-01-01'`, or
//! a part of the date, `EXTRACT(MONTH FROM order_date) = 3`. Neither takes the date for a text, so that an index serves the
//! span, and a moment with a zone is read in the zone in which it is shown. A pattern that no date fits in ISO form
//! (`'03/%'`), or that could mean two of its parts (`'%-03%'`), is left alone: an empty result would be worse than none.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{BinaryOperator, Expr, Ident, OrderBy, Query, Select, SelectItem, Value};
use vitrine_domain::Dialect;
use vitrine_sql::ast::{
    InScope, Relation, build_and, build_or, each_own_expr, iter_relations, parse_expr, resolve_column_table,
};
use vitrine_sql::{ColumnType, days_in_month, same_name};
use vitrine_words::{join_with_and, tr};

/// Engines that reject a pattern for a date.
const REJECTS: [Dialect; 4] = [Dialect::Bigquery, Dialect::Clickhouse, Dialect::Duckdb, Dialect::Postgres];

/// Numbers accepted as years.
const YEARS: std::ops::RangeInclusive<u32> = 1000..=2999;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    if !REJECTS.contains(&input.catalog.dialect) {
        return Vec::new();
    }
    each_select(query, input, |select, order_by, scope| {
        replace_date_patterns(select, order_by, scope).into_iter().collect()
    })
}

/// Compares dates with days, wherever a SELECT and its ORDER BY match them with a pattern.
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

/// Names that the SELECT gives to something else than the column of that name: some engines take them first.
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
    /// Changes the parts that AND joins, which need no brackets for what AND joins.
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

    /// What a match of a date with a pattern says.
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

    /// A date's column, and whether it has a time.
    fn date_column(&self, expr: &Expr) -> Option<(String, bool)> {
        let (table, name) = resolve_column_table(expr, &self.tables)?;
        if matches!(expr, Expr::Identifier(Ident { value, .. }) if self.hidden.iter().any(|own| same_name(own, value)))
        {
            return None;
        }
        match ColumnType::from_data_type(&table.find_column(name)?.data_type, self.dialect) {
            ColumnType::Date => Some((name.to_owned(), false)),
            ColumnType::Timestamp => Some((name.to_owned(), true)),
            _ => None,
        }
    }
}

/// What a pattern says of a date in ISO form.
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
        // Whatever is not said has to be open, the time of a moment too.
        if parts.len() > 3 || !open && (with_time || !whole) {
            return None;
        }
        // `%2023` can be no other part, whatever stands before it.
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

    /// Whether there is such a day, and the pattern says something.
    fn is_valid_date(self) -> bool {
        let Self { year, month, day } = self;
        let days = month.map_or(Some(31), |month| days_in_month(year.unwrap_or(2000), month));
        let fits = days.is_some_and(|days| day.is_none_or(|day| (1..=days).contains(&day)));
        fits && year.is_none_or(|year| YEARS.contains(&year)) && (year.or(month).or(day)).is_some()
    }

    /// What all has to hold of a column, each with what holds where it does not.
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

/// A part of a date as a pattern writes it.
#[derive(Clone, Copy)]
enum DatePart {
    Any,
    Number(u32),
}

impl DatePart {
    /// `blank` is as many letters as the part has; a part that is not begun stands for any, where `may_lack`.
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

/// The first day after a year, a month of it, or a day.
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
