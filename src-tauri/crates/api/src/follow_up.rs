//! What is said after an answer, made a question of its own by the model that would answer it.

use crate::app::App;
use crate::overheard::Overheard;
use crate::types::FollowUpRequest;
use std::sync::Arc;
use std::time::{Duration, Instant};
use vitrine_agents::{SpentCall, follow_up};
use vitrine_domain::{Agent, AppError, ErrorCode};
use vitrine_llm::{CallUsage, ChatModel};
use vitrine_words::tr;

/// The longest that is waited for a model: it writes one line.
const LONGEST: Duration = Duration::from_secs(90);

impl App {
    /// Rewrites a follow-up with the question of the run before as a question that stands alone. Nothing is asked yet.
    ///
    /// # Errors
    /// When there is no such run, the model fails or takes too long, or the month's limit is reached.
    pub async fn follow_up(&self, request: FollowUpRequest) -> Result<String, AppError> {
        let FollowUpRequest { run_id, text, settings } = request;
        let text = text.trim();
        if text.is_empty() {
            return Err(
                AppError::new(ErrorCode::Usage, tr!("The follow-up is empty")).hint(tr!("Type what to ask next"))
            );
        }
        let before_id = run_id.clone();
        let before = self.run_report(run_id).await?;
        if before.question.is_empty() {
            return Err(AppError::new(ErrorCode::NotFound, tr!("The question that this follows up on is gone"))
                .hint(tr!("Type the whole question")));
        }
        let settings = self.complete(settings).await?;
        let models = self.models_for(&settings).await?;
        let model = Overheard::new(Arc::clone(models.of(Agent::Rewriter)));
        let meter = self.meter().await?;
        let remote = !model.profile().runs_here();
        if let Some(why) = meter.reached(Agent::Rewriter).filter(|_| remote) {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("The follow-up was not rewritten: {reason}", reason = why),
            )
            .hint(tr!("Type the whole question, or raise the limit in Settings, Costs")));
        }
        let cancel = self.inner.ending.child_token();
        let _stop = cancel.clone().drop_guard();
        let mut began = Instant::now();
        let spent = |spent: &CallUsage| {
            let wall_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
            meter.spent(SpentCall::new(Agent::Rewriter, &model, spent, wall_ms));
            began = Instant::now();
        };
        let asked = follow_up(&model, &before.question, text, cancel.clone(), spent);
        let question = tokio::time::timeout(LONGEST, asked).await;
        // What left has left, whatever came of it.
        self.inner.rewritings.keep(&before_id, model.sent());
        question
            .map_err(|_| unwritten(&tr!("the model took too long")))??
            .ok_or_else(|| unwritten(&tr!("the model wrote no new question")))
    }
}

fn unwritten(why: &str) -> AppError {
    AppError::new(ErrorCode::Model, tr!("The follow-up was not rewritten: {reason}", reason = why))
        .hint(tr!("Type the whole question"))
}
