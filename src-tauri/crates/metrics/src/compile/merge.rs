//! Merges parts by their groups, two at a time: some dialects type a column by its first two branches, and a column
//! that is NULL in both has none.

use super::compiler::{Compiler, GroupBy};
use crate::problem::MetricError;

/// Named queries, in the order of their use.
pub(crate) type NamedQueries = Vec<(String, String)>;

/// Some rows with the leaves that they have as columns.
struct Branch {
    name: String,
    leaves: Vec<usize>,
    /// Groups that are columns; the others are NULL.
    groups: Vec<GroupBy>,
    /// True if the rows belong to the current period.
    is_current: bool,
}

impl Compiler<'_, '_> {
    /// Generates all leaves. Returns the named queries, and the name of the one with all groups and leaves.
    pub fn write_leaves(&self, groups: &[GroupBy]) -> Result<(NamedQueries, String), MetricError> {
        let days = self.part_name("days");
        let mut queries = NamedQueries::new();
        let mut need_days = Vec::new();
        for (index, leaf) in self.plan.leaves.iter().enumerate() {
            if self.adds_periods(leaf, groups)? || self.accumulates_days(leaf, groups)? {
                need_days.push(index);
            }
        }
        if !need_days.is_empty() {
            queries.extend(self.write_days(&need_days, &days)?);
        }
        let mut merged: Option<Branch> = None;
        for (number, leaves) in (1..).zip(self.group_leaves()) {
            let leaf = &self.plan.leaves[leaves[0]];
            let part = self.write_part(&leaves, groups, &days)?;
            let name = self.part_name(&format!("part_{number}"));
            queries.push((name.clone(), part));
            let is_current = leaves[0] < self.plan.current_leaves;
            let branch = Branch { name: name.clone(), leaves: leaves.clone(), groups: groups.to_vec(), is_current };
            merged = Some(self.merge_branch(merged, branch, groups, &mut queries));
            if self.adds_periods(leaf, groups)? {
                let empty = self.part_name(&format!("empty_{number}"));
                let (sql, times) = self.write_empty_periods(leaf, &name, groups, &days)?;
                queries.push((empty.clone(), sql));
                // Columns without a value are NULL where parts are merged: alone, they would have no type.
                let branch = Branch { name: empty, leaves: Vec::new(), groups: times, is_current };
                merged = Some(self.merge_branch(merged, branch, groups, &mut queries));
            }
        }
        let merged = merged.map(|branch| branch.name).unwrap_or_default();
        Ok((queries, merged))
    }

    /// Returns the column that is 1 for groups of the current period.
    pub fn current_marker(&self) -> String {
        self.column_name("is_current")
    }

    fn merge_branch(
        &self,
        merged: Option<Branch>,
        branch: Branch,
        groups: &[GroupBy],
        queries: &mut NamedQueries,
    ) -> Branch {
        let marks = !self.plan.earlier.is_empty();
        let Some(before) = merged else {
            if !marks {
                return branch;
            }
            let mut columns: Vec<String> = groups.iter().map(|group| self.quote(&group.output)).collect();
            columns.extend(branch.leaves.iter().map(|&leaf| self.leaf_column(leaf)));
            columns.push(format!("1 AS {}", self.current_marker()));
            let name = self.part_name("merged_1");
            queries.push((name.clone(), format!("SELECT {}\nFROM {}", columns.join(", "), branch.name)));
            return Branch { name, ..branch };
        };
        let mut leaves = before.leaves.clone();
        leaves.extend(branch.leaves.iter().filter(|leaf| !before.leaves.contains(leaf)));
        let marker = self.current_marker();
        let select = |one: &Branch, is_marked: bool| {
            let group_column = |group: &GroupBy| match (one.groups.contains(group), self.quote(&group.output)) {
                (true, column) => column,
                (false, column) => format!("NULL AS {column}"),
            };
            let mut columns: Vec<String> = groups.iter().map(group_column).collect();
            columns.extend(leaves.iter().map(|leaf| match (one.leaves.contains(leaf), self.leaf_column(*leaf)) {
                (true, column) => column,
                (false, column) => format!("NULL AS {column}"),
            }));
            if marks {
                columns.push(match (is_marked, one.is_current) {
                    (true, _) => marker.clone(),
                    (false, true) => format!("1 AS {marker}"),
                    (false, false) => format!("0 AS {marker}"),
                });
            }
            format!("SELECT {}\nFROM {}", columns.join(", "), one.name)
        };
        let names: Vec<String> = groups.iter().map(|group| self.quote(&group.output)).collect();
        let both = self.part_name("both_parts");
        let mut columns = names.clone();
        let values = leaves.iter().map(|&leaf| self.leaf_column(leaf)).chain(marks.then(|| marker.clone()));
        // A qualified column cannot be mistaken for the name of the result.
        columns.extend(values.map(|column| format!("MAX({both}.{column}) AS {column}")));
        let sql = format!(
            "SELECT {}\nFROM (\n{}\nUNION ALL\n{}\n) AS {}{}",
            columns.join(", "),
            select(&before, true),
            select(&branch, false),
            both,
            self.group_clause(&names)
        );
        let name = self.part_name(&format!("merged_{}", queries.len() + 1));
        queries.push((name.clone(), sql));
        Branch { name, leaves, groups: groups.to_vec(), is_current: before.is_current }
    }
}
