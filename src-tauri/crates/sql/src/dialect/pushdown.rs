//! Conditions and groups that a source of a join evaluates itself, before its rows reach the local engine (DuckDB).
//!
//! A pushed condition must hold for every row that passes the same condition in the local engine; it may hold for more
//! rows, because the local engine applies it again. It is *exact* if it holds for the same rows, so that the source may
//! also aggregate them.

use super::calendar::is_date;
use super::expressions::Expressions;
use crate::column_type::{ColumnType, type_name};

/// A comparison operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<>`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Comparison {
    /// Returns the operator in SQL.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "<>",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
        }
    }

    /// Returns the operator with exchanged operands.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }
}

/// A constant of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Constant {
    /// A number in plain notation, such as `-1.50`.
    Number(String),
    /// A text; may also be written for a date or timestamp.
    Text(String),
    /// A date or timestamp with its type: `DATE '2024-01-31'`.
    Moment(String),
    /// A boolean value.
    Boolean(bool),
}

/// A test of one column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ColumnTest {
    /// A comparison with a constant.
    Compare(Comparison, Constant),
    /// Equality with one of several constants.
    OneOf(Vec<Constant>),
    /// `LIKE` without an escape character.
    Like(String),
    /// True for rows without a value.
    IsNull,
    /// True for rows with a value.
    IsNotNull,
}

/// A condition in the dialect of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedCondition {
    /// The text, which needs no parentheses within AND.
    pub sql: String,
    /// True if the condition holds for the same rows as in the local engine.
    pub exact: bool,
}

impl PushedCondition {
    pub(crate) fn exact(sql: String) -> Option<Self> {
        Some(Self { sql, exact: true })
    }

    pub(crate) fn superset(sql: String) -> Option<Self> {
        Some(Self { sql, exact: false })
    }
}

/// A group key in the dialect of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedKey {
    /// The expression of GROUP BY. Rows of a group have the same value in the local engine.
    pub group: String,
    /// The expression of the select list.
    pub select: String,
}

/// Conditions and groups that a source evaluates itself. Defaults hold for all dialects.
pub trait Pushdown: Expressions {
    /// Writes a test of a column; `name` is the quoted column. `None` if the source may omit a row that passes the test in
    /// the local engine.
    fn pushed_test(&self, name: &str, data_type: &str, test: &ColumnTest) -> Option<PushedCondition> {
        let family = self.column_type(data_type);
        match test {
            ColumnTest::IsNull => PushedCondition::exact(format!("{name} IS NULL")),
            ColumnTest::IsNotNull => PushedCondition::exact(format!("{name} IS NOT NULL")),
            ColumnTest::Like(pattern) if self.likes_at_least(family, pattern) => {
                PushedCondition::superset(format!("{name} LIKE {}", self.text_literal(pattern)))
            }
            ColumnTest::Like(_) => None,
            ColumnTest::Compare(comparison, constant) => {
                let text = self.pushed_constant(data_type, *comparison, constant)?;
                let exact = family != ColumnType::Text;
                Some(PushedCondition { sql: format!("{name} {} {text}", comparison.symbol()), exact })
            }
            ColumnTest::OneOf(constants) => {
                let write = |constant| self.pushed_constant(data_type, Comparison::Equal, constant);
                let texts: Vec<String> = constants.iter().map(write).collect::<Option<_>>()?;
                let exact = family != ColumnType::Text;
                Some(PushedCondition { sql: format!("{name} IN ({})", texts.join(", ")), exact })
            }
        }
    }

    /// Writes a constant that a column of this type is compared with. `None` if the comparison may omit a row that passes
    /// in the local engine.
    fn pushed_constant(&self, data_type: &str, comparison: Comparison, constant: &Constant) -> Option<String> {
        default_constant(self, data_type, comparison, constant)
    }

    /// Returns true if numbers of a floating-point type are compared as in the local engine, also with NaN.
    fn compares_floats(&self, _data_type: &str) -> bool {
        false
    }

    /// Writes a timestamp `2024-01-31 10:00:00` that a column of this type is compared with; the local engine reads it as
    /// UTC if the column has a time zone.
    fn pushed_timestamp(&self, _data_type: &str, _timestamp: &str) -> Option<String> {
        None
    }

    /// Writes a text that a column is compared with. Equal texts are equal under every collation, so only equality is safe
    /// in all dialects.
    fn pushed_text(&self, _data_type: &str, comparison: Comparison, text: &str) -> Option<String> {
        let plain =
            !text.contains(['\\', '\0', char::REPLACEMENT_CHARACTER]) && (text.is_ascii() || self.keeps_unicode());
        (comparison == Comparison::Equal && plain).then(|| self.text_literal(text))
    }

    /// Returns true if constants may contain any character, whatever the character set of the database.
    fn keeps_unicode(&self) -> bool {
        false
    }

    /// Returns true if LIKE with this pattern matches every text that it matches in the local engine.
    fn likes_at_least(&self, family: ColumnType, pattern: &str) -> bool {
        let plain = pattern.is_ascii() && !pattern.contains(['\\', '_', '[', '\0']);
        family == ColumnType::Text && plain && self.likes_as_usual()
    }

    /// Returns true if LIKE has the wildcards `%` and `_` only, and is at most less sensitive to case than in the local
    /// engine.
    fn likes_as_usual(&self) -> bool {
        false
    }

    /// Writes a group key. `None` if the source may merge values that differ in the local engine.
    fn pushed_key(&self, name: &str, data_type: &str) -> Option<PushedKey> {
        let whole = matches!(
            self.column_type(data_type),
            ColumnType::Whole | ColumnType::Decimal | ColumnType::Boolean | ColumnType::Date
        );
        whole.then(|| PushedKey { group: name.to_owned(), select: name.to_owned() })
    }

    /// Writes the sum of an expression that adds, subtracts and multiplies these columns, given by quoted name and type.
    /// `None` if it may differ from the local engine's by more than the rounding of floats.
    fn pushed_sum(&self, expression: &str, columns: &[(String, &str)]) -> Option<String> {
        let is_number = |data_type: &str| match self.column_type(data_type) {
            ColumnType::Whole | ColumnType::Decimal => true,
            ColumnType::Float => self.sums_as_double(data_type),
            _ => false,
        };
        let is_decimal = |(_, data_type): &(String, &str)| self.column_type(data_type) == ColumnType::Decimal;
        // Many engines round the product of decimals to fewer digits.
        if expression.contains('*') && columns.iter().any(is_decimal) && !self.keeps_products() {
            return None;
        }
        let is_whole = columns.iter().all(|(_, data_type)| self.column_type(data_type) == ColumnType::Whole);
        let term = if is_whole { self.whole_term(expression) } else { expression.to_owned() };
        columns.iter().all(|(_, data_type)| is_number(data_type)).then(|| format!("SUM({term})"))
    }

    /// Returns true if a product of decimals keeps all digits.
    fn keeps_products(&self) -> bool {
        false
    }

    /// Converts a term of whole numbers to the widest whole type, for engines that sum within the type of the term.
    fn whole_term(&self, expression: &str) -> String {
        expression.to_owned()
    }

    /// Returns true if the sum of a floating-point type is computed with 64 bits.
    fn sums_as_double(&self, _data_type: &str) -> bool {
        true
    }

    /// Writes MIN or MAX of a column. `None` if the engines may order its values differently.
    fn pushed_extreme(&self, function: &str, name: &str, data_type: &str) -> Option<String> {
        let ordered = matches!(
            self.column_type(data_type),
            ColumnType::Whole | ColumnType::Decimal | ColumnType::Date | ColumnType::Timestamp
        );
        (ordered && self.pushed_key(name, data_type).is_some()).then(|| format!("{function}({name})"))
    }
}

/// Writes a constant by the class of its column, as [`Pushdown::pushed_constant`] does by default.
pub(crate) fn default_constant(
    dialect: &(impl Pushdown + ?Sized),
    data_type: &str,
    comparison: Comparison,
    constant: &Constant,
) -> Option<String> {
    match (dialect.column_type(data_type), constant) {
        (ColumnType::Whole | ColumnType::Decimal, Constant::Number(number)) => plain_number(number),
        (ColumnType::Float, Constant::Number(number)) if dialect.compares_floats(data_type) => plain_number(number),
        (ColumnType::Boolean, Constant::Boolean(value)) if comparison == Comparison::Equal => {
            Some(dialect.boolean_literal(*value).to_owned())
        }
        (ColumnType::Date, Constant::Text(text) | Constant::Moment(text)) => {
            day_of(text).map(|day| dialect.day_literal(day))
        }
        (ColumnType::Timestamp, Constant::Text(text) | Constant::Moment(text)) => {
            dialect.pushed_timestamp(data_type, &full_timestamp(text)?)
        }
        (ColumnType::Text, Constant::Text(text)) => dialect.pushed_text(data_type, comparison, text),
        _ => None,
    }
}

/// Returns a number that all engines read alike: at most 15 digits, without an exponent.
pub(crate) fn plain_number(number: &str) -> Option<String> {
    let digits = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (plain(whole) && plain(fraction) && whole.len() + fraction.len() <= 16).then(|| number.to_owned())
}

/// Returns the day of a text such as `2024-01-31`; `None` for other texts, also with a time.
pub(crate) fn day_of(text: &str) -> Option<&str> {
    (text.len() == 10 && is_date(text)).then_some(text)
}

/// Returns a timestamp with seconds: `2024-01-31 00:00:00`. `None` for other texts, also with a time zone.
pub(crate) fn full_timestamp(text: &str) -> Option<String> {
    if !is_date(text) || text.len() > 26 {
        return None;
    }
    Some(match text.len() {
        10 => format!("{text} 00:00:00"),
        16 => format!("{}:00", text.replace('T', " ")),
        _ => text.replace('T', " "),
    })
}

/// Returns true if a declared timestamp has a time zone.
pub(crate) fn has_zone(data_type: &str) -> bool {
    let upper = data_type.to_ascii_uppercase();
    upper.contains("WITH TIME ZONE") || upper.contains("TIMESTAMPTZ") || upper.contains("TIMESTAMP_TZ")
}

/// Returns true for a type of 64-bit floating-point numbers.
pub(crate) fn is_double(data_type: &str) -> bool {
    matches!(type_name(data_type).as_str(), "DOUBLE" | "FLOAT8" | "FLOAT64")
}

#[cfg(test)]
mod tests {
    use crate::DialectExt;
    use vitrine_domain::Dialect;

    #[test]
    fn products_of_decimals_are_summed_only_where_they_keep_their_digits() {
        let (whole, exact) = (("q".to_owned(), "INTEGER"), ("p".to_owned(), "DECIMAL(18,4)"));
        let sum = |dialect: Dialect, expression: &str, columns: &[(String, &str)]| {
            dialect.sql().pushed_sum(expression, columns)
        };
        for dialect in [Dialect::Postgres, Dialect::Mysql, Dialect::Duckdb] {
            assert!(sum(dialect, "(p * q)", &[exact.clone(), whole.clone()]).is_some(), "{dialect:?}");
        }
        for dialect in [Dialect::Mssql, Dialect::Snowflake, Dialect::Trino, Dialect::Databricks, Dialect::Bigquery] {
            assert_eq!(sum(dialect, "(p * q)", &[exact.clone(), whole.clone()]), None, "{dialect:?}");
            assert!(sum(dialect, "p", std::slice::from_ref(&exact)).is_some(), "{dialect:?}");
        }
        assert_eq!(sum(Dialect::Mssql, "q", &[whole]).as_deref(), Some("SUM(CAST(q AS BIGINT))"));
    }
}
