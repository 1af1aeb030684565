//! Look-alike tables and columns merged (AV-SQL, section 4.1.1), with nothing lost.
//!
//! Tables are merged when their names differ only in digits (`{NUM}`) or in one further part (`{VAR}`) *and* their
//! columns, types and keys are the same. Names alone never merge anything: `plan1` stays beside `plan2` when their
//! columns differ. Every member keeps its real name, because SQL needs it.

mod columns;
mod compressed;
mod lineage;
mod pattern;
mod tables;
#[cfg(test)]
mod tests;

pub use compressed::{Compressed, CompressedColumn, CompressedTable};
pub use lineage::Lineage;
pub(crate) use pattern::{digits_to_num, natural, parts};

use vitrine_domain::Catalog;

/// Merges look-alikes. Takes time in proportion to the number of columns.
pub fn compress(catalog: &Catalog) -> Compressed {
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
                representative,
            }
        })
        .collect();
    Compressed { tables }
}
