//! Groups that have many rows; a sum or a mean of a single row reveals the value of that row.

use std::collections::HashSet;
use vitrine_domain::{ColumnProfile, Profile, TableProfile};

/// Minimum number of rows for which a sum or a mean reveals no single value.
const FEWEST_ROWS: u64 = 10;

/// Tables with many rows, and their columns in which each value occurs in many rows; names in lower case.
#[derive(Debug, Default)]
pub(super) struct Crowded {
    tables: HashSet<String>,
    columns: HashSet<(String, String)>,
}

impl Crowded {
    /// Derives the tables and columns from the profile. The frequency of each value is known only if the whole table was read.
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

    /// Returns true if every group of a table's rows by these columns has many rows; without columns, if the table has.
    pub(super) fn has_large_groups(&self, table: &str, keys: &[String]) -> bool {
        let table = table.to_lowercase();
        match keys {
            [] => self.tables.contains(&table),
            [key] => self.columns.contains(&(table, key.to_lowercase())),
            // Frequencies of combined values are unknown.
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
