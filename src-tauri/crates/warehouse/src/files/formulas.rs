//! Formulas whose results a workbook does not hold: programs that write workbooks need not compute them.

use calamine::Data;
use vitrine_words::{plural, tr};

/// Formulas of one column.
#[derive(Debug, Default)]
pub(super) struct Formulas {
    all: usize,
    /// Those without a stored result.
    open: usize,
    /// Those with the result 0.
    zero: usize,
}

impl Formulas {
    /// Takes a cell into account.
    pub fn record_cell(&mut self, formula: Option<&String>, cell: &Data) {
        if formula.is_none_or(String::is_empty) {
            return;
        }
        self.all += 1;
        // A formula whose result is the empty text has a text.
        self.open += usize::from(*cell == Data::Empty);
        self.zero += usize::from(matches!(cell, Data::Float(number) if *number == 0.0));
    }

    /// What is to be said of them.
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
        // Some programs store 0 for what they do not compute.
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
