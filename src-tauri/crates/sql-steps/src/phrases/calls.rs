//! Functions in words: aggregates, conditional counts, windows, parts of dates.

use super::Words;
use sqlparser::ast::{
    CaseWhen, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, OrderBySort, Value, WindowSpec,
    WindowType,
};
use vitrine_sql::ast::{Counted, counted, last_part};

impl Words<'_> {
    pub(super) fn call(&self, function: &Function) -> Option<String> {
        if !function.within_group.is_empty() {
            return None;
        }
        if function.over.is_some() || function.filter.is_some() {
            let plain = Function { over: None, filter: None, ..function.clone() };
            let filter = function.filter.as_ref().map(|filter| format!(" where {}", self.said(filter)));
            let value = format!("{}{}", self.call(&plain)?, filter.unwrap_or_default());
            return match &function.over {
                Some(WindowType::WindowSpec(window)) => Some(format!("{value}{}", self.around(window)?)),
                Some(WindowType::NamedWindow(_)) => None,
                None => Some(value),
            };
        }
        match counted(function).filter(|_| !counts_cases(function)) {
            Some(Counted::Rows) => return Some(format!("number of {}", self.rows_counted())),
            Some(Counted::Values(value)) => return Some(format!("number of rows with a {}", self.words(value)?)),
            Some(Counted::Different(value)) => {
                let what = self.thing(value).or_else(|| self.words(value))?;
                return Some(format!("number of different {what}"));
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
        let distinct = if arguments.duplicate_treatment.is_some() { "different " } else { "" };
        if let (None, [Expr::Case { operand: None, conditions, else_result, .. }]) =
            (&arguments.duplicate_treatment, values.as_slice())
            && let [when] = conditions.as_slice()
            && let Some(part) = self.part(&name, when, else_result.as_deref())
        {
            return Some(part);
        }
        Some(match (name.as_str(), values.as_slice()) {
            ("row_number", []) => "number of the row".to_owned(),
            ("rank", []) => "rank".to_owned(),
            ("dense_rank", []) => "rank without gaps".to_owned(),
            ("ntile", [parts]) => format!("which of {} equal parts", self.words(parts)?),
            ("lag", [value]) => format!("{} of the row before", self.words(value)?),
            ("lead", [value]) => format!("{} of the row after", self.words(value)?),
            ("first_value", [value]) => format!("first {}", self.words(value)?),
            ("last_value", [value]) => format!("last {}", self.words(value)?),
            ("sum" | "total", [value]) => format!("sum of {distinct}{}", self.words(value)?),
            ("avg" | "mean", [value]) => format!("average {distinct}{}", self.words(value)?),
            ("min", [value]) => format!("smallest {}", self.words(value)?),
            ("max", [value]) => format!("largest {}", self.words(value)?),
            ("median", [value]) => format!("median {}", self.words(value)?),
            ("year" | "quarter" | "month" | "week" | "day" | "hour", [value]) => {
                format!("{name} of {}", self.words(value)?)
            }
            ("lower" | "upper", [value]) if self.plain.is_some() => self.words(value)?,
            ("lower" | "upper", [value]) => format!("{} (in {name} letters)", self.words(value)?),
            ("trim", [value]) => self.words(value)?,
            ("abs", [value]) => format!("{} without its sign", self.words(value)?),
            ("round", [value]) => format!("{} rounded", self.words(value)?),
            ("round", [value, places]) => format!("{} rounded to {} places", self.words(value)?, self.words(places)?),
            ("coalesce" | "ifnull", [value, other]) => {
                format!("{}, or {} where that is empty", self.words(value)?, self.words(other)?)
            }
            ("nullif", [value, nothing]) => format!("{} unless it is {}", self.words(value)?, self.words(nothing)?),
            ("strftime", [format, value]) | ("date_format", [value, format]) => self.dated(format, value)?,
            ("to_char", [value, format]) => self.dated(format, value)?,
            ("date_trunc" | "date_part", [field, value]) => {
                let Expr::Value(field) = field else { return None };
                let Value::SingleQuotedString(field) = &field.value else { return None };
                format!("{} of {}", field.to_lowercase(), self.words(value)?)
            }
            ("date", [value]) => format!("day of {}", self.words(value)?),
            _ => return None,
        })
    }

    /// A date by its format.
    fn dated(&self, format: &Expr, value: &Expr) -> Option<String> {
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
        Some(format!("{part} of {}", self.words(value)?))
    }

    pub(super) fn case(&self, conditions: &[CaseWhen], otherwise: Option<&Expr>) -> String {
        let mut parts: Vec<String> = conditions
            .iter()
            .map(|when| format!("{} where {}", self.said(&when.result), self.said(&when.condition)))
            .collect();
        parts.extend(otherwise.map(|value| format!("{} otherwise", self.said(value))));
        parts.join(", ")
    }

    /// Rows counted or summed where a condition holds: `SUM(CASE WHEN c THEN 1 ELSE 0 END)`.
    fn part(&self, function: &str, when: &CaseWhen, otherwise: Option<&Expr>) -> Option<String> {
        let is = |expr: &Expr, number: &str| matches!(expr, Expr::Value(value) if matches!(&value.value, Value::Number(n, _) if *n == number));
        let nothing = otherwise.is_none_or(|expr| matches!(expr, Expr::Value(value) if value.value == Value::Null));
        let adds_nothing = nothing || otherwise.is_some_and(|expr| is(expr, "0"));
        let condition = self.said(&when.condition);
        match function {
            "sum" | "total" if adds_nothing && is(&when.result, "1") => {
                Some(format!("number of rows where {condition}"))
            }
            "sum" | "total" if adds_nothing => Some(format!("sum of {} where {condition}", self.said(&when.result))),
            "count" if nothing && matches!(when.result, Expr::Value(_)) => {
                Some(format!("number of rows where {condition}"))
            }
            "avg" | "mean" if nothing => Some(format!("average {} where {condition}", self.said(&when.result))),
            _ => None,
        }
    }

    /// The rows of a window, and their order.
    fn around(&self, window: &WindowSpec) -> Option<String> {
        if window.window_name.is_some() || window.window_frame.is_some() {
            return None;
        }
        let mut said = String::new();
        if !window.order_by.is_empty() {
            let keys = window.order_by.iter().map(|key| {
                let last = if key.options.sort == Some(OrderBySort::Desc) { ", largest first" } else { "" };
                format!("{}{last}", self.said(&key.expr))
            });
            said.push_str(&format!(" by {}", keys.collect::<Vec<_>>().join(", then ")));
        }
        if !window.partition_by.is_empty() {
            let keys: Vec<String> = window.partition_by.iter().map(|key| self.said(key)).collect();
            said.push_str(&format!(" within each {}", super::listed(&keys)));
        }
        Some(if said.is_empty() { " over all rows".to_owned() } else { said })
    }
}

/// Whether a COUNT takes a CASE: then it counts a part.
fn counts_cases(function: &Function) -> bool {
    let FunctionArguments::List(list) = &function.args else { return false };
    let case = |arg: &FunctionArg| matches!(arg, FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Case { .. })));
    list.duplicate_treatment.is_none() && list.args.iter().any(case)
}
