//! Consistency of a chunk's views with its selection (AV-SQL, 4.3).

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use vitrine_domain::{SchemaSelection, ViewAttempt};

/// Treatment of a selection that lacks names which its views use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Consistency {
    /// The missing names are added, and the log lists them.
    #[default]
    Complete,
    /// It is a problem that the model receives in the next round, as in the paper.
    Strict,
}

impl Consistency {
    /// Returns true if a consistent selection counts although no view of its chunk is kept (equation 8). Other models than those that
    /// deliberate select before they read.
    pub fn keeps_selection(self, deliberates: bool) -> bool {
        deliberates || self == Self::Strict
    }
}

/// Base tables and columns that running views read.
#[derive(Default)]
pub struct UsedNames {
    /// Names of tables.
    pub tables: BTreeSet<String>,
    /// Pairs of table and column.
    pub columns: BTreeSet<(String, String)>,
}

impl UsedNames {
    /// Returns the names that a selection lacks, columns as `table.column`.
    fn list_missing(&self, selection: &SchemaSelection) -> Vec<String> {
        // Replies may omit the schema of a table.
        let is_same = |selected: &str, used: &str| {
            let bare = used.rsplit_once('.').map(|(_, bare)| bare);
            selected.eq_ignore_ascii_case(used) || bare.is_some_and(|bare| selected.eq_ignore_ascii_case(bare))
        };
        let is_selected = |table: &str| selection.tables.iter().any(|t| is_same(&t.name, table));
        let tables = self.tables.iter().filter(|table| !is_selected(table)).cloned();
        let has_column = |table: &str, column: &str| {
            selection
                .tables
                .iter()
                .any(|t| is_same(&t.name, table) && t.columns.iter().any(|c| c.eq_ignore_ascii_case(column)))
        };
        let columns = self.columns.iter().filter(|(table, column)| !has_column(table, column));
        tables.chain(columns.map(|(table, column)| format!("{table}.{column}"))).collect()
    }
}

/// Checks the three rules of 4.3. If only names are missing from the selection and all views run, a lenient check completes the selection
/// without asking the model, since the only possible correction is to add them; a strict one reports them as a problem and changes nothing.
/// Returns true if both agree, and the names that completed the selection.
pub fn check_agreement(
    (selection, consistency): (&mut SchemaSelection, Consistency),
    views: &[ViewAttempt],
    used: &UsedNames,
    problems: &mut Vec<String>,
) -> (bool, Vec<String>) {
    if views.is_empty() && !selection.is_empty() {
        // A selection without a view is valid, since the paper allows more selected tables than the views use.
        return (true, Vec::new());
    }
    let is_strict = consistency == Consistency::Strict;
    let mut consistent = true;
    let missing = used.list_missing(selection);
    if !missing.is_empty() && (is_strict || !problems.is_empty()) {
        consistent = false;
        problems.push(format!("used in views but not selected: {}", missing.join(", ")));
    }
    if is_strict {
        if missing.is_empty() && selection.is_empty() && !views.is_empty() {
            consistent = false;
            problems.push("there are views, but no table is selected".to_owned());
        }
        return (consistent, Vec::new());
    }
    for table in &used.tables {
        selection.add(table, None);
    }
    for (table, column) in &used.columns {
        selection.add(table, Some(column));
    }
    (consistent, missing)
}
