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
        #[arg(required_unless_present = "due", conflicts_with = "due")]
        saved: Option<String>,
        /// Run the watched questions that are due instead; a timer does this (`saved timer`)
        #[arg(long, conflicts_with_all = ["params", "limit", "csv", "out"])]
        due: bool,
        /// With --due, also what becomes due until this time, such as 2026-12-01T08:00; the schedule does not change
        #[arg(long, value_name = "TIME", requires = "due")]
        until: Option<String>,
        /// With --due, show no notification on the desktop
        #[arg(long, requires = "due")]
        no_notify: bool,
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
    /// Run a saved question by a schedule and say when its result changes; list what is watched
    Watch(Box<WatchArgs>),
    /// Install or remove the timer of this computer that runs what is watched
    #[command(subcommand)]
    Timer(TimerCommand),
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

/// `vitrine saved watch`
#[derive(Debug, Args)]
pub struct WatchArgs {
    /// Its title, or its id
    #[arg(required_unless_present = "list", conflicts_with = "list")]
    pub saved: Option<String>,
    /// The interval between runs
    #[arg(long, value_name = "INTERVAL", required_unless_present_any = ["list", "remove"])]
    pub every: Option<IntervalWord>,
    /// The local time of a daily or weekly run
    #[arg(long, value_name = "HH:MM", value_parser = parse_time, requires = "every")]
    pub at: Option<u16>,
    /// The day of a weekly run; Monday without it
    #[arg(long, value_name = "DAY", requires = "every")]
    pub on: Option<DayWord>,
    /// Say when its number rises above N
    #[arg(long, value_name = "N", group = "alert", requires = "every", allow_negative_numbers = true)]
    pub above: Option<String>,
    /// Say when its number falls below N
    #[arg(long, value_name = "N", group = "alert", requires = "every", allow_negative_numbers = true)]
    pub below: Option<String>,
    /// Say when its result changes, which is usual
    #[arg(long, group = "alert", requires = "every")]
    pub changed: bool,
    /// The column of the number, if it has several
    #[arg(long, value_name = "NAME", requires = "alert", conflicts_with = "changed")]
    pub column: Option<String>,
    /// Write each result to a file in this folder
    #[arg(long, value_name = "FOLDER", requires = "every")]
    pub to: Option<PathBuf>,
    /// The format of the files; a workbook without it
    #[arg(long, value_name = "FORMAT", requires = "to")]
    pub format: Option<FormatWord>,
    /// Stop watching it
    #[arg(long, conflicts_with_all = ["every", "list"])]
    pub remove: bool,
    /// List what is watched, with the next and the last run of each
    #[arg(long)]
    pub list: bool,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// `vitrine saved timer`
#[derive(Debug, Subcommand)]
pub enum TimerCommand {
    /// Start `vitrine saved run --due` every five minutes by this computer's scheduler
    Install {
        /// Print the files and commands, and change nothing
        #[arg(long)]
        print: bool,
        /// The scheduler whose files are printed; that of this computer without it
        #[arg(long, value_name = "SCHEDULER", requires = "print")]
        scheduler: Option<SchedulerWord>,
    },
    /// Remove the timer
    Remove {
        /// Print the files and commands, and change nothing
        #[arg(long)]
        print: bool,
    },
}

/// The interval between runs of a watched question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum IntervalWord {
    /// At every full hour.
    Hour,
    /// Once a day.
    Day,
    /// Once a week.
    Week,
}

/// A day of the week.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DayWord {
    /// The first day.
    Monday,
    /// The second day.
    Tuesday,
    /// The third day.
    Wednesday,
    /// The fourth day.
    Thursday,
    /// The fifth day.
    Friday,
    /// The sixth day.
    Saturday,
    /// The seventh day.
    Sunday,
}

/// The format of the files of a watched question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FormatWord {
    /// An Excel workbook.
    Xlsx,
    /// A report as an HTML file.
    Html,
    /// Comma-separated values.
    Csv,
}

/// A scheduler of an operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchedulerWord {
    /// Linux.
    Systemd,
    /// macOS.
    Launchd,
    /// Windows.
    TaskScheduler,
}

/// Parses a time of day as minutes after midnight.
fn parse_time(text: &str) -> Result<u16, String> {
    let (hours, minutes) = text.trim().split_once(':').ok_or("write it as HH:MM, such as 08:00")?;
    let number = |part: &str, below: u16| part.parse().ok().filter(|n: &u16| part.len() <= 2 && *n < below);
    match (number(hours, 24), number(minutes, 60)) {
        (Some(hours), Some(minutes)) => Ok(hours * 60 + minutes),
        _ => Err("there is no such time of day".to_owned()),
    }
}
