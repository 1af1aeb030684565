//! Views without SQL (ProSPy, sections 3.3, A.3 and B.2.3): what a model says it needs, in dimensions, metrics and
//! conditions over a group of joined tables, so that no dialect has to be known to say it.
//!
//! Columns are named `column` or `source.column`; a bare name has to be one that a single source has. How a view is
//! read: sources are joined, `conditions` keep rows, rows are grouped by `dimensions` and give `metrics`, `having` keeps
//! groups, `windows` are computed over what is kept, then `top`, `order` and `limit` cut. A metric counts each row of the
//! table it is about once per group, however many rows of other tables are joined to it.

mod expression;

pub use expression::{
    AllOf, AnyOf, Arithmetic, Branch, Case, Cast, CastType, Comparison, Condition, Constant, DateDifference, Day,
    Expression, Moment, Nested, Period, Sign, Step, Test,
};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use specta::Type;

/// One view.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewSpec {
    /// What later views call it: letters, digits and underscores.
    pub name: String,
    /// What it is for, in a few words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rationale: String,
    /// The join group: tables of the catalog and earlier views, one at least.
    pub source: Vec<ViewSource>,
    /// How they are joined. A source that no join names is joined along its only foreign key to the others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joins: Vec<ViewJoin>,
    /// What is grouped by, or, without metrics, selected.
    #[serde(default)]
    pub dimensions: Vec<Dimension>,
    /// What is computed per group. Without any, rows are selected as they are.
    #[serde(default)]
    pub metrics: Vec<Metric>,
    /// Quotients of two metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Ratio>,
    /// Values that look at other groups.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub windows: Vec<Window>,
    /// What has to hold of a joined row; all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// What has to hold of a group; all of them. Names dimensions, metrics and ratios of this view.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub having: Vec<Condition>,
    /// Whether a selection without metrics leaves out repeated rows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub distinct: bool,
    /// The first rows of each group.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<TopRows>,
    /// The order of the rows; NULL comes last either way.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub order: Vec<OrderKey>,
    /// The most rows; ties are cut by the other columns, so that every engine keeps the same rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

impl ViewSpec {
    /// Reads a spec as a model writes it. What is null counts as left out: a strict schema has every property written.
    ///
    /// # Errors
    /// Says which part has which form instead.
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

/// One member of a join group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewSource {
    /// A table of the catalog or an earlier view.
    pub table: String,
    /// What this view calls it; by default its own name without a schema. A table that is read twice needs one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alias: Option<String>,
    /// Further tables or views whose rows follow its own, by the columns of the same name and type that all of them have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub union: Vec<String>,
    /// A column that says of which table or view of the union a row is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// What it does in the group (B.2.3); for readers, it changes no SQL.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<SourceRole>,
}

/// What a table does in a join group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SourceRole {
    /// Holds what is added up.
    Fact,
    /// Describes what others refer to.
    Lookup,
    /// Links two others, many to many.
    Bridge,
}

/// Two sources and the columns that link them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ViewJoin {
    /// A source.
    pub left: String,
    /// Another one.
    pub right: String,
    /// Inner by default.
    #[serde(default)]
    pub kind: JoinKind,
    /// Pairs of columns, the left source's first; by default those of the one foreign key between the two. Of several keys
    /// the one is meant that an alias speaks of (`manager_id` of `manager`), and a table that refers to itself does so from
    /// left to right.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub on: Vec<(String, String)>,
}

/// What becomes of rows without a partner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum JoinKind {
    /// They are left out.
    #[default]
    Inner,
    /// Those of the left source are kept.
    Left,
    /// Those of both sources are kept. It joins two sources and no others. A column of both that it joins by is named
    /// without a source, and has a value wherever one of them has.
    Full,
    /// Rows of the left source that have a partner are left out. The right source is named in conditions only, which say
    /// what a partner is; nothing else is joined to it.
    Anti,
}

/// A column or another value that is grouped by or selected.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dimension {
    /// The column, or another value, such as a case that puts rows into bands.
    pub column: Expression,
    /// Takes the first day of the period that a date is in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Period>,
    /// Its name in the view; by default the column's, followed by the period: `paid_on_month`. Other values need one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// A value per group.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Metric {
    /// Its name in the view.
    pub name: String,
    /// How values become one.
    pub agg: Aggregate,
    /// Of what. Only `count` can do without: it counts joined rows then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<Expression>,
    /// What has to hold of a joined row for it to count here; all of them. The value is the one that the view would have
    /// with these among its own conditions; groups without such rows stay.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
}

/// How many values become one. NULL is passed over; of no value at all it is NULL, or 0 for a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The number of values that are not NULL, or of rows.
    Count,
    /// The number of different values.
    CountDistinct,
    /// Their sum.
    Sum,
    /// Their mean.
    Avg,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// The one in the middle; of an even number the mean of the two.
    Median,
    /// The standard deviation of a sample; NULL of a single value.
    Stddev,
}

/// A quotient of two metrics; NULL where the second is 0.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Ratio {
    /// Its name in the view.
    pub name: String,
    /// The metric above the line.
    pub of: String,
    /// The metric below it.
    pub to: String,
}

/// A value that looks at other groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Window {
    /// Its name in the view.
    pub name: String,
    /// What is computed.
    pub kind: WindowKind,
    /// Of which metric or ratio; without metrics, of which dimension.
    pub of: String,
    /// Dimensions within which it is computed; none means over all rows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per: Vec<String>,
    /// Of a running total, a lag or a moving window: the dimensions that order the rows. Rows that are level in them stand in
    /// the order of the other dimensions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub along: Vec<String>,
    /// Of a lag: how many rows before this one, 1 by default. Of a moving window: how many rows it holds, this one the last.
    /// Rows are those of the view: a month without any is not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
}

/// What a window computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WindowKind {
    /// The part of the total, from 0 to 1; NULL where the total is 0.
    Share,
    /// The place from the greatest down, from 1; equals share a place.
    Rank,
    /// The sum up to here; what stands at the same place is added at once.
    RunningTotal,
    /// The value of an earlier row; NULL where there is none.
    Lag,
    /// The sum of this row and those before it.
    MovingSum,
    /// The mean of this row and those before it.
    MovingAvg,
}

/// The first rows of each group.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TopRows {
    /// How many of each, 1 or more.
    pub n: u32,
    /// The output that decides.
    pub by: String,
    /// Dimensions that make a group.
    #[serde(default)]
    pub per: Vec<String>,
    /// Whether the least come first instead of the greatest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ascending: bool,
}

/// A key of the order.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OrderKey {
    /// An output of the view.
    pub by: String,
    /// Whether the greatest come first.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub descending: bool,
}
