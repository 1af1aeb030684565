//! The arguments of `vitrine audit`.

use clap::Subcommand;
use std::path::PathBuf;

/// `vitrine audit`
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// List queries that ran for a user or an agent or were refused, and what agents were told, the latest first
    List {
        /// Only those whose text, question, address, verdict or receiver holds these words
        #[arg(long, value_name = "WORDS", default_value = "")]
        search: String,
        /// Queries at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: u32,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Write the whole audit to a file: CSV where its name ends in .csv, else JSON lines
    Export {
        /// The file
        file: PathBuf,
    },
    /// Look for rows that were changed or removed
    Verify {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
