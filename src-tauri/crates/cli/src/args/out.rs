//! Writing a result to a file.

use clap::Args;
use std::path::PathBuf;
use vitrine_api::{CsvStyle, ExportFile, ExportFormat};
use vitrine_domain::ExportAbout;

#[derive(Debug, Clone, Default, Args)]
pub struct OutArgs {
    /// Write the full result to a CSV file
    #[arg(long, value_name = "FILE", group = "file")]
    pub csv: Option<PathBuf>,
    /// Write the full result to a file, as its name ends: .csv, .xlsx, .parquet or .json
    #[arg(long, value_name = "FILE", group = "file", value_parser = parse_export_path)]
    pub out: Option<PathBuf>,
    /// Keep text that a spreadsheet would run as a formula unchanged; by default an apostrophe is put before it
    #[arg(long, requires = "file")]
    pub csv_formulas: bool,
    /// Begin the CSV file with a byte order mark, by which some spreadsheets know that it is UTF-8
    #[arg(long, requires = "file")]
    pub csv_bom: bool,
    /// Also write a text file about the rows beside the file, FILE.about.txt; a workbook has a second sheet about them anyway
    #[arg(long, requires = "file")]
    pub about: bool,
}

impl OutArgs {
    /// Returns the export file if one is requested. `usual` is the style in the settings, and `about` returns the facts
    /// to export with the rows.
    pub fn export_file(&self, usual: CsvStyle, about: impl FnOnce() -> ExportAbout) -> Option<ExportFile> {
        let style = CsvStyle {
            guard_formulas: usual.guard_formulas && !self.csv_formulas,
            byte_order_mark: usual.byte_order_mark || self.csv_bom,
        };
        let (path, format) = match (&self.csv, &self.out) {
            (Some(path), _) => (path, ExportFormat::Csv),
            // The parser of the argument has already checked the extension.
            (None, Some(path)) => (path, ExportFormat::from_path(path).ok()?),
            (None, None) => return None,
        };
        let about = ExportAbout { beside: self.about, ..about() };
        Some(ExportFile { path: path.clone(), format, style, about: Some(about) })
    }
}

/// Parses a path with a known extension, so that an invalid one is reported before a question runs for minutes.
fn parse_export_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    ExportFormat::from_path(&path).map_err(|error| format!("{error}; there are .csv, .xlsx, .parquet and .json"))?;
    Ok(path)
}
