//! The arguments of `vitrine workspace`.

use clap::Subcommand;
use std::path::PathBuf;

/// `vitrine workspace`
#[derive(Debug, Subcommand)]
pub enum WorkspaceCommand {
    /// Write history, saved questions, connections, models and settings to one file; passwords and keys are never in it
    Export {
        /// The file, a ZIP archive
        file: PathBuf,
        /// Leave out the rows of results, with all of the runs' logs that may repeat values of them
        #[arg(long)]
        without_results: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Import such a file: existing items are kept unchanged
    Import {
        /// The file
        file: PathBuf,
        /// Only say what would be taken in
        #[arg(long)]
        preview: bool,
        /// Also take its settings in place of those here
        #[arg(long)]
        settings: bool,
        /// Also take a part that would loosen a policy here, by the id that the import names; once for each
        #[arg(long, value_name = "ID")]
        confirm: Vec<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
