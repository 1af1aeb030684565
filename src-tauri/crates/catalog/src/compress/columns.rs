//! Groups look-alike columns of one table.

use super::compressed::CompressedColumn;
use super::pattern::{compare_natural, digits_to_num};
use std::collections::{HashMap, HashSet};
use vitrine_domain::{Column, Table};

/// Smaller groups are listed column by column (as in AV-SQL's reference implementation; ten lines are cheap).
const FEWEST_MEMBERS: usize = 10;

/// Returns all columns in groups (most of a single column), ordered by first member.
pub(super) fn group_columns(table: &Table) -> Vec<CompressedColumn> {
    let keys: HashSet<&str> = table
        .primary_key
        .iter()
        .chain(table.foreign_keys.iter().flat_map(|k| &k.columns))
        .map(String::as_str)
        .collect();
    let patterns: Vec<String> = table.columns.iter().map(|c| digits_to_num(&c.name)).collect();
    let mut alike: HashMap<Likeness<'_>, Vec<usize>> = HashMap::new();
    for (index, column) in table.columns.iter().enumerate() {
        // Keys must stay visible individually, and most names have no digits.
        if patterns[index] != column.name && !keys.contains(column.name.as_str()) {
            alike.entry(Likeness::from_column(&patterns[index], column)).or_default().push(index);
        }
    }
    let mut group_of: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut merged: HashSet<usize> = HashSet::new();
    for mut members in alike.into_values().filter(|m| m.len() >= FEWEST_MEMBERS) {
        let first = members[0];
        merged.extend(&members);
        members.sort_by(|&a, &b| compare_natural(&table.columns[a].name, &table.columns[b].name).then(a.cmp(&b)));
        group_of.insert(first, members);
    }
    table
        .columns
        .iter()
        .enumerate()
        .filter_map(|(index, column)| match group_of.get(&index) {
            Some(members) => Some(CompressedColumn {
                pattern: patterns[index].clone(),
                members: members.iter().map(|&m| table.columns[m].name.clone()).collect(),
                column: table.columns[*members.last()?].clone(),
            }),
            None if merged.contains(&index) => None,
            None => Some(CompressedColumn {
                pattern: column.name.clone(),
                members: vec![column.name.clone()],
                column: column.clone(),
            }),
        })
        .collect()
}

/// Properties that the members of a group share. Comments may differ in digits, like names.
#[derive(PartialEq, Eq, Hash)]
struct Likeness<'a> {
    pattern: &'a str,
    data_type: &'a str,
    nullable: bool,
    comment: Option<String>,
}

impl<'a> Likeness<'a> {
    fn from_column(pattern: &'a str, column: &'a Column) -> Self {
        let comment = column.comment.as_deref().map(digits_to_num);
        Self { pattern, data_type: &column.data_type, nullable: column.nullable, comment }
    }
}
