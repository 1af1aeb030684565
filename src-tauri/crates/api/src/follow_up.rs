//! Follow-ups on an answer, rewritten as complete questions: without a model if they have only one possible meaning, else by the model that
//! would answer them.

use crate::app::App;
use crate::overheard::Overheard;
use crate::state::work::run_blocking;
use crate::types::FollowUpRequest;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vitrine_agents::{
    CallTime, Completion, DataNames, FollowUpInput, Rewriting, SpentCall, complete_follow_up, find_values, follow_up,
};
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, RunChange, RunReport};
use vitrine_llm::{CallUsage, ChatModel};
use vitrine_words::tr;

/// Maximum time to wait for the model, which writes one line.
const LONGEST: Duration = Duration::from_secs(90);

impl App {
    /// Completes a follow-up with the previous question, without a model: "and for 2024?" replaces its only year. Returns `None` if the
    /// meaning is not clear, or if the user changed the previous query, whose question does not say so. Stored values are used only if the
    /// data is open.
    ///
    /// # Errors
    /// When the run does not exist.
    pub async fn complete_follow_up(&self, request: FollowUpRequest) -> Result<Option<String>, AppError> {
        let before = self.followed_run(request.run_id.clone()).await?;
        if self.has_edited_query(&request.run_id).await? {
            return Ok(None);
        }
        let completion = move |question: &str, names: &DataNames| complete_follow_up(question, &request.text, names);
        match self.with_names(&before, completion).await? {
            Completion::Question(question) => Ok(Some(question)),
            Completion::Same | Completion::Unclear => Ok(None),
        }
    }

    /// Calls `look_up` with the previous question, and with the names and stored values of its data if that is open.
    async fn with_names<T: Send + 'static>(
        &self,
        before: &RunReport,
        look_up: impl FnOnce(&str, &DataNames) -> T + Send + 'static,
    ) -> Result<T, AppError> {
        let question = before.question.clone();
        let open = self.inner.warehouses.opened_before(&before.warehouse);
        run_blocking(move || {
            let names = match open {
                Some(open) => DataNames::new(open.catalog(), &open.profile(), open.value_index()),
                None => DataNames::default(),
            };
            Ok(look_up(&question, &names))
        })
        .await
    }

    /// Returns true if the user changed the query of the run, or of a run that it continues. Its question then asks for other rows than
    /// its answer has.
    async fn has_edited_query(&self, run_id: &str) -> Result<bool, AppError> {
        let mut seen: Vec<String> = Vec::new();
        let mut next = Some(run_id.to_owned());
        while let Some(run_id) = next.take().filter(|run_id| !seen.contains(run_id)) {
            // A deleted run cannot tell what was changed in it.
            let Ok(events) = self.run_events(run_id.clone(), 0).await else { return Ok(true) };
            let steered = events.iter().find_map(|event| match &event.body {
                EventBody::RunStarted { steered, .. } => steered.as_ref(),
                _ => None,
            });
            let Some(steered) = steered else { break };
            let edits = |change: &RunChange| matches!(change, RunChange::Sql { .. } | RunChange::View { .. });
            if steered.changes.iter().any(edits) {
                return Ok(true);
            }
            seen.push(run_id);
            next = Some(steered.from.clone());
        }
        Ok(false)
    }

    /// Returns the run to which the follow-up belongs.
    async fn followed_run(&self, run_id: String) -> Result<RunReport, AppError> {
        let before = self.run_report(run_id).await?;
        if before.question.is_empty() {
            return Err(AppError::new(ErrorCode::NotFound, tr!("The question before this follow-up no longer exists"))
                .with_hint(tr!("Type the whole question")));
        }
        Ok(before)
    }

    /// Rewrites a follow-up as a complete question; a model is called only if it cannot be completed without one.
    ///
    /// # Errors
    /// When the run does not exist, the follow-up changes nothing, the model fails, takes too long or only repeats the previous question,
    /// or the month's limit is reached.
    pub async fn follow_up(&self, request: FollowUpRequest) -> Result<String, AppError> {
        let FollowUpRequest { run_id, text, settings } = request;
        let text = text.trim();
        if text.is_empty() {
            return Err(
                AppError::new(ErrorCode::Usage, tr!("The follow-up is empty")).with_hint(tr!("Type what to ask next"))
            );
        }
        let before_id = run_id.clone();
        let before = self.followed_run(run_id).await?;
        let typed = text.to_owned();
        let completed = self.with_names(&before, move |question, names| {
            (complete_follow_up(question, &typed, names), find_values(&typed, names))
        });
        let (completion, values) = completed.await?;
        let completion = if self.has_edited_query(&before_id).await? { Completion::Unclear } else { completion };
        match completion {
            Completion::Question(question) => return Ok(question),
            Completion::Same => {
                return Err(repeated_question_error(&tr!("The follow-up asks the same as the previous question")));
            }
            Completion::Unclear => {}
        }
        let settings = self.complete_settings(settings).await?;
        let models = self.models_for(&settings).await?;
        let model = Overheard::new(Arc::clone(models.for_agent(Agent::Rewriter)));
        let meter = self.monthly_meter().await?;
        let remote = !model.profile().runs_here();
        if let Some(why) = meter.reached_limit(Agent::Rewriter).filter(|_| remote) {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("The follow-up was not rewritten: {reason}", reason = why),
            )
            .with_hint(tr!("Type the whole question, or raise the limit in Settings, Costs")));
        }
        let cancel = self.inner.ending.child_token();
        let _stop = cancel.clone().drop_guard();
        let mut began = Instant::now();
        let spent = |spent: &CallUsage| {
            let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            let took = CallTime { first_token_ms: wall_ms, wall_ms };
            meter.record_call(SpentCall::new(Agent::Rewriter, &model, spent, took));
            began = Instant::now();
        };
        let input = FollowUpInput { before: &before.question, text, values: &values };
        let asked = follow_up(&model, input, cancel.clone(), spent);
        let question = tokio::time::timeout(LONGEST, asked).await;
        // Sent requests are recorded regardless of the outcome.
        self.inner.rewritings.store_requests(&before_id, model.sent_requests());
        match question.map_err(|_| not_rewritten_error(&tr!("the model took too long")))?? {
            Rewriting::Question(question) => Ok(question),
            Rewriting::Repeated => Err(repeated_question_error(&tr!("The model only repeated the previous question"))),
            Rewriting::Incomplete(missing) => {
                Err(not_rewritten_error(&tr!("the model left out {value}", value = missing)))
            }
            Rewriting::Missing => Err(not_rewritten_error(&tr!("the model wrote no new question"))),
        }
    }
}

fn not_rewritten_error(why: &str) -> AppError {
    AppError::new(ErrorCode::Model, tr!("The follow-up was not rewritten: {reason}", reason = why))
        .with_hint(tr!("Type the whole question"))
}

fn repeated_question_error(what: &str) -> AppError {
    AppError::new(ErrorCode::Usage, what).with_hint(tr!("Type the whole question"))
}
