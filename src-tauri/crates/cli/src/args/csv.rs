//! Writing a result to a CSV file.

use clap::Args;
use std::path::PathBuf;
use vitrine_api::{CsvFile, CsvStyle};

#[derive(Debug, Clone, Default, Args)]
pub struct CsvArgs {
    /// Write the full result to a CSV file
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Leave text that a spreadsheet would run as a formula as it is; without it an apostrophe is put before it
    #[arg(long, requires = "csv")]
    pub csv_formulas: bool,
    /// Begin the CSV file with a byte order mark, by which some spreadsheets know that it is UTF-8
    #[arg(long, requires = "csv")]
    pub csv_bom: bool,
}

impl CsvArgs {
    /// The file, where one is asked for; `usual` is what the settings say.
    pub fn file(&self, usual: CsvStyle) -> Option<CsvFile> {
        let style = CsvStyle {
            guard_formulas: usual.guard_formulas && !self.csv_formulas,
            byte_order_mark: usual.byte_order_mark || self.csv_bom,
        };
        self.csv.clone().map(|path| CsvFile { path, style })
    }
}
