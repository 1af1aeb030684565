//! Rows below the data that do not belong to it: totals, subtotals, footnotes. A row is recognized as a total by its
//! numbers, because no list has the word in all languages: each of its numbers must be the sum of the column above. A
//! known word in its label only lowers the required evidence.

use super::cell::{Figure, Shape};
use super::grid::Grid;
use super::missing_words::is_known;
use super::total_words::{is_subtotal_word, is_total_word};
use vitrine_domain::DecimalSign;

/// The rows found below or among the data.
#[derive(Debug, Default)]
pub(super) struct Below {
    pub totals: Vec<usize>,
    pub subtotals: Vec<usize>,
    pub footnotes: Vec<usize>,
    /// A last row with the label of a total that is kept, because its numbers are not the sums.
    pub doubtful: Option<usize>,
}

impl Below {
    /// Returns all rows that are not data.
    pub fn non_data_rows(&self) -> impl Iterator<Item = usize> {
        self.totals.iter().chain(&self.subtotals).chain(&self.footnotes).copied()
    }
}

/// Examines rows from the end upward; `body` contains the rows with values, `columns` the columns with values.
pub(super) fn find_trailing_rows(grid: &Grid, body: &[usize], columns: &[usize]) -> Below {
    let mut below = Below::default();
    let notes = body.iter().rev().take_while(|row| is_lone_text(grid, **row, columns)).count();
    let above = &body[..body.len() - notes];
    let Some((last, rows)) = above.split_last() else { return below };
    // A blank line may separate the data from its total.
    let table = Sums { grid, columns };
    let total = table.match_total(rows, *last);
    below.totals.extend(total.is_some().then_some(*last));
    match total.or_else(|| table.named_subtotals(above)) {
        Some(subtotals) => {
            below.subtotals = subtotals;
            below.footnotes = body[above.len()..].to_vec();
        }
        None => {
            let apart = body[above.len()..].iter().position(|row| grid.is_apart(*row) || is_short(grid, *row, columns));
            below.footnotes = apart.map(|at| body[above.len() + at..].to_vec()).unwrap_or_default();
            let kept = body.len() - below.footnotes.len();
            if kept == above.len() && table.calls_itself_total(*last) {
                below.doubtful = Some(*last);
            }
        }
    }
    below
}

/// Returns true if a row contains only one text although the table has several columns.
pub(super) fn is_lone_text(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    columns.len() > 1
        && grid.count_filled(row) == 1
        && grid.row_cells(row).any(|cell| Shape::classify(cell) == Shape::Words)
}

/// Returns true for a line without the delimiters of the other lines.
fn is_short(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    columns.len() > 2 && grid.cells_of(row) == 1
}

struct Sums<'g> {
    grid: &'g Grid,
    columns: &'g [usize],
}

impl Sums<'_> {
    fn calls_itself_total(&self, row: usize) -> bool {
        let words = self.columns.iter().map(|column| self.grid.cell(row, *column));
        words.filter(|cell| Shape::classify(cell) == Shape::Words).take(1).any(is_total_word)
    }

    /// Returns the subtotals among the rows if `last` holds the sums of the rows above it; subtotals are excluded from
    /// the sums.
    fn match_total(&self, rows: &[usize], last: usize) -> Option<Vec<usize>> {
        if rows.is_empty() {
            return None;
        }
        let (summed, label) = self.parse_total_row(rows, last)?;
        let named = label.is_some_and(is_total_word);
        let plain = summed.iter().all(|column| self.is_sum(rows, last, *column));
        let subtotals = if plain { Vec::new() } else { self.find_subtotals(rows, last, &summed)? };
        let figure =
            |column: &usize| self.decimal_signs().find_map(|sign| Figure::parse(self.grid.cell(last, *column), sign));
        let weight: u32 = summed.iter().filter_map(figure).map(Figure::significant_digits).sum();
        // A column that every row fills, except this one.
        let apart = rows.len() > 1
            && self.columns.iter().any(|column| {
                self.grid.cell(last, *column).is_empty()
                    && rows
                        .iter()
                        .all(|row| subtotals.binary_search(row).is_ok() || !self.grid.cell(*row, *column).is_empty())
            });
        let proven = named
            || apart && weight >= 3
            || rows.len() > 2 && weight >= 5 && (summed.len() > 1 && weight >= 6 || summed.len() == 1);
        proven.then_some(subtotals)
    }

    fn decimal_signs(&self) -> impl Iterator<Item = DecimalSign> + use<> {
        [DecimalSign::Comma, DecimalSign::Point].into_iter()
    }

    /// Returns the columns whose numbers may be sums, and the text that may be the label; `None` if the row contains
    /// other values. A value that is equal in all rows, such as a currency or a year, is allowed.
    fn parse_total_row(&self, rows: &[usize], last: usize) -> Option<(Vec<usize>, Option<&str>)> {
        let (mut summed, mut label) = (Vec::new(), None);
        for column in self.columns {
            let cell = self.grid.cell(last, *column);
            let alike = || rows.len() > 1 && rows.iter().all(|row| self.grid.cell(*row, *column) == cell);
            match Shape::classify(cell) {
                Shape::Empty => {}
                Shape::Number if alike() => {}
                Shape::Number => summed.push(*column),
                Shape::Words if label.is_none() && !alike() => label = Some(cell),
                Shape::Words if alike() => {}
                Shape::Words | Shape::Date => return None,
            }
        }
        (!summed.is_empty()).then_some((summed, label))
    }

    /// Returns true if a cell is the exact sum of the numbers above it in these rows.
    fn is_sum(&self, rows: &[usize], last: usize, column: usize) -> bool {
        self.decimal_signs().any(|sign| {
            let read = |row: &usize| match self.grid.cell(*row, column) {
                text if text.is_empty() || is_known(text) => Some(None),
                text => Figure::parse(text, sign).map(Some),
            };
            let Some(figures) = rows.iter().map(read).collect::<Option<Vec<_>>>() else { return false };
            let Some(total) = Figure::parse(self.grid.cell(last, column), sign) else { return false };
            let figures: Vec<Figure> = figures.into_iter().flatten().collect();
            !figures.is_empty() && sums_to(&figures, total)
        })
    }

    /// Returns rows that hold the sums since the previous subtotal, if the last row is the sum of all others. They are
    /// distinguished from data by an empty cell in a column that all data rows fill, or by their labels.
    fn find_subtotals(&self, rows: &[usize], last: usize, summed: &[usize]) -> Option<Vec<usize>> {
        let others = || self.columns.iter().filter(|column| !summed.contains(column));
        let left_out = |column: &usize| -> Vec<usize> {
            rows.iter().copied().filter(|row| self.grid.cell(*row, *column).is_empty()).collect()
        };
        let mut found = others().map(left_out).chain(others().map(|column| self.named_after_group(rows, *column)));
        found.find(|subtotals| {
            let data: Vec<usize> = rows.iter().copied().filter(|row| subtotals.binary_search(row).is_err()).collect();
            let is_total = || summed.iter().all(|column| self.is_sum(&data, last, *column));
            subtotals.len() > 1 && self.close_groups(rows, subtotals, summed) && is_total()
        })
    }

    /// Returns true if the rows are groups that each end with their subtotal.
    fn close_groups(&self, rows: &[usize], subtotals: &[usize], summed: &[usize]) -> bool {
        let sums = |group: &[usize], row: usize| summed.iter().all(|column| self.is_sum(group, row, *column));
        subtotals.last() == rows.last()
            && rows.split_inclusive(|row| subtotals.binary_search(row).is_ok()).all(|group| {
                group.split_last().is_some_and(|(subtotal, group)| !group.is_empty() && sums(group, *subtotal))
            })
    }

    /// Returns the subtotals of rows without a total, if each is named after its group: `North Total` below rows of
    /// `North`.
    fn named_subtotals(&self, rows: &[usize]) -> Option<Vec<usize>> {
        let (last, others) = rows.split_last()?;
        let (summed, _) = self.parse_total_row(others, *last)?;
        let mut others = self.columns.iter().filter(|column| !summed.contains(column));
        others.find_map(|column| {
            let subtotals = self.named_after_group(rows, *column);
            (!subtotals.is_empty() && self.close_groups(rows, &subtotals, &summed)).then_some(subtotals)
        })
    }

    /// Returns the rows whose cell is the one of the row above plus a word for a total.
    fn named_after_group(&self, rows: &[usize], column: usize) -> Vec<usize> {
        let is_named = |pair: &&[usize]| {
            let (group, label) = (self.grid.cell(pair[0], column), self.grid.cell(pair[1], column));
            let rest = label.strip_prefix(group).or_else(|| label.strip_suffix(group));
            !group.is_empty() && rest.is_some_and(|rest| is_total_word(rest) || is_subtotal_word(rest))
        };
        rows.windows(2).filter(is_named).map(|pair| pair[1]).collect()
    }
}

/// Returns true if the numbers add up to the total: exactly, or for numbers computed in binary, within the precision of
/// a float.
fn sums_to(figures: &[Figure], total: Figure) -> bool {
    /// Decimal places beyond which a number was computed, not typed.
    const COMPUTED: u32 = 9;
    let scale = figures.iter().chain([&total]).map(|figure| figure.scale).max().unwrap_or(0);
    if scale > COMPUTED {
        let sum: f64 = figures.iter().map(|figure| figure.as_f64()).sum();
        let size: f64 = figures.iter().map(|figure| figure.as_f64().abs()).sum();
        return (sum - total.as_f64()).abs() <= size * 1e-12;
    }
    let sum = figures.iter().try_fold(0_i128, |sum, figure| sum.checked_add(figure.units_at_scale(scale)?));
    sum.is_some() && sum == total.units_at_scale(scale)
}
