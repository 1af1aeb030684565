//! The file of a connection: YAML that people read, edit and keep in git.

use crate::definition::{Metric, MetricsFile};
use crate::problem::MetricError;
use std::collections::HashSet;
use vitrine_words::tr;

/// Maximum size of a file in bytes.
const LARGEST: usize = 4 << 20;

/// Reads the YAML text of a connection's metrics. An empty text has no metrics.
///
/// # Errors
/// Fails for invalid YAML, unknown properties, duplicate names, and metrics that are not exactly one aggregate, ratio
/// or formula.
pub fn parse_file(text: &str) -> Result<MetricsFile, MetricError> {
    if text.len() > LARGEST {
        return Err(MetricError::new(tr!("The file of metrics is larger than {size} MB", size = LARGEST >> 20)));
    }
    let has_content = text.lines().any(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    if !has_content {
        return Ok(MetricsFile::default());
    }
    let file: MetricsFile = serde_saphyr::from_str(text).map_err(|error| {
        MetricError::new(tr!("The file of metrics cannot be read: {error}", error = error.to_string().trim()))
            .with_hint(tr!("Correct the file, or import it again: vitrine metrics import FILE --warehouse W"))
    })?;
    check_file(&file)?;
    Ok(file)
}

/// Writes metrics as YAML that [`parse_file`] reads to the same metrics.
///
/// # Errors
/// Fails if a text cannot be represented.
pub fn render_file(file: &MetricsFile) -> Result<String, MetricError> {
    check_file(file)?;
    let failed = |why: String| MetricError::new(tr!("The metrics cannot be written as YAML: {why}", why));
    let text = serde_saphyr::to_string(file).map_err(|error| failed(error.to_string()))?;
    match parse_file(&text) {
        Ok(read) if read == *file => Ok(text),
        Ok(_) => Err(failed(tr!("a text would change"))),
        Err(error) => Err(failed(error.message)),
    }
}

/// Checks what the form of the file does not express.
pub(crate) fn check_file(file: &MetricsFile) -> Result<(), MetricError> {
    if !(1..=12).contains(&file.calendar.fiscal_year_start) {
        return Err(MetricError::new(tr!("fiscal_year_start is a month from 1 to 12")));
    }
    let mut names = HashSet::new();
    for table in &file.tables {
        if table.name.trim().is_empty() || !names.insert(table.name.to_lowercase()) {
            return Err(MetricError::new(tr!("Several tables are called '{name}'", name = table.name)));
        }
        let mut own = HashSet::new();
        let elements = table.dimensions.iter().map(|d| &d.name).chain(table.entities.iter().map(|e| &e.name));
        for name in elements {
            if name.trim().is_empty() || !own.insert(name.to_lowercase()) {
                let table = &table.name;
                return Err(MetricError::new(tr!("Table '{table}' has the name '{name}' twice", table, name)));
            }
        }
    }
    let mut names = HashSet::new();
    for metric in &file.metrics {
        if metric.name.trim().is_empty() || !names.insert(metric.name.to_lowercase()) {
            return Err(MetricError::new(tr!("Several metrics are called '{name}'", name = metric.name)));
        }
        check_metric(metric)?;
    }
    Ok(())
}

fn check_metric(metric: &Metric) -> Result<(), MetricError> {
    let name = &metric.name;
    let accumulates = metric.cumulative.as_ref().is_some_and(|cumulative| cumulative.metric.is_some());
    let forms = [metric.aggregate.is_some(), metric.ratio.is_some(), metric.formula.is_some(), accumulates];
    if forms.iter().filter(|has| **has).count() != 1 {
        return Err(MetricError::new(tr!("Metric '{name}' is not exactly one aggregate, ratio or formula", name))
            .with_hint(tr!("Set one of: aggregate with table, ratio, formula, cumulative with metric")));
    }
    if metric.aggregate.is_some() && metric.table.is_none() {
        return Err(MetricError::new(tr!("Metric '{name}' has an aggregate but no table", name)));
    }
    let needs_value = metric.aggregate.is_some_and(|aggregate| aggregate != crate::definition::Aggregate::Count);
    if needs_value && metric.of.is_none() {
        return Err(MetricError::new(tr!("Metric '{name}' has an aggregate but no column: set 'of'", name)));
    }
    let cumulative = metric.cumulative.as_ref();
    if cumulative.is_some_and(|cumulative| cumulative.window.is_some() && cumulative.since.is_some()) {
        return Err(MetricError::new(tr!("Metric '{name}' has both a window and a start of its accumulation", name)));
    }
    Ok(())
}
