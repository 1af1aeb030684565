//! Clarification by the user. Where two interpretations of a question remain after every vote, nobody else can know
//! which is meant.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::interpretations::open_readings;
use crate::choice::accept::{accept, settle};
use crate::run::events::StageError;
use vitrine_domain::EventBody;
use vitrine_llm::LlmError;
use vitrine_words::tr;

/// Chooses among candidates that ran: by result where one has a majority or there is no user to ask, else by the user's
/// choice. `ran` must not be empty.
///
/// # Errors
/// Fails when the run is stopped while it waits.
pub async fn clarify(attempts: &AttemptContext<'_>, ran: Vec<Candidate>) -> Result<Candidate, StageError> {
    let context = attempts.context;
    let Some(clarifier) = &context.ask.clarifier else { return Ok(settle(attempts, ran)) };
    let Some(readings) = open_readings(&ran, attempts.contract, &context.ask.catalog) else {
        return Ok(settle(attempts, ran));
    };
    context.emit(EventBody::ReadingsOffered { node: attempts.node.to_owned(), readings: readings.clone() });
    let began = context.elapsed_ms();
    context.waits();
    let said = tokio::select! {
        said = clarifier.choose(&readings) => said,
        () = context.cancel.cancelled() => return Err(LlmError::Cancelled.into()),
    };
    let waited_ms = context.elapsed_ms() - began;
    context.waited(waited_ms);
    let reading = readings.iter().find(|reading| Some(reading.candidate) == said);
    let candidate = reading.map(|reading| reading.candidate);
    context.emit(EventBody::ReadingChosen { node: attempts.node.to_owned(), candidate, waited_ms, remembered: None });
    let meant = reading.and_then(|reading| {
        let index = ran.iter().position(|candidate| candidate.number == reading.candidate)?;
        Some(Choice { index, votes: reading.votes })
    });
    Ok(match meant {
        Some(choice) => accept(attempts, ran, &choice, tr!("You chose this reading")),
        None => settle(attempts, ran),
    })
}
