//! Rows among the data that do not belong to it: repeated column names in concatenated exports, and units below the
//! names.

use super::below::is_lone_text;
use super::cell::Shape;
use super::grid::Grid;
use super::missing_words::is_known;
use super::units::{inside_brackets, is_unit};
use vitrine_domain::SetAsideReason;

/// Number of rows that are examined to find columns of numbers or dates.
const SAMPLE: usize = 200;
/// Maximum length of a column description below its name in characters.
const LONGEST: usize = 24;

/// Finds rows that repeat the names in `header`, and titles directly above them.
pub(super) fn repeated_names(
    grid: &Grid,
    body: &[usize],
    columns: &[usize],
    header: usize,
) -> Vec<(usize, SetAsideReason)> {
    let named = columns.iter().filter(|column| !grid.cell(header, **column).is_empty()).count();
    // A single column may contain its own name as a value.
    if named < 2 && !columns.iter().all(|column| is_typed(grid, body, *column)) {
        return Vec::new();
    }
    let same = |row: usize, column: usize| {
        let (cell, name) = (grid.cell(row, column), grid.cell(header, column));
        // Programs that append to a file may write the names in another case.
        cell == name || named > 1 && cell.len() == name.len() && cell.to_lowercase() == name.to_lowercase()
    };
    let repeats = |row: usize| columns.iter().all(|column| same(row, *column));
    let titles: Vec<String> =
        (0..header).filter(|row| grid.count_filled(*row) > 0).map(|row| grid.display_row(row)).collect();
    let is_title = |row: usize| is_lone_text(grid, row, columns) || titles.contains(&grid.display_row(row));
    let mut found = Vec::new();
    for (at, row) in body.iter().enumerate().filter(|(_, row)| repeats(**row)) {
        let above = body[..at].iter().rev().take_while(|row| !titles.is_empty() && is_title(**row));
        found.extend(above.map(|row| (*row, SetAsideReason::Footnote)));
        found.push((*row, SetAsideReason::Names));
    }
    found
}

/// Returns true for a line of dashes between the names and the data: `---+---`.
pub(super) fn is_ruled_line(grid: &Grid, row: usize) -> bool {
    let is_rule = |cell: &str| cell.len() > 1 && cell.chars().all(|c| matches!(c, '-' | '=' | '+' | ':' | '─' | '━'));
    grid.count_filled(row) > 1 && grid.row_cells(row).filter(|cell| !cell.is_empty()).all(is_rule)
}

/// Returns true if most values of a column are numbers or dates.
fn is_typed(grid: &Grid, body: &[usize], column: usize) -> bool {
    let shapes = || body.iter().take(SAMPLE).map(|row| Shape::classify(grid.cell(*row, column)));
    let typed = shapes().filter(|shape| matches!(shape, Shape::Number | Shape::Date)).count();
    typed * 2 > shapes().filter(|shape| *shape != Shape::Empty).count()
}

/// Returns the row of units below the names, and the rows that repeat it.
pub(super) fn find_unit_rows(grid: &Grid, body: &[usize], columns: &[usize], header: usize) -> Option<Vec<usize>> {
    let (first, _) = body.split_first()?;
    let repeats = |row: &usize| columns.iter().all(|column| grid.cell(*row, *column) == grid.cell(*first, *column));
    let (units, rest): (Vec<usize>, Vec<usize>) = body.iter().copied().partition(repeats);
    is_units(grid, *first, &rest, columns, header).then_some(units)
}

/// Returns true if a row holds units: words above columns of numbers, and no other words elsewhere.
fn is_units(grid: &Grid, first: usize, rest: &[usize], columns: &[usize], header: usize) -> bool {
    let (mut units, mut others) = (Vec::new(), Vec::new());
    for column in columns {
        let text = grid.cell(first, *column);
        match Shape::classify(text) {
            Shape::Empty => {}
            // A row with a number is data.
            Shape::Number | Shape::Date => return false,
            Shape::Words if holds_only_values(grid, rest, *column) => units.push(text),
            Shape::Words => others.push((text, grid.cell(header, *column))),
        }
    }
    if units.is_empty() || units.iter().all(|text| is_known(text)) {
        return false;
    }
    if units.iter().all(|text| is_unit(text) || is_known(text)) {
        return true;
    }
    // Descriptions in several columns, if no column of words has its own word there.
    let describes = |text: &&str| text.chars().count() <= LONGEST && !is_known(text);
    let says_nothing = |(text, name): &(&str, &str)| {
        is_known(text) || inside_brackets(text) != *text || text.eq_ignore_ascii_case(name)
    };
    units.len() > 1 && rest.len() > 1 && units.iter().all(describes) && others.iter().all(says_nothing)
}

/// Returns true if all values below are numbers, dates or markers of missing values.
fn holds_only_values(grid: &Grid, rows: &[usize], column: usize) -> bool {
    let texts = || rows.iter().take(SAMPLE).map(|row| grid.cell(*row, column)).filter(|text| !text.is_empty());
    let is_value = |text: &str| matches!(Shape::classify(text), Shape::Number | Shape::Date);
    texts().all(|text| is_value(text) || is_known(text)) && texts().any(is_value)
}
