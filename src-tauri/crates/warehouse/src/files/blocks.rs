//! Detects the tables of a sheet. Tables are separated by empty rows or columns, but these also separate a title from
//! its table, a table from its total, and the groups of one table. Therefore a part is a separate table only if it has
//! its own column names.

use super::cell::Shape;
use super::grid::Grid;
use super::header;
use std::ops::Range;

/// A rectangular part of a grid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
}

impl Block {
    /// Copies the part to a grid.
    pub fn extract_grid(&self, grid: &Grid) -> Grid {
        let mut cut = Grid::default();
        for row in self.rows.clone() {
            cut.push_row(grid.line_number(row), false, self.columns.clone().map(|column| grid.raw_cell(row, column)));
        }
        cut
    }
}

/// Returns the tables of a grid, from top to bottom and from left to right.
pub(super) fn find_blocks(grid: &Grid) -> Vec<Block> {
    let whole = Block { rows: 0..grid.height(), columns: 0..grid.width() };
    let mut found = Vec::new();
    for below in split_stacked(grid, whole) {
        for beside in side_by_side(grid, below) {
            found.extend(split_stacked(grid, beside));
        }
    }
    found
}

/// Returns the parts of a range between empty lines; `is_empty` tests a line.
fn split_at_empty(range: Range<usize>, is_empty: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    for at in range.filter(|at| !is_empty(*at)) {
        match parts.last_mut() {
            Some(part) if part.end == at => part.end += 1,
            _ => parts.push(at..at + 1),
        }
    }
    parts
}

/// Splits a block at empty rows that are followed by other column names.
fn split_stacked(grid: &Grid, block: Block) -> Vec<Block> {
    let is_empty = |row: usize| block.columns.clone().all(|column| grid.cell(row, column).is_empty());
    let bands = split_at_empty(block.rows.clone(), is_empty);
    let mut starts = vec![block.rows.start];
    let mut titles = None;
    for (at, band) in bands.iter().enumerate() {
        let part = Block { rows: band.clone(), ..block.clone() };
        if is_title(grid, &part) {
            titles = titles.or(Some(band.start));
            continue;
        }
        let above = Block { rows: *starts.last().unwrap_or(&0)..bands[at.saturating_sub(1)].end, ..block.clone() };
        if at > 0 && begins_anew(grid, &above, &part) {
            starts.push(titles.unwrap_or(band.start));
        }
        titles = None;
    }
    let ends = starts.iter().skip(1).copied().chain([block.rows.end]);
    starts.iter().zip(ends).map(|(start, end)| Block { rows: *start..end, ..block.clone() }).collect()
}

/// Returns true if each row has at most one text.
fn is_title(grid: &Grid, block: &Block) -> bool {
    block.rows.clone().all(|row| {
        let filled: Vec<&str> = block_cells(grid, block, row).filter(|cell| !cell.is_empty()).collect();
        filled.len() <= 1 && filled.iter().all(|cell| Shape::classify(cell) == Shape::Words)
    })
}

fn block_cells<'g>(grid: &'g Grid, block: &Block, row: usize) -> impl Iterator<Item = &'g str> {
    block.columns.clone().map(move |column| grid.cell(row, column))
}

/// Returns true if a part starts with column names that cannot be data of the table above: words over its numbers, the
/// same names again, or other columns.
fn begins_anew(grid: &Grid, above: &Block, part: &Block) -> bool {
    let Some((names, _)) = find_table_header(grid, part) else { return false };
    let Some((others, first)) = find_table_header(grid, above) else {
        // A part that is not a table belongs to the table below it.
        return false;
    };
    let filled = |names: &[String]| names.iter().map(|name| !name.is_empty()).collect::<Vec<bool>>();
    let over_numbers = part.columns.clone().zip(&names).any(|(column, name)| {
        let values = (first..above.rows.end).map(|row| Shape::classify(grid.cell(row, column)));
        let mut values = values.filter(|shape| *shape != Shape::Empty).peekable();
        !name.is_empty() && values.peek().is_some() && values.all(|shape| matches!(shape, Shape::Number | Shape::Date))
    });
    over_numbers || names == others || filled(&names) != filled(&others)
}

/// Returns the names of a part that is a complete table, and the first row below them.
fn find_table_header(grid: &Grid, block: &Block) -> Option<(Vec<String>, usize)> {
    let cut = block.extract_grid(grid);
    let columns = cut.usual_columns();
    let row = header::find_header_row(&cut, &columns).filter(|_| columns.len() > 1)?;
    let rows_below = (row + 1..cut.height()).filter(|row| cut.count_filled(*row) > 0).count();
    let is_worded =
        columns.iter().filter(|column| Shape::classify(cut.cell(row, **column)) == Shape::Words).count() > 1;
    let names = (0..cut.width()).map(|column| cut.cell(row, column).to_owned()).collect();
    (rows_below > 0 && is_worded).then_some((names, block.rows.start + row + 1))
}

/// Splits a block at empty columns if both sides are tables with different rows or with the same names.
fn side_by_side(grid: &Grid, block: Block) -> Vec<Block> {
    let is_empty = |column: usize| block.rows.clone().all(|row| grid.cell(row, column).is_empty());
    let parts = split_at_empty(block.columns.clone(), is_empty);
    let mut found: Vec<Block> = Vec::new();
    for columns in parts {
        let part = Block { columns, ..block.clone() };
        match found.last_mut() {
            Some(left) if !stand_apart(grid, left, &part) => left.columns.end = part.columns.end,
            _ => found.push(part),
        }
    }
    found
}

fn stand_apart(grid: &Grid, left: &Block, right: &Block) -> bool {
    let (Some((names, _)), Some((others, _))) = (find_table_header(grid, left), find_table_header(grid, right)) else {
        return false;
    };
    let rows = |block: &Block| -> Vec<usize> {
        let holds = |row: &usize| block_cells(grid, block, *row).filter(|cell| !cell.is_empty()).count() > 1;
        block.rows.clone().filter(holds).collect()
    };
    let same_name = names.iter().filter(|name| !name.is_empty()).any(|name| others.contains(name));
    same_name || rows(left) != rows(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::records::{self, Dialect};

    fn find_ranges(rows: &[&str]) -> Vec<(Range<usize>, Range<usize>)> {
        let text = format!("{}\n", rows.join("\n"));
        let grid = records::parse_grid(&text, Dialect { delimiter: b';', quote: Some(b'"'), escape: None });
        find_blocks(&grid).into_iter().map(|block| (block.rows, block.columns)).collect()
    }

    #[test]
    fn tables_with_names_of_their_own_are_apart() {
        assert_eq!(find_ranges(&["a;b", "1;2", ";", "Title;", "c;d", "3;4"]), [(0..3, 0..2), (3..6, 0..2)]);
        assert_eq!(find_ranges(&["a;b", "x;y", ";", "a;b", "z;w"]), [(0..3, 0..2), (3..5, 0..2)]);
        assert_eq!(find_ranges(&["a;b;;c;d", "1;2;;x;3", "4;5;;;", "6;7;;;"]), [(0..4, 0..2), (0..4, 3..5)]);
    }

    #[test]
    fn a_title_a_total_a_group_and_a_spacer_make_no_table() {
        assert_eq!(find_ranges(&["Report;", ";", "a;b", "x;2", ";", "Total;2"]).len(), 1);
        assert_eq!(find_ranges(&["a;b", "x;2", ";", "y;3", "z;4"]).len(), 1);
        assert_eq!(find_ranges(&["a;b;;c", "x;2;;3", "y;3;;4"]).len(), 1);
        assert_eq!(find_ranges(&["a;b;;note;by", "x;2;;u;v", "y;3;;w;x"]).len(), 1);
        assert_eq!(find_ranges(&["a;b", "x;y", ";", "z;w", "u;v"]).len(), 1);
    }
}
