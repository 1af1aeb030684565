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
pub(crate) use pattern::{compare_natural, digits_to_num, match_placeholders};

use vitrine_domain::Catalog;

impl Compressed {
    /// Replaces the representative of each group by the member that the question names, if there is one.
    #[must_use]
    pub fn with_mentioned_members(mut self, question: &str, catalog: &Catalog) -> Self {
        let mentioned = named::Mentioned::from_text(question);
        for group in self.tables.iter_mut().filter(|table| table.members.len() > 1) {
            let member = mentioned.find_member(&group.pattern, &group.members).map(|at| &group.members[at]);
            let table = member.and_then(|name| catalog.tables.iter().find(|table| table.name == *name));
            if let Some(table) = table.filter(|table| table.name != group.representative.name) {
                group.columns = columns::group_columns(table);
                group.lineage = lineage::trace_lineage(table, catalog);
                group.representative = table.clone();
            }
        }
        self
    }
}

/// Merges look-alike tables and columns. Runs in time linear in the number of columns.
pub fn compress_catalog(catalog: &Catalog) -> Compressed {
    let joined = compressed::find_joined_tables(catalog);
    let tables = tables::group_tables(&catalog.tables)
        .into_iter()
        .map(|group| {
            let last = *group.members.last().expect("a group has members");
            let representative = catalog.tables[last].clone();
            CompressedTable {
                dialect: catalog.dialect,
                pattern: group.pattern,
                members: group.members.iter().map(|&m| catalog.tables[m].name.clone()).collect(),
                columns: columns::group_columns(&representative),
                lineage: lineage::trace_lineage(&representative, catalog),
                joins: group.members.iter().any(|&m| joined.contains(&catalog.tables[m].name)),
                representative,
            }
        })
        .collect();
    Compressed { tables }
}
