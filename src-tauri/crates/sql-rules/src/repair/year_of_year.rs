//! The year function applied to a number that is already a year: `EXTRACT(YEAR FROM year)`. SQLite interprets such a
//! number as a day; other engines reject the query.

use super::each_select;
use crate::RuleInput;
use sqlparser::ast::{DateTimeField, Expr, OrderBy, Query, Select, Value, ValueWithSpan};
use vitrine_domain::Profile;
use vitrine_sql::ast::{InScope, Relation, each_own_expr, iter_relations, plain_arguments, resolve_column_table};
use vitrine_sql::is_integer;
use vitrine_words::{join_with_and, tr};

/// Range of numbers that are interpreted as years.
const YEARS: std::ops::RangeInclusive<i64> = 1000..=2999;

pub(crate) fn apply_rule(query: &mut Query, input: &RuleInput<'_>) -> Vec<String> {
    each_select(query, input, |select, order_by, scope| {
        take_years(select, order_by, scope, input.profile).into_iter().collect()
    })
}

/// Removes year functions around columns that only contain years, in a SELECT and its ORDER BY.
fn take_years(
    select: &mut Select,
    order_by: &mut Option<OrderBy>,
    catalog: &InScope<'_>,
    profile: &Profile,
) -> Option<String> {
    let tables: Vec<Relation<'_>> = iter_relations(select, catalog).flatten().collect();
    let mut taker = Taker { tables, profile, taken: Vec::new() };
    each_own_expr(select, |expr| taker.replace_year_call(expr));
    each_own_expr(order_by, |expr| taker.replace_year_call(expr));
    let columns = taker.taken;
    (!columns.is_empty())
        .then(|| tr!("Used {columns} unchanged: it contains years, not dates", columns = join_with_and(&columns)))
}

struct Taker<'a> {
    tables: Vec<Relation<'a>>,
    profile: &'a Profile,
    taken: Vec<String>,
}

impl Taker<'_> {
    /// Returns the column's name if it contains years.
    fn year_column(&self, expr: &Expr) -> Option<String> {
        let (table, name) = resolve_column_table(expr, &self.tables)?;
        if !is_integer(&table.find_column(name)?.data_type) {
            return None;
        }
        let profile = self.profile.find_table(&table.name)?.find_column(name)?;
        let is_year = |bound: &Option<String>| bound.as_ref()?.parse().ok().map(|number| YEARS.contains(&number));
        (is_year(&profile.min)? && is_year(&profile.max)?).then(|| name.to_owned())
    }

    fn replace_year_call(&mut self, expr: &mut Expr) {
        if let Some(inner) = year_of(expr)
            && let Some(name) = self.year_column(inner)
        {
            *expr = inner.clone();
            if !self.taken.contains(&name) {
                self.taken.push(name);
            }
        }
    }
}

/// Returns the argument of an expression that extracts a year.
fn year_of(expr: &Expr) -> Option<&Expr> {
    match expr {
        Expr::Extract { field: DateTimeField::Year | DateTimeField::Years, expr, .. } => Some(expr),
        Expr::Function(function) => {
            let arguments = plain_arguments(function)?;
            match (function.name.to_string().to_lowercase().as_str(), arguments.as_slice()) {
                ("year", [of]) => Some(of),
                ("date_part", [part, of]) if is_text(part, "year") => Some(of),
                ("strftime", [format, of] | [of, format]) if is_text(format, "%Y") => Some(of),
                ("to_char", [of, format]) if is_text(format, "yyyy") => Some(of),
                _ => None,
            }
        }
        _ => None,
    }
}

fn is_text(expr: &Expr, text: &str) -> bool {
    let Expr::Value(ValueWithSpan { value: Value::SingleQuotedString(written), .. }) = expr else { return false };
    written.eq_ignore_ascii_case(text)
}
