//! The arguments of `vitrine saved`.

use super::OutArgs;
use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use vitrine_api::SavedStatus;

/// `vitrine saved`
#[derive(Debug, Subcommand)]
pub enum SavedCommand {
    /// List saved questions, the last changed first
    List {
        /// Which
        #[command(flatten)]
        which: WhichSaved,
        /// Also say what has changed of the tables and columns that each uses; opens their databases
        #[arg(long)]
        drift: bool,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show a saved question: query, readings, who has checked it, and what has changed of its schema
    Show {
        /// Its title, or its id
        saved: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Save the answer of a run, or a query of your own
    Add(AddSavedArgs),
    /// Change a saved question. Another query makes it a draft again
    Edit(EditSavedArgs),
    /// Run the query of a saved question
    Run {
        /// Its title, or its id
        saved: String,
        /// Another value for a constant of its query, such as `year=2024`; may be given several times. `saved show` lists them
        #[arg(long = "param", value_name = "NAME=VALUE", value_parser = parse_parameter)]
        params: Vec<(String, String)>,
        /// Rows to print at most
        #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
        limit: u64,
        /// Where the result goes instead.
        #[command(flatten)]
        out: OutArgs,
        /// Print one JSON object instead of a table
        #[arg(long)]
        json: bool,
    },
    /// Say that you have checked a saved question. What is verified is run, and its result is kept to be compared later
    Verify {
        /// Its title, or its id
        saved: String,
        /// The result of the check
        #[arg(long = "as", value_name = "STATUS", default_value = "verified")]
        status: StatusWord,
        /// Who has checked it; the name of your account without it
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
    },
    /// Write saved questions as files below a folder, one SQL file each, to be kept under version control
    Export {
        /// The folder
        #[arg(value_name = "FOLDER")]
        root: PathBuf,
        /// Which
        #[command(flatten)]
        which: WhichSaved,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Take in saved questions from such a folder, or from one file
    Import {
        /// The folder or the file
        path: PathBuf,
        /// Also take in what was changed here later than the file says
        #[arg(long)]
        overwrite: bool,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Delete a saved question; its run stays
    Rm {
        /// Its title, or its id
        saved: String,
    },
}

/// A selection of saved questions.
#[derive(Debug, Clone, Default, Args)]
pub struct WhichSaved {
    /// Only questions with these words in title, question, query, notes, folder or tags
    #[arg(long, value_name = "WORDS", default_value = "")]
    pub search: String,
    /// Only questions in this folder, or below it
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<String>,
    /// Only questions with this tag
    #[arg(long, value_name = "TAG")]
    pub tag: Option<String>,
    /// Only questions with this status
    #[arg(long, value_name = "STATUS")]
    pub status: Option<StatusWord>,
    /// Only questions of this warehouse: a connection's name or an address
    #[arg(long, value_name = "WAREHOUSE")]
    pub warehouse: Option<String>,
}

/// `vitrine saved add`
#[derive(Debug, Args)]
pub struct AddSavedArgs {
    /// The run whose answer is saved: its id, or `last`
    #[arg(long, value_name = "RUN", conflicts_with_all = ["warehouse", "sql"], required_unless_present = "sql")]
    pub run: Option<String>,
    /// The warehouse of a query of your own
    #[arg(long, value_name = "WAREHOUSE", requires = "sql")]
    pub warehouse: Option<String>,
    /// That query; `-` reads it from standard input
    #[arg(long, value_name = "SQL", requires = "warehouse")]
    pub sql: Option<String>,
    /// The question that it answers; a run has its own
    #[arg(long, value_name = "QUESTION")]
    pub question: Option<String>,
    /// Its title; the question without it
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// A folder, such as Sales/Monthly
    #[arg(long, value_name = "FOLDER", default_value = "")]
    pub folder: String,
    /// A tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Remarks
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub notes: String,
}

/// `vitrine saved edit`
#[derive(Debug, Args)]
pub struct EditSavedArgs {
    /// Its title, or its id
    pub saved: String,
    /// Another query; `-` reads it from standard input
    #[arg(long, value_name = "SQL")]
    pub sql: Option<String>,
    /// Another question
    #[arg(long, value_name = "QUESTION")]
    pub question: Option<String>,
    /// Another title
    #[arg(long, value_name = "TITLE")]
    pub title: Option<String>,
    /// Another folder; an empty one is the top
    #[arg(long, value_name = "FOLDER")]
    pub folder: Option<String>,
    /// Add a tag; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// Take a tag away; may be given several times
    #[arg(long = "untag", value_name = "TAG")]
    pub untags: Vec<String>,
    /// Other remarks
    #[arg(long, value_name = "TEXT")]
    pub notes: Option<String>,
    /// Constants of its query that the window asks for when it is run, by name, instead of those so far; `none` asks for none
    #[arg(long = "ask-for", value_name = "NAME")]
    pub ask_for: Vec<String>,
}

/// Parses a parameter in the form `NAME=VALUE`.
pub(super) fn parse_parameter(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

/// The review status of a saved question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StatusWord {
    /// Not reviewed yet.
    Draft,
    /// A user has read the query.
    Reviewed,
    /// The numbers were checked.
    Verified,
}

impl From<StatusWord> for SavedStatus {
    fn from(word: StatusWord) -> Self {
        match word {
            StatusWord::Draft => Self::Draft,
            StatusWord::Reviewed => Self::Reviewed,
            StatusWord::Verified => Self::Verified,
        }
    }
}
