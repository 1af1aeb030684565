//! Rows of cell texts from a file or a sheet.

/// Cells of all rows in one text, because a file may have millions of them.
#[derive(Debug, Default)]
pub(super) struct Grid {
    text: String,
    /// The end offset of each cell.
    ends: Vec<u32>,
    rows: Vec<Row>,
    /// Number of rows with a value in each column.
    holds: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The index of the row's first cell.
    first: u32,
    /// Number of cells with a value.
    filled: u32,
    /// The line in the file or the row in the sheet, from 1.
    number: u32,
    /// True if an empty line precedes the row.
    apart: bool,
}

impl Grid {
    /// Appends a row; `apart` is true if an empty line precedes it.
    pub fn push_row<'c>(&mut self, number: u32, apart: bool, cells: impl IntoIterator<Item = &'c str>) {
        let first = self.ends.len() as u32;
        let mut filled = 0;
        for (column, cell) in cells.into_iter().enumerate() {
            self.text.push_str(cell);
            self.ends.push(self.text.len() as u32);
            if column == self.holds.len() {
                self.holds.push(0);
            }
            if !cell.trim().is_empty() {
                self.holds[column] += 1;
                filled += 1;
            }
        }
        self.rows.push(Row { first, filled, number, apart });
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Returns the number of cells in the longest row.
    pub fn width(&self) -> usize {
        self.holds.len()
    }

    /// Returns the number of cells in a row, including empty ones.
    pub fn cells_of(&self, row: usize) -> usize {
        let next = self.rows.get(row + 1).map_or(self.ends.len(), |row| row.first as usize);
        next - self.rows[row].first as usize
    }

    /// Returns a cell's text without surrounding blanks; empty beyond the row's end.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.raw_cell(row, column).trim()
    }

    /// Returns a cell's unchanged text.
    pub fn raw_cell(&self, row: usize, column: usize) -> &str {
        if column >= self.cells_of(row) {
            return "";
        }
        let at = self.rows[row].first as usize + column;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    /// Returns the cells of a row without surrounding blanks.
    pub fn row_cells(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.cells_of(row)).map(move |column| self.cell(row, column))
    }

    /// Returns the number of cells with a value in a row.
    pub fn count_filled(&self, row: usize) -> usize {
        self.rows[row].filled as usize
    }

    /// Returns the line or row in the file, from 1.
    pub fn line_number(&self, row: usize) -> u32 {
        self.rows[row].number
    }

    /// Returns true if an empty line, or a row of empty cells, precedes a row.
    pub fn is_apart(&self, row: usize) -> bool {
        self.rows[row].apart || row > 0 && self.count_filled(row - 1) == 0
    }

    /// Returns the columns with a value in more than one row; in small grids, with a value in any row.
    pub fn usual_columns(&self) -> Vec<usize> {
        let least = if self.height() > 3 { 2 } else { 1 };
        (0..self.width()).filter(|column| self.holds[*column] >= least).collect()
    }

    /// Returns the columns with a value in a row other than these.
    pub fn columns_beside(&self, rows: &[usize]) -> Vec<usize> {
        let here = |column: usize| rows.iter().filter(|row| !self.cell(**row, column).is_empty()).count() as u32;
        (0..self.width()).filter(|column| self.holds[*column] > here(*column)).collect()
    }

    /// Formats a row for display.
    pub fn display_row(&self, row: usize) -> String {
        const LONGEST: usize = 400;
        let text = self.row_cells(row).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ");
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}
