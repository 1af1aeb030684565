//! Extends selections to whole groups: look-alike tables are shown as one, so a decision about one holds for all.

use super::compressed::{Compressed, CompressedTable};
use std::collections::{HashMap, HashSet};
use vitrine_domain::{SchemaSelection, SelectedTable};

impl Compressed {
    /// Extends a selection to all members of each selected group of tables and columns. A selection without groups is
    /// returned unchanged.
    #[must_use]
    pub fn whole_families(&self, selection: &SchemaSelection) -> SchemaSelection {
        let places = self.places_by_name();
        let place = |selected: &SelectedTable| places.get(&selected.name.to_lowercase()).copied().flatten();
        let mut columns: HashMap<usize, Vec<String>> = HashMap::new();
        for selected in &selection.tables {
            if let Some(at) = place(selected) {
                columns.entry(at).or_default().extend(selected.columns.iter().cloned());
            }
        }
        let mut whole = SchemaSelection::default();
        for selected in &selection.tables {
            let Some(at) = place(selected) else {
                whole.tables.push(selected.clone());
                continue;
            };
            let table = &self.tables[at];
            if table.members.len() == 1 {
                let columns = table.whole_columns(&selected.columns);
                whole.tables.push(SelectedTable { columns, ..selected.clone() });
            } else if let Some(columns) = columns.remove(&at) {
                let columns = table.whole_columns(&columns);
                let member = |name: &_| SelectedTable { name: format!("{name}"), columns: columns.clone() };
                whole.tables.extend(table.members.iter().map(member));
            }
        }
        whole
    }

    /// Maps full names, last parts and patterns, in lower case, to the index of their group; `None` for a last part
    /// that several groups share.
    fn places_by_name(&self) -> HashMap<String, Option<usize>> {
        let mut places: HashMap<String, Option<usize>> = HashMap::new();
        for (at, table) in self.tables.iter().enumerate() {
            for name in table.members.iter().map(|member| member.name.to_lowercase()) {
                let known = places.entry(name).or_insert(Some(at));
                *known = known.filter(|known| *known == at);
            }
        }
        for (at, table) in self.tables.iter().enumerate() {
            let names = table.members.iter().map(ToString::to_string).chain([table.pattern.clone()]);
            names.for_each(|name| {
                places.insert(name.to_lowercase(), Some(at));
            });
        }
        places
    }
}

impl CompressedTable {
    /// Returns the columns with all their look-alikes, without duplicates.
    fn whole_columns(&self, columns: &[String]) -> Vec<String> {
        let families = self.columns.iter().filter(|column| column.members.len() > 1);
        let of: HashMap<String, &[String]> = families
            .flat_map(|column| {
                let members = column.members.iter().chain([&column.pattern]);
                members.map(|member| (member.to_lowercase(), column.members.as_slice()))
            })
            .collect();
        let mut seen: HashSet<String> = HashSet::new();
        let mut whole = Vec::new();
        for column in columns {
            let members = of.get(&column.to_lowercase()).copied().unwrap_or(std::slice::from_ref(column));
            whole.extend(members.iter().filter(|member| seen.insert(member.to_lowercase())).cloned());
        }
        whole
    }
}
