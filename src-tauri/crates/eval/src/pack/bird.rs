//! BIRD's layout: `dev.json` or `mini_dev_sqlite.json`, and `dev_databases/DB/DB.sqlite`.

use super::address::sqlite_address;
use super::files::{first_file, json_list, list_folder, non_blank, read_text};
use super::question::{Entry, Question};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use vitrine_domain::AppError;

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    question_id: Option<u64>,
    db_id: String,
    question: String,
    #[serde(default)]
    evidence: Option<String>,
    #[serde(rename = "SQL")]
    sql: String,
    #[serde(default)]
    difficulty: Option<String>,
}

/// Finds the file of questions; Spider's file has the same name but different keys.
pub(super) fn questions_at(folder: &Path) -> Option<PathBuf> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut files = list_folder(folder);
    files.retain(|path| {
        let name = name(path);
        // The same questions also exist for other engines.
        let other_engine = name.contains("mysql") || name.contains("postgresql");
        name == "dev.json" || (name.starts_with("mini_dev") && name.ends_with(".json") && !other_engine)
    });
    files.into_iter().find(|file| read_text(file).is_ok_and(|text| text.contains("\"SQL\"")))
}

pub(super) fn read_questions(folder: &Path, file: &Path) -> Result<Vec<Entry>, AppError> {
    let rows: Vec<Row> = json_list(file)?;
    let question = |(index, row): (usize, Row)| {
        let places = ["dev_databases", "databases"];
        let file = format!("{}.sqlite", row.db_id);
        Ok(Question {
            id: format!("bird_{:04}", row.question_id.unwrap_or(index as u64)),
            warehouse: sqlite_address(&first_file(places.map(|place| folder.join(place).join(&row.db_id).join(&file)))),
            db_id: row.db_id,
            question: row.question,
            evidence: non_blank(row.evidence),
            hardness: non_blank(row.difficulty),
            gold_sql: vec![row.sql],
            ..Question::default()
        })
    };
    Ok(rows.into_iter().enumerate().map(question).collect())
}
