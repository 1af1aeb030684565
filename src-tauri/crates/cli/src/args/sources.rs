//! Several warehouses in the place of one.

use clap::Args;

#[derive(Debug, Clone, Default, Args)]
pub struct SourceArgs {
    /// The warehouse instead of the first argument; several, each as NAME=URI, to join their tables
    #[arg(long, value_name = "URI")]
    pub warehouse: Vec<String>,
    /// Rows that one table may deliver if several warehouses are joined
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub fetch_rows: Option<u64>,
}
