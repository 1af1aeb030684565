//! Values of a row and what has to hold of it.

use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Number, Value};
use specta::Type;

/// The keys of the objects that are values.
const FORMS: &str = "left, op, right; from, to, in; case, else; cast, to; or column, path, as";

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Serialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Expression {
    /// A column.
    Column(String),
    /// A number.
    Number(#[specta(type = f64)] Number),
    /// Arithmetic.
    Arithmetic(Box<Arithmetic>),
    /// The time between two dates.
    Dates(Box<DateDifference>),
    /// One of several constants.
    Case(Box<Case>),
    /// A value of another type.
    Cast(Box<Cast>),
    /// A part of a nested value.
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
    /// Told apart by a key, so that an error is about the form that was meant.
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

/// The beginning of what was written, for a message.
fn shorten_value(value: &Value) -> String {
    const SHOWN: usize = 80;
    let text = value.to_string();
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

/// Two values with a sign between. A quotient is never cut to a whole number, and NULL where the divisor is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Arithmetic {
    /// The first value.
    pub left: Expression,
    /// The sign.
    pub op: Sign,
    /// The second value.
    pub right: Expression,
}

/// The four operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
pub enum Sign {
    /// A sum.
    #[serde(rename = "+")]
    Plus,
    /// A difference.
    #[serde(rename = "-")]
    Minus,
    /// A product.
    #[serde(rename = "*")]
    Times,
    /// A quotient.
    #[serde(rename = "/")]
    Over,
}

/// The constant of the first branch whose conditions hold: bands of a number, names for codes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Case {
    /// The branches, in the order in which they are tried.
    pub case: Vec<Branch>,
    /// Where no branch holds; NULL by default.
    #[serde(rename = "else", default, skip_serializing_if = "Option::is_none")]
    pub otherwise: Option<Constant>,
}

/// A branch of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Branch {
    /// What has to hold; all of them.
    pub when: Vec<Condition>,
    /// The value then; those of one case are of one kind.
    pub then: Constant,
}

/// A value read as another type; NULL where it has no such value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Cast {
    /// The value.
    pub cast: Expression,
    /// The type.
    pub to: CastType,
}

/// A single value inside an array, a struct or JSON; NULL where there is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Nested {
    /// The column.
    pub column: String,
    /// The way to the value, from outside in.
    pub path: Vec<Step>,
    /// What it is read as.
    #[serde(rename = "as")]
    pub kind: CastType,
}

/// A step into a nested value.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged, expecting = "a step is a key or the number of an element, from 0")]
pub enum Step {
    /// Of an array; the first is 0.
    Element(u32),
    /// Of a struct or an object.
    Key(String),
}

/// Types that values can be read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CastType {
    /// A whole number; what is behind the point is cut off. Of a truth 1 or 0.
    Whole,
    /// A number.
    Number,
    /// Text, of a whole number, a day or a truth (`true`, `false`).
    Text,
    /// A day, of a time or of text as `2024-01-31`, whatever follows.
    Date,
}

/// How many steps of the calendar lead from one date to another: days by default; from December to January is one month
/// and one year, from a Sunday to a Monday one week. Negative where `to` is the earlier one, NULL where one is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DateDifference {
    /// Where it begins.
    pub from: Moment,
    /// Where it ends.
    pub to: Moment,
    /// The length of a step.
    #[serde(rename = "in", default = "default_period")]
    pub unit: Period,
}

fn default_period() -> Period {
    Period::Day
}

/// A date of a row, or one that is written out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged, expecting = "a date is a column's name or {\"date\": \"2024-01-31\"}")]
pub enum Moment {
    /// A day.
    Day(Day),
    /// A column.
    Column(String),
}

/// A period of the calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// From the first of January.
    Year,
    /// Three months.
    Quarter,
    /// A month.
    Month,
    /// From Monday to Sunday.
    Week,
    /// A day.
    Day,
}

/// Something that has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Condition {
    /// One comparison.
    Test(Test),
    /// One of these at least.
    Any(AnyOf),
    /// All of these.
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

/// Conditions of which one has to hold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnyOf {
    /// They.
    pub any: Vec<Condition>,
}

/// Conditions that have to hold together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AllOf {
    /// They.
    pub all: Vec<Condition>,
}

/// A comparison of a value with constants, or with another value of the row. A NULL meets none but `is null`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Test {
    /// A column or another value; in `having` an output of the view.
    pub column: Expression,
    /// How it is compared.
    pub op: Comparison,
    /// With what: one constant, two for `between` (both included), any number for `in`, none for NULL.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<Constant>,
    /// Instead of constants: what else of the row (in `having`: which other output) it is compared with, by `=`, `!=` or
    /// order. A day and a time are compared by their days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<Expression>,
}

/// How a column is compared.
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
    /// Part of a text, in letters of any case.
    #[serde(rename = "contains")]
    Contains,
    /// A text by a pattern of `%` and `_`, in letters of any case.
    #[serde(rename = "like")]
    Like,
    #[serde(rename = "is null")]
    IsNull,
    #[serde(rename = "is not null")]
    IsNotNull,
}

/// A constant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(untagged)]
pub enum Constant {
    /// true or false.
    Boolean(bool),
    /// A number.
    Number(#[specta(type = f64)] Number),
    /// A day; a time is compared by the day that it is on.
    Day(Day),
    /// Text; beside a date it is read as a day.
    Text(String),
}

/// A day of the calendar.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Day {
    /// As `2024-01-31`.
    pub date: String,
}
