//! The rule of Spider 2.0. Its implementation reads both results from CSV files, so text that looks like a number is a
//! number, truth values are 1 and 0, and a missing value is 0. Dates are compared as moments, because the CSV files of
//! the gold results write them in other forms than engines do.

use super::GoldResult;
use super::moment::parse_moment;
use std::cmp::Ordering;
use vitrine_domain::Page;

/// Absolute difference below which numbers are equal.
const TOLERANCE: f64 = 1e-2;
/// Relative difference below which numbers are equal.
const RELATIVE_TOLERANCE: f64 = 1e-9;
/// Texts that the CSV reader treats as missing values.
const MISSING: [&str; 10] = ["", "NA", "N/A", "n/a", "NULL", "null", "NaN", "nan", "None", "<NA>"];

#[derive(Debug, Clone, PartialEq)]
enum Value {
    Number(f64),
    /// Nanoseconds since 1970.
    Moment(i128),
    Text(String),
}

impl Value {
    fn compare_to(&self, other: &Self) -> Ordering {
        let kind = |value: &Value| match value {
            Value::Number(_) => 0,
            Value::Moment(_) => 1,
            Value::Text(_) => 2,
        };
        match (self, other) {
            (Value::Number(a), Value::Number(b)) => a.total_cmp(b),
            (Value::Moment(a), Value::Moment(b)) => a.cmp(b),
            (Value::Text(a), Value::Text(b)) => a.cmp(b),
            (a, b) => kind(a).cmp(&kind(b)),
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

/// Returns the values of a column: numbers, truth values or moments if each of its values is one, else texts.
fn parse_column(page: &Page, index: usize) -> Vec<Value> {
    let present = |row: &Vec<Option<String>>| row[index].clone().filter(|text| !MISSING.contains(&text.as_str()));
    let cells: Vec<Option<String>> = page.rows.iter().map(present).collect();
    let readings: [fn(&str) -> Option<Value>; 3] = [
        |text| text.trim().parse().ok().map(Value::Number),
        |text| match text {
            "true" | "True" | "TRUE" => Some(Value::Number(1.0)),
            "false" | "False" | "FALSE" => Some(Value::Number(0.0)),
            _ => None,
        },
        |text| parse_moment(text).map(Value::Moment),
    ];
    let read = readings.into_iter().find(|read| cells.iter().flatten().all(|text| read(text).is_some()));
    cells
        .into_iter()
        .map(|cell| match cell {
            None => Value::Number(0.0),
            Some(text) => read.and_then(|read| read(&text)).unwrap_or(Value::Text(text)),
        })
        .collect()
}
