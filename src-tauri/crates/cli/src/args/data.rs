//! The arguments of `vitrine profile`, `prepare` and `values`.

use clap::{Args, Subcommand};

/// `vitrine profile`
#[derive(Debug, Args)]
pub struct ProfileArgs {
    /// The warehouse
    pub uri: String,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `vitrine prepare`
#[derive(Debug, Args)]
pub struct PrepareArgs {
    /// The warehouse
    #[arg(value_name = "WAREHOUSE", default_value = vitrine_api::SAMPLE)]
    pub uri: String,
}

/// `vitrine values`
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// The warehouse
    pub uri: String,
    /// The command on its index.
    #[command(subcommand)]
    pub action: ValuesAction,
}

/// Commands on a value index.
#[derive(Debug, Subcommand)]
pub enum ValuesAction {
    /// Bring it up to date
    Build {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Find stored values that resemble a term
    Search {
        /// The term
        term: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
}
