//! The constants of a query, and the periods that its conditions begin and end with.

use super::asked::year_of;
use super::calendar::{Period, Role, digit_runs, month_pattern, parse_period};
use super::spoken;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan, Visitor,
};
use std::ops::ControlFlow;
use vitrine_sql::ReadOnlySql;
use vitrine_sql::ast::{has_group_by, select_branches, visit_tree};

/// A value in a comparison.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub role: Role,
    pub text: String,
    /// The compared expression, in lower case.
    pub subject: String,
    /// True for a number like a year that is compared with an expression that contains no years: a salary below 2000.
    pub is_amount: bool,
}

/// A period that a comparison begins or ends with: a year, or months of a specific or any year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Touch {
    pub year: Option<i32>,
    /// The first and the last month. `None` for a whole year.
    pub months: Option<(u8, u8)>,
    pub role: Role,
}

/// The constants of a query and their use.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// All texts and numbers, as written.
    pub all: Vec<String>,
    pub numbers: Vec<f64>,
    pub bounds: Vec<Bound>,
    /// The GROUP BY keys and selected columns of grouped parts, in lower case.
    pub groups: String,
    /// The query in lower case.
    pub text: String,
}

impl Constants {
    /// Collects the constants of a query. `holds_years` returns true if a compared expression, in lower case, may
    /// contain years.
    pub fn from_query(sql: &ReadOnlySql, holds_years: impl Fn(&str) -> bool) -> Self {
        let mut found = Self { text: sql.as_str().to_lowercase(), ..Self::default() };
        let _ = sql.with_query(|query| visit_tree(&query, &mut found));
        for bound in found.bounds.iter_mut().filter(|bound| bound.is_amount) {
            bound.is_amount = !holds_years(&bound.subject);
        }
        found.numbers.extend(sql.limit().map(|limit| limit as f64));
        found
    }

    /// Returns true if the query depends on the current date.
    pub fn is_relative(&self) -> bool {
        const TODAY: [&str; 9] = [
            "current_date",
            "current_timestamp",
            "now(",
            "'now'",
            "getdate(",
            "sysdate",
            "today(",
            "curdate(",
            "localtimestamp",
        ];
        TODAY.iter().any(|word| self.text.contains(word))
    }

    /// Returns the runs of digits in constants, except the given ones.
    pub fn digit_runs_except(&self, without: &[&str]) -> Vec<&str> {
        let others = self.all.iter().filter(|constant| !without.contains(&constant.as_str()));
        others.flat_map(|constant| digit_runs(constant)).collect()
    }

    /// Returns the periods that comparisons begin and end with.
    pub fn touched_periods(&self) -> Vec<Touch> {
        self.bounds.iter().filter_map(Bound::touched_period).collect()
    }

    fn add_bound(&mut self, subject: &Expr, value: &Expr, role: Role) {
        if let Some(text) = constant_text(value) {
            let is_amount = plain_number(value).is_some() && year_of(&text).is_some();
            self.bounds.push(Bound { role, text, subject: subject.to_string().to_lowercase(), is_amount });
        }
    }
}

impl Visitor for Constants {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for select in select_branches(&query.body).into_iter().filter(|select| has_group_by(select)) {
            let shown: Vec<String> = select.projection.iter().map(ToString::to_string).collect();
            self.groups.push_str(&format!(" {} {}", select.group_by, shown.join(" ")).to_lowercase());
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_value(&mut self, value: &ValueWithSpan) -> ControlFlow<()> {
        if let Some(text) = text_of(&value.value) {
            self.numbers.extend(number_of(&value.value));
            self.all.push(text);
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_expr(&mut self, expr: &Expr) -> ControlFlow<()> {
        match expr {
            Expr::BinaryOp { left, op, right } => {
                if let Some(role) = Role::from_operator(op) {
                    self.add_bound(left, right, role);
                    self.add_bound(right, left, role.with_swapped_sides());
                } else if let (Some(left), Some(right)) = (plain_number(left), plain_number(right)) {
                    match op {
                        BinaryOperator::Plus => self.numbers.push(left + right),
                        BinaryOperator::Minus => self.numbers.push(left - right),
                        BinaryOperator::Multiply => self.numbers.push(left * right),
                        _ => {}
                    }
                }
            }
            Expr::Between { expr, low, high, .. } => {
                self.add_bound(expr, low, Role::From);
                self.add_bound(expr, high, Role::To);
            }
            Expr::InList { expr, list, .. } => list.iter().for_each(|one| self.add_bound(expr, one, Role::At)),
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                self.add_bound(expr, pattern, Role::At);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Number(number, _) => Some(number.to_string()),
        other => other.clone().into_string(),
    }
}

fn number_of(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number, _) => number.to_string().parse().ok(),
        _ => None,
    }
}

fn plain_number(expr: &Expr) -> Option<f64> {
    match expr {
        Expr::Value(ValueWithSpan { value, .. }) => number_of(value),
        Expr::Nested(inner) => plain_number(inner),
        _ => None,
    }
}

/// Returns the text of a constant, also within casts, parentheses and date functions.
fn constant_text(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(ValueWithSpan { value, .. }) => text_of(value),
        Expr::TypedString(typed) => text_of(&typed.value.value),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => constant_text(inner),
        Expr::Function(function) => {
            let FunctionArguments::List(list) = &function.args else { return None };
            let arguments: Option<Vec<&Expr>> = list
                .args
                .iter()
                .map(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) => Some(argument),
                    _ => None,
                })
                .collect();
            let texts: Option<Vec<String>> = arguments?.into_iter().map(constant_text).collect();
            match texts?.as_slice() {
                // `MAKE_DATE(2024, 1, 1)`
                [year, month, day] if year_of(year).is_some() => {
                    Some(format!("{year}-{:02}-{:02}", month.parse::<u8>().ok()?, day.parse::<u8>().ok()?))
                }
                texts => texts.iter().find(|text| parse_period(text).is_some()).cloned(),
            }
        }
        _ => None,
    }
}

impl Bound {
    /// Returns the year of the constant.
    pub fn year(&self) -> Option<i32> {
        parse_period(&self.text).filter(|_| !self.is_amount).map(|period| period.year)
    }

    /// Returns the months of the constant.
    pub fn months(&self) -> Option<(u8, u8)> {
        Self { role: Role::At, ..self.clone() }.touched_period()?.months
    }

    fn is_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.subject.contains(word))
    }

    fn is_of_months(&self) -> bool {
        self.is_of(&["month", "monat", "mois", "'%m'", "'mm'"])
    }

    /// Returns the offset that makes the first quarter 1 after months are divided by three: 0 for `(month + 2) / 3` and
    /// `ceil(month / 3.0)`, 1 for `(month - 1) / 3`. `None` if months are not divided.
    fn divides_months(&self) -> Option<u8> {
        let by_three = ["/ 3", "/3", "div 3"].iter().find_map(|sign| self.subject.split_once(sign));
        let (before, after) = by_three.filter(|_| self.is_of_months())?;
        let is_three = !after.starts_with(|c: char| c.is_ascii_digit());
        let counts_from_zero = before.contains("- 1") && !after.contains("+ 1");
        is_three.then_some(u8::from(counts_from_zero))
    }

    /// Returns true if the month is extracted from a date in text form: two characters after the year or the day.
    fn cuts_month(&self) -> bool {
        let cuts = self.is_of(&["substr", "mid("]) && self.text.len() == 2;
        cuts && self.is_of(&[", 4, 2)", ", 5, 2)", ", 6, 2)", "from 4 for 2", "from 5 for 2", "from 6 for 2"])
            || self.is_of(&["split_part", "substring_index", "split("]) && self.text.len() == 2
    }

    /// Returns the period that the comparison begins or ends with.
    pub fn touched_period(&self) -> Option<Touch> {
        let role = self.role;
        let text = self.text.trim_matches(['%', '_', ' ']);
        let small = text.parse::<u8>().ok();
        let moved = |number: u8| match role {
            Role::Before => number.saturating_sub(1),
            Role::After => number.saturating_add(1),
            _ => number,
        };
        if self.is_amount {
            return None;
        }
        let is_whole_date = self.is_of(&["%y", "yyyy", "year"]);
        let divides = self.divides_months();
        if (self.is_of(&["quarter", "qtr", "quartal", "trimestre"]) || divides.is_some()) && !is_whole_date {
            let quarter = small.or_else(|| text.to_lowercase().trim_start_matches('q').parse().ok());
            let counted = quarter.map(|quarter: u8| quarter.saturating_add(divides.unwrap_or_default()));
            if let Some(quarter) = counted.map(moved).filter(|quarter| (1..=4).contains(quarter)) {
                return Some(Touch { year: None, months: Some((quarter * 3 - 2, quarter * 3)), role });
            }
        }
        if let Some(month) = spoken::month_in(text) {
            let year = digit_runs(text).find_map(year_of);
            return Some(Touch { year, months: Some((month, month)), role });
        }
        if let Some((year, month)) = month_pattern(&self.text) {
            return Some(Touch { year, months: Some((month, month)), role });
        }
        let of_month = (self.is_of_months() || self.cuts_month()) && !is_whole_date;
        if let Some(month) = small.filter(|_| of_month).map(moved).filter(|month| (1..=12).contains(month)) {
            return Some(Touch { year: None, months: Some((month, month)), role });
        }
        if let Some(period) = parse_period(text) {
            let Period { year, month, .. } = period.reached_period(role);
            return Some(Touch { year: Some(year), months: month.map(|month| (month, month)), role });
        }
        // `2024-Q1`
        let lower = text.to_lowercase();
        let year = digit_runs(&lower).find_map(year_of)?;
        let quarter = lower.split_once('q').and_then(|(_, rest)| digit_runs(rest).next()?.parse::<u8>().ok());
        let months = quarter.filter(|quarter| (1..=4).contains(quarter)).map(|quarter| (quarter * 3 - 2, quarter * 3));
        Some(Touch { year: Some(year), months, role })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;

    /// A year, and the first and the last month.
    type YearAndMonths = (Option<i32>, Option<(u8, u8)>);

    fn periods_of_condition(condition: &str) -> Vec<YearAndMonths> {
        let sql = ReadOnlySql::parse(&format!("SELECT 1 FROM t WHERE {condition}"), Dialect::Duckdb).unwrap();
        Constants::from_query(&sql, |subject| !subject.contains("salary"))
            .touched_periods()
            .into_iter()
            .map(|touch| (touch.year, touch.months))
            .collect()
    }

    #[test]
    fn a_range_reaches_the_day_before_its_open_end() {
        let month = |year: i32, month: u8| (Some(year), Some((month, month)));
        for (condition, expected) in [
            ("d >= '2023-01-01' AND d < '2024-01-01'", vec![month(2023, 1), month(2023, 12)]),
            ("d BETWEEN DATE '2024-04-01' AND DATE '2024-06-30'", vec![month(2024, 4), month(2024, 6)]),
            ("d > '2023-12-31' AND d <= '2024-12-31'", vec![month(2024, 1), month(2024, 12)]),
            ("year(d) > 2019", vec![(Some(2020), None)]),
            ("strftime('%Y', d) = '2024'", vec![(Some(2024), None)]),
            ("strftime('%Y-%m', d) = '2024-03'", vec![month(2024, 3)]),
            ("d LIKE '2024%'", vec![(Some(2024), None)]),
            ("d < make_date(2024, 7, 1)", vec![month(2024, 6)]),
            ("month(d) < 4", vec![(None, Some((3, 3)))]),
            ("quarter(d) = 2", vec![(None, Some((4, 6)))]),
            ("period = '2024-Q2'", vec![(Some(2024), Some((4, 6)))]),
            ("month_name = 'March'", vec![(None, Some((3, 3)))]),
            ("ts >= 1704067200", vec![month(2024, 1)]),
            ("day_key = 20240315", vec![month(2024, 3)]),
            ("d < '2024-01-15 10:00:00'", vec![month(2024, 1)]),
            ("amount > 15", vec![]),
            ("salary < 2000", vec![]),
            ("year_of_birth < 2000", vec![(Some(1999), None)]),
            ("(CAST(strftime('%m', d) AS INTEGER) + 2) / 3 = 2", vec![(None, Some((4, 6)))]),
            ("CEIL(EXTRACT(MONTH FROM d) / 3.0) = 4", vec![(None, Some((10, 12)))]),
            ("(month(d) - 1) / 3 + 1 = 2", vec![(None, Some((4, 6)))]),
            ("(month(d) - 1) // 3 = 1", vec![(None, Some((4, 6)))]),
            ("month(d) / 30 = 2", vec![(None, Some((2, 2)))]),
            ("substr(d, 6, 2) = '03'", vec![(None, Some((3, 3)))]),
            ("SUBSTRING(d FROM 6 FOR 2) IN ('03', '04')", vec![(None, Some((3, 3))), (None, Some((4, 4)))]),
            ("substr(phone, 1, 2) = '03'", vec![]),
            ("d LIKE '%-03-%'", vec![(None, Some((3, 3)))]),
            ("d LIKE '____-03-%'", vec![(None, Some((3, 3)))]),
            ("d LIKE '%.03.2024'", vec![(Some(2024), Some((3, 3)))]),
            ("d LIKE '2024-03-%'", vec![month(2024, 3)]),
            ("d LIKE '2024-03%'", vec![month(2024, 3)]),
            ("name LIKE '%-13-%'", vec![]),
        ] {
            assert_eq!(periods_of_condition(condition), expected, "{condition}");
        }
    }
}
