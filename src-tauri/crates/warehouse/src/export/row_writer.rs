//! The interface of all export formats.

use arrow::record_batch::RecordBatch;
use std::fs::File;
use std::io;

/// Writes rows to a file batch by batch.
pub(super) trait RowWriter: Send {
    /// Writes the rows of a batch.
    ///
    /// # Errors
    /// If the file cannot be written or the format cannot represent a row.
    fn write_batch(&mut self, file: &mut File, batch: &RecordBatch) -> io::Result<()>;

    /// Writes the end of the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    fn finish(self: Box<Self>, file: &mut File) -> io::Result<()>;
}
