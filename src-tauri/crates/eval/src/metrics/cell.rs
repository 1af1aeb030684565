//! Cells as Spider and BIRD compare them: by equality of Python values, under which 3 and 3.0, and 1 and true, are
//! equal.

use vitrine_domain::{CellType, Page};

/// A cell, compared by value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Cell {
    /// SQL NULL, equal to itself only.
    Null,
    /// A number without a fractional part, of any type.
    Whole(i128),
    /// Any other number, as the bits of the float.
    Real(u64),
    /// A value of any other type.
    Text(String),
}

impl Cell {
    fn new(text: Option<&str>, cell_type: CellType) -> Self {
        let Some(text) = text else { return Cell::Null };
        match cell_type {
            CellType::Boolean if text == "true" => Cell::Whole(1),
            CellType::Boolean if text == "false" => Cell::Whole(0),
            CellType::Integer | CellType::Decimal | CellType::Float | CellType::Boolean => parse_number(text),
            _ => Cell::Text(text.to_owned()),
        }
    }
}

fn parse_number(text: &str) -> Cell {
    if let Ok(whole) = text.parse() {
        return Cell::Whole(whole);
    }
    match text.parse::<f64>() {
        // A float without a fractional part is converted exactly within the range of i128.
        Ok(value) if value.fract() == 0.0 && value.abs() < 1e38 => Cell::Whole(value as i128),
        Ok(value) => Cell::Real(value.to_bits()),
        Err(_) => Cell::Text(text.to_owned()),
    }
}

/// Returns the rows of a page as comparable cells.
pub(super) fn cell_rows(page: &Page) -> impl Iterator<Item = Vec<Cell>> {
    page.rows
        .iter()
        .map(|row| row.iter().zip(&page.columns).map(|(c, column)| Cell::new(c.as_deref(), column.cell_type)).collect())
}
