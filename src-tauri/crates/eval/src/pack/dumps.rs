//! Packs for PostgreSQL: questions in one JSON file, and `NAME.sql`, a dump of each database, beside it.

use super::files::{json_lines, json_list, listing, said};
use super::{Entry, LeftOut, Question, dump};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use vitrine_domain::AppError;

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    id: Option<String>,
    #[serde(alias = "db_name")]
    db_id: String,
    question: String,
    /// Any of them is right.
    #[serde(alias = "gold_expanded")]
    gold_sql: Vec<String>,
    #[serde(default, alias = "instructions")]
    evidence: Option<String>,
    #[serde(default, alias = "category")]
    hardness: Option<String>,
    /// Whether the gold SQL runs.
    #[serde(default)]
    gold_ok: Option<bool>,
}

/// The file of questions, where dumps lie beside it.
pub(super) fn questions_at(folder: &Path) -> Option<PathBuf> {
    let files = listing(folder);
    let ends_in = |path: &Path, endings: &[&str]| {
        path.extension().is_some_and(|extension| endings.iter().any(|ending| extension == *ending))
    };
    files.iter().find(|path| ends_in(path, &["sql"]))?;
    let is_questions = |path: &Path| {
        path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("questions"))
            && ends_in(path, &["json", "jsonl"])
    };
    files.into_iter().find(|path| is_questions(path))
}

pub(super) fn read(folder: &Path, file: &Path) -> Result<Vec<Entry>, AppError> {
    let one_a_line = file.extension().is_some_and(|extension| extension == "jsonl");
    let rows: Vec<Row> = if one_a_line { json_lines(file)? } else { json_list(file)? };
    let entry = |(index, row): (usize, Row)| {
        if row.gold_ok == Some(false) || row.gold_sql.is_empty() {
            return Err(LeftOut::GoldFails);
        }
        Ok(Question {
            id: row.id.unwrap_or_else(|| format!("{}_{index:04}", row.db_id)),
            warehouse: dump(&folder.join(format!("{}.sql", row.db_id))),
            db_id: row.db_id,
            question: row.question,
            evidence: said(row.evidence),
            hardness: said(row.hardness),
            gold_sql: row.gold_sql,
            ..Question::default()
        })
    };
    Ok(rows.into_iter().enumerate().map(entry).collect())
}
