//! A catalog with its look-alikes merged.

use super::lineage::{Lineage, lineage};
use std::collections::{HashMap, HashSet};
use vitrine_domain::{Catalog, Column, Dialect, Table, TableName};

/// A catalog with its look-alikes merged.
#[derive(Debug, Clone, PartialEq)]
pub struct Compressed {
    /// Tables and groups of tables, each where its first member stands in the catalog.
    pub tables: Vec<CompressedTable>,
}

/// One table, or several with the same columns and keys.
#[derive(Debug, Clone, PartialEq)]
pub struct CompressedTable {
    /// The dialect that names are written in.
    pub dialect: Dialect,
    /// The name with `{NUM}` and `{VAR}` where members differ; the plain name of a table that stands alone.
    pub pattern: String,
    /// The real names, in natural order (`t2` before `t10`).
    pub members: Vec<TableName>,
    /// The member that is shown, in full: the last one unless a question names another. The others have the same columns,
    /// types and keys.
    pub representative: Table,
    /// Its columns and groups of columns, each where its first member stands.
    pub columns: Vec<CompressedColumn>,
    /// What a view is made of, where its definition is known.
    pub lineage: Option<Lineage>,
    /// Whether it refers to a table or a table refers to it.
    pub joins: bool,
}

/// One column, or at least ten of one type whose names differ only in digits.
#[derive(Debug, Clone, PartialEq)]
pub struct CompressedColumn {
    /// The name with `{NUM}` where members differ; the plain name of a column that stands alone.
    pub pattern: String,
    /// The real names, in natural order.
    pub members: Vec<String>,
    /// The last member in full.
    pub column: Column,
}

/// The tables that refer to a table or are referred to.
pub(super) fn joined(catalog: &Catalog) -> HashSet<&TableName> {
    let refers = catalog.tables.iter().filter(|table| !table.foreign_keys.is_empty());
    refers
        .flat_map(|table| std::iter::once(&table.name).chain(table.foreign_keys.iter().map(|key| &key.ref_table)))
        .collect()
}

impl Compressed {
    /// The schema with every table and column by itself: what compression is measured against (ReFoRCE, table 3, without compression).
    pub fn as_it_is(catalog: &Catalog) -> Self {
        let column = |column: &Column| CompressedColumn {
            pattern: column.name.clone(),
            members: vec![column.name.clone()],
            column: column.clone(),
        };
        let joined = joined(catalog);
        let tables = catalog.tables.iter().map(|table| CompressedTable {
            dialect: catalog.dialect,
            pattern: table.name.to_string(),
            members: vec![table.name.clone()],
            columns: table.columns.iter().map(column).collect(),
            representative: table.clone(),
            lineage: lineage(table, catalog),
            joins: joined.contains(&table.name),
        });
        Self { tables: tables.collect() }
    }

    /// Every table with the name and type of every column: what went in, in the order of the groups.
    pub fn expand(&self) -> Vec<(TableName, Vec<(String, String)>)> {
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

    /// Finds a table or group by a member's name or by its pattern, without regard to case. Two groups may share a
    /// pattern where their columns differ; then the pattern finds the first.
    pub fn find(&self, name: &str) -> Option<usize> {
        let last_part = |t: &CompressedTable| t.members.iter().any(|m| m.name.eq_ignore_ascii_case(name));
        self.tables
            .iter()
            .position(|t| {
                t.pattern.eq_ignore_ascii_case(name)
                    || t.members.iter().any(|m| m.to_string().eq_ignore_ascii_case(name))
            })
            .or_else(|| self.tables.iter().position(last_part))
    }

    /// Number of groups of more than one table, and of more than one column.
    pub fn group_count(&self) -> usize {
        let columns = self.tables.iter().flat_map(|t| &t.columns).filter(|c| c.members.len() > 1).count();
        self.tables.iter().filter(|t| t.members.len() > 1).count() + columns
    }

    /// The place of every real table name, for many look-ups.
    pub fn places(&self) -> HashMap<&TableName, usize> {
        self.tables.iter().enumerate().flat_map(|(at, t)| t.members.iter().map(move |m| (m, at))).collect()
    }
}
