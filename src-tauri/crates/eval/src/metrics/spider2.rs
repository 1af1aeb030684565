//! The rule of Spider 2.0. Its program reads both results back from CSV files, so that a text that looks like a number
//! is one, and takes a missing value for 0.

use super::GoldResult;
use std::cmp::Ordering;
use vitrine_domain::{CellType, Page};

/// Numbers this near to each other are equal.
const TOLERANCE: f64 = 1e-2;
/// As are large numbers that differ in so small a part.
const RELATIVE_TOLERANCE: f64 = 1e-9;
/// What a CSV reader takes for a missing value.
const MISSING: [&str; 10] = ["", "NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "None", "<NA>"];

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(f64),
    Text(String),
}

impl Value {
    fn order(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (Value::Number(_), Value::Text(_)) => Ordering::Less,
            (Value::Text(_), Value::Number(_)) => Ordering::Greater,
        }
    }

    fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => {
                a == b || (a - b).abs() <= TOLERANCE.max(RELATIVE_TOLERANCE * a.abs().max(b.abs()))
            }
            (a, b) => a == b,
        }
    }
}

/// Every required gold column equals some predicted column; further predicted columns do no harm. The columns are
/// compared one by one, so that nothing says which cells stand in one row unless the gold orders its rows.
pub fn spider2(predicted: &Page, gold: &GoldResult) -> bool {
    let columns = |page: &Page| -> Vec<Vec<Value>> {
        (0..page.columns.len())
            .map(|index| {
                let mut values = column(page, index);
                if !gold.ordered {
                    // By value and not, as in the rule's own program, by text: 9.999 and 10.0 stay neighbours.
                    values.sort_by(Value::order);
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
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.equals(b))
}

/// A column is of numbers when each of its values is one.
fn column(page: &Page, index: usize) -> Vec<Value> {
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
