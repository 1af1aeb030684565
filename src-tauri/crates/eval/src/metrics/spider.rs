//! Spider's execution match.

use super::cell::{Cell, cell_rows};
use std::collections::HashMap;
use vitrine_domain::Page;

/// A column as numeric ids; equal cells have equal ids.
type Column = Vec<u32>;

/// Maximum number of cells visited by the column search; beyond it the prediction is considered wrong. Only adversarial
/// results come close, because all columns assigned so far must already agree row by row.
const MOST_WORK: usize = 100_000_000;

/// Compares rows with their multiplicity under any permutation of columns; row order matters only if the gold query
/// orders its rows. Two empty results are equal regardless of their columns, as in the official implementation.
pub fn matches_spider(predicted: &Page, gold: &Page, ordered: bool) -> bool {
    if predicted.rows.is_empty() && gold.rows.is_empty() {
        return true;
    }
    if predicted.rows.len() != gold.rows.len() || predicted.columns.len() != gold.columns.len() {
        return false;
    }
    let mut ids = HashMap::new();
    let mut predicted = encode_columns(predicted, &mut ids);
    let mut gold = encode_columns(gold, &mut ids);
    if ordered {
        predicted.sort();
        gold.sort();
        return predicted == gold;
    }
    Search::new(predicted, gold).is_some_and(|mut search| search.find_permutation())
}

fn encode_columns(page: &Page, ids: &mut HashMap<Cell, u32>) -> Vec<Column> {
    let mut columns = vec![Column::with_capacity(page.rows.len()); page.columns.len()];
    for row in cell_rows(page) {
        for (column, cell) in columns.iter_mut().zip(row) {
            let next = ids.len() as u32;
            column.push(*ids.entry(cell).or_insert(next));
        }
    }
    columns
}

/// Searches for a permutation of columns, one gold column at a time. Rows that agree in all assigned columns form a
/// class; an assignment is kept only if both sides have equal class sizes.
struct Search {
    predicted: Vec<Column>,
    /// Gold columns with the predicted columns that hold the same values, fewest options first.
    gold: Vec<(Column, Vec<usize>)>,
    used: Vec<bool>,
    work_left: usize,
}

impl Search {
    /// Creates the search; `None` if a gold column has no counterpart.
    fn new(predicted: Vec<Column>, gold: Vec<Column>) -> Option<Self> {
        let sorted = |column: &Column| {
            let mut values = column.clone();
            values.sort_unstable();
            values
        };
        let values: Vec<Column> = predicted.iter().map(sorted).collect();
        let mut gold: Vec<(Column, Vec<usize>)> = gold
            .into_iter()
            .map(|column| {
                let wanted = sorted(&column);
                let options = (0..values.len()).filter(|&p| values[p] == wanted).collect();
                (column, options)
            })
            .collect();
        gold.sort_by_key(|(_, options)| options.len());
        let possible = gold.iter().all(|(_, options)| !options.is_empty());
        possible.then(|| Self { used: vec![false; predicted.len()], predicted, gold, work_left: MOST_WORK })
    }

    fn find_permutation(&mut self) -> bool {
        let rows = self.predicted.first().map_or(0, Vec::len);
        self.assign_columns(0, &vec![0; rows], &vec![0; rows])
    }

    fn assign_columns(&mut self, depth: usize, predicted_classes: &[u32], gold_classes: &[u32]) -> bool {
        if depth == self.gold.len() {
            return true;
        }
        let mut tried: Vec<usize> = Vec::new();
        for option in self.gold[depth].1.clone() {
            // Equal predicted columns are interchangeable, so only the first is tried.
            if self.used[option] || tried.iter().any(|&t| self.predicted[t] == self.predicted[option]) {
                continue;
            }
            tried.push(option);
            let Some(left) = self.work_left.checked_sub(predicted_classes.len()) else { return false };
            self.work_left = left;
            let Some((p, g)) =
                refine_classes((predicted_classes, &self.predicted[option]), (gold_classes, &self.gold[depth].0))
            else {
                continue;
            };
            self.used[option] = true;
            if self.assign_columns(depth + 1, &p, &g) {
                return true;
            }
            self.used[option] = false;
        }
        false
    }
}

/// Splits the classes by one more column on each side; `None` if the sides no longer have the same classes.
fn refine_classes(predicted: (&[u32], &Column), gold: (&[u32], &Column)) -> Option<(Vec<u32>, Vec<u32>)> {
    let mut ids: HashMap<(u32, u32), u32> = HashMap::new();
    let mut classes = |(before, column): (&[u32], &Column)| -> Vec<u32> {
        let pairs = before.iter().zip(column);
        pairs
            .map(|(&class, &cell)| {
                let next = ids.len() as u32;
                *ids.entry((class, cell)).or_insert(next)
            })
            .collect()
    };
    let (predicted, gold) = (classes(predicted), classes(gold));
    let mut counts = vec![0_i64; ids.len()];
    predicted.iter().for_each(|&class| counts[class as usize] += 1);
    gold.iter().for_each(|&class| counts[class as usize] -= 1);
    counts.iter().all(|&count| count == 0).then_some((predicted, gold))
}
