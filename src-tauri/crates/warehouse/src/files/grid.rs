//! Rows of texts, as a file or a sheet has them.

/// Cells of many rows in one text, because a file has millions of them.
#[derive(Debug, Default)]
pub(super) struct Grid {
    text: String,
    /// Where each cell ends.
    ends: Vec<u32>,
    rows: Vec<Row>,
    /// How many rows have something in each column.
    holds: Vec<u32>,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// The first of its cells.
    first: u32,
    /// How many of them hold something.
    filled: u32,
    /// Its line in the file or row in the sheet, from 1.
    number: u32,
    /// An empty line stands before it.
    apart: bool,
}

impl Grid {
    /// Adds a row; `apart`: an empty line stands before it.
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

    /// How many rows there are.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// Cells of the longest row.
    pub fn width(&self) -> usize {
        self.holds.len()
    }

    /// Cells that a row has, empty ones too.
    pub fn cells_of(&self, row: usize) -> usize {
        let next = self.rows.get(row + 1).map_or(self.ends.len(), |row| row.first as usize);
        next - self.rows[row].first as usize
    }

    /// A cell's text without the blanks around it; empty beyond the row's end.
    pub fn cell(&self, row: usize, column: usize) -> &str {
        self.raw_cell(row, column).trim()
    }

    /// A cell's text as it is.
    pub fn raw_cell(&self, row: usize, column: usize) -> &str {
        if column >= self.cells_of(row) {
            return "";
        }
        let at = self.rows[row].first as usize + column;
        let start = if at == 0 { 0 } else { self.ends[at - 1] as usize };
        &self.text[start..self.ends[at] as usize]
    }

    /// The cells of a row without blanks around them.
    pub fn row_cells(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.cells_of(row)).map(move |column| self.cell(row, column))
    }

    /// How many cells of a row hold something.
    pub fn count_filled(&self, row: usize) -> usize {
        self.rows[row].filled as usize
    }

    /// The line or row that a row is in the file, from 1.
    pub fn line_number(&self, row: usize) -> u32 {
        self.rows[row].number
    }

    /// Whether an empty line, or a row of empty cells, stands before a row.
    pub fn is_apart(&self, row: usize) -> bool {
        self.rows[row].apart || row > 0 && self.count_filled(row - 1) == 0
    }

    /// Columns that hold something in more than one row; of a few rows, in any.
    pub fn usual_columns(&self) -> Vec<usize> {
        let least = if self.height() > 3 { 2 } else { 1 };
        (0..self.width()).filter(|column| self.holds[*column] >= least).collect()
    }

    /// Columns that hold something in a row other than these.
    pub fn columns_beside(&self, rows: &[usize]) -> Vec<usize> {
        let here = |column: usize| rows.iter().filter(|row| !self.cell(**row, column).is_empty()).count() as u32;
        (0..self.width()).filter(|column| self.holds[*column] > here(*column)).collect()
    }

    /// What a row says, for people.
    pub fn display_row(&self, row: usize) -> String {
        const LONGEST: usize = 400;
        let text = self.row_cells(row).filter(|cell| !cell.is_empty()).collect::<Vec<_>>().join(" | ");
        match text.char_indices().nth(LONGEST) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }
}
