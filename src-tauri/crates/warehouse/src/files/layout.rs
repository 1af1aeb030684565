//! The layout of a file's rows: titles, column names, data, and excluded rows.

use super::below::{self, Below};
use super::grid::Grid;
use super::header;
use super::inner_rows;
use super::units::{inside_brackets, is_unit};
use std::collections::HashSet;
use vitrine_domain::{FileOptions, FileReading, SetAsideReason, SetAsideRow, SkippedRow};
use vitrine_words::tr;

/// Maximum number of title rows that are reported.
const TOLD: usize = 20;

/// The parts of a grid.
#[derive(Debug)]
pub(super) struct Layout {
    /// Columns of the grid with values.
    pub columns: Vec<usize>,
    /// The names of these columns.
    pub names: Vec<String>,
    pub header: Option<usize>,
    /// The rows that contain data.
    pub body: Vec<usize>,
    /// The unit of each column, if a row below the names contains units.
    pub units: Vec<Option<String>>,
}

/// Finds the parts and reports them in the reading. `heading` returns the rows above and below the found header that
/// also belong to the names.
pub(super) fn find_layout(
    grid: &Grid,
    heading: impl Fn(usize) -> Vec<usize>,
    options: &FileOptions,
    reading: &mut FileReading,
) -> Layout {
    let all = grid.usual_columns();
    let header = match options.header_row {
        None => header::find_header_row(grid, &all),
        Some(0) => None,
        Some(number) => {
            let row = (0..grid.height()).find(|row| grid.line_number(*row) == number);
            if row.is_none() {
                reading
                    .doubts
                    .push(tr!("Row {number} should contain the column names, but is empty or missing.", number));
            }
            row.or_else(|| header::find_header_row(grid, &all))
        }
    };
    let heading = header.map(&heading).unwrap_or_default();
    let first = header.map_or(0, |row| heading.iter().copied().chain([row]).max().unwrap_or(row) + 1);
    let top = heading.iter().copied().chain(header).min().unwrap_or(0);
    let above: Vec<usize> = (0..first).filter(|row| header != Some(*row)).collect();
    let columns = grid.columns_beside(&above);
    let names = header::unique_column_names(columns.iter().map(|column| column_name(grid, &heading, header, *column)));
    let mut body: Vec<usize> = (first..grid.height()).filter(|row| grid.count_filled(*row) > 0).collect();
    let mut units = Vec::new();
    if !options.keep_rows {
        let (below, found) = set_aside(grid, &mut body, &columns, header, reading);
        units = found;
        if let Some(row) = below.doubtful {
            let text = grid.display_row(row);
            reading.doubts.push(tr!(
                "Row {number} looks like a total, but its numbers are not the sums of the other rows, so it is kept: {text}",
                number = grid.line_number(row),
                text
            ));
        }
        if let Some(row) = below.unproven {
            let text = grid.display_row(row);
            reading.doubts.push(tr!(
                "Row {number} contains the sums of rows above it. It may be a total, but is kept: {text}",
                number = grid.line_number(row),
                text
            ));
        }
    }
    reading.header_row = header.map(|row| grid.line_number(row));
    let titles = (0..top).filter(|row| header.is_some() && grid.count_filled(*row) > 0).take(TOLD);
    reading.skipped =
        titles.map(|row| SkippedRow { row: grid.line_number(row), text: grid.display_row(row) }).collect();
    Layout { columns, names, header, body, units }
}

/// Returns a column's name, joined from several rows if the header has several.
fn column_name(grid: &Grid, heading: &[usize], header: Option<usize>, column: usize) -> String {
    let mut rows: Vec<usize> = heading.iter().copied().chain(header).collect();
    rows.sort_unstable();
    rows.dedup();
    let mut parts: Vec<&str> = rows.iter().map(|row| grid.cell(*row, column)).filter(|part| !part.is_empty()).collect();
    parts.dedup();
    parts.join(" ")
}

/// Removes comments, repeated names, units, totals and footnotes from the rows; returns the units of the columns.
fn set_aside(
    grid: &Grid,
    body: &mut Vec<usize>,
    columns: &[usize],
    header: Option<usize>,
    reading: &mut FileReading,
) -> (Below, Vec<Option<String>>) {
    let is_comment = |row: usize| columns.len() > 1 && grid.cells_of(row) == 1 && grid.cell(row, 0).starts_with('#');
    let is_rule = |row: usize| body.first() == Some(&row) && inner_rows::is_ruled_line(grid, row);
    let comments =
        body.iter().filter(|row| is_comment(**row) || is_rule(**row)).map(|row| (*row, SetAsideReason::Comment));
    let mut out: Vec<(usize, SetAsideReason)> = comments.collect();
    keep_others(body, &out);
    let mut units = Vec::new();
    if let Some(header) = header {
        let repeated = inner_rows::repeated_names(grid, body, columns, header);
        keep_others(body, &repeated);
        out.extend(repeated);
        if let Some(rows) = inner_rows::find_unit_rows(grid, body, columns, header) {
            let unit = |column: &usize| inside_brackets(grid.cell(rows[0], *column)).to_owned();
            units = columns.iter().map(|column| Some(unit(column)).filter(|unit| is_unit(unit))).collect();
            let rows: Vec<_> = rows.into_iter().map(|row| (row, SetAsideReason::Units)).collect();
            keep_others(body, &rows);
            out.extend(rows);
        }
    }
    let names: Vec<usize> =
        out.iter().filter(|(_, reason)| *reason == SetAsideReason::Names).map(|(row, _)| *row).collect();
    let below = take_below(grid, body, columns, &names, &mut out);
    let told = |(row, reason): &(usize, SetAsideReason)| SetAsideRow {
        row: grid.line_number(*row),
        reason: *reason,
        text: grid.display_row(*row),
    };
    reading.set_aside = out.iter().map(told).collect();
    reading.set_aside.sort_by_key(|row| row.row);
    (below, units)
}

fn keep_others(body: &mut Vec<usize>, out: &[(usize, SetAsideReason)]) {
    let out: HashSet<usize> = out.iter().map(|(row, _)| *row).collect();
    body.retain(|row| !out.contains(row));
}

/// Removes totals and notes from the rows. If names are repeated, each part may end with its own total.
fn take_below(
    grid: &Grid,
    body: &mut Vec<usize>,
    columns: &[usize],
    repeated_names: &[usize],
    out: &mut Vec<(usize, SetAsideReason)>,
) -> Below {
    let mut take = |body: &mut Vec<usize>, below: &Below| {
        let of = |rows: &[usize], reason: SetAsideReason| rows.iter().map(|row| (*row, reason)).collect::<Vec<_>>();
        let found = [
            of(&below.subtotals, SetAsideReason::Subtotal),
            of(&below.totals, SetAsideReason::Total),
            of(&below.footnotes, SetAsideReason::Footnote),
        ]
        .concat();
        keep_others(body, &found);
        out.extend(found);
    };
    let mut start = 0;
    for names in repeated_names {
        let part: Vec<usize> = body.iter().copied().filter(|row| (start..*names).contains(row)).collect();
        take(body, &below::find_trailing_rows(grid, &part, columns));
        start = *names;
    }
    let mut below = below::find_trailing_rows(grid, body, columns);
    if below.non_data_rows().next().is_none() && start > 0 {
        let part: Vec<usize> = body.iter().copied().filter(|row| *row > start).collect();
        below = below::find_trailing_rows(grid, &part, columns);
    }
    take(body, &below);
    below
}
