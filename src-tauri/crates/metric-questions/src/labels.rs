//! Titles of metrics and dimensions for users.

use crate::terms::DimensionId;
use vitrine_metrics::{Grain, Metric, MetricsFile};
use vitrine_words::tr;

/// Returns the title of a metric.
pub(crate) fn metric_label(metric: &Metric) -> String {
    metric.label.clone().unwrap_or_else(|| plain_name(&metric.name))
}

/// Returns the title of a dimension.
pub(crate) fn dimension_label(file: &MetricsFile, id: DimensionId) -> String {
    let Some(table) = file.tables.get(id.table) else { return String::new() };
    let Some(dimension) = table.dimensions.get(id.dimension) else { return String::new() };
    let table_name = || table.label.clone().unwrap_or_else(|| plain_name(&table.name));
    let name = || format!("{} ({})", plain_name(&dimension.name), table_name());
    dimension.label.clone().unwrap_or_else(name)
}

/// Returns the title of a period.
pub(crate) fn grain_label(grain: Grain) -> String {
    match grain {
        Grain::Day => tr!("Day"),
        Grain::Week => tr!("Week"),
        Grain::Month => tr!("Month"),
        Grain::Quarter => tr!("Quarter"),
        Grain::Year => tr!("Year"),
        Grain::FiscalQuarter => tr!("Fiscal quarter"),
        Grain::FiscalYear => tr!("Fiscal year"),
    }
}

fn plain_name(name: &str) -> String {
    name.replace('_', " ")
}
