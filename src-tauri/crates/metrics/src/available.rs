//! The dimensions by which metrics can be grouped.

use crate::catalog::find_stored_table;
use crate::compile::base_tables;
use crate::definition::{DimensionKind, MetricsFile};
use crate::graph::{AvailableDimension, Element, list_available, resolve_dimension};
use crate::names::{DimensionName, unknown_name};
use crate::problem::MetricError;
use std::collections::BTreeMap;
use vitrine_domain::{Catalog, Dialect, TableName};
use vitrine_sql::{ColumnType, DialectExt};

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

/// The place of a dimension in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DimensionColumn {
    /// The title for users, if the definition has one.
    pub label: Option<String>,
    /// True for dates and timestamps.
    pub is_time: bool,
    /// Other words for stored values.
    pub values: BTreeMap<String, Vec<String>>,
    /// The table and the column; `None` if the dimension is an expression.
    pub column: Option<(TableName, String)>,
    /// The type of the column; unknown for expressions.
    pub column_type: ColumnType,
}

/// Finds the column of a dimension by its name in queries of a metric, with or without a period.
///
/// # Errors
/// Fails if the metric does not exist, or if no join path or several lead to the dimension.
pub fn find_dimension_column(
    file: &MetricsFile,
    catalog: &Catalog,
    metric: &str,
    name: &str,
) -> Result<DimensionColumn, MetricError> {
    let bases = base_tables(file, &[metric.to_owned()], catalog.dialect)?;
    let mut failed = None;
    for base in bases {
        for reading in DimensionName::readings(name).unwrap_or_default() {
            if reading.is_metric_time() {
                return Ok(DimensionColumn {
                    label: None,
                    is_time: true,
                    values: BTreeMap::new(),
                    column: None,
                    column_type: ColumnType::Date,
                });
            }
            let resolved = match resolve_dimension(file, base, &reading, name) {
                Ok(resolved) => resolved,
                Err(error) => {
                    failed.get_or_insert(error);
                    continue;
                }
            };
            let (label, expression) = match resolved.element {
                Element::Dimension(dimension) => (&dimension.label, dimension.expression()),
                Element::Entity(entity) => (&entity.label, entity.expression()),
            };
            let dimension = resolved.dimension();
            let table = find_stored_table(catalog, file.tables[resolved.table].stored_name())?;
            let column = table.find_column(expression.trim());
            return Ok(DimensionColumn {
                label: label.clone(),
                is_time: dimension.is_some_and(|dimension| dimension.kind == DimensionKind::Time),
                values: dimension.map(|dimension| dimension.values.clone()).unwrap_or_default(),
                column: column.map(|column| (table.name.clone(), column.name.clone())),
                column_type: column
                    .map_or(ColumnType::Unknown, |column| catalog.dialect.sql().column_type(&column.data_type)),
            });
        }
    }
    Err(failed.unwrap_or_else(|| unknown_name(name)))
}
