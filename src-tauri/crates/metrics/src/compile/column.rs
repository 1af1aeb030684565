//! Columns of a leaf: its dimensions, conditions and aggregated value.

use super::compiler::GroupBy;
use super::leaf::{Condition, Leaf};
use super::meaning::{Meaning, TimeForm, check_same_meaning, own_time_form, resolve_name};
use super::scope::{Column, Scope};
use crate::definition::{Aggregate, Dimension, DimensionKind, LastOf};
use crate::expression::{join_parts, replace_names, with_expression};
use crate::names::{DimensionName, METRIC_TIME, SEPARATOR};
use crate::problem::MetricError;
use vitrine_sql::ColumnType;
use vitrine_words::tr;

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
        let (form, moment, shift) = match resolve_name(compiler.file, leaf, written)? {
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

impl<'f> super::compiler::Compiler<'_, 'f> {
    /// Returns the groups of the query with the names of their columns in the result.
    ///
    /// # Errors
    /// Fails if a name means different columns or periods for the metrics of the query.
    pub fn resolve_groups(&self, by: &[String]) -> Result<Vec<GroupBy>, MetricError> {
        let mut groups: Vec<GroupBy> = Vec::new();
        let leaves: Vec<&Leaf<'f>> = self.plan.leaves.iter().collect();
        let Some(leaf) = leaves.first() else { return Ok(groups) };
        for written in by {
            let written = written.trim();
            check_same_meaning(self.file, &leaves, written)?;
            let has_form = DimensionName::readings(written)
                .is_some_and(|readings| readings.iter().any(|name| name.grain.is_some() || name.part.is_some()));
            let mut forms = leaves.iter().filter_map(|leaf| own_time_form(self.file, leaf, written));
            let form = forms.next();
            if forms.any(|other| Some(other) != form) {
                return Err(MetricError::new(tr!(
                    "The metrics have times of different periods under '{name}'",
                    name = written
                ))
                .with_hint(tr!("Write times with a period, such as metric_time__month")));
            }
            let output = match resolve_name(self.file, leaf, written)? {
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
        self.reserve_outputs(&groups);
        Ok(groups)
    }

    /// Returns the form in which a group uses a leaf's own time; `None` for other groups.
    pub fn group_time(&self, leaf: &Leaf<'f>, group: &GroupBy) -> Result<Option<TimeForm>, MetricError> {
        Ok(match resolve_name(self.file, leaf, &group.written)? {
            Meaning::Time(form) => Some(form),
            Meaning::Dimension(..) => None,
        })
    }

    /// Returns true if a group is the time over which a leaf's values must not be added.
    pub fn is_balance_time(&self, leaf: &Leaf<'f>, group: &GroupBy) -> Result<bool, MetricError> {
        let Some(over) = leaf.last_of.and_then(|last_of| self.balance_time(leaf, last_of)) else { return Ok(false) };
        let resolved = match resolve_name(self.file, leaf, &group.written)? {
            Meaning::Time(_) => leaf.time.clone(),
            Meaning::Dimension(resolved, _) => Some(resolved),
        };
        Ok(resolved.is_some_and(|resolved| {
            resolved.table == leaf.base && resolved.dimension().is_some_and(|own| std::ptr::eq(own, over))
        }))
    }

    /// Returns the time dimension over which a leaf's values must not be added.
    pub fn balance_time(&self, leaf: &Leaf<'f>, last_of: &LastOf) -> Option<&'f Dimension> {
        let table = &self.file.tables[leaf.base];
        let over = DimensionName::readings(&last_of.over).unwrap_or_default();
        let over = over.iter().find_map(|name| table.find_dimension(&name.element));
        over.filter(|dimension| dimension.kind == DimensionKind::Time)
    }

    /// Returns true if a group is a time of one of the leaves, whatever its name is.
    pub fn is_time_group(&self, group: &GroupBy) -> Result<bool, MetricError> {
        for leaf in &self.plan.leaves {
            if self.group_time(leaf, group)?.is_some() || self.is_balance_time(leaf, group)? {
                return Ok(true);
            }
        }
        Ok(false)
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
