//! What a person asks, how the asking is set up, and how the question is understood.

use crate::money::format_usd;
use crate::{Cap, MethodName, MethodSettings, TableName};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use specta::Type;
use std::collections::BTreeMap;

/// A model's name in the catalogue (`qwen2.5-coder-1.5b`) or of a remote connection (`openai:gpt-4.1`).
pub type ModelId = String;

/// Who asks a model: the agents of AV-SQL (paper, section 3.3), and those that other methods have besides. The
/// baseline's one agent is the generator.
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
    /// Says which tables and columns matter (ReFoRCE, 3.2.1; DSR-SQL, 3.2.2; ProSPy, 3.2).
    Linker,
    /// Writes probing queries and says what they show (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3).
    Explorer,
    /// Writes example questions with their queries (CHASE-SQL, 3.3).
    Exemplar,
    /// Analyses fetched views (ProSPy, 3.4).
    Analyst,
    /// Writes further queries behind the answer, to see whether they give the same.
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

    /// Its name on the command line and in reports.
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

/// Parts that can be switched off for an ablation, as in the papers' tables. What two methods share has one switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, Type)]
#[serde(rename_all = "kebab-case")]
pub enum Switch {
    /// No question rewriting.
    Rewriter,
    /// No plan.
    Planner,
    /// No revision.
    Revisor,
    /// No execution feedback on views.
    ViewFeedback,
    /// No execution feedback on the final SQL: what fails is not asked for again, no fixer, no self-refinement.
    SqlFeedback,
    /// Names that do not bind are not repaired, and safe rules change nothing.
    NameRepair,
    /// No second query beside the one that was written, neither a fitted nor a respelt one.
    Variants,
    /// No second query that fits better to what the question says.
    Fitting,
    /// No second query whose texts are spelt as they are stored.
    Respelling,
    /// No findings about a query that runs.
    Findings,
    /// No comparison of two results.
    Judge,
    /// Look-alike tables are not merged, empty columns not left out (DSR-SQL's SKR, ReFoRCE).
    Compression,
    /// No selection of tables and columns (DSR-SQL's ASS, ReFoRCE, ProSPy's pruning).
    Linking,
    /// No probing queries (half of DSR-SQL's SAA, ReFoRCE's column exploration).
    Exploration,
    /// No summary of what the probing queries show (the other half of DSR-SQL's SAA).
    Summary,
    /// The query is written at once and does not grow (DSR-SQL's GSE).
    States,
    /// No stored values (CHASE-SQL's value retrieval).
    Values,
    /// CHASE-SQL without its first generator.
    DivideAndConquer,
    /// CHASE-SQL without its second generator.
    QueryPlan,
    /// CHASE-SQL without its third generator.
    Examples,
    /// One candidate where a method lets several vote (ReFoRCE, ProSPy's analysis in SQL).
    Voting,
    /// No profile of the data (ProSPy).
    Profiling,
    /// Views are written as SQL (ProSPy).
    Dsl,
    /// The analysis is written as SQL (ProSPy).
    Python,
    /// No further queries behind the answer, by which it is seen how sure it is.
    Certainty,
    /// No questions that the user has verified as examples.
    Verified,
    /// No other readings of a question that can be read in two ways, and readings that the user chose before are not taken: the
    /// question is asked as if nothing had been chosen.
    Readings,
}

impl Switch {
    /// All parts.
    pub const ALL: [Switch; 27] = [
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
        Switch::Profiling,
        Switch::Dsl,
        Switch::Python,
        Switch::Certainty,
        Switch::Verified,
        Switch::Readings,
    ];

    /// Its name on the command line.
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
            Switch::Profiling => "profiling",
            Switch::Dsl => "dsl",
            Switch::Python => "python",
            Switch::Certainty => "certainty",
            Switch::Verified => "verified",
            Switch::Readings => "readings",
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

/// What one question may cost. Whatever is reached first ends the asking of models; the best result so far is the answer
/// then.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct Budget {
    /// Seconds, without what the person takes to choose.
    pub seconds: Option<u32>,
    /// Tokens of prompts and replies together, those of a reused prefix included. No call is asked for more than is left; what a
    /// prompt takes is estimated, on the long side.
    #[specta(type = Option<f64>)]
    pub tokens: Option<u64>,
    /// Millionths of a US dollar, likewise; calls of models without a known price do not count.
    #[specta(type = Option<f64>)]
    pub money: Option<u64>,
}

impl Budget {
    /// Whether something can be had for it.
    ///
    /// # Errors
    /// Says in a sentence why not.
    pub fn check_limits(&self) -> Result<(), String> {
        if self.seconds == Some(0) || self.tokens == Some(0) || self.money == Some(0) {
            return Err("A question cannot cost nothing: raise its limit, or set none".to_owned());
        }
        Ok(())
    }

    /// Whether there is no limit.
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

/// Everything that decides how a question is worked on; recorded with the run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase", default)]
pub struct AskSettings {
    /// The method.
    pub strategy: MethodName,
    /// The model of every agent that has none of its own; `None` is the app's default model.
    pub model: Option<ModelId>,
    /// Models of single agents.
    pub agent_models: BTreeMap<Agent, ModelId>,
    /// Number of final SQL candidates, 1 to 16 (paper, RQ3).
    pub candidates: u32,
    /// Parts switched off.
    pub without: Vec<Switch>,
    /// Rules switched off, by their codes.
    pub without_rules: Vec<String>,
    /// Seed of every sampled call.
    #[specta(type = f64)]
    pub seed: u64,
    /// Repair rounds, the paper's T_max.
    pub max_rounds: u32,
    /// Chunk budget in tokens, the paper's B; `None` takes the model's own.
    pub chunk_budget: Option<u32>,
    /// Edit-distance threshold of value retrieval, 0 to 1 (paper: 0.5).
    pub edit_threshold: f64,
    /// Semantic threshold of value retrieval, 0 to 1 (paper: 0.5).
    pub semantic_threshold: f64,
    /// Rows read into a result page.
    #[specta(type = f64)]
    pub row_limit: u64,
    /// Seconds that one database query may take.
    pub timeout_s: u32,
    /// What the question may cost.
    pub budget: Budget,
    /// What single agents may spend on it. The first that reaches its limit ends the asking of models.
    pub agent_budgets: BTreeMap<Agent, Cap>,
    /// Seconds after which the user is shown the best so far, and asked whether to keep looking; 0 is never.
    pub answer_within_s: u32,
    /// Whether the person is asked which reading of the question is meant where no result has a majority.
    pub ask_when_unsure: bool,
    /// Parameters of methods; what is not named here is as its method describes it.
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
    /// Whether a rule is on.
    pub fn with_rule(&self, code: &str) -> bool {
        !self.without_rules.iter().any(|off| off.eq_ignore_ascii_case(code))
    }

    /// Whether a part is on.
    pub fn is_enabled(&self, part: Switch) -> bool {
        !self.without.contains(&part)
    }
}

/// The question made explicit (AV-SQL, section 4.2): task, required outputs, filters, sorting and limit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RewrittenQuestion {
    /// One sentence that says what to find.
    pub task: String,
    /// What each output column holds, in order.
    pub outputs: Vec<String>,
    /// Filters and constraints, one sentence each.
    pub filters: Vec<String>,
    /// Sorting and limit, empty when none is asked for.
    pub ordering: String,
    /// The direction of the sorting, where the rewriter says it apart.
    #[serde(default)]
    pub direction: Direction,
    /// Rows to keep, where the rewriter says it apart; 0 for all.
    #[serde(default)]
    pub rows: u32,
    /// Whether rows that share the last place are all to be kept.
    #[serde(default)]
    pub ties: bool,
}

/// Which way a result is sorted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, Type, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// The smallest first.
    Ascending,
    /// The largest first.
    Descending,
    /// It does not matter.
    #[default]
    None,
}

/// Tables and columns judged relevant (AV-SQL, section 4.3, the JSON selection).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SchemaSelection {
    /// Selected tables.
    pub tables: Vec<SelectedTable>,
}

/// One selected table with its selected columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
pub struct SelectedTable {
    /// The table's name as queries write it.
    pub name: String,
    /// Selected columns.
    pub columns: Vec<String>,
}

/// `table(column, column)`, or the name alone of a table of which no column is selected, such as one that only joins others.
impl std::fmt::Display for SelectedTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.columns.as_slice() {
            [] => f.write_str(&self.name),
            columns => write!(f, "{}({})", self.name, columns.join(", ")),
        }
    }
}

impl SchemaSelection {
    /// Whether nothing is selected.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Adds a table, or a column of it, once; names are compared without regard to case.
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

    /// The union with another selection.
    pub fn merge_selection(&mut self, other: &SchemaSelection) {
        for table in &other.tables {
            self.add(&table.name, None);
            for column in &table.columns {
                self.add(&table.name, Some(column));
            }
        }
    }

    /// Whether the table (and column, when given) is selected.
    pub fn contains(&self, table: &TableName, column: Option<&str>) -> bool {
        let full = table.to_string();
        self.tables
            .iter()
            .filter(|t| t.name.eq_ignore_ascii_case(&full) || t.name.eq_ignore_ascii_case(&table.name))
            .any(|t| column.is_none_or(|c| t.columns.iter().any(|x| x.eq_ignore_ascii_case(c))))
    }
}
