//! BIRD's execution accuracy.

use super::cell::{Cell, cell_rows};
use std::collections::HashSet;
use vitrine_domain::Page;

/// Compares the sets of row tuples: column order matters, duplicates and row order do not.
pub fn matches_bird(predicted: &Page, gold: &Page) -> bool {
    let set = |page| cell_rows(page).collect::<HashSet<Vec<Cell>>>();
    set(predicted) == set(gold)
}
