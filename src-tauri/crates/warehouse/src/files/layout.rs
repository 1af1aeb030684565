//! What the rows of a file are: titles, column names, data, and what is set aside.

use super::below::{self, Below};
use super::grid::Grid;
use super::header;
use vitrine_domain::{FileOptions, FileReading, SetAsideReason, SetAsideRow, SkippedRow};
use vitrine_words::tr;

/// Rows of titles that are told.
const TOLD: usize = 20;

/// The parts of a grid.
#[derive(Debug)]
pub(super) struct Layout {
    /// Columns of the grid that hold something.
    pub columns: Vec<usize>,
    /// Their names.
    pub names: Vec<String>,
    pub header: Option<usize>,
    /// Rows of data.
    pub body: Vec<usize>,
}

/// Finds the parts, and says in the reading what was found. `heading` gives rows of names above and
/// below the found one that belong to it.
pub(super) fn of(
    grid: &Grid,
    heading: impl Fn(usize) -> Vec<usize>,
    options: &FileOptions,
    reading: &mut FileReading,
) -> Layout {
    let all = grid.usual_columns();
    let header = match options.header_row {
        None => header::find(grid, &all),
        Some(0) => None,
        Some(number) => {
            let row = (0..grid.height()).find(|row| grid.number(*row) == number);
            if row.is_none() {
                reading
                    .doubts
                    .push(tr!("Row {number} was to hold the column names, and is empty or not there.", number));
            }
            row.or_else(|| header::find(grid, &all))
        }
    };
    let heading = header.map(&heading).unwrap_or_default();
    let first = header.map_or(0, |row| heading.iter().copied().chain([row]).max().unwrap_or(row) + 1);
    let top = heading.iter().copied().chain(header).min().unwrap_or(0);
    let above: Vec<usize> = (0..first).filter(|row| header != Some(*row)).collect();
    let columns = grid.columns_beside(&above);
    let names = header::names(columns.iter().map(|column| name(grid, &heading, header, *column)));
    let mut body: Vec<usize> = (first..grid.height()).filter(|row| grid.filled(*row) > 0).collect();
    if !options.keep_rows {
        let below = set_aside(grid, &mut body, &columns, reading);
        if let Some(row) = below.doubtful {
            let text = grid.shown(row);
            reading.doubts.push(tr!(
                "Row {number} looks like a total and its numbers are not the sums of the columns above, so it is kept: {text}",
                number = grid.number(row),
                text
            ));
        }
    }
    reading.header_row = header.map(|row| grid.number(row));
    let titles = (0..top).filter(|row| header.is_some() && grid.filled(*row) > 0).take(TOLD);
    reading.skipped = titles.map(|row| SkippedRow { row: grid.number(row), text: grid.shown(row) }).collect();
    Layout { columns, names, header, body }
}

/// A column's name, with what stands above it where the names have several rows.
fn name(grid: &Grid, heading: &[usize], header: Option<usize>, column: usize) -> String {
    let mut rows: Vec<usize> = heading.iter().copied().chain(header).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut parts: Vec<&str> = rows.iter().map(|row| grid.cell(*row, column)).filter(|part| !part.is_empty()).collect();
    parts.dedup();
    parts.join(" ")
}

/// Takes comments, totals and footnotes out of the rows.
fn set_aside(grid: &Grid, body: &mut Vec<usize>, columns: &[usize], reading: &mut FileReading) -> Below {
    let is_comment = |row: usize| columns.len() > 1 && grid.cells_of(row) == 1 && grid.cell(row, 0).starts_with('#');
    let comments: Vec<usize> = body.iter().copied().filter(|row| is_comment(*row)).collect();
    body.retain(|row| !is_comment(*row));
    let below = below::find(grid, body, columns);
    let out: std::collections::HashSet<usize> = below.rows().collect();
    body.retain(|row| !out.contains(row));
    let of = |rows: &[usize], reason: SetAsideReason| -> Vec<SetAsideRow> {
        rows.iter().map(|row| SetAsideRow { row: grid.number(*row), reason, text: grid.shown(*row) }).collect()
    };
    reading.set_aside = [
        of(&comments, SetAsideReason::Comment),
        of(&below.subtotals, SetAsideReason::Subtotal),
        of(&below.totals, SetAsideReason::Total),
        of(&below.footnotes, SetAsideReason::Footnote),
    ]
    .concat();
    reading.set_aside.sort_by_key(|row| row.row);
    below
}
