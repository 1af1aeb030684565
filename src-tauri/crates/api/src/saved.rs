//! Saved questions.

use crate::app::App;
use crate::code::check_view_name;
use crate::runs::check_run_id;
use crate::sources::redact_sources;
use crate::state::work::{current_timestamp, new_id};
use crate::types::{Filing, SavedDraft, SavedQuestion};
use std::path::Path;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Returns the saved questions that contain every word of `search`, the last changed first.
    pub async fn saved(&self, search: String) -> Result<Vec<SavedQuestion>, AppError> {
        self.with_store(move |store| store.saved_questions(&search)).await
    }

    /// Saves a question with its SQL or code, or changes a saved one.
    pub async fn save_question(&self, draft: SavedDraft) -> Result<SavedQuestion, AppError> {
        let title = match draft.title.trim() {
            "" => draft.question.trim().to_owned(),
            title => title.to_owned(),
        };
        if title.is_empty() {
            return Err(AppError::new(ErrorCode::Usage, tr!("There is nothing to save"))
                .with_hint(tr!("Give it a title or a question")));
        }
        for view in draft.code.iter().flat_map(|code| &code.views) {
            check_view_name(&view.name, Path::new(&view.name))?;
        }
        for id in draft.id.iter().chain(&draft.run_id) {
            check_run_id(id)?;
        }
        let now = current_timestamp();
        let before = match &draft.id {
            Some(id) => self.saved_by_id(id).await?,
            None => None,
        };
        let mut question = SavedQuestion {
            id: draft.id.unwrap_or_else(new_id),
            title,
            question: draft.question,
            sql: draft.sql,
            code: draft.code,
            // The address may contain a password if the user entered one.
            warehouse: redact_sources(&draft.warehouse),
            status: draft.status,
            run_id: draft.run_id,
            notes: draft.notes,
            created_at: now.clone(),
            updated_at: now,
            filing: Filing::default(),
        };
        question.filing = self.build_filing(&question, before.as_ref()).await?;
        self.with_store(move |store| store.save_question(&question)).await
    }

    /// Deletes a saved question with the table of its code; its run is kept.
    pub async fn delete_saved(&self, id: String) -> Result<(), AppError> {
        self.stop_code(id.clone()).await?;
        let deleted = id.clone();
        self.with_store(move |store| store.delete_saved_question(&deleted)).await?;
        self.remove_kept(id).await;
        Ok(())
    }
}
