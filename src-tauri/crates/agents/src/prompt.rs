//! Prompt templates: the files in `prompts/`, rendered with minijinja in strict mode from typed contexts.
//!
//! A request consists of the system text, a stable prefix (the schema) and a varying tail, so that all agents of a run share the same first
//! tokens.

pub mod evidence;
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

/// All prompt files as pairs of the path below `prompts/` and the source.
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
    "linker/keywords.j2",
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

/// A typed context and the prompt file that it is rendered into.
pub trait Prompt: Serialize {
    /// Path of the prompt file below `prompts/`.
    const FILE: &'static str;

    /// Path of the file for a model that deliberates; defaults to [`Self::FILE`].
    const FULL_FILE: &'static str = Self::FILE;

    /// Renders the file that fits the model.
    fn render_for(&self, profile: &ModelProfile) -> String {
        let file = if profile.deliberates { Self::FULL_FILE } else { Self::FILE };
        render_template(file, self, profile.thinks_aloud())
    }
}

/// A prompt that is the same for every model. Prompts with a separate file for models that deliberate do not implement it, so that they
/// cannot be rendered without a profile.
pub trait OneForAll: Prompt {
    /// Renders the file without a model profile.
    fn render(&self) -> String {
        render_template(Self::FILE, self, false)
    }
}

/// Renders a file. Missing fields are programming errors and are caught by the snapshot tests. Every file can read `thinks`, which is true
/// if the reply has a place for thinking. Example replies put their reasons between `think` and `reply`; without such a place, the reasons
/// precede the reply. `why` names the property for the reasons of a plan or verdict, which the log keeps.
fn render_template(file: &str, context: &(impl Serialize + ?Sized), thinks: bool) -> String {
    let (think, reply) = if thinks { ("{\"thinking\": \"", "\", ") } else { ("", " {") };
    let why = if thinks { reply::THINKING } else { reply::REASON };
    let context = Value::from_serialize(context);
    template_environment()
        .get_template(file)
        .and_then(|t| t.render(context! { thinks, think, reply, why, ..context }))
        .unwrap_or_else(|e| panic!("prompts/{file}: {e}"))
        .trim_start_matches('\n')
        .to_owned()
}

/// System text, which is the same for every agent of a run.
#[derive(Debug, Clone, Serialize)]
pub struct System<'a> {
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for System<'_> {
    const FILE: &'static str = "shared/system.j2";
}
impl OneForAll for System<'_> {}

/// Stable prefix of a request: the schema with dialect notes.
#[derive(Debug, Clone, Serialize)]
pub struct SchemaPrefix<'a> {
    /// Text of the rendered schema, without notes.
    pub schema: &'a str,
    /// Notes on the SQL dialect, one per line.
    pub hints: &'a [&'a str],
}
impl Prompt for SchemaPrefix<'_> {
    const FILE: &'static str = "shared/schema.j2";
}
impl OneForAll for SchemaPrefix<'_> {}

/// The rewriter's task with examples (AV-SQL, 4.2). It is the same for every question, so that models can cache it.
#[derive(Debug, Clone, Serialize)]
pub struct RewriteTask {}
impl Prompt for RewriteTask {
    const FILE: &'static str = "rewriter/task.j2";
}
impl OneForAll for RewriteTask {}

/// The rewriter's prompt for one question (AV-SQL, 4.2).
#[derive(Debug, Clone, Serialize)]
pub struct Rewrite<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Knowledge, or the excerpts copied from its parts; empty if there is none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Table names for a model that deliberates, if no prompt contains the schema.
    pub tables: &'a [String],
}
impl Prompt for Rewrite<'_> {
    const FILE: &'static str = "rewriter/user.j2";
    const FULL_FILE: &'static str = "rewriter/full.j2";
}

/// A query and the rows that distinguish its result.
#[derive(Debug, Clone, Serialize)]
pub struct JudgedQuery {
    /// SQL text on one line.
    pub sql: String,
    /// Number of rows as text, such as `12 rows`.
    pub rows: String,
    /// Columns with types and distinct values, for a model that deliberates; empty otherwise.
    pub columns: Vec<String>,
    /// Sample of the rows that only this result contains.
    pub only: Vec<String>,
}

/// Asks which of two queries answers the question (CHASE-SQL, 3.4).
#[derive(Debug, Clone, Serialize)]
pub struct Judge<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
    /// First query of the comparison.
    pub a: &'a JudgedQuery,
    /// Second query of the comparison.
    pub b: &'a JudgedQuery,
    /// Numbers of rows that the conditions keep in which queries differ, for a model that deliberates.
    pub probes: &'a [String],
}
impl Prompt for Judge<'_> {
    const FILE: &'static str = "judge/user.j2";
    const FULL_FILE: &'static str = "judge/full.j2";
}

/// Asks for excerpts of one part of the knowledge, if the knowledge exceeds the budget.
#[derive(Debug, Clone, Serialize)]
pub struct CopyFacts<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Number of the part, from 1.
    pub part: usize,
    /// Total number of parts of the knowledge.
    pub parts: usize,
    /// Text of this part of the knowledge.
    pub text: &'a str,
}
impl Prompt for CopyFacts<'_> {
    const FILE: &'static str = "rewriter/facts.j2";
    const FULL_FILE: &'static str = "rewriter/facts-full.j2";
}

/// The view generator's task for one chunk (AV-SQL, 4.3).
#[derive(Debug, Clone, Serialize)]
pub struct GenerateViews<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Rewritten task; empty if there is none.
    pub task: &'a str,
    /// Filters of the rewritten question.
    pub filters: &'a [String],
    /// Output columns, for a model that deliberates.
    pub outputs: &'a [String],
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
    /// Number of the chunk, from 1; 0 if there is only one chunk.
    pub part: usize,
    /// Total number of chunks of the schema.
    pub parts: usize,
}
impl Prompt for GenerateViews<'_> {
    const FILE: &'static str = "view-generator/user.j2";
    const FULL_FILE: &'static str = "view-generator/full.j2";
}

/// Problems of an attempt (Algorithm 1: values, errors, consistency).
#[derive(Debug, Clone, Serialize)]
pub struct ViewFeedback<'a> {
    /// Errors and inconsistencies of the attempt.
    pub problems: &'a [String],
    /// Stored values retrieved for the attempt.
    pub values: &'a [String],
}
impl Prompt for ViewFeedback<'_> {
    const FILE: &'static str = "view-generator/feedback.j2";
    const FULL_FILE: &'static str = "view-generator/feedback-full.j2";
}

/// A validated view in the form in which later prompts show it.
#[derive(Debug, Clone, Serialize)]
pub struct ViewLine {
    /// Name by which the final query refers to the view.
    pub name: String,
    /// Reason that the model gave for the view.
    pub rationale: String,
    /// Number of rows as text: `12 rows` or `no row`.
    pub rows: String,
    /// SQL text of the view on one line.
    pub sql: String,
    /// First row of the view as `column=value` pairs.
    pub sample: String,
    /// Columns with types and distinct values, for a model that deliberates; empty otherwise.
    pub columns: Vec<String>,
    /// Some rows, for a model that deliberates; empty otherwise.
    pub shown: Vec<String>,
}

/// Knowledge about the question that planner, generator and revisor share (AV-SQL, 4.4).
#[derive(Debug, Clone, Serialize)]
pub struct Grounding {
    /// Question as the user asked it.
    pub question: String,
    /// Known facts about the question; empty if there are none.
    pub facts: String,
    /// Rewritten task, for a model that deliberates; empty if there is none.
    pub task: String,
    /// Filters of the rewritten question, for a model that deliberates.
    pub filters: Vec<String>,
    /// Output columns of the rewritten question.
    pub outputs: Vec<String>,
    /// Sort order and limit; empty if there is none.
    pub ordering: String,
    /// Selected tables and columns, as `table(column, column)` lines.
    pub selection: Vec<String>,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: Vec<String>,
    /// Validated views that the query may use.
    pub views: Vec<ViewLine>,
}

/// Prompt of the planner for one question.
#[derive(Debug, Clone, Serialize)]
pub struct Plan<'a> {
    /// Knowledge about the question, as for all later agents.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
}
impl Prompt for Plan<'_> {
    const FILE: &'static str = "planner/user.j2";
    const FULL_FILE: &'static str = "planner/full.j2";
}

/// Prompt of the generator for one question.
#[derive(Debug, Clone, Serialize)]
pub struct Generate<'a> {
    /// Knowledge about the question, as for all later agents.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
    /// Plan of the query; empty if there is none.
    pub plan: &'a str,
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for Generate<'_> {
    const FILE: &'static str = "generator/user.j2";
    const FULL_FILE: &'static str = "generator/full.j2";
}

/// Describes why a final SQL failed (Algorithm 2).
#[derive(Debug, Clone, Serialize)]
pub struct SqlFeedback<'a> {
    /// Message of the database or the binder, or a warning.
    pub error: &'a str,
    /// True if the query ran; it may then be correct without a change.
    pub ran: bool,
    /// Partial matches for the string literals of a query that returned no rows.
    pub searches: &'a [String],
    /// Notes on how the dialect reads the nested columns that the query uses; empty if it uses none.
    pub nested: &'a [&'a str],
    /// Stored values that resemble the query's literals.
    pub values: &'a [String],
}
impl Prompt for SqlFeedback<'_> {
    const FILE: &'static str = "generator/feedback.j2";
    const FULL_FILE: &'static str = "generator/feedback-full.j2";
}

/// Prompt of the revisor for one query.
#[derive(Debug, Clone, Serialize)]
pub struct Revise<'a> {
    /// Knowledge about the question, as for all later agents.
    #[serde(flatten)]
    pub grounding: &'a Grounding,
    /// SQL text of the query that ran.
    pub sql: &'a str,
    /// Number of rows as text, such as `12 rows`.
    pub rows: &'a str,
    /// Column names of the query's result.
    pub columns: &'a [String],
    /// First rows of the result as text.
    pub sample: &'a str,
    /// Violations of the output contract.
    pub doubts: &'a [String],
    /// Numbers of rows that the conditions keep in which queries differ, for a model that deliberates.
    pub probes: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for Revise<'_> {
    const FILE: &'static str = "revisor/user.j2";
    const FULL_FILE: &'static str = "revisor/full.j2";
}

/// The task without views and plan, as a comment below the tables (Chang and Fosler-Lussier 2023, the format that such models are trained
/// on). It is the baseline's only prompt and the prompt of most candidates.
#[derive(Debug, Clone, Serialize)]
pub struct Direct<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for Direct<'_> {
    const FILE: &'static str = "direct/user.j2";
    const FULL_FILE: &'static str = "direct/full.j2";
}

/// The same task in conversational words: a second prompt, so that candidates do not all make the same mistake.
#[derive(Debug, Clone, Serialize)]
pub struct Asked<'a>(pub Direct<'a>);
impl Prompt for Asked<'_> {
    const FILE: &'static str = "direct/asked.j2";
    const FULL_FILE: &'static str = "direct/asked-full.j2";
}

/// The same task, which the model first restates in its own words. It tests if the answer depends on the wording of the question.
#[derive(Debug, Clone, Serialize)]
pub struct Restated<'a>(pub Direct<'a>);
impl Prompt for Restated<'_> {
    const FILE: &'static str = "direct/restated.j2";
    const FULL_FILE: &'static str = "direct/restated-full.j2";
}

/// Asks for a follow-up to be rewritten as a complete question.
#[derive(Debug, Clone, Serialize)]
pub struct FollowUpPrompt<'a> {
    /// Previous question of the conversation.
    pub before: &'a str,
    /// Follow-up as the user typed it.
    pub text: &'a str,
}
impl Prompt for FollowUpPrompt<'_> {
    const FILE: &'static str = "follow-up/user.j2";
}
impl OneForAll for FollowUpPrompt<'_> {}

/// Asks again if the rewrite of a follow-up only repeated the previous question.
#[derive(Debug, Clone, Serialize)]
pub struct FollowUpAgain<'a> {
    /// Follow-up as the user typed it.
    pub text: &'a str,
}
impl Prompt for FollowUpAgain<'_> {
    const FILE: &'static str = "follow-up/again.j2";
}
impl OneForAll for FollowUpAgain<'_> {}

/// Asks again after a reply that could not be read.
#[derive(Debug, Clone, Serialize)]
pub struct Retry<'a> {
    /// Description of the reply's problem.
    pub problem: &'a str,
}
impl Prompt for Retry<'_> {
    const FILE: &'static str = "shared/retry.j2";
}
impl OneForAll for Retry<'_> {}
