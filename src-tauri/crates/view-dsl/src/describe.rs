//! Describes a view's columns by their origins (ProSPy, A.1: lineage-aware descriptions).

use crate::compile::with_views;
use crate::model::relation::ViewRelation;
use crate::model::words::{all_of, format_expression};
use vitrine_domain::views::{Aggregate, Condition, Expression, Period, WindowKind};
use vitrine_domain::{Catalog, ViewSpec};
use vitrine_sql::{ReadOnlySql, bind_names};

/// A view described in terms of its base tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewDescription {
    /// The name of the view.
    pub view: String,
    /// The catalog tables below it, in order of first use.
    pub tables: Vec<String>,
    /// Its purpose, its tables with their comments, and its query.
    pub text: String,
    /// Descriptions of its columns, in order.
    pub columns: Vec<ColumnDescription>,
    /// Conditions on its rows and on its groups, and limits; one text each.
    pub conditions: Vec<String>,
}

/// The description of a view's column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ColumnDescription {
    /// The name of the column.
    pub name: String,
    /// The catalog columns it is computed from, as (table, column); empty for a count of rows.
    pub sources: Vec<(String, String)>,
    /// Its computation, and the comments on its base columns.
    pub text: String,
}

/// Describes a view by its spec and its compiled query. Comments come from the database and are untrusted text. The
/// columns of `earlier` materialised views are traced to their tables.
pub fn describe_view(
    spec: &ViewSpec,
    compiled: &ReadOnlySql,
    catalog: &Catalog,
    earlier: &[ViewRelation],
) -> ViewDescription {
    let binding = bind_names(compiled, &with_views(catalog, earlier));
    let view = |name: &str| earlier.iter().find(|v| v.name.eq_ignore_ascii_case(name));
    let mut tables: Vec<String> = Vec::new();
    let mut add = |name: String| {
        if !tables.contains(&name) {
            tables.push(name);
        }
    };
    for table in binding.tables {
        match view(&table) {
            Some(view) => view.columns.iter().flat_map(|c| &c.sources).for_each(|(table, _)| add(table.clone())),
            None => add(table),
        }
    }
    let columns = binding.outputs.into_iter().map(|output| {
        let mut sources: Vec<(String, String)> = Vec::new();
        for (table, column) in output.sources {
            let base = match view(&table) {
                Some(view) => view.column(&column).map(|c| c.sources.clone()).unwrap_or_default(),
                None => vec![(table, column)],
            };
            for source in base {
                if !sources.contains(&source) {
                    sources.push(source);
                }
            }
        }
        let comments: Vec<String> = sources.iter().map(|(table, column)| of_column(table, column, catalog)).collect();
        let made = describe_computation(spec, &output.name);
        let text = match (made, comments.is_empty()) {
            (Some(made), true) => made,
            (Some(made), false) => format!("{made}; from {}", comments.join(", ")),
            (None, _) => comments.join(", "),
        };
        ColumnDescription { name: output.name, sources, text }
    });
    let columns = columns.collect();
    let of_table = |name: &String| {
        let comment = catalog.find_table(name).and_then(|t| t.comment.as_deref());
        comment.map_or_else(|| name.clone(), |comment| format!("{name} ({comment})"))
    };
    let from: Vec<String> = tables.iter().map(of_table).collect();
    let why =
        if spec.rationale.is_empty() { String::new() } else { format!("{}. ", spec.rationale.trim_end_matches('.')) };
    let text = format!("{why}From {}.\n{}", from.join(", "), compiled.as_str());
    let conditions = describe_conditions(spec);
    ViewDescription { view: spec.name.clone(), tables, text, columns, conditions }
}

fn describe_conditions(spec: &ViewSpec) -> Vec<String> {
    let given = |what: &str, conditions: &[Condition]| {
        (!conditions.is_empty()).then(|| format!("{what} where {}", all_of(conditions)))
    };
    let top = spec.top.as_ref().map(|_| "only the first rows of each group".to_owned());
    let limit = spec.limit.map(|rows| format!("at most {rows} rows"));
    let distinct = spec.distinct.then(|| "without duplicate rows".to_owned());
    let all = [given("rows", &spec.conditions), given("groups", &spec.having), distinct, top, limit];
    all.into_iter().flatten().collect()
}

fn of_column(table: &str, column: &str, catalog: &Catalog) -> String {
    let comment = catalog.find_table(table).and_then(|t| t.find_column(column)).and_then(|c| c.comment.as_deref());
    comment.map_or_else(|| format!("{table}.{column}"), |comment| format!("{table}.{column} ({comment})"))
}

/// Describes the computation of an output; `None` for an unchanged column.
fn describe_computation(spec: &ViewSpec, name: &str) -> Option<String> {
    let is = |other: &str| other.eq_ignore_ascii_case(name);
    let metric = spec.metrics.iter().find(|m| is(&m.name)).map(|metric| {
        let of = metric.of.as_ref().map_or_else(|| "rows".to_owned(), format_expression);
        let value = match metric.agg {
            Aggregate::Count => format!("number of {of}"),
            Aggregate::CountDistinct => format!("number of different {of}"),
            Aggregate::Sum => format!("sum of {of}"),
            Aggregate::Avg => format!("mean of {of}"),
            Aggregate::Min => format!("least {of}"),
            Aggregate::Max => format!("greatest {of}"),
            Aggregate::Median => format!("median of {of}"),
            Aggregate::Stddev => format!("standard deviation of {of}"),
        };
        match metric.conditions.as_slice() {
            [] => value,
            conditions => format!("{value} where {}", all_of(conditions)),
        }
    });
    let ratio = || spec.ratios.iter().find(|r| is(&r.name)).map(|r| format!("{} divided by {}", r.of, r.to));
    let window = || {
        spec.windows.iter().find(|w| is(&w.name)).map(|w| {
            let per = if w.per.is_empty() { String::new() } else { format!(" per {}", w.per.join(", ")) };
            let along = w.along.join(", ");
            let rows = match w.rows.unwrap_or(1) {
                1 => "1 row".to_owned(),
                many => format!("{many} rows"),
            };
            match w.kind {
                WindowKind::Share => format!("share of the total {}{per}, from 0 to 1", w.of),
                WindowKind::Rank => format!("rank by {}{per}, from the greatest", w.of),
                WindowKind::RunningTotal => format!("running total of {}{per} along {along}", w.of),
                WindowKind::Lag => format!("{} of {rows} before{per} along {along}", w.of),
                WindowKind::MovingSum => format!("sum of {} over {rows} up to here{per} along {along}", w.of),
                WindowKind::MovingAvg => format!("mean of {} over {rows} up to here{per} along {along}", w.of),
            }
        })
    };
    let period = || {
        let dimension = spec.dimensions.iter().find(|d| {
            let period = d.by.map(Period::name).unwrap_or_default();
            let Expression::Column(column) = &d.column else {
                return d.by.is_some() && d.name.as_deref().is_some_and(is);
            };
            let column = column.rsplit('.').next().unwrap_or_default();
            d.by.is_some() && d.name.as_deref().map_or_else(|| is(&format!("{column}_{period}")), is)
        });
        dimension.and_then(|d| d.by).map(|period| format!("first day of the {}", period.name()))
    };
    let value = || {
        let made = spec.dimensions.iter().filter(|d| !matches!(d.column, Expression::Column(_)));
        made.filter(|d| d.name.as_deref().is_some_and(is)).map(|d| format_expression(&d.column)).next()
    };
    metric.or_else(ratio).or_else(window).or_else(period).or_else(value)
}
