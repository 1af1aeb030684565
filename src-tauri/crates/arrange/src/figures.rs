//! Statistics of the values of a column and of selected cells.

use crate::digits::Total;
use crate::runs::Sorter;
use crate::sort::{Ended, Keys, not_sorted, type_of};
use crate::types::{ColumnFigures, SelectionFigures};
use crate::{Rows, Work, scan_rows};
use std::ops::Range;
use vitrine_domain::{AppError, CellType};

/// Returns statistics of a column over the shown rows, or over all rows.
pub fn column_figures(
    rows: &dyn Rows,
    shown: Option<&[u32]>,
    column: u32,
    work: &Work<'_>,
) -> Result<ColumnFigures, AppError> {
    let cell_type = type_of(rows, column)?;
    let keys = has_ends(cell_type).then(|| Keys::new(cell_type, work.locale));
    let counts = shown.map(|shown| row_membership(shown, rows.count()));
    let mut values = Sorter::new(work.folder, false);
    let mut total = Total::default();
    let (mut seen, mut nulls, mut empty) = (0, 0, 0);
    let (mut least, mut most): (Option<End>, Option<End>) = (None, None);
    scan_rows(rows, &[column], work, |row, mut cells| {
        if counts.as_ref().is_some_and(|counts| !counts[row as usize]) {
            return Ok(true);
        }
        seen += 1;
        let Some(value) = cells.pop().flatten() else {
            nulls += 1;
            return Ok(true);
        };
        empty += u32::from(value.is_empty());
        if is_number(cell_type) {
            total.add(&value);
        }
        if let Some(key) = keys.as_ref().map(|keys| keys.sort_key(&value)).filter(|key| has_place(key, cell_type)) {
            if least.as_ref().is_none_or(|end| key < end.key) {
                least = Some(End { key: key.clone(), value: value.clone() });
            }
            if most.as_ref().is_none_or(|end| key > end.key) {
                most = Some(End { key, value: value.clone() });
            }
        }
        values.push(value.as_bytes(), row).map_err(|error| not_sorted(work.folder, &error))?;
        Ok(true)
    })?;
    let (sum, mean) = total.sum_and_mean();
    let value = |end: Option<End>| end.map(|end| end.value);
    let distinct = count_distinct(values, work)?;
    Ok(ColumnFigures { rows: seen, nulls, empty, distinct, least: value(least), most: value(most), sum, mean })
}

/// The smallest or largest value so far.
struct End {
    key: Vec<u8>,
    value: String,
}

fn count_distinct(values: Sorter<'_>, work: &Work<'_>) -> Result<u32, AppError> {
    let mut distinct = 0;
    let mut last: Option<Vec<u8>> = None;
    values
        .visit_sorted(|value, row| {
            if row % 65_536 == 0 {
                (work.go_on)()?;
            }
            if last.as_deref() != Some(value) {
                distinct += 1;
                last = Some(value.to_vec());
            }
            Ok(())
        })
        .map_err(|error: Ended| error.into_error(work.folder))?;
    Ok(distinct)
}

/// Returns statistics of the cells of some columns, in a half-open range of rows.
pub fn selection_figures(
    rows: &dyn Rows,
    shown: Option<&[u32]>,
    places: Range<u32>,
    columns: &[u32],
    work: &Work<'_>,
) -> Result<SelectionFigures, AppError> {
    let types = columns.iter().map(|column| type_of(rows, *column)).collect::<Result<Vec<_>, _>>()?;
    let end = places.end.min(shown.map_or(rows.count(), |shown| shown.len() as u32));
    let places = places.start.min(end)..end;
    let counts = shown.map(|shown| row_membership(&shown[places.start as usize..places.end as usize], rows.count()));
    let mut total = Total::default();
    let mut count = 0;
    scan_rows(rows, columns, work, |row, cells| {
        let is_selected = counts.as_ref().map_or(places.contains(&row), |counts| counts[row as usize]);
        if is_selected {
            for (cell_type, value) in types.iter().zip(cells.iter()) {
                let Some(value) = value else { continue };
                count += 1;
                if is_number(*cell_type) {
                    total.add(value);
                }
            }
        }
        Ok(counts.is_some() || row < places.end)
    })?;
    let (sum, mean) = total.sum_and_mean();
    Ok(SelectionFigures { cells: (places.end - places.start).saturating_mul(columns.len() as u32), count, sum, mean })
}

fn row_membership(shown: &[u32], count: u32) -> Vec<bool> {
    let mut members = vec![false; count as usize];
    shown.iter().for_each(|row| members[*row as usize] = true);
    members
}

fn is_number(cell_type: CellType) -> bool {
    matches!(cell_type, CellType::Integer | CellType::Decimal | CellType::Float)
}

/// Returns true if values of the type have a smallest and a largest one.
fn has_ends(cell_type: CellType) -> bool {
    !matches!(cell_type, CellType::Nested | CellType::Binary | CellType::Boolean | CellType::Null)
}

/// Returns true if a value has a defined position in the order, unlike NaN.
fn has_place(key: &[u8], cell_type: CellType) -> bool {
    cell_type == CellType::Text || key.first() != Some(&crate::number::NO_PLACE)
}
