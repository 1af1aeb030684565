//! Rows stored as a Parquet file for analysis programs.

use super::fault::of_file;
use super::names::deduplicate_names;
use super::part_file::PartFile;
use arrow::array::{ArrayRef, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use std::io;
use std::path::Path;
use std::sync::Arc;
use vitrine_domain::Page;
use vitrine_domain::page::CellType;

/// Rows per row group, which are held in memory a second time.
const GROUP: usize = 20_000;

/// Writes the rows of a page and returns the file's size in bytes. The file is either complete or missing. Numbers,
/// dates and times get native types if every value has one; decimals become floating point, because analysis code
/// computes with it.
///
/// # Errors
/// Fails when the file cannot be written.
pub fn write_parquet(page: &Page, path: &Path) -> io::Result<u64> {
    let names = deduplicate_names(page.columns.iter().map(|column| column.name.as_str()));
    let arrays = (0..page.columns.len()).map(|index| build_column(page, index));
    let columns: Vec<(String, ArrayRef)> = names.into_iter().zip(arrays).collect();
    let fields: Vec<Field> =
        columns.iter().map(|(name, array)| Field::new(name, array.data_type().clone(), true)).collect();
    let schema = Arc::new(Schema::new(fields));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let options = arrow::array::RecordBatchOptions::new().with_row_count(Some(page.rows.len()));
    let batch = RecordBatch::try_new_with_options(schema.clone(), arrays, &options).map_err(io::Error::other)?;
    let part = PartFile::create(path)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .set_max_row_group_row_count(Some(GROUP))
        .build();
    let mut writer = ArrowWriter::try_new(&part.file, schema, Some(properties)).map_err(of_file)?;
    writer.write(&batch).map_err(of_file)?;
    writer.close().map_err(of_file)?;
    part.finish()?;
    Ok(std::fs::metadata(path)?.len())
}

/// Builds a column with a native type if every value fits.
fn build_column(page: &Page, index: usize) -> ArrayRef {
    let text: ArrayRef =
        Arc::new(StringArray::from_iter(page.rows.iter().map(|row| row.get(index).and_then(Option::as_deref))));
    let target = match page.columns[index].cell_type {
        CellType::Integer => DataType::Int64,
        CellType::Decimal | CellType::Float => DataType::Float64,
        CellType::Boolean => DataType::Boolean,
        CellType::Date => DataType::Date32,
        CellType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
        _ => return text,
    };
    let strict = arrow::compute::CastOptions { safe: false, ..Default::default() };
    let typed = arrow::compute::cast_with_options(&text, &target, &strict);
    typed.unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::fs::File;
    use vitrine_domain::ResultColumn;

    #[test]
    fn values_keep_their_types_and_what_does_not_fit_stays_text() {
        let columns = [
            ("n", CellType::Integer),
            ("d", CellType::Date),
            ("x", CellType::Decimal),
            ("big", CellType::Integer),
            ("n", CellType::Text),
        ];
        let page = Page {
            columns: columns.iter().map(|(name, t)| ResultColumn::new(*name, *t)).collect(),
            rows: vec![
                ["1", "2024-01-31", "4.50", "170141183460469231731687303715884105727", "a"]
                    .iter()
                    .map(|c| Some((*c).to_owned()))
                    .collect(),
                vec![None; 5],
            ],
            row_count: 2,
            truncated: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("v.parquet");
        assert!(write_parquet(&page, &path).unwrap() > 0);
        let mut reader = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap().build().unwrap();
        let batch = reader.next().unwrap().unwrap();
        let types: Vec<String> =
            batch.schema().fields().iter().map(|f| format!("{} {}", f.name(), f.data_type())).collect();
        assert_eq!(types, ["n Int64", "d Date32", "x Float64", "big Utf8", "n_2 Utf8"]);
        assert_eq!((batch.num_rows(), batch.column(0).null_count()), (2, 1));
    }
}
