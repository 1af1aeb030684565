//! The name by which metrics reach a dimension of a table.

use crate::compile::base_tables;
use crate::definition::MetricsFile;
use crate::graph::{Hop, find_paths, resolve_dimension};
use crate::names::{DimensionName, SEPARATOR};
use crate::problem::MetricError;
use vitrine_domain::Dialect;

/// The join paths from metrics to a dimension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DimensionReach {
    /// No path leads from all of the metrics to the dimension.
    Unreached,
    /// The name that means the dimension for all of the metrics.
    One(String),
    /// Names of several paths, of which a query would have to choose one.
    Several(Vec<String>),
}

/// Finds the name by which metrics reach a dimension of a table, given by the table's index and the dimension's name.
///
/// # Errors
/// Fails if a metric does not exist or its definition is not valid.
pub fn reach_dimension(
    file: &MetricsFile,
    metrics: &[String],
    dialect: Dialect,
    table: usize,
    dimension: &str,
) -> Result<DimensionReach, MetricError> {
    if metrics.is_empty() {
        return Ok(DimensionReach::Unreached);
    }
    let bases = base_tables(file, metrics, dialect)?;
    let mut names: Vec<String> = Vec::new();
    for &base in &bases {
        let mut own = names_from(file, base, table, dimension);
        match own.len() {
            0 => return Ok(DimensionReach::Unreached),
            1 => names.append(&mut own),
            _ => return Ok(DimensionReach::Several(own)),
        }
    }
    names.sort_by_key(String::len);
    names.dedup();
    let means_it = |name: &String| {
        let Some(reading) = DimensionName::readings(name).and_then(|readings| readings.into_iter().next()) else {
            return false;
        };
        bases.iter().all(|&base| {
            resolve_dimension(file, base, &reading, name).is_ok_and(|resolved| {
                resolved.table == table && resolved.dimension().is_some_and(|own| own.name == dimension)
            })
        })
    };
    Ok(match names.iter().find(|name| means_it(name)) {
        Some(name) => DimensionReach::One(name.clone()),
        None => DimensionReach::Several(names),
    })
}

/// Returns the full names of a dimension, one for each path that leads to its table.
fn names_from(file: &MetricsFile, base: usize, table: usize, dimension: &str) -> Vec<String> {
    let paths = find_paths(file, base).into_iter();
    let leading = paths.filter(|path| path.last().map_or(base, |hop| hop.to) == table);
    let name = |path: Vec<Hop>| {
        let links: Vec<String> = match path.is_empty() {
            true => file.tables[base].own_links().first().map(|link| (*link).to_owned()).into_iter().collect(),
            false => path.into_iter().map(|hop| hop.entity).collect(),
        };
        links.iter().map(String::as_str).chain([dimension]).collect::<Vec<_>>().join(SEPARATOR)
    };
    leading.map(name).collect()
}
