//! Resolves every column, metric and output of a spec, and reports problems.

use super::conditions::DEEPEST;
use super::joins;
use super::lookup::{ColumnLookup, read_as};
use super::outputs::resolve_outputs;
use super::problem::ViewProblem;
use super::scope::{Member, Problems, Scope};
use super::values::{ColumnForm, list_numeric_columns, may_hold_dates, resolve_conditions, resolve_value, type_noun};
use crate::model::hidden::Hidden;
use crate::model::plan::{Dimension, Field, Held, Metric, Output, Plan, Source, Value};
use vitrine_domain::ViewSpec;
use vitrine_domain::views::{self, Aggregate, Comparison, Expression, Period};
use vitrine_sql::ColumnType;

/// Maximum number of sources, dimensions or values in one view. More indicates a mistake, and the limit bounds the size
/// of the SQL.
const MOST: usize = 64;

/// Resolves a spec to a plan, or returns all of its problems.
pub(crate) fn resolve_spec<'a>(spec: &ViewSpec, scope: &Scope<'a>) -> Result<Plan<'a>, Vec<ViewProblem>> {
    let mut problems = Problems::for_spec(spec);
    check_limits(spec, &mut problems);
    if !problems.found.is_empty() {
        return Err(problems.found);
    }
    let Some(sources) = joins::resolve_sources(scope, &mut problems) else { return Err(problems.found) };
    let members = sources.iter().map(|s| Member { alias: s.alias.clone(), rows: s.rows.clone() }).collect();
    let look = ColumnLookup { scope, members, sources: &sources, absent: false };
    let dimensions = resolve_dimensions(&look, &mut problems);
    let metrics = resolve_metrics(&look, &mut problems);
    let all = ColumnLookup { absent: true, ..look.clone() };
    let conditions = resolve_conditions(&spec.conditions, "conditions", &all, &mut problems);
    let mut plan = Plan {
        name: spec.name.clone(),
        dimensions,
        metrics,
        ratios: Vec::new(),
        windows: Vec::new(),
        conditions,
        having: Vec::new(),
        distinct: spec.distinct && spec.metrics.is_empty(),
        top: None,
        order: Vec::new(),
        limit: spec.limit,
        sources,
    };
    resolve_outputs(&mut plan, &mut problems);
    for index in 0..plan.metrics.len() {
        let metric = &plan.metrics[index];
        use Aggregate::{Avg, Count, Median, Stddev, Sum};
        let adds = matches!(metric.agg, Count | Sum | Avg | Median | Stddev);
        let mut of: Vec<usize> = metric.of.iter().flat_map(Value::fields).map(|field| field.source).collect();
        of.sort_unstable();
        of.dedup();
        if adds && !of.is_empty() && plan.repeats_rows(&of) {
            plan.metrics[index].once = Some(of);
        }
    }
    if problems.found.is_empty() { Ok(plan) } else { Err(problems.found) }
}

fn check_limits(spec: &ViewSpec, problems: &mut Problems<'_>) {
    let name = spec.name.as_str();
    let plain = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.len() <= 60;
    if !plain || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        problems.add_problem(
            "name",
            "A view's name has up to 60 letters, digits and underscores and begins with a letter.",
        );
    }
    let many = [
        spec.source.len(),
        spec.joins.len(),
        spec.dimensions.len(),
        spec.metrics.len() + spec.ratios.len() + spec.windows.len(),
        spec.conditions.len(),
        spec.metrics.iter().map(|m| m.conditions.len()).max().unwrap_or_default(),
        spec.having.len(),
    ];
    if many.into_iter().any(|n| n > MOST) {
        problems.add_problem("view", format!("It has more than {MOST} parts of one kind. Make several views."));
    }
    if spec.dimensions.is_empty() && spec.metrics.is_empty() {
        problems.add_problem("dimensions", "A view needs a dimension or a metric.");
    }
    if spec.limit == Some(0) {
        problems.add_problem("limit", "A limit is 1 or more.");
    }
    if spec.distinct && !spec.metrics.is_empty() {
        problems.add_problem("distinct", "Groups are distinct already. Leave it out, or use count_distinct.");
    }
}

fn resolve_dimensions(look: &ColumnLookup<'_, '_>, problems: &mut Problems<'_>) -> Vec<Dimension> {
    let mut found = Vec::new();
    for dimension in &problems.spec.dimensions {
        let named = dimension.name.clone().filter(|n| !n.trim().is_empty());
        let made = match &dimension.column {
            Expression::Column(column) => problems.unwrap_or_report(
                &format!("dimension {column}"),
                self::column_dimension(column, dimension.by, named, look, problems.spec),
            ),
            other => {
                let place = format!("dimension {}", named.as_deref().unwrap_or_default());
                problems.unwrap_or_report(place.trim_end(), expression_dimension(other, dimension.by, named, look))
            }
        };
        found.extend(made);
    }
    found
}

/// Resolves a dimension that is a column or its period.
fn column_dimension(
    written: &str,
    by: Option<Period>,
    named: Option<String>,
    look: &ColumnLookup<'_, '_>,
    spec: &ViewSpec,
) -> Result<Dimension, String> {
    if let Some((left, right, hidden)) = look.find_merged_column(written) {
        let (left, right) = match by {
            Some(_) => (read_as(left, hidden.clone()), read_as(right, hidden.clone())),
            None => (left, right),
        };
        return merged_dimension(left, right, hidden, by, named);
    }
    let (field, hidden) = match by {
        Some(_) => (look.converted_field(written)?, None),
        None => look.resolve_column(written)?,
    };
    if by.is_some() && !may_hold_dates(&field) {
        return Err(format!("It is {}, and only dates have periods.", type_noun(&field)));
    }
    let name = named.unwrap_or_else(|| match by {
        Some(period) => format!("{}_{}", field.column, period.name()),
        None if is_duplicate_column(written, &field, look, &spec.dimensions) => {
            format!("{}_{}", look.members[field.source].alias, field.column)
        }
        None => field.column.clone(),
    });
    let family = if by.is_some() { ColumnType::Date } else { field.family };
    Ok(Dimension { value: Value::Field(field), by, output: Output { name, family, hidden } })
}

/// Resolves a dimension that is a join column of both sides of a full join.
fn merged_dimension(
    left: Field,
    right: Field,
    hidden: Option<Hidden>,
    by: Option<Period>,
    named: Option<String>,
) -> Result<Dimension, String> {
    if by.is_some() && !may_hold_dates(&left) {
        return Err(format!("It is {}, and only dates have periods.", type_noun(&left)));
    }
    let own = by.map_or_else(|| left.column.clone(), |period| format!("{}_{}", left.column, period.name()));
    let family = if by.is_some() { ColumnType::Date } else { left.family };
    let output = Output { name: named.unwrap_or(own), family, hidden: hidden.filter(|_| by.is_none()) };
    Ok(Dimension { value: Value::Either(left, right), by, output })
}

/// Resolves a dimension that is another expression.
fn expression_dimension(
    of: &Expression,
    by: Option<Period>,
    named: Option<String>,
    look: &ColumnLookup<'_, '_>,
) -> Result<Dimension, String> {
    let value = resolve_value(of, ColumnForm::Meant, look, DEEPEST)?;
    let Some(name) = named else { return Err("A dimension that is no column needs a name.".to_owned()) };
    let family = value.family();
    if by.is_some() && !matches!(family, ColumnType::Date | ColumnType::Timestamp) {
        return Err(format!("It is {}, and only dates have periods.", family.noun()));
    }
    let family = if by.is_some() { ColumnType::Date } else { family };
    Ok(Dimension { value, by, output: Output::without_hidden_type(name, family) })
}

/// Returns true if another dimension has the same name because it is the same column of another source.
fn is_duplicate_column(written: &str, field: &Field, look: &ColumnLookup<'_, '_>, all: &[views::Dimension]) -> bool {
    let unnamed = all.iter().filter(|d| d.by.is_none() && d.name.is_none());
    let mut others = unnamed.filter_map(|d| match &d.column {
        Expression::Column(name) if name != written => look.stored_field(name).ok(),
        _ => None,
    });
    others.any(|other| other.source != field.source && other.column.eq_ignore_ascii_case(&field.column))
}

fn resolve_metrics(look: &ColumnLookup<'_, '_>, problems: &mut Problems<'_>) -> Vec<Metric> {
    let mut found = Vec::new();
    for metric in &problems.spec.metrics {
        let place = format!("metric {}", metric.name);
        // Values are counted as stored.
        let counts = matches!(metric.agg, Aggregate::Count | Aggregate::CountDistinct);
        let reading = if counts { ColumnForm::Stored } else { ColumnForm::Meant };
        let of = match &metric.of {
            Some(of) => match problems.unwrap_or_report(&place, resolve_value(of, reading, look, DEEPEST)) {
                Some(of) => Some(of),
                None => continue,
            },
            None => None,
        };
        let family = of.as_ref().map_or(ColumnType::Whole, Value::family);
        let family = match (metric.agg, &of) {
            (Aggregate::Count, _) | (Aggregate::CountDistinct, Some(_)) => ColumnType::Whole,
            (agg, None) => {
                problems.add_problem(&place, format!("{} needs a column in of.", agg_word(agg)));
                continue;
            }
            (Aggregate::Min | Aggregate::Max, _) if matches!(family, ColumnType::Boolean | ColumnType::Other) => {
                problems.add_problem(&place, format!("It is {}, which has no least or greatest.", family.noun()));
                continue;
            }
            (Aggregate::Min | Aggregate::Max, _) => family,
            (agg, Some(of)) if !family.is_number() => {
                let named = of.fields().first().map_or_else(String::new, |f| f.column.clone());
                let noun = of.fields().first().map_or(family.noun(), |field| type_noun(field));
                problems.add_problem(
                    &place,
                    format!("{named} is {noun}: {} needs a number.{}", agg_word(agg), list_numeric_columns(look)),
                );
                continue;
            }
            (Aggregate::Sum, _) => family,
            (_, _) if family == ColumnType::Float => ColumnType::Float,
            (_, _) => ColumnType::Decimal,
        };
        let output = Output::without_hidden_type(metric.name.clone(), family);
        let mut conditions = resolve_conditions(&metric.conditions, &place, look, problems);
        conditions.extend(
            of.iter().filter(|of| of.survives_missing_rows()).flat_map(|of| presence_conditions(of, look.sources)),
        );
        found.push(Metric { agg: metric.agg, of, conditions, output, once: None });
    }
    found
}

fn agg_word(agg: Aggregate) -> &'static str {
    match agg {
        Aggregate::Count => "count",
        Aggregate::CountDistinct => "count_distinct",
        Aggregate::Sum => "sum",
        Aggregate::Avg => "avg",
        Aggregate::Min => "min",
        Aggregate::Max => "max",
        Aggregate::Median => "median",
        Aggregate::Stddev => "stddev",
    }
}

/// Returns conditions that the rows of a value exist, so that unmatched rows of a left join are not counted.
fn presence_conditions(of: &Value, sources: &[Source<'_>]) -> Vec<Held<Value>> {
    let mut of: Vec<usize> = of.fields().into_iter().map(|field| field.source).collect();
    of.sort_unstable();
    of.dedup();
    let nullable = of.into_iter().filter(|&source| sources[source].nullable);
    let linked = |source: usize| {
        // The first side of a full join is the parent of the second.
        let own = match &sources[source].link {
            Some(link) => &link.on.first()?.1,
            None => &sources.get(1)?.link.as_ref()?.on.first()?.0,
        };
        let field = Field { source, column: own.clone(), family: ColumnType::Unknown, read: None };
        Some(Held::Test { of: Value::Field(field), op: Comparison::IsNotNull, with: Vec::new() })
    };
    nullable.filter_map(linked).collect()
}
