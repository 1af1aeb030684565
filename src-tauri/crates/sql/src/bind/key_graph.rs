//! The declared keys of a catalog by table, so that a search for joins reads each key once.

use crate::text::same_name;
use std::collections::HashMap;
use vitrine_domain::{Catalog, ForeignKey, Table};

/// A foreign key with the table that has it and the one that it refers to.
#[derive(Clone, Copy)]
pub(super) struct KeyLink<'a> {
    pub owner: &'a Table,
    pub key: &'a ForeignKey,
    pub target: &'a Table,
}

/// All keys of a catalog, by the tables on both sides.
pub(super) struct KeyGraph<'a> {
    links: Vec<KeyLink<'a>>,
    by_owner: HashMap<String, Vec<usize>>,
    by_target: HashMap<String, Vec<usize>>,
}

impl<'a> KeyGraph<'a> {
    /// Collects the keys, in catalog order.
    pub fn from_catalog(catalog: &'a Catalog) -> Self {
        let mut by_name: HashMap<String, Vec<&'a Table>> = HashMap::new();
        for table in &catalog.tables {
            by_name.entry(table.name.name.to_lowercase()).or_default().push(table);
        }
        let mut graph = Self { links: Vec::new(), by_owner: HashMap::new(), by_target: HashMap::new() };
        for owner in &catalog.tables {
            for key in &owner.foreign_keys {
                let named = by_name.get(&key.ref_table.name.to_lowercase()).into_iter().flatten();
                for target in named.filter(|table| refers_to(key, table)) {
                    let at = graph.links.len();
                    graph.by_owner.entry(lower_name(owner)).or_default().push(at);
                    graph.by_target.entry(lower_name(target)).or_default().push(at);
                    graph.links.push(KeyLink { owner, key, target });
                }
            }
        }
        graph
    }

    /// Iterates over the keys of the table with this full name.
    pub fn keys_of(&self, table: &str) -> impl Iterator<Item = KeyLink<'a>> {
        self.at(&self.by_owner, table)
    }

    /// Iterates over the keys that refer to the table with this full name.
    pub fn keys_to(&self, table: &str) -> impl Iterator<Item = KeyLink<'a>> {
        self.at(&self.by_target, table)
    }

    fn at(&self, places: &HashMap<String, Vec<usize>>, table: &str) -> impl Iterator<Item = KeyLink<'a>> {
        let found = places.get(&table.to_lowercase()).map(Vec::as_slice).unwrap_or_default();
        found.iter().map(|&at| self.links[at]).collect::<Vec<_>>().into_iter()
    }
}

fn lower_name(table: &Table) -> String {
    table.name.to_string().to_lowercase()
}

/// Returns true if a key refers to a table, whose schema the key may omit.
fn refers_to(key: &ForeignKey, table: &Table) -> bool {
    same_name(&key.ref_table.to_string(), &table.name.to_string())
        || (key.ref_table.schema.is_none() && same_name(&key.ref_table.name, &table.name.name))
}
