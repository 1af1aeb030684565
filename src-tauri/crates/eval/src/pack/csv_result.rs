//! Gold results in CSV files.

use std::path::Path;
use vitrine_domain::{CellType, Page, ResultColumn};

/// Reads a CSV file as a result; a column of numbers is numeric.
pub(super) fn read_csv_table(path: &Path) -> Result<Page, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let cell = |index| record.get(index).filter(|text| !text.is_empty()).map(str::to_owned);
        rows.push((0..names.len()).map(cell).collect::<Vec<_>>());
    }
    let cell_type = |index: usize| {
        let cells = || rows.iter().filter_map(|row: &Vec<Option<String>>| row[index].as_deref());
        if cells().all(|text| text.parse::<i64>().is_ok()) {
            CellType::Integer
        } else if cells().all(|text| text.parse::<f64>().is_ok()) {
            CellType::Float
        } else {
            CellType::Text
        }
    };
    let columns =
        names.into_iter().enumerate().map(|(index, name)| ResultColumn::new(name, cell_type(index))).collect();
    Ok(Page { columns, row_count: rows.len() as u64, rows, truncated: false })
}
