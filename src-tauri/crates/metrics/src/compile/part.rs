//! Parts: leaves with the same rows, aggregated by one query.

use super::compiler::{Compiler, GroupBy};
use super::leaf::Leaf;
use super::scope::Scope;
use crate::definition::Aggregate;
use crate::problem::MetricError;

impl<'f> Compiler<'_, 'f> {
    /// Groups leaves that the same query aggregates.
    pub fn group_leaves(&self) -> Vec<Vec<usize>> {
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for (index, leaf) in self.plan.leaves.iter().enumerate() {
            match parts.iter_mut().find(|part| self.plan.leaves[part[0]].shares_rows(leaf)) {
                Some(part) => part.push(index),
                None => parts.push(vec![index]),
            }
        }
        parts
    }

    /// Generates the query of some leaves.
    pub fn write_part(&self, leaves: &[usize], groups: &[GroupBy], days: &str) -> Result<String, MetricError> {
        let leaf = &self.plan.leaves[leaves[0]];
        if leaf.cumulative.is_some() {
            self.write_cumulative(leaves[0], groups, days)
        } else if leaf.last_of.is_some() || (leaf.aggregate == Aggregate::Median && !self.sql().has_median()) {
            self.write_from_rows(leaves[0], groups)
        } else {
            self.write_plain(leaves, groups)
        }
    }

    fn write_plain(&self, leaves: &[usize], groups: &[GroupBy]) -> Result<String, MetricError> {
        let leaf = &self.plan.leaves[leaves[0]];
        let mut scope = Scope::new(self, leaf.base)?;
        let keys = self.group_columns(&mut scope, leaf, groups)?;
        let mut columns: Vec<String> =
            keys.iter().zip(groups).map(|(sql, group)| format!("{sql} AS {}", self.quote(&group.output))).collect();
        for &index in leaves {
            let leaf = &self.plan.leaves[index];
            let value = scope.leaf_value(leaf)?.map(|column| column.sql);
            let aggregate = self.aggregate(leaf.aggregate, value.as_deref());
            columns.push(format!("{aggregate} AS {}", self.leaf_column(index)));
        }
        let filter = self.filter_clause(&mut scope, leaf, |_| true)?;
        Ok(format!("SELECT {}\n{}{filter}{}", columns.join(", "), scope.render_from()?, self.group_clause(&keys)))
    }

    /// Returns the expressions of the groups.
    pub fn group_columns(
        &self,
        scope: &mut Scope<'_, '_, 'f>,
        leaf: &Leaf<'f>,
        groups: &[GroupBy],
    ) -> Result<Vec<String>, MetricError> {
        groups.iter().map(|group| Ok(scope.name_expression(leaf, &group.written, false)?.sql)).collect()
    }

    /// Returns the WHERE clause of a leaf's conditions that `takes` accepts.
    pub fn filter_clause(
        &self,
        scope: &mut Scope<'_, '_, 'f>,
        leaf: &Leaf<'f>,
        takes: impl Fn(&super::leaf::Condition) -> bool,
    ) -> Result<String, MetricError> {
        let mut conditions = Vec::new();
        for condition in leaf.conditions.iter().filter(|condition| takes(condition)) {
            conditions.push(scope.condition_expression(leaf, condition)?);
        }
        Ok(if conditions.is_empty() { String::new() } else { format!("\nWHERE {}", conditions.join(" AND ")) })
    }

    /// Returns the GROUP BY clause of columns at the start of the select list, given by their expressions.
    pub fn group_clause(&self, keys: &[String]) -> String {
        if keys.is_empty() {
            return String::new();
        }
        let places: Vec<String> = match self.sql().groups_by_number() {
            true => (1..=keys.len()).map(|n| n.to_string()).collect(),
            false => keys.to_vec(),
        };
        format!("\nGROUP BY {}", places.join(", "))
    }
}
