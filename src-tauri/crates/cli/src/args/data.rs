//! The arguments of `vitrine profile`, `prepare`, `keys` and `values`.

use super::SourceArgs;
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

/// `vitrine keys`
#[derive(Debug, Args)]
pub struct KeysArgs {
    /// The warehouse
    #[arg(required_unless_present = "warehouse", conflicts_with = "warehouse")]
    pub uri: Option<String>,
    /// Several warehouses instead of one.
    #[command(flatten)]
    pub sources: SourceArgs,
    /// Keep a key whatever the data say later, by its name in the list: `orders(customer_id) -> customers(id)`
    #[arg(long, value_name = "KEY")]
    pub confirm: Vec<String>,
    /// No longer go by a key
    #[arg(long, value_name = "KEY")]
    pub strike: Vec<String>,
    /// Take either back
    #[arg(long, value_name = "KEY")]
    pub undecide: Vec<String>,
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
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
