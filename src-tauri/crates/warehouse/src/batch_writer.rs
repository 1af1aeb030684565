//! Rows of a server put together into batches, whatever the server sends them as.

use crate::WarehouseError;
use crate::run::{Flow, Sink};
use arrow::array::{ArrayRef, RecordBatchOptions};
use arrow::datatypes::{Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use std::sync::Arc;

const BATCH_ROWS: usize = 4_096;
const BATCH_BYTES: usize = 8 << 20;

/// What takes the values of one column.
pub(crate) trait ColumnBuilder {
    /// The values so far; it begins anew.
    fn finish(&mut self) -> ArrayRef;
}

/// Why no more rows were put into a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Filled {
    /// It is large enough.
    Full,
    /// There are none.
    Last,
}

/// A batch in the making.
pub(crate) struct BatchWriter<B> {
    schema: SchemaRef,
    builders: Vec<B>,
    rows: usize,
    bytes: usize,
}

impl<B: ColumnBuilder> BatchWriter<B> {
    /// With a builder for each column.
    pub(crate) fn new(schema: Schema, builders: Vec<B>) -> Self {
        Self { schema: Arc::new(schema), builders, rows: 0, bytes: 0 }
    }

    /// Names and types of the columns.
    pub(crate) fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    /// Whether it is to be handed over.
    pub(crate) fn is_full(&self) -> bool {
        self.rows >= BATCH_ROWS || self.bytes >= BATCH_BYTES
    }

    /// Takes a row: `put` puts a value into the builder of its column and gives the value's bytes.
    pub(crate) fn append_row<E>(&mut self, mut put: impl FnMut(usize, &mut B) -> Result<usize, E>) -> Result<(), E> {
        for (index, builder) in self.builders.iter_mut().enumerate() {
            self.bytes += put(index, builder)?;
        }
        self.rows += 1;
        Ok(())
    }

    /// Hands the batch over and begins another.
    pub(crate) fn flush(&mut self, sink: &mut Sink) -> Result<Flow, WarehouseError> {
        let columns = self.builders.iter_mut().map(ColumnBuilder::finish).collect();
        let options = RecordBatchOptions::new().with_row_count(Some(self.rows));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns, &options)
            .map_err(|error| WarehouseError::query(error.to_string()))?;
        (self.rows, self.bytes) = (0, 0);
        sink.send_batch(batch)
    }
}
