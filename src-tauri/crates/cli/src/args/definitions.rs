//! Arguments of `vitrine definitions`.

use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `vitrine definitions`
#[derive(Debug, Subcommand)]
pub enum DefinitionsCommand {
    /// List the definitions of a connection
    List {
        /// A connection's name, or an address
        connection: String,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Add a definition, or change your own of that term
    Add(DefineArgs),
    /// Set the text that is given with every question of a connection: units, time zone, what to leave out
    Text {
        /// A connection's name, or an address
        connection: String,
        /// The text, or - to read it from standard input; "" removes it
        text: String,
    },
    /// Remove the definitions of a term
    Rm {
        /// A connection's name, or an address
        connection: String,
        /// The term, in any case
        term: String,
        /// The table or column that it describes, where several definitions have the term
        #[arg(long, value_name = "NAME")]
        subject: Option<String>,
    },
    /// Take definitions over: from a file of dbt (schema.yml or target/manifest.json), else from the database's comments
    Import {
        /// A connection's name, or an address
        connection: String,
        /// The file of dbt
        file: Option<PathBuf>,
        /// Only show what would be taken over
        #[arg(long)]
        dry_run: bool,
        /// Print what is found as one JSON object
        #[arg(long)]
        json: bool,
    },
}

/// `vitrine definitions add`
#[derive(Debug, Args)]
pub struct DefineArgs {
    /// A connection's name, or an address
    pub connection: String,
    /// The term as people use it, such as "active customer"
    pub term: String,
    /// The meaning; optional with a condition or a synonym
    #[arg(required_unless_present_any = ["condition", "synonyms"], default_value = "", hide_default_value = true)]
    pub meaning: String,
    /// Another word for the same; may be given several times
    #[arg(long = "synonym", value_name = "WORD")]
    pub synonyms: Vec<String>,
    /// The condition in SQL that says the same
    #[arg(long, value_name = "SQL")]
    pub condition: Option<String>,
    /// The table or column that it is about
    #[arg(long = "of", value_name = "TABLE")]
    pub subject: Option<String>,
    /// Apply to every question that reads the table of --of: rows that do not meet the condition are excluded. Without a
    /// condition, the values --synonym of the column --of are read as the value TERM
    #[arg(long, requires = "subject")]
    pub always: bool,
}
