//! The arguments of `vitrine runs`.

use super::RerunArgs;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `vitrine runs`
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// List runs, the latest first
    List {
        /// Only runs whose question holds these words
        #[arg(long, value_name = "WORDS", default_value = "")]
        search: String,
        /// Runs at most
        #[arg(long, value_name = "N", default_value_t = 20)]
        limit: u32,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show how a run came to its answer
    Show {
        /// The run's id, or `last`
        id: String,
        /// Print the object that `ask --json` printed
        #[arg(long)]
        json: bool,
    },
    /// Go through a run's events again, without a model and without a database
    Replay {
        /// The run's id, or `last`
        id: String,
        /// Print the object that `ask --json` printed
        #[arg(long)]
        json: bool,
    },
    /// Change something in a run that has ended and work on what depends on it again; everything else is taken from that run.
    /// Without a change, a run that ended before it had an answer continues after its finished steps
    Rerun(Box<RerunArgs>),
    /// Put two runs side by side: question, SQL, result, cost and certainty
    Compare {
        /// A run's id, or `last`
        id: String,
        /// The other run's id
        other: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List what a run sent to remote models: the receiver, and the tables whose values it contains
    Sent {
        /// The run's id, or `last`
        id: String,
        /// Print the body of the request with this number, as it was sent
        #[arg(long, value_name = "N", conflicts_with = "json")]
        request: Option<usize>,
        /// Print one JSON array, with the bodies
        #[arg(long)]
        json: bool,
    },
    /// Write a run with all its events as one JSON file
    Export {
        /// The run's id, or `last`
        id: String,
        /// The file; standard output without it
        file: Option<PathBuf>,
    },
    /// Write a run's answer with its evidence as one file: question, result, query, events, and a hash of each
    Bundle {
        /// The run's id, or `last`
        id: String,
        /// The file, a ZIP archive
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
        /// Also write what the warehouse's policy keeps here (`vitrine egress`): masked values, rows, and the whole log
        #[arg(long)]
        everything: bool,
    },
    /// Write answers as one HTML file for readers without Vitrine: sentence, chart, rows, conditions, certainty, query
    Report(Box<RunReportArgs>),
    /// Take in a run that was exported elsewhere
    Import {
        /// The file
        file: PathBuf,
    },
    /// Delete a run
    Rm {
        /// The run's id, or `last`
        id: String,
    },
}

/// `vitrine runs report`
#[derive(Debug, Args)]
pub struct RunReportArgs {
    /// The ids of the runs, or `last`
    #[arg(required = true, value_name = "RUN")]
    pub ids: Vec<String>,
    /// The file, FILE.html
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Include the other questions of their threads: earlier ones and follow-ups
    #[arg(long)]
    pub thread: bool,
    /// The title; the first question without it
    #[arg(long, value_name = "TITLE", default_value = "")]
    pub title: String,
    /// Maximum number of rows of each table
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rows: u32,
    /// Also what the privacy settings of the warehouse withhold (`vitrine egress`): masked values and rows
    #[arg(long)]
    pub everything: bool,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
}
