//! Definitions as users write them in the file of a connection.

use crate::grain::{Grain, Span};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The metrics of a connection.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MetricsFile {
    /// The week, the fiscal year and the time zone of time dimensions.
    #[serde(default, skip_serializing_if = "is_default")]
    pub calendar: Calendar,
    /// Tables with their entities and dimensions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<SemanticTable>,
    /// The metrics, with unique names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<Metric>,
}

/// The calendar of time dimensions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Calendar {
    /// The first day of a week.
    pub week_start: WeekDay,
    /// The first month of the fiscal year, from 1 to 12.
    pub fiscal_year_start: u8,
    /// The time zone in which timestamps are assigned to days, such as `Europe/Berlin`; as stored if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_zone: Option<String>,
    /// The time zone of stored timestamps without one; UTC if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored_time_zone: Option<String>,
    /// A table with one row per day. Without one, days are generated from the first to the last day of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<CalendarTable>,
}

impl Default for Calendar {
    fn default() -> Self {
        Self { week_start: WeekDay::Monday, fiscal_year_start: 1, time_zone: None, stored_time_zone: None, days: None }
    }
}

/// A table with one row per day.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalendarTable {
    /// The name of the table in the database.
    pub table: String,
    /// The column with the day.
    pub column: String,
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "The names are complete.")]
pub enum WeekDay {
    Monday,
    Tuesday,
    Wednesday,
    Thursday,
    Friday,
    Saturday,
    Sunday,
}

/// A table of the database with its entities and dimensions.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SemanticTable {
    /// The name by which metrics refer to the table.
    pub name: String,
    /// The name of the table in the database; `name` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The title for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The content of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The time dimension of metrics that name no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The entity of a row, for a table without a column that identifies it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub primary_entity: Option<String>,
    /// The entities that columns of the table identify.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<Entity>,
    /// The dimensions of the table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<Dimension>,
}

/// Something that rows are about, such as a store. Tables are joined by their common entities.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    /// The name, which is equal in all tables that refer to the entity.
    pub name: String,
    /// The relation of the table's rows to the entity.
    pub kind: EntityKind,
    /// The column or expression; `name` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The title for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The meaning of the entity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// The relation of a table's rows to an entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EntityKind {
    /// Every row is one entity, and every entity has one row.
    Primary,
    /// At most one row per entity; the column may be NULL.
    Unique,
    /// Several rows may refer to the same entity.
    Foreign,
    /// The entity has several rows, each valid for a time. Such tables are not joined.
    Natural,
}

/// A column to group and filter by.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dimension {
    /// The name, unique in its table.
    pub name: String,
    /// The kind: a category or a time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub kind: DimensionKind,
    /// The column or expression; `name` if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The shortest period of a time; day if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grain: Option<Grain>,
    /// The title for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// The meaning of the column.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Other words for the dimension.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// Other words for stored values.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, Vec<String>>,
    /// True if tables that both have this dimension are joined only within equal values.
    #[serde(default, skip_serializing_if = "is_default")]
    pub partition: bool,
}

/// The kind of a dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DimensionKind {
    /// Values such as names and codes.
    #[default]
    Category,
    /// Dates and timestamps.
    Time,
}

/// A number that people agree on: one aggregate, a ratio of two metrics, or a formula over metrics.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metric {
    /// The name in queries.
    pub name: String,
    /// The title for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Other words for the metric.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// The meaning of the metric.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The person or group that answers for the definition.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The unit, such as `EUR` or `%`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// The format of the number for users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The aggregate function.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aggregate: Option<Aggregate>,
    /// The aggregated column or expression; rows are counted without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// The name of the table whose rows are aggregated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// The time dimension; the table's if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// For stocks and balances, which must not be added over time: the rows that count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_of: Option<LastOf>,
    /// Accumulates the aggregate over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cumulative: Option<Cumulative>,
    /// The quotient of two metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio: Option<Ratio>,
    /// An expression over metrics.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// The metrics of the formula; without any, its names are names of metrics.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<MetricInput>,
    /// Conditions on dimensions that always apply.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filters: Vec<String>,
    /// The value of groups without rows; NULL if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when_empty: Option<i64>,
    /// False if periods without rows are left out; true if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every_period: Option<bool>,
}

/// An aggregate function of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Aggregate {
    /// The sum of the values.
    Sum,
    /// Number of values that are not NULL, or of rows.
    Count,
    /// Number of distinct values.
    CountDistinct,
    /// The arithmetic mean of the values.
    Average,
    /// The smallest of the values.
    Min,
    /// The largest of the values.
    Max,
    /// The median, between the middle values if their number is even.
    Median,
    /// Number of rows for which a condition is true.
    SumBoolean,
}

/// The rows of a stock or balance that count: rows of the last (or first) day of each period.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LastOf {
    /// The time dimension over which values must not be added.
    pub over: String,
    /// The day of the period that counts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pick: Pick,
    /// Entities that each have a last day of their own, such as accounts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub per: Vec<String>,
}

/// The value of a period that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pick {
    /// The value of the last day.
    #[default]
    Last,
    /// The value of the first day.
    First,
    /// The mean over all days; only for cumulative metrics.
    Average,
}

/// Accumulation over time. Without a window and a start, from the beginning of the data.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cumulative {
    /// The accumulated metric; the metric's own aggregate if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<String>,
    /// The length of time up to and including each day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<Span>,
    /// The period at whose start the accumulation begins again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Grain>,
    /// The day that represents a longer period.
    #[serde(default, skip_serializing_if = "is_default")]
    pub pick: Pick,
}

/// The quotient of two metrics; NULL if the divisor is 0.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ratio {
    /// The dividend.
    pub of: MetricInput,
    /// The divisor.
    pub to: MetricInput,
}

/// A metric within another one. In the file, a name suffices.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(from = "InputForm", into = "InputForm")]
pub struct MetricInput {
    /// The name of the metric.
    pub metric: String,
    /// The name in the formula; the metric's if absent.
    pub alias: Option<String>,
    /// Further conditions on dimensions.
    pub filters: Vec<String>,
    /// The distance of the earlier period whose value is used.
    pub offset: Option<Span>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged, expecting = "a metric's name, or a mapping with metric, alias, filters and offset")]
enum InputForm {
    Name(String),
    Full(FullInput),
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FullInput {
    metric: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    alias: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    filters: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<Span>,
}

impl From<InputForm> for MetricInput {
    fn from(form: InputForm) -> Self {
        match form {
            InputForm::Name(metric) => Self { metric, ..Self::default() },
            InputForm::Full(FullInput { metric, alias, filters, offset }) => Self { metric, alias, filters, offset },
        }
    }
}

impl From<MetricInput> for InputForm {
    fn from(input: MetricInput) -> Self {
        let MetricInput { metric, alias, filters, offset } = input;
        match (&alias, filters.is_empty(), offset) {
            (None, true, None) => Self::Name(metric),
            _ => Self::Full(FullInput { metric, alias, filters, offset }),
        }
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
