//! What each format does with rows.

use arrow::record_batch::RecordBatch;
use std::fs::File;
use std::io;

/// Writes rows to a file, one batch after another.
pub(super) trait RowWriter: Send {
    /// Adds the rows of a batch.
    ///
    /// # Errors
    /// When the file cannot be written, or the format cannot hold a row.
    fn write_batch(&mut self, file: &mut File, batch: &RecordBatch) -> io::Result<()>;

    /// Writes what stands at the end.
    ///
    /// # Errors
    /// When the file cannot be written.
    fn finish(self: Box<Self>, file: &mut File) -> io::Result<()>;
}
