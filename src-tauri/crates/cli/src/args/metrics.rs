//! Arguments of `vitrine metrics`.

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;
use vitrine_api::metric_definitions::Comparison;

/// `vitrine metrics`
#[derive(Debug, Subcommand)]
pub enum MetricsCommand {
    /// Take metrics over from files: semantic_manifest.json of MetricFlow, YAML of dbt, Cube or Snowflake
    Import {
        /// The files; metrics may use measures of another file
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        place: MetricsPlace,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List metrics and the dimensions by which they can be grouped
    List {
        #[command(flatten)]
        place: MetricsPlace,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Show the definition of a metric, and its dimensions
    Show {
        /// The name of the metric
        name: String,
        #[command(flatten)]
        place: MetricsPlace,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Check that every metric fits the database
    Check {
        #[command(flatten)]
        place: MetricsPlace,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write all metrics as YAML of dbt and MetricFlow
    Export {
        #[command(flatten)]
        place: MetricsPlace,
        /// The file; standard output without it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Compute metrics by dimensions
    Query(Box<QueryMetricsArgs>),
    /// Explain why a metric changed between two periods, or differs between two groups
    Explain(Box<ExplainMetricArgs>),
}

/// The database and the file of its metrics.
#[derive(Debug, Clone, Args)]
pub struct MetricsPlace {
    /// A connection's name, or an address
    #[arg(long, value_name = "WAREHOUSE", default_value = vitrine_api::SAMPLE)]
    pub warehouse: String,
    /// A file of metrics to use instead of the connection's own
    #[arg(long, value_name = "YAML")]
    pub file: Option<PathBuf>,
}

/// `vitrine metrics query`
#[derive(Debug, Args)]
pub struct QueryMetricsArgs {
    #[command(flatten)]
    pub place: MetricsPlace,
    /// The metrics, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',', required = true)]
    pub metrics: Vec<String>,
    /// The dimensions to group by, separated by commas: store__region, metric_time__month
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub by: Vec<String>,
    /// A condition on dimensions or metrics, such as "store__region = 'EU'"; may be given several times
    #[arg(long = "where", value_name = "CONDITION")]
    pub filters: Vec<String>,
    /// The first day, such as 2024-01-01
    #[arg(long, value_name = "DAY")]
    pub from: Option<String>,
    /// The last day
    #[arg(long, value_name = "DAY")]
    pub to: Option<String>,
    /// Add the values of an earlier period and the changes
    #[arg(long, value_name = "PERIOD")]
    pub compare: Option<Compare>,
    /// Add each value's share of the total, or of its period's total
    #[arg(long)]
    pub share: bool,
    /// Add running totals over time
    #[arg(long)]
    pub running_total: bool,
    /// The order: names separated by commas, with - in front or desc after them for descending order
    #[arg(long, value_name = "NAMES", value_delimiter = ',', allow_hyphen_values = true)]
    pub order: Vec<String>,
    /// Maximum number of rows
    #[arg(long, value_name = "N")]
    pub limit: Option<u32>,
    /// Print the SQL without executing it
    #[arg(long)]
    pub sql: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `vitrine metrics explain`
#[derive(Debug, Args)]
pub struct ExplainMetricArgs {
    #[command(flatten)]
    pub place: MetricsPlace,
    /// The metric
    #[arg(long, value_name = "NAME")]
    pub metric: String,
    /// The first period: 2024, 2024-Q1, 2024-03, 2024-03-15 or 2024-03-01..2024-03-15
    #[arg(long, value_name = "PERIOD", requires = "to", conflicts_with = "between")]
    pub from: Option<String>,
    /// The second period
    #[arg(long, value_name = "PERIOD", requires = "from")]
    pub to: Option<String>,
    /// Two values of a dimension to compare instead of periods: store__region=North,South. An empty value means none
    #[arg(long, value_name = "DIMENSION=A,B", required_unless_present = "from")]
    pub between: Option<String>,
    /// The period of --between
    #[arg(long, value_name = "PERIOD", requires = "between")]
    pub during: Option<String>,
    /// The dimensions that may explain the change, separated by commas; categories with few values without it
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub by: Vec<String>,
    /// A condition on dimensions for both sides; may be given several times
    #[arg(long = "where", value_name = "CONDITION")]
    pub filters: Vec<String>,
    /// Maximum number of listed values of each dimension; the others are added up
    #[arg(long, value_name = "N")]
    pub members: Option<u32>,
    /// Print the SQL, and the estimated bytes if the database bills them, without executing it
    #[arg(long)]
    pub sql: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The earlier period of `--compare`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Compare {
    /// The period before
    PreviousPeriod,
    /// The same period of the year before
    PreviousYear,
}

impl From<Compare> for Comparison {
    fn from(compare: Compare) -> Self {
        match compare {
            Compare::PreviousPeriod => Self::PreviousPeriod,
            Compare::PreviousYear => Self::PreviousYear,
        }
    }
}
