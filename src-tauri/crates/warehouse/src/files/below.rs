//! Rows below the data that do not belong to it: totals, subtotals, footnotes. A row is recognized as a total by its
//! numbers, because no list has the word in all languages: each of its numbers must be the sum of the column above. A
//! known word in its label only lowers the required evidence.

use super::cell::{Figure, Shape};
use super::grid::Grid;
use super::missing_words::is_known;
use super::total_words::{is_average_word, is_subtotal_word, is_total_word};
use vitrine_domain::DecimalSign;

/// The rows found below or among the data.
#[derive(Debug, Default)]
pub(super) struct Below {
    pub totals: Vec<usize>,
    pub subtotals: Vec<usize>,
    pub footnotes: Vec<usize>,
    /// A first or last row with the label of a total that is kept, because its numbers are not the sums.
    pub doubtful: Option<usize>,
    /// A row that is kept although its numbers are the sums of rows above it.
    pub unproven: Option<usize>,
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
    let (above, notes) = body.split_at(body.len() - notes);
    let table = Sums { grid, columns };
    let average = table.find_average(above);
    let without_average: Vec<usize>;
    let above = match average {
        Some(average) => {
            without_average = above.iter().copied().filter(|row| *row != average).collect();
            &without_average
        }
        None => above,
    };
    let Some((last, rows)) = above.split_last() else { return below };
    // A blank line may separate the data from its total.
    let total = table.match_total(rows, *last);
    below.totals.extend(total.is_some().then_some(*last));
    match total.or_else(|| table.closing_subtotals(above)) {
        Some(subtotals) => {
            below.subtotals = subtotals;
            below.footnotes = notes.to_vec();
        }
        None => {
            let apart = notes.iter().position(|row| grid.is_apart(*row) || is_short(grid, *row, columns));
            below.footnotes = apart.map(|at| notes[at..].to_vec()).unwrap_or_default();
            table.find_first_total(above, &mut below);
            if below.totals.is_empty() {
                let is_last = below.footnotes.len() == notes.len();
                below.doubtful = below.doubtful.or((is_last && table.calls_itself_total(*last)).then_some(*last));
                below.unproven = table.find_unproven(above).filter(|row| below.doubtful != Some(*row));
            }
        }
    }
    below.footnotes.extend(average);
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
        self.label(row).is_some_and(is_total_word)
    }

    /// Returns the first words of a row.
    fn label(&self, row: usize) -> Option<&str> {
        let mut cells = self.columns.iter().map(|column| self.grid.cell(row, *column));
        cells.find(|cell| Shape::classify(cell) == Shape::Words)
    }

    /// Sets a total above its rows aside: its label says so, and its numbers are the sums of all others.
    fn find_first_total(&self, rows: &[usize], below: &mut Below) {
        let Some((first, others)) = rows.split_first().filter(|(first, _)| self.calls_itself_total(**first)) else {
            return;
        };
        let Some((summed, _)) = self.parse_total_row(others, *first).filter(|_| others.len() > 1) else { return };
        if summed.iter().all(|column| self.is_sum(others, *first, *column)) {
            below.totals.push(*first);
        } else if summed.iter().all(|column| self.is_largest(others, *first, *column)) {
            below.doubtful = Some(*first);
        }
    }

    /// Returns the row with the averages of the rows above it, at the end or beside a total at the end.
    fn find_average(&self, rows: &[usize]) -> Option<usize> {
        let (last, others) = rows.split_last()?;
        if self.is_average(others, *last) {
            return Some(*last);
        }
        let (before, data) = others.split_last()?;
        let is_average =
            |average: usize, total: usize| self.is_average(data, average) && self.match_total(data, total).is_some();
        [(*last, *before), (*before, *last)]
            .into_iter()
            .find(|(average, total)| is_average(*average, *total))
            .map(|(row, _)| row)
    }

    /// Returns true if the numbers of a row are the rounded averages of the rows, and its label or an empty cell shows
    /// that it is none of them.
    fn is_average(&self, rows: &[usize], row: usize) -> bool {
        let Some((averaged, label)) = self.parse_total_row(rows, row).filter(|_| rows.len() > 1) else { return false };
        let is_marked = label.is_some_and(is_average_word) || self.leaves_out(rows, &[], row) && averaged.len() > 1;
        is_marked
            && averaged.iter().all(|column| {
                self.decimal_signs().any(|sign| {
                    let Some(figures) = self.figures(rows, *column, sign) else { return false };
                    let Some(average) = Figure::parse(self.grid.cell(row, *column), sign) else { return false };
                    let mean = figures.iter().map(|figure| figure.as_f64()).sum::<f64>() / figures.len() as f64;
                    (mean - average.as_f64()).abs() <= 0.500_001 / 10_f64.powi(average.scale as i32)
                })
            })
    }

    /// Returns true if a row leaves out a column that all rows other than the subtotals fill.
    fn leaves_out(&self, rows: &[usize], subtotals: &[usize], row: usize) -> bool {
        let fill = |column: usize| {
            let is_filled = |row: &usize| !self.grid.cell(*row, column).is_empty();
            rows.iter().all(|row| subtotals.binary_search(row).is_ok() || is_filled(row))
        };
        rows.len() > 1 && self.columns.iter().any(|column| self.grid.cell(row, *column).is_empty() && fill(*column))
    }

    /// Returns a row that is kept although it holds the sums of rows above it: the last one, or one that calls itself a
    /// total.
    fn find_unproven(&self, rows: &[usize]) -> Option<usize> {
        /// Maximum number of rows that are searched; reports with totals inside are short.
        const MOST: usize = 10_000;
        /// Minimum number of digits of sums that are no coincidence.
        const WEIGHT: u32 = 3;
        let holds_sums = |rows: &[usize], row: usize, weight: u32| {
            self.parse_total_row(rows, row).is_some_and(|(summed, label)| {
                (label.is_some() || self.leaves_out(rows, &[], row))
                    && self.weigh(rows, row, &summed) >= weight
                    && summed.iter().all(|column| self.is_sum(rows, row, *column))
            })
        };
        let mut start = 0;
        for (at, row) in rows.iter().enumerate().take(MOST) {
            let is_named = || self.label(*row).is_some_and(|label| is_total_word(label) || is_subtotal_word(label));
            if at > start + 1 && is_named() {
                if holds_sums(&rows[start..at], *row, 1) {
                    return Some(*row);
                }
                start = at + 1;
            }
        }
        let (last, others) = rows.split_last()?;
        (others.len() > 1 && holds_sums(others, *last, WEIGHT)).then_some(*last)
    }

    /// Returns the number of digits of sums in which the summed numbers differ, as a measure of how unlikely a
    /// coincidence is: three of `40.0` as the sum of `15.5` and `24.5`.
    fn weigh(&self, rows: &[usize], row: usize, columns: &[usize]) -> u32 {
        let digits = |column: &usize| {
            self.decimal_signs().find_map(|sign| {
                let total = Figure::parse(self.grid.cell(row, *column), sign)?;
                let finest = self.figures(rows, *column, sign)?.into_iter().map(Figure::finest_place).max()?;
                Some(total.digits_down_to(finest).max(total.significant_digits()))
            })
        };
        columns.iter().filter_map(digits).sum()
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
        let weight = self.weigh(rows, last, &summed);
        let apart = self.leaves_out(rows, &subtotals, last);
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
            let Some(figures) = self.figures(rows, column, sign) else { return false };
            Figure::parse(self.grid.cell(last, column), sign).is_some_and(|total| sums_to(&figures, total))
        })
    }

    /// Returns true if no number of the rows exceeds the one of `row`.
    fn is_largest(&self, rows: &[usize], row: usize, column: usize) -> bool {
        self.decimal_signs().any(|sign| {
            let Some(figures) = self.figures(rows, column, sign) else { return false };
            let Some(largest) = Figure::parse(self.grid.cell(row, column), sign) else { return false };
            figures.iter().all(|figure| figure.as_f64() <= largest.as_f64())
        })
    }

    /// Returns the numbers of a column, without missing values; `None` if there are none, or other texts.
    fn figures(&self, rows: &[usize], column: usize, sign: DecimalSign) -> Option<Vec<Figure>> {
        let read = |row: &usize| match self.grid.cell(*row, column) {
            text if text.is_empty() || is_known(text) => Some(None),
            text => Figure::parse(text, sign).map(Some),
        };
        let figures: Option<Vec<_>> = rows.iter().map(read).collect();
        let figures: Vec<Figure> = figures?.into_iter().flatten().collect();
        (!figures.is_empty()).then_some(figures)
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
    /// `North`, or if each is called a subtotal.
    fn closing_subtotals(&self, rows: &[usize]) -> Option<Vec<usize>> {
        let (last, others) = rows.split_last()?;
        let (summed, label) = self.parse_total_row(others, *last)?;
        let close = |subtotals: &Vec<usize>| !subtotals.is_empty() && self.close_groups(rows, subtotals, &summed);
        let mut others = self.columns.iter().filter(|column| !summed.contains(column));
        let named = others.find_map(|column| Some(self.named_after_group(rows, *column)).filter(close));
        let is_subtotal = |row: &&usize| self.label(**row).is_some_and(is_subtotal_word);
        named.or_else(|| {
            let called = label.is_some_and(is_subtotal_word);
            called.then(|| rows.iter().filter(is_subtotal).copied().collect()).filter(close)
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
