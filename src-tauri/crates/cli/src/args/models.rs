//! The arguments of `vitrine models`.

use clap::{Args, Subcommand};
use std::path::PathBuf;
use vitrine_domain::Agent;
use vitrine_domain::money::parse_usd;

/// `vitrine models`
#[derive(Debug, Subcommand)]
pub enum ModelsCommand {
    /// List models: on this computer, available for download, remote
    List {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Get models; without names the default model and the embedding model
    Pull {
        /// Their ids
        ids: Vec<String>,
    },
    /// Remove a model
    Rm {
        /// Its id
        id: String,
    },
    /// Make a model the default
    Use {
        /// Its id
        id: String,
    },
    /// Show what models cost in a month, by model and agent
    Spending {
        /// The month (UTC) as 2026-11; this one without it
        #[arg(long, value_name = "MONTH")]
        month: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Limit the monthly cost of remote models; questions that would exceed it are refused
    Limit {
        /// US dollars, or none; models without a known price do not count
        #[arg(long, value_name = "USD", value_parser = usd_limit)]
        usd: Option<Limit>,
        /// Tokens of prompts and replies together, or none
        #[arg(long, value_name = "N", value_parser = token_limit)]
        tokens: Option<Limit>,
        /// Only for what one agent asks
        #[arg(long)]
        agent: Option<Agent>,
        /// For one question instead of a month, models of this computer included; its best result so far is the answer then
        #[arg(long)]
        question: bool,
    },
    /// Add a GGUF file of this computer
    Add {
        /// The file; it stays where it is
        file: PathBuf,
    },
    /// Ask a model a few small things, and keep what they tell about it
    Test {
        /// Its id; the default model without it
        id: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the profile of a model, with the source of each line
    Show {
        /// Its id; the default model without it
        id: Option<String>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Say what a model can do; what you say goes before what is declared and what tests found
    Set {
        /// Its id
        id: String,
        /// A line of its profile; NAME= removes your setting
        #[arg(value_name = "NAME=VALUE", required = true)]
        lines: Vec<String>,
    },
    /// Add a model of a provider or of any OpenAI-compatible server, or list what a server has; a key is read from standard
    /// input and kept in the keychain
    Remote(RemoteArgs),
}

/// A limit, or `None` to remove it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(pub Option<u64>);

/// `vitrine models remote`
#[derive(Debug, Args)]
pub struct RemoteArgs {
    /// Its name in Vitrine
    #[arg(required_unless_present = "list", default_value = "", hide_default_value = true)]
    pub id: String,
    /// The server, e.g. http://localhost:11434
    #[arg(long)]
    pub url: String,
    /// Its name on the server; on Azure the deployment's
    #[arg(long, required_unless_present = "list", default_value = "", hide_default_value = true)]
    pub model: String,
    /// List the models that the server has, and what it tells about them
    #[arg(long)]
    pub list: bool,
    /// With --list: print one JSON array
    #[arg(long, requires = "list")]
    pub json: bool,
    /// Whose format the server speaks; other is any OpenAI-compatible server
    #[arg(long, default_value = "other", value_parser = ["openai", "azure", "anthropic", "gemini", "ollama", "lm-studio", "vllm", "other"])]
    pub provider: String,
    /// Tokens that prompt and reply together may take; by default as known for the model
    #[arg(long)]
    pub context: Option<u32>,
    /// Read the API key from standard input
    #[arg(long)]
    pub key: bool,
    /// Do not ask before the first remote model is added
    #[arg(long)]
    pub yes: bool,
}

/// Parses a monthly limit: `none` removes it.
fn parse_limit<T>(text: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, String> {
    if text.eq_ignore_ascii_case("none") { Ok(None) } else { read(text).map(Some) }
}

fn usd_limit(text: &str) -> Result<Limit, String> {
    parse_limit(text, parse_usd).map(Limit)
}

fn token_limit(text: &str) -> Result<Limit, String> {
    parse_limit(text, |text| text.parse().map_err(|_| format!("'{text}' is no number of tokens"))).map(Limit)
}
