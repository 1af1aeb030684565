//! Everything that can be mended in a query without asking whoever wrote it.

use crate::bind::{NameProblem, Rebound, bind, rebind};
use crate::mend::{bridge, mend};
use crate::{ReadOnlySql, Repaired};
use vitrine_domain::{Catalog, Profile};

/// Mends joins by columns that do not exist, then names that do not resolve, then what runs but cannot be meant. What the
/// profile does not know yet is taken as it is declared.
///
/// # Errors
/// The names that still do not resolve.
pub fn repair(sql: &ReadOnlySql, catalog: &Catalog, profile: &Profile) -> Result<Repaired, Vec<NameProblem>> {
    let mut repaired = Repaired { sql: sql.clone(), notes: Vec::new() };
    let mut left = Vec::new();
    let mut problems = bind(sql, catalog).problems;
    if !problems.is_empty()
        && let Some(bridged) = bridge(sql, catalog)
    {
        repaired.take(bridged);
        problems = bind(&repaired.sql, catalog).problems;
    }
    if !problems.is_empty() {
        let Some(Rebound { sql, notes, left: mistaken }) = rebind(&repaired.sql, catalog) else { return Err(problems) };
        repaired.take(Repaired { sql, notes });
        left = mistaken;
    }
    if let Some(mended) = mend(&repaired.sql, catalog, profile, &left) {
        repaired.take(mended);
    }
    Ok(repaired)
}

impl Repaired {
    fn take(&mut self, next: Repaired) {
        self.sql = next.sql;
        self.notes.extend(next.notes);
    }
}
