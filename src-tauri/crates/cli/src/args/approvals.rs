//! Arguments of `vitrine approvals`.

use clap::Subcommand;

/// `vitrine approvals`
#[derive(Debug, Subcommand)]
pub enum ApprovalsCommand {
    /// List the approvals of a connection that hold, the latest first
    List {
        /// A connection's name, or its address
        connection: String,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show a query as it would run and approve it for a connection: this text and no other
    Add {
        /// A connection's name, or its address
        connection: String,
        /// The query, or - to read it from standard input
        sql: String,
        /// Approve without being asked, if the text as it would run has this hash
        #[arg(long, value_name = "HASH")]
        sha256: Option<String>,
    },
    /// Take an approval back
    Revoke {
        /// A connection's name, or its address
        connection: String,
        /// The hash of the text, or its beginning
        hash: String,
    },
}
