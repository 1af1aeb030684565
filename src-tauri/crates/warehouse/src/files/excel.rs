//! Excel and OpenDocument workbooks: each table of each sheet becomes a table.

use super::covered;
use super::file::{start_reading, unreadable_error, wrong_file};
use super::hidden;
use super::names::TableNames;
use super::sheet::{self, Sheet};
use super::shown_zeros::restore_shown_codes;
use crate::{OpenOptions, WarehouseError};
use ::duckdb::Connection;
use calamine::{Reader, SheetVisible, Sheets};
use std::io::{Read, Seek};
use std::path::Path;
use vitrine_domain::FileReading;
use vitrine_words::tr;

/// Creates the tables of each sheet with rows. If the workbook is the only file, its tables are named after the sheets;
/// otherwise after the workbook, followed by the sheet if there are several.
pub(super) fn add(
    connection: &Connection,
    file: &Path,
    base: &str,
    lone: bool,
    names: &mut TableNames,
    options: &OpenOptions,
) -> Result<Vec<FileReading>, WarehouseError> {
    let failed = |error: &dyn std::fmt::Display| unreadable_error(file, &tr!("an Excel file"), &error.to_string());
    let mut hidden_parts = hidden::read_hidden_parts(file);
    let mut workbook = calamine::open_workbook_auto(file).map_err(|error| failed(&error))?;
    let mut sheets = Vec::new();
    for known in workbook.sheets_metadata().to_vec() {
        // Chart sheets have no cells.
        let Ok(mut cells) = workbook.worksheet_range(&known.name) else { continue };
        if cells.height() > 0 && !cells.is_empty() {
            let merged = merged_regions(&mut workbook, &known.name);
            let styles = workbook.worksheet_style(&known.name).unwrap_or_default();
            restore_shown_codes(&mut cells, &styles);
            sheets.push(Sheet {
                covered: covered::take_out(&mut cells, &merged),
                formulas: workbook.worksheet_formula(&known.name).unwrap_or_default(),
                merged,
                styles,
                hidden_parts: hidden_parts.remove(&known.name).unwrap_or_default(),
                hidden: known.visible != SheetVisible::Visible,
                name: known.name,
                cells,
            });
        }
    }
    if sheets.is_empty() {
        return Err(WarehouseError::Empty { path: file.to_path_buf(), looked_for: tr!("a sheet with rows") });
    }
    let several = sheets.len() > 1;
    let mut readings = Vec::new();
    for sheet in &sheets {
        let base = match (several, lone) {
            (true, true) => sheet.name.clone(),
            (true, false) => format!("{base}_{}", sheet.name),
            (false, _) => base.to_owned(),
        };
        for block in sheet::find_tables(sheet) {
            let table = names.claim_unique_name(&base);
            let reading = FileReading { sheet: Some(sheet.name.clone()), ..start_reading(file, &table, options) };
            let made = sheet::add(connection, sheet, &block, reading).map_err(|error| wrong_file(file, &error))?;
            readings.push(made);
        }
    }
    Ok(readings)
}

/// Returns the merged cells: first and last row and column of each region.
fn merged_regions<R: Read + Seek>(workbook: &mut Sheets<R>, sheet: &str) -> Vec<[(u32, u32); 2]> {
    let regions = match workbook {
        Sheets::Xlsx(workbook) => workbook.merge_cells_by_sheet_name(sheet).unwrap_or_default(),
        Sheets::Xls(workbook) => workbook.merge_cells_by_sheet_name(sheet).unwrap_or_default(),
        Sheets::Xlsb(_) | Sheets::Ods(_) => Vec::new(),
    };
    regions.into_iter().map(|region| [region.start, region.end]).collect()
}
