//! Sorts rows by the values of a column, and filters them.

use crate::collate::Collation;
use crate::filter::Test;
use crate::runs::Sorter;
use crate::types::{Arrangement, RowOrder};
use crate::{Rows, Work, moment, number, scan_rows};
use std::path::Path;
use vitrine_domain::{AppError, CellType, ErrorCode, is_disk_full};
use vitrine_words::tr;

/// Maximum number of characters of a text that are compared.
const MOST_LETTERS: usize = 65_536;

/// Returns the rows that pass the filters, in order.
pub fn arrange_rows(rows: &dyn Rows, arrangement: &Arrangement, work: &Work<'_>) -> Result<Vec<u32>, AppError> {
    let mut columns: Vec<u32> = arrangement.filters.iter().map(|filter| filter.column).collect();
    let tests = arrangement.filters.iter().map(|filter| Test::new(&filter.test, type_of(rows, filter.column)?));
    let tests = tests.collect::<Result<Vec<_>, _>>()?;
    let mut order = match arrangement.order {
        Some(RowOrder { column, down }) => {
            columns.push(column);
            Some((Keys::new(type_of(rows, column)?, work.locale), Sorter::new(work.folder, down)))
        }
        None => None,
    };
    let mut passed = Vec::new();
    scan_rows(rows, &columns, work, |row, cells| {
        if !tests.iter().zip(&cells).all(|(test, cell)| test.accepts_value(cell.as_deref())) {
            return Ok(true);
        }
        match (&mut order, cells.last()) {
            (Some((keys, sorter)), Some(Some(value))) => {
                sorter.push(&keys.sort_key(value), row).map_err(|error| not_sorted(work.folder, &error))?;
            }
            // Without an order all rows are collected here; otherwise rows with NULL, which come last.
            _ => passed.push(row),
        }
        Ok(true)
    })?;
    let Some((_, sorter)) = order else { return Ok(passed) };
    let mut sorted = Vec::new();
    sorter
        .visit_sorted(|_, row| {
            if row % 65_536 == 0 {
                (work.go_on)()?;
            }
            sorted.push(row);
            Ok(())
        })
        .map_err(|error: Ended| error.into_error(work.folder))?;
    sorted.append(&mut passed);
    Ok(sorted)
}

/// Returns the type of a column.
pub(crate) fn type_of(rows: &dyn Rows, column: u32) -> Result<CellType, AppError> {
    rows.cell_type(column).ok_or_else(|| {
        AppError::new(ErrorCode::Usage, tr!("The result has no column {number}", number = u64::from(column) + 1))
    })
}

/// Creates sort keys of a column's values.
pub(crate) struct Keys {
    cell_type: CellType,
    collation: Collation,
}

impl Keys {
    pub(crate) fn new(cell_type: CellType, locale: &str) -> Self {
        Self { cell_type, collation: Collation::new(locale) }
    }

    pub(crate) fn sort_key(&self, value: &str) -> Vec<u8> {
        match self.cell_type {
            CellType::Integer | CellType::Decimal | CellType::Float => number::sort_key(value),
            CellType::Date | CellType::Timestamp => moment::sort_key(moment::parse_instant(value)),
            CellType::Time => moment::sort_key(moment::parse_time(value)),
            CellType::Boolean => vec![u8::from(value == "true")],
            CellType::Binary => value.as_bytes().to_vec(),
            CellType::Text | CellType::Nested | CellType::Null => match value.char_indices().nth(MOST_LETTERS) {
                Some((end, _)) => self.collation.sort_key(&value[..end]),
                None => self.collation.sort_key(value),
            },
        }
    }
}

/// The reason why sorting ended early.
pub(crate) enum Ended {
    File(std::io::Error),
    Error(AppError),
}

impl From<std::io::Error> for Ended {
    fn from(error: std::io::Error) -> Self {
        Self::File(error)
    }
}

impl From<AppError> for Ended {
    fn from(error: AppError) -> Self {
        Self::Error(error)
    }
}

impl Ended {
    pub(crate) fn into_error(self, folder: &Path) -> AppError {
        match self {
            Self::File(error) => not_sorted(folder, &error),
            Self::Error(error) => error,
        }
    }
}

/// Returns the error for keys that cannot be written to disk.
pub(crate) fn not_sorted(folder: &Path, error: &std::io::Error) -> AppError {
    let message = match is_disk_full(error) {
        true => tr!("The disk is full: the rows cannot be sorted in {folder}", folder = folder.display()),
        false => tr!("The rows cannot be sorted in {folder}", folder = folder.display()),
    };
    AppError::new(ErrorCode::Internal, message)
        .with_hint(tr!("Free some space on that disk, then sort the rows again"))
        .with_detail(error)
}
