//! The arguments of `vitrine drivers`.

use clap::Subcommand;

/// `vitrine drivers`
#[derive(Debug, Subcommand)]
pub enum DriversCommand {
    /// List drivers with version, licence, hash and where they came from
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Get Snowflake's driver from the Python package index (`snowflake`), or add any other by the path of its library
    Add {
        /// `snowflake`, or the path of a shared library
        driver: String,
        /// The name of a driver added by its path, for addresses such as adbc:NAME?uri=...
        #[arg(long)]
        name: Option<String>,
    },
    /// Remove a driver; a library that was added by its path stays where it is
    Rm {
        /// Its name
        name: String,
    },
}
