//! Groups that have many rows: a sum or a mean of one row is the value of that row.

use std::collections::HashSet;
use vitrine_domain::{ColumnProfile, Profile, TableProfile};

/// Rows from which on a sum or a mean tells no single value.
const FEWEST_ROWS: u64 = 10;

/// Tables with many rows, and their columns of which each value is that of many rows; names in lower case.
#[derive(Debug, Default)]
pub(super) struct Crowded {
    tables: HashSet<String>,
    columns: HashSet<(String, String)>,
}

impl Crowded {
    /// Reads it off what is known of the data. Only a table that was read whole tells how often each of its values occurs.
    pub(super) fn from_profile(profile: &Profile) -> Self {
        let mut crowded = Self::default();
        for table in &profile.tables {
            let name = table.table.to_string().to_lowercase();
            let Some(rows) = table.row_count.filter(|rows| *rows >= FEWEST_ROWS) else { continue };
            if table.profiled_rows == rows {
                let columns = table.columns.iter().filter(|column| is_crowded(column, table));
                crowded.columns.extend(columns.map(|column| (name.clone(), column.name.to_lowercase())));
            }
            crowded.tables.insert(name);
        }
        crowded
    }

    /// Returns whether every group of a table's rows by these columns has many rows; for no columns whether the table has.
    pub(super) fn has_large_groups(&self, table: &str, keys: &[String]) -> bool {
        let table = table.to_lowercase();
        match keys {
            [] => self.tables.contains(&table),
            [key] => self.columns.contains(&(table, key.to_lowercase())),
            // How often values occur together is not known.
            _ => false,
        }
    }
}

fn is_crowded(column: &ColumnProfile, table: &TableProfile) -> bool {
    let nulls = (column.null_ratio * table.profiled_rows as f64).round() as u64;
    column.complete
        && !column.top.is_empty()
        && column.top.iter().all(|(_, count)| *count >= FEWEST_ROWS)
        && (nulls == 0 || nulls >= FEWEST_ROWS)
}
