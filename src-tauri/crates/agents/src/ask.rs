//! Asking one question: the run driver.

use crate::analysis::Laboratory;
use crate::context::{RunContext, RunSink};
use crate::stages::conclude;
use crate::stages::consult::Person;
use crate::stages::explain;
use crate::strategies;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Agent, AppError, AskSettings, Catalog, ErrorCode, EventBody, Profile, StrategyName};
use vitrine_llm::ChatModel;
use vitrine_sql::{AllowedFunctions, ReadOnlySql, SqlRejection};
use vitrine_values::{Embedder, ValueIndex};
use vitrine_warehouse::Warehouse;

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
    pub fn of(&self, agent: Agent) -> &Arc<dyn ChatModel> {
        self.by_agent.get(&agent).unwrap_or(&self.default)
    }
}

/// A question with everything that is needed to work on it.
pub struct Ask {
    /// As asked.
    pub question: String,
    /// External knowledge: definitions, formulas, codes; any length.
    pub knowledge: Option<String>,
    /// How to work on it.
    pub settings: AskSettings,
    /// The warehouse's address, without secrets, for the log.
    pub warehouse_uri: String,
    /// Where queries run.
    pub warehouse: Arc<dyn Warehouse>,
    /// What it holds.
    pub catalog: Arc<Catalog>,
    /// Functions of its own that a person lets queries call.
    pub allowed: AllowedFunctions,
    /// What its data looks like, as far as known.
    pub profile: Arc<Profile>,
    /// Stored values to match literals with, when built.
    pub values: Option<Arc<ValueIndex>>,
    /// For semantic matches, when its model is present.
    pub embedder: Option<Arc<dyn Embedder>>,
    /// Who answers.
    pub models: Models,
    /// Who says what is meant where readings of the question remain; `None` where nobody can be asked.
    pub person: Option<Arc<dyn Person>>,
    /// Where fetched views are kept and analysed; `None` where that cannot be done.
    pub laboratory: Option<Arc<dyn Laboratory>>,
    /// Whether the answer's query is explained behind it.
    pub explain: bool,
    /// RFC 3339, UTC.
    pub started_at: String,
}

impl Ask {
    /// Proves that a text is one query which only reads.
    ///
    /// # Errors
    /// Why it is not.
    pub fn prove(&self, text: &str) -> Result<ReadOnlySql, SqlRejection> {
        vitrine_warehouse::prove_with(text, &self.catalog, &self.allowed)
    }
}

/// Questions longer than this are refused: they would fill any context.
pub const MAX_QUESTION_BYTES: usize = 20_000;

/// Works on a question. `RunStarted` is always the first event and `RunFinished` the last, whatever happens.
///
/// # Errors
/// The same error that `RunFinished` carries.
pub async fn run(ask: Ask, sink: Arc<dyn RunSink>, cancel: CancellationToken) -> Result<(), AppError> {
    let context = RunContext::new(ask, sink, cancel);
    let ask = &context.ask;
    let models = Agent::ALL
        .into_iter()
        .filter(|&agent| !ask.settings.strategy.is_baseline() || agent == Agent::Generator)
        .map(|agent| (agent, ask.models.of(agent).id().to_owned()))
        .collect();
    context.emit(EventBody::RunStarted {
        question: ask.question.chars().take(MAX_QUESTION_BYTES).collect(),
        knowledge: ask.knowledge.clone(),
        warehouse: ask.warehouse_uri.clone(),
        dialect: ask.catalog.dialect,
        settings: ask.settings.clone(),
        models,
        started_at: ask.started_at.clone(),
    });
    let outcome = match refuse(ask) {
        Some(error) => Err(error),
        None => {
            let work = async {
                match ask.settings.strategy {
                    StrategyName::Auto => strategies::auto::run(&context).await,
                    StrategyName::AvSql => strategies::av_sql::run(&context).await,
                    StrategyName::Direct => strategies::direct::run(&context, 1).await,
                    StrategyName::Vote => strategies::direct::run(&context, ask.settings.candidates).await,
                    StrategyName::DsrSql => strategies::dsr_sql::run(&context).await,
                    StrategyName::ChaseSql => strategies::chase_sql::run(&context).await,
                    StrategyName::Reforce => strategies::reforce::run(&context).await,
                    StrategyName::Prospy => strategies::prospy::run(&context).await,
                }
            };
            tokio::select! {
                done = work => done,
                () = context.budget_spent() => conclude::conclude(&context).await,
            }
            .map_err(|error| error.0)
        }
    };
    // What the explanation takes is no cost of the answer, and whoever stops it has the answer.
    let (usage, usage_by_agent) = (context.usage(), context.usage_by_agent());
    if outcome.is_ok() {
        explain::explain(&context).await;
    }
    let outcome = match outcome {
        Err(_) if context.cancel.is_cancelled() => {
            Err(AppError::new(ErrorCode::Cancelled, "The question was stopped").hint("Ask it again to start over"))
        }
        other => other,
    };
    context.emit(EventBody::RunFinished { error: outcome.as_ref().err().cloned(), usage, usage_by_agent });
    outcome
}

/// Why a question cannot be worked on at all.
fn refuse(ask: &Ask) -> Option<AppError> {
    if ask.question.trim().is_empty() {
        return Some(AppError::new(ErrorCode::Usage, "The question is empty").hint("Type what you want to know"));
    }
    if ask.question.len() > MAX_QUESTION_BYTES {
        return Some(
            AppError::new(
                ErrorCode::Usage,
                format!("The question is too long: {} bytes of at most {MAX_QUESTION_BYTES}", ask.question.len()),
            )
            .hint("Ask a shorter question and give background as knowledge"),
        );
    }
    if ask.catalog.tables.is_empty() {
        return Some(
            AppError::new(ErrorCode::Connection, format!("{} has no tables", ask.catalog.database))
                .hint("Open a database that holds data"),
        );
    }
    None
}
