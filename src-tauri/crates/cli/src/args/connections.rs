//! Arguments of `vitrine connections`.

use clap::{Args, Subcommand, ValueEnum};
use vitrine_domain::Environment;

/// `vitrine connections`
#[derive(Debug, Subcommand)]
pub enum ConnectionsCommand {
    /// Give a database a name; nothing is connected to. A password in the address goes into the system's keychain
    Add(AddArgs),
    /// List the connections
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Test a connection stage by stage: found, reached, encrypted, signed in to, what can be read, what is not read-only
    Test {
        /// A connection's name, or an address
        #[arg(value_name = "NAME_OR_ADDRESS")]
        connection: String,
        /// Run the conformance suite as well: whether everything works here that Vitrine needs of a database. It reads no table,
        /// writes nothing, ends only sessions of its own, and takes some minutes
        #[arg(long)]
        full: bool,
        /// Print one JSON object; with --full one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Remove a connection with its definitions and its password; the database and the runs on it stay
    Rm {
        /// Its name, or its address
        name: String,
    },
    /// Say whether a connection runs only SQL that was approved, text by text (docs/safety.md)
    Approval {
        /// Its name, or its address
        name: String,
        /// Whether SQL has to be approved
        state: OnOff,
    },
    /// Give a connection another name
    Rename {
        /// Its name, or its address
        name: String,
        /// The new name
        new_name: String,
    },
}

/// `vitrine connections add`
#[derive(Debug, Args)]
pub struct AddArgs {
    /// What to call it; every command takes the name in place of an address
    pub name: String,
    /// sqlite:PATH, duckdb:PATH, file:PATH (data file or folder), postgresql://USER@HOST:PORT/DATABASE, or a path alone
    pub address: String,
    /// What it is for, shown with its colour wherever a question is asked: development, staging, production, or a word and
    /// a colour like audit:violet
    #[arg(long, value_name = "NAME[:COLOUR]")]
    pub environment: Option<Environment>,
    /// A schema that questions may use; may be given several times. Without it all of them
    #[arg(long = "schema", value_name = "NAME")]
    pub schemas: Vec<String>,
    /// Run only SQL that was approved, text by text (docs/safety.md)
    #[arg(long)]
    pub require_approval: bool,
}

/// Whether something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OnOff {
    /// It is.
    On,
    /// It is not.
    Off,
}
