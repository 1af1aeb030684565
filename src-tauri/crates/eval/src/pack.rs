//! A pack: `questions.jsonl` beside a folder `databases/` of SQLite files.

use serde::Deserialize;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};

/// One question with its gold SQL.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    /// Unique within the pack.
    pub id: String,
    /// Names the database file.
    pub db_id: String,
    /// As a person asks it.
    pub question: String,
    /// Any of these is right.
    pub gold_sql: Vec<String>,
    /// External knowledge, may be empty.
    #[serde(default)]
    pub evidence: Option<String>,
    /// The pack's own grading.
    #[serde(default)]
    pub hardness: Option<String>,
    /// Whether the gold SQL runs.
    #[serde(default = "yes")]
    pub gold_ok: bool,
    /// Whether the gold result says nothing (empty, or one NULL).
    #[serde(default)]
    pub gold_trivial: bool,
}

fn yes() -> bool {
    true
}

/// A folder of questions and databases.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The folder's name.
    pub name: String,
    /// Questions that can be measured, in file order.
    pub questions: Vec<Question>,
    /// Questions left out because their gold fails or is trivial.
    pub left_out: usize,
    folder: PathBuf,
}

impl Pack {
    /// Reads a pack.
    ///
    /// # Errors
    /// Says which line of which file cannot be read.
    pub fn load(folder: &Path) -> Result<Self, AppError> {
        let path = folder.join("questions.jsonl");
        let text = std::fs::read_to_string(&path).map_err(|e| {
            AppError::new(ErrorCode::Usage, format!("{} cannot be read", path.display()))
                .hint("Name a folder with questions.jsonl and databases/")
                .detail(e)
        })?;
        let mut questions = Vec::new();
        let mut left_out = 0;
        for (index, line) in text.lines().enumerate().filter(|(_, l)| !l.trim().is_empty()) {
            let question: Question = serde_json::from_str(line).map_err(|e| {
                AppError::new(ErrorCode::Usage, format!("{}, line {}, is not a question", path.display(), index + 1))
                    .detail(e)
            })?;
            if question.gold_ok && !question.gold_trivial && !question.gold_sql.is_empty() {
                questions.push(question);
            } else {
                left_out += 1;
            }
        }
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        Ok(Self { name, questions, left_out, folder: folder.to_owned() })
    }

    /// Where a question's database lies.
    pub fn database(&self, db_id: &str) -> PathBuf {
        self.folder.join("databases").join(format!("{db_id}.sqlite"))
    }

    /// Every `every`-th question from `offset` on, at most `limit`.
    pub fn select(&self, every: usize, offset: usize, limit: Option<usize>) -> Vec<&Question> {
        self.questions.iter().skip(offset).step_by(every.max(1)).take(limit.unwrap_or(usize::MAX)).collect()
    }
}
