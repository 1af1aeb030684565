//! The layouts of Spider 2.0. -lite and -snow: `spider2-lite.jsonl` or `spider2-snow.jsonl`, databases and documents
//! below `resource/`, gold results and some gold SQL below `evaluation_suite/gold/`. Databases of BigQuery and
//! Snowflake are on servers; the pack has only their schemas. -dbt: projects to complete, which are not questions.

use super::address::{schema_address, sqlite_address};
use super::csv_result::read_csv_table;
use super::files::{first_file, json_lines, list_folder, non_blank};
use super::question::{Entry, GoldTerms, Question, SkipReason};
use crate::metrics::GoldResult;
use serde::Deserialize;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, child_of};
use vitrine_words::tr;

#[derive(Deserialize)]
struct Row {
    instance_id: String,
    #[serde(default, alias = "db_id")]
    db: String,
    #[serde(alias = "instruction")]
    question: String,
    #[serde(default)]
    external_knowledge: Option<String>,
    /// `DBT` for a project to complete.
    #[serde(default, rename = "type")]
    task: Option<String>,
}

impl Row {
    fn is_dbt(&self) -> bool {
        self.task.as_deref().is_some_and(|task| task.eq_ignore_ascii_case("dbt"))
    }
}

/// Comparison settings of a gold result.
#[derive(Default, Deserialize)]
struct Standard {
    instance_id: String,
    #[serde(default)]
    condition_cols: Option<Columns>,
    #[serde(default)]
    ignore_order: bool,
    /// `true` if the data changes, so that stored results become outdated.
    #[serde(default)]
    temporal: bool,
}

/// Positions of the required columns: common to all gold results, or one list for each.
#[derive(Deserialize)]
#[serde(untagged)]
enum Columns {
    All(Vec<usize>),
    Each(Vec<Vec<usize>>),
}

impl Standard {
    /// Returns the required columns of a gold result by its position; empty for all.
    fn required_columns(&self, position: usize) -> Vec<usize> {
        match &self.condition_cols {
            None => Vec::new(),
            Some(Columns::All(columns)) => columns.clone(),
            // One empty list stands for all results.
            Some(Columns::Each(lists)) => lists.get(position).cloned().unwrap_or_default(),
        }
    }
}

/// One of the two benchmarks of questions.
struct Layout {
    questions: &'static str,
    standards: &'static str,
    /// The benchmark's folder beside the other one's, which may hold shared documents.
    folder: &'static str,
}

const LITE: Layout =
    Layout { questions: "spider2-lite.jsonl", standards: "spider2lite_eval.jsonl", folder: "spider2-lite" };
const SNOW: Layout =
    Layout { questions: "spider2-snow.jsonl", standards: "spider2snow_eval.jsonl", folder: "spider2-snow" };
const DBT: &str = "examples/spider2-dbt.jsonl";

fn layout_of(folder: &Path) -> Option<&'static Layout> {
    [&LITE, &SNOW].into_iter().find(|layout| folder.join(layout.questions).is_file())
}

pub(super) fn is_at(folder: &Path) -> bool {
    layout_of(folder).is_some() || folder.join(DBT).is_file()
}

pub(super) fn read_questions(folder: &Path) -> Result<Vec<Entry>, AppError> {
    let Some(layout) = layout_of(folder) else { return dbt_tasks(&folder.join(DBT)) };
    let reader = Reader::new(folder, layout)?;
    let rows: Vec<Row> = json_lines(&folder.join(layout.questions))?;
    let mut entries = rows.into_iter().map(|row| reader.read_entry(row)).collect::<Result<Vec<_>, _>>()?;
    // The tasks of the repository's third benchmark are counted as left out.
    let tasks = folder.parent().map(|folder| folder.join("spider2-dbt").join(DBT)).filter(|file| file.is_file());
    entries.extend(tasks.map(|file| dbt_tasks(&file)).transpose()?.into_iter().flatten());
    Ok(entries)
}

/// Returns an entry without a question for each task of a file.
fn dbt_tasks(file: &Path) -> Result<Vec<Entry>, AppError> {
    let rows: Vec<serde_json::Value> = json_lines(file)?;
    Ok(rows.iter().map(|_| Err(SkipReason::DbtTask)).collect())
}

/// The files of a pack.
struct Reader {
    is_lite: bool,
    databases: PathBuf,
    documents: Vec<PathBuf>,
    gold: PathBuf,
    standards: HashMap<String, Standard>,
}

impl Reader {
    fn new(folder: &Path, layout: &Layout) -> Result<Self, AppError> {
        let gold = folder.join("evaluation_suite/gold");
        let standards = gold.join(layout.standards);
        let standards: Vec<Standard> = if standards.is_file() { json_lines(&standards)? } else { Vec::new() };
        let documents = |folder: &Path| folder.join("resource/documents");
        let beside = [&LITE, &SNOW].map(|layout| folder.parent().map(|parent| documents(&parent.join(layout.folder))));
        Ok(Self {
            is_lite: layout.questions == LITE.questions,
            databases: folder.join("resource/databases"),
            documents: std::iter::once(documents(folder)).chain(beside.into_iter().flatten()).collect(),
            gold,
            standards: standards.into_iter().map(|standard| (standard.instance_id.clone(), standard)).collect(),
        })
    }

    fn read_entry(&self, row: Row) -> Result<Entry, AppError> {
        if row.is_dbt() {
            return Ok(Err(SkipReason::DbtTask));
        }
        let standard = self.standards.get(&row.instance_id);
        let gold_tables = self.gold_tables(&row.instance_id, standard)?;
        let gold_sql = read_child(&self.gold.join("sql"), &format!("{}.sql", row.instance_id));
        let named = row.external_knowledge.filter(|name| !name.trim().is_empty());
        let document = named.as_ref().and_then(|name| self.documents.iter().find_map(|at| read_child(at, name)));
        let engine = engine_of(&row.instance_id, self.is_lite);
        let folder = match engine {
            "sqlite" => None,
            // -snow has one engine and no folder for it.
            _ if !self.is_lite => child_of(&self.databases, &row.db),
            engine => child_of(&self.databases.join(engine), &row.db),
        };
        let warehouse = match &folder {
            Some(folder) => schema_address(folder),
            None if engine == "sqlite" => local_address(&self.databases, &row.db),
            None => return Ok(Err(SkipReason::NoDatabase)),
        };
        Ok(Ok(Question {
            id: row.instance_id,
            missing_document: named.filter(|_| document.is_none()),
            evidence: non_blank(document),
            // Gold results that the pack provides have been reviewed.
            judged: !gold_tables.is_empty(),
            gold_tables,
            gold_sql: non_blank(gold_sql).into_iter().collect(),
            gold_terms: standard.map(|standard| GoldTerms {
                required: standard.required_columns(0),
                ordered: !standard.ignore_order,
                replaces_tables: standard.temporal,
            }),
            warehouse,
            engine,
            schemas: folder.as_deref().map(list_schemas).unwrap_or_default(),
            db_id: row.db,
            question: row.question,
            ..Question::default()
        }))
    }

    /// Reads the gold result `ID.csv`, or else `ID_a.csv`, `ID_b.csv` and so on.
    fn gold_tables(&self, id: &str, standard: Option<&Standard>) -> Result<Vec<GoldResult>, AppError> {
        let folder = self.gold.join("exec_result");
        let own = child_of(&folder, &format!("{id}.csv")).filter(|file| file.is_file());
        let is_gold = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()?.strip_prefix(id)?.strip_suffix(".csv"));
            name.is_some_and(|rest| matches!(rest.as_bytes(), [b'_', letter] if letter.is_ascii_lowercase()))
        };
        let files = match own {
            Some(file) => vec![file],
            None => list_folder(&folder).into_iter().filter(is_gold).collect(),
        };
        let read = |(position, file): (usize, PathBuf)| {
            let page = read_csv_table(&file).map_err(|e| {
                AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = file.display())).with_detail(e)
            })?;
            Ok(GoldResult {
                page,
                ordered: standard.is_none_or(|standard| !standard.ignore_order),
                required: standard.map(|standard| standard.required_columns(position)).unwrap_or_default(),
            })
        };
        files.into_iter().enumerate().map(read).collect()
    }
}

/// Reads a file of a folder. The name must not lead outside the folder, because the text is shown to the model.
fn read_child(folder: &Path, name: &str) -> Option<String> {
    std::fs::read_to_string(child_of(folder, name)?).ok()
}

/// Returns the names of a database's schemas, one folder each, such as `PROJECT.DATASET` for BigQuery.
fn list_schemas(folder: &Path) -> Vec<String> {
    let folders = list_folder(folder).into_iter().filter(|path| path.is_dir());
    folders.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

/// Returns the address of a SQLite database, which is downloaded separately, or else of its table definitions.
fn local_address(databases: &Path, name: &str) -> String {
    let file = format!("{name}.sqlite");
    let definitions = definitions_folder(&databases.join("sqlite"), name);
    let database = first_file([
        databases.join("spider2-localdb").join(&file),
        databases.join("sqlite").join(&file),
        definitions.join(&file),
    ]);
    if database.is_file() || !definitions.is_dir() { sqlite_address(&database) } else { schema_address(&definitions) }
}

/// Returns the folder of a database's table definitions, whose name may differ in case and has `_` for `-`.
fn definitions_folder(schemas: &Path, name: &str) -> PathBuf {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let is_same = |path: &PathBuf| path.file_name().is_some_and(|own| plain(&own.to_string_lossy()) == plain(name));
    list_folder(schemas).into_iter().find(is_same).unwrap_or_else(|| schemas.join(name))
}

/// Returns the engine of a question, by its id, as the pack names the engine's folder.
fn engine_of(id: &str, is_lite: bool) -> &'static str {
    match id {
        _ if !is_lite => "snowflake",
        _ if id.starts_with("local") => "sqlite",
        _ if id.starts_with("sf") => "snowflake",
        _ => "bigquery",
    }
}
