//! Search for cells that contain a text.

use crate::shown::Containing;
use crate::sort::type_of;
use crate::types::{FoundCell, SearchedColumn};
use crate::{Rows, Work, scan_rows};
use vitrine_domain::AppError;

/// Finds the first `most` cells with a text, row by row. `shown` contains the rows in display order; without it all
/// rows are searched.
pub fn find_cells(
    rows: &dyn Rows,
    shown: Option<&[u32]>,
    text: &str,
    columns: &[SearchedColumn],
    most: usize,
    work: &Work<'_>,
) -> Result<Vec<FoundCell>, AppError> {
    let text = text.trim();
    let mut found = Vec::new();
    if text.is_empty() {
        return Ok(found);
    }
    let places = shown.map(|shown| row_positions(shown, rows.count()));
    for column in columns {
        type_of(rows, column.column)?;
    }
    let tests: Vec<Containing<'_>> = columns.iter().map(|column| Containing::new(text, &column.shown)).collect();
    let read: Vec<u32> = columns.iter().map(|column| column.column).collect();
    scan_rows(rows, &read, work, |row, cells| {
        let Some(place) = places.as_ref().map_or(Some(row), |places| places[row as usize]) else { return Ok(true) };
        for (column, (test, cell)) in (0..).zip(tests.iter().zip(&cells)) {
            if cell.as_deref().is_some_and(|value| test.is_in(value)) {
                found.push(FoundCell { row: place, column });
            }
        }
        // If rows are shown in another order, the first cells are known only at the end.
        if places.is_some() && found.len() > 4 * most {
            found.sort_unstable();
            found.truncate(most);
        }
        Ok(places.is_some() || found.len() < most)
    })?;
    found.sort_unstable();
    found.truncate(most);
    Ok(found)
}

/// Returns the position of each row among the shown rows.
fn row_positions(shown: &[u32], count: u32) -> Vec<Option<u32>> {
    let mut places = vec![None; count as usize];
    for (place, row) in (0..).zip(shown) {
        places[*row as usize] = Some(place);
    }
    places
}
