//! BIRD's execution accuracy.

use super::cell::{Cell, rows};
use std::collections::HashSet;
use vitrine_domain::Page;

/// The same set of row tuples: the order of columns counts, duplicates and the order of rows do not.
pub fn bird(predicted: &Page, gold: &Page) -> bool {
    let set = |page| rows(page).collect::<HashSet<Vec<Cell>>>();
    set(predicted) == set(gold)
}
