//! Results as Parquet with the types of the database. Values without a Parquet type are text.

use super::fault::of_file;
use super::names::of_schema;
use super::row_writer::RowWriter;
use crate::nested::write_cell;
use arrow::array::{ArrayRef, RecordBatchOptions, StringArray};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use arrow::record_batch::RecordBatch;
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// Rows per row group, which are held in memory.
const GROUP: usize = 50_000;

/// Writes rows to a Parquet file.
pub(super) struct ParquetWriter {
    writer: ArrowWriter<File>,
    schema: SchemaRef,
}

impl ParquetWriter {
    pub(super) fn new(schema: &Schema, file: &File) -> io::Result<Self> {
        let field = |(name, field): (String, &Arc<Field>)| {
            let data_type =
                if is_supported_type(field.data_type()) { field.data_type().clone() } else { DataType::Utf8 };
            Field::new(name, data_type, true)
        };
        let fields: Vec<Field> = of_schema(schema).into_iter().zip(schema.fields()).map(field).collect();
        let schema = Arc::new(Schema::new(fields));
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(GROUP))
            .build();
        let writer = ArrowWriter::try_new(file.try_clone()?, schema.clone(), Some(properties)).map_err(of_file)?;
        Ok(Self { writer, schema })
    }
}

impl RowWriter for ParquetWriter {
    fn write_batch(&mut self, _: &mut File, batch: &RecordBatch) -> io::Result<()> {
        let columns = batch.columns().iter().zip(self.schema.fields());
        let columns = columns.map(|(column, field)| match column.data_type() == field.data_type() {
            true => column.clone(),
            false => cast_to_text(column),
        });
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(self.schema.clone(), columns.collect(), &options);
        self.writer.write(&batch.map_err(of_file)?).map_err(of_file)
    }

    fn finish(self: Box<Self>, _: &mut File) -> io::Result<()> {
        self.writer.close().map(drop).map_err(of_file)
    }
}

/// Writes batches of one schema to a file; each column keeps its type.
///
/// # Errors
/// Fails when the file cannot be written.
pub(crate) fn write_batches(schema: &Schema, batches: &[RecordBatch], path: &Path) -> io::Result<()> {
    let mut file = File::create(path)?;
    let mut writer = Box::new(ParquetWriter::new(schema, &file)?);
    for batch in batches {
        writer.write_batch(&mut file, batch)?;
    }
    writer.finish(&mut file)
}

fn cast_to_text(column: &ArrayRef) -> ArrayRef {
    let cell = |row| {
        let mut text = String::new();
        write_cell(&mut text, column, row).then_some(text)
    };
    Arc::new((0..column.len()).map(cell).collect::<StringArray>())
}

/// Returns true if Parquet has a type for it that all readers support.
fn is_supported_type(data_type: &DataType) -> bool {
    match data_type {
        DataType::Null | DataType::Interval(_) | DataType::Duration(_) | DataType::Union(..) => false,
        DataType::List(inner)
        | DataType::LargeList(inner)
        | DataType::FixedSizeList(inner, _)
        | DataType::Map(inner, _) => is_supported_type(inner.data_type()),
        // Parquet cannot represent a struct without fields.
        DataType::Struct(fields) => {
            !fields.is_empty() && fields.iter().all(|field| is_supported_type(field.data_type()))
        }
        DataType::Dictionary(_, value) => is_supported_type(value),
        _ => true,
    }
}
