//! A catalog with merged look-alike tables and columns.

use super::lineage::{Lineage, trace_lineage};
use std::collections::{HashMap, HashSet};
use vitrine_domain::{Catalog, Column, Dialect, Table, TableName};

/// A catalog with merged look-alike tables and columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Compressed {
    /// Tables and groups of tables in the catalog order of their first members.
    pub tables: Vec<CompressedTable>,
}

/// A table, or several with the same columns and keys.
#[derive(Debug, Clone, PartialEq)]
pub struct CompressedTable {
    /// The dialect of the names.
    pub dialect: Dialect,
    /// The name, with `{NUM}` and `{VAR}` where members differ; the plain name of a single table.
    pub pattern: String,
    /// The real names, in natural order (`t2` before `t10`).
    pub members: Vec<TableName>,
    /// The member that is shown in full: the last one, unless a question names another. The other members have the same
    /// columns, types and keys.
    pub representative: Table,
    /// Columns and groups of columns in the order of their first members.
    pub columns: Vec<CompressedColumn>,
    /// Source columns of a view, if its definition is known.
    pub lineage: Option<Lineage>,
    /// True if the table has foreign keys or other tables refer to it.
    pub joins: bool,
}

/// A column, or at least ten of the same type whose names differ only in digits.
#[derive(Debug, Clone, PartialEq)]
pub struct CompressedColumn {
    /// The name, with `{NUM}` where members differ; the plain name of a single column.
    pub pattern: String,
    /// The real names, in natural order.
    pub members: Vec<String>,
    /// The last member of the group.
    pub column: Column,
}

/// Returns the tables that have foreign keys or are the target of one.
pub(super) fn find_joined_tables(catalog: &Catalog) -> HashSet<&TableName> {
    let refers = catalog.tables.iter().filter(|table| !table.foreign_keys.is_empty());
    refers
        .flat_map(|table| std::iter::once(&table.name).chain(table.foreign_keys.iter().map(|key| &key.ref_table)))
        .collect()
}

impl Compressed {
    /// Returns the schema without any merging: the baseline for compression (ReFoRCE, table 3, without compression).
    pub fn as_it_is(catalog: &Catalog) -> Self {
        let column = |column: &Column| CompressedColumn {
            pattern: column.name.clone(),
            members: vec![column.name.clone()],
            column: column.clone(),
        };
        let joined = find_joined_tables(catalog);
        let tables = catalog.tables.iter().map(|table| CompressedTable {
            dialect: catalog.dialect,
            pattern: table.name.to_string(),
            members: vec![table.name.clone()],
            columns: table.columns.iter().map(column).collect(),
            representative: table.clone(),
            lineage: trace_lineage(table, catalog),
            joins: joined.contains(&table.name),
        });
        Self { tables: tables.collect() }
    }

    /// Returns every table with name and type of every column, in the order of the groups.
    pub fn expand_tables(&self) -> Vec<(TableName, Vec<(String, String)>)> {
        self.tables
            .iter()
            .flat_map(|table| {
                let columns: Vec<(String, String)> = table
                    .columns
                    .iter()
                    .flat_map(|c| c.members.iter().map(|m| (m.clone(), c.column.data_type.clone())))
                    .collect();
                table.members.iter().map(move |member| (member.clone(), columns.clone()))
            })
            .collect()
    }

    /// Finds a table or group by a member's name or by its pattern, ignoring case. If several groups share a pattern
    /// because their columns differ, the first one is returned.
    pub fn find_group(&self, name: &str) -> Option<usize> {
        let last_part = |t: &CompressedTable| t.members.iter().any(|m| m.name.eq_ignore_ascii_case(name));
        self.tables
            .iter()
            .position(|t| {
                t.pattern.eq_ignore_ascii_case(name)
                    || t.members.iter().any(|m| m.to_string().eq_ignore_ascii_case(name))
            })
            .or_else(|| self.tables.iter().position(last_part))
    }

    /// Returns the number of groups with more than one table plus the number of groups with more than one column.
    pub fn group_count(&self) -> usize {
        let columns = self.tables.iter().flat_map(|t| &t.columns).filter(|c| c.members.len() > 1).count();
        self.tables.iter().filter(|t| t.members.len() > 1).count() + columns
    }

    /// Maps every real table name to the index of its group.
    pub fn group_indices(&self) -> HashMap<&TableName, usize> {
        self.tables.iter().enumerate().flat_map(|(at, t)| t.members.iter().map(move |m| (m, at))).collect()
    }
}
