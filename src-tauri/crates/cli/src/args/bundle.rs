//! The arguments of `vitrine bundle`.

use clap::Subcommand;
use std::path::PathBuf;

/// `vitrine bundle`
#[derive(Debug, Subcommand)]
pub enum BundleCommand {
    /// Check the parts of a bundle against its hashes
    Check {
        /// The file
        file: PathBuf,
        /// Also fold its events again and compare what they add up to with its answer; needs no model and no database
        #[arg(long)]
        replay: bool,
        /// Also run its query on this warehouse and compare the rows: a connection's name or an address
        #[arg(long, value_name = "WAREHOUSE")]
        warehouse: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
