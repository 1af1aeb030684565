//! Metrics: agreed definitions of numbers that compile to SQL. A file per connection describes tables with their
//! entities and dimensions, metrics, and a calendar ([`MetricsFile`]); [`compile_query`] turns metrics and dimensions
//! into one read-only query of the connection's dialect.
//!
//! Decisions:
//! - Dimensions are named as in MetricFlow: `entity__dimension`, and time dimensions with a grain:
//!   `metric_time__month`.
//! - A metric is aggregated from the rows of its own table before it meets other metrics. Joins lead only from a table
//!   to tables in which the entity is unique, so that no join repeats a row. If a key is not declared as unique, a
//!   query checks it first ([`KeyCheck`]).
//! - A name that several join paths match is rejected, unless it spells out one of them.
//! - Ratios and formulas are computed from aggregated values; distinct counts are counted again in every grouping.
//! - Expressions of definitions and filters are parsed as one expression without subqueries, and their names are
//!   replaced by columns of known tables. Text never reaches a query unparsed.

mod aggregates;
mod available;
mod catalog;
mod compile;
mod definition;
mod export;
mod expression;
mod file;
mod formula;
mod grain;
mod graph;
mod import;
mod names;
mod problem;
mod reach;
mod template;
mod update;

pub use available::{DimensionColumn, available_dimensions, find_dimension_column};
pub use compile::{Comparison, CompiledQuery, KeyCheck, MetricQuery, compile_query};
pub use definition::{
    Aggregate, Calendar, CalendarTable, Cumulative, Dimension, DimensionKind, Entity, EntityKind, LastOf, Metric,
    MetricInput, MetricsFile, Pick, Ratio, SemanticTable, WeekDay,
};
pub use export::{ExportedMetrics, export_metricflow};
pub use file::{parse_file, render_file};
pub use formula::{Formula, parse_formula};
pub use grain::{Grain, Span};
pub use graph::AvailableDimension;
pub use import::{ImportedMetrics, Skipped, import_files};
pub use problem::MetricError;
pub use reach::{DimensionReach, reach_dimension};
pub use update::{UpdatedFile, update_file};
