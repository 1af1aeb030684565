//! Plans a query: resolves metrics to values over leaves and splits filters.

use super::comparison::{check_offsets, comparison_span};
use super::leaf::{Condition, Leaf, Value};
use super::meaning::{check_same_meaning, own_time_form};
use super::request::MetricQuery;
use crate::definition::{Aggregate, DimensionKind, Metric, MetricInput, MetricsFile};
use crate::expression::{find_aggregate, formula_names, split_conditions};
use crate::grain::{Grain, Span};
use crate::graph::{Resolved, resolve_dimension};
use crate::names::{DimensionName, METRIC_TIME};
use crate::problem::MetricError;
use crate::template::expand_templates;
use std::collections::BTreeSet;
use vitrine_domain::Dialect;
use vitrine_sql::is_date;
use vitrine_words::tr;

/// Maximum depth of metrics within metrics.
const DEEPEST: usize = 32;
/// Maximum number of leaves of a query.
const MOST_LEAVES: usize = 100;

/// A planned query.
#[derive(Debug)]
pub(crate) struct Plan<'f> {
    pub leaves: Vec<Leaf<'f>>,
    /// The metrics of the query with their values.
    pub values: Vec<(&'f Metric, Value<'f>)>,
    /// The values of the earlier period, in the order of `values`; empty without a comparison.
    pub earlier: Vec<Value<'f>>,
    /// The number of leaves of the current period, which come first.
    pub current_leaves: usize,
    /// Conditions on metrics of the result.
    pub having: Vec<String>,
}

/// Finds a metric by its name, ignoring case.
///
/// # Errors
/// Fails if it does not exist.
pub(crate) fn find_metric<'f>(file: &'f MetricsFile, name: &str) -> Result<&'f Metric, MetricError> {
    let name = name.trim();
    file.metrics.iter().find(|metric| metric.name.eq_ignore_ascii_case(name)).ok_or_else(|| {
        let hint = match file.metrics.is_empty() {
            true => tr!("This connection has no metrics yet: vitrine metrics import FILE --warehouse W"),
            false => {
                let names: Vec<&str> = file.metrics.iter().take(30).map(|metric| metric.name.as_str()).collect();
                tr!("Metrics: {names}", names = names.join(", "))
            }
        };
        MetricError::missing(tr!("Metric '{name}' not found", name)).with_hint(hint)
    })
}

/// Returns the tables whose rows these metrics aggregate; for no names, of all metrics.
pub(crate) fn base_tables(
    file: &MetricsFile,
    metrics: &[String],
    dialect: Dialect,
) -> Result<BTreeSet<usize>, MetricError> {
    let all: Vec<String> = file.metrics.iter().map(|metric| metric.name.clone()).collect();
    let names = if metrics.is_empty() { &all[..] } else { metrics };
    let mut planner = Planner { file, dialect, leaves: Vec::new() };
    for name in names {
        let metric = find_metric(file, name)?;
        let planned = planner.plan_metric(metric, &Inherited::default(), &mut Vec::new());
        // A broken definition must not hide the dimensions of the others.
        if !metrics.is_empty() {
            planned?;
        }
    }
    Ok(planner.leaves.iter().map(|leaf| leaf.base).collect())
}

/// Plans a query.
pub(crate) fn plan_query<'f>(
    file: &'f MetricsFile,
    dialect: Dialect,
    query: &MetricQuery,
) -> Result<Plan<'f>, MetricError> {
    if query.metrics.is_empty() {
        return Err(MetricError::new(tr!("The query names no metric"))
            .with_hint(tr!("Name metrics with --metrics, such as: --metrics revenue,orders")));
    }
    let mut metrics: Vec<&Metric> = Vec::new();
    for name in &query.metrics {
        let metric = find_metric(file, name)?;
        if !metrics.iter().any(|known| std::ptr::eq(*known, metric)) {
            metrics.push(metric);
        }
    }
    let (conditions, having) = split_filters(query, &metrics, dialect)?;
    let mut planner = Planner { file, dialect, leaves: Vec::new() };
    let mut values = Vec::new();
    for metric in &metrics {
        let inherited = Inherited { conditions: conditions.clone(), shift: None };
        values.push((*metric, planner.plan_metric(metric, &inherited, &mut Vec::new())?));
    }
    let all: Vec<usize> = (0..planner.leaves.len()).collect();
    planner.check_meanings(&conditions, &all)?;
    let current_leaves = planner.leaves.len();
    let mut earlier = Vec::new();
    if let Some(comparison) = query.compare {
        let shift = Some(comparison_span(file, &planner.leaves, comparison, query)?);
        for metric in &metrics {
            let inherited = Inherited { conditions: conditions.clone(), shift };
            earlier.push(planner.plan_metric(metric, &inherited, &mut Vec::new())?);
        }
    }
    check_offsets(file, &planner.leaves, &query.by)?;
    Ok(Plan { leaves: planner.leaves, values, earlier, current_leaves, having })
}

/// Splits the query's filters into conditions on rows and conditions on metrics of the result.
fn split_filters(
    query: &MetricQuery,
    metrics: &[&Metric],
    dialect: Dialect,
) -> Result<(Vec<Condition>, Vec<String>), MetricError> {
    let is_metric = |name: &String| metrics.iter().any(|metric| metric.name.eq_ignore_ascii_case(name));
    let (mut conditions, mut having) = (Vec::new(), Vec::new());
    for filter in &query.filters {
        for (text, names) in split_conditions(&expand_templates(filter)?, dialect)? {
            match names.iter().filter(|name| is_metric(name)).count() {
                0 => conditions.push(new_condition(text, names, true)),
                count if count == names.len() => having.push(text),
                _ => {
                    return Err(MetricError::new(tr!("This filter mixes metrics and dimensions: {text}", text))
                        .with_hint(tr!("Write a condition on metrics and one on dimensions, joined by AND")));
                }
            }
        }
    }
    for (day, operator) in [(&query.from, ">="), (&query.to, "<=")] {
        let Some(day) = day else { continue };
        if day.len() != "2024-01-31".len() || !is_date(day) {
            return Err(MetricError::new(tr!("'{day}' is not a day", day))
                .with_hint(tr!("Write days as year, month and day: 2024-01-31")));
        }
        let name = format!("{METRIC_TIME}__day");
        conditions.push(new_condition(format!("{name} {operator} '{day}'"), vec![name], true));
    }
    Ok((conditions, having))
}

/// Returns a condition whose relation to time is not known before its leaf is.
fn new_condition(text: String, names: Vec<String>, is_of_query: bool) -> Condition {
    Condition { text, names, is_of_query, is_time: false, mentions_time: false }
}

/// The conditions and the shift that a metric within another one takes over.
#[derive(Debug, Clone, Default)]
struct Inherited {
    conditions: Vec<Condition>,
    shift: Option<Span>,
}

struct Planner<'f> {
    file: &'f MetricsFile,
    dialect: Dialect,
    leaves: Vec<Leaf<'f>>,
}

impl<'f> Planner<'f> {
    fn plan_metric(
        &mut self,
        metric: &'f Metric,
        inherited: &Inherited,
        within: &mut Vec<&'f str>,
    ) -> Result<Value<'f>, MetricError> {
        let name = metric.name.as_str();
        if within.contains(&name) || within.len() > DEEPEST {
            let circle = within.iter().chain([&name]).copied().collect::<Vec<_>>().join(" → ");
            return Err(MetricError::new(tr!("These metrics refer to each other in a circle: {circle}", circle)));
        }
        within.push(name);
        let mut inherited = inherited.clone();
        let own = self.parse_conditions(&metric.filters, name)?;
        inherited.conditions.extend(own.clone());
        let value = self.plan_form(metric, &inherited, within)?;
        self.check_meanings(&own, &value.leaves())?;
        within.pop();
        Ok(match metric.when_empty {
            Some(constant) => Value::Filled(Box::new(value), constant),
            None => value,
        })
    }

    fn plan_form(
        &mut self,
        metric: &'f Metric,
        inherited: &Inherited,
        within: &mut Vec<&'f str>,
    ) -> Result<Value<'f>, MetricError> {
        if let Some(ratio) = &metric.ratio {
            let of = self.plan_input(&ratio.of, inherited, within)?;
            let to = self.plan_input(&ratio.to, inherited, within)?;
            return Ok(Value::Ratio(Box::new(of), Box::new(to)));
        }
        if let Some(formula) = &metric.formula {
            return self.plan_formula(metric, formula, inherited, within);
        }
        if let Some(summed) = metric.cumulative.as_ref().and_then(|cumulative| cumulative.metric.as_ref()) {
            let summed = find_metric(self.file, summed)?;
            let mut inherited = inherited.clone();
            inherited.conditions.extend(self.parse_conditions(&summed.filters, &summed.name)?);
            return self.add_leaf(metric, summed, inherited);
        }
        self.add_leaf(metric, metric, inherited.clone())
    }

    fn plan_formula(
        &mut self,
        metric: &'f Metric,
        formula: &'f str,
        inherited: &Inherited,
        within: &mut Vec<&'f str>,
    ) -> Result<Value<'f>, MetricError> {
        if let Some(call) = find_aggregate(formula, self.dialect)? {
            return Err(MetricError::new(tr!(
                "The formula of metric '{name}' has the aggregate {call}, but its metrics are already aggregated",
                name = metric.name,
                call
            ))
            .with_hint(tr!("Define the aggregate as a metric with aggregate, of and table, and use its name")));
        }
        let mut named: Vec<(String, Value<'f>)> = Vec::new();
        for input in &metric.inputs {
            let name = input.alias.as_ref().unwrap_or(&input.metric).clone();
            named.push((name, self.plan_input(input, inherited, within)?));
        }
        for name in formula_names(formula, self.dialect)? {
            if named.iter().any(|(known, _)| known.eq_ignore_ascii_case(&name)) {
                continue;
            }
            if !metric.inputs.is_empty() {
                return Err(MetricError::missing(tr!(
                    "The formula of metric '{metric}' uses '{name}', which is none of its inputs",
                    metric = metric.name,
                    name
                )));
            }
            let used = find_metric(self.file, &name)?;
            named.push((name, self.plan_metric(used, inherited, within)?));
        }
        if named.is_empty() {
            return Err(MetricError::new(tr!("The formula of metric '{name}' uses no metric", name = metric.name)));
        }
        Ok(Value::Formula(formula, named))
    }

    fn plan_input(
        &mut self,
        input: &'f MetricInput,
        inherited: &Inherited,
        within: &mut Vec<&'f str>,
    ) -> Result<Value<'f>, MetricError> {
        let metric = find_metric(self.file, &input.metric)?;
        let mut inherited = inherited.clone();
        let own = self.parse_conditions(&input.filters, &input.metric)?;
        inherited.conditions.extend(own.clone());
        inherited.shift = match (inherited.shift, input.offset) {
            (Some(a), Some(b)) if a.grain == b.grain => Some(Span { count: a.count + b.count, ..a }),
            (Some(a), Some(b)) => match (a.months(), b.months(), a.days(), b.days()) {
                (Some(a), Some(b), ..) => Some(Span { count: (a + b) as u32, grain: Grain::Month }),
                (.., Some(a), Some(b)) => Some(Span { count: (a + b) as u32, grain: Grain::Day }),
                _ => {
                    return Err(MetricError::new(tr!(
                        "The periods {a} and {b} before cannot be combined (metric '{name}')",
                        a,
                        b,
                        name = metric.name
                    )));
                }
            },
            (a, b) => a.or(b),
        };
        let value = self.plan_metric(metric, &inherited, within)?;
        self.check_meanings(&own, &value.leaves())?;
        Ok(value)
    }

    fn classify_condition(&self, leaf: &Leaf<'f>, condition: &Condition) -> Condition {
        // A definition limits the rows that are accumulated, a query the days that are shown.
        if leaf.cumulative.is_some() && !condition.is_of_query {
            return condition.clone();
        }
        let is_time = |name: &&String| own_time_form(self.file, leaf, name).is_some();
        let times = condition.names.iter().filter(is_time).count();
        let is_time = times > 0 && times == condition.names.len();
        Condition { is_time, mentions_time: times > 0, ..condition.clone() }
    }

    /// Checks that the names of conditions mean the same columns for several leaves.
    fn check_meanings(&self, conditions: &[Condition], leaves: &[usize]) -> Result<(), MetricError> {
        let leaves: Vec<&Leaf<'f>> = leaves.iter().map(|&leaf| &self.leaves[leaf]).collect();
        if leaves.len() < 2 {
            return Ok(());
        }
        conditions
            .iter()
            .flat_map(|condition| &condition.names)
            .try_for_each(|name| check_same_meaning(self.file, &leaves, name))
    }

    fn parse_conditions(&self, filters: &[String], metric: &str) -> Result<Vec<Condition>, MetricError> {
        let in_metric = |error: MetricError| MetricError {
            message: tr!("Metric '{metric}': {problem}", metric, problem = error.message),
            ..error
        };
        let mut conditions = Vec::new();
        for filter in filters {
            let text = expand_templates(filter).map_err(in_metric)?;
            for (text, names) in split_conditions(&text, self.dialect).map_err(in_metric)? {
                conditions.push(new_condition(text, names, false));
            }
        }
        Ok(conditions)
    }

    /// Adds the leaf of `summed`, accumulated as `metric` defines.
    fn add_leaf(
        &mut self,
        metric: &'f Metric,
        summed: &'f Metric,
        inherited: Inherited,
    ) -> Result<Value<'f>, MetricError> {
        let (Some(aggregate), Some(table)) = (summed.aggregate, &summed.table) else {
            let (name, summed) = (&metric.name, &summed.name);
            return Err(MetricError::new(tr!(
                "Metric '{name}' accumulates '{summed}', which is not an aggregate",
                name,
                summed
            )));
        };
        let base = self.file.find_table(table).ok_or_else(|| {
            MetricError::missing(tr!("Metric '{name}' names an unknown table '{table}'", name = summed.name, table))
        })?;
        let time_name = summed.time.as_ref().or(self.file.tables[base].time.as_ref());
        let time = time_name.map(|time| self.find_time(summed, base, time)).transpose()?;
        let cumulative = metric.cumulative.as_ref();
        if cumulative.is_some() && (summed.last_of.is_some() || inherited.shift.is_some()) {
            let name = &metric.name;
            return Err(MetricError::new(tr!(
                "Metric '{name}' cannot be accumulated and compared or taken from the last day",
                name
            )));
        }
        let of = summed.of.as_deref().filter(|of| aggregate != Aggregate::Count || of.trim() != "*");
        let mut conditions: Vec<Condition> = Vec::new();
        for condition in inherited.conditions {
            if !conditions.contains(&condition) {
                conditions.push(condition);
            }
        }
        let mut leaf = Leaf {
            name: &metric.name,
            aggregate,
            of,
            base,
            time,
            conditions,
            shift: inherited.shift,
            last_of: summed.last_of.as_ref(),
            cumulative,
            every_period: metric.every_period.unwrap_or(true) && inherited.shift.is_none() && cumulative.is_none(),
        };
        leaf.conditions = leaf.conditions.iter().map(|condition| self.classify_condition(&leaf, condition)).collect();
        let index = self.leaves.iter().position(|known| *known == leaf).unwrap_or(self.leaves.len());
        if index == self.leaves.len() {
            if index == MOST_LEAVES {
                return Err(MetricError::new(tr!("The query needs more than {most} aggregates", most = MOST_LEAVES)));
            }
            self.leaves.push(leaf);
        }
        Ok(Value::Leaf(index))
    }

    /// Finds the time dimension of a metric by its name in the table, or by its full name in a joined table.
    fn find_time(&self, metric: &Metric, base: usize, time: &str) -> Result<Resolved<'f>, MetricError> {
        let table = &self.file.tables[base];
        let own = DimensionName { links: Vec::new(), element: time.trim().to_owned(), grain: None, part: None };
        let readings = DimensionName::readings(time).unwrap_or_default();
        let names = std::iter::once(own).filter(|own| table.find_dimension(&own.element).is_some()).chain(readings);
        let mut found = names.map(|name| resolve_dimension(self.file, base, &name, time));
        let in_metric = |problem: String| tr!("Time of metric '{name}': {problem}", name = metric.name, problem);
        let resolved = match found.next() {
            Some(Ok(resolved)) => resolved,
            Some(Err(error)) => return Err(MetricError { message: in_metric(error.message), ..error }),
            None => {
                return Err(MetricError::missing(in_metric(tr!(
                    "'{name}' is not the name of a dimension",
                    name = time
                ))));
            }
        };
        match resolved.dimension() {
            Some(dimension) if dimension.kind == DimensionKind::Time => Ok(resolved),
            _ => Err(MetricError::new(in_metric(tr!("'{name}' is not a time dimension", name = time)))
                .with_hint(tr!("Set its kind to time"))),
        }
    }
}
