//! Conditions on a large table that follow from the rows of a small one: of the rows that a join compares with a small table,
//! only those with one of its values matter.

use crate::blocking::blocking;
use crate::catalog::FoundTable;
use crate::condition::Filter;
use crate::from::Link;
use crate::source::Source;
use arrow::array::Array;
use arrow::datatypes::DataType;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use vitrine_sql::dialect::{ColumnTest, Constant};
use vitrine_warehouse::{JoinedForm, JoinedTable, WarehouseError, cells};

/// Maximum number of rows of a small table.
const SMALL: u64 = 10_000;
/// Maximum number of values in a condition.
const MOST_VALUES: usize = 500;

/// A column whose values must occur in a column of another table.
#[derive(Debug, Clone)]
pub(crate) struct Reduction {
    /// The place of the column.
    pub column: usize,
    /// The small table.
    pub by: FoundTable,
    /// The column of the small table.
    pub by_column: String,
}

/// Returns the links of a large table to small tables.
pub(crate) fn choose_reductions(own: &FoundTable, links: &[Link], sources: &[Source]) -> Vec<Reduction> {
    let rows = |table: &FoundTable| table.table(sources).row_count;
    if rows(own).is_some_and(|rows| rows <= SMALL) {
        return Vec::new();
    }
    let small = links.iter().filter(|link| rows(&link.other).is_some_and(|rows| rows <= SMALL));
    small
        .map(|link| Reduction {
            column: link.column,
            by: link.other.clone(),
            by_column: link.other.table(sources).columns[link.other_column].name.clone(),
        })
        .collect()
}

impl Reduction {
    /// Returns the condition that follows from the delivered rows of the small table; `None` if there are too many values,
    /// or of a type that engines compare differently.
    ///
    /// # Errors
    /// If the file of the small table cannot be read.
    pub async fn read_filter(&self, folder: &Path, table: &JoinedTable) -> Result<Option<Filter>, WarehouseError> {
        let column = table.columns.iter().find(|column| column.name.eq_ignore_ascii_case(&self.by_column));
        let (Some(column), Some(file)) = (column, &table.file) else { return Ok(None) };
        if !matches!(column.form, JoinedForm::Stored | JoinedForm::Day) {
            return Ok(None);
        }
        let (path, stored) = (folder.join(file), column.stored.clone());
        let values = blocking(move || read_values(path, &stored)).await?;
        let values = values.filter(|values| !values.is_empty());
        Ok(values.map(|values| Filter::Test(self.column, ColumnTest::OneOf(values))))
    }
}

fn read_values(path: PathBuf, column: &str) -> Result<Option<Vec<Constant>>, WarehouseError> {
    let failed = |error: String| WarehouseError::query(error);
    let file = File::open(&path).map_err(|error| failed(error.to_string()))?;
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).and_then(|builder| builder.build());
    let mut values: BTreeSet<String> = BTreeSet::new();
    let mut is_number = false;
    for batch in reader.map_err(|error| failed(error.to_string()))? {
        let batch = batch.map_err(|error| failed(error.to_string()))?;
        let Some(cells) = batch.column_by_name(column) else { return Ok(None) };
        match cells.data_type() {
            integer if integer.is_integer() => is_number = true,
            DataType::Utf8 | DataType::Date32 => {}
            _ => return Ok(None),
        }
        values.extend((0..cells.len()).filter_map(|row| cells::format_cell(cells, row)));
        if values.len() > MOST_VALUES {
            return Ok(None);
        }
    }
    let constant = |value| if is_number { Constant::Number(value) } else { Constant::Text(value) };
    Ok(Some(values.into_iter().map(constant).collect()))
}
