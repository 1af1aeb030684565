//! The library of saved questions: folders and tags, verification, changes of the schema, and plain files.

mod drift;
pub(crate) mod examples;
mod files;
mod parameters;
mod template;
mod window;

pub(crate) use files::remove_stale_check;
pub use files::{ExportedLibrary, ImportedLibrary};

use crate::app::App;
use crate::state::work::current_timestamp;
use crate::types::{CheckedSaved, SavedQuestion, SavedStatus};
use std::collections::BTreeSet;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, EventBody, Page, RunEvent};
use vitrine_store::{Checked, Filing, ResultCheck, SavedCode, StoreError, sha256_hex};
use vitrine_words::tr;

/// Maximum number of rows of a result that is stored as a check.
const MOST_CHECKED: u64 = 100_000;
/// Maximum number of characters in the name of a folder or tag.
const LONGEST_NAME: usize = 80;

impl App {
    /// Returns a saved question by its id, or by its title if the title is unique, ignoring case.
    ///
    /// # Errors
    /// When there is none, or several have the title.
    pub async fn saved_named(&self, text: &str) -> Result<SavedQuestion, AppError> {
        let wanted = text.trim().to_lowercase();
        let all = self.saved(String::new()).await?;
        let mut found = all.into_iter().filter(|q| q.id == wanted || q.title.trim().to_lowercase() == wanted);
        let Some(first) = found.next() else {
            let message = tr!("Saved question '{title}' not found", title = text.trim());
            return Err(
                AppError::new(ErrorCode::NotFound, message).with_hint(tr!("List them with: vitrine saved list"))
            );
        };
        match found.next() {
            None => Ok(first),
            Some(_) => Err(AppError::new(
                ErrorCode::Usage,
                tr!("Several saved questions are called '{title}'", title = first.title),
            )
            .with_hint(tr!("Name it by its id: vitrine saved list"))),
        }
    }

    /// Moves a saved question into a folder, such as `Sales/Monthly`, and sets its tags.
    ///
    /// # Errors
    /// When a name is not valid for a folder or a tag.
    pub async fn file_saved(&self, id: String, folder: String, tags: Vec<String>) -> Result<SavedQuestion, AppError> {
        let (folder, tags) = (usable_folder(&folder)?, usable_tags(&tags)?);
        let mut question = self.with_store(move |store| store.saved_question(&id)).await?;
        question.filing = Filing { folder, tags, ..question.filing };
        self.with_store(move |store| store.save_question(&question)).await
    }

    /// Returns the changes since the last check of the tables and columns that a saved question uses, one sentence each. `None` if the
    /// schema was not known then.
    ///
    /// # Errors
    /// When its database cannot be read.
    pub async fn saved_drift(&self, id: String) -> Result<Option<Vec<String>>, AppError> {
        let question = self.with_store(move |store| store.saved_question(&id)).await?;
        let Some(schema) = &question.filing.schema else { return Ok(None) };
        let open = self.ensure_open(&question.warehouse).await?;
        Ok(Some(drift::describe_changes(schema, &open.declared)))
    }

    /// Records that a saved question is checked, or that it is a draft again. A question that becomes verified is run, and its result is
    /// stored as a check with the current schema. Without a name, the user of this computer is recorded.
    /// # Errors
    /// When a question that becomes verified does not run.
    pub async fn check_saved(
        &self,
        id: String,
        status: SavedStatus,
        by: Option<String>,
        cancel: CancellationToken,
    ) -> Result<CheckedSaved, AppError> {
        let mut question = self.with_store(move |store| store.saved_question(&id)).await?;
        let before = question.filing.checked.clone();
        let mut result = None;
        if status == SavedStatus::Verified && question.code.is_none() {
            let open = self.ensure_open(&question.warehouse).await?;
            let at = current_timestamp();
            let page = self.query_page(question.warehouse.clone(), question.sql.clone(), MOST_CHECKED, cancel).await?;
            result = result_check(&page);
            let sql = self.prove_read_only(&open, question.sql.clone()).await?;
            question.filing.schema = drift::collect_used_schema(&sql, &open.declared);
            let headline = vitrine_explain::build_headline(Some(&sql), &page, &open.catalog());
            self.keep_verified(&question, at, page, headline).await?;
        }
        question.status = status;
        question.filing.checked = (status != SavedStatus::Draft).then(|| Checked {
            by: by.unwrap_or_else(account_name),
            at: current_timestamp(),
            sql_sha256: checked_text(&question.sql, question.code.as_ref()),
            result,
        });
        question.updated_at = current_timestamp();
        let before = before.and_then(|checked| checked.result);
        let same = match (&before, question.filing.checked.as_ref().and_then(|checked| checked.result.as_ref())) {
            (Some(before), Some(now)) => Some(before == now),
            _ => None,
        };
        let question = self.with_store(move |store| store.save_question(&question)).await?;
        Ok(CheckedSaved { question, same })
    }

    /// Returns a saved question, if it exists.
    pub(crate) async fn saved_by_id(&self, id: &str) -> Result<Option<SavedQuestion>, AppError> {
        let id = id.to_owned();
        self.with_store(move |store| match store.saved_question(&id) {
            Ok(question) => Ok(Some(question)),
            Err(StoreError::NotFound { .. }) => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    /// Builds the filing of a question that is being saved: that of `before`, as far as it still applies.
    pub(crate) async fn build_filing(
        &self,
        question: &SavedQuestion,
        before: Option<&SavedQuestion>,
    ) -> Result<Filing, AppError> {
        let kept = before.map(|before| before.filing.clone()).unwrap_or_default();
        let sql_sha256 = checked_text(&question.sql, question.code.as_ref());
        let same_query = before.is_some_and(|before| checked_text(&before.sql, before.code.as_ref()) == sql_sha256);
        let checked = match question.status {
            SavedStatus::Draft => None,
            status if same_query && before.is_some_and(|before| before.status == status) && kept.checked.is_some() => {
                kept.checked
            }
            _ => Some(Checked { by: account_name(), at: current_timestamp(), sql_sha256, result: None }),
        };
        let readings = match (&question.run_id, before) {
            (_, Some(_)) if same_query => kept.readings,
            (Some(run_id), _) => {
                find_chosen_readings(&self.run_events(run_id.clone(), 0).await.unwrap_or_default(), &question.sql)
            }
            (None, _) => Vec::new(),
        };
        let schema = if same_query && kept.schema.is_some() { kept.schema } else { self.schema_used(question).await };
        let parameters = if same_query { kept.parameters } else { self.still_there(question, kept.parameters).await };
        Ok(Filing { folder: kept.folder, tags: kept.tags, readings, checked, schema, parameters })
    }

    /// Returns the tables and columns that a question uses; `None` if its database is not open, because this opens no connection.
    async fn schema_used(&self, question: &SavedQuestion) -> Option<vitrine_store::UsedSchema> {
        let open = self.inner.warehouses.opened_before(&question.warehouse)?;
        let sql = self.prove_read_only(&open, question.sql.clone()).await.ok()?;
        drift::collect_used_schema(&sql, &open.declared)
    }
}

/// Returns the SHA-256 of the text that a user checks: the code if there is any, else the query.
pub(crate) fn checked_text(sql: &str, code: Option<&SavedCode>) -> String {
    match code {
        Some(code) => sha256_hex(&serde_json::to_string(code).expect("plain data")),
        None => sha256_hex(sql.trim()),
    }
}

/// Returns the hash by which a result is recognized later; `None` if the result is not complete.
pub(crate) fn result_check(page: &Page) -> Option<ResultCheck> {
    if page.truncated {
        return None;
    }
    let names: Vec<&str> = page.columns.iter().map(|column| column.name.as_str()).collect();
    let mut rows: Vec<String> = page.rows.iter().map(|row| serde_json::to_string(row).expect("plain data")).collect();
    rows.sort_unstable();
    let text = format!("{}\n{}", serde_json::to_string(&names).expect("plain data"), rows.join("\n"));
    Some(ResultCheck { rows: page.row_count, sha256: sha256_hex(&text) })
}

/// Returns the meaning that a query of a run represents if the question has several, as a short phrase.
fn find_chosen_readings(events: &[RunEvent], sql: &str) -> Vec<String> {
    let (mut offered, mut chosen) = (Vec::new(), None);
    for event in events {
        match &event.body {
            EventBody::ReadingsOffered { readings, .. } => offered.clone_from(readings),
            EventBody::ReadingChosen { candidate, .. } => chosen = *candidate,
            _ => {}
        }
    }
    let plain = |sql: &str| sql.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let meant = offered.iter().find(|reading| match chosen {
        Some(candidate) => reading.candidate == candidate,
        None => plain(&reading.sql) == plain(sql),
    });
    meant.map(|reading| reading.meaning.clone()).filter(|meaning| !meaning.is_empty()).into_iter().collect()
}

/// Returns the account name of the user of this computer; empty if it is unknown.
fn account_name() -> String {
    let named = |name: &str| std::env::var(name).ok().filter(|name| !name.trim().is_empty());
    let known = ["USER", "LOGNAME", "USERNAME"].into_iter().find_map(named);
    known.or_else(|| whoami::username().ok()).unwrap_or_default().trim().to_owned()
}

/// Returns a valid folder path: names separated by slashes, each usable as the name of a folder on disk.
pub(crate) fn usable_folder(folder: &str) -> Result<String, AppError> {
    let parts: Vec<&str> = folder.split('/').map(str::trim).filter(|part| !part.is_empty()).collect();
    let wrong = |part: &&str| {
        part.starts_with('.')
            || part.chars().count() > LONGEST_NAME
            || part.chars().any(|c| c.is_control() || "\\:*?\"<>|".contains(c))
    };
    match parts.iter().find(|part| wrong(part)) {
        Some(part) => Err(AppError::new(ErrorCode::Usage, tr!("'{name}' cannot be the name of a folder", name = part))
            .with_hint(tr!(
                "Choose up to {most} letters, without a dot in front and without \\ : * ? \" < > |",
                most = LONGEST_NAME
            ))),
        None => Ok(parts.join("/")),
    }
}

pub(crate) fn usable_tags(tags: &[String]) -> Result<Vec<String>, AppError> {
    let tags: BTreeSet<String> = tags.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    match tags.iter().find(|tag| tag.chars().count() > LONGEST_NAME || tag.chars().any(char::is_control)) {
        Some(tag) => {
            let start: String = tag.chars().filter(|c| !c.is_control()).take(20).collect();
            Err(AppError::new(ErrorCode::Usage, tr!("'{start}…' cannot be a tag", start))
                .with_hint(tr!("Choose up to {most} letters", most = LONGEST_NAME)))
        }
        None => Ok(tags.into_iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::{CellType, Reading, ResultColumn};

    #[test]
    fn a_folder_is_a_path_below_the_library() {
        assert_eq!(usable_folder(" Sales / 2023/").unwrap(), "Sales/2023");
        assert_eq!(usable_folder("").unwrap(), "");
        assert_eq!(usable_folder("Umsätze/売上").unwrap(), "Umsätze/売上");
        for wrong in ["..", "a/../b", ".git", "a\\b", "C:", "a\nb"] {
            assert!(usable_folder(wrong).is_err(), "{wrong}");
        }
        assert_eq!(usable_tags(&[" b ".into(), "a".into(), "a".into(), "".into()]).unwrap(), ["a", "b"]);
    }

    #[test]
    fn a_result_is_known_again_whatever_the_order_of_its_rows() {
        let page = |rows: &[&str], truncated| Page {
            columns: vec![ResultColumn::new("n", CellType::Text)],
            rows: rows.iter().map(|cell| vec![Some((*cell).to_owned())]).collect(),
            row_count: rows.len() as u64,
            truncated,
        };
        assert_eq!(result_check(&page(&["a", "b"], false)), result_check(&page(&["b", "a"], false)));
        assert_ne!(result_check(&page(&["a", "b"], false)), result_check(&page(&["a", "a"], false)));
        assert_eq!(result_check(&page(&["a"], true)), None);
    }

    #[test]
    fn the_meaning_that_was_chosen_is_kept() {
        let reading = |candidate, sql: &str, meaning: &str| Reading {
            candidate,
            votes: 1,
            sql: sql.into(),
            meaning: meaning.into(),
            row_count: 1,
            first_row: Vec::new(),
        };
        let event = |seq, body| RunEvent { run_id: String::new(), seq, at_ms: 0, body };
        let node = || "choice".into();
        let offered = EventBody::ReadingsOffered {
            node: node(),
            readings: vec![reading(1, "SELECT 1", "all orders"), reading(2, "SELECT 2", "only paid orders")],
        };
        let chosen = EventBody::ReadingChosen { node: node(), candidate: Some(2), waited_ms: 1, remembered: None };
        let asked = [event(1, offered.clone()), event(2, chosen)];
        assert_eq!(find_chosen_readings(&asked, "SELECT 2"), ["only paid orders"]);
        // Without a choice, the query determines the interpretation.
        assert_eq!(find_chosen_readings(&[event(1, offered)], "select\n1"), ["all orders"]);
        assert!(find_chosen_readings(&[], "SELECT 1").is_empty());
    }
}
