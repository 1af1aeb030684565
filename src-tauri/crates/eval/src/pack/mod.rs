//! Packs: folders of questions with known answers and the databases they are about, in the layouts that exist.

mod bird;
mod dumps;
mod files;
mod own;
mod spider;
mod spider2;
#[cfg(test)]
mod tests;

use crate::metrics::{GoldResult, Rule};
use crate::scope::Scope;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode, child_of};

/// One question with its gold: SQL, results, or both.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Question {
    /// Unique within the pack.
    pub id: String,
    /// The database's name.
    pub db_id: String,
    /// As a person asks it.
    pub question: String,
    /// External knowledge.
    pub evidence: Option<String>,
    /// The pack's own grading.
    pub hardness: Option<String>,
    /// Any of these is right, unless they are readings of which one is meant ([`Meaning`](crate::Meaning)).
    pub gold_sql: Vec<String>,
    /// Where there are any, they decide instead of what the gold SQL gives.
    pub gold_tables: Vec<GoldResult>,
    /// The address of its warehouse, e.g. `sqlite:/packs/x/databases/y.sqlite`.
    pub warehouse: String,
    /// Databases of the same schema on which a right answer is right, too.
    pub test_databases: Arc<[PathBuf]>,
    /// Whether the golds are different readings.
    pub ambiguous: bool,
    /// Whether the pack has said that the gold runs and says something; otherwise that is looked at here.
    pub judged: bool,
}

/// Why a question does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LeftOut {
    /// Its gold does not run, or there is none.
    GoldFails,
    /// Its gold says nothing: no row, or one NULL.
    GoldTrivial,
    /// Of its database there is the schema, which has no answers.
    #[serde(alias = "other-engine")]
    SchemaOnly,
    /// Its database is not there.
    NoDatabase,
}

impl LeftOut {
    /// The reason for people.
    pub fn reason(self) -> &'static str {
        match self {
            LeftOut::GoldFails => "gold fails",
            LeftOut::GoldTrivial => "gold is trivial",
            LeftOut::SchemaOnly => "schema without data",
            LeftOut::NoDatabase => "database missing",
        }
    }
}

/// The address of a pack's database.
fn sqlite(path: &Path) -> String {
    format!("{SQLITE}{}", path.display())
}

/// Stands for the address of a database that is to be loaded from its dump.
fn dump(path: &Path) -> String {
    format!("{DUMP}{}", path.display())
}

fn is_there(warehouse: &str) -> bool {
    let file = warehouse.strip_prefix(SQLITE).or(warehouse.strip_prefix(DUMP));
    let folder = warehouse.strip_prefix(SCHEMA);
    file.is_none_or(|path| Path::new(path).is_file()) && folder.is_none_or(|path| Path::new(path).is_dir())
}

/// The address of a schema whose data is elsewhere.
fn schema(folder: &Path) -> String {
    format!("{SCHEMA}{}", folder.display())
}

const SQLITE: &str = "sqlite:";
const DUMP: &str = "dump:";
const SCHEMA: &str = "ddl:";

/// A question that can be taken as far as it is meant to be.
fn fitting(question: Question, scope: Scope) -> Entry {
    match scope {
        Scope::Answers if question.warehouse.starts_with(SCHEMA) => Err(LeftOut::SchemaOnly),
        Scope::Linking if question.gold_sql.is_empty() => Err(LeftOut::GoldFails),
        _ if is_there(&question.warehouse) => Ok(question),
        _ => Err(LeftOut::NoDatabase),
    }
}

/// What a layout says about one question.
type Entry = Result<Question, LeftOut>;

/// Which questions of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sample {
    /// Every K-th question.
    pub every: usize,
    /// From this one on.
    pub offset: usize,
    /// At most so many.
    pub limit: Option<usize>,
    /// On these databases; empty takes all.
    pub databases: Vec<String>,
}

impl Default for Sample {
    fn default() -> Self {
        Self { every: 1, offset: 0, limit: None, databases: Vec::new() }
    }
}

/// A folder of questions and databases.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The folder's name.
    pub name: String,
    /// The rule that its questions are meant for.
    pub rule: Rule,
    /// How far they are to be taken.
    pub scope: Scope,
    /// Questions that can be asked, in file order.
    pub questions: Vec<Question>,
    /// How many questions are left out, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
}

impl Pack {
    /// Reads a pack in whichever layout it has. Questions on a schema without data can only be linked.
    ///
    /// # Errors
    /// Says which file cannot be read and where, or that nothing in the pack can be asked.
    pub fn load(folder: &Path, scope: Scope) -> Result<Self, AppError> {
        let folder = folder.canonicalize().map_err(|error| {
            AppError::new(ErrorCode::Usage, format!("{} cannot be read", folder.display())).detail(error)
        })?;
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let (rule, entries) = if let Some(file) = dumps::questions_at(&folder) {
            (Rule::of_pack(&name), dumps::read(&folder, &file)?)
        } else if own::is_at(&folder) {
            (Rule::of_pack(&name), own::read(&folder)?)
        } else if spider2::is_at(&folder) {
            (Rule::Spider2, spider2::read(&folder)?)
        } else if let Some(file) = bird::questions_at(&folder) {
            (Rule::Bird, bird::read(&folder, &file)?)
        } else if spider::is_at(&folder) {
            (Rule::Spider, spider::read(&folder)?)
        } else {
            return Err(AppError::new(ErrorCode::Usage, format!("{} is no pack", folder.display())).hint(
                "Name a folder with questions.jsonl and databases/, or with dumps of PostgreSQL databases, or one in the layout of Spider, BIRD or Spider 2.0",
            ));
        };
        // Names of files are made of it.
        let named = |question: Question| match child_of(&folder, &question.db_id) {
            Some(_) => Ok(question),
            None => Err(LeftOut::NoDatabase),
        };
        let entries = entries.into_iter().map(|entry| entry.and_then(named)).collect();
        Self::of_entries(name, rule, scope, entries)
    }

    /// A pack of questions that lie in no folder, by Spider's rule: the saved questions of a person.
    ///
    /// # Errors
    /// When none of them can be asked.
    pub fn of_questions(name: String, questions: Vec<Question>) -> Result<Self, AppError> {
        Self::of_entries(name, Rule::Spider, Scope::Answers, questions.into_iter().map(Ok).collect())
    }

    fn of_entries(name: String, rule: Rule, scope: Scope, entries: Vec<Entry>) -> Result<Self, AppError> {
        let mut pack = Self { name, rule, scope, questions: Vec::new(), left_out: BTreeMap::new() };
        let mut ids = BTreeSet::new();
        for entry in entries {
            match entry.and_then(|question| fitting(question, scope)) {
                Ok(question) if !ids.insert(question.id.clone()) => {
                    let message = format!("The pack {} has two questions with the id {}", pack.name, question.id);
                    return Err(AppError::new(ErrorCode::Usage, message).hint("Give each question an id of its own"));
                }
                Ok(question) => pack.questions.push(question),
                Err(reason) => *pack.left_out.entry(reason).or_default() += 1,
            }
        }
        if pack.questions.is_empty() {
            let reasons: Vec<_> = pack.left_out.iter().map(|(why, n)| format!("{}: {n}", why.reason())).collect();
            let message = format!("The pack {} has no question that can be asked", pack.name);
            return Err(AppError::new(ErrorCode::Usage, message).detail(format!("left out: {}", reasons.join(", "))));
        }
        Ok(pack)
    }

    /// The questions of a sample.
    ///
    /// # Errors
    /// When it names a database that the pack does not have, nothing is left, or a database is not loaded.
    pub fn select(&self, sample: &Sample) -> Result<Vec<Question>, AppError> {
        let chosen = self.chosen(sample)?;
        if chosen.iter().any(|question| question.warehouse.starts_with(DUMP)) {
            let message = format!("The databases of {} are dumps, which need a PostgreSQL server", self.name);
            return Err(AppError::new(ErrorCode::Usage, message)
                .hint("Name one: vitrine eval PACK --server postgresql://USER@HOST:PORT/DATABASE"));
        }
        Ok(chosen)
    }

    /// The dumps of the databases that a sample asks about.
    pub(crate) fn dumps(&self, sample: &Sample) -> Result<BTreeSet<PathBuf>, AppError> {
        let chosen = self.chosen(sample)?;
        Ok(chosen.iter().filter_map(|question| question.warehouse.strip_prefix(DUMP)).map(PathBuf::from).collect())
    }

    /// Notes where a dump was loaded.
    pub(crate) fn loaded(&mut self, path: &Path, address: &str) {
        let dump = dump(path);
        for question in self.questions.iter_mut().filter(|question| question.warehouse == dump) {
            address.clone_into(&mut question.warehouse);
        }
    }

    fn chosen(&self, sample: &Sample) -> Result<Vec<Question>, AppError> {
        let databases: BTreeSet<&str> = self.questions.iter().map(|q| q.db_id.as_str()).collect();
        if let Some(unknown) = sample.databases.iter().find(|name| !databases.contains(name.as_str())) {
            let known = databases.into_iter().collect::<Vec<_>>().join(", ");
            return Err(AppError::new(ErrorCode::Usage, format!("The pack {} has no database {unknown}", self.name))
                .hint(format!("It has {known}")));
        }
        let chosen: Vec<Question> = self
            .questions
            .iter()
            .filter(|q| sample.databases.is_empty() || sample.databases.contains(&q.db_id))
            .skip(sample.offset)
            .step_by(sample.every.max(1))
            .take(sample.limit.unwrap_or(usize::MAX))
            .cloned()
            .collect();
        if chosen.is_empty() {
            return Err(AppError::new(ErrorCode::Usage, format!("No question of {} is in this sample", self.name))
                .hint(format!(
                    "It has {} questions; choose a smaller offset or a larger limit",
                    self.questions.len()
                )));
        }
        Ok(chosen)
    }
}
