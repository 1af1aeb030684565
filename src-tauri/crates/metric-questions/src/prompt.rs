//! Definitions of metrics as lines for a model. Prompts are in English.

use crate::labels::metric_label;
use vitrine_metrics::{Aggregate, Metric, MetricsFile};

/// Most metrics of a prompt.
const MOST: usize = 4;

/// Returns the definitions of metrics, one line each, with those that they are computed from. Conditions are only in the
/// owner's words, because their names are not columns.
pub fn list_definitions(file: &MetricsFile, names: &[String]) -> Vec<String> {
    let find = |name: &str| file.metrics.iter().find(|metric| metric.name.eq_ignore_ascii_case(name));
    let mut metrics: Vec<&Metric> = names.iter().filter_map(|name| find(name)).collect();
    for metric in metrics.clone() {
        let inputs = metric.ratio.iter().flat_map(|ratio| [&ratio.of, &ratio.to]).chain(&metric.inputs);
        for input in inputs.filter_map(|input| find(&input.metric)) {
            if !metrics.iter().any(|known| known.name == input.name) {
                metrics.push(input);
            }
        }
    }
    metrics.into_iter().take(MOST).map(|metric| definition_line(file, metric)).collect()
}

fn definition_line(file: &MetricsFile, metric: &Metric) -> String {
    let label = metric_label(metric);
    let also = match metric.synonyms.is_empty() {
        true => String::new(),
        false => format!(" (also: {})", metric.synonyms.join(", ")),
    };
    let description = metric.description.as_deref().map(str::trim).unwrap_or_default();
    let stop = if description.is_empty() || description.ends_with(['.', '!', '?']) { "" } else { "." };
    let computed = computation(file, metric).map(|text| format!(" Computed as {text}.")).unwrap_or_default();
    format!("{label}{also}: {description}{stop}{computed}")
}

/// Describes the computation of a metric in columns of its table, or in labels of other metrics.
fn computation(file: &MetricsFile, metric: &Metric) -> Option<String> {
    let label = |name: &str| {
        let known = file.metrics.iter().find(|metric| metric.name.eq_ignore_ascii_case(name));
        known.map_or_else(|| name.to_owned(), metric_label)
    };
    if let Some(ratio) = &metric.ratio {
        return Some(format!("{} divided by {}", label(&ratio.of.metric), label(&ratio.to.metric)));
    }
    let aggregate = metric.aggregate?;
    let table = metric.table.as_deref().and_then(|name| file.find_table(name)).and_then(|at| file.tables.get(at))?;
    let of = metric.of.as_deref().unwrap_or("*");
    let call = match aggregate {
        Aggregate::Sum => format!("SUM({of})"),
        Aggregate::Count => format!("COUNT({of})"),
        Aggregate::CountDistinct => format!("COUNT(DISTINCT {of})"),
        Aggregate::Average => format!("AVG({of})"),
        Aggregate::Min => format!("MIN({of})"),
        Aggregate::Max => format!("MAX({of})"),
        Aggregate::Median => format!("the median of {of}"),
        Aggregate::SumBoolean => format!("the number of rows where {of}"),
    };
    Some(format!("{call} of table {}", table.stored_name()))
}
