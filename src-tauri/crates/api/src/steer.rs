//! Going on from an earlier run: what can be set in it, and asking again with it.

use crate::app::App;
use crate::state::work::run_blocking;
use crate::types::AskRequest;
use std::sync::Arc;
use vitrine_agents::{Earlier, list_steer_places};
use vitrine_domain::{AppError, ErrorCode, EventBody, RunChange, RunEvent, SteerPlace};
use vitrine_words::tr;

impl App {
    /// What can be set at each node of a run, and what runs again then.
    ///
    /// # Errors
    /// When there is no such run.
    pub async fn steer_places(&self, run_id: String) -> Result<Vec<SteerPlace>, AppError> {
        let events = self.run_events(run_id.clone(), 0).await?;
        run_blocking(move || Ok(list_steer_places(&run_id, &events))).await
    }

    /// Begins a run that goes on from an earlier one with what the user set in it, and gives its id. Only what depends on that is
    /// worked on again.
    ///
    /// # Errors
    /// When the earlier run has not ended, or has no place for a change.
    pub async fn rerun(&self, run_id: String, changes: Vec<RunChange>) -> Result<String, AppError> {
        self.rerun_as(run_id, changes, true).await
    }

    /// The same; where nobody `asks`, the run asks nobody and no time ends it.
    ///
    /// # Errors
    /// As [`App::rerun`].
    pub async fn rerun_as(&self, run_id: String, changes: Vec<RunChange>, asks: bool) -> Result<String, AppError> {
        let events = self.run_events(run_id.clone(), 0).await?;
        let mut request = as_asked(&events)?;
        if !asks {
            request.settings.ask_when_unsure = false;
            request.settings.answer_within_s = 0;
        }
        for change in &changes {
            if let RunChange::Question { text } = change {
                text.trim().clone_into(&mut request.question);
            }
        }
        let chosen = changes.iter().find_map(|change| match change {
            RunChange::Reading { candidate } => Some(*candidate),
            _ => None,
        });
        let earlier = Earlier::new(&run_id, &events, changes)?;
        let next = self.ask_for(request, None, Some(Arc::new(earlier))).await?;
        if let Some(candidate) = chosen {
            self.remember_reading(next.clone(), &events, candidate).await?;
        }
        Ok(next)
    }
}

/// What an earlier run was asked.
fn as_asked(events: &[RunEvent]) -> Result<AskRequest, AppError> {
    let ended = matches!(events.last().map(|event| &event.body), Some(EventBody::RunFinished { .. }));
    let Some(EventBody::RunStarted { question, knowledge, warehouse, settings, follows, .. }) =
        events.first().filter(|_| ended).map(|event| event.body.clone())
    else {
        return Err(AppError::new(ErrorCode::Usage, tr!("The run has not ended"))
            .with_hint(tr!("Wait for its end, or stop it")));
    };
    Ok(AskRequest { warehouse, question, knowledge, settings, follows })
}
