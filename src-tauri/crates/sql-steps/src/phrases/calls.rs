//! Describes functions in words: aggregates, conditional counts, windows, parts of dates.

use super::ExpressionDescriber;
use super::clauses::{
    average_phrase, largest_first, one_by_one, only_where, part_of_date, rows_where_counted, sum_phrase,
};
use sqlparser::ast::{
    CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, OrderBySort, Value, WindowSpec,
    WindowType,
};
use vitrine_sql::ast::{Counted, classify_count, last_part};
use vitrine_words::{join_with_and, tr};

impl ExpressionDescriber<'_> {
    pub(super) fn describe_call(&self, function: &Function) -> Option<String> {
        if !function.within_group.is_empty() {
            return None;
        }
        if function.over.is_some() || function.filter.is_some() {
            let plain = Function { over: None, filter: None, ..function.clone() };
            let value = self.describe_call(&plain)?;
            let value = match &function.filter {
                Some(filter) => only_where(&value, &self.describe_or_quote(filter)),
                None => value,
            };
            return match &function.over {
                Some(WindowType::WindowSpec(window)) => self.describe_window(&value, window),
                Some(WindowType::NamedWindow(_)) => None,
                None => Some(value),
            };
        }
        match classify_count(function).filter(|_| !counts_cases(function)) {
            Some(Counted::Rows) => return Some(self.rows_counted()),
            Some(Counted::Values(value)) if self.is_one_a_row(value) => return Some(self.rows_counted()),
            Some(Counted::Values(value)) => {
                return Some(tr!("number of rows with a {value}", value = self.describe_expression(value)?));
            }
            Some(Counted::Different(value)) => {
                let what = self.key_entity(value).or_else(|| self.describe_expression(value))?;
                return Some(tr!("number of different {what}", what));
            }
            None => {}
        }
        let FunctionArguments::List(arguments) = &function.args else { return None };
        let values: Vec<&Expr> = arguments
            .args
            .iter()
            .map(|argument| match argument {
                FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => Some(value),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let name = last_part(&function.name)?.value.to_lowercase();
        let distinct = arguments.duplicate_treatment.is_some();
        if let (None, [Expr::Case { operand: None, conditions, else_result, .. }]) =
            (&arguments.duplicate_treatment, values.as_slice())
            && let [when] = conditions.as_slice()
            && let Some(part) = self.describe_conditional_aggregate(&name, when, else_result.as_deref())
        {
            return Some(part);
        }
        Some(match (name.as_str(), values.as_slice()) {
            ("row_number", []) => tr!("number of the row"),
            ("rank", []) => tr!("rank"),
            ("dense_rank", []) => tr!("rank without gaps"),
            ("ntile", [parts]) => tr!("which of {parts} equal parts", parts = self.describe_expression(parts)?),
            ("lag", [value]) => tr!("{value} of the row before", value = self.describe_expression(value)?),
            ("lead", [value]) => tr!("{value} of the row after", value = self.describe_expression(value)?),
            ("first_value", [value]) => tr!("first {value}", value = self.describe_expression(value)?),
            ("last_value", [value]) => tr!("last {value}", value = self.describe_expression(value)?),
            ("sum" | "total", [value]) if distinct => {
                tr!("sum of different {value}", value = self.describe_expression(value)?)
            }
            ("sum" | "total", [value]) => sum_phrase(&self.describe_expression(value)?),
            ("avg" | "mean", [value]) if distinct => {
                tr!("average different {value}", value = self.describe_expression(value)?)
            }
            ("avg" | "mean", [value]) => average_phrase(&self.describe_expression(value)?),
            ("min", [value]) => tr!("smallest {value}", value = self.describe_expression(value)?),
            ("max", [value]) => tr!("largest {value}", value = self.describe_expression(value)?),
            ("median", [value]) => tr!("median {value}", value = self.describe_expression(value)?),
            ("year" | "quarter" | "month" | "week" | "day" | "hour", [value]) => {
                part_of_date(&name, &self.describe_expression(value)?)
            }
            ("lower" | "upper", [value]) if self.plain.is_some() => self.describe_expression(value)?,
            ("lower", [value]) => tr!("{value} (in lower letters)", value = self.describe_expression(value)?),
            ("upper", [value]) => tr!("{value} (in upper letters)", value = self.describe_expression(value)?),
            ("trim", [value]) => self.describe_expression(value)?,
            ("abs", [value]) => tr!("{value} without its sign", value = self.describe_expression(value)?),
            ("round", [value]) => tr!("{value} rounded", value = self.describe_expression(value)?),
            ("round", [value, places]) => {
                let (value, places) = (self.describe_expression(value)?, self.describe_expression(places)?);
                tr!("{value} rounded to {places} places", value, places)
            }
            ("coalesce" | "ifnull", [value, other]) => {
                let (value, other) = (self.describe_expression(value)?, self.describe_expression(other)?);
                tr!("{value}, or {other} where that is empty", value, other)
            }
            ("nullif", [value, nothing]) => {
                let (value, nothing) = (self.describe_expression(value)?, self.describe_expression(nothing)?);
                tr!("{value} unless it is {nothing}", value, nothing)
            }
            ("strftime", [format, value]) | ("date_format", [value, format]) => {
                self.describe_date_format(format, value)?
            }
            ("to_char", [value, format]) => self.describe_date_format(format, value)?,
            ("date_trunc" | "date_part", [field, value]) => {
                let Expr::Value(field) = field else { return None };
                let Value::SingleQuotedString(field) = &field.value else { return None };
                part_of_date(&field.to_lowercase(), &self.describe_expression(value)?)
            }
            ("date", [value]) => part_of_date("day", &self.describe_expression(value)?),
            _ => return None,
        })
    }

    /// Describes a date by its format.
    fn describe_date_format(&self, format: &Expr, value: &Expr) -> Option<String> {
        let (format, value) = match (format, value) {
            (Expr::Value(format), value) | (value, Expr::Value(format)) => (format, value),
            _ => return None,
        };
        let Value::SingleQuotedString(format) = &format.value else { return None };
        let part = match format.as_str() {
            "%Y" | "YYYY" => "year",
            "%m" | "MM" => "month",
            "%d" | "DD" => "day",
            "%H" | "HH24" => "hour",
            "%Y-%m" | "YYYY-MM" => "year and month",
            "%Y-%m-%d" | "YYYY-MM-DD" => "day",
            _ => return None,
        };
        Some(part_of_date(part, &self.describe_expression(value)?))
    }

    pub(super) fn describe_case(&self, conditions: &[CaseWhen], otherwise: Option<&Expr>) -> String {
        let mut parts: Vec<String> = conditions
            .iter()
            .map(|when| only_where(&self.describe_or_quote(&when.result), &self.describe_or_quote(&when.condition)))
            .collect();
        parts.extend(otherwise.map(|value| tr!("{value} otherwise", value = self.describe_or_quote(value))));
        parts.join(", ")
    }

    /// Describes a conditional count or sum: `SUM(CASE WHEN c THEN 1 ELSE 0 END)`.
    fn describe_conditional_aggregate(
        &self,
        function: &str,
        when: &CaseWhen,
        otherwise: Option<&Expr>,
    ) -> Option<String> {
        let is = |expr: &Expr, number: &str| matches!(expr, Expr::Value(value) if matches!(&value.value, Value::Number(n, _) if *n == number));
        let nothing = otherwise.is_none_or(|expr| matches!(expr, Expr::Value(value) if value.value == Value::Null));
        let adds_nothing = nothing || otherwise.is_some_and(|expr| is(expr, "0"));
        let condition = self.describe_or_quote(&when.condition);
        match function {
            "sum" | "total" if adds_nothing && is(&when.result, "1") => Some(rows_where_counted(&condition)),
            "sum" | "total" if adds_nothing => {
                Some(only_where(&sum_phrase(&self.describe_or_quote(&when.result)), &condition))
            }
            "count" if nothing && matches!(when.result, Expr::Value(_)) => Some(rows_where_counted(&condition)),
            "avg" | "mean" if nothing => {
                Some(only_where(&average_phrase(&self.describe_or_quote(&when.result)), &condition))
            }
            _ => None,
        }
    }

    /// Describes a value with the rows of its window, and their order.
    fn describe_window(&self, value: &str, window: &WindowSpec) -> Option<String> {
        if window.window_name.is_some() || window.window_frame.is_some() {
            return None;
        }
        let keys = window.order_by.iter().map(|key| {
            let key_said = self.describe_or_quote(&key.expr);
            if key.options.sort == Some(OrderBySort::Desc) { largest_first(&key_said) } else { key_said }
        });
        let order = one_by_one(&keys.collect::<Vec<_>>());
        let groups: Vec<String> = window.partition_by.iter().map(|key| self.describe_or_quote(key)).collect();
        let groups = join_with_and(&groups);
        Some(match (order.is_empty(), groups.is_empty()) {
            (true, true) => tr!("{value} over all rows", value),
            (false, true) => tr!("{value} by {order}", value, order),
            (true, false) => tr!("{value} within each {groups}", value, groups),
            (false, false) => tr!("{value} by {order} within each {groups}", value, order, groups),
        })
    }
}

/// Returns true if a COUNT has a CASE as its argument, so that it counts a part of the rows.
fn counts_cases(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else { return false };
    let case = |arg: &FunctionArg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Case { .. })));
    list.duplicate_treatment.is_none() && list.args.iter().any(case)
}
