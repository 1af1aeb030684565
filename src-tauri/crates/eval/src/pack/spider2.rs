//! The layout of Spider 2.0-lite and -snow: `spider2-lite.jsonl` or `spider2-snow.jsonl`, databases and documents below
//! `resource/`, gold results and some gold SQL below `evaluation_suite/gold/`. For many databases only the schema
//! exists.

use super::address::{schema_address, sqlite_address};
use super::files::{first_file, json_lines, list_folder, non_blank};
use super::question::{Entry, Question, SkipReason};
use crate::metrics::GoldResult;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;
use vitrine_domain::{AppError, CellType, ErrorCode, Page, ResultColumn, child_of};
use vitrine_words::tr;

#[derive(Deserialize)]
struct Row {
    instance_id: String,
    #[serde(alias = "db_id")]
    db: String,
    #[serde(alias = "instruction")]
    question: String,
    #[serde(default)]
    external_knowledge: Option<String>,
}

/// Comparison settings of a gold result.
#[derive(Deserialize)]
struct Standard {
    instance_id: String,
    #[serde(default)]
    condition_cols: Option<Columns>,
    #[serde(default = "default_true")]
    ignore_order: bool,
}

/// Positions of the required columns: common to all gold results, or one list for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Columns {
    All(Vec<usize>),
    Each(Vec<Vec<usize>>),
}

fn default_true() -> bool {
    true
}

const LITE: &str = "spider2-lite.jsonl";
const SNOW: &str = "spider2-snow.jsonl";

pub(super) fn is_at(folder: &Path) -> bool {
    folder.join(LITE).is_file() || folder.join(SNOW).is_file()
}

pub(super) fn read_questions(folder: &Path) -> Result<Vec<Entry>, AppError> {
    let gold = folder.join("evaluation_suite/gold");
    let standards = gold.join("spider2lite_eval.jsonl");
    let standards: Vec<Standard> = if standards.is_file() { json_lines(&standards)? } else { Vec::new() };
    let standards: HashMap<&str, &Standard> = standards.iter().map(|s| (s.instance_id.as_str(), s)).collect();
    let (databases, documents) = (folder.join("resource/databases"), folder.join("resource/documents"));
    let sql_folder = gold.join("sql");
    let is_lite = folder.join(LITE).is_file();
    let rows: Vec<Row> = json_lines(&folder.join(if is_lite { LITE } else { SNOW }))?;
    rows.into_iter()
        .map(|row| {
            // Names must not lead outside the folder, because the file's text is shown to the model.
            let read = |folder: &Path, name: &str| std::fs::read_to_string(child_of(folder, name)?).ok();
            let gold_sql = read(&sql_folder, &format!("{}.sql", row.instance_id));
            let document = row.external_knowledge.and_then(|name| read(&documents, &name));
            let question = Question {
                id: row.instance_id.clone(),
                db_id: row.db.clone(),
                question: row.question,
                evidence: non_blank(document),
                gold_sql: gold_sql.into_iter().collect(),
                ..Question::default()
            };
            if let Some(engine) = engine_folder(&row.instance_id, is_lite) {
                return Ok(Ok(Question {
                    warehouse: schema_address(&databases.join(engine).join(&row.db)),
                    ..question
                }));
            }
            let gold_tables = gold_tables(&gold, &row.instance_id, standards.get(row.instance_id.as_str()).copied())?;
            if question.gold_sql.is_empty() && gold_tables.is_empty() {
                return Ok(Err(SkipReason::GoldFails));
            }
            Ok(Ok(Question {
                warehouse: local_address(&databases, &row.db),
                // Gold results that the pack provides have been reviewed.
                judged: !gold_tables.is_empty(),
                gold_tables,
                ..question
            }))
        })
        .collect()
}

/// Returns the address of a SQLite database, which is downloaded separately, or else of its table definitions.
fn local_address(databases: &Path, name: &str) -> String {
    let file = format!("{name}.sqlite");
    let definitions = databases.join("sqlite").join(name);
    let database = first_file([
        databases.join("spider2-localdb").join(&file),
        databases.join("sqlite").join(&file),
        definitions.join(&file),
    ]);
    if database.is_file() || !definitions.is_dir() { sqlite_address(&database) } else { schema_address(&definitions) }
}

/// Returns the folder of a question's engine, by its id; `None` is SQLite. -snow has one engine and no folder for it.
fn engine_folder(id: &str, is_lite: bool) -> Option<&'static str> {
    match id {
        _ if !is_lite => Some(""),
        _ if id.starts_with("local") => None,
        _ if id.starts_with("sf") => Some("snowflake"),
        _ => Some("bigquery"),
    }
}

/// Reads the gold results `ID.csv`, `ID_a.csv`, `ID_b.csv` and so on.
fn gold_tables(gold: &Path, id: &str, standard: Option<&Standard>) -> Result<Vec<GoldResult>, AppError> {
    let is_gold = |path: &Path| {
        path.file_name().and_then(|name| name.to_str()?.strip_prefix(id)?.strip_suffix(".csv")).is_some_and(|rest| {
            rest.is_empty() || matches!(rest.as_bytes(), [b'_', letter] if letter.is_ascii_lowercase())
        })
    };
    let files = list_folder(&gold.join("exec_result"));
    let mut tables = Vec::new();
    for file in files.iter().filter(|path| is_gold(path)) {
        let required = match standard.and_then(|s| s.condition_cols.as_ref()) {
            None => Vec::new(),
            Some(Columns::All(columns)) => columns.clone(),
            Some(Columns::Each(lists)) => lists.get(tables.len()).cloned().unwrap_or_default(),
        };
        let page = read_csv_table(file).map_err(|e| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = file.display())).with_detail(e)
        })?;
        tables.push(GoldResult { page, ordered: standard.is_some_and(|s| !s.ignore_order), required });
    }
    Ok(tables)
}

/// Reads a CSV file as a result; a column of numbers is numeric.
fn read_csv_table(path: &Path) -> Result<Page, csv::Error> {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_path(path)?;
    let names: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record?;
        let cell = |index| record.get(index).filter(|text| !text.is_empty()).map(str::to_owned);
        rows.push((0..names.len()).map(cell).collect::<Vec<_>>());
    }
    let cell_type = |index: usize| {
        let cells = || rows.iter().filter_map(|row: &Vec<Option<String>>| row[index].as_deref());
        if cells().all(|text| text.parse::<i64>().is_ok()) {
            CellType::Integer
        } else if cells().all(|text| text.parse::<f64>().is_ok()) {
            CellType::Float
        } else {
            CellType::Text
        }
    };
    let columns =
        names.into_iter().enumerate().map(|(index, name)| ResultColumn::new(name, cell_type(index))).collect();
    Ok(Page { columns, row_count: rows.len() as u64, rows, truncated: false })
}
