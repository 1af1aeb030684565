//! When a prediction is right, by the rules of Spider and of BIRD. A missing prediction is wrong everywhere.

use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::{CellType, Page};

/// Changes whenever a rule here changes; stamped on every report.
pub const EVALUATOR_VERSION: &str = "1";

/// A cell as the rules compare it: numbers by value, everything else by text and kind.
fn key(cell: Option<&str>, cell_type: CellType) -> String {
    let Some(text) = cell else { return "null".to_owned() };
    let numeric = matches!(cell_type, CellType::Integer | CellType::Decimal | CellType::Float | CellType::Boolean);
    if numeric {
        let value = match text {
            "true" => Some(1.0),
            "false" => Some(0.0),
            _ => text.parse::<f64>().ok(),
        };
        if let Some(value) = value {
            // Exact for integers beyond 2^53, tolerant to the last bits of a float.
            return if text.parse::<i128>().is_ok() { format!("n{text}") } else { number(value) };
        }
    }
    format!("t{text}")
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 { format!("n{}", value as i64) } else { format!("n{value:.11e}") }
}

fn keys(page: &Page) -> Vec<Vec<String>> {
    page.rows
        .iter()
        .map(|row| row.iter().zip(&page.columns).map(|(c, column)| key(c.as_deref(), column.cell_type)).collect())
        .collect()
}

/// Spider's execution match: the same multiset of rows under some permutation of columns; row order counts only
/// when the gold orders its rows.
pub fn spider(predicted: &Page, gold: &Page, gold_is_ordered: bool) -> bool {
    if predicted.rows.len() != gold.rows.len() || predicted.columns.len() != gold.columns.len() {
        return false;
    }
    if gold.rows.is_empty() {
        return true;
    }
    let (predicted, gold) = (keys(predicted), keys(gold));
    let width = gold[0].len();
    let column = |rows: &[Vec<String>], index: usize| {
        let mut values: Vec<String> = rows.iter().map(|r| r[index].clone()).collect();
        values.sort();
        values
    };
    let gold_columns: Vec<Vec<String>> = (0..width).map(|i| column(&gold, i)).collect();
    let options: Vec<Vec<usize>> =
        (0..width).map(|g| (0..width).filter(|&p| column(&predicted, p) == gold_columns[g]).collect()).collect();
    let mut order = Vec::with_capacity(width);
    permute(&options, &mut order, &mut |order| {
        let reordered: Vec<Vec<&String>> =
            predicted.iter().map(|row| order.iter().map(|&i| &row[i]).collect()).collect();
        let wanted: Vec<Vec<&String>> = gold.iter().map(|row| row.iter().collect()).collect();
        if gold_is_ordered { reordered == wanted } else { multiset(&reordered) == multiset(&wanted) }
    })
}

fn multiset<'a>(rows: &'a [Vec<&'a String>]) -> BTreeMap<&'a Vec<&'a String>, usize> {
    let mut counts = BTreeMap::new();
    for row in rows {
        *counts.entry(row).or_default() += 1;
    }
    counts
}

/// Tries assignments of predicted columns to gold columns until one is accepted.
fn permute(options: &[Vec<usize>], order: &mut Vec<usize>, accept: &mut impl FnMut(&[usize]) -> bool) -> bool {
    if order.len() == options.len() {
        return accept(order);
    }
    for &option in &options[order.len()] {
        if !order.contains(&option) {
            order.push(option);
            if permute(options, order, accept) {
                return true;
            }
            order.pop();
        }
    }
    false
}

/// BIRD's execution accuracy: the same set of row tuples; column order counts, duplicates and row order do not.
pub fn bird(predicted: &Page, gold: &Page) -> bool {
    let set = |page: &Page| keys(page).into_iter().collect::<BTreeSet<_>>();
    set(predicted) == set(gold)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::ResultColumn;

    fn page(types: &[CellType], rows: &[&[Option<&str>]]) -> Page {
        Page {
            columns: types.iter().map(|&t| ResultColumn { name: "c".into(), cell_type: t }).collect(),
            rows: rows.iter().map(|r| r.iter().map(|c| c.map(str::to_owned)).collect()).collect(),
            row_count: rows.len() as u64,
            truncated: false,
        }
    }
    const INT: CellType = CellType::Integer;
    const TEXT: CellType = CellType::Text;

    #[test]
    fn the_two_rules_differ_where_they_should() {
        let gold = page(&[INT, TEXT], &[&[Some("1"), Some("a")], &[Some("2"), Some("b")]]);
        let swapped = page(&[TEXT, INT], &[&[Some("a"), Some("1")], &[Some("b"), Some("2")]]);
        assert_eq!((spider(&swapped, &gold, false), bird(&swapped, &gold)), (true, false), "columns swapped");
        let mispaired = page(&[INT, TEXT], &[&[Some("1"), Some("b")], &[Some("2"), Some("a")]]);
        assert_eq!((spider(&mispaired, &gold, false), bird(&mispaired, &gold)), (false, false), "rows paired wrongly");
        let reversed = page(&[INT, TEXT], &[&[Some("2"), Some("b")], &[Some("1"), Some("a")]]);
        assert!(spider(&reversed, &gold, false) && !spider(&reversed, &gold, true), "order wrong");
        assert!(bird(&reversed, &gold), "BIRD does not look at order");
        let doubled = page(&[INT], &[&[Some("1")], &[Some("1")], &[Some("2")]]);
        let single = page(&[INT], &[&[Some("1")], &[Some("2")]]);
        assert_eq!((spider(&single, &doubled, false), bird(&single, &doubled)), (false, true), "duplicates lost");
    }

    #[test]
    fn numbers_compare_by_value_and_null_is_not_zero() {
        let whole = page(&[INT], &[&[Some("3")]]);
        let float = page(&[CellType::Float], &[&[Some("3.0")]]);
        assert!(spider(&whole, &float, false) && bird(&whole, &float));
        let zero = page(&[INT], &[&[Some("0")]]);
        let null = page(&[INT], &[&[None]]);
        assert!(!spider(&zero, &null, false) && !bird(&zero, &null));
        let large = page(&[INT], &[&[Some("9007199254740993")]]);
        let near = page(&[INT], &[&[Some("9007199254740992")]]);
        assert!(!bird(&large, &near), "integers beyond 2^53 stay exact");
        let text = page(&[TEXT], &[&[Some("3")]]);
        assert!(!bird(&text, &whole), "text is not a number");
    }
}
