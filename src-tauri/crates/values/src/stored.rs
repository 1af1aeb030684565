//! Access to all values of one column.

use crate::domains::load_values;
use crate::{ValueIndex, ValuesError, storage};

impl ValueIndex {
    /// Returns all indexed values of a column. `None` if the column is not indexed, or has more than `most` values.
    pub fn stored_values(&self, table: &str, column: &str, most: u64) -> Result<Option<Vec<String>>, ValuesError> {
        let reader = self.lock_reader();
        let snapshot = reader.connection.unchecked_transaction()?;
        let columns = storage::load_columns(&snapshot)?;
        let is_meant = |known: &&storage::StoredColumn| known.table == table && known.name.eq_ignore_ascii_case(column);
        let Some(column) = columns.iter().find(is_meant).filter(|known| known.count as u64 <= most) else {
            return Ok(None);
        };
        Ok(Some(load_values(&snapshot, column)?.into_iter().map(|(_, text)| text).collect()))
    }
}
