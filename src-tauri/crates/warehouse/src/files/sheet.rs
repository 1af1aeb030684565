//! Detects the tables of a workbook's sheet and creates each of them.

use super::blocks::{self, Block};
use super::cell::Shape;
use super::cell_types::{ColumnType, cell_text, is_no_day};
use super::column::How;
use super::columns;
use super::covered::{self, Covered};
use super::formulas::Formulas;
use super::grid::Grid;
use super::hidden::Hidden;
use super::layout::{self, Layout};
use super::shown_units::ShownUnits;
use super::shown_zeros::is_code_format;
use super::staged;
use crate::engines::duck::quote_identifier;
use ::duckdb::{Connection, Result};
use calamine::{Data, Range, StyleRange};
use vitrine_domain::{ConvertedColumn, FileReading};
use vitrine_words::{plural, tr};

/// A sheet as stored in the workbook.
pub(super) struct Sheet {
    pub name: String,
    pub cells: Range<Data>,
    /// Merged regions, each from its first to its last cell.
    pub merged: Vec<[(u32, u32); 2]>,
    /// Texts below merged cells, which the workbook does not show.
    pub covered: Vec<Covered>,
    pub formulas: Range<String>,
    pub styles: StyleRange,
    /// Rows and columns that the workbook does not show.
    pub hidden_parts: Hidden,
    /// True if the workbook does not show the sheet.
    pub hidden: bool,
}

impl Sheet {
    /// Returns row and column of the first cell with a value.
    fn first_cell_position(&self) -> (u32, u32) {
        self.cells.start().unwrap_or_default()
    }

    /// Returns all cells as texts. Merged cells with words are repeated in each of their rows, and in header rows also
    /// in each column.
    fn to_grid(&self) -> Grid {
        let (top, left) = self.first_cell_position();
        let mut texts: Vec<Vec<String>> =
            self.cells.rows().map(|row| row.iter().map(|cell| cell_text(cell).unwrap_or_default()).collect()).collect();
        for [first, last] in &self.merged {
            let place =
                |(row, column): (u32, u32)| Some((row.checked_sub(top)? as usize, column.checked_sub(left)? as usize));
            let (Some((row, column)), Some((last_row, last_column))) = (place(*first), place(*last)) else { continue };
            let Some(held) = texts.get(row).and_then(|cells| cells.get(column)).cloned() else { continue };
            if Shape::classify(&held) != Shape::Words && !is_year(&held) {
                continue;
            }
            // Only names are repeated over several columns, not titles or labels of totals.
            let beside: Vec<&String> = texts[row].iter().filter(|cell| !cell.is_empty()).collect();
            let names =
                beside.len() > 1 && beside.iter().all(|cell| Shape::classify(cell) == Shape::Words || is_year(cell));
            let last_column = if names { last_column } else { column };
            for cells in texts.iter_mut().take(last_row + 1).skip(row) {
                for cell in cells.iter_mut().take(last_column + 1).skip(column).filter(|cell| cell.is_empty()) {
                    cell.clone_from(&held);
                }
            }
        }
        let mut grid = Grid::default();
        for (at, row) in texts.iter().enumerate() {
            grid.push_row(top + at as u32 + 1, false, row.iter().map(String::as_str));
        }
        grid
    }

    /// Returns the rows above the header that are also names: they contain merged cells, but do not consist of one text
    /// like a title.
    fn heading_rows(&self, grid: &Grid, header: usize) -> Vec<usize> {
        let mut rows = Vec::new();
        let mut lowest = header;
        while lowest > 0 {
            let row = lowest - 1;
            let number = grid.line_number(row) - 1;
            let spans = self.merged.iter().filter(|[first, last]| {
                first.0 <= number && number <= last.0 && last.1 - first.1 + 1 < self.cells.width() as u32
            });
            let mut texts: Vec<&str> = grid.row_cells(row).filter(|cell| !cell.is_empty()).collect();
            texts.dedup();
            if spans.count() == 0 || texts.len() < 2 {
                break;
            }
            rows.push(row);
            lowest = row;
        }
        rows
    }

    /// Returns the rows below the header that are also names, because cells of the header are merged above them.
    fn names_below(&self, grid: &Grid, header: usize) -> Vec<usize> {
        let number = grid.line_number(header) - 1;
        let spans: Vec<&[(u32, u32); 2]> = self.merged.iter().filter(|[first, _]| first.0 == number).collect();
        let deepest = spans.iter().map(|[_, last]| last.0).max().unwrap_or(number);
        let wide =
            spans.iter().any(|[first, last]| last.1 > first.1 && last.1 - first.1 + 1 < self.cells.width() as u32);
        let last = if wide { deepest.max(number + 1) } else { deepest };
        let is_named = |row: &usize| {
            grid.row_cells(*row)
                .all(|cell| matches!(Shape::classify(cell), Shape::Words | Shape::Empty) || is_year(cell))
        };
        (header + 1..grid.height()).take_while(|row| grid.line_number(*row) <= last + 1 && is_named(row)).collect()
    }

    /// Returns the cell in a grid's row and a block's column.
    fn block_cell(&self, grid: &Grid, block: &Block, row: usize, column: usize) -> &Data {
        let at = (grid.line_number(row) - 1 - self.first_cell_position().0) as usize;
        self.cells.get((at, block.columns.start + column)).unwrap_or(&Data::Empty)
    }

    /// Returns the position in the workbook for a grid's row and a block's column.
    fn workbook_position(&self, grid: &Grid, block: &Block, row: usize, column: usize) -> (u32, u32) {
        (grid.line_number(row) - 1, self.first_cell_position().1 + (block.columns.start + column) as u32)
    }

    fn number_format(&self, grid: &Grid, block: &Block, row: usize, column: usize) -> Option<&str> {
        let place = self.workbook_position(grid, block, row, column);
        Some(self.styles.get(place)?.number_format.as_ref()?.format_code.as_str())
    }
}

fn is_year(text: &str) -> bool {
    text.parse().is_ok_and(|year: u32| (1900..2200).contains(&year))
}

/// Returns the tables of a sheet.
pub(super) fn find_tables(sheet: &Sheet) -> Vec<Block> {
    blocks::find_blocks(&sheet.to_grid())
}

/// Creates a table from a block.
pub(super) fn add(
    connection: &Connection,
    sheet: &Sheet,
    block: &Block,
    mut reading: FileReading,
) -> Result<FileReading> {
    let grid = block.extract_grid(&sheet.to_grid());
    let told = reading.options.clone();
    let heading = |header: usize| [sheet.heading_rows(&grid, header), sheet.names_below(&grid, header)].concat();
    let layout = layout::find_layout(&grid, heading, &told, &mut reading);
    if sheet.hidden {
        reading.doubts.push(tr!("The sheet {sheet} is hidden in the workbook.", sheet = sheet.name));
    }
    let rows = |row: u32| block.rows.contains(&((row - sheet.first_cell_position().0) as usize));
    let across = |column: u32| block.columns.contains(&((column - sheet.first_cell_position().1) as usize));
    let covered = sheet.covered.iter().filter(|covered| rows(covered.place.0) && across(covered.place.1));
    reading.doubts.extend(covered::describe_covered_cells(&covered.collect::<Vec<_>>()));
    let numbers: std::collections::HashSet<u32> = layout.body.iter().map(|row| grid.line_number(*row) - 1).collect();
    let named: Vec<(u32, &str)> = layout
        .columns
        .iter()
        .zip(&layout.names)
        .map(|(at, name)| (sheet.first_cell_position().1 + (block.columns.start + at) as u32, name.as_str()))
        .collect();
    reading.doubts.extend(sheet.hidden_parts.describe_doubts(|row| numbers.contains(&row), &named));
    staged::stage_rows(connection, &grid, &layout)?;
    let mut columns =
        staged::plain_types(connection, &layout.names, &crate::engines::duck::quote_identifier(staged::STAGED))?;
    columns.iter_mut().zip(&layout.units).for_each(|(column, unit)| column.unit.clone_from(unit));
    let (mut percents, mut codes) = (Vec::new(), Vec::new());
    let (mut errors, mut no_days) = (0, 0);
    for (column, at) in columns.iter_mut().zip(&layout.columns) {
        let (mut seen, mut formulas, mut units) = (ColumnType::default(), Formulas::default(), ShownUnits::default());
        for row in &layout.body {
            let cell = sheet.block_cell(&grid, block, *row, *at);
            errors += usize::from(matches!(cell, Data::Error(_)));
            no_days += usize::from(is_no_day(cell));
            seen.record_cell(cell);
            if let (Data::Float(_) | Data::Int(_), Some(number)) = (cell, cell_text(cell)) {
                units.record_number(&number, sheet.number_format(&grid, block, *row, *at).unwrap_or_default());
            }
            formulas.record_cell(sheet.formulas.get_value(sheet.workbook_position(&grid, block, *row, *at)), cell);
        }
        reading.doubts.extend(formulas.describe_doubt(&sheet.name, &column.name));
        reading.doubts.extend(units.describe_doubt(&column.name));
        if seen.is_cut() {
            reading.doubts.push(tr!(
                "{name} contains numbers of more than 15 digits; a workbook stores only the first 15.",
                name = column.name
            ));
        }
        codes.extend(detect_codes(sheet, &grid, block, &layout, *at).map(|how| (column.name.clone(), how)));
        let own =
            seen.native_type().filter(|_| !told.as_text.iter().any(|kept| kept.eq_ignore_ascii_case(&column.name)));
        if let Some(own) = own {
            percents.extend(detect_percent(sheet, &grid, block, &layout, *at).map(|how| (column.name.clone(), how)));
            column.own_type(own);
        } else if seen.is_mixed() {
            reading.doubts.push(tr!(
                "{name} contains values of several kinds, such as texts and numbers or dates.",
                name = column.name
            ));
        }
    }
    if errors > 0 {
        reading.doubts.push(plural!(
            errors,
            "{n} cell holds an error such as #REF! instead of a value; it is empty.",
            "{n} cells hold an error such as #REF! instead of a value; they are empty."
        ));
    }
    if no_days > 0 {
        reading.doubts.push(plural!(
            no_days,
            "{n} cell holds a day that no calendar has, such as 1900-02-29; it is empty.",
            "{n} cells hold days that no calendar has, such as 1900-02-29; they are empty."
        ));
    }
    columns::resolve_column_types(connection, &quote_identifier(staged::STAGED), &mut columns, &told, &mut reading)?;
    for (name, how) in percents {
        if let Some(column) = columns.iter_mut().find(|column| column.name == name) {
            column.how = Some(how.clone());
        }
        reading.converted.push(ConvertedColumn { column: name, how: how.said });
    }
    reading.converted.extend(codes.into_iter().map(|(column, how)| ConvertedColumn { column, how }));
    staged::create_from_staged(connection, &reading.table, &columns)?;
    Ok(reading)
}

/// Returns a note if the workbook shows the column's numbers in percent.
fn detect_percent(sheet: &Sheet, grid: &Grid, block: &Block, layout: &Layout, column: usize) -> Option<How> {
    let numbers = layout
        .body
        .iter()
        .filter(|row| matches!(sheet.block_cell(grid, block, **row, column), Data::Float(_) | Data::Int(_)));
    let mut example = None;
    for row in numbers {
        if !sheet.number_format(grid, block, *row, column)?.contains('%') {
            return None;
        }
        example = example.or_else(|| cell_text(sheet.block_cell(grid, block, *row, column)));
    }
    let said = |example: &str| tr!("a share of 1 that the workbook shows in percent, such as {example}", example);
    example.map(|example: String| How::new(|| said(&example)))
}

/// Returns a note if the column holds numbers that are kept as the texts that the workbook shows.
fn detect_codes(sheet: &Sheet, grid: &Grid, block: &Block, layout: &Layout, column: usize) -> Option<String> {
    let example = layout.body.iter().find_map(|row| {
        let is_code = sheet.number_format(grid, block, *row, column).is_some_and(is_code_format);
        let text = cell_text(sheet.block_cell(grid, block, *row, column)).filter(|_| is_code)?;
        let differs = text.starts_with('0') || text.contains(|letter: char| !letter.is_ascii_digit());
        (differs && !text.contains(char::is_alphabetic)).then_some(text)
    });
    example.map(|example| tr!("codes as the workbook shows them, such as {example}", example))
}
