//! Comparison of two results: by key if columns identify the rows in both, else by whole rows with their number of occurrences.

use crate::types::{ChangedCell, ChangedRow, RowsComparison};
use std::collections::HashMap;
use vitrine_domain::{CellType, Page};

/// Maximum number of rows of each kind that are listed; further rows are only counted.
const LISTED: usize = 200;
/// Maximum number of columns of a key.
const KEY: usize = 3;

type Row = Vec<Option<String>>;

/// Compares the available rows of two results.
pub fn compare_pages(left: &Page, right: &Page) -> RowsComparison {
    let pairs = pair_columns(left, right);
    let name = |page: &Page, at: usize| page.columns[at].name.clone();
    let rest = |page: &Page, is_paired: &dyn Fn(usize) -> bool| -> Vec<String> {
        (0..page.columns.len()).filter(|at| !is_paired(*at)).map(|at| name(page, at)).collect()
    };
    let mut found = RowsComparison {
        columns: pairs.iter().map(|(at, _)| name(left, *at)).collect(),
        columns_left: rest(left, &|at| pairs.iter().any(|(one, _)| *one == at)),
        columns_right: rest(right, &|at| pairs.iter().any(|(_, other)| *other == at)),
        partial: left.truncated
            || right.truncated
            || (left.rows.len() as u64) < left.row_count
            || (right.rows.len() as u64) < right.row_count,
        ..RowsComparison::default()
    };
    if pairs.is_empty() {
        (found.only_left_count, found.only_right_count) = (left.rows.len() as u64, right.rows.len() as u64);
        return found;
    }
    let one = Side::from_page(left, pairs.iter().map(|(at, _)| *at).collect());
    let other = Side::from_page(right, pairs.iter().map(|(_, at)| *at).collect());
    match find_row_key(&one, &other) {
        Some(key) => by_key(&mut found, &one, &other, &key),
        None => by_row(&mut found, &one, &other),
    }
    found
}

/// Pairs the columns of two results by name, or by position if no name occurs in both.
fn pair_columns(left: &Page, right: &Page) -> Vec<(usize, usize)> {
    let mut taken = vec![false; right.columns.len()];
    let mut pairs = Vec::new();
    for (at, column) in left.columns.iter().enumerate() {
        let same = |other: usize| !taken[other] && right.columns[other].name.eq_ignore_ascii_case(&column.name);
        if let Some(other) = (0..right.columns.len()).find(|other| same(*other)) {
            taken[other] = true;
            pairs.push((at, other));
        }
    }
    if pairs.is_empty() && left.columns.len() == right.columns.len() {
        return (0..left.columns.len()).map(|at| (at, at)).collect();
    }
    pairs
}

/// The shared columns of one result: cells as written, and cells normalized for the comparison.
struct Side {
    written: Vec<Row>,
    compared: Vec<Row>,
    types: Vec<CellType>,
}

impl Side {
    fn from_page(page: &Page, columns: Vec<usize>) -> Self {
        let types: Vec<CellType> = columns.iter().map(|at| page.columns[*at].cell_type).collect();
        let written: Vec<Row> =
            page.rows.iter().map(|row| columns.iter().map(|at| row.get(*at).cloned().flatten()).collect()).collect();
        let normal = |(cell, kind): (&Option<String>, &CellType)| {
            cell.as_deref().map(|text| vitrine_warehouse::normal_cell(text, *kind == CellType::Float))
        };
        let compared = written.iter().map(|row| row.iter().zip(&types).map(normal).collect()).collect();
        Self { written, compared, types }
    }

    fn key_of(&self, row: usize, key: &[usize]) -> Row {
        key.iter().map(|at| self.compared[row][*at].clone()).collect()
    }

    /// Indexes the rows by the values of these columns; `None` if two rows have the same values or a value is missing.
    fn named_by(&self, key: &[usize]) -> Option<HashMap<Row, usize>> {
        let mut rows = HashMap::new();
        for row in 0..self.compared.len() {
            let values = self.key_of(row, key);
            if values.iter().any(Option::is_none) || rows.insert(values, row).is_some() {
                return None;
            }
        }
        Some(rows)
    }
}

/// Returns the smallest set of columns that identifies every row in both results and leaves at least one column to compare. Text and date
/// columns are tried before numbers, because numbers are mostly measures.
fn find_row_key(one: &Side, other: &Side) -> Option<Vec<usize>> {
    let is_number = |at: &usize| matches!(one.types[*at], CellType::Float | CellType::Decimal | CellType::Integer);
    let mut order: Vec<usize> = (0..one.types.len()).collect();
    order.sort_by_key(is_number);
    let names_rows = |key: &[usize]| {
        let (Some(first), Some(second)) = (one.named_by(key), other.named_by(key)) else { return false };
        first.keys().any(|values| second.contains_key(values))
    };
    let single = order.iter().map(|at| vec![*at]);
    let several = (2..=KEY.min(order.len())).map(|most| order[..most].to_vec());
    single.chain(several).find(|key| key.len() < one.types.len() && names_rows(key))
}

fn by_key(found: &mut RowsComparison, one: &Side, other: &Side, key: &[usize]) {
    found.key = key.iter().map(|at| found.columns[*at].clone()).collect();
    let (Some(first), Some(second)) = (one.named_by(key), other.named_by(key)) else { return };
    for row in 0..one.compared.len() {
        let Some(&partner) = second.get(&one.key_of(row, key)) else {
            found.only_left_count += 1;
            push_limited(&mut found.only_left, &one.written[row]);
            continue;
        };
        let differs = |at: &usize| one.compared[row][*at] != other.compared[partner][*at];
        let cells: Vec<ChangedCell> = (0..one.types.len())
            .filter(differs)
            .map(|at| ChangedCell {
                column: found.columns[at].clone(),
                left: one.written[row][at].clone(),
                right: other.written[partner][at].clone(),
            })
            .collect();
        if cells.is_empty() {
            found.same += 1;
            continue;
        }
        found.changed_count += 1;
        if found.changed.len() < LISTED {
            let key = key.iter().map(|at| one.written[row][*at].clone()).collect();
            found.changed.push(ChangedRow { key, cells });
        }
    }
    for row in 0..other.compared.len() {
        if !first.contains_key(&other.key_of(row, key)) {
            found.only_right_count += 1;
            push_limited(&mut found.only_right, &other.written[row]);
        }
    }
}

fn by_row(found: &mut RowsComparison, one: &Side, other: &Side) {
    let mut open: HashMap<&Row, u64> = HashMap::new();
    other.compared.iter().for_each(|row| *open.entry(row).or_default() += 1);
    for (row, written) in one.compared.iter().zip(&one.written) {
        match open.get_mut(row) {
            Some(left @ 1..) => {
                *left -= 1;
                found.same += 1;
            }
            _ => {
                found.only_left_count += 1;
                push_limited(&mut found.only_left, written);
            }
        }
    }
    // Iterates from the end, so that the first of several equal rows is the shared one.
    for (row, written) in other.compared.iter().zip(&other.written).rev() {
        if let Some(left @ 1..) = open.get_mut(row) {
            *left -= 1;
            found.only_right_count += 1;
            push_limited(&mut found.only_right, written);
        }
    }
    found.only_right.reverse();
}

fn push_limited(rows: &mut Vec<Row>, row: &Row) {
    if rows.len() < LISTED {
        rows.push(row.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::ResultColumn;

    fn build_page(columns: &[(&str, CellType)], rows: &[&[&str]]) -> Page {
        let cell = |text: &&str| (*text != "NULL").then(|| (*text).to_owned());
        Page {
            columns: columns.iter().map(|(name, kind)| ResultColumn::new(*name, *kind)).collect(),
            rows: rows.iter().map(|row| row.iter().map(cell).collect()).collect(),
            row_count: rows.len() as u64,
            truncated: false,
        }
    }

    const SALES: &[(&str, CellType)] = &[("total", CellType::Float), ("city", CellType::Text)];

    #[test]
    fn rows_are_compared_by_what_names_them_and_numbers_by_value() {
        let left = build_page(SALES, &[&["1.0", "Bern"], &["2", "Basel"], &["3", "Chur"]]);
        let right = build_page(
            &[("City", CellType::Text), ("total", CellType::Float)],
            &[&["Bern", "1"], &["Basel", "5"], &["Genf", "4"]],
        );
        let found = compare_pages(&left, &right);
        assert_eq!((found.key.as_slice(), found.same), (["city".to_owned()].as_slice(), 1));
        let cell = ChangedCell { column: "total".into(), left: Some("2".into()), right: Some("5".into()) };
        assert_eq!(found.changed, [ChangedRow { key: vec![Some("Basel".into())], cells: vec![cell] }]);
        assert_eq!(found.only_left, [vec![Some("3".to_owned()), Some("Chur".to_owned())]]);
        assert_eq!(found.only_right, [vec![Some("4".to_owned()), Some("Genf".to_owned())]]);
    }

    #[test]
    fn without_a_key_rows_count_as_often_as_they_occur() {
        let left = build_page(&[("city", CellType::Text)], &[&["Bern"], &["Bern"], &["NULL"]]);
        let right = build_page(&[("city", CellType::Text)], &[&["Bern"], &["NULL"], &["NULL"]]);
        let found = compare_pages(&left, &right);
        assert!(found.key.is_empty());
        assert_eq!((found.same, found.only_left_count, found.only_right_count), (2, 1, 1));
        assert_eq!(found.only_right, [vec![None]]);
    }

    #[test]
    fn columns_that_one_result_lacks_are_named_and_a_log_that_is_cut_says_so() {
        let left = build_page(SALES, &[&["1", "Bern"]]);
        let mut right = build_page(&[("city", CellType::Text), ("canton", CellType::Text)], &[&["Bern", "BE"]]);
        right.row_count = 9;
        let found = compare_pages(&left, &right);
        assert_eq!((found.columns_left, found.columns_right), (vec!["total".to_owned()], vec!["canton".to_owned()]));
        assert!(found.partial);
        assert_eq!(found.same, 1);
    }
}
