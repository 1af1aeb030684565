//! Converts rows of a server to Arrow batches, independent of the server's wire format.

use crate::WarehouseError;
use crate::arrow_column::{ColumnBuilder, DecodeValue, build_schema};
use crate::run::{Flow, Sink};
use arrow::array::RecordBatchOptions;
use arrow::datatypes::SchemaRef;
use arrow::record_batch::RecordBatch;
use std::sync::Arc;

const BATCH_ROWS: usize = 4_096;
const BATCH_BYTES: usize = 8 << 20;

/// The reason why a batch receives no more rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filled {
    /// The batch has reached its size limit.
    Full,
    /// The result has no further rows.
    Last,
}

/// A batch that receives rows.
pub(crate) struct BatchWriter<D> {
    schema: SchemaRef,
    builders: Vec<ColumnBuilder<D>>,
    rows: usize,
    bytes: usize,
}

impl<D: DecodeValue> BatchWriter<D> {
    pub(crate) fn new(columns: Vec<D>) -> Self {
        let schema = Arc::new(build_schema(&columns));
        Self { schema, builders: columns.into_iter().map(ColumnBuilder::new).collect(), rows: 0, bytes: 0 }
    }

    /// Returns names and types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Returns true if the batch has reached its limit of rows or bytes.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Appends a row: `put` adds a value to its column's builder and returns the value's size in bytes.
    pub(crate) fn append_row<E>(
        &mut self,
        mut put: impl FnMut(usize, &mut ColumnBuilder<D>) -> Result<usize, E>,
    ) -> Result<(), E> {
        for (index, builder) in self.builders.iter_mut().enumerate() {
            self.bytes += put(index, builder)?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Sends the batch to the sink and starts a new one.
    pub(crate) fn flush(&mut self, sink: &mut Sink) -> Result<Flow, WarehouseError> {
        let columns = self.builders.iter_mut().map(ColumnBuilder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        (self.rows, self.bytes) = (0, 0);
        sink.send_batch(batch)
    }
}
