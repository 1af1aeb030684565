//! The run driver: answers one question.

use crate::attempt::declined::Declined;
use crate::best_so_far;
use crate::certainty::Stage;
use crate::methods::method::Method;
use crate::methods::{find_method, own_sql, parameters};
use crate::run::ask::Ask;
use crate::run::context::RunContext;
use crate::run::earlier::Earlier;
use crate::run::events::RunSink;
use crate::run::left_out;
use crate::run::verified::VerifiedExample;
use crate::stages::{assess, explain};
use futures::future::LocalBoxFuture;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::method_info::MethodGroup;
use vitrine_domain::money::format_usd;
use vitrine_domain::{Agent, AppError, AskSettings, ErrorCode, EventBody, RunChange};
use vitrine_words::tr;

/// Maximum length of a question in bytes; longer ones would fill any context.
pub const MAX_QUESTION_BYTES: usize = 20_000;

/// Answers a question. `RunStarted` is always the first event and `RunFinished` the last, even after errors.
///
/// # Errors
/// Returns the same error that `RunFinished` contains.
pub async fn run(ask: Ask, sink: Arc<dyn RunSink>, cancel: CancellationToken) -> Result<(), AppError> {
    let context = RunContext::new(ask, sink, cancel);
    let ask = &context.ask;
    let method = find_method(&ask.options.settings.strategy);
    let is_baseline = method.as_ref().is_ok_and(|method| method.info.group == MethodGroup::Baseline);
    let models = Agent::ALL
        .into_iter()
        .filter(|&agent| !is_baseline || agent == Agent::Generator)
        .map(|agent| (agent, ask.models.for_agent(agent).id().to_owned()))
        .collect();
    context.emit(EventBody::RunStarted {
        question: ask.question.chars().take(MAX_QUESTION_BYTES).collect(),
        knowledge: ask.knowledge.clone(),
        warehouse: ask.data.uri.clone(),
        dialect: ask.data.catalog.dialect,
        settings: Box::new(complete_settings(&ask.options.settings)),
        models,
        egress: context.egress.policy().cloned(),
        follows: ask.history.follows.as_ref().map(|followed| followed.follow_up.clone()),
        steered: ask.history.earlier.as_ref().map(|earlier| earlier.steered.clone()),
        guided_by: match &ask.history.template {
            Some(template) => vec![template.saved.clone()],
            None => ask.history.verified.iter().map(VerifiedExample::to_guided_by).collect(),
        },
        started_at: ask.options.started_at.clone(),
    });
    let of_user = ask.history.earlier.as_deref().and_then(|earlier| Some((earlier, earlier.edited_sql()?)));
    let is_users = Cell::new(of_user.is_some());
    let outcome = match refusal_error(&context).map_or(method, Err) {
        Err(error) => Err(error),
        Ok(Method { run, .. }) => {
            warn_of_unpriced(&context);
            for (term, problem) in &context.standing.unfit {
                context.warn(
                    None,
                    tr!(
                        "A condition defined for every answer about {term} could not be applied: {problem}",
                        term,
                        problem
                    ),
                );
            }
            let work: LocalBoxFuture<'_, _> = match of_user {
                Some((earlier, sql)) => Box::pin(own_sql::run(&context, earlier, sql)),
                None => Box::pin(async {
                    is_users.set(own_sql::run_decided(&context).await?);
                    if is_users.get() { Ok(()) } else { run(&context).await }
                }),
            };
            tokio::select! {
                biased;
                // Ends the run before the method treats the refused query as a failed one.
                error = context.over_budget() => {
                    best_so_far::show_when_stopped(&context);
                    Err(error.into())
                }
                // Polled first: if the user stops a run that waits for a decision, both branches complete.
                (best, reason) = best_so_far::wait_for_early_answer(&context) => {
                    best.finish_as_answer(&context, reason).await;
                    Ok(())
                }
                done = work => done,
                () = context.budget_spent() => best_so_far::answer_when_spent(&context).await,
            }
            // The refusal may have ended the method before the branch above was polled.
            .map_err(|error| context.refused_for_cost().unwrap_or(error.0))
        }
    };
    // Work after the answer is not part of its cost, and stopping that work keeps the answer.
    let usage = context.usage();
    if outcome.is_ok() && is_users.get() {
        // The model's calibration does not apply to queries that the user wrote or chose.
        explain::explain_answer(&context).await;
    } else if outcome.is_ok() {
        assess::report_certainty(&context, Stage::First);
        behind_the_answer(&context, is_baseline, ask.options.check_limit).await;
    }
    let usage_by_agent = context.usage_by_agent();
    let outcome = match outcome {
        Err(error) if error.code == ErrorCode::Query => Err(not_in_data(&context).unwrap_or(error)),
        other => other,
    };
    let outcome = match outcome {
        Err(_) if context.cancel.is_cancelled() => {
            best_so_far::show_when_stopped(&context);
            Err(AppError::new(ErrorCode::Cancelled, tr!("The question was stopped"))
                .with_hint(tr!("Continue with the finished steps, or ask again to start over")))
        }
        other => other,
    };
    context.emit(EventBody::RunFinished { error: outcome.as_ref().err().cloned(), usage, usage_by_agent });
    outcome
}

/// Returns the error of a run in which no query ran because a reply reported missing data.
fn not_in_data(context: &RunContext) -> Option<AppError> {
    let (missing, nearest) = context.explanation_material().declined.filter(|_| !context.any_ran())?;
    Some(Declined { missing, nearest }.to_error())
}

/// Explains the answer and writes further queries to estimate its certainty, within the budget and the time limit; then the estimate is
/// final. A check that is stopped or out of time counts with its results so far.
async fn behind_the_answer(context: &RunContext, is_baseline: bool, limit: Duration) {
    let queries = async {
        // A baseline consists only of its replies.
        if is_baseline {
            return;
        }
        tokio::select! {
            done = assess::further_queries(context) => {
                // The answer remains valid without further queries.
                done.unwrap_or_else(|error| tracing::debug!(%error, "no further queries"));
            }
            () = context.budget_spent() => {}
            () = tokio::time::sleep(limit) => tracing::debug!(?limit, "the check is out of time"),
        }
    };
    futures::join!(explain::explain_answer(context), queries);
    let stopped = context.cancel.is_cancelled();
    if context.ask.options.explain && (!stopped || context.evidence().is_tested()) {
        assess::report_certainty(context, Stage::Firm);
    }
}

/// Completes the settings with the defaults of the methods' parameters, so that the log contains all settings of a run.
fn complete_settings(settings: &AskSettings) -> AskSettings {
    // Invalid settings are recorded unchanged; the method that reads them reports the error.
    let methods = parameters::fill_defaults(&settings.methods).unwrap_or_else(|_| settings.methods.clone());
    AskSettings { methods, ..settings.clone() }
}

/// Warns if a money limit has no effect, because the price of a model is unknown.
fn warn_of_unpriced(context: &RunContext) {
    let settings = &context.ask.options.settings;
    if let Some(money) = settings.budget.money {
        let models = &context.ask.models;
        let all = std::iter::once(&models.default).chain(models.by_agent.values());
        let unpriced: BTreeSet<&str> =
            all.filter(|model| !model.profile().has_price()).map(|model| model.id()).collect();
        if !unpriced.is_empty() {
            let names: Vec<&str> = unpriced.into_iter().collect();
            let (money, names) = (format_usd(money), names.join(", "));
            context.warn_aside(
                None,
                tr!("The limit of {money} does not apply to {names}: the price is unknown", money, names),
            );
        }
    }
    for (agent, cap) in &settings.agent_budgets {
        let model = context.model(*agent);
        if let Some(money) = cap.money.filter(|_| !model.profile().has_price()) {
            let (money, agent, name) = (format_usd(money), agent.as_str(), model.id());
            let text = tr!(
                "The limit of {money} for the {agent} does not apply to {name}: the price is unknown",
                money,
                agent,
                name
            );
            context.warn_aside(None, text);
        }
    }
}

/// Returns the reason why a question cannot be answered at all.
fn refusal_error(context: &RunContext) -> Option<AppError> {
    let ask = &context.ask;
    if ask.question.trim().is_empty() {
        return Some(
            AppError::new(ErrorCode::Usage, tr!("The question is empty")).with_hint(tr!("Type what you want to know")),
        );
    }
    if ask.question.len() > MAX_QUESTION_BYTES {
        return Some(
            AppError::new(
                ErrorCode::Usage,
                tr!(
                    "The question is too long: {bytes} bytes of at most {most}",
                    bytes = ask.question.len(),
                    most = MAX_QUESTION_BYTES
                ),
            )
            .with_hint(tr!("Ask a shorter question and give background as knowledge")),
        );
    }
    if ask.data.catalog.tables.is_empty() {
        return Some(
            AppError::new(ErrorCode::Connection, tr!("{database} has no tables", database = ask.data.catalog.database))
                .with_hint(tr!("Open a database that contains data")),
        );
    }
    ask.history.earlier.as_deref().and_then(|earlier| refuse_earlier(context, earlier))
}

/// Returns the reason why a run cannot continue an earlier one.
fn refuse_earlier(context: &RunContext, earlier: &Earlier) -> Option<AppError> {
    let names = earlier.steered.changes.iter().flat_map(|change| match change {
        RunChange::Tables { added, dropped } => added.iter().chain(dropped).collect::<Vec<_>>(),
        _ => Vec::new(),
    });
    if let Some(name) = left_out::find_unknown_name(&context.whole_catalog, names) {
        return Some(
            AppError::new(ErrorCode::Usage, tr!("Table or column {name} not found", name))
                .with_hint(tr!("Name a table, or a column as table.column")),
        );
    }
    // The earlier run may have read more data than models may see now. SQL that the user set is not sent to a model.
    let policy = context.egress.policy();
    let takes = earlier.edited_sql().is_none() && !earlier.kept_stages().is_empty();
    (takes && policy.is_some() && policy != earlier.egress_policy()).then(|| {
        AppError::new(ErrorCode::Usage, tr!("The data that models may receive has changed since the earlier run"))
            .with_hint(tr!("Ask the question again"))
    })
}
