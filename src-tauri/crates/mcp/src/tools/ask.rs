//! `ask`: answers a question in plain language.

use crate::reply::AnswerReply;
use crate::request::AskArguments;
use crate::session::Session;
use futures::StreamExt;
use rmcp::RoleServer;
use rmcp::model::ProgressNotificationParam;
use rmcp::service::RequestContext;
use vitrine_api::AskRequest;
use vitrine_domain::{AppError, AskSettings, ErrorCode, EventBody};

pub(crate) async fn answer_question(
    session: &Session,
    arguments: AskArguments,
    context: &RequestContext<RoleServer>,
) -> Result<AnswerReply, AppError> {
    let (_, outside) = session.resolve_warehouse(arguments.warehouse.as_deref(), "", context)?;
    let request = AskRequest {
        follows: None,
        question: arguments.question,
        knowledge: arguments.knowledge,
        settings: with_time_limit(&session.settings, arguments.max_seconds),
        warehouse: outside.uri().to_owned(),
    };
    if request.question.trim().is_empty() {
        return Err(AppError::new(ErrorCode::Usage, "The question is empty").with_hint("Set `question`"));
    }
    let run_id = outside.ask_question(request).await?;
    // When this call ends, no other client waits for the run, so it is stopped.
    let _stop = StopRun { session, run_id: &run_id };
    let mut events = Box::pin(session.app.stream_run_events(run_id.clone()));
    let mut steps = 0_u32;
    loop {
        let event = tokio::select! {
            event = events.next() => event,
            () = context.ct.cancelled() => {
                return Err(AppError::new(ErrorCode::Cancelled, "Stopped"));
            }
        };
        let Some(event) = event.transpose()? else { break };
        let EventBody::StageStarted { title, .. } = &event.body else { continue };
        steps += 1;
        if let Some(token) = context.meta.get_progress_token() {
            let progress = ProgressNotificationParam::new(token, f64::from(steps)).with_message(title.clone());
            // A client that ignores progress does not stop the run.
            let _ = context.peer.notify_progress(progress).await;
        }
    }
    let answer = outside.find_run(&run_id, &context.ct).await?;
    if let (Some(error), None) = (&answer.error, &answer.rows) {
        return Err(error.clone());
    }
    AnswerReply::new(answer, 0, session.limits.page_rows, session.limits.bytes)
}

/// Returns the user's settings with a time limit that can only shorten theirs.
fn with_time_limit(settings: &AskSettings, max_seconds: Option<u32>) -> AskSettings {
    let mut settings = settings.clone();
    let seconds = settings.budget.seconds;
    settings.budget.seconds = match (seconds, max_seconds.map(|seconds| seconds.max(1))) {
        (Some(own), Some(asked)) => Some(own.min(asked)),
        (own, asked) => own.or(asked),
    };
    settings
}

/// Cancels a run when dropped; a finished run is not affected.
struct StopRun<'a> {
    session: &'a Session,
    run_id: &'a str,
}

impl Drop for StopRun<'_> {
    fn drop(&mut self) {
        let (app, run_id) = (self.session.app.clone(), self.run_id.to_owned());
        tokio::spawn(async move { app.cancel_run(run_id).await });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_may_ask_for_less_time_and_not_for_more() {
        let mut settings = AskSettings::default();
        assert_eq!(with_time_limit(&settings, None).budget.seconds, None);
        assert_eq!(with_time_limit(&settings, Some(5)).budget.seconds, Some(5));
        settings.budget.seconds = Some(60);
        let seconds = |asked| with_time_limit(&settings, asked).budget.seconds;
        assert_eq!((seconds(None), seconds(Some(5)), seconds(Some(600))), (Some(60), Some(5), Some(60)));
    }
}
