//! Questions, their settings and their interpretation: agents, switches, budgets, rewritten questions, selections.

use crate::money::format_usd;
use crate::{Cap, MethodName, MethodSettings, RuleCode, TableName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// The name of a model in the catalogue (`qwen2.5-coder-1.5b`) or at a remote connection (`openai:gpt-4.1`).
pub type ModelId = String;

/// The agents, which call models: AV-SQL's (paper, section 3.3) and additional ones of other methods. Baselines use
/// only the generator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Agent {
    /// Makes task, outputs, filters and order explicit (4.2).
    Rewriter,
    /// Writes views and a selection for one schema chunk (4.3).
    ViewGenerator,
    /// Plans the final query (4.4).
    Planner,
    /// Writes the final query (4.4).
    Generator,
    /// Verifies the final query (4.4).
    Revisor,
    /// Compares two results (CHASE-SQL, 3.5).
    Judge,
    /// Selects the relevant tables and columns (ReFoRCE, 3.2.1; DSR-SQL, 3.2.2; ProSPy, 3.2).
    Linker,
    /// Writes probing queries and summarizes their results (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
    Explorer,
    /// Writes example questions with their queries (CHASE-SQL, 3.3).
    Exemplar,
    /// Analyses fetched views (ProSPy, 3.4).
    Analyst,
    /// Writes further queries after the answer, to estimate its certainty.
    Assessor,
}

impl Agent {
    /// All agents in the order of a run.
    pub const ALL: [Agent; 11] = [
        Agent::Rewriter,
        Agent::Linker,
        Agent::Explorer,
        Agent::ViewGenerator,
        Agent::Exemplar,
        Agent::Planner,
        Agent::Generator,
        Agent::Judge,
        Agent::Revisor,
        Agent::Analyst,
        Agent::Assessor,
    ];

    /// Returns the name on the command line and in reports.
    pub fn as_str(self) -> &'static str {
        match self {
            Agent::Rewriter => "rewriter",
            Agent::ViewGenerator => "view-generator",
            Agent::Planner => "planner",
            Agent::Generator => "generator",
            Agent::Revisor => "revisor",
            Agent::Judge => "judge",
            Agent::Linker => "linker",
            Agent::Explorer => "explorer",
            Agent::Exemplar => "exemplar",
            Agent::Analyst => "analyst",
            Agent::Assessor => "assessor",
        }
    }
}

impl std::str::FromStr for Agent {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Agent::ALL
            .into_iter()
            .find(|a| a.as_str() == text)
            .ok_or_else(|| format!("unknown agent '{text}': use {}", Agent::ALL.map(Agent::as_str).join(", ")))
    }
}

/// Parts of methods that can be disabled for an ablation, as in the papers' tables. A part that methods share has one
/// switch. The documentation of a variant describes the run without the part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// No rewriting of the question.
    Rewriter,
    /// No plan of the query.
    Planner,
    /// No revision of the query.
    Revisor,
    /// No execution feedback on views.
    ViewFeedback,
    /// No execution feedback on the final SQL: no new attempt after an error, no fixer, no self-refinement.
    SqlFeedback,
    /// No repair of unbound names, and no changes by safe rules.
    NameRepair,
    /// No query variants by rules, neither `Fitting` nor `Respelling`.
    Variants,
    /// No variant that matches the question more closely.
    Fitting,
    /// No variant that replaces text constants by their stored spelling.
    Respelling,
    /// No findings about a query that runs.
    Findings,
    /// No comparison of two results.
    Judge,
    /// Look-alike tables are not merged and empty columns not omitted (DSR-SQL's SKR, ReFoRCE).
    Compression,
    /// No selection of tables and columns (DSR-SQL's ASS, ReFoRCE, ProSPy's pruning).
    Linking,
    /// No probing queries (half of DSR-SQL's SAA, ReFoRCE's column exploration).
    Exploration,
    /// No summary of the results of probing queries (the other half of DSR-SQL's SAA).
    Summary,
    /// The query is written at once instead of step by step (DSR-SQL's GSE).
    States,
    /// No stored values (CHASE-SQL's value retrieval).
    Values,
    /// CHASE-SQL without its first generator.
    DivideAndConquer,
    /// CHASE-SQL without its second generator.
    QueryPlan,
    /// CHASE-SQL without its third generator.
    Examples,
    /// One candidate instead of a vote among several (ReFoRCE, ProSPy's analysis in SQL).
    Voting,
    /// No answer if no result wins the vote, instead of the first leading one (ReFoRCE's random selection).
    LastResort,
    /// No profile of the data (ProSPy).
    Profiling,
    /// Views are written as SQL (ProSPy).
    Dsl,
    /// The analysis is written as SQL (ProSPy).
    Python,
    /// No further queries after the answer to estimate its certainty.
    Certainty,
    /// No verified questions of the user as examples.
    Verified,
    /// No alternative interpretations of ambiguous questions. Interpretations that the user chose earlier are ignored.
    Readings,
    /// No answers by metrics.
    Metrics,
}

impl Switch {
    /// All switches in their declared order.
    pub const ALL: [Switch; 29] = [
        Switch::Rewriter,
        Switch::Planner,
        Switch::Revisor,
        Switch::ViewFeedback,
        Switch::SqlFeedback,
        Switch::NameRepair,
        Switch::Variants,
        Switch::Fitting,
        Switch::Respelling,
        Switch::Findings,
        Switch::Judge,
        Switch::Compression,
        Switch::Linking,
        Switch::Exploration,
        Switch::Summary,
        Switch::States,
        Switch::Values,
        Switch::DivideAndConquer,
        Switch::QueryPlan,
        Switch::Examples,
        Switch::Voting,
        Switch::LastResort,
        Switch::Profiling,
        Switch::Dsl,
        Switch::Python,
        Switch::Certainty,
        Switch::Verified,
        Switch::Readings,
        Switch::Metrics,
    ];

    /// Returns the name on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Switch::Rewriter => "rewriter",
            Switch::Planner => "planner",
            Switch::Revisor => "revisor",
            Switch::ViewFeedback => "view-feedback",
            Switch::SqlFeedback => "sql-feedback",
            Switch::NameRepair => "name-repair",
            Switch::Variants => "variants",
            Switch::Fitting => "fitting",
            Switch::Respelling => "respelling",
            Switch::Findings => "findings",
            Switch::Judge => "judge",
            Switch::Compression => "compression",
            Switch::Linking => "linking",
            Switch::Exploration => "exploration",
            Switch::Summary => "summary",
            Switch::States => "states",
            Switch::Values => "values",
            Switch::DivideAndConquer => "divide-and-conquer",
            Switch::QueryPlan => "query-plan",
            Switch::Examples => "examples",
            Switch::Voting => "voting",
            Switch::LastResort => "last-resort",
            Switch::Profiling => "profiling",
            Switch::Dsl => "dsl",
            Switch::Python => "python",
            Switch::Certainty => "certainty",
            Switch::Verified => "verified",
            Switch::Readings => "readings",
            Switch::Metrics => "metrics",
        }
    }
}

impl std::str::FromStr for Switch {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Switch::ALL.into_iter().find(|s| s.as_str() == text).ok_or_else(|| {
            let names = Switch::ALL.map(Switch::as_str);
            format!("cannot go without '{text}': use {}", names.join(", "))
        })
    }
}

/// Limits of a question. When the first limit is reached, no further model calls start and the best result so far
/// becomes the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// Maximum time in seconds, without the time that the run waits for the user.
    pub seconds: Option<u32>,
    /// Maximum number of tokens in prompts and replies together, cached prefixes included. A call may not request more
    /// tokens than remain; the size of its prompt is estimated conservatively.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// Maximum cost in millionths of a US dollar, checked like `tokens`. Calls with an unknown price do not count.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl Budget {
    /// Checks that no limit is zero.
    ///
    /// # Errors
    /// Returns a message for users.
    pub fn check_limits(&self) -> Result<(), String> {
        if self.seconds == Some(0) || self.tokens == Some(0) || self.money == Some(0) {
            return Err("A question cannot cost nothing: raise its limit, or set none".to_owned());
        }
        Ok(())
    }

    /// Returns true if nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        *self == Self::default()
    }
}

impl std::fmt::Display for Budget {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let limits: Vec<String> = [
            self.seconds.map(|seconds| format!("{seconds} s")),
            self.tokens.map(|tokens| format!("{tokens} tokens")),
            self.money.map(format_usd),
        ]
        .into_iter()
        .flatten()
        .collect();
        f.write_str(&if limits.is_empty() { "anything".to_owned() } else { limits.join(" or ") })
    }
}

/// The settings of a run. They are recorded with it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct AskSettings {
    /// The method that answers the question.
    pub strategy: MethodName,
    /// The model of all agents without an entry in `agent_models`; `None` means the app's default model.
    pub model: Option<ModelId>,
    /// Models of single agents, instead of `model`.
    pub agent_models: BTreeMap<Agent, ModelId>,
    /// Number of final SQL candidates, from 1 to 16 (paper, RQ3).
    pub candidates: u32,
    /// Switches of the parts that are disabled.
    pub without: Vec<Switch>,
    /// Codes of the rules that are disabled.
    pub without_rules: Vec<RuleCode>,
    /// The seed of every sampled call.
    #[specta(type = f64)]
    pub seed: u64,
    /// Maximum number of repair rounds, the paper's T_max.
    pub max_rounds: u32,
    /// Chunk budget in tokens, the paper's B; `None` uses the model's own.
    pub chunk_budget: Option<u32>,
    /// Edit-distance threshold of value retrieval, from 0 to 1 (paper: 0.5).
    pub edit_threshold: f64,
    /// Semantic threshold of value retrieval, from 0 to 1 (paper: 0.5).
    pub semantic_threshold: f64,
    /// Maximum number of rows in a result page.
    #[specta(type = f64)]
    pub row_limit: u64,
    /// Timeout of a database query in seconds.
    pub timeout_s: u32,
    /// The limits of the whole question.
    pub budget: Budget,
    /// Limits of single agents. When an agent reaches its limit, no further model calls start.
    pub agent_budgets: BTreeMap<Agent, Cap>,
    /// Seconds until the user gets the best result so far and decides whether the run continues; 0 means never.
    pub answer_within_s: u32,
    /// True if the user is asked for the intended interpretation when no result has a majority.
    pub ask_when_unsure: bool,
    /// Parameters of methods; missing ones have their defaults.
    pub methods: MethodSettings,
}

impl Default for AskSettings {
    fn default() -> Self {
        Self {
            strategy: MethodName::default(),
            model: None,
            agent_models: BTreeMap::new(),
            candidates: 8,
            without: Vec::new(),
            without_rules: Vec::new(),
            seed: 42,
            max_rounds: 5,
            chunk_budget: None,
            edit_threshold: 0.5,
            semantic_threshold: 0.5,
            row_limit: 10_000,
            timeout_s: 60,
            budget: Budget::default(),
            agent_budgets: BTreeMap::new(),
            answer_within_s: 0,
            ask_when_unsure: false,
            methods: MethodSettings::default(),
        }
    }
}

impl AskSettings {
    /// Returns true if the rule with this code is enabled.
    pub fn with_rule(&self, code: &str) -> bool {
        !self.without_rules.iter().any(|off| off.eq_ignore_ascii_case(code))
    }

    /// Returns true if the switch is on.
    pub fn is_enabled(&self, part: Switch) -> bool {
        !self.without.contains(&part)
    }
}

/// The question in explicit form (AV-SQL, section 4.2): task, required outputs, filters, sorting and limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewrittenQuestion {
    /// The task in one sentence.
    pub task: String,
    /// The content of each output column, in order.
    pub outputs: Vec<String>,
    /// Filters and constraints, one sentence each.
    pub filters: Vec<String>,
    /// Sorting and limit; empty if the question requires none.
    pub ordering: String,
    /// The sort direction, if the rewriter states it separately.
    #[serde(default)]
    pub direction: Direction,
    /// Number of rows to keep, if the rewriter states it separately; 0 means all.
    #[serde(default)]
    pub rows: u32,
    /// True if all rows that tie with the last one are kept.
    #[serde(default)]
    pub ties: bool,
}

/// The sort direction of a result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The smallest value comes first.
    Ascending,
    /// The largest value comes first.
    Descending,
    /// The result needs no order.
    #[default]
    None,
}

/// Tables and columns selected as relevant (AV-SQL, section 4.3, the JSON selection).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SchemaSelection {
    /// The selected tables, each with its columns.
    pub tables: Vec<SelectedTable>,
}

/// A selected table with its selected columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SelectedTable {
    /// The table's name as queries write it.
    pub name: String,
    /// Names of the selected columns.
    pub columns: Vec<String>,
}

/// Formats as `table(column, column)`, or as the name alone if no column is selected, such as for a table that only
/// joins others.
impl std::fmt::Display for SelectedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.columns.as_slice() {
            [] => f.write_str(&self.name),
            columns => write!(f, "{}({})", self.name, columns.join(", ")),
        }
    }
}

impl SchemaSelection {
    /// Returns true if nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Adds a table or one of its columns, without duplicates; names are compared ignoring case.
    pub fn add(&mut self, table: &str, column: Option<&str>) {
        let entry = match self.tables.iter_mut().position(|t| t.name.eq_ignore_ascii_case(table)) {
            Some(index) => &mut self.tables[index],
            None => {
                self.tables.push(SelectedTable { name: table.to_owned(), columns: Vec::new() });
                self.tables.last_mut().expect("just pushed")
            }
        };
        if let Some(column) = column
            && !entry.columns.iter().any(|c| c.eq_ignore_ascii_case(column))
        {
            entry.columns.push(column.to_owned());
        }
    }

    /// Adds all tables and columns of another selection.
    pub fn merge_selection(&mut self, other: &SchemaSelection) {
        for table in &other.tables {
            self.add(&table.name, None);
            for column in &table.columns {
                self.add(&table.name, Some(column));
            }
        }
    }

    /// Returns true if the table (and the column, if given) is selected.
    pub fn contains(&self, table: &TableName, column: Option<&str>) -> bool {
        let full = table.to_string();
        self.tables
            .iter()
            .filter(|t| t.name.eq_ignore_ascii_case(&full) || t.name.eq_ignore_ascii_case(&table.name))
            .any(|t| column.is_none_or(|c| t.columns.iter().any(|x| x.eq_ignore_ascii_case(c))))
    }
}
