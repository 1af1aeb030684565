//! Classification of wrong predictions.

use super::{GoldResult, matches_spider};
use serde::{Deserialize, Serialize};
use vitrine_domain::Page;

/// The fault of a wrong prediction, ordered from worst to nearly right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The run wrote no SQL.
    NoSql,
    /// The SQL does not run.
    DoesNotRun,
    /// It reads different tables than the gold SQL.
    WrongTables,
    /// Its result has a different number of columns.
    WrongColumnCount,
    /// Its result has a different number of rows.
    WrongRowCount,
    /// Its result has the right size but different values.
    WrongValues,
    /// Only the order of rows or columns is wrong.
    OrderOnly,
}

impl Fault {
    /// All faults, from worst to nearly right.
    pub const ALL: [Fault; 7] = [
        Fault::NoSql,
        Fault::DoesNotRun,
        Fault::WrongTables,
        Fault::WrongColumnCount,
        Fault::WrongRowCount,
        Fault::WrongValues,
        Fault::OrderOnly,
    ];

    /// Returns the display name of the fault.
    pub fn name(self) -> &'static str {
        match self {
            Fault::NoSql => "no SQL",
            Fault::DoesNotRun => "does not run",
            Fault::WrongTables => "wrong tables",
            Fault::WrongColumnCount => "wrong number of columns",
            Fault::WrongRowCount => "wrong number of rows",
            Fault::WrongValues => "wrong values",
            Fault::OrderOnly => "only the order",
        }
    }

    /// Classifies a result that differs from the gold result.
    pub fn classify_result(predicted: &Page, gold: &GoldResult, same_tables: bool) -> Self {
        if matches_spider(predicted, &gold.page, false) {
            Fault::OrderOnly
        } else if !same_tables {
            Fault::WrongTables
        } else if predicted.columns.len() != gold.page.columns.len() {
            Fault::WrongColumnCount
        } else if predicted.rows.len() != gold.page.rows.len() {
            Fault::WrongRowCount
        } else {
            Fault::WrongValues
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{CellType, ResultColumn};

    fn build_page(rows: &[&[&str]], columns: usize) -> Page {
        let column = ResultColumn::new("c", CellType::Text);
        let rows: Vec<Vec<_>> = rows.iter().map(|r| r.iter().map(|c| Some((*c).to_owned())).collect()).collect();
        Page { columns: vec![column; columns], row_count: rows.len() as u64, rows, truncated: false }
    }

    /// Rows with their number of columns, whether the tables are right, and the expected fault.
    type FaultCase = (&'static [&'static [&'static str]], usize, bool, Fault);

    #[test]
    fn a_wrong_result_is_told_by_what_is_nearest() {
        let gold = GoldResult { page: build_page(&[&["a"], &["b"]], 1), ordered: true, required: Vec::new() };
        let cases: [FaultCase; 5] = [
            (&[&["b"], &["a"]], 1, false, Fault::OrderOnly),
            (&[&["a"], &["c"]], 1, false, Fault::WrongTables),
            (&[&["a", "1"], &["b", "2"]], 2, true, Fault::WrongColumnCount),
            (&[&["a"]], 1, true, Fault::WrongRowCount),
            (&[&["a"], &["c"]], 1, true, Fault::WrongValues),
        ];
        for (rows, columns, same_tables, expected) in cases {
            assert_eq!(Fault::classify_result(&build_page(rows, columns), &gold, same_tables), expected);
        }
    }
}
