//! The arguments of `vitrine egress`.

use clap::Args;
use vitrine_domain::EgressLevel;

/// `vitrine egress`
#[derive(Debug, Args)]
pub struct EgressArgs {
    /// The warehouse
    pub uri: String,
    /// The data that remote models may receive: names, comments, profile, samples or results, each with those before it
    #[arg(long, value_name = "LEVEL")]
    pub level: Option<EgressLevel>,
    /// Mask a column; may be given several times
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub mask: Vec<String>,
    /// Tell a column although it looks personal; may be given several times
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub allow: Vec<String>,
    /// Undo --mask or --allow of a column; may be given several times
    #[arg(long, value_name = "TABLE.COLUMN")]
    pub unset: Vec<String>,
    /// Mask columns that look personal, or send them
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    pub mask_personal: Option<bool>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

fn yes_or_no(text: &str) -> Result<bool, String> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("say yes or no".to_owned()),
    }
}
