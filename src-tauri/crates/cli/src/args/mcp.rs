//! The arguments of `vitrine mcp`.

use super::Asking;
use clap::Args;

/// `vitrine mcp`
#[derive(Debug, Args)]
pub struct McpArgs {
    /// A warehouse that the agent may reach: a connection's name, an address, or `sample`; may be given several times. The agent
    /// names it by the same word, or by what stands before `=`: `--warehouse sales=sqlite:shop.db`
    #[arg(long = "warehouse", required = true, value_name = "[NAME=]WAREHOUSE")]
    pub warehouses: Vec<String>,
    /// Options for answering questions.
    #[command(flatten)]
    pub asking: Asking,
    /// Rows that one query reads at most, over all its pages
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub max_rows: u32,
    /// Rows in one reply at most
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub page_rows: u32,
    /// Bytes that rows or a schema's text take in one reply at most; about four are a token
    #[arg(long, value_name = "N", default_value_t = 32_000, value_parser = clap::value_parser!(u32).range(1_000..=4_000_000))]
    pub max_bytes: u32,
}
