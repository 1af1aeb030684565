//! Prompts of ProSPy's fetching and analysis.

use crate::prompt::{OneForAll, Prompt};
use serde::Serialize;

/// What to fetch, planned before anything is (ProSPy, 3.3 and A.3).
#[derive(Debug, Clone, Serialize)]
pub struct PlanFetch<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// Views at most.
    pub most: u32,
    /// Rows kept of one view.
    pub rows: u64,
}
impl Prompt for PlanFetch<'_> {
    const FILE: &'static str = "fetch/plan.j2";
}

/// Which views to fetch (ProSPy, 3.3 and A.3).
#[derive(Debug, Clone, Serialize)]
pub struct FetchViews<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// The plan, line by line; empty without one.
    pub plan: &'a [String],
    /// Views fetched before, one line each.
    pub views: &'a [String],
}
impl Prompt for FetchViews<'_> {
    const FILE: &'static str = "fetch/user.j2";
    const FULL_FILE: &'static str = "fetch/user-full.j2";
}

/// The same as SQL (ProSPy, table 4, without DSL).
#[derive(Debug, Clone, Serialize)]
pub struct FetchSql<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines.
    pub values: &'a [String],
    /// The plan, line by line; empty without one. For a model that deliberates.
    pub plan: &'a [String],
    /// Views fetched before, one line each. For a model that deliberates, which is asked whether it needs more.
    pub views: &'a [String],
    /// The dialect's display name.
    pub dialect: &'a str,
}
impl Prompt for FetchSql<'_> {
    const FILE: &'static str = "fetch/sql.j2";
    const FULL_FILE: &'static str = "fetch/sql-full.j2";
}

/// Why views could not be fetched.
#[derive(Debug, Clone, Serialize)]
pub struct FetchFeedback<'a> {
    /// One sentence each.
    pub problems: &'a [String],
}
impl Prompt for FetchFeedback<'_> {
    const FILE: &'static str = "fetch/feedback.j2";
    const FULL_FILE: &'static str = "fetch/feedback-full.j2";
}

/// The system text of the analysis in Python, for a model that deliberates.
#[derive(Debug, Clone, Serialize)]
pub struct AnalystSystem {}
impl Prompt for AnalystSystem {
    const FILE: &'static str = "analyst/system.j2";
}
impl OneForAll for AnalystSystem {}

/// Analysis in Python (ProSPy, 3.4).
#[derive(Debug, Clone, Serialize)]
pub struct Analyse<'a> {
    /// As asked.
    pub question: &'a str,
    /// Known facts or empty.
    pub facts: &'a str,
    /// `column = 'value'` lines, for a model that deliberates.
    pub values: &'a [String],
    /// The views, with columns and rows.
    pub views: &'a [String],
}
impl Prompt for Analyse<'_> {
    const FILE: &'static str = "analyst/user.j2";
    const FULL_FILE: &'static str = "analyst/full.j2";
}
