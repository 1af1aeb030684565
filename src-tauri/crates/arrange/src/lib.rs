//! Sorts, filters, searches and sums the rows of a result that is too large for memory: rows are read in blocks, keys that do not fit
//! are sorted on disk, and what remains of a result is the numbers of its rows.
//!
//! Values are the exact texts that people see, so nothing passes through a float.

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
pub use sort::arrange_rows;
pub use types::{
    Arrangement, ColumnFigures, FoundCell, RowFilter, RowOrder, RowTest, SearchedColumn, SelectionFigures, ShownAs,
    ShownNumber,
};

use std::path::Path;
use vitrine_domain::{AppError, CellType};

/// Rows of a result that are read in blocks.
pub trait Rows {
    /// Returns the number of rows.
    fn count(&self) -> u32;
    /// Returns the type of a column, if there is such a column.
    fn cell_type(&self, column: u32) -> Option<CellType>;
    /// Reads some columns of the rows from `first` on: at least one row, and none only at the end.
    fn read_columns(&self, first: u32, columns: &[u32]) -> Result<Vec<Vec<Option<String>>>, AppError>;
}

/// Surroundings of one piece of work over rows.
pub struct Work<'a> {
    /// Folder of files without names, for keys that do not fit into memory.
    pub folder: &'a Path,
    /// Language and region by which texts are ordered, such as `de-DE`.
    pub locale: &'a str,
    /// Returns an error once the work is to stop.
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
