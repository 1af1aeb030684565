//! This project's own layout: `questions.jsonl`, and `databases/NAME.sqlite` in the same pack or a neighbouring one
//! (packs that only rephrase the questions of another pack share its databases). Questions on `sample` use the sample
//! warehouse.

use super::address::sqlite_address;
use super::files::{first_file, json_lines, list_folder, non_blank};
use super::question::{Entry, Question, SkipReason};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use vitrine_domain::AppError;

/// Name and address of the sample warehouse.
const SAMPLE: &str = "sample";

#[derive(Deserialize)]
struct Row {
    id: String,
    db_id: String,
    question: String,
    gold_sql: Vec<String>,
    /// Descriptions of the golds if they have different meanings.
    #[serde(default)]
    interpretations: Vec<String>,
    #[serde(default)]
    evidence: Option<String>,
    #[serde(default)]
    hardness: Option<String>,
    /// `true` if the gold SQL runs.
    #[serde(default)]
    gold_ok: Option<bool>,
    /// `true` if the gold result is empty or a single NULL.
    #[serde(default)]
    gold_trivial: bool,
}

pub(super) fn is_at(folder: &Path) -> bool {
    folder.join("questions.jsonl").is_file()
}

pub(super) fn read_questions(folder: &Path) -> Result<Vec<Entry>, AppError> {
    let neighbours: Vec<PathBuf> = folder.parent().map(list_folder).unwrap_or_default();
    let warehouse = |name: &str| {
        if name == SAMPLE {
            return SAMPLE.to_owned();
        }
        let folders = std::iter::once(folder).chain(neighbours.iter().map(PathBuf::as_path));
        let file = format!("{name}.sqlite");
        let places = folders.flat_map(|folder| {
            let databases = folder.join("databases");
            [databases.join(&file), databases.join(name).join(&file)]
        });
        sqlite_address(&first_file(places))
    };
    let entry = |row: Row| {
        if row.gold_ok == Some(false) {
            return Err(SkipReason::GoldFails);
        }
        if row.gold_trivial {
            return Err(SkipReason::GoldTrivial);
        }
        Ok(Question {
            warehouse: warehouse(&row.db_id),
            id: row.id,
            db_id: row.db_id,
            question: row.question,
            evidence: non_blank(row.evidence),
            hardness: non_blank(row.hardness),
            gold_sql: row.gold_sql,
            ambiguous: row.interpretations.len() > 1,
            judged: row.gold_ok.is_some(),
            ..Question::default()
        })
    };
    Ok(json_lines(&folder.join("questions.jsonl"))?.into_iter().map(entry).collect())
}
