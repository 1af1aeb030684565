//! Columns of a leaf: its dimensions, conditions and aggregated value.

use super::compiler::GroupBy;
use super::leaf::{Condition, Leaf};
use super::scope::{Column, Scope};
use crate::definition::{Aggregate, DimensionKind};
use crate::expression::{join_parts, replace_names, with_expression};
use crate::grain::Grain;
use crate::graph::{Resolved, resolve_dimension};
use crate::names::{DimensionName, METRIC_TIME, SEPARATOR};
use crate::problem::MetricError;
use vitrine_domain::views::Period;
use vitrine_sql::ColumnType;
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
    fn time_missing(&self) -> MetricError {
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
    let length = |grain: Grain| grain.months().unwrap_or(0) * 31 + i64::from(grain == Grain::Week);
    if length(grain) < length(own) {
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
    scope: &Scope<'_, '_, 'f>,
    leaf: &Leaf<'f>,
    written: &str,
) -> Result<Meaning<'f>, MetricError> {
    let readings = DimensionName::readings(written).ok_or_else(|| {
        MetricError::missing(tr!("'{name}' is not the name of a dimension", name = written))
            .with_hint(tr!("Write dimensions as entity__dimension, and times with a period: metric_time__month"))
    })?;
    if let Some(name) = readings.iter().find(|name| name.is_metric_time()) {
        let time = leaf.time.as_ref().and_then(Resolved::dimension).ok_or_else(|| leaf.time_missing())?;
        return Ok(Meaning::Time(time_form(name, time.grain.unwrap_or_default(), written)?));
    }
    let mut failed = None;
    for name in &readings {
        let resolved = match resolve_dimension(scope.compiler.file, leaf.base, name, written) {
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

impl<'f> Scope<'_, '_, 'f> {
    /// Returns the local time of a leaf's rows.
    pub fn leaf_time(&mut self, leaf: &Leaf<'f>) -> Result<Column, MetricError> {
        let time = leaf.time.as_ref().ok_or_else(|| leaf.time_missing())?;
        let name = time.dimension().map_or(METRIC_TIME, |dimension| dimension.name.as_str());
        let column = self.dimension_column(time)?;
        self.compiler.local_time(column, name)
    }

    /// Returns the expression of a name for a leaf's rows. In filters, times of an earlier period are moved by days, so
    /// that a limit within a period is possible.
    pub fn name_expression(&mut self, leaf: &Leaf<'f>, written: &str, in_filter: bool) -> Result<Column, MetricError> {
        let compiler = self.compiler;
        let (form, moment, shift) = match resolve_name(self, leaf, written)? {
            Meaning::Dimension(resolved, None) => return self.dimension_column(&resolved),
            Meaning::Dimension(resolved, Some(form)) => {
                let column = self.dimension_column(&resolved)?;
                (form, compiler.local_time(column, written)?, None)
            }
            Meaning::Time(form) => (form, self.leaf_time(leaf)?, leaf.shift),
        };
        let sql = match form {
            TimeForm::Part(part) => {
                let day = compiler.shifted_day(&moment, shift);
                return Ok(Column {
                    sql: compiler.sql().date_number(part, &day.sql),
                    family: ColumnType::Whole,
                    stored_type: String::new(),
                });
            }
            TimeForm::Start(grain) if in_filter => match shift {
                None => compiler.truncate(&moment, grain),
                Some(_) => compiler.truncate(&compiler.shifted_day(&moment, shift), grain),
            },
            TimeForm::Start(grain) => compiler.shifted_period(&moment, grain, shift)?,
        };
        Ok(Column { sql, family: ColumnType::Date, stored_type: String::new() })
    }

    /// Returns a condition with its names replaced.
    pub fn condition_expression(&mut self, leaf: &Leaf<'f>, condition: &Condition) -> Result<String, MetricError> {
        let dialect = self.compiler.dialect();
        with_expression(&condition.text, dialect, |expr| {
            let sql = replace_names(expr, &mut |parts| match parts {
                [name] => Ok(Some(self.name_expression(leaf, &name.value, true)?.sql)),
                parts => Err(MetricError::missing(tr!("'{name}' is not a dimension", name = join_parts(parts)))),
            })?;
            Ok(format!("({sql})"))
        })
    }

    /// Returns the value of a row that the leaf aggregates; `None` if rows are counted.
    pub fn leaf_value(&self, leaf: &Leaf<'f>) -> Result<Option<Column>, MetricError> {
        leaf.of.map(|of| self.base_column(of)).transpose()
    }
}

impl super::compiler::Compiler<'_, '_> {
    /// Returns the groups of the query with the names of their columns in the result.
    pub fn resolve_groups(&self, by: &[String]) -> Result<Vec<GroupBy>, MetricError> {
        let mut groups: Vec<GroupBy> = Vec::new();
        let Some(leaf) = self.plan.leaves.first() else { return Ok(groups) };
        let scope = Scope::new(self, leaf.base)?;
        for written in by {
            let written = written.trim();
            let has_form = DimensionName::readings(written)
                .is_some_and(|readings| readings.iter().any(|name| name.grain.is_some() || name.part.is_some()));
            let output = match resolve_name(&scope, leaf, written)? {
                Meaning::Time(TimeForm::Start(grain)) | Meaning::Dimension(_, Some(TimeForm::Start(grain)))
                    if !has_form =>
                {
                    format!("{written}{SEPARATOR}{}", grain.name())
                }
                _ => written.to_owned(),
            };
            if groups.iter().all(|known| !known.output.eq_ignore_ascii_case(&output)) {
                groups.push(GroupBy { written: written.to_owned(), output });
            }
        }
        for group in &groups {
            if self.plan.values.iter().any(|(metric, _)| metric.name.eq_ignore_ascii_case(&group.output)) {
                return Err(MetricError::new(tr!("'{name}' is both a metric and a dimension", name = group.output))
                    .with_hint(tr!("Write the dimension with its entity: entity__dimension")));
            }
        }
        Ok(groups)
    }

    /// Returns the form in which a group uses a leaf's own time; `None` for other groups.
    pub fn group_time(&self, leaf: &Leaf<'_>, group: &GroupBy) -> Result<Option<TimeForm>, MetricError> {
        let scope = Scope::new(self, leaf.base)?;
        Ok(match resolve_name(&scope, leaf, &group.written)? {
            Meaning::Time(form) => Some(form),
            Meaning::Dimension(..) => None,
        })
    }

    /// Generates an aggregate over an expression; `None` counts rows.
    pub fn aggregate(&self, aggregate: Aggregate, of: Option<&str>) -> String {
        let sql = self.sql();
        let value = of.unwrap_or("*");
        match aggregate {
            Aggregate::Sum => format!("SUM({value})"),
            Aggregate::Count => format!("COUNT({value})"),
            Aggregate::CountDistinct => format!("COUNT(DISTINCT {value})"),
            Aggregate::Average => sql.mean(value),
            Aggregate::Min => format!("MIN({value})"),
            Aggregate::Max => format!("MAX({value})"),
            Aggregate::Median => sql.median(value),
            Aggregate::SumBoolean => format!("SUM({})", sql.boolean_case(value, "1", "0")),
        }
    }
}

/// Returns true for a name that begins with the metric's own time.
pub(crate) fn is_metric_time(name: &str) -> bool {
    name.eq_ignore_ascii_case(METRIC_TIME)
        || DimensionName::readings(name).is_some_and(|all| all.iter().any(DimensionName::is_metric_time))
}
