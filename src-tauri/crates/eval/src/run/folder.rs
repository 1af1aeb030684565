//! The folder of a run: `run.json` holds the settings, `results.jsonl` one line per question in order of completion (in
//! the pack's order once all are done), and `events/ID.jsonl` each question's events.

use super::outcome::Outcome;
use crate::metrics::{EVALUATOR_VERSION, Rule};
use crate::pack::{AmbiguityMode, EvalScope, GivenSchema, Sample, SkipReason};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use vitrine_domain::{AppError, AskSettings, ErrorCode, RunEvent};
use vitrine_words::tr;

const RESULTS: &str = "results.jsonl";
const RECORD: &str = "run.json";
const EVENTS: &str = "events";

/// Settings of a run; a folder holds results of one set of settings only.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The name of the pack.
    pub pack: String,
    /// The rule of the pack.
    pub rule: Rule,
    /// The version of the rules.
    pub evaluator: String,
    /// The selection of questions that are asked.
    pub sample: Sample,
    /// The treatment of ambiguous questions.
    #[serde(default)]
    pub meaning: AmbiguityMode,
    /// The depth of the evaluation.
    #[serde(default)]
    pub scope: EvalScope,
    /// The schema that the method received.
    #[serde(default, skip_serializing_if = "GivenSchema::is_whole")]
    pub schema: GivenSchema,
    /// The settings for answering questions.
    pub settings: AskSettings,
    /// Number of skipped questions of the whole pack, by reason.
    pub left_out: BTreeMap<SkipReason, usize>,
    /// Number of questions of the whole pack that are asked without the document that they name.
    #[serde(default)]
    pub missing_documents: usize,
}

impl RunRecord {
    /// Lists differences to another record, e.g. `settings.candidates: 8, now 4`.
    fn list_differences(&self, now: &Self) -> Vec<String> {
        let leaves = |record: &Self| {
            let mut leaves = BTreeMap::new();
            // Skipped questions depend on the files that exist, and do not affect results.
            let record = Self { left_out: BTreeMap::new(), ..record.clone() };
            flatten_value("", &serde_json::to_value(record).unwrap_or_default(), &mut leaves);
            leaves
        };
        let (before, now) = (leaves(self), leaves(now));
        let names = before.keys().chain(now.keys().filter(|name| !before.contains_key(*name)));
        let show = |value: Option<&String>| value.map_or("none".to_owned(), Clone::clone);
        names
            .filter(|name| before.get(*name) != now.get(*name))
            .map(|name| {
                tr!("{name}: {before}, now {now}", name, before = show(before.get(name)), now = show(now.get(name)))
            })
            .collect()
    }
}

fn flatten_value(path: &str, value: &Value, leaves: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten_value(&path, value, leaves);
            }
        }
        Value::Null => {}
        value => {
            leaves.insert(path.to_owned(), value.to_string());
        }
    }
}

/// The output folder of a run.
#[derive(Debug)]
pub(crate) struct RunFolder(PathBuf);

impl RunFolder {
    /// Starts or resumes a run; returns the outcomes so far.
    pub(crate) fn start_or_resume(
        path: &Path,
        record: &RunRecord,
        resume: bool,
    ) -> Result<(Self, Vec<Outcome>), AppError> {
        let folder = Self(path.to_owned());
        let results = read_results(&path.join(RESULTS))?;
        if results.text.trim().is_empty() {
            std::fs::create_dir_all(path.join(EVENTS)).map_err(|e| folder.write_error(e))?;
            let text = serde_json::to_string_pretty(record).unwrap_or_default();
            std::fs::write(path.join(RECORD), text + "\n").map_err(|e| folder.write_error(e))?;
            return Ok((folder, Vec::new()));
        }
        let usage = |message: String| AppError::new(ErrorCode::Usage, message);
        if !resume {
            return Err(usage(tr!("{path} already contains results", path = path.display()))
                .with_hint(tr!("Add --resume to continue, or choose another folder with --out")));
        }
        let another = tr!("Choose another folder with --out");
        let begun = load_record(path)?.ok_or_else(|| {
            usage(tr!("{path} does not state how its results were produced", path = path.display())).with_hint(another)
        })?;
        let differences = begun.list_differences(record);
        if !differences.is_empty() {
            return Err(usage(tr!("{path} was begun with other settings", path = path.display()))
                .with_hint(tr!("Give the same settings, or: choose another folder with --out"))
                .with_detail(differences.join("; ")));
        }
        // A truncated line would corrupt the next one.
        if !results.whole {
            folder.rewrite_results(&results.outcomes)?;
        }
        Ok((folder, results.outcomes))
    }

    /// Appends the outcome of one question.
    pub(crate) fn append_outcome(&self, outcome: &Outcome) -> Result<(), AppError> {
        let file = std::fs::OpenOptions::new().create(true).append(true).open(self.0.join(RESULTS));
        file.and_then(|mut file| file.write_all(to_json_line(outcome).as_bytes())).map_err(|e| self.write_error(e))
    }

    /// Replaces the file of results atomically.
    pub(crate) fn rewrite_results(&self, outcomes: &[Outcome]) -> Result<(), AppError> {
        let part = self.0.join(format!("{RESULTS}.part"));
        let text: String = outcomes.iter().map(to_json_line).collect();
        std::fs::write(&part, text)
            .and_then(|()| std::fs::rename(&part, self.0.join(RESULTS)))
            .map_err(|e| self.write_error(e))
    }

    /// Writes the events of one question's run.
    pub(crate) fn write_events(&self, id: &str, text: &str) -> Result<(), AppError> {
        std::fs::write(self.0.join(EVENTS).join(events_file(id)), text).map_err(|e| self.write_error(e))
    }

    fn write_error(&self, error: std::io::Error) -> AppError {
        AppError::new(ErrorCode::Internal, tr!("{path} cannot be written", path = self.0.display())).with_detail(error)
    }
}

fn to_json_line(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).unwrap_or_default() + "\n"
}

/// Returns the name of a question's events file; replaces characters that file names may not contain.
pub fn events_file(id: &str) -> String {
    let safe = |c: char| if c.is_alphanumeric() || matches!(c, '_' | '-' | '.') { c } else { '_' };
    format!("{}.jsonl", id.chars().map(safe).collect::<String>())
}

struct Results {
    text: String,
    outcomes: Vec<Outcome>,
    /// `true` if every line is a valid result and ends with a line break.
    whole: bool,
}

fn read_results(path: &Path) -> Result<Results, AppError> {
    let text = match std::fs::read(path) {
        // A line may be truncated inside a character.
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let message = tr!("{path} cannot be read", path = path.display());
            return Err(AppError::new(ErrorCode::Usage, message).with_detail(error));
        }
    };
    let outcomes: Vec<Outcome> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let whole = outcomes.len() == text.lines().count() && (text.is_empty() || text.ends_with('\n'));
    Ok(Results { text, outcomes, whole })
}

fn load_record(folder: &Path) -> Result<Option<RunRecord>, AppError> {
    let path = folder.join(RECORD);
    let Ok(text) = std::fs::read_to_string(&path) else { return Ok(None) };
    let record = serde_json::from_str(&text);
    record.map(Some).map_err(|e| {
        AppError::new(ErrorCode::Usage, tr!("{path} is not as expected", path = path.display())).with_detail(e)
    })
}

/// A run loaded from its folder.
#[derive(Debug, Clone)]
pub struct Run {
    /// Name shown in column headers.
    pub name: String,
    /// The name of the pack.
    pub pack: String,
    /// The rule of the pack.
    pub rule: Rule,
    /// The depth of the evaluation.
    pub scope: EvalScope,
    /// The version of the rules that judged it.
    pub evaluator: String,
    /// The settings for answering questions, if recorded.
    pub settings: Option<AskSettings>,
    /// Sampling interval: every K-th question of the pack.
    pub every: u32,
    /// Outcomes of the questions that were measured.
    pub outcomes: Vec<Outcome>,
    /// Number of skipped questions by reason, of the whole pack and during the run.
    pub left_out: BTreeMap<SkipReason, usize>,
    /// Number of questions of the whole pack that are asked without the document that they name.
    pub missing_documents: usize,
    /// The folder it was loaded from.
    pub folder: PathBuf,
}

impl Run {
    /// Loads a run. Runs without a record are named after their folder and were judged by evaluator 1.
    ///
    /// # Errors
    /// Fails without results or if a file is malformed.
    pub fn load(name: impl Into<String>, folder: &Path) -> Result<Self, AppError> {
        let results = read_results(&folder.join(RESULTS))?;
        if results.outcomes.is_empty() {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("{folder} contains no results", folder = folder.display()),
            )
            .with_hint(tr!("Name the folder that an evaluation wrote to")));
        }
        let record = load_record(folder)?;
        let pack = record.as_ref().map_or_else(
            || folder.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
            |record| record.pack.clone(),
        );
        let mut left_out = record.as_ref().map(|record| record.left_out.clone()).unwrap_or_default();
        let mut outcomes = results.outcomes;
        outcomes.retain(|outcome| match outcome.left_out {
            None => true,
            Some(reason) => {
                *left_out.entry(reason).or_default() += 1;
                false
            }
        });
        Ok(Self {
            name: name.into(),
            rule: record.as_ref().map_or(Rule::of_pack(&pack), |record| record.rule),
            pack,
            scope: record.as_ref().map_or(EvalScope::default(), |record| record.scope),
            evaluator: record.as_ref().map_or("1".to_owned(), |record| record.evaluator.clone()),
            missing_documents: record.as_ref().map_or(0, |record| record.missing_documents),
            every: record.as_ref().map_or(1, |record| record.sample.every as u32),
            settings: record.map(|record| record.settings),
            outcomes,
            left_out,
            folder: folder.to_owned(),
        })
    }

    /// Reads the events of one question's run.
    ///
    /// # Errors
    /// Fails if the file is missing or malformed.
    pub fn read_events(&self, id: &str) -> Result<Vec<RunEvent>, AppError> {
        let path = self.folder.join(EVENTS).join(events_file(id));
        let unreadable = |detail: String| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be read", path = path.display())).with_detail(detail)
        };
        let text = std::fs::read_to_string(&path).map_err(|error| unreadable(error.to_string()))?;
        text.lines().map(|line| serde_json::from_str(line).map_err(|error| unreadable(error.to_string()))).collect()
    }

    /// Returns `true` if its results were judged by the current version of the rules.
    pub fn is_current(&self) -> bool {
        self.evaluator == EVALUATOR_VERSION
    }

    /// Returns the address of its events for a page in another folder, relative if both have a common ancestor.
    pub fn events_link(&self, page_folder: &Path) -> String {
        let (Ok(from), Ok(to)) = (page_folder.canonicalize(), self.folder.join(EVENTS).canonicalize()) else {
            return EVENTS.to_owned();
        };
        let common = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
        let up = from.components().skip(common).map(|_| "..".to_owned());
        let down = to.components().skip(common).filter_map(|part| match part {
            Component::Normal(name) => Some(percent_encoded(&name.to_string_lossy())),
            _ => None,
        });
        up.chain(down).collect::<Vec<_>>().join("/")
    }
}

/// Percent-encodes a name for a URL.
pub(crate) fn percent_encoded(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    name.bytes().map(|b| if plain(b) { char::from(b).to_string() } else { format!("%{b:02X}") }).collect()
}

#[cfg(test)]
mod tests;
