//! Merges look-alike tables and columns without losing information (AV-SQL, section 4.1.1).
//!
//! Tables are merged when their names differ only in digits (`{NUM}`) or in one further part (`{VAR}`) *and* their
//! columns, types and keys are the same. Names alone never merge anything: `plan1` and `plan2` stay separate when their
//! columns differ. Every member keeps its real name, because SQL needs it.

mod columns;
mod compressed;
mod families;
mod lineage;
mod named;
mod pattern;
mod tables;
#[cfg(test)]
mod tests;

pub use compressed::{Compressed, CompressedColumn, CompressedTable};
pub use lineage::Lineage;
pub(crate) use pattern::{digits_to_num, natural, parts};

use vitrine_domain::Catalog;

impl Compressed {
    /// Replaces the representative of each group by the member that the question names, if there is one.
    #[must_use]
    pub fn showing(mut self, question: &str, catalog: &Catalog) -> Self {
        let mentioned = named::Mentioned::of(question);
        for group in self.tables.iter_mut().filter(|table| table.members.len() > 1) {
            let member = mentioned.member(&group.pattern, &group.members).map(|at| &group.members[at]);
            let table = member.and_then(|name| catalog.tables.iter().find(|table| table.name == *name));
            if let Some(table) = table.filter(|table| table.name != group.representative.name) {
                group.columns = columns::groups(table);
                group.lineage = lineage::lineage(table, catalog);
                group.representative = table.clone();
            }
        }
        self
    }
}

/// Merges look-alike tables and columns. Runs in time linear in the number of columns.
pub fn compress(catalog: &Catalog) -> Compressed {
    let joined = compressed::joined(catalog);
    let tables = tables::groups(&catalog.tables)
        .into_iter()
        .map(|group| {
            let last = *group.members.last().expect("a group has members");
            let representative = catalog.tables[last].clone();
            CompressedTable {
                dialect: catalog.dialect,
                pattern: group.pattern,
                members: group.members.iter().map(|&m| catalog.tables[m].name.clone()).collect(),
                columns: columns::groups(&representative),
                lineage: lineage::lineage(&representative, catalog),
                joins: group.members.iter().any(|&m| joined.contains(&catalog.tables[m].name)),
                representative,
            }
        })
        .collect();
    Compressed { tables }
}
