//! Date-sharded tables: tables with one prefix and a day (`events_20240229`), which BigQuery reads together by a
//! wildcard name.

use std::collections::BTreeMap;
use vitrine_domain::{Column, Table};

/// Minimum number of tables with one prefix that form a group.
const SHARDS: usize = 4;
/// Length of a day such as `20240229`.
const DAY: usize = 8;
/// The pseudocolumn that distinguishes the tables of a group in a query.
pub(super) const SUFFIX: &str = "_TABLE_SUFFIX";

/// A table as a list names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Listed {
    pub dataset: String,
    pub name: String,
    /// True for a table that BigQuery stores, not for a view or an external table.
    pub is_table: bool,
}

/// A group of date-sharded tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    pub dataset: String,
    /// The common prefix of their names, before the day.
    prefix: String,
    /// Their indexes in the list, by day.
    places: Vec<usize>,
    /// Their names, in the order of the days.
    pub names: Vec<String>,
    /// Other tables with the same prefix, which BigQuery also reads with the wildcard name.
    besides: Vec<String>,
}

impl Group {
    /// Returns the wildcard name with which a query reads them.
    pub fn wildcard_name(&self) -> String {
        format!("{}*", self.prefix)
    }

    /// Returns the index of the newest table. BigQuery also uses its columns for all.
    pub fn newest_index(&self) -> Option<usize> {
        self.places.last().copied()
    }

    /// Returns the index of the first table in the list.
    pub fn first_index(&self) -> Option<usize> {
        self.places.iter().min().copied()
    }

    fn day_range(&self) -> Option<(&str, &str)> {
        Some((day_suffix(self.names.first()?), day_suffix(self.names.last()?)))
    }

    /// Builds the catalog entry of the group from the entry of its newest table.
    pub fn build_table(&self, newest: Table) -> Table {
        let Some((from, to)) = self.day_range() else { return newest };
        let name = self.wildcard_name();
        let mut said: Vec<String> = newest.comment.into_iter().collect();
        said.push(format!(
            "{} tables, one for each day, from {from} to {to}. Read together as `{name}`; {SUFFIX} is the day as text: filter on \
             it, e.g. {SUFFIX} BETWEEN '{from}' AND '{to}', and give it another name where you select it.",
            self.names.len()
        ));
        if let Some(first) = self.besides.first() {
            let more = self.besides.len();
            let others = if more > 1 { format!(" and {} more", more - 1) } else { String::new() };
            said.push(format!("`{name}` also reads {first}{others}, which such a filter leaves out."));
        }
        let mut columns = newest.columns;
        columns.push(Column {
            name: SUFFIX.to_owned(),
            data_type: "STRING".to_owned(),
            nullable: false,
            comment: Some(format!("Day of the table, as YYYYMMDD, from {from} to {to}")),
        });
        Table {
            name: vitrine_domain::TableName { name, ..newest.name },
            comment: Some(said.join(" ")),
            row_count: None,
            columns,
            // A key that is unique in each table may not be unique in all of them.
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            ..newest
        }
    }
}

/// Returns the day in the name of a table of a group.
pub(super) fn day_suffix(name: &str) -> &str {
    &name[name.len().saturating_sub(DAY)..]
}

/// Finds the groups of a list. Only tables that BigQuery stores can be read together.
pub(super) fn find_groups(listed: &[Listed]) -> Vec<Group> {
    let mut found: BTreeMap<(&str, &str), Vec<usize>> = BTreeMap::new();
    for (at, table) in listed.iter().enumerate().filter(|(_, table)| table.is_table) {
        let Some((prefix, day)) = table.name.split_at_checked(table.name.len().saturating_sub(DAY)) else { continue };
        if prefix.ends_with('_') && is_day(day) {
            found.entry((&table.dataset, prefix)).or_default().push(at);
        }
    }
    let many = found.into_iter().filter(|(_, places)| places.len() >= SHARDS);
    let group = |((dataset, prefix), mut places): ((&str, &str), Vec<usize>)| {
        places.sort_by_key(|at| &listed[*at].name);
        let names: Vec<String> = places.iter().map(|at| listed[*at].name.clone()).collect();
        let beside = |table: &&Listed| {
            table.dataset == dataset && table.name.starts_with(prefix) && !(names.contains(&table.name))
        };
        let besides = listed.iter().filter(beside).map(|table| table.name.clone()).collect();
        Group { dataset: dataset.to_owned(), prefix: prefix.to_owned(), places, names, besides }
    };
    many.map(group).collect()
}

fn is_day(text: &str) -> bool {
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|part| part.parse::<u32>().ok());
    text.bytes().all(|byte| byte.is_ascii_digit())
        && text.starts_with(['1', '2'])
        && number(4..6).is_some_and(|month| (1..=12).contains(&month))
        && number(6..8).is_some_and(|day| (1..=31).contains(&day))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed_table(name: &str) -> Listed {
        Listed { dataset: "d".to_owned(), name: name.to_owned(), is_table: true }
    }

    #[test]
    fn tables_of_one_name_and_a_day_are_one() {
        let names = [
            "events_20240228",
            "orders",
            "events_20240301",
            "events_20240229",
            "events_20240227",
            "few_20240101",
            "events_intraday_20240302",
            "part_00000001",
            "part_00000002",
            "part_00000003",
            "part_00000004",
        ];
        let mut list: Vec<Listed> = names.into_iter().map(listed_table).collect();
        let other = |name: &str| Listed { dataset: "e".to_owned(), ..listed_table(name) };
        list.push(other("events_20240302"));
        let found = find_groups(&list);
        assert_eq!(found.len(), 1, "{found:?}");
        let events = &found[0];
        assert_eq!(
            (events.wildcard_name().as_str(), events.newest_index(), events.first_index()),
            ("events_*", Some(2), Some(0))
        );
        assert_eq!(events.names, ["events_20240227", "events_20240228", "events_20240229", "events_20240301"]);
        assert_eq!(events.besides, ["events_intraday_20240302"]);
        // Views cannot be read together.
        list[0].is_table = false;
        assert_eq!(find_groups(&list), []);
    }

    #[test]
    fn the_entry_says_how_many_there_are_and_how_they_are_read() {
        let list: Vec<Listed> =
            ["e_20240101", "e_20240102", "e_20240103", "e_20240104", "e_late"].into_iter().map(listed_table).collect();
        let column =
            |name: &str| Column { name: name.to_owned(), data_type: "INT64".to_owned(), nullable: true, comment: None };
        let newest = Table {
            name: vitrine_domain::TableName::from_unqualified("e_20240104"),
            kind: vitrine_domain::TableKind::Table,
            comment: Some("Visits.".to_owned()),
            row_count: Some(7),
            columns: vec![column("id")],
            primary_key: vec!["id".to_owned()],
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        };
        let entry = find_groups(&list)[0].build_table(newest);
        assert_eq!((entry.name.to_string().as_str(), entry.row_count), ("e_*", None));
        let columns: Vec<&str> = entry.columns.iter().map(|column| column.name.as_str()).collect();
        assert_eq!((columns.as_slice(), entry.primary_key.len()), (["id", "_TABLE_SUFFIX"].as_slice(), 0));
        let said = entry.comment.unwrap();
        assert!(said.starts_with("Visits. 4 tables, one for each day, from 20240101 to 20240104."), "{said}");
        assert!(said.contains("Read together as `e_*`"), "{said}");
        assert!(said.contains("_TABLE_SUFFIX BETWEEN '20240101' AND '20240104'"), "{said}");
        assert!(said.ends_with("`e_*` also reads e_late, which such a filter leaves out."), "{said}");
    }
}
