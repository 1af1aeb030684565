//! The library for the window: last results, and folders and files that the user chose in dialogs.

use super::drift;
use crate::app::App;
use crate::bundle::{BundleCheck, BundleManifest};
use crate::library::{ExportedLibrary, ImportedLibrary};
use crate::state::work::current_timestamp;
use crate::types::{CheckedSaved, SavedDrift, SavedQuestion, SavedResult, SavedStatus};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use vitrine_domain::{AppError, ErrorCode, Headline, Page, RunReport};
use vitrine_words::tr;

/// Maximum number of rows of a last result that are stored.
const MOST_KEPT: u64 = 10_000;
/// Maximum number of bytes of its cells; of a larger result the first rows are stored.
const MOST_BYTES: usize = 4 << 20;

impl App {
    /// Records that the user of this computer, or the person named in `by`, has checked a saved question, or that it is a draft again. A
    /// question that becomes verified is run.
    ///
    /// # Errors
    /// When a question that becomes verified does not run.
    pub async fn mark_saved(
        &self,
        id: String,
        status: SavedStatus,
        by: Option<String>,
    ) -> Result<CheckedSaved, AppError> {
        let by = by.map(|by| by.trim().to_owned()).filter(|by| !by.is_empty());
        self.check_saved(id, status, by, self.inner.ending.child_token()).await
    }

    /// Returns the last result of a saved question, or the result of its run if that ran the same query. Runs nothing. Returns `None` for a
    /// question that is answered by code, whose table is stored with its owner.
    pub async fn saved_result(&self, id: String) -> Result<Option<SavedResult>, AppError> {
        let question = self.with_store(move |store| store.saved_question(&id)).await?;
        if question.code.is_some() {
            return Ok(None);
        }
        let (id, sql) = (question.id.clone(), question.sql.clone());
        if let Some(kept) = self.with_store(move |store| store.saved_result(&id, &sql)).await? {
            return Ok(Some(kept));
        }
        let Some(run_id) = question.run_id.clone() else { return Ok(None) };
        let events = self.run_events(run_id, 0).await.unwrap_or_default();
        let report = RunReport::from_events(&events);
        let same = report.sql.as_deref().is_some_and(|sql| sql.trim() == question.sql.trim());
        let Some(page) = report.page.filter(|_| same && report.code.is_none()) else { return Ok(None) };
        Ok(Some(SavedResult { at: report.started_at, page, headline: report.headline }))
    }

    /// Runs the query of a saved question with these values for its parameters. Without values, the result is stored as its last result.
    ///
    /// # Errors
    /// When a value does not fit, or the query does not run.
    pub async fn run_saved(&self, id: String, values: BTreeMap<String, String>) -> Result<SavedResult, AppError> {
        let question = self.with_store(move |store| store.saved_question(&id)).await?;
        if question.code.is_some() {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("This saved question is answered by code, not by a query"),
            )
            .with_hint(tr!("Run its code")));
        }
        let limit = self.settings().await?.row_limit.min(MOST_KEPT);
        let cancel = self.inner.ending.child_token();
        let at = current_timestamp();
        let is_own = values.is_empty();
        let sql = self.filled_query(question.id.clone(), values).await?;
        let page = self.query_page(question.warehouse.clone(), sql.clone(), limit, cancel).await?;
        let open = self.ensure_open(&question.warehouse).await?;
        let sql = self.prove_read_only(&open, sql).await?;
        let headline = Some(vitrine_explain::build_headline(Some(&sql), &page, &open.catalog()));
        let result = SavedResult { at, page: first_rows(page, limit), headline };
        if is_own {
            self.keep_result(&question, result.clone()).await?;
        }
        Ok(result)
    }

    /// Returns a result with as many of its first rows as are stored.
    pub(crate) async fn limit_result(&self, result: SavedResult) -> Result<SavedResult, AppError> {
        let limit = self.settings().await?.row_limit.min(MOST_KEPT);
        Ok(SavedResult { page: first_rows(result.page, limit), ..result })
    }

    /// Stores the result of a verification as the question's last result, because it is the most recent run.
    pub(super) async fn keep_verified(
        &self,
        question: &SavedQuestion,
        at: String,
        page: Page,
        headline: Headline,
    ) -> Result<(), AppError> {
        let limit = self.settings().await?.row_limit.min(MOST_KEPT);
        let result = SavedResult { at, page: first_rows(page, limit), headline: Some(headline) };
        self.keep_result(question, result).await
    }

    pub(crate) async fn keep_result(&self, question: &SavedQuestion, result: SavedResult) -> Result<(), AppError> {
        let (id, sql) = (question.id.clone(), question.sql.clone());
        self.with_store(move |store| store.keep_saved_result(&id, &sql, &result)).await
    }

    /// Returns the saved questions whose tables or columns have changed. Only open warehouses are checked, because a list opens no
    /// connection.
    pub async fn saved_drifts(&self) -> Result<Vec<SavedDrift>, AppError> {
        let drifted = |question: SavedQuestion| {
            let open = self.inner.warehouses.opened_before(&question.warehouse)?;
            let changes = drift::describe_changes(question.filing.schema.as_ref()?, &open.declared);
            (!changes.is_empty()).then_some(SavedDrift { id: question.id, changes })
        };
        Ok(self.saved(String::new()).await?.into_iter().filter_map(drifted).collect())
    }

    /// Writes saved questions as files into the folder that the user chose.
    ///
    /// # Errors
    /// When no folder was chosen, or a file cannot be written.
    pub async fn export_library(&self, ids: Vec<String>, folder: String) -> Result<ExportedLibrary, AppError> {
        let root = self.take_chosen_file(&folder)?;
        let ids: HashSet<String> = ids.into_iter().collect();
        let mut questions = self.saved(String::new()).await?;
        questions.retain(|question| ids.contains(&question.id));
        let done = self.export_saved(questions, root.clone()).await?;
        // The file manager shows the first file of the folder.
        self.inner.chosen.note_written(&folder, done.written.first().cloned().unwrap_or(root));
        Ok(done)
    }

    /// Imports the saved questions of the folder that the user chose. A question that was changed here later is kept unless `overwrite` is
    /// set.
    ///
    /// # Errors
    /// When no folder was chosen, or it cannot be read.
    pub async fn import_library(&self, folder: String, overwrite: bool) -> Result<ImportedLibrary, AppError> {
        self.import_saved(self.take_chosen_file(&folder)?, overwrite).await
    }

    /// Writes a run's answer with its evidence to the file that the user chose, as far as the warehouse's policy permits; with `everything`
    /// nothing is removed.
    ///
    /// # Errors
    /// When no file was chosen, or the run has no answer.
    pub async fn export_bundle(
        &self,
        run_id: String,
        file: String,
        everything: bool,
    ) -> Result<BundleManifest, AppError> {
        let path = self.take_chosen_file(&file)?;
        let manifest = self.write_bundle(run_id, path.clone(), everything).await?;
        self.inner.chosen.note_written(&file, path);
        Ok(manifest)
    }

    /// Checks a bundle: its hashes, and that the answer follows from its events; with a `warehouse`, runs its query again there.
    ///
    /// # Errors
    /// When the file is not a bundle, or the query cannot be run.
    pub async fn inspect_bundle(&self, path: String, warehouse: Option<String>) -> Result<BundleCheck, AppError> {
        self.check_bundle(PathBuf::from(path), true, warehouse, self.inner.ending.child_token()).await
    }
}

/// Returns a page with as many of its first rows as are stored.
fn first_rows(mut page: Page, most: u64) -> Page {
    let mut bytes = 0;
    let kept = page.rows.iter().take(usize::try_from(most).unwrap_or(usize::MAX)).take_while(|row| {
        bytes += row.iter().flatten().map(String::len).sum::<usize>();
        bytes <= MOST_BYTES
    });
    let kept = kept.count();
    page.rows.truncate(kept);
    page
}
