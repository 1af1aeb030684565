//! Reruns: the places of a run that can be changed, and runs that continue it with changes.

use crate::app::App;
use crate::state::work::run_blocking;
use crate::types::AskRequest;
use std::sync::Arc;
use vitrine_agents::{Earlier, list_steer_places};
use vitrine_domain::{AppError, ErrorCode, EventBody, RunChange, RunEvent, SteerPlace};
use vitrine_words::tr;

impl App {
    /// Returns the possible changes at each node of a run, with the nodes that each would run again.
    ///
    /// # Errors
    /// When the run does not exist.
    pub async fn steer_places(&self, run_id: String) -> Result<Vec<SteerPlace>, AppError> {
        let events = self.run_events(run_id.clone(), 0).await?;
        run_blocking(move || Ok(list_steer_places(&run_id, &events))).await
    }

    /// Starts a run that continues an earlier one with the user's changes, and returns its id. Only steps that depend on the changes are
    /// computed again.
    ///
    /// # Errors
    /// When the earlier run has not ended, or a change does not fit any of its places.
    pub async fn rerun(&self, run_id: String, changes: Vec<RunChange>) -> Result<String, AppError> {
        self.rerun_as(run_id, changes, true).await
    }

    /// Same as [`App::rerun`]; without `asks`, the run asks the user nothing and shows no intermediate answer.
    ///
    /// # Errors
    /// Same as [`App::rerun`].
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

/// Returns the request of an earlier run.
fn as_asked(events: &[RunEvent]) -> Result<AskRequest, AppError> {
    let ended = matches!(events.last().map(|event| &event.body), Some(EventBody::RunFinished { .. }));
    let Some(EventBody::RunStarted { question, knowledge, warehouse, settings, follows, .. }) =
        events.first().filter(|_| ended).map(|event| event.body.clone())
    else {
        return Err(AppError::new(ErrorCode::Usage, tr!("The run has not finished"))
            .with_hint(tr!("Wait until it finishes, or stop it")));
    };
    Ok(AskRequest { warehouse, question, knowledge, settings: *settings, follows })
}
