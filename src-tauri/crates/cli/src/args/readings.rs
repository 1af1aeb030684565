//! Arguments of `vitrine readings`.

use clap::Subcommand;

/// `vitrine readings`
#[derive(Debug, Subcommand)]
pub enum ReadingsCommand {
    /// List what you chose questions of a database to mean, the latest first
    List {
        /// A connection's name, or an address
        connection: String,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Choose another reading of a run's question: its own query answers, no model is asked, and it is remembered
    Choose {
        /// The run that offered them: its id, the beginning of it, or last
        run: String,
        /// The number of the reading; without one they are listed
        number: Option<u32>,
    },
    /// Forget a choice: the question is asked as if nothing had been chosen
    Forget {
        /// A connection's name, or an address
        connection: String,
        /// The question, as listed
        question: String,
    },
}
