//! Expressions and conditions of views.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};
use specta::Type;

/// The keys of the objects that are expressions, for error messages.
const FORMS: &str = "left, op, right; from, to, in; case, else; cast, to; or column, path, as";

/// An expression over a row.
#[derive(Debug, Clone, PartialEq, Serialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Expression {
    /// The value of a column.
    Column(String),
    /// A constant that is a number.
    Number(#[specta(type = f64)] Number),
    /// Arithmetic with two other expressions.
    Arithmetic(Box<Arithmetic>),
    /// The difference between two dates.
    Dates(Box<DateDifference>),
    /// A choice among constants by conditions.
    Case(Box<Case>),
    /// A conversion to another type.
    Cast(Box<Cast>),
    /// A value within a nested column.
    Nested(Box<Nested>),
}

impl Default for Expression {
    fn default() -> Self {
        Self::Column(String::new())
    }
}

impl From<&str> for Expression {
    fn from(column: &str) -> Self {
        Self::Column(column.to_owned())
    }
}

impl<'de> Deserialize<'de> for Expression {
    /// Selects the form by a distinctive key, so that an error refers to the intended form.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match &value {
            Value::String(column) => Ok(Self::Column(column.clone())),
            Value::Number(number) => Ok(Self::Number(number.clone())),
            Value::Object(parts) if parts.contains_key("op") => parse_part(value).map(Self::Arithmetic),
            Value::Object(parts) if parts.contains_key("from") => parse_part(value).map(Self::Dates),
            Value::Object(parts) if parts.contains_key("case") => parse_part(value).map(Self::Case),
            Value::Object(parts) if parts.contains_key("cast") => parse_part(value).map(Self::Cast),
            Value::Object(parts) if parts.contains_key("path") => parse_part(value).map(Self::Nested),
            _ => Err(D::Error::custom(format!(
                "{} is no value: write a column's name, a number, or an object with {FORMS}",
                shorten_value(&value)
            ))),
        }
    }
}

fn parse_part<T: DeserializeOwned, E: Error>(value: Value) -> Result<T, E> {
    let written = shorten_value(&value);
    serde_json::from_value(value).map_err(|error| E::custom(format!("in {written}: {error}")))
}

/// Truncates JSON for error messages.
fn shorten_value(value: &Value) -> String {
    const SHOWN: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

/// Arithmetic with two operands. A division never truncates to an integer, and gives NULL if the divisor is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Arithmetic {
    /// The first operand of the operator.
    pub left: Expression,
    /// The operator between the operands.
    pub op: Sign,
    /// The second operand of the operator.
    pub right: Expression,
}

/// The operators of arithmetic expressions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
pub enum Sign {
    /// Adds `right` to `left`, written `+`.
    #[serde(rename = "+")]
    Plus,
    /// Subtracts `right` from `left`, written `-`.
    #[serde(rename = "-")]
    Minus,
    /// Multiplies `left` by `right`, written `*`.
    #[serde(rename = "*")]
    Times,
    /// Divides `left` by `right`, written `/`.
    #[serde(rename = "/")]
    Over,
}

/// The constant of the first branch whose conditions hold, such as bands of a number or names of codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// The branches in evaluation order.
    pub case: Vec<Branch>,
    /// The value if no branch holds; NULL by default.
    #[serde(rename = "else", default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Constant>,
}

/// A branch of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// Conditions of the branch; all must hold.
    pub when: Vec<Condition>,
    /// The value of the branch; all values of a case have the same type.
    pub then: Constant,
}

/// A conversion to another type; NULL if the value cannot be converted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cast {
    /// The expression that is converted.
    pub cast: Expression,
    /// The target type of the conversion.
    pub to: CastType,
}

/// A single value inside an array, a struct or JSON; NULL if it is missing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Nested {
    /// The name of the nested column.
    pub column: String,
    /// The path to the value, outermost step first.
    pub path: Vec<Step>,
    /// The type to which the value is converted.
    #[serde(rename = "as")]
    pub kind: CastType,
}

/// A step of a path in a nested value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged, expecting = "a step is a key or the number of an element, from 0")]
pub enum Step {
    /// The index of an array element, from 0.
    Element(u32),
    /// The key of a struct or object.
    Key(String),
}

/// The target types of conversions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastType {
    /// An integer; fractions are truncated. Booleans become 1 or 0.
    Whole,
    /// A number, which may have a fraction.
    Number,
    /// Text, from an integer, a date or a boolean (`true`, `false`).
    Text,
    /// A date, from a timestamp or from text that begins like `2024-01-31`.
    Date,
}

/// The number of calendar boundaries between two dates, in days by default: from December to January is one month and
/// one year, from a Sunday to a Monday one week. Negative if `to` is earlier; NULL if one of them is NULL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DateDifference {
    /// The start of the interval.
    pub from: Moment,
    /// The end of the interval.
    pub to: Moment,
    /// The unit of the difference.
    #[serde(rename = "in", default = "default_period")]
    pub unit: Period,
}

fn default_period() -> Period {
    Period::Day
}

/// A date of a row, or a constant date.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged, expecting = "a date is a column's name or {\"date\": \"2024-01-31\"}")]
pub enum Moment {
    /// A date that is a constant.
    Day(Day),
    /// The value of a column.
    Column(String),
}

/// A period of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// A year, from the first of January.
    Year,
    /// A quarter, that is three months.
    Quarter,
    /// A month, from its first day.
    Month,
    /// A week, from Monday to Sunday.
    Week,
    /// A day of the calendar.
    Day,
}

impl Period {
    /// Returns the name of the period, as in SQL and in English.
    pub fn name(self) -> &'static str {
        match self {
            Period::Year => "year",
            Period::Quarter => "quarter",
            Period::Month => "month",
            Period::Week => "week",
            Period::Day => "day",
        }
    }
}

/// A condition on a row or group.
#[derive(Debug, Clone, PartialEq, Serialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Condition {
    /// A single comparison of values.
    Test(Test),
    /// A disjunction: at least one condition holds.
    Any(AnyOf),
    /// A conjunction: all conditions hold.
    All(AllOf),
}

impl<'de> Deserialize<'de> for Condition {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(from)?;
        match &value {
            Value::Object(parts) if parts.contains_key("any") => parse_part(value).map(Self::Any),
            Value::Object(parts) if parts.contains_key("all") => parse_part(value).map(Self::All),
            _ => parse_part(value).map(Self::Test),
        }
    }
}

/// A disjunction of several conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnyOf {
    /// The conditions; at least one must hold.
    pub any: Vec<Condition>,
}

/// A conjunction of several conditions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllOf {
    /// The conditions; all of them must hold.
    pub all: Vec<Condition>,
}

/// A comparison of an expression with constants, or with another expression. NULL satisfies only `is null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Test {
    /// The compared expression; in `having` an output of the view.
    pub column: Expression,
    /// The operator of the comparison.
    pub op: Comparison,
    /// The constants: one, two for `between` (both inclusive), any number for `in`, none for NULL tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Constant>,
    /// Another expression of the row (in `having`: another output) instead of constants, for `=`, `!=` and order
    /// comparisons. A date and a timestamp are compared by their days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Expression>,
}

/// The operator of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[allow(missing_docs, reason = "the sign says it")]
pub enum Comparison {
    #[serde(rename = "=")]
    Is,
    #[serde(rename = "!=")]
    IsNot,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = ">")]
    More,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = "in")]
    In,
    #[serde(rename = "not in")]
    NotIn,
    #[serde(rename = "between")]
    Between,
    /// Tests for a substring, ignoring case.
    #[serde(rename = "contains")]
    Contains,
    /// Pattern match with `%` and `_`, ignoring case.
    #[serde(rename = "like")]
    Like,
    #[serde(rename = "is null")]
    IsNull,
    #[serde(rename = "is not null")]
    IsNotNull,
}

/// A constant of a comparison or case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Constant {
    /// The boolean `true` or `false`.
    Boolean(bool),
    /// An integer or a decimal number.
    Number(#[specta(type = f64)] Number),
    /// A date; timestamps are compared by their day.
    Day(Day),
    /// Text; in a comparison with a date it is parsed as a date.
    Text(String),
}

/// A constant date of the calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Day {
    /// The date in the form `2024-01-31`.
    pub date: String,
}
