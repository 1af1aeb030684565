//! Prompts are files in `prompts/`, rendered with minijinja in strict mode from typed contexts.
//!
//! A request is built as system text, stable prefix (the schema) and varying tail, so that every agent of a run
//! shares the same first tokens.

pub mod format;
pub mod methods;
pub mod prospy;
pub mod reply;
pub mod request;
#[cfg(test)]
mod tests;

use minijinja::{Environment, UndefinedBehavior, Value, context};
use serde::Serialize;
use std::sync::OnceLock;
use vitrine_domain::ModelProfile;

macro_rules! templates {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../prompts/", $name)))),*]
    };
}

/// Every prompt file, by its path below `prompts/`.
pub const TEMPLATES: &[(&str, &str)] = &templates![
    "shared/system.j2",
    "shared/schema.j2",
    "shared/context.j2",
    "rewriter/task.j2",
    "rewriter/user.j2",
    "rewriter/facts.j2",
    "rewriter/full.j2",
    "rewriter/facts-full.j2",
    "shared/known.j2",
    "view-generator/full.j2",
    "view-generator/feedback-full.j2",
    "planner/full.j2",
    "generator/full.j2",
    "revisor/full.j2",
    "direct/full.j2",
    "direct/asked-full.j2",
    "view-generator/user.j2",
    "view-generator/feedback.j2",
    "planner/user.j2",
    "generator/user.j2",
    "generator/feedback.j2",
    "generator/feedback-full.j2",
    "generator/verified.j2",
    "revisor/user.j2",
    "direct/user.j2",
    "direct/asked.j2",
    "direct/restated.j2",
    "direct/restated-full.j2",
    "judge/user.j2",
    "judge/full.j2",
    "judge/rank.j2",
    "judge/rank-full.j2",
    "divide/user.j2",
    "divide/full.j2",
    "query-plan/user.j2",
    "query-plan/full.j2",
    "exemplar/task.j2",
    "exemplar/task-full.j2",
    "exemplar/user.j2",
    "exemplar/user-full.j2",
    "explorer/probes.j2",
    "explorer/probes-full.j2",
    "explorer/carry.j2",
    "explorer/carry-full.j2",
    "explorer/summary.j2",
    "explorer/summary-full.j2",
    "linker/tables.j2",
    "linker/judge-tables.j2",
    "linker/exclude.j2",
    "steps/user.j2",
    "steps/full.j2",
    "fetch/plan.j2",
    "fetch/user.j2",
    "fetch/user-full.j2",
    "fetch/sql.j2",
    "fetch/sql-full.j2",
    "fetch/feedback.j2",
    "fetch/feedback-full.j2",
    "analyst/system.j2",
    "analyst/user.j2",
    "analyst/full.j2",
    "shared/retry.j2",
    "follow-up/user.j2",
    "follow-up/again.j2",
];

fn template_environment() -> &'static Environment<'static> {
    static ENVIRONMENT: OnceLock<Environment<'static>> = OnceLock::new();
    ENVIRONMENT.get_or_init(|| {
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        for (name, source) in TEMPLATES {
            environment.add_template(name, source).unwrap_or_else(|e| panic!("prompts/{name}: {e}"));
        }
        environment
    })
}

/// A typed context and the file it fills in.
pub trait Prompt: Serialize {
    /// Path below `prompts/`.
    const FILE: &'static str;

    /// The file for a model that deliberates, where it has one of its own.
    const FULL_FILE: &'static str = Self::FILE;

    /// Renders the file for a model.
    fn render_for(&self, profile: &ModelProfile) -> String {
        let file = if profile.deliberates { Self::FULL_FILE } else { Self::FILE };
        render_template(file, self, profile.thinks_aloud())
    }
}

/// A prompt that is the same for every model. One with a file for models that deliberate is none, so that it cannot be
/// rendered without saying for whom.
pub trait OneForAll: Prompt {
    /// Renders the file.
    fn render(&self) -> String {
        render_template(Self::FILE, self, false)
    }
}

/// Renders a file. Missing fields are programming errors and are caught by the snapshot tests. Whether the reply has a place
/// for thinking is known in every file: `thinks`. An example of a reply puts its reasons there, between `think` and `reply`, or
/// in front of the reply where there is no such place.
fn render_template(file: &str, context: &(impl Serialize + ?Sized), thinks: bool) -> String {
    let (think, reply) = if thinks { ("{\"thinking\": \"", "\", ") } else { ("", " {") };
    let context = Value::from_serialize(context);
    template_environment()
        .get_template(file)
        .and_then(|t| t.render(context! { thinks, think, reply, ..context }))
        .unwrap_or_else(|e| panic!("prompts/{file}: {e}"))
        .trim_start_matches('\n')
        .to_owned()
}

/// The system text, the same for every agent of a run.
#[derive(Debug, Clone, Serialize)]
pub struct System<'a> {
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for System<'_> {
    const FILE: &'static str = "shared/system.j2";
}
impl OneForAll for System<'_> {}

/// The stable prefix: the schema with dialect notes.
#[derive(Debug, Clone, Serialize)]
pub struct SchemaPrefix<'a> {
    /// Rendered schema.
    pub schema: &'a str,
    /// Dialect notes.
    pub hints: &'a [&'a str],
}
impl Prompt for SchemaPrefix<'_> {
    const FILE: &'static str = "shared/schema.j2";
}
impl OneForAll for SchemaPrefix<'_> {}

/// The rewriter's task with examples (AV-SQL, 4.2): the same for every question, so that it is read once.
#[derive(Debug, Clone, Serialize)]
pub struct RewriteTask {}
impl Prompt for RewriteTask {
    const FILE: &'static str = "rewriter/task.j2";
}
impl OneForAll for RewriteTask {}

/// The rewriter's question (AV-SQL, 4.2).
#[derive(Debug, Clone, Serialize)]
pub struct Rewrite<'a> {
    /// As asked.
    pub question: &'a str,
    /// Knowledge, or what was copied from its parts; empty when there is none.
    pub facts: &'a str,
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// The names of the tables where no prompt holds the schema, for a model that deliberates.
    pub tables: &'a [String],
}
impl Prompt for Rewrite<'_> {
    const FILE: &'static str = "rewriter/user.j2";
    const FULL_FILE: &'static str = "rewriter/full.j2";
}

/// A query and its result's distinguishing rows.
#[derive(Debug, Clone, Serialize)]
pub struct JudgedQuery {
    /// On one line.
    pub sql: String,
    /// `12 rows`.
    pub rows: String,
    /// Some rows that only this result has.
    pub only: Vec<String>,
}

/// Which of two queries answers the question (CHASE-SQL, 3.4).
#[derive(Debug, Clone, Serialize)]
pub struct Judge<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
    /// One.
    pub a: &'a JudgedQuery,
    /// The other.
    pub b: &'a JudgedQuery,
}
impl Prompt for Judge<'_> {
    const FILE: &'static str = "judge/user.j2";
    const FULL_FILE: &'static str = "judge/full.j2";
}

/// One part of knowledge that exceeds the budget.
#[derive(Debug, Clone, Serialize)]
pub struct CopyFacts<'a> {
    /// As asked.
    pub question: &'a str,
    /// 1-based.
    pub part: usize,
    /// How many.
    pub parts: usize,
    /// The part's text.
    pub text: &'a str,
}
impl Prompt for CopyFacts<'_> {
    const FILE: &'static str = "rewriter/facts.j2";
    const FULL_FILE: &'static str = "rewriter/facts-full.j2";
}

/// The view generator's task for one chunk (AV-SQL, 4.3).
#[derive(Debug, Clone, Serialize)]
pub struct GenerateViews<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// The rewritten task or empty.
    pub task: &'a str,
    /// Rewritten filters.
    pub filters: &'a [String],
    /// Output columns, for a model that deliberates.
    pub outputs: &'a [String],
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
    /// 1-based chunk number; 0 when there is one chunk only.
    pub part: usize,
    /// How many chunks.
    pub parts: usize,
}
impl Prompt for GenerateViews<'_> {
    const FILE: &'static str = "view-generator/user.j2";
    const FULL_FILE: &'static str = "view-generator/full.j2";
}

/// Problems of an attempt (Algorithm 1: values, errors, consistency).
#[derive(Debug, Clone, Serialize)]
pub struct ViewFeedback<'a> {
    /// Errors and inconsistencies.
    pub problems: &'a [String],
    /// Retrieved values.
    pub values: &'a [String],
}
impl Prompt for ViewFeedback<'_> {
    const FILE: &'static str = "view-generator/feedback.j2";
    const FULL_FILE: &'static str = "view-generator/feedback-full.j2";
}

/// A validated view as later prompts show it.
#[derive(Debug, Clone, Serialize)]
pub struct ViewLine {
    /// Its name.
    pub name: String,
    /// Its rationale.
    pub rationale: String,
    /// `12 rows` or `no row`.
    pub rows: String,
    /// Its SQL on one line.
    pub sql: String,
    /// Its first row as `column=value` pairs.
    pub sample: String,
}

/// What planner, generator and revisor know about the question (AV-SQL, 4.4).
#[derive(Debug, Clone, Serialize)]
pub struct Grounding {
    /// As asked.
    pub question: String,
    /// Known facts or empty.
    pub facts: String,
    /// The rewritten task or empty, for a model that deliberates.
    pub task: String,
    /// Rewritten filters, for a model that deliberates.
    pub filters: Vec<String>,
    /// Output columns.
    pub outputs: Vec<String>,
    /// Sorting and limit or empty.
    pub ordering: String,
    /// `table(column, column)` lines.
    pub selection: Vec<String>,
    /// `column = 'value'` lines.
    pub values: Vec<String>,
    /// Validated views.
    pub views: Vec<ViewLine>,
}

/// The planner's task.
#[derive(Debug, Clone, Serialize)]
pub struct Plan<'a> {
    /// What is known.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
}
impl Prompt for Plan<'_> {
    const FILE: &'static str = "planner/user.j2";
    const FULL_FILE: &'static str = "planner/full.j2";
}

/// The generator's task.
#[derive(Debug, Clone, Serialize)]
pub struct Generate<'a> {
    /// What is known.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
    /// The plan or empty.
    pub plan: &'a str,
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for Generate<'_> {
    const FILE: &'static str = "generator/user.j2";
    const FULL_FILE: &'static str = "generator/full.j2";
}

/// Why a final SQL failed (Algorithm 2).
#[derive(Debug, Clone, Serialize)]
pub struct SqlFeedback<'a> {
    /// The database's or the binder's message, or a warning.
    pub error: &'a str,
    /// Whether it ran: then it may be right as it is.
    pub ran: bool,
    /// Partial matches for the query's texts, where it found nothing.
    pub searches: &'a [String],
    /// How the dialect reads the nested columns that it uses; empty where it uses none.
    pub nested: &'a [&'a str],
    /// Stored values.
    pub values: &'a [String],
}
impl Prompt for SqlFeedback<'_> {
    const FILE: &'static str = "generator/feedback.j2";
    const FULL_FILE: &'static str = "generator/feedback-full.j2";
}

/// The revisor's task.
#[derive(Debug, Clone, Serialize)]
pub struct Revise<'a> {
    /// What is known.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
    /// The query that ran.
    pub sql: &'a str,
    /// `12 rows`.
    pub rows: &'a str,
    /// Its columns.
    pub columns: &'a [String],
    /// Its first rows as text.
    pub sample: &'a str,
    /// Where it breaks the output contract.
    pub doubts: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for Revise<'_> {
    const FILE: &'static str = "revisor/user.j2";
    const FULL_FILE: &'static str = "revisor/full.j2";
}

/// The task without views and plan, as a comment below the tables (Chang and Fosler-Lussier 2023, the format in which
/// such models are trained for it): the baseline's only prompt, and that of most candidates.
#[derive(Debug, Clone, Serialize)]
pub struct Direct<'a> {
    /// As asked.
    pub question: &'a str,
    /// Knowledge or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for Direct<'_> {
    const FILE: &'static str = "direct/user.j2";
    const FULL_FILE: &'static str = "direct/full.j2";
}

/// The same task in conversational words: a second prompt, so that not every candidate makes the same mistake.
#[derive(Debug, Clone, Serialize)]
pub struct Asked<'a>(pub Direct<'a>);
impl Prompt for Asked<'_> {
    const FILE: &'static str = "direct/asked.j2";
    const FULL_FILE: &'static str = "direct/asked-full.j2";
}

/// The same task, put in other words by the model before it writes: whether the answer depends on how it was asked.
#[derive(Debug, Clone, Serialize)]
pub struct Restated<'a>(pub Direct<'a>);
impl Prompt for Restated<'_> {
    const FILE: &'static str = "direct/restated.j2";
    const FULL_FILE: &'static str = "direct/restated-full.j2";
}

/// Rewrites a follow-up as a question that stands alone.
#[derive(Debug, Clone, Serialize)]
pub struct FollowUpPrompt<'a> {
    /// The question before.
    pub before: &'a str,
    /// The follow-up as typed.
    pub text: &'a str,
}
impl Prompt for FollowUpPrompt<'_> {
    const FILE: &'static str = "follow-up/user.j2";
}
impl OneForAll for FollowUpPrompt<'_> {}

/// Asks again where the question before came back.
#[derive(Debug, Clone, Serialize)]
pub struct FollowUpAgain<'a> {
    /// The follow-up as typed.
    pub text: &'a str,
}
impl Prompt for FollowUpAgain<'_> {
    const FILE: &'static str = "follow-up/again.j2";
}
impl OneForAll for FollowUpAgain<'_> {}

/// Asks again after an unreadable reply.
#[derive(Debug, Clone, Serialize)]
pub struct Retry<'a> {
    /// What was wrong with the reply.
    pub problem: &'a str,
}
impl Prompt for Retry<'_> {
    const FILE: &'static str = "shared/retry.j2";
}
impl OneForAll for Retry<'_> {}
