//! Views without SQL (ProSPy, sections 3.3, A.3 and B.2.3). A model describes a view by dimensions, metrics and
//! conditions over a group of joined tables, independently of the SQL dialect.
//!
//! Columns are named `column` or `source.column`; a bare name must be unique among the sources. Evaluation order:
//! sources are joined, `conditions` filter rows, rows are grouped by `dimensions` and aggregated to `metrics`, `having`
//! filters groups, `windows` are computed over the remaining groups, then `top`, `order` and `limit` apply. A metric
//! uses each row of its table once per group, regardless of the number of joined rows of other tables.

mod expression;

pub use expression::{
    AllOf, AnyOf, Arithmetic, Branch, Case, Cast, CastType, Comparison, Condition, Constant, DateDifference, Day,
    Expression, Moment, Nested, Period, Sign, Step, Test,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// The definition of a view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewSpec {
    /// The name in later views: letters, digits and underscores.
    pub name: String,
    /// The purpose of the view in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// The join group: tables of the catalog and earlier views, at least one.
    pub source: Vec<ViewSource>,
    /// Joins between the sources. A source without a join is joined along its only foreign key to the other sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<ViewJoin>,
    /// The grouping columns, or without metrics the selected columns.
    #[serde(default)]
    pub dimensions: Vec<Dimension>,
    /// The aggregated values of each group. Without metrics, rows are selected without aggregation.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Quotients of two metrics of this view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Ratio>,
    /// Values computed over several groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Window>,
    /// Conditions on joined rows; all must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// Conditions on groups; all must hold. They refer to dimensions, metrics and ratios of this view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<Condition>,
    /// True if a selection without metrics removes duplicate rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// Limits each group to its first rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<TopRows>,
    /// The order of the rows; NULL comes last in both directions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<OrderKey>,
    /// Maximum number of rows. Ties are broken by the other columns, so that every engine keeps the same rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

impl ViewSpec {
    /// Parses a spec from a model's JSON. Properties with null are omitted, because strict schemas require every
    /// property.
    ///
    /// # Errors
    /// Returns a message with the wrong part and its expected form.
    pub fn from_json(written: Value) -> Result<Self, String> {
        serde_json::from_value(without_nulls(written)).map_err(|error| error.to_string())
    }
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(parts) => {
            let said = parts.into_iter().filter(|(_, part)| !part.is_null());
            Value::Object(said.map(|(name, part)| (name, without_nulls(part))).collect())
        }
        Value::Array(parts) => Value::Array(parts.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// A member of a join group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewSource {
    /// A table of the catalog or an earlier view.
    pub table: String,
    /// The name of the source in this view; by default its unqualified name. A table that is used twice needs an alias.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Further tables or views whose rows are appended, by the columns with the same name and type in all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub union: Vec<String>,
    /// An additional column with the name of the table or view of the union that a row comes from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// The role in the group (B.2.3), which documents the view and does not change the SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<SourceRole>,
}

/// The role of a table in a join group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceRole {
    /// Contains the quantities that are aggregated.
    Fact,
    /// Describes entities that other tables reference.
    Lookup,
    /// Links two tables in a many-to-many relationship.
    Bridge,
}

/// A join of two sources.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewJoin {
    /// The name of the left source.
    pub left: String,
    /// The name of the right source.
    pub right: String,
    /// The kind of join, inner by default.
    #[serde(default)]
    pub kind: JoinKind,
    /// Pairs of columns, the left source's first; by default the columns of the only foreign key between the two. Among
    /// several keys, the alias determines the key (`manager_id` for `manager`); a self-join uses the key from left to
    /// right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<(String, String)>,
}

/// The kind of join, which determines the treatment of rows without a match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    /// Rows without a match are removed.
    #[default]
    Inner,
    /// Unmatched rows of the left source are kept.
    Left,
    /// Unmatched rows of both sources are kept. The view may have only these two sources. A join column with the same
    /// name in both is written without a source and is not NULL if either side has a value.
    Full,
    /// Rows of the left source with a match are removed. Only conditions may use the right source, to define a match;
    /// no other source is joined to it.
    Anti,
}

/// A column or expression for grouping or selection.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dimension {
    /// The column, or an expression such as a case that groups rows into bands.
    pub column: Expression,
    /// Truncates a date to the first day of the period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Period>,
    /// The name in the view; by default the column's, followed by the period: `paid_on_month`. Other expressions need a
    /// name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// An aggregated value of a group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metric {
    /// The name of the metric in the view.
    pub name: String,
    /// The aggregate function of the metric.
    pub agg: Aggregate,
    /// The aggregated expression. Only `count` can omit it, to count joined rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Expression>,
    /// Conditions on the joined rows that are aggregated; all must hold. The value equals that of a view with these
    /// additional conditions, but groups without such rows remain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// An aggregate function. It ignores NULL; without values the result is NULL, or 0 for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// Number of values that are not NULL, or of rows.
    Count,
    /// Number of distinct values, ignoring NULL.
    CountDistinct,
    /// The sum of the values.
    Sum,
    /// The arithmetic mean of the values.
    Avg,
    /// The smallest of the values.
    Min,
    /// The largest of the values.
    Max,
    /// The median; for an even number of values the mean of the two middle ones.
    Median,
    /// The sample standard deviation; NULL for a single value.
    Stddev,
}

/// A quotient of two metrics; NULL if the denominator is 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ratio {
    /// The name of the ratio in the view.
    pub name: String,
    /// The metric that is the numerator.
    pub of: String,
    /// The metric that is the denominator.
    pub to: String,
}

/// A value computed over several groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Window {
    /// The name of the value in the view.
    pub name: String,
    /// The kind of window function.
    pub kind: WindowKind,
    /// The metric or ratio that it uses; without metrics, the dimension.
    pub of: String,
    /// Dimensions that partition the rows; without any, all rows are one partition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per: Vec<String>,
    /// For a running total, a lag or a moving window: the dimensions that order the rows. Ties are ordered by the other
    /// dimensions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<String>,
    /// For a lag: the distance in rows, 1 by default. For a moving window: its number of rows, up to and including this
    /// row. Only rows of the view are counted: a month without rows is skipped.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
}

/// The kind of window function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    /// The fraction of the total, from 0 to 1; NULL if the total is 0.
    Share,
    /// The rank from the largest value down, from 1; equal values share a rank.
    Rank,
    /// The sum up to this row; rows with the same position are added together.
    RunningTotal,
    /// The value of an earlier row; NULL if there is none.
    Lag,
    /// The sum of this row and the previous ones.
    MovingSum,
    /// The mean of this row and the previous ones.
    MovingAvg,
}

/// A limit to the first rows of each group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TopRows {
    /// Number of rows of each group, 1 or more.
    pub n: u32,
    /// The output by which rows are ranked.
    pub by: String,
    /// Dimensions that define the groups.
    #[serde(default)]
    pub per: Vec<String>,
    /// True if the smallest values come first instead of the largest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ascending: bool,
}

/// A key of the sort order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderKey {
    /// The output by which rows are sorted.
    pub by: String,
    /// True if the largest values come first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}
