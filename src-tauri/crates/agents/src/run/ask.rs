//! A question with all inputs of its run.

use crate::certainty::Calibration;
use crate::run::clarifier::{Onlooker, QueryApprover, UserClarifier};
use crate::run::earlier::Earlier;
use crate::run::meter::MonthlyMeter;
use crate::run::reading::RememberedReading;
use crate::run::sandbox::AnalysisSandbox;
use crate::run::template::VerifiedTemplate;
use crate::run::verified::VerifiedExample;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{Agent, AskSettings, Catalog, Definition, EgressPolicy, FollowUp, Profile, SchemaSelection};
use vitrine_llm::ChatModel;
use vitrine_metrics::MetricsFile;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// Maximum time of the check of an answer, for models on this computer and for remote ones, whose single call can take longer than the
/// first.
const CHECK_LIMIT: Duration = Duration::from_secs(5);
const REMOTE_CHECK_LIMIT: Duration = Duration::from_secs(20);

/// Models of a run: one for all agents, with optional models for single agents (AV-SQL, RQ8).
#[derive(Clone)]
pub struct Models {
    /// Model of all agents without their own.
    pub default: Arc<dyn ChatModel>,
    /// Models of the agents that have their own.
    pub by_agent: BTreeMap<Agent, Arc<dyn ChatModel>>,
}

impl Models {
    /// Returns the model that an agent uses.
    pub fn for_agent(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        // Further queries are evidence only if the answer's model writes them.
        let agent = if agent == Agent::Assessor { Agent::Generator } else { agent };
        self.by_agent.get(&agent).unwrap_or(&self.default)
    }

    /// Returns the maximum time of the check of an answer.
    pub fn check_limit(&self) -> Duration {
        if self.for_agent(Agent::Assessor).profile().runs_here() { CHECK_LIMIT } else { REMOTE_CHECK_LIMIT }
    }

    /// Returns true if no agent uses a remote model. A server on this computer is remote, because it may forward requests.
    pub fn all_run_here(&self) -> bool {
        std::iter::once(&self.default).chain(self.by_agent.values()).all(|model| model.profile().runs_here())
    }
}

/// The run that a follow-up refers to.
#[derive(Debug, Clone)]
pub struct FollowedRun {
    /// Question of that run and the follow-up, for the log.
    pub follow_up: FollowUp,
    /// Final SQL of that run; the answer reports if the new query is the same.
    pub sql: Option<String>,
}

/// A question with everything that a run needs.
pub struct Ask {
    /// Question as the user asked it.
    pub question: String,
    /// External knowledge of any length: definitions, formulas, codes.
    pub knowledge: Option<String>,
    /// Database of the question.
    pub data: AskData,
    /// Models of the run's agents.
    pub models: Models,
    /// Limits on what queries may call and models may read.
    pub permissions: AskPermissions,
    /// Settings, limits and optional parts of the run.
    pub options: AskOptions,
    /// User who takes part in the run.
    pub user: UserRoles,
    /// Earlier questions that influence this run.
    pub history: AskHistory,
}

/// A database with the facts that were read in advance, and the services that search and store its values.
pub struct AskData {
    /// Address of the warehouse without secrets, for the log.
    pub uri: String,
    /// Warehouse in which queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// Catalog of the warehouse's database.
    pub catalog: Arc<Catalog>,
    /// Profile of the database, as far as known.
    pub profile: Arc<Profile>,
    /// Definitions of the database, including those for every question.
    pub definitions: Vec<Definition>,
    /// Metrics of the connection; `None` if there are none, or if they must not answer this question.
    pub metrics: Option<Arc<MetricsFile>>,
    /// Reason why the connection's metrics cannot be used; the user is warned.
    pub metrics_problem: Option<String>,
    /// Index of stored values to match literals with; `None` if it was not built.
    pub values: Option<Arc<ValueIndex>>,
    /// Embedder for semantic matches; `None` if its model is missing.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Sandbox that stores and analyses fetched views; `None` without one.
    pub sandbox: Option<Arc<dyn AnalysisSandbox>>,
}

/// Limits on what queries may call and models may read.
pub struct AskPermissions {
    /// User-defined functions that queries may call.
    pub functions: AllowedFunctions,
    /// Limits on the parts of the database that requests to remote models may contain.
    pub egress: EgressPolicy,
    /// True if the answer goes to an outside program. The policy then applies to all models, including the embedded one, because a query
    /// may contain any value that the model knows.
    pub answer_leaves: bool,
}

/// Settings, limits and optional parts of a run.
pub struct AskOptions {
    /// Settings of the run, as recorded in its log.
    pub settings: AskSettings,
    /// Tables and columns that the run may use, if they were selected before it; a table without a list of columns is used whole.
    pub given_schema: Option<SchemaSelection>,
    /// True if the answer's query is explained after the result.
    pub explain: bool,
    /// True if further queries are written after the answer, to estimate its certainty.
    pub assess: bool,
    /// Maximum time for these queries.
    pub check_limit: Duration,
    /// Weights of the evidence for the answering model.
    pub calibration: Arc<Calibration>,
    /// Meter of the spending of all runs in a month; `None` if it is not measured.
    pub meter: Option<Arc<dyn MonthlyMeter>>,
    /// Start of the run, RFC 3339, UTC.
    pub started_at: String,
    /// The current day at the user's place in ISO form, for "today" and "last month"; `None` if it is unknown.
    pub today: Option<String>,
}

/// Decisions of the user during a run; each is `None` without a user who can make it.
#[derive(Default)]
pub struct UserRoles {
    /// User who chooses between remaining interpretations.
    pub clarifier: Option<Arc<dyn UserClarifier>>,
    /// User who may continue the search or accept the best answer so far.
    pub onlooker: Option<Arc<dyn Onlooker>>,
    /// User who approves queries, if the warehouse requires approval.
    pub approver: Option<Arc<dyn QueryApprover>>,
}

/// Earlier questions that influence a run.
#[derive(Default)]
pub struct AskHistory {
    /// Previous run, if this question is a follow-up.
    pub follows: Option<FollowedRun>,
    /// Earlier run that this run continues.
    pub earlier: Option<Arc<Earlier>>,
    /// Interpretation that the user chose when the same question was asked before.
    pub remembered: Option<RememberedReading>,
    /// Verified question with the same structure, whose query answers this one.
    pub template: Option<VerifiedTemplate>,
    /// Similar questions that the user verified on the same data, most similar first.
    pub verified: Vec<VerifiedExample>,
}

impl Ask {
    /// Proves that a text is a single query that only reads.
    ///
    /// # Errors
    /// Returns the reason for the rejection.
    pub fn prove_query(&self, text: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(text, &self.data.catalog, &self.permissions.functions)
    }

    /// Returns the question followed by its knowledge.
    pub fn question_and_knowledge(&self) -> String {
        [Some(self.question.as_str()), self.knowledge.as_deref()].into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    /// Returns true if the user set the final SQL, which is then not checked for alternatives.
    pub fn has_user_sql(&self) -> bool {
        self.history.earlier.as_deref().and_then(Earlier::edited_sql).is_some()
    }
}
