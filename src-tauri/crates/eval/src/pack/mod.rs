//! Packs: folders of questions with known answers and their databases, in the layouts of established benchmarks.

mod address;
mod ambiguity;
mod bird;
mod connections;
mod csv_result;
mod dumps;
mod files;
mod own;
mod psql;
mod question;
mod scope;
mod spider;
mod spider2;
#[cfg(test)]
mod tests;

pub use ambiguity::AmbiguityMode;
pub use connections::{DatabasePattern, PackConnection};
pub use psql::load_dumps;
pub use question::{GoldTerms, Question, Sample, SkipReason};
pub use scope::{EvalScope, GivenSchema};
use vitrine_words::tr;

use crate::metrics::Rule;
use address::{DUMP, SCHEMA, dump_address, is_there};
use question::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode, child_of};

/// A folder of questions and databases.
#[derive(Debug, Clone)]
pub struct Pack {
    /// The name of the pack's folder.
    pub name: String,
    /// The rule that judges its questions.
    pub rule: Rule,
    /// The depth to which its questions are evaluated.
    pub scope: EvalScope,
    /// Questions that can be evaluated, in file order.
    pub questions: Vec<Question>,
    /// Number of skipped questions, by reason.
    pub left_out: BTreeMap<SkipReason, usize>,
}

/// Hint for a pack whose databases are on servers.
const CONNECT: &str = "--connection DATABASE=NAME";

impl Pack {
    /// Reads a pack in any supported layout. Questions on a schema without data support only linking.
    ///
    /// # Errors
    /// Fails if a file cannot be read, naming file and line, or if no question of the pack can be evaluated.
    pub fn load(folder: &Path, scope: EvalScope) -> Result<Self, AppError> {
        Self::load_connected(folder, scope, &[])
    }

    /// Reads a pack, some of whose databases are on servers. Without a connection, the questions on these databases are
    /// skipped, or support only linking if the pack has their schema.
    ///
    /// # Errors
    /// As [`Pack::load`].
    pub fn load_connected(folder: &Path, scope: EvalScope, connections: &[PackConnection]) -> Result<Self, AppError> {
        let folder = folder.canonicalize().map_err(|error| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = folder.display())).with_detail(error)
        })?;
        let name = folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let (rule, entries) = if let Some(file) = dumps::questions_at(&folder) {
            (Rule::of_pack(&name), dumps::read_questions(&folder, &file)?)
        } else if own::is_at(&folder) {
            (Rule::of_pack(&name), own::read_questions(&folder)?)
        } else if spider2::is_at(&folder) {
            (Rule::Spider2, spider2::read_questions(&folder)?)
        } else if let Some(file) = bird::questions_at(&folder) {
            (Rule::Bird, bird::read_questions(&folder, &file)?)
        } else if spider::is_at(&folder) {
            (Rule::Spider, spider::read_questions(&folder)?)
        } else {
            return Err(AppError::new(ErrorCode::Usage, tr!("{folder} is no pack", folder = folder.display())).with_hint(
                tr!("Name a folder with questions.jsonl and databases/, or with dumps of PostgreSQL databases, or one in the layout of Spider, BIRD or Spider 2.0"),
            ));
        };
        // The database name becomes part of file names.
        let named = |question: Question| match child_of(&folder, &question.db_id) {
            Some(_) => Ok(question),
            None => Err(SkipReason::NoDatabase),
        };
        let connected = |question: Question| {
            let has_data = !question.warehouse.starts_with(SCHEMA) && is_there(&question.warehouse);
            connections::connect_question(question, connections, has_data)
        };
        let entries = entries.into_iter().map(|entry| entry.and_then(named).and_then(connected)).collect();
        Self::of_entries(name, rule, scope, entries)
    }

    /// Creates a pack from questions without a folder, such as a user's saved questions; uses Spider's rule.
    ///
    /// # Errors
    /// Fails if none of the questions can be evaluated.
    pub fn of_questions(name: String, questions: Vec<Question>) -> Result<Self, AppError> {
        Self::of_entries(name, Rule::Spider, EvalScope::Answers, questions.into_iter().map(Ok).collect())
    }

    fn of_entries(name: String, rule: Rule, scope: EvalScope, entries: Vec<Entry>) -> Result<Self, AppError> {
        let mut pack = Self { name, rule, scope, questions: Vec::new(), left_out: BTreeMap::new() };
        let mut ids = BTreeSet::new();
        for entry in entries {
            match entry.and_then(|question| check_scope(question, scope)) {
                Ok(question) if !ids.insert(question.id.clone()) => {
                    let message =
                        tr!("The pack {pack} has two questions with the id {id}", pack = pack.name, id = question.id);
                    return Err(
                        AppError::new(ErrorCode::Usage, message).with_hint(tr!("Give each question an id of its own"))
                    );
                }
                Ok(question) => pack.questions.push(question),
                Err(reason) => *pack.left_out.entry(reason).or_default() += 1,
            }
        }
        if pack.questions.is_empty() {
            let reasons: Vec<_> = pack.left_out.iter().map(|(why, n)| format!("{}: {n}", why.reason_text())).collect();
            let message = tr!("The pack {pack} has no question to ask", pack = pack.name);
            let error = AppError::new(ErrorCode::Usage, message)
                .with_detail(tr!("left out: {reasons}", reasons = reasons.join(", ")));
            return Err(match pack.left_out.contains_key(&SkipReason::SchemaOnly) {
                true => error.with_hint(tr!("Name the connections of its databases: {option}", option = CONNECT)),
                false => error,
            });
        }
        Ok(pack)
    }

    /// Returns the questions of a sample.
    ///
    /// # Errors
    /// Fails if the sample names an unknown database or is empty, or if a database has not been loaded.
    pub fn select_questions(&self, sample: &Sample) -> Result<Vec<Question>, AppError> {
        let chosen = self.filter_questions(sample)?;
        if chosen.iter().any(|question| question.warehouse.starts_with(DUMP)) {
            let message = tr!("The databases of {pack} are dumps, which need a PostgreSQL server", pack = self.name);
            return Err(AppError::new(ErrorCode::Usage, message)
                .with_hint(tr!("Name one: vitrine eval PACK --server postgresql://USER@HOST:PORT/DATABASE")));
        }
        Ok(chosen)
    }

    /// Returns the number of questions whose document is missing.
    pub fn count_missing_documents(&self) -> usize {
        self.questions.iter().filter(|question| question.missing_document.is_some()).count()
    }

    /// Returns the dumps of the databases that a sample uses.
    pub(crate) fn sample_dumps(&self, sample: &Sample) -> Result<BTreeSet<PathBuf>, AppError> {
        let chosen = self.filter_questions(sample)?;
        Ok(chosen.iter().filter_map(|question| question.warehouse.strip_prefix(DUMP)).map(PathBuf::from).collect())
    }

    /// Sets the address of the database that a dump was loaded into.
    pub(crate) fn set_dump_address(&mut self, path: &Path, address: &str) {
        let dump = dump_address(path);
        for question in self.questions.iter_mut().filter(|question| question.warehouse == dump) {
            address.clone_into(&mut question.warehouse);
        }
    }

    fn filter_questions(&self, sample: &Sample) -> Result<Vec<Question>, AppError> {
        let databases: BTreeSet<&str> = self.questions.iter().map(|q| q.db_id.as_str()).collect();
        if let Some(unknown) = sample.databases.iter().find(|name| !databases.contains(name.as_str())) {
            let known = databases.into_iter().collect::<Vec<_>>().join(", ");
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("The pack {pack} has no database {unknown}", pack = self.name, unknown),
            )
            .with_hint(tr!("It has {known}", known)));
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
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("No question of {pack} is in this sample", pack = self.name),
            )
            .with_hint(tr!(
                "It has {count} questions; choose a smaller offset or a larger limit",
                count = self.questions.len()
            )));
        }
        Ok(chosen)
    }
}

/// Accepts a question if it supports the given scope.
fn check_scope(question: Question, scope: EvalScope) -> Entry {
    let without_gold = question.gold_sql.is_empty() && (scope == EvalScope::Linking || question.gold_tables.is_empty());
    match scope {
        EvalScope::Answers if question.warehouse.starts_with(SCHEMA) => Err(SkipReason::SchemaOnly),
        _ if !is_there(&question.warehouse) => Err(SkipReason::NoDatabase),
        _ if without_gold => Err(SkipReason::NoGold),
        _ => Ok(question),
    }
}
