//! Spider's layout: `dev.json` and `database/DB/DB.sqlite`. Further files beside that one, or in `test_database/DB/`,
//! are the databases of a test suite.

use super::address::sqlite_address;
use super::files::{json_list, list_folder};
use super::question::{Entry, Question};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_domain::AppError;

#[derive(Deserialize)]
struct Row {
    db_id: String,
    question: String,
    query: String,
}

pub(super) fn is_at(folder: &Path) -> bool {
    folder.join("dev.json").is_file()
}

pub(super) fn read_questions(folder: &Path) -> Result<Vec<Entry>, AppError> {
    let mut suites: BTreeMap<String, Arc<[PathBuf]>> = BTreeMap::new();
    let rows: Vec<Row> = json_list(&folder.join("dev.json"))?;
    let question = |(index, row): (usize, Row)| {
        let database = folder.join("database").join(&row.db_id).join(format!("{}.sqlite", row.db_id));
        let suite = suites.entry(row.db_id.clone()).or_insert_with(|| list_suite(folder, &row.db_id, &database));
        Ok(Question {
            id: format!("dev_{index:04}"),
            question: row.question,
            // The file contains spaces inside operators, which the official implementation also removes.
            gold_sql: vec![row.query.replace("> =", ">=").replace("< =", "<=").replace("! =", "!=")],
            warehouse: sqlite_address(&database),
            test_databases: Arc::clone(suite),
            db_id: row.db_id,
            ..Question::default()
        })
    };
    Ok(rows.into_iter().enumerate().map(question).collect())
}

fn list_suite(folder: &Path, db_id: &str, database: &Path) -> Arc<[PathBuf]> {
    ["database", "test_database"]
        .into_iter()
        .flat_map(|kind| list_folder(&folder.join(kind).join(db_id)))
        .filter(|path| path.extension().is_some_and(|e| e == "sqlite") && path != database)
        .collect()
}
