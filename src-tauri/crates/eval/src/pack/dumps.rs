//! Packs for PostgreSQL: questions in one JSON file, and `NAME.sql`, a dump of each database, beside it.

use super::address::dump_address;
use super::files::{json_lines, json_list, list_folder, non_blank};
use super::question::{Entry, Question, SkipReason};
use serde::Deserialize;
use std::path::{Path, PathBuf};
use vitrine_domain::AppError;

/// Maximum columns of one choice; no known pack has more.
const COLUMNS: usize = 6;

#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    id: Option<String>,
    #[serde(alias = "db_name")]
    db_id: String,
    question: String,
    /// Alternative gold queries; each is right.
    #[serde(default, alias = "gold_expanded")]
    gold_sql: Vec<String>,
    /// Gold queries with `{a, b}` where some of the columns suffice; replaces `gold_sql`, which names all of them.
    #[serde(default)]
    gold_alternatives: Vec<String>,
    #[serde(default, alias = "instructions")]
    evidence: Option<String>,
    #[serde(default, alias = "category")]
    hardness: Option<String>,
    /// `true` if the gold SQL runs.
    #[serde(default)]
    gold_ok: Option<bool>,
}

/// Finds the file of questions if there are dumps next to it.
pub(super) fn questions_at(folder: &Path) -> Option<PathBuf> {
    let files = list_folder(folder);
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

pub(super) fn read_questions(folder: &Path, file: &Path) -> Result<Vec<Entry>, AppError> {
    let one_a_line = file.extension().is_some_and(|extension| extension == "jsonl");
    let rows: Vec<Row> = if one_a_line { json_lines(file)? } else { json_list(file)? };
    let entry = |(index, row): (usize, Row)| {
        let written_out: Vec<String> =
            row.gold_alternatives.iter().flat_map(|template| expand_template(template)).collect();
        let gold_sql = if written_out.is_empty() { row.gold_sql } else { written_out };
        if row.gold_ok == Some(false) || gold_sql.is_empty() {
            return Err(SkipReason::GoldFails);
        }
        Ok(Question {
            id: row.id.unwrap_or_else(|| format!("{}_{index:04}", row.db_id)),
            warehouse: dump_address(&folder.join(format!("{}.sql", row.db_id))),
            db_id: row.db_id,
            question: row.question,
            evidence: non_blank(row.evidence),
            hardness: non_blank(row.hardness),
            gold_sql,
            ..Question::default()
        })
    };
    Ok(rows.into_iter().enumerate().map(entry).collect())
}

/// Expands a template as sql-eval does: `SELECT {a, b} FROM t GROUP BY {}` is right with `a`, with `b` and with both,
/// and groups by the selected columns.
fn expand_template(template: &str) -> Vec<String> {
    let whole = || vec![template.to_owned()];
    let Some((before, (inside, after))) =
        template.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)))
    else {
        return whole();
    };
    let columns: Vec<&str> =
        inside.split(',').map(str::trim).filter(|column| !column.is_empty()).take(COLUMNS).collect();
    if columns.is_empty() {
        return whole();
    }
    let given = |set: u32| {
        let chosen = columns.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, column)| *column);
        chosen.collect::<Vec<_>>().join(", ")
    };
    (1..1 << columns.len())
        .map(given)
        .flat_map(|chosen| expand_template(&format!("{before}{chosen}{}", after.replace("{}", &chosen))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::expand_template;

    #[test]
    fn some_of_the_columns_in_braces_are_enough() {
        assert_eq!(
            expand_template("SELECT {a.x, a.y}, COUNT(*) FROM a GROUP BY {} ORDER BY 2"),
            [
                "SELECT a.x, COUNT(*) FROM a GROUP BY a.x ORDER BY 2",
                "SELECT a.y, COUNT(*) FROM a GROUP BY a.y ORDER BY 2",
                "SELECT a.x, a.y, COUNT(*) FROM a GROUP BY a.x, a.y ORDER BY 2",
            ]
        );
        assert_eq!(expand_template("SELECT {a}, {b, c} FROM t").len(), 3);
        for plain in ["SELECT 1", "SELECT '{}'", "SELECT '{'"] {
            assert_eq!(expand_template(plain), [plain]);
        }
    }
}
