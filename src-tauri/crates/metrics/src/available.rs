//! The dimensions by which metrics can be grouped.

use crate::compile::base_tables;
use crate::definition::MetricsFile;
use crate::graph::{AvailableDimension, list_available};
use crate::problem::MetricError;
use vitrine_domain::Dialect;

/// Lists the dimensions by which all of these metrics can be grouped; for no names, by which any metric can be.
///
/// # Errors
/// Fails if a metric does not exist.
pub fn available_dimensions(
    file: &MetricsFile,
    metrics: &[String],
    dialect: Dialect,
) -> Result<Vec<AvailableDimension>, MetricError> {
    let bases = base_tables(file, metrics, dialect)?;
    let mut lists = bases.into_iter().map(|base| list_available(file, base));
    let Some(mut shared) = lists.next() else { return Ok(Vec::new()) };
    for list in lists {
        match metrics.is_empty() {
            true => shared.extend(list),
            // Entities are the same in all tables; other columns with the same name are not.
            false => shared.retain(|one| {
                let is_same = |other: &AvailableDimension| one.kind == "entity" || other.table == one.table;
                list.iter().any(|other| other.name == one.name && other.kind == one.kind && is_same(other))
            }),
        }
    }
    shared.sort_by(|a, b| a.name.cmp(&b.name));
    shared.dedup_by(|a, b| a.name == b.name);
    Ok(shared)
}
