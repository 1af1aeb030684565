//! Results as JSON: an array of objects, one per line.

use super::names::of_schema;
use super::row_writer::RowWriter;
use crate::cells;
use crate::nested::write_cell;
use arrow::datatypes::Schema;
use arrow::record_batch::RecordBatch;
use std::fs::File;
use std::io::{self, Write};
use vitrine_domain::CellType;
use vitrine_domain::page::json_cell;

/// Formats rows as JSON text.
pub(super) struct JsonWriter {
    /// Column names as JSON strings, with their types.
    columns: Vec<(String, CellType)>,
    rows: u64,
}

impl JsonWriter {
    pub(super) fn new(schema: &Schema) -> Self {
        let types = cells::result_columns(schema).into_iter().map(|column| column.cell_type);
        let names = of_schema(schema).into_iter().map(|name| serde_json::Value::from(name).to_string());
        Self { columns: names.zip(types).collect(), rows: 0 }
    }
}

impl RowWriter for JsonWriter {
    fn write_batch(&mut self, file: &mut File, batch: &RecordBatch) -> io::Result<()> {
        let mut text = String::new();
        let mut cell = String::new();
        for row in 0..batch.num_rows() {
            text.push_str(if self.rows == 0 { "[\n{" } else { ",\n{" });
            self.rows += 1;
            for (index, (column, (name, cell_type))) in batch.columns().iter().zip(&self.columns).enumerate() {
                if index > 0 {
                    text.push(',');
                }
                cell.clear();
                let value = write_cell(&mut cell, column, row).then_some(cell.as_str());
                text.push_str(&format!("{name}:{}", json_cell(value, *cell_type)));
            }
            text.push('}');
        }
        file.write_all(text.as_bytes())
    }

    fn finish(self: Box<Self>, file: &mut File) -> io::Result<()> {
        file.write_all(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })
    }
}
