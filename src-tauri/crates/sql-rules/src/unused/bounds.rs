//! The constants of a query, and which periods its conditions begin and end with.

use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Query, Value, ValueWithSpan, Visitor,
};
use std::ops::ControlFlow;
use vitrine_sql::ast::{branches, grouped, visit};
use vitrine_sql::{ReadOnlySql, days_in_month};

use super::asked::year_of;
use super::spoken;

/// How a value is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    At,
    /// `>=`
    From,
    /// `>`
    After,
    /// `<=`
    To,
    /// `<`
    Before,
}

impl Role {
    fn of(op: &BinaryOperator) -> Option<Self> {
        Some(match op {
            BinaryOperator::GtEq => Self::From,
            BinaryOperator::Gt => Self::After,
            BinaryOperator::LtEq => Self::To,
            BinaryOperator::Lt => Self::Before,
            BinaryOperator::Eq | BinaryOperator::NotEq | BinaryOperator::Spaceship => Self::At,
            _ => return None,
        })
    }

    fn turned(self) -> Self {
        match self {
            Self::At => Self::At,
            Self::From => Self::To,
            Self::After => Self::Before,
            Self::To => Self::From,
            Self::Before => Self::After,
        }
    }

    /// Whether a period may begin with the value.
    pub fn begins(self) -> bool {
        matches!(self, Self::At | Self::From | Self::After)
    }
}

/// A value in a comparison.
#[derive(Debug, Clone)]
pub(super) struct Bound {
    pub role: Role,
    pub text: String,
    /// What is compared, in lower case.
    pub subject: String,
}

/// A period that a comparison begins or ends with: a year, or months of one or of any year.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Touch {
    pub year: Option<i32>,
    /// The first and the last month, where it is not a whole year.
    pub months: Option<(u8, u8)>,
    pub role: Role,
}

/// What a query says by its constants.
#[derive(Debug, Default)]
pub(super) struct Constants {
    /// Every text and number, as written.
    pub all: Vec<String>,
    pub numbers: Vec<f64>,
    pub bounds: Vec<Bound>,
    /// What grouped parts group by and show, in lower case.
    pub groups: String,
    /// The query in lower case.
    pub text: String,
}

impl Constants {
    pub fn of(sql: &ReadOnlySql) -> Self {
        let mut found = Self { text: sql.as_str().to_lowercase(), ..Self::default() };
        let _ = sql.with_query(|query| visit(&query, &mut found));
        found.numbers.extend(sql.limit().map(|limit| limit as f64));
        found
    }

    /// Whether the query is relative to the day on which it runs.
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

    /// The runs of digits in constants other than these.
    pub fn runs(&self, without: &[&str]) -> Vec<&str> {
        let others = self.all.iter().filter(|constant| !without.contains(&constant.as_str()));
        others.flat_map(|constant| digit_runs(constant)).collect()
    }

    /// The periods that comparisons begin and end with.
    pub fn touches(&self) -> Vec<Touch> {
        self.bounds.iter().filter_map(Bound::touch).collect()
    }

    fn compare(&mut self, subject: &Expr, value: &Expr, role: Role) {
        if let Some(text) = constant(value) {
            self.bounds.push(Bound { role, text, subject: subject.to_string().to_lowercase() });
        }
    }
}

impl Visitor for Constants {
    type Break = ();

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        for select in branches(&query.body).into_iter().filter(|select| grouped(select)) {
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
                if let Some(role) = Role::of(op) {
                    self.compare(left, right, role);
                    self.compare(right, left, role.turned());
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
                self.compare(expr, low, Role::From);
                self.compare(expr, high, Role::To);
            }
            Expr::InList { expr, list, .. } => list.iter().for_each(|one| self.compare(expr, one, Role::At)),
            Expr::Like { expr, pattern, .. } | Expr::ILike { expr, pattern, .. } => {
                self.compare(expr, pattern, Role::At);
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

/// The runs of digits in a text.
pub(super) fn digit_runs(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty())
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

/// A constant, also within casts, brackets and functions that make a date of it.
fn constant(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Value(ValueWithSpan { value, .. }) => text_of(value),
        Expr::TypedString(typed) => text_of(&typed.value.value),
        Expr::Nested(inner) | Expr::Cast { expr: inner, .. } => constant(inner),
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
            let texts: Option<Vec<String>> = arguments?.into_iter().map(constant).collect();
            match texts?.as_slice() {
                // MAKE_DATE(2024, 1, 1)
                [year, month, day] if year_of(year).is_some() => {
                    Some(format!("{year}-{:02}-{:02}", month.parse::<u8>().ok()?, day.parse::<u8>().ok()?))
                }
                texts => texts.iter().find(|text| period(text).is_some()).cloned(),
            }
        }
        _ => None,
    }
}

/// A day, a month or a year that a text says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Period {
    year: i32,
    month: Option<u8>,
    day: Option<u8>,
    /// Whether it is the first moment of the day.
    midnight: bool,
}

fn period(text: &str) -> Option<Period> {
    let text = text.trim_matches(['%', '_', ' ', '-']);
    let whole = |year: i32, month: Option<u8>, day: Option<u8>, midnight: bool| {
        let fits = month.is_none_or(|month| (1..=12).contains(&month)) && day.is_none_or(|day| (1..=31).contains(&day));
        fits.then_some(Period { year, month, day, midnight })
    };
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let part = |from: usize, to: usize| text.get(from..to).and_then(|part| part.parse().ok());
        return match text.len() {
            4 => whole(year_of(text)?, None, None, true),
            6 => whole(year_of(&text[..4])?, Some(part(4, 6)?), None, true),
            8 => whole(year_of(&text[..4])?, Some(part(4, 6)?), Some(part(6, 8)?), true),
            // Later ones are other numbers.
            10 | 13 => of_seconds(text[..10].parse().ok()?).filter(|period| period.year <= 2040),
            _ => None,
        };
    }
    let mut parts = text.splitn(3, ['-', '/']);
    let year = year_of(parts.next()?)?;
    let month = parts.next()?.parse().ok()?;
    let Some(rest) = parts.next() else { return whole(year, Some(month), None, true) };
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (day, time) = rest.split_at(digits);
    let midnight = digit_runs(time).all(|run| run.bytes().all(|byte| byte == b'0'));
    whole(year, Some(month), Some(day.parse().ok()?), midnight)
}

/// The day of a number of seconds since 1970.
fn of_seconds(seconds: i64) -> Option<Period> {
    let (mut year, mut left) = (1970, seconds.div_euclid(86_400));
    let days = |year: i32| (1..=12).filter_map(|month| days_in_month(year as u32, month)).sum::<u32>() as i64;
    while left >= days(year) {
        left -= days(year);
        year += 1;
    }
    let mut month = 1;
    while left >= i64::from(days_in_month(year as u32, month)?) {
        left -= i64::from(days_in_month(year as u32, month)?);
        month += 1;
    }
    let midnight = seconds.rem_euclid(86_400) == 0;
    Some(Period { year, month: Some(month as u8), day: Some(left as u8 + 1), midnight })
}

impl Period {
    /// The period that a range with this end reaches: one that ends before 2024 reaches 2023.
    fn reached(self, role: Role) -> Self {
        let Self { year, month, day, midnight } = self;
        let is_first = day.is_none_or(|day| day == 1 && midnight);
        let is_last = match (month, day) {
            (Some(month), Some(day)) => days_in_month(year as u32, month.into()) == Some(day.into()),
            _ => true,
        };
        match (role, month) {
            (Role::Before, None) => Self { year: year - 1, ..self },
            (Role::After, None) => Self { year: year + 1, ..self },
            (Role::Before, Some(1)) if is_first => Self { year: year - 1, month: Some(12), ..self },
            (Role::Before, Some(month)) if is_first => Self { month: Some(month - 1), ..self },
            (Role::After, Some(12)) if is_last => Self { year: year + 1, month: Some(1), ..self },
            (Role::After, Some(month)) if is_last => Self { month: Some(month + 1), ..self },
            _ => self,
        }
    }
}

impl Bound {
    /// The year that it writes.
    pub fn year(&self) -> Option<i32> {
        period(&self.text).map(|period| period.year)
    }

    /// The months that it writes.
    pub fn months(&self) -> Option<(u8, u8)> {
        Self { role: Role::At, ..self.clone() }.touch()?.months
    }

    fn is_of(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.subject.contains(word))
    }

    /// The period that it begins or ends with.
    pub fn touch(&self) -> Option<Touch> {
        let role = self.role;
        let text = self.text.trim_matches(['%', '_', ' ']);
        let small = text.parse::<u8>().ok();
        let moved = |number: u8| match role {
            Role::Before => number.saturating_sub(1),
            Role::After => number + 1,
            _ => number,
        };
        let is_whole_date = self.is_of(&["%y", "yyyy", "year"]);
        if self.is_of(&["quarter", "qtr", "quartal", "trimestre"]) && !is_whole_date {
            let quarter = small.or_else(|| text.to_lowercase().trim_start_matches('q').parse().ok());
            if let Some(quarter) = quarter.map(moved).filter(|quarter| (1..=4).contains(quarter)) {
                return Some(Touch { year: None, months: Some((quarter * 3 - 2, quarter * 3)), role });
            }
        }
        if let Some(month) = spoken::month_in(text) {
            let year = digit_runs(text).find_map(year_of);
            return Some(Touch { year, months: Some((month, month)), role });
        }
        let of_month = self.is_of(&["month", "monat", "mois", "'%m'", "'mm'"]) && !is_whole_date;
        if let Some(month) = small.filter(|_| of_month).map(moved).filter(|month| (1..=12).contains(month)) {
            return Some(Touch { year: None, months: Some((month, month)), role });
        }
        if let Some(period) = period(text) {
            let Period { year, month, .. } = period.reached(role);
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

    fn touched(condition: &str) -> Vec<(Option<i32>, Option<(u8, u8)>)> {
        let sql = ReadOnlySql::parse(&format!("SELECT 1 FROM t WHERE {condition}"), Dialect::Duckdb).unwrap();
        Constants::of(&sql).touches().into_iter().map(|touch| (touch.year, touch.months)).collect()
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
        ] {
            assert_eq!(touched(condition), expected, "{condition}");
        }
    }
}
