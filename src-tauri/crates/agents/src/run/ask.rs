//! A question with everything that is needed to work on it.

use crate::certainty::Calibration;
use crate::run::clarifier::{Onlooker, QueryApprover, UserClarifier};
use crate::run::earlier::Earlier;
use crate::run::meter::MonthlyMeter;
use crate::run::reading::RememberedReading;
use crate::run::sandbox::AnalysisSandbox;
use crate::run::verified::VerifiedExample;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use vitrine_domain::{Agent, AskSettings, Catalog, Definition, EgressPolicy, FollowUp, Profile};
use vitrine_llm::ChatModel;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

/// The least time for the queries that check an answer in the background.
pub const LEAST_CHECK: Duration = Duration::from_secs(20);

/// The models of a run: one for all agents, or some of their own (AV-SQL, RQ8).
#[derive(Clone)]
pub struct Models {
    /// For every agent without a model of its own.
    pub default: Arc<dyn ChatModel>,
    /// Agents with a model of their own.
    pub by_agent: BTreeMap<Agent, Arc<dyn ChatModel>>,
}

impl Models {
    /// The model that an agent uses.
    pub fn for_agent(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        // Further queries say something of the answer only where they are written by who wrote it.
        let agent = if agent == Agent::Assessor { Agent::Generator } else { agent };
        self.by_agent.get(&agent).unwrap_or(&self.default)
    }

    /// Whether no agent's model is behind an address. A server on this computer counts as one: it may pass on what it gets.
    pub fn all_run_here(&self) -> bool {
        std::iter::once(&self.default).chain(self.by_agent.values()).all(|model| model.profile().runs_here())
    }
}

/// The run that a question follows up on.
#[derive(Debug, Clone)]
pub struct FollowedRun {
    /// Its question and the follow-up, for the log.
    pub follow_up: FollowUp,
    /// Its final SQL: the answer states when the new query is the same.
    pub sql: Option<String>,
}

/// A question with everything that a run needs.
pub struct Ask {
    /// The question as asked.
    pub question: String,
    /// External knowledge: definitions, formulas, codes; any length.
    pub knowledge: Option<String>,
    /// Definitions of the database of which some hold always.
    pub standing: Vec<Definition>,
    /// The settings of the run.
    pub settings: AskSettings,
    /// The warehouse's address, without secrets, for the log.
    pub warehouse_uri: String,
    /// The warehouse in which queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// Its catalog.
    pub catalog: Arc<Catalog>,
    /// User-defined functions that queries may call.
    pub allowed: AllowedFunctions,
    /// Its profile, as far as known.
    pub profile: Arc<Profile>,
    /// Stored values to match literals with, when built.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches, when its model is present.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// The models.
    pub models: Models,
    /// What models behind an address may be told of the database.
    pub egress: EgressPolicy,
    /// Whether the answer goes to a program outside. Then no model is told more than the policy allows, wherever it runs: it
    /// writes into its query what it knows.
    pub answer_leaves: bool,
    /// The user who chooses between remaining interpretations; `None` where nobody can be asked.
    pub clarifier: Option<Arc<dyn UserClarifier>>,
    /// The user who may keep looking or take the best so far; `None` where nobody looks on.
    pub onlooker: Option<Arc<dyn Onlooker>>,
    /// The user who approves queries, where the warehouse runs no others; `None` where nobody can be asked.
    pub approver: Option<Arc<dyn QueryApprover>>,
    /// What all runs spend in a month; `None` where nobody counts.
    pub meter: Option<Arc<dyn MonthlyMeter>>,
    /// The sandbox that stores and analyses fetched views; `None` where there is none.
    pub sandbox: Option<Arc<dyn AnalysisSandbox>>,
    /// Whether the answer's query is explained after the result.
    pub explain: bool,
    /// Whether further queries are written behind the answer, to see how sure it is.
    pub assess: bool,
    /// The time that these queries have at least; they may take as long as the answer took.
    pub least_check: Duration,
    /// How such evidence has to be weighed for the model that answers.
    pub calibration: Arc<Calibration>,
    /// The question before, where this one follows up on it.
    pub follows: Option<FollowedRun>,
    /// The earlier run that this one goes on from.
    pub earlier: Option<Arc<Earlier>>,
    /// What the user has chosen this question to mean when it was asked before.
    pub remembered: Option<RememberedReading>,
    /// Questions like this one that the user has verified on the same data, the most alike first.
    pub verified: Vec<VerifiedExample>,
    /// RFC 3339, UTC.
    pub started_at: String,
}

impl Ask {
    /// Proves that a text is one query which only reads.
    ///
    /// # Errors
    /// Why it is not.
    pub fn prove_query(&self, text: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(text, &self.catalog, &self.allowed)
    }

    /// Returns true where the user set the final SQL, which the program then does not doubt.
    pub fn has_user_sql(&self) -> bool {
        self.earlier.as_deref().and_then(Earlier::edited_sql).is_some()
    }
}
