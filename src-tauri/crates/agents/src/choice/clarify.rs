//! Clarification by the user, if two interpretations of a question remain after all votes, or if the question is syntactically ambiguous:
//! only the user knows which one is meant.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::choose::{Choice, admit_readings, choose_candidate, is_clear};
use crate::candidate::interpretations::{list_readings, of_question};
use crate::choice::accept::{accept_choice, accept_majority};
use crate::run::events::StageError;
use vitrine_domain::{EventBody, Reading};
use vitrine_llm::LlmError;
use vitrine_words::tr;

/// Chooses among candidates that ran: `judged` with its reason, else by result. The user is asked first if no result has a majority, or if
/// the question is syntactically ambiguous and its other reading gives another result. `ran` must not be empty.
///
/// # Errors
/// Fails if the run is stopped while it waits.
pub async fn clarify_choice(
    attempts: &AttemptContext<'_>,
    mut ran: Vec<Candidate>,
    judged: Option<(Choice, String)>,
) -> Result<Candidate, StageError> {
    let (written, catalog) = (ran.len(), &attempts.context.ask.data.catalog);
    let leading =
        judged.as_ref().map(|(choice, _)| choice.clone()).or_else(|| choose_candidate(&ran, attempts.contract));
    let leading = leading.expect("something ran");
    let is_open = judged.is_none() && !is_clear(&ran, attempts.contract);
    admit_readings(&mut ran, leading.index);
    let readings = match is_open {
        true => list_readings(&ran, &leading, attempts.contract, catalog),
        false => of_question(&ran, &leading, written, attempts.contract, catalog),
    };
    let readings = Some(readings).filter(|readings| readings.len() > 1);
    if let Some(reading) = chosen_of(attempts, readings).await? {
        let index = ran.iter().position(|candidate| candidate.number == reading.candidate).expect("it was offered");
        ran[index].settle_reading();
        let choice = if index < written {
            Choice { index, votes: reading.votes }
        } else {
            // A rule derived it from the leading query, so it has the same votes.
            ran.swap(index, leading.index);
            leading
        };
        ran.truncate(written);
        return Ok(accept_choice(attempts, ran, &choice, tr!("You chose this reading")));
    }
    ran.truncate(written);
    Ok(match judged {
        Some((choice, reason)) => accept_choice(attempts, ran, &choice, reason),
        None => accept_majority(attempts, ran),
    })
}

/// Returns the interpretation that the user chooses. `None` without a question to ask, without a user, or if the user leaves the choice to
/// the method.
async fn chosen_of(
    attempts: &AttemptContext<'_>,
    readings: Option<Vec<Reading>>,
) -> Result<Option<Reading>, StageError> {
    let context = attempts.context;
    let (Some(readings), Some(clarifier)) = (readings, &context.ask.user.clarifier) else { return Ok(None) };
    context.emit(EventBody::ReadingsOffered { node: attempts.node.to_owned(), readings: readings.clone() });
    let began = context.elapsed_ms();
    context.begin_wait();
    let said = tokio::select! {
        said = clarifier.choose_reading(&readings) => said,
        () = context.cancel.cancelled() => return Err(LlmError::Cancelled.into()),
    };
    let waited_ms = context.elapsed_ms() - began;
    context.add_wait(waited_ms);
    let reading = readings.iter().find(|reading| Some(reading.candidate) == said);
    let candidate = reading.map(|reading| reading.candidate);
    context.emit(EventBody::ReadingChosen { node: attempts.node.to_owned(), candidate, waited_ms, remembered: None });
    Ok(reading.cloned())
}
