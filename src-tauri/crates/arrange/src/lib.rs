//! Sorts, filters, searches and aggregates the rows of results that are too large for memory. Rows are read in blocks,
//! keys that do not fit into memory are sorted on disk, and only the numbers of the resulting rows are kept.
//!
//! Values are the exact texts that users see, so that no value passes through a float.

mod collate;
mod digits;
mod figures;
mod filter;
mod find;
mod moment;
mod number;
mod runs;
mod shown;
mod sort;
mod types;

pub use figures::{column_figures, selection_figures};
pub use find::find_cells;
pub use number::compare_numbers;
pub use sort::arrange_rows;
pub use types::{
    Arrangement, ColumnFigures, FoundCell, RowFilter, RowOrder, RowTest, SearchedColumn, SelectionFigures, ShownAs,
    ShownNumber,
};

use std::path::Path;
use vitrine_domain::{AppError, CellType};

/// The rows of a result, which are read in blocks.
pub trait Rows {
    /// Returns the number of rows.
    fn count(&self) -> u32;
    /// Returns the type of a column; `None` if it does not exist.
    fn cell_type(&self, column: u32) -> Option<CellType>;
    /// Reads some columns of the rows from `first` on: at least one row, except at the end.
    fn read_columns(&self, first: u32, columns: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError>;
}

/// The environment of an operation over rows.
pub struct Work<'a> {
    /// The folder for unnamed temporary files with keys that do not fit into memory.
    pub folder: &'a Path,
    /// The language and region that determine the order of texts, such as `de-DE`.
    pub locale: &'a str,
    /// Returns an error if the operation was cancelled.
    pub go_on: &'a dyn Fn() -> Result<(), AppError>,
}

/// Reads all rows of some columns in their order.
fn scan_rows(
    rows: &dyn Rows,
    columns: &[u32],
    work: &Work<'_>,
    mut see: impl FnMut(u32, Vec<Option<String>>) -> Result<bool, AppError>,
) -> Result<(), AppError> {
    let mut at = 0;
    while at < rows.count() {
        (work.go_on)()?;
        let block = rows.read_columns(at, columns)?;
        if block.is_empty() {
            return Ok(());
        }
        for row in block {
            if !see(at, row)? {
                return Ok(());
            }
            at += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
