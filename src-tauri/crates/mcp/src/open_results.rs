//! Query results whose further rows can be requested.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use vitrine_api::OutsideRows;
use vitrine_domain::{AppError, ErrorCode};

/// Maximum number of kept results; a new one replaces the oldest.
const MOST: usize = 8;

/// The latest results with their numbers, oldest first.
#[derive(Default)]
pub(crate) struct OpenResults(Mutex<KeptResults>);

#[derive(Default)]
struct KeptResults {
    last: u64,
    results: VecDeque<(u64, Arc<OutsideRows>)>,
}

impl OpenResults {
    /// Stores a result and returns its number.
    pub(crate) fn add_result(&self, rows: Arc<OutsideRows>) -> u64 {
        let mut kept = self.0.lock();
        kept.last += 1;
        let number = kept.last;
        kept.results.push_back((number, rows));
        if kept.results.len() > MOST {
            kept.results.pop_front();
        }
        number
    }

    /// Returns the result that a cursor refers to, with its number and the row at which to continue.
    pub(crate) fn resolve_cursor(&self, cursor: &str) -> Result<(u64, Arc<OutsideRows>, u64), AppError> {
        let gone = || {
            AppError::new(ErrorCode::NotFound, "This cursor is not known, or its result is no longer kept")
                .with_hint("Run the query again without a cursor")
        };
        let (number, row) = cursor.split_once('.').ok_or_else(gone)?;
        let (number, row): (u64, u64) = (number.parse().map_err(|_| gone())?, row.parse().map_err(|_| gone())?);
        let kept = self.0.lock();
        let found = kept.results.iter().find(|(known, _)| *known == number);
        found.map(|(_, rows)| (number, Arc::clone(rows), row)).ok_or_else(gone)
    }

    /// Creates the cursor for a result's rows from `row` on.
    pub(crate) fn format_cursor(number: u64, row: u64) -> String {
        format!("{number}.{row}")
    }
}
