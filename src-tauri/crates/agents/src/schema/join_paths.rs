//! Tables on the shortest join paths between selected tables.

use std::collections::{HashMap, VecDeque};
use vitrine_domain::{Catalog, SchemaSelection, TableName};

/// Maximum number of tables between two selected ones; longer paths join what the question does not relate.
const LONGEST: usize = 3;
/// With more tables on the shortest paths than this, none is added: any of them could be meant, and a query that needs one restores it.
const MOST: usize = 8;

/// Adds the tables on the shortest join paths between selected tables that no foreign key joins, directly or over other selected tables.
pub(super) fn add_connecting(selection: &mut SchemaSelection, catalog: &Catalog) {
    let graph = JoinGraph::from_catalog(catalog);
    let mut selected: Vec<bool> = catalog.tables.iter().map(|table| selection.contains(&table.name, None)).collect();
    // Each round joins two groups or ends the search from one, so there are at most as many rounds as groups.
    let mut ended: Vec<usize> = Vec::new();
    loop {
        let groups = graph.group_tables(&selected);
        let Some(start) = (0..selected.len()).find(|&at| {
            groups[at] == Some(at) && !ended.contains(&at) && groups.iter().flatten().any(|&other| other != at)
        }) else {
            return;
        };
        let between = graph.shortest_paths(&selected, &groups, start);
        if between.is_empty() || between.len() > MOST {
            ended.push(start);
            continue;
        }
        for at in between {
            selected[at] = true;
            selection.add(&catalog.tables[at].name.to_string(), None);
        }
    }
}

/// Tables as numbers, joined by foreign keys in either direction.
struct JoinGraph {
    joined: Vec<Vec<usize>>,
}

impl JoinGraph {
    fn from_catalog(catalog: &Catalog) -> Self {
        let numbers: HashMap<&TableName, usize> =
            catalog.tables.iter().enumerate().map(|(at, table)| (&table.name, at)).collect();
        let mut joined = vec![Vec::new(); catalog.tables.len()];
        for (at, table) in catalog.tables.iter().enumerate() {
            for other in table.foreign_keys.iter().filter_map(|key| numbers.get(&key.ref_table)) {
                joined[at].push(*other);
                joined[*other].push(at);
            }
        }
        Self { joined }
    }

    /// Returns for each selected table the first table of its group, which consists of tables that keys join without other tables.
    fn group_tables(&self, selected: &[bool]) -> Vec<Option<usize>> {
        let mut groups: Vec<Option<usize>> = vec![None; selected.len()];
        for start in 0..selected.len() {
            if !selected[start] || groups[start].is_some() {
                continue;
            }
            let mut left = vec![start];
            while let Some(at) = left.pop() {
                if groups[at].is_none() {
                    groups[at] = Some(start);
                    left.extend(self.joined[at].iter().filter(|&&other| selected[other]));
                }
            }
        }
        groups
    }

    /// Returns the tables on all shortest paths from a group to the nearest other one; empty if there is none within [`LONGEST`].
    fn shortest_paths(&self, selected: &[bool], groups: &[Option<usize>], start: usize) -> Vec<usize> {
        let of_group = (0..selected.len()).filter(|&at| groups[at] == Some(start));
        let mut distances: HashMap<usize, usize> = of_group.map(|at| (at, 0)).collect();
        let mut queue: VecDeque<usize> = distances.keys().copied().collect();
        let mut reached: Vec<usize> = Vec::new();
        let mut nearest = LONGEST + 1;
        while let Some(at) = queue.pop_front() {
            let next = distances[&at] + 1;
            if next > nearest {
                break;
            }
            for &other in &self.joined[at] {
                if distances.contains_key(&other) {
                    continue;
                }
                distances.insert(other, next);
                if selected[other] {
                    nearest = next;
                    reached.push(other);
                } else {
                    queue.push_back(other);
                }
            }
        }
        let mut between: Vec<usize> = Vec::new();
        let mut left = reached;
        while let Some(at) = left.pop() {
            for &before in &self.joined[at] {
                let is_before = distances.get(&before).is_some_and(|&distance| distance + 1 == distances[&at]);
                if is_before && !selected[before] && !between.contains(&before) {
                    between.push(before);
                    left.push(before);
                }
            }
        }
        between.sort_unstable();
        between
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_table::one_table;
    use vitrine_domain::{Dialect, ForeignKey};

    /// Returns a catalog of these tables, each with the tables that its keys refer to.
    fn build_catalog(tables: &[(&str, &[&str])]) -> Catalog {
        let mut catalog = one_table(Dialect::Sqlite, "none", &["id"]);
        let single = catalog.tables.remove(0);
        for (name, references) in tables {
            let mut table = single.clone();
            table.name = TableName::from_unqualified(*name);
            table.foreign_keys = references
                .iter()
                .map(|other| ForeignKey {
                    columns: vec!["id".to_owned()],
                    ref_table: TableName::from_unqualified(*other),
                    ref_columns: vec!["id".to_owned()],
                })
                .collect();
            catalog.tables.push(table);
        }
        catalog
    }

    fn connect(catalog: &Catalog, tables: &[&str]) -> Vec<String> {
        let mut selection = SchemaSelection::default();
        tables.iter().for_each(|table| selection.add(table, None));
        add_connecting(&mut selection, catalog);
        selection.tables.into_iter().skip(tables.len()).map(|table| table.name).collect()
    }

    #[test]
    fn only_tables_between_selected_ones_are_added() {
        let catalog = build_catalog(&[
            ("customer", &["country"]),
            ("purchase", &["customer"]),
            ("item", &["purchase", "product"]),
            ("product", &["supplier"]),
            ("country", &[]),
            ("supplier", &["country"]),
            ("note", &[]),
        ]);
        assert_eq!(connect(&catalog, &["customer"]), [] as [&str; 0]);
        assert_eq!(connect(&catalog, &["customer", "purchase"]), [] as [&str; 0], "a key joins them");
        assert_eq!(connect(&catalog, &["purchase", "product"]), ["item"]);
        assert_eq!(connect(&catalog, &["customer", "item"]), ["purchase"]);
        // Both paths between these two are equally long.
        assert_eq!(connect(&catalog, &["customer", "product"]), ["purchase", "item", "country", "supplier"]);
        assert_eq!(connect(&catalog, &["note", "product", "purchase"]), ["item"], "nothing leads to a note");
    }

    #[test]
    fn many_equal_paths_and_long_ones_add_nothing() {
        let facts: Vec<String> = (0..9).map(|number| format!("fact_{number}")).collect();
        let mut tables: Vec<(&str, &[&str])> = vec![("customer", &[]), ("product", &[])];
        tables.extend(facts.iter().map(|fact| (fact.as_str(), &["customer", "product"][..])));
        assert_eq!(connect(&build_catalog(&tables), &["customer", "product"]), [] as [&str; 0]);
        assert_eq!(connect(&build_catalog(&tables[..3]), &["customer", "product"]), ["fact_0"]);
        let chain =
            build_catalog(&[("a", &[]), ("b", &["a"]), ("c", &["b"]), ("d", &["c"]), ("e", &["d"]), ("f", &["e"])]);
        assert_eq!(connect(&chain, &["a", "e"]), ["b", "c", "d"]);
        assert_eq!(connect(&chain, &["a", "f"]), [] as [&str; 0]);
    }
}
