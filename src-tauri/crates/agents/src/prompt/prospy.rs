//! Prompts of ProSPy's fetching and analysis.

use crate::prompt::{OneForAll, Prompt};
use serde::Serialize;

/// Asks for a plan of the data to fetch (ProSPy, 3.3 and A.3).
#[derive(Debug, Clone, Serialize)]
pub struct PlanFetch<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Description of the database as a whole, in lines; empty if there is none.
    pub about: &'a [String],
    /// Maximum number of views to fetch.
    pub most: u32,
    /// Number of rows kept of one view.
    pub rows: u64,
}
impl Prompt for PlanFetch<'_> {
    const FILE: &'static str = "fetch/plan.j2";
}

/// Asks for the views to fetch (ProSPy, 3.3 and A.3).
#[derive(Debug, Clone, Serialize)]
pub struct FetchViews<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Description of the database as a whole, in lines, for a model that deliberates; with a plan, which was made with it, empty.
    pub about: &'a [String],
    /// Lines of the plan; empty without a plan.
    pub plan: &'a [String],
    /// Views fetched before, one line each.
    pub views: &'a [String],
}
impl Prompt for FetchViews<'_> {
    const FILE: &'static str = "fetch/user.j2";
    const FULL_FILE: &'static str = "fetch/user-full.j2";
}

/// Asks for the views to fetch as SQL (ProSPy, table 4, without DSL).
#[derive(Debug, Clone, Serialize)]
pub struct FetchSql<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines.
    pub values: &'a [String],
    /// Lines of the plan, for a model that deliberates; empty without a plan.
    pub plan: &'a [String],
    /// Views fetched before, one line each, for a model that deliberates, which is asked if it needs more.
    pub views: &'a [String],
    /// Display name of the SQL dialect.
    pub dialect: &'a str,
}
impl Prompt for FetchSql<'_> {
    const FILE: &'static str = "fetch/sql.j2";
    const FULL_FILE: &'static str = "fetch/sql-full.j2";
}

/// Reports why views could not be fetched.
#[derive(Debug, Clone, Serialize)]
pub struct FetchFeedback<'a> {
    /// Problems of the views, one sentence each.
    pub problems: &'a [String],
}
impl Prompt for FetchFeedback<'_> {
    const FILE: &'static str = "fetch/feedback.j2";
    const FULL_FILE: &'static str = "fetch/feedback-full.j2";
}

/// System text of the analysis in Python, for a model that deliberates.
#[derive(Debug, Clone, Serialize)]
pub struct AnalystSystem {}
impl Prompt for AnalystSystem {
    const FILE: &'static str = "analyst/system.j2";
}
impl OneForAll for AnalystSystem {}

/// Asks for an analysis in Python (ProSPy, 3.4).
#[derive(Debug, Clone, Serialize)]
pub struct Analyse<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Stored values that the question names, as `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// Fetched views with their columns and rows.
    pub views: &'a [String],
}
impl Prompt for Analyse<'_> {
    const FILE: &'static str = "analyst/user.j2";
    const FULL_FILE: &'static str = "analyst/full.j2";
}
