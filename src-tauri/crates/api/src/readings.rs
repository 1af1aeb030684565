//! Interpretations that the user chose: remembered for the database and applied when the same question is asked again.

use crate::app::App;
use crate::library::examples::normalize_question;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::{current_timestamp, new_id};
use crate::types::AskRequest;
use vitrine_agents::RememberedReading;
use vitrine_domain::{AppError, EventBody, Reading, RememberedChoice, RunEvent};
use vitrine_store::{KeptReading, QuestionKey};

impl App {
    /// Returns the remembered interpretations of a database, the latest first.
    pub async fn remembered_readings(&self, uri: String) -> Result<Vec<KeptReading>, AppError> {
        let uri = self.ensure_open(&uri).await?.uri.clone();
        self.with_store(move |store| store.readings(&uri)).await
    }

    /// Deletes a remembered interpretation; its question is then asked as if nothing had been chosen.
    pub async fn forget_reading(&self, id: String) -> Result<(), AppError> {
        self.with_store(move |store| store.forget_reading(&id)).await
    }

    /// Restores the interpretation that was deleted last.
    pub async fn restore_reading(&self, id: String) -> Result<(), AppError> {
        self.with_store(move |store| store.restore_reading(&id)).await
    }

    /// Remembers the interpretation that the user chose among those offered in a run, for the same question about the same data. It was
    /// chosen in that run or in the run `run_id` that continues it. Choices in follow-ups depend on the previous question, and runs without
    /// some tables answer a different question; both are not remembered.
    pub(crate) async fn remember_reading(
        &self,
        run_id: String,
        events: &[RunEvent],
        candidate: u32,
    ) -> Result<(), AppError> {
        let Some(EventBody::RunStarted { question, knowledge, warehouse, follows: None, steered, .. }) =
            events.first().map(|event| &event.body)
        else {
            return Ok(());
        };
        if steered.as_ref().is_some_and(|steered| !steered.without.is_empty()) {
            return Ok(());
        }
        let Some(reading) = offered_readings(events).iter().find(|reading| reading.candidate == candidate) else {
            return Ok(());
        };
        let kept = KeptReading {
            id: new_id(),
            warehouse: warehouse.clone(),
            question: question.clone(),
            meaning: reading.meaning.clone(),
            sql: reading.sql.clone(),
            run_id,
            candidate,
            chosen_at: current_timestamp(),
        };
        let (asked, knowledge) = (normalize_question(question), knowledge.clone().unwrap_or_default());
        self.with_store(move |store| {
            let key = QuestionKey { warehouse: &kept.warehouse, question: &asked, knowledge: &knowledge };
            store.keep_reading(key, &kept)
        })
        .await
    }

    /// Returns the interpretation that the user chose for this question with the same knowledge.
    pub(crate) async fn remembered_for(
        &self,
        open: &OpenWarehouse,
        request: &AskRequest,
        knowledge: Option<&str>,
    ) -> Result<Option<RememberedReading>, AppError> {
        let (uri, asked) = (open.uri.clone(), normalize_question(&request.question));
        if asked.is_empty() || request.follows.is_some() {
            return Ok(None);
        }
        let knowledge = knowledge.unwrap_or_default().to_owned();
        let found = self
            .with_store(move |store| {
                store.reading_of(QuestionKey { warehouse: &uri, question: &asked, knowledge: &knowledge })
            })
            .await?;
        let Some(kept) = found else { return Ok(None) };
        // The run may be deleted; then only the chosen interpretation is known.
        let events = self.run_events(kept.run_id.clone(), 0).await.unwrap_or_default();
        let offered = offered_readings(&events).to_vec();
        let chosen = offered.iter().find(|one| one.candidate == kept.candidate && one.sql == kept.sql).cloned();
        let reading = chosen.unwrap_or_else(|| Reading {
            candidate: kept.candidate,
            votes: 1,
            sql: kept.sql,
            meaning: kept.meaning,
            row_count: 0,
            first_row: Vec::new(),
        });
        let offered = if offered.contains(&reading) { offered } else { Vec::new() };
        Ok(Some(RememberedReading {
            choice: RememberedChoice { id: kept.id, chosen_at: kept.chosen_at },
            reading,
            offered,
        }))
    }
}

/// Returns the interpretations that a run offered.
fn offered_readings(events: &[RunEvent]) -> &[Reading] {
    let last = events.iter().rev().find_map(|event| match &event.body {
        EventBody::ReadingsOffered { readings, .. } => Some(readings.as_slice()),
        _ => None,
    });
    last.unwrap_or_default()
}
