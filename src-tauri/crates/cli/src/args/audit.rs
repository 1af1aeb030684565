//! The arguments of `vitrine audit`.

use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;
use vitrine_api::QueryAuthor;

/// `vitrine audit`
#[derive(Debug, Subcommand)]
pub enum AuditCommand {
    /// List queries that ran for a user or an agent or were refused, and replies to agents, the latest first
    List {
        /// Only those whose text, question, address, verdict or receiver holds these words
        #[arg(long, value_name = "WORDS", default_value = "")]
        search: String,
        /// Only queries of this author
        #[arg(long, value_name = "AUTHOR")]
        by: Option<Author>,
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

/// The author of a query.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Author {
    /// The user: typed, edited or saved
    User,
    /// A model
    Model,
    /// Vitrine itself: samples, steps, counts and the check behind an answer
    App,
    /// A program outside
    Program,
}

impl Author {
    /// Returns the author as recorded in the audit log.
    pub fn to_query_author(self) -> QueryAuthor {
        match self {
            Self::User => QueryAuthor::User,
            Self::Model => QueryAuthor::Model,
            Self::App => QueryAuthor::App,
            Self::Program => QueryAuthor::Program,
        }
    }
}
