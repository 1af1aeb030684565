//! Arguments of `vitrine runs rerun`.

use clap::Args;
use std::path::PathBuf;

/// `vitrine runs rerun`
#[derive(Debug, Args)]
pub struct RerunArgs {
    /// The run's id, or `last`
    pub id: String,
    /// Ask in other words: all of it runs again
    #[arg(long, value_name = "TEXT")]
    pub question: Option<String>,
    /// Say what to find in other words, where the run made the question explicit
    #[arg(long, value_name = "TEXT")]
    pub task: Option<String>,
    /// Select a table besides
    #[arg(long, value_name = "TABLE")]
    pub add_table: Vec<String>,
    /// Select a column besides
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub add_column: Vec<String>,
    /// Go without a table
    #[arg(long, value_name = "TABLE")]
    pub drop_table: Vec<String>,
    /// Go without a column
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub drop_column: Vec<String>,
    /// Take the query of a view from a file
    #[arg(long, value_name = "NAME=FILE", value_parser = parse_view_file)]
    pub view: Vec<(String, PathBuf)>,
    /// Take the plan from a file
    #[arg(long, value_name = "FILE")]
    pub plan: Option<PathBuf>,
    /// Take the SQL from a file: no model is asked
    #[arg(long, value_name = "FILE")]
    pub sql: Option<PathBuf>,
    /// Print the object that `ask --json` prints
    #[arg(long)]
    pub json: bool,
}

fn parse_view_file(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, file)) if !name.is_empty() && !file.is_empty() => Ok((name.to_owned(), file.into())),
        _ => Err("say it as NAME=FILE".to_owned()),
    }
}
