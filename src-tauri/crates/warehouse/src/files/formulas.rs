//! Formulas without stored results: programs that write workbooks need not compute them.

use calamine::Data;
use vitrine_words::{plural, tr};

/// Statistics of the formulas of one column.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    all: usize,
    /// Number of formulas without a stored result.
    open: usize,
    /// Number of formulas with the result 0.
    zero: usize,
}

impl Formulas {
    /// Records a cell and its formula.
    pub fn record_cell(&mut self, formula: Option<&String>, cell: &Data) {
        if formula.is_none_or(String::is_empty) {
            return;
        }
        self.all += 1;
        // A formula with an empty text as result has a stored text.
        self.open += usize::from(*cell == Data::Empty);
        self.zero += usize::from(matches!(cell, Data::Float(number) if *number == 0.0));
    }

    /// Returns the doubt about the column's formulas, if any.
    pub fn describe_doubt(&self, sheet: &str, column: &str) -> Option<String> {
        if self.open > 0 {
            return Some(plural!(
                self.open,
                "{n} formula of the column {column} in the sheet {sheet} has no stored result, so that its cell is empty. Open the workbook in a spreadsheet program, save it, and open it here again.",
                "{n} formulas of the column {column} in the sheet {sheet} have no stored result, so that their cells are empty. Open the workbook in a spreadsheet program, save it, and open it here again.",
                column,
                sheet
            ));
        }
        // Some programs store 0 for results that they do not compute.
        (self.all > 1 && self.zero == self.all).then(|| {
            tr!(
                "All {count} formulas of the column {column} in the sheet {sheet} have the stored result 0; the program that wrote the workbook may not have computed them. Open the workbook in a spreadsheet program, save it, and open it here again.",
                count = self.all,
                column,
                sheet
            )
        })
    }
}
