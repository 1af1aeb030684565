//! The rule of Spider 2.0. Its implementation reads both results from CSV files, so text that looks like a number is a
//! number, and a missing value is 0.

use super::GoldResult;
use std::cmp::Ordering;
use vitrine_domain::{CellType, Page};

/// Absolute difference below which numbers are equal.
const TOLERANCE: f64 = 1e-2;
/// Relative difference below which numbers are equal.
const RELATIVE_TOLERANCE: f64 = 1e-9;
/// Texts that the CSV reader treats as missing values.
const MISSING: [&str; 10] = ["", "NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "None", "<NA>"];

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    fn compare_to(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Number(_), Value::Text(_)) => Ordering::Less,
            (Value::Text(_), Value::Number(_)) => Ordering::Greater,
        }
    }

    fn approx_equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => {
                a == b || (a - b).abs() <= TOLERANCE.max(RELATIVE_TOLERANCE * a.abs().max(b.abs()))
            }
            (a, b) => a == b,
        }
    }
}

/// Checks that every required gold column equals some predicted column; additional predicted columns are allowed.
/// Columns are compared independently, so cells of one row are related only if the gold query orders its rows.
pub fn matches_spider2(predicted: &Page, gold: &GoldResult) -> bool {
    let columns = |page: &Page| -> Vec<Vec<Value>> {
        (0..page.columns.len())
            .map(|index| {
                let mut values = parse_column(page, index);
                if !gold.ordered {
                    // Sorted by value rather than by text as in the official implementation, so that 9.999 and 10.0
                    // stay adjacent.
                    values.sort_by(Value::compare_to);
                }
                values
            })
            .collect()
    };
    let (predicted, wanted) = (columns(predicted), columns(&gold.page));
    let all: Vec<usize> = (0..wanted.len()).collect();
    let required = if gold.required.is_empty() { &all } else { &gold.required };
    required.iter().all(|&index| {
        wanted.get(index).is_some_and(|wanted| predicted.iter().any(|column| equal_columns(wanted, column)))
    })
}

fn equal_columns(a: &[Value], b: &[Value]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.approx_equals(b))
}

/// Returns the values of a column, which is numeric if each of its values is a number.
fn parse_column(page: &Page, index: usize) -> Vec<Value> {
    let boolean = page.columns[index].cell_type == CellType::Boolean;
    let present = |row: &Vec<Option<String>>| row[index].clone().filter(|text| !MISSING.contains(&text.as_str()));
    let number = |text: &str| match text {
        "true" if boolean => Some(1.0),
        "false" if boolean => Some(0.0),
        text => text.trim().parse::<f64>().ok(),
    };
    let cells: Vec<Option<String>> = page.rows.iter().map(present).collect();
    let numeric = cells.iter().flatten().all(|text| number(text).is_some());
    cells
        .into_iter()
        .map(|cell| match cell {
            None => Value::Number(0.0),
            Some(text) if numeric => Value::Number(number(&text).unwrap_or_default()),
            Some(text) => Value::Text(text),
        })
        .collect()
}
