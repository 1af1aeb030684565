//! BIRD's execution accuracy.

use super::cell::{Cell, rows};
use std::collections::HashSet;
use vitrine_domain::Page;

/// Compares the sets of row tuples: column order matters, duplicates and row order do not.
pub fn bird(predicted: &Page, gold: &Page) -> bool {
    let set = |page| rows(page).collect::<HashSet<Vec<Cell>>>();
    set(predicted) == set(gold)
}
