//! Rows below the data that are none of it: totals, subtotals, footnotes. Whether a row is a total is asked of its numbers, not of
//! its words, because there are more languages than words in any list: it is one only where each of its numbers is the sum of the
//! column above. What stands in its label makes a short proof enough, and nothing more.

use super::cell::{Figure, Shape};
use super::grid::Grid;
use super::missing_words::is_known;
use super::total_words::{is_subtotal_word, is_total_word};
use vitrine_domain::DecimalSign;

/// What was found below, or among, the data rows.
#[derive(Debug, Default)]
pub(super) struct Below {
    pub totals: Vec<usize>,
    pub subtotals: Vec<usize>,
    pub footnotes: Vec<usize>,
    /// A last row that calls itself a total and is kept, because its numbers are not the sums.
    pub doubtful: Option<usize>,
}

impl Below {
    /// All rows that are no data.
    pub fn non_data_rows(&self) -> impl Iterator<Item = usize> {
        self.totals.iter().chain(&self.subtotals).chain(&self.footnotes).copied()
    }
}

/// Looks from the end of the data rows upward; `body` are rows with something in them, `columns` the columns that hold something.
pub(super) fn find_trailing_rows(grid: &Grid, body: &[usize], columns: &[usize]) -> Below {
    let mut below = Below::default();
    let notes = body.iter().rev().take_while(|row| is_lone_text(grid, **row, columns)).count();
    let above = &body[..body.len() - notes];
    let Some((last, rows)) = above.split_last() else { return below };
    // A blank line may stand between the data and its total.
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

/// One text in a row, where the rows have several cells.
pub(super) fn is_lone_text(grid: &Grid, row: usize, columns: &[usize]) -> bool {
    columns.len() > 1
        && grid.count_filled(row) == 1
        && grid.row_cells(row).any(|cell| Shape::classify(cell) == Shape::Words)
}

/// A line without the delimiters that the others have.
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

    /// Whether a row holds the sums of the rows above it; the subtotals among those, which are in no sum.
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
        // A column that every row fills, and this one does not.
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

    /// The columns whose numbers would be sums, and the text that would be the label; `None` where something else stands in the
    /// row. What all rows say alike, such as a currency or a year, it may say too.
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

    /// Whether a cell is the exact sum of the numbers above it in these rows.
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

    /// Rows that hold the sums since the one before, where the last row is the sum of all others. They are told from data by a
    /// column that they leave out, and that all data has, or by their labels.
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

    /// Returns whether the rows are groups, each with its subtotal below.
    fn close_groups(&self, rows: &[usize], subtotals: &[usize], summed: &[usize]) -> bool {
        let sums = |group: &[usize], row: usize| summed.iter().all(|column| self.is_sum(group, row, *column));
        subtotals.last() == rows.last()
            && rows.split_inclusive(|row| subtotals.binary_search(row).is_ok()).all(|group| {
                group.split_last().is_some_and(|(subtotal, group)| !group.is_empty() && sums(group, *subtotal))
            })
    }

    /// Returns the subtotals of rows without a total, where each is named after its group: `North Total` below rows of `North`.
    fn named_subtotals(&self, rows: &[usize]) -> Option<Vec<usize>> {
        let (last, others) = rows.split_last()?;
        let (summed, _) = self.parse_total_row(others, *last)?;
        let mut others = self.columns.iter().filter(|column| !summed.contains(column));
        others.find_map(|column| {
            let subtotals = self.named_after_group(rows, *column);
            (!subtotals.is_empty() && self.close_groups(rows, &subtotals, &summed)).then_some(subtotals)
        })
    }

    /// Returns the rows whose cell is that of the row above with a word for a total beside it.
    fn named_after_group(&self, rows: &[usize], column: usize) -> Vec<usize> {
        let is_named = |pair: &&[usize]| {
            let (group, label) = (self.grid.cell(pair[0], column), self.grid.cell(pair[1], column));
            let rest = label.strip_prefix(group).or_else(|| label.strip_suffix(group));
            !group.is_empty() && rest.is_some_and(|rest| is_total_word(rest) || is_subtotal_word(rest))
        };
        rows.windows(2).filter(is_named).map(|pair| pair[1]).collect()
    }
}

/// Whether numbers have a sum, exactly; of numbers that a program computed in binary, to the digits that it keeps.
fn sums_to(figures: &[Figure], total: Figure) -> bool {
    /// Places that are written by nobody.
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
