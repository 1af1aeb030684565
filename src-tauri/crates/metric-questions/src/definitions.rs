//! Conditions that the definition of a metric contains, which conditions of a question could contradict.

use std::collections::BTreeSet;
use vitrine_metrics::{DimensionKind, Metric, MetricsFile};

/// Returns the conditions of a metric and of the metrics that it is computed from.
pub(crate) fn own_conditions<'f>(file: &'f MetricsFile, metric: &'f Metric) -> Vec<&'f str> {
    let (mut conditions, mut seen) = (Vec::new(), BTreeSet::new());
    let mut open = vec![metric];
    while let Some(metric) = open.pop() {
        if !seen.insert(metric.name.as_str()) {
            continue;
        }
        conditions.extend(metric.filters.iter().map(String::as_str));
        let ratio = metric.ratio.iter().flat_map(|ratio| [&ratio.of, &ratio.to]);
        let mut names: Vec<&str> = Vec::new();
        for input in ratio.chain(&metric.inputs) {
            conditions.extend(input.filters.iter().map(String::as_str));
            names.push(&input.metric);
        }
        let formula = metric.formula.as_deref().unwrap_or_default();
        names.extend(formula.split(|c: char| !c.is_alphanumeric() && c != '_'));
        names.extend(metric.cumulative.iter().filter_map(|cumulative| cumulative.metric.as_deref()));
        open.extend(file.metrics.iter().filter(|one| names.iter().any(|name| name.eq_ignore_ascii_case(&one.name))));
    }
    conditions
}

/// Returns true if a condition mentions a dimension, given by its name in queries.
pub(crate) fn mentions_dimension(condition: &str, name: &str) -> bool {
    let own: Vec<&str> = name.split("__").collect();
    names_in(condition).any(|written| {
        let parts: Vec<&str> = written.split("__").collect();
        // The written name may have a part of a date or a grain at its end, or only some of the entities.
        let with_end = parts.len() > 1 && ends_alike(&own, &parts[..parts.len() - 1]);
        ends_alike(&own, &parts) || with_end
    })
}

/// Returns true if one name ends with the other.
fn ends_alike(one: &[&str], other: &[&str]) -> bool {
    one.iter().rev().zip(other.iter().rev()).all(|(one, other)| one.eq_ignore_ascii_case(other))
}

/// Returns true if a condition mentions a time.
pub(crate) fn mentions_time(condition: &str, file: &MetricsFile) -> bool {
    let dimensions = file.tables.iter().flat_map(|table| &table.dimensions);
    let times: Vec<&str> = dimensions
        .filter(|dimension| dimension.kind == DimensionKind::Time)
        .map(|dimension| dimension.name.as_str())
        .chain(["metric_time"])
        .collect();
    names_in(condition)
        .flat_map(|written| written.split("__"))
        .any(|part| times.iter().any(|time| time.eq_ignore_ascii_case(part)))
}

fn names_in(condition: &str) -> impl Iterator<Item = &str> {
    condition.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_mentions_a_dimension_by_each_of_its_names() {
        for condition in ["order__status <> 'x'", "status = 'x'", "a > 1 AND customer__order__status IS NULL"] {
            assert!(mentions_dimension(condition, "order__status"), "{condition}");
        }
        assert!(mentions_dimension("order__day__month = 1", "order__day"));
        for condition in ["product__status = 'x'", "order__state = 'x'", "state = 1"] {
            assert!(!mentions_dimension(condition, "order__status"), "{condition}");
        }
    }
}
