//! The meaning of names: what the name of a dimension refers to for a leaf.

use super::leaf::Leaf;
use crate::definition::{DimensionKind, MetricsFile};
use crate::grain::Grain;
use crate::graph::{Element, Resolved, resolve_dimension};
use crate::names::{DimensionName, unknown_name};
use crate::problem::MetricError;
use vitrine_domain::views::Period;
use vitrine_words::tr;

/// The meaning of a name for a leaf.
pub(crate) enum Meaning<'f> {
    /// The leaf's own time, with the period or the part of the date.
    Time(TimeForm),
    /// A dimension or entity; with a form if it is a time.
    Dimension(Resolved<'f>, Option<TimeForm>),
}

/// The form in which a time is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeForm {
    /// The first day of a period.
    Start(Grain),
    /// The number of the month, quarter or year.
    Part(Period),
}

impl Leaf<'_> {
    /// Returns the error of a metric without a time.
    pub fn time_missing(&self) -> MetricError {
        MetricError::new(tr!("Metric '{name}' has no time", name = self.name))
            .with_hint(tr!("Set 'time' of the metric or of its table to a time dimension"))
    }
}

/// Returns the form of a time by its name, with the dimension's own grain as default.
///
/// # Errors
/// Fails if the dimension's own period is longer.
fn time_form(name: &DimensionName, own: Grain, written: &str) -> Result<TimeForm, MetricError> {
    if let Some(part) = name.part {
        return Ok(TimeForm::Part(part));
    }
    let grain = name.grain.unwrap_or(own);
    if grain.length() < own.length() {
        return Err(MetricError::new(tr!(
            "'{name}' is shorter than the dates of the dimension, which are by {own}",
            name = written,
            own = own.name()
        )));
    }
    Ok(TimeForm::Start(grain))
}

/// Finds out what a name means for a leaf.
///
/// # Errors
/// Fails if the name means nothing, or if several join paths lead to it.
pub(crate) fn resolve_name<'f>(
    file: &'f MetricsFile,
    leaf: &Leaf<'f>,
    written: &str,
) -> Result<Meaning<'f>, MetricError> {
    let readings = DimensionName::readings(written).ok_or_else(|| unknown_name(written))?;
    if let Some(name) = readings.iter().find(|name| name.is_metric_time()) {
        let time = leaf.time.as_ref().and_then(Resolved::dimension).ok_or_else(|| leaf.time_missing())?;
        return Ok(Meaning::Time(time_form(name, time.grain.unwrap_or_default(), written)?));
    }
    let mut failed = None;
    for name in &readings {
        let resolved = match resolve_dimension(file, leaf.base, name, written) {
            Ok(resolved) => resolved,
            Err(error) => {
                failed = Some(error);
                continue;
            }
        };
        let time = resolved.dimension().filter(|dimension| dimension.kind == DimensionKind::Time);
        let Some(dimension) = time else {
            if name.grain.is_some() || name.part.is_some() {
                failed = Some(MetricError::new(tr!("'{name}' has a period, but is not a time", name = written)));
                continue;
            }
            return Ok(Meaning::Dimension(resolved, None));
        };
        let form = time_form(name, dimension.grain.unwrap_or_default(), written)?;
        let is_own = leaf.time.as_ref() == Some(&resolved);
        return Ok(if is_own { Meaning::Time(form) } else { Meaning::Dimension(resolved, Some(form)) });
    }
    Err(failed.expect("a name has at least one reading"))
}

/// Checks that a name means the same column for several leaves: the own time of each, or one column of one table. An
/// entity is the same in all tables.
///
/// # Errors
/// Fails if it does not, or if it means nothing for one of the leaves.
pub(crate) fn check_same_meaning<'f>(
    file: &'f MetricsFile,
    leaves: &[&Leaf<'f>],
    written: &str,
) -> Result<(), MetricError> {
    let mut first: Option<(&Leaf<'f>, Option<Resolved<'f>>)> = None;
    for &leaf in leaves {
        let place = match resolve_name(file, leaf, written)? {
            Meaning::Time(_) => None,
            Meaning::Dimension(resolved, _) => Some(resolved),
        };
        let Some((other, known)) = &first else {
            first = Some((leaf, place));
            continue;
        };
        let (a, b) = match (known, &place) {
            (None, None) => continue,
            (known, place) => (known.as_ref().or(other.time.as_ref()), place.as_ref().or(leaf.time.as_ref())),
        };
        let is_same = match (a.map(|a| (a.table, a.element)), b.map(|b| (b.table, b.element))) {
            (Some((_, Element::Entity(a))), Some((_, Element::Entity(b)))) => a.name.eq_ignore_ascii_case(&b.name),
            (a, b) => a == b,
        };
        if !is_same {
            let table_of =
                |resolved: Option<&Resolved<'f>>| resolved.map_or("", |r| file.tables[r.table].name.as_str());
            return Err(MetricError::new(tr!(
                "'{name}' means different columns: of table {table} for metric '{metric}', of table {other_table} for metric '{other}'",
                name = written,
                table = table_of(a),
                metric = other.name,
                other_table = table_of(b),
                other = leaf.name
            ))
            .with_hint(tr!("Write the dimension with its entity, or query the metrics one by one")));
        }
    }
    Ok(())
}

/// Returns the form in which a name uses the own time of a leaf; `None` for other names and names without a meaning.
pub(crate) fn own_time_form(file: &MetricsFile, leaf: &Leaf<'_>, written: &str) -> Option<TimeForm> {
    match resolve_name(file, leaf, written) {
        Ok(Meaning::Time(form)) => Some(form),
        _ => None,
    }
}

/// Returns the forms in which groups use the own time of a leaf.
///
/// # Errors
/// Fails if a group means nothing for the leaf.
pub(crate) fn own_time_forms(
    file: &MetricsFile,
    leaf: &Leaf<'_>,
    groups: &[String],
) -> Result<Vec<TimeForm>, MetricError> {
    let mut forms = Vec::new();
    for group in groups {
        if let Meaning::Time(form) = resolve_name(file, leaf, group.trim())? {
            forms.push(form);
        }
    }
    Ok(forms)
}
