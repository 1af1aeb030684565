//! The request for a metric query and its compiled form.

use std::collections::BTreeMap;
use vitrine_sql::ReadOnlySql;

/// A query over metrics.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MetricQuery {
    /// Names of metrics, at least one.
    pub metrics: Vec<String>,
    /// Names of dimensions that define the groups.
    pub by: Vec<String>,
    /// Conditions on dimensions, or on metrics of the query; all must hold.
    pub filters: Vec<String>,
    /// The first day in ISO form.
    pub from: Option<String>,
    /// The last day in ISO form.
    pub to: Option<String>,
    /// Adds the value of an earlier period and the change since then.
    pub compare: Option<Comparison>,
    /// Adds each metric's share of the total, or of the period's total if another dimension divides the periods.
    pub share: bool,
    /// Adds each metric's running total over time.
    pub running_total: bool,
    /// Names of metrics and dimensions, with `-` in front or `desc` after them for descending order.
    pub order: Vec<String>,
    /// Maximum number of rows.
    pub limit: Option<u32>,
    /// Titles of the result's columns by the names of metrics and dimensions; other columns keep their names.
    pub titles: BTreeMap<String, String>,
}

/// The earlier period that values are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// The period before, of the query's grain.
    PreviousPeriod,
    /// The same period of the year before.
    PreviousYear,
}

/// A compiled metric query.
#[derive(Debug, Clone)]
pub struct CompiledQuery {
    /// The query, proven to only read.
    pub sql: ReadOnlySql,
    /// Keys that must be unique for the result to be correct. Each query returns rows only if its key is not.
    pub key_checks: Vec<KeyCheck>,
}

/// A key of a joined table that the database does not declare as unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCheck {
    /// The table of the database.
    pub table: String,
    /// The column or expression.
    pub key: String,
    /// Returns a repeated value of the key, if there is one.
    pub sql: ReadOnlySql,
}
