//! Command-line arguments.

mod approvals;
mod audit;
mod bundle;
mod connections;
mod data;
mod definitions;
mod drivers;
mod egress;
mod files;
mod mcp;
mod metrics;
mod models;
mod out;
mod readings;
mod rerun;
mod runs;
mod saved;
mod sources;
mod workspace;

pub use approvals::ApprovalsCommand;
pub use audit::{AuditCommand, Author};
pub use bundle::BundleCommand;
pub use connections::{AddArgs, ConnectionsCommand, LimitArgs, OnOff, ScanLimit};
pub use data::{KeysArgs, PrepareArgs, ProfileArgs, ValuesAction, ValuesArgs};
pub use definitions::{DefineArgs, DefinitionsCommand};
pub use drivers::DriversCommand;
pub use egress::EgressArgs;
pub use files::FilesArgs;
pub use mcp::McpArgs;
pub use metrics::{ExplainMetricArgs, MetricsCommand, MetricsPlace, QueryMetricsArgs};
pub use models::{Limit, ModelsCommand, RemoteArgs};
pub use out::OutArgs;
pub use readings::ReadingsCommand;
pub use rerun::RerunArgs;
pub use runs::{RunReportArgs, RunsCommand};
pub use saved::{
    AddSavedArgs, EditSavedArgs, FormatWord, IntervalWord, SavedCommand, SchedulerWord, TimerCommand, WatchArgs,
    WhichSaved,
};
pub use sources::SourceArgs;
pub use workspace::WorkspaceCommand;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use vitrine_api::eval::{AmbiguityMode, DatabasePattern, GivenSchema};
use vitrine_api::methods::{self, METHODS, SHARED_SWITCHES, parameters};
use vitrine_domain::{Agent, MethodName, MethodSettings, ModelId, ModelPreset, RuleCode, Switch, money::parse_usd};

/// Ask a database in plain language and see how every number was obtained.
#[derive(Debug, Parser)]
#[command(name = "vitrine", version, max_term_width = 100)]
pub struct Cli {
    /// The command to run.
    #[command(subcommand)]
    pub command: Command,
}

/// A part that `--without` disables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExcludedPart {
    /// A switch of the methods.
    Switch(Switch),
    /// A rule, given by its code.
    Rule(RuleCode),
}

impl std::str::FromStr for ExcludedPart {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let Some(rule) = text.strip_prefix("rule:") else { return text.parse().map(Self::Switch) };
        let code = vitrine_api::rule_named(rule);
        code.map(|code| Self::Rule(code.clone()))
            .ok_or_else(|| format!("there is no rule '{rule}': `vitrine rules` lists them"))
    }
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Ask a question and get the answer as a table
    Ask(AskArgs),
    /// Run one read-only query
    Query(QueryArgs),
    /// Say how the result of a query comes about: in words, step by step with the rows of each, and what to ask about it
    Explain(ExplainArgs),
    /// Give databases names, list and test them
    #[command(subcommand)]
    Connections(ConnectionsCommand),
    /// List, give and take back approvals of SQL, for connections that run no other
    #[command(subcommand)]
    Approvals(ApprovalsCommand),
    /// List, add, remove and import the definitions of a database: terms, rules, a text
    #[command(subcommand)]
    Definitions(DefinitionsCommand),
    /// Import, list, check, export and query metrics: numbers that are defined once
    #[command(subcommand)]
    Metrics(MetricsCommand),
    /// List, choose and forget what questions with several readings mean
    #[command(subcommand)]
    Readings(ReadingsCommand),
    /// Show tables, columns, look-alike groups, and how much text the schema is for a model
    Schema(SchemaArgs),
    /// Show the keys that the database does not declare, and confirm or strike them
    Keys(KeysArgs),
    /// Show how CSV and Excel files were read and what was set aside, and say how to read them
    Files(FilesArgs),
    /// Show what the data looks like, column by column
    Profile(ProfileArgs),
    /// Read a warehouse ahead of its first question: profile, stored values, and its schema by the model
    Prepare(PrepareArgs),
    /// Build or search the index of stored values
    Values(ValuesArgs),
    /// List and export what queries ran for a user or were refused, and see whether the record is whole
    #[command(subcommand)]
    Audit(AuditCommand),
    /// List, show, replay and export runs
    #[command(subcommand)]
    Runs(RunsCommand),
    /// Check evidence that `vitrine runs bundle` has written
    #[command(subcommand)]
    Bundle(BundleCommand),
    /// Keep answers: list, show, run and check saved questions, and keep them as files
    #[command(subcommand)]
    Saved(SavedCommand),
    /// Carry history, saved questions, connections, models and settings to another computer, as one file
    #[command(subcommand)]
    Workspace(WorkspaceCommand),
    /// Say what keeps a database from being changed, layer by layer, and how that is known
    Safety {
        /// The warehouse
        uri: String,
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// Show and set which data of a warehouse remote models receive
    Egress(EgressArgs),
    /// List the rules that may change or question a query, with what each may do
    Rules {
        /// Print one JSON array
        #[arg(long)]
        json: bool,
    },
    /// List, pull, remove, choose and test models
    #[command(subcommand)]
    Models(ModelsCommand),
    /// List, get, add and remove drivers of databases: Snowflake's, and any other of ADBC
    #[command(subcommand)]
    Drivers(DriversCommand),
    /// Set up the Python in which ProSPy analyses data, or remove it
    #[command(subcommand)]
    Python(PythonCommand),
    /// Serve an agent over standard input and output by the Model Context Protocol: it may ask, read schemas, query and look at
    /// runs of the warehouses that you name, and change nothing
    Mcp(Box<McpArgs>),
    /// Measure a method on a pack of questions with known answers
    Eval(Box<EvalArgs>),
}

impl Command {
    /// Returns the address of the data, or the connection's name, if the command has one.
    pub fn warehouse_mut(&mut self) -> Option<&mut String> {
        match self {
            // A follow-up is about the data of the earlier run.
            Self::Ask(AskArgs { after: Some(_), warehouse, .. }) if warehouse.is_empty() => None,
            Self::Ask(args) => {
                if args.warehouse.is_empty() {
                    args.warehouse.push(vitrine_api::SAMPLE.to_owned());
                }
                args.warehouse.first_mut()
            }
            Self::Query(args) => args.uri.as_mut(),
            Self::Explain(args) => args.uri.as_mut(),
            Self::Schema(args) => Some(&mut args.uri),
            Self::Keys(args) => args.uri.as_mut(),
            Self::Files(args) => Some(&mut args.uri),
            Self::Safety { uri, .. } => Some(uri),
            Self::Egress(args) => Some(&mut args.uri),
            Self::Profile(args) => Some(&mut args.uri),
            Self::Prepare(args) => Some(&mut args.uri),
            Self::Values(args) => Some(&mut args.uri),
            Self::Connections(_)
            | Self::Approvals(_)
            | Self::Definitions(_)
            | Self::Metrics(_)
            | Self::Readings(_)
            | Self::Rules { .. }
            | Self::Runs(_)
            | Self::Bundle(_)
            | Self::Saved(_)
            | Self::Workspace(_)
            | Self::Audit(_)
            | Self::Models(_)
            | Self::Drivers(_)
            | Self::Python(_)
            | Self::Mcp(_)
            | Self::Eval(_) => None,
        }
    }
}

/// Options for answering questions; the settings supply omitted ones.
#[derive(Debug, Clone, Default, Args)]
pub struct Asking {
    /// The method.
    #[arg(long, value_name = "NAME", value_parser = methods::parse_method_name, help = methods_help())]
    pub strategy: Option<MethodName>,
    /// The model of every agent without its own
    #[arg(long, value_name = "ID")]
    pub model: Option<ModelId>,
    /// The model of one agent: rewriter, linker, explorer, view-generator, exemplar, planner, generator, judge, revisor or
    /// analyst
    #[arg(long = "agent-model", value_name = "AGENT=ID", value_parser = agent_model)]
    pub agent_models: Vec<(Agent, ModelId)>,
    /// Number of final SQL candidates
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub candidates: Option<u32>,
    /// Parts to leave out.
    #[arg(long, value_name = "PARTS", value_delimiter = ',', help = parts_help())]
    pub without: Vec<ExcludedPart>,
    /// Seed of the sampled calls
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Repair rounds
    #[arg(long, value_name = "N")]
    pub rounds: Option<u32>,
    /// Schema tokens in one prompt
    #[arg(long, value_name = "TOKENS")]
    pub budget: Option<u32>,
    /// Seconds that one query may take
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub timeout: Option<u32>,
    /// Seconds after which the best result so far is the answer
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub max_seconds: Option<u32>,
    /// Tokens, of prompts and replies together, after which the best result so far is the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_tokens: Option<u64>,
    /// US dollars after which the best result so far is the answer; models without a known price do not count
    #[arg(long, value_name = "USD", value_parser = max_usd)]
    pub max_usd: Option<u64>,
    /// Which models work for which agents: local (all on this computer), hybrid (a local one reads the schema and writes
    /// views, a large one plans, writes and checks the query) or large; --model and --agent-model go before it
    #[arg(long, value_name = "PRESET")]
    pub models: Option<ModelPreset>,
    /// A parameter of a method, like chase-sql.fixes=1; may be given several times
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = parse_parameter)]
    pub parameters: Vec<(String, String)>,
}

/// `vitrine python`
#[derive(Debug, Subcommand)]
pub enum PythonCommand {
    /// Say whether it is set up, and whether code can be run safely here
    Status {
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Set up an interpreter with pandas, polars, pyarrow and numpy
    Install,
    /// Delete what was set up
    Remove,
}

/// `vitrine ask`
#[derive(Debug, Args)]
pub struct AskArgs {
    /// sqlite:PATH, duckdb:PATH, file:PATH (data file or folder), postgresql://USER@HOST:PORT/DATABASE,
    /// mysql://USER@HOST:PORT/DATABASE, bigquery://PROJECT/DATASET, snowflake://USER@ACCOUNT/DATABASE/SCHEMA,
    /// clickhouse://USER@HOST:PORT/DATABASE, databricks://HOST/WAREHOUSE/CATALOG/SCHEMA, motherduck://REGION/DATABASE,
    /// adbc:DRIVER?uri=..., a path alone, the name of a connection, or `sample`, the default; several as NAME=URI each
    #[arg(long, value_name = "URI")]
    pub warehouse: Vec<String>,
    /// Rows that one table may deliver if several warehouses are joined
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub fetch_rows: Option<u64>,
    /// Complete a follow-up such as "and for 2024?" with the question of this run (its id, or `last`), and ask its database
    #[arg(long, value_name = "RUN", conflicts_with = "estimate")]
    pub after: Option<String>,
    /// Options for answering questions.
    #[command(flatten)]
    pub asking: Asking,
    /// A text file with definitions, formulas or codes that the question relies on
    #[arg(long, value_name = "FILE")]
    pub knowledge: Option<PathBuf>,
    /// Where the result goes.
    #[command(flatten)]
    pub out: OutArgs,
    /// Write every event of the run to a file of JSON lines
    #[arg(long, value_name = "FILE")]
    pub events: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
    /// Say what the question would cost, and do not ask it
    #[arg(long)]
    pub estimate: bool,
    /// Do not end with the best result so far when the time for an answer is over (90 s, see the settings), but show it and
    /// go on
    #[arg(long)]
    pub keep_looking: bool,
    /// Wait until the answer was checked by asking the model again, for 20 s or as long as the answer took
    #[arg(long)]
    pub check: bool,
    /// Pull missing models without asking
    #[arg(long)]
    pub pull: bool,
    /// In plain language; `-` reads it from standard input
    #[arg(required = true, value_name = "QUESTION")]
    pub question: Vec<String>,
}

/// `vitrine query`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct QueryArgs {
    /// The warehouse
    #[arg(required_unless_present = "warehouse", conflicts_with = "warehouse")]
    pub uri: Option<String>,
    /// One query; `-` reads it from standard input. With several warehouses, it names tables as NAME.table, in DuckDB's dialect
    pub sql: String,
    /// Several warehouses instead of one.
    #[command(flatten)]
    pub sources: SourceArgs,
    /// A value for a place that the query leaves open, such as `:year`, or for one of its constants: year=2022
    #[arg(long = "param", value_name = "NAME=VALUE", value_parser = saved::parse_parameter)]
    pub params: Vec<(String, String)>,
    /// Run nothing: print the columns that the result would have and, where the database estimates it, how much would be read
    #[arg(long, conflicts_with_all = ["limit", "csv"])]
    pub dry_run: bool,
    /// Rows to print at most
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: u64,
    /// Let queries of this warehouse call a function of its own from now on, such as `margin` or `sales.margin`
    #[arg(long = "allow-function", value_name = "NAME")]
    pub allow_functions: Vec<String>,
    /// Take that back
    #[arg(long = "disallow-function", value_name = "NAME")]
    pub disallow_functions: Vec<String>,
    /// Where the result goes instead.
    #[command(flatten)]
    pub out: OutArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

/// `vitrine explain`
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub struct ExplainArgs {
    /// The warehouse
    #[arg(required_unless_present = "warehouse", conflicts_with = "warehouse")]
    pub uri: Option<String>,
    /// Several warehouses instead of one.
    #[command(flatten)]
    pub sources: SourceArgs,
    /// One query; `-` reads it from standard input
    pub sql: String,
    /// The question that it answers: says what of it the query does not use, and what the query adds
    #[arg(long)]
    pub question: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `vitrine schema`
#[derive(Debug, Args)]
pub struct SchemaArgs {
    /// The warehouse
    pub uri: String,
    /// Schema tokens in one prompt
    #[arg(long, value_name = "B", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
    /// Print the text that a model would see
    #[arg(long, conflicts_with = "json")]
    pub render: bool,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// `vitrine eval`
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct EvalArgs {
    /// Instead of running a pack.
    #[command(subcommand)]
    pub command: Option<EvalCommand>,
    /// A folder with questions.jsonl and databases/, or with dumps of PostgreSQL databases, or in the layout of Spider,
    /// BIRD or Spider 2.0
    #[arg(required_unless_present = "saved", value_name = "PACK_DIR")]
    pub pack: Option<PathBuf>,
    /// Instead of a pack the saved questions of this warehouse that are verified: a connection's name or an address
    #[arg(long, value_name = "WAREHOUSE", conflicts_with_all = ["pack", "server", "linking"])]
    pub saved: Option<String>,
    /// The PostgreSQL server into which a pack's dumps are loaded, e.g. postgresql://USER@HOST:PORT/DATABASE; needs psql
    #[arg(long, value_name = "URI")]
    pub server: Option<String>,
    /// The connection of a pack's database on a server, by its name or address; may be given several times. DB is the name of a
    /// database, or a pattern such as 'bigquery:*': the connection's login then opens each database under its own name
    #[arg(long = "connection", value_name = "DB=NAME", value_parser = pack_connection, conflicts_with = "saved")]
    pub connections: Vec<(DatabasePattern, String)>,
    /// Options for answering questions.
    #[command(flatten)]
    pub asking: Asking,
    /// Ask only every nth question
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = parse_positive)]
    pub every: usize,
    /// From this question on
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub offset: usize,
    /// Questions at most
    #[arg(long, value_name = "N", value_parser = parse_positive)]
    pub limit: Option<usize>,
    /// Only questions on these databases
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub databases: Vec<String>,
    /// The accepted readings of ambiguous questions: any of them, one of them, or one of them with a simulated person who
    /// chooses between results when asked
    #[arg(long, value_name = "any|one|asked", default_value = "any")]
    pub meaning: AmbiguityMode,
    /// Give the method only a part of the schema: the tables, or the tables and columns, that the gold SQL reads; questions
    /// without gold SQL are left out
    #[arg(long, value_name = "whole|gold-tables|gold-columns", default_value = "whole", conflicts_with = "linking")]
    pub schema: GivenSchema,
    /// Stop each question after selecting the tables and columns that it needs; also works for schemas without data, such
    /// as Spider 2.0-snow
    #[arg(long, conflicts_with_all = ["meaning", "known_failures"])]
    pub linking: bool,
    /// Number of questions to run in parallel
    #[arg(long, value_name = "J", default_value_t = 1, value_parser = parse_positive)]
    pub jobs: usize,
    /// The folder for results and events; without it one below Vitrine's own data
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Go on with what the folder holds; done questions are kept
    #[arg(long)]
    pub resume: bool,
    /// A file of the model's replies: it is asked only what the file does not hold, which is added. Runs that share one
    /// differ by their methods and parts, not by chance; their seconds say nothing
    #[arg(long, value_name = "FILE", conflicts_with = "agent_models")]
    pub replies: Option<PathBuf>,
    /// The folder of another run to compare with
    #[arg(long, value_name = "DIR")]
    pub baseline: Option<PathBuf>,
    /// A list of question ids that are known to fail; written when there is none
    #[arg(long, value_name = "FILE")]
    pub known_failures: Option<PathBuf>,
    /// Options for the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Options for the report of an evaluation.
#[derive(Debug, Clone, Default, Args)]
pub struct ReportArgs {
    /// Write a report with plots as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write what became of each question, with its cost, as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Print one JSON object instead of Markdown
    #[arg(long)]
    pub json: bool,
}

/// Commands on finished evaluations.
#[derive(Debug, Subcommand)]
pub enum EvalCommand {
    /// Put runs over the same questions side by side
    Report {
        /// Runs as NAME=DIR; the last is compared with the first
        #[arg(required = true, value_name = "NAME=DIR", value_parser = named_folder)]
        runs: Vec<(String, PathBuf)>,
        /// Options for the report.
        #[command(flatten)]
        report: ReportArgs,
    },
    /// Measure how sure a model's answers are: fit to every second question of finished runs, measured on the others
    Calibrate {
        /// Folders that evaluations with one model wrote to
        #[arg(required = true, value_name = "DIR")]
        folders: Vec<PathBuf>,
        /// The file for the weights; without it they are kept with the model and used from now on
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
}

fn pack_connection(text: &str) -> Result<(DatabasePattern, String), String> {
    let (pattern, connection) = text.split_once('=').ok_or("write it as DB=NAME")?;
    match connection.trim() {
        "" => Err("the connection's name is missing".to_owned()),
        connection => Ok((pattern.parse()?, connection.to_owned())),
    }
}

fn agent_model(text: &str) -> Result<(Agent, ModelId), String> {
    let (agent, model) = text.split_once('=').ok_or("write it as AGENT=ID")?;
    match model {
        "" => Err("the model's id is missing".to_owned()),
        model => Ok((agent.parse()?, model.to_owned())),
    }
}

/// Returns the help text of `--strategy`: "auto, av-sql, direct or vote; fast is direct".
fn methods_help() -> String {
    let names: Vec<&str> = METHODS.iter().map(|method| method.info.name).collect();
    let listed = match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.concat(),
    };
    format!("{listed}; {}", methods::list_aliases().join(", "))
}

/// Returns the help text of `--without`: shared parts, then the parts of each method.
fn parts_help() -> String {
    let words = |parts: &[Switch]| parts.iter().map(|part| part.as_str()).collect::<Vec<_>>().join(", ");
    let own = METHODS.iter().map(|method| &method.info).filter(|info| !info.switches.is_empty());
    let own: String = own.map(|info| format!(". {}: {}", info.label, words(info.switches))).collect();
    format!(
        "Parts to leave out, for ablations. Any method: {}, and single rules as rule:CODE (`vitrine rules` lists them){own}",
        words(SHARED_SWITCHES)
    )
}

/// Parses a key and a value that [`parameters::set_parameter`] accepts.
fn parse_parameter(text: &str) -> Result<(String, String), String> {
    let (key, value) = text.split_once('=').ok_or("write it as KEY=VALUE, like chase-sql.fixes=1")?;
    let mut settings = MethodSettings::default();
    parameters::set_parameter(&mut settings, key, value)?;
    parameters::check_parameters(&settings)?;
    Ok((key.to_owned(), value.to_owned()))
}

/// Parses a limit in US dollars and returns millionths.
fn max_usd(text: &str) -> Result<u64, String> {
    parse_usd(text)?.checked_sub(1).map(|less| less + 1).ok_or_else(|| "a question cannot cost nothing".to_owned())
}

fn parse_positive(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&n| n > 0).ok_or_else(|| "write a whole number from 1 on".to_owned())
}

fn named_folder(text: &str) -> Result<(String, PathBuf), String> {
    let (name, folder) = text.split_once('=').ok_or("write it as NAME=FOLDER")?;
    Ok((name.to_owned(), folder.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn methods_and_their_parts_are_listed_in_the_help() {
        let mut cli = Cli::command();
        let ask = cli.find_subcommand_mut("ask").unwrap();
        let help =
            |id: &str| ask.get_arguments().find(|arg| arg.get_id() == id).unwrap().get_help().unwrap().to_string();
        for method in METHODS {
            assert!(help("strategy").contains(method.info.name), "{}", method.info.name);
            for part in method.info.switches {
                assert!(help("without").contains(part.as_str()), "{}", part.as_str());
            }
        }
        assert_eq!(
            help("strategy"),
            "auto, av-sql, dsr-sql, chase-sql, reforce, prospy, direct or vote; thorough is av-sql, fast is direct"
        );
        assert_eq!(
            help("without"),
            "Parts to leave out, for ablations. Any method: sql-feedback, name-repair, variants, fitting, \
             respelling, findings, values, linking, compression, judge, certainty, verified, readings, and single rules as rule:CODE \
             (`vitrine rules` lists them). Auto: metrics. AV-SQL: rewriter, planner, revisor, view-feedback. DSR-SQL: exploration, summary, states. CHASE-SQL: divide-and-conquer, \
             query-plan, examples. ReFoRCE: exploration, voting, last-resort. ProSPy: profiling, dsl, python, voting"
        );
    }

    #[test]
    fn the_documented_call_is_understood() {
        let line = "vitrine ask --warehouse sqlite:a.db --strategy direct --model m --agent-model planner=p --agent-model revisor=r \
                    --candidates 3 --without rewriter,view-feedback --knowledge k.txt --seed 7 --csv o.csv --events e.jsonl --json Q";
        let Command::Ask(ask) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else { panic!() };
        assert_eq!(ask.asking.agent_models, [(Agent::Planner, "p".to_owned()), (Agent::Revisor, "r".to_owned())]);
        assert_eq!(
            ask.asking.without,
            [ExcludedPart::Switch(Switch::Rewriter), ExcludedPart::Switch(Switch::ViewFeedback)]
        );
        assert_eq!((ask.asking.strategy, ask.asking.seed, ask.json), (Some(MethodName::from("direct")), Some(7), true));
        assert_eq!(ask.question, ["Q"]);
    }

    #[test]
    fn a_pack_is_run_and_runs_are_reported() {
        let line = "vitrine eval packs/spider --strategy direct --candidates 2 --without planner --every 5 --offset 1 --limit 9 \
                    --databases a,b --jobs 2 --seed 3 --out o --resume --baseline b --known-failures k --html h --json";
        let Command::Eval(eval) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else { panic!() };
        assert_eq!((eval.every, eval.offset, eval.limit, eval.jobs), (5, 1, Some(9), 2));
        assert_eq!(
            (eval.databases.as_slice(), eval.resume, eval.report.json),
            (["a".into(), "b".into()].as_slice(), true, true)
        );
        let line = "vitrine eval report direct=a av-sql=b --html h";
        let Command::Eval(eval) = Cli::try_parse_from(line.split_whitespace()).unwrap().command else { panic!() };
        let Some(EvalCommand::Report { runs, report }) = eval.command else { panic!() };
        assert_eq!((runs.len(), runs[1].0.as_str(), report.html), (2, "av-sql", Some("h".into())));
        for line in ["vitrine eval", "vitrine eval p --every 0", "vitrine eval report", "vitrine eval report folder"] {
            assert!(Cli::try_parse_from(line.split_whitespace()).is_err(), "{line}");
        }
    }

    #[test]
    fn wrong_names_are_refused_with_the_right_ones() {
        for (line, wanted) in [
            ("vitrine ask --strategy best Q", "use auto, av-sql, dsr-sql"),
            ("vitrine ask --without thinking Q", "view-feedback"),
            ("vitrine ask --set chase-sql.fix=1 Q", "chase-sql.fixes"),
            ("vitrine ask --set reforce.votes=0 Q", "choose 1 to 64"),
            ("vitrine ask --agent-model boss=m Q", "view-generator"),
            ("vitrine ask --candidates 0 Q", "1..=16"),
        ] {
            let error = Cli::try_parse_from(line.split_whitespace()).unwrap_err();
            assert_eq!(error.exit_code(), 2);
            assert!(error.to_string().contains(wanted), "{error}");
        }
    }
}
