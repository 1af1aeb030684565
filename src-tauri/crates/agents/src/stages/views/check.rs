//! One round of Algorithm 1 for one attempt: literals and stored values, execution of every view in topological
//! order, and consistency of views with the selection.

use crate::attempt::prepare::{prove_quoted, record_changes, without_question};
use crate::attempt::value_hints;
use crate::run::ask::Ask;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::schema::reply::SchemaReply;
use std::collections::{BTreeMap, BTreeSet};
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{Agent, Catalog, Dialect, SchemaSelection, Switch, ValueMatch, ViewAttempt, ViewStatus};
use vitrine_sql::{Cte, ReadOnlySql, SqlRejection};
use vitrine_warehouse::WarehouseError;

/// Rows read of a view: enough to tell whether it is empty and to show a sample.
const VIEW_ROWS: u64 = 1000;
/// Rows of a view that the log keeps.
const SAMPLE_ROWS: usize = 5;

/// An attempt after its checks.
pub struct Checked {
    /// Views in topological order, executed.
    pub views: Vec<ViewAttempt>,
    /// The selection, completed where only names were missing.
    pub selection: SchemaSelection,
    /// Names by which the selection was completed.
    pub completed: Vec<String>,
    /// Whether views and selection agree.
    pub consistent: bool,
    /// Feedback for the model; empty when the attempt is valid.
    pub problems: Vec<String>,
    /// Stored values for this attempt's literals.
    pub value_hints: Vec<ValueMatch>,
}

impl Checked {
    /// Orders attempts: fully valid before partly valid before useless.
    pub fn rank(&self) -> (bool, usize) {
        (self.problems.is_empty(), self.views.iter().filter(|v| v.status == ViewStatus::Valid).count())
    }

    /// The state of the chunk if this attempt is the one kept.
    pub fn outcome(&self) -> ChunkOutcome {
        if self.views.is_empty() && self.selection.is_empty() {
            if self.problems.is_empty() { ChunkOutcome::Irrelevant } else { ChunkOutcome::Failed }
        } else if self.problems.is_empty() {
            ChunkOutcome::Valid
        } else if self.views.iter().any(is_usable) {
            ChunkOutcome::Partial
        } else {
            ChunkOutcome::Failed
        }
    }

    /// The views that run, each only if the views it reads also run (they were executed together).
    pub fn views_that_run(&self) -> Vec<ViewAttempt> {
        self.views.iter().filter(|v| is_usable(v)).cloned().collect()
    }
}

/// Whether later stages may use a view.
fn is_usable(view: &ViewAttempt) -> bool {
    view.status != ViewStatus::Error
}

/// Checks one attempt. Retrieved values are added to `values`.
pub async fn check_attempt(
    context: &RunContext,
    node: &str,
    visible: &Catalog,
    written: Result<SchemaReply, String>,
    values: &mut Vec<ValueMatch>,
    attempt: u32,
) -> Result<Checked, StageError> {
    let written = match written {
        Ok(written) => written,
        Err(problem) => return Ok(unreadable_attempt(problem)),
    };
    let mut selection = written.to_selection();
    let mut problems = Vec::new();
    let (mut ctes, mut views, quoted) = order_views(context, node, &written, visible, &mut problems);

    let mut used = Used::default();
    let mut value_hints = Vec::new();
    for index in 0..ctes.len() {
        let mut repairs: Vec<String> = quoted.get(&ctes[index].name).cloned().unwrap_or_default();
        repairs.extend(repair_view(context, node, &mut ctes, index));
        let view = run_view(context, node, &ctes, &ctes[index], repairs, &written, &mut used, &mut problems).await?;
        // Also for a view that does not run: its literals are what was asked for.
        if let Ok(sql) = prove_view(&context.ask, &ctes[index].sql, &ctes) {
            value_hints.extend(retrieve_view_values(context, node, &sql, &view, attempt, &mut problems).await);
        }
        views.push(view);
    }
    for hit in &value_hints {
        if !values.contains(hit) {
            values.push(hit.clone());
        }
    }
    let (consistent, completed) = check_agreement(&mut selection, &views, &used, &mut problems);
    Ok(Checked { views, selection, completed, consistent, problems, value_hints })
}

fn unreadable_attempt(problem: String) -> Checked {
    Checked {
        views: Vec::new(),
        selection: SchemaSelection::default(),
        completed: Vec::new(),
        consistent: false,
        problems: vec![problem],
        value_hints: Vec::new(),
    }
}

/// Base tables and columns that running views read.
#[derive(Default)]
struct Used {
    tables: BTreeSet<String>,
    columns: BTreeSet<(String, String)>,
}

/// Parses the views and orders them; those that do not parse are returned as failed attempts. Also returns the names that were
/// put in quotes, by view.
fn order_views(
    context: &RunContext,
    node: &str,
    written: &SchemaReply,
    visible: &Catalog,
    problems: &mut Vec<String>,
) -> (Vec<Cte>, Vec<ViewAttempt>, BTreeMap<String, Vec<String>>) {
    let dialect = context.ask.catalog.dialect;
    let mut ctes: Vec<Cte> = Vec::new();
    let (mut failed, mut quoted) = (Vec::new(), BTreeMap::new());
    let names: Vec<String> = written
        .views
        .iter()
        .map(|v| {
            // A view named like a table would hide it, or read itself.
            if visible.find_table(&v.name).is_some() { format!("{}_view", v.name) } else { v.name.clone() }
        })
        .collect();
    for (view, name) in written.views.iter().zip(&names) {
        let sql = view.sql.trim().trim_end_matches(';').to_owned();
        if ctes.iter().any(|c| c.name.eq_ignore_ascii_case(name)) {
            problems.push(format!("two views are called {name}"));
            continue;
        }
        // What the user set stays as it is.
        let is_set = context.ask.earlier.as_ref().is_some_and(|earlier| earlier.edited_view_sql(name).is_some());
        let own = |text: &str| prove_view(&context.ask, text, &ctes);
        let proven = if is_set { own(&sql).map(|sql| (sql, Vec::new())) } else { prove_quoted(context, &sql, own) };
        match proven {
            Ok((proven, changes)) => {
                record_changes(context, node, &sql, &proven, &changes);
                let sql = if changes.is_empty() { sql } else { proven.as_str().to_owned() };
                quoted.insert(name.clone(), changes.into_iter().map(|change| change.note).collect());
                let sql = vitrine_sql::name_columns(&proven).map_or(sql, |named| named.as_str().to_owned());
                ctes.push(Cte { name: name.clone(), columns: Vec::new(), sql, depends_on: Vec::new() });
            }
            Err(rejection) => {
                problems.push(format!("view {name}: {rejection}"));
                failed.push(failed_attempt(name, &sql, &view.rationale, Vec::new(), rejection.to_string()));
            }
        }
    }
    let ctes = resolve_dependencies(ctes, dialect);
    match vitrine_sql::sort_topologically(&ctes) {
        Ok(order) => (order.into_iter().map(|i| ctes[i].clone()).collect(), failed, quoted),
        Err(cycle) => {
            problems.push(format!("views read each other in a circle: {}", cycle.join(", ")));
            for cte in ctes {
                failed.push(failed_attempt(
                    &cte.name,
                    &cte.sql,
                    "",
                    cte.depends_on.clone(),
                    "reads itself in a circle".into(),
                ));
            }
            (Vec::new(), failed, quoted)
        }
    }
}

/// Proves the text of a view. Where only the engine parses it, it may need the other views that it reads.
fn prove_view(ask: &Ask, sql: &str, others: &[Cte]) -> Result<ReadOnlySql, SqlRejection> {
    ask.prove_query(sql).or_else(|rejection| {
        let dialect = ask.catalog.dialect;
        let whole = vitrine_sql::with_views(sql, &resolve_dependencies(others.to_vec(), dialect), dialect);
        whole.and_then(|whole| ask.prove_query(&whole).ok()).ok_or(rejection)
    })
}

/// Finds which views each view reads.
fn resolve_dependencies(ctes: Vec<Cte>, dialect: Dialect) -> Vec<Cte> {
    let names: Vec<String> = ctes.iter().map(|cte| cte.name.clone()).collect();
    let others = |of: &str| names.iter().filter(|name| *name != of).cloned().collect::<Vec<_>>();
    ctes.into_iter()
        .map(|cte| Cte { depends_on: vitrine_sql::find_table_reads(&cte.sql, &others(&cte.name), dialect), ..cte })
        .collect()
}

fn failed_attempt(name: &str, sql: &str, rationale: &str, depends_on: Vec<String>, error: String) -> ViewAttempt {
    ViewAttempt {
        name: name.to_owned(),
        sql: sql.to_owned(),
        rationale: rationale.to_owned(),
        depends_on,
        status: ViewStatus::Error,
        repairs: Vec::new(),
        error: Some(error),
        page: None,
    }
}

/// Makes the repairs that need no model; describes each change.
fn repair_view(context: &RunContext, node: &str, ctes: &mut [Cte], index: usize) -> Vec<String> {
    let ask = &context.ask;
    let name = ctes[index].name.clone();
    // What the user set stays as it is.
    let is_set = ask.earlier.as_ref().is_some_and(|earlier| earlier.edited_view_sql(&name).is_some());
    if is_set || !ask.settings.is_enabled(Switch::ViewFeedback) {
        return Vec::new();
    }
    let Ok(program) = view_program(ask, ctes, &name) else { return Vec::new() };
    if !ask.settings.is_enabled(Switch::NameRepair) {
        return Vec::new();
    }
    let input = without_question(context);
    let Ok(Some(repaired)) = vitrine_sql_rules::repair_names(&program, &input) else { return Vec::new() };
    record_changes(context, node, program.as_str(), &repaired.sql, &repaired.changes);
    let Ok(parts) = vitrine_sql::split_ctes(repaired.sql.as_str(), ask.catalog.dialect) else { return Vec::new() };
    match parts.ctes.into_iter().find(|c| c.name.eq_ignore_ascii_case(&name)) {
        Some(cte) => {
            ctes[index].sql = cte.sql;
            repaired.changes.into_iter().map(|change| change.note).collect()
        }
        None => Vec::new(),
    }
}

/// The statement that returns one view's rows.
fn view_program(ask: &Ask, ctes: &[Cte], name: &str) -> Result<ReadOnlySql, SqlRejection> {
    ask.prove_query(&vitrine_sql::build_program(ctes, name, ask.catalog.dialect)?)
}

/// Runs one view together with the views that it reads. Names are bound first: an invented name costs no query.
async fn run_view(
    context: &RunContext,
    node: &str,
    ctes: &[Cte],
    cte: &Cte,
    repairs: Vec<String>,
    written: &SchemaReply,
    used: &mut Used,
    problems: &mut Vec<String>,
) -> Result<ViewAttempt, StageError> {
    let ask = &context.ask;
    let rationale = written.rationale(&cte.name).to_owned();
    let fail = |problems: &mut Vec<String>, error: String| {
        problems.push(format!("view {}: {error}", cte.name));
        failed_attempt(&cte.name, &cte.sql, &rationale, cte.depends_on.clone(), error)
    };
    let program = match view_program(ask, ctes, &cte.name) {
        Ok(program) => program,
        Err(rejection) => return Ok(fail(problems, rejection.to_string())),
    };
    let binding = vitrine_sql::bind_names(&program, &ask.catalog);
    if !binding.problems.is_empty() {
        let error = binding.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
        return Ok(fail(problems, error));
    }
    let mut page = match context.query(Agent::ViewGenerator, node, &program, VIEW_ROWS).await {
        Ok(page) => Some(page),
        // Only names can be checked.
        Err(WarehouseError::SchemaOnly) => None,
        Err(error) if error.ends_run() => return Err(error.into()),
        Err(error) => return Ok(fail(problems, context.egress.query_error(&error, program.as_str()))),
    };
    used.tables.extend(binding.tables);
    used.columns.extend(binding.columns);
    if let Some(page) = &mut page {
        page.rows.truncate(SAMPLE_ROWS);
    }
    let is_empty = page.as_ref().is_some_and(|page| page.row_count == 0);
    let status = if is_empty { ViewStatus::Empty } else { ViewStatus::Valid };
    Ok(ViewAttempt {
        name: cte.name.clone(),
        sql: cte.sql.clone(),
        rationale,
        depends_on: cte.depends_on.clone(),
        status,
        repairs,
        error: None,
        page,
    })
}

/// Stored values for a view's literals. A literal that its column does not store is a problem when a similar value is
/// stored; an empty view is reported as empty, never as broken.
async fn retrieve_view_values(
    context: &RunContext,
    node: &str,
    sql: &ReadOnlySql,
    view: &ViewAttempt,
    attempt: u32,
    problems: &mut Vec<String>,
) -> Vec<ValueMatch> {
    let looked_up = value_hints::look_up(context, node, sql).await;
    let mut explained = false;
    if view.status == ViewStatus::Empty {
        let missing = looked_up.describe_missing();
        explained = !missing.is_empty();
        problems.extend(missing.iter().map(|problem| format!("view {} gave no row: {problem}", view.name)));
    }
    if attempt == 0 {
        problems.extend(looked_up.describe_partial().iter().map(|problem| format!("view {}: {problem}", view.name)));
    }
    // Reported once: an empty view may be right.
    if view.status == ViewStatus::Empty && !explained && !looked_up.literals.is_empty() && attempt == 0 {
        problems.push(format!("view {} ran but gave no row; check its conditions", view.name));
    }
    looked_up.matches
}

/// The three rules of 4.3. Where only names are missing from the selection and all views run, the selection is
/// completed here instead of asking the model again: that feedback has only one answer. Returns whether both agree, and
/// the names by which the selection was completed.
fn check_agreement(
    selection: &mut SchemaSelection,
    views: &[ViewAttempt],
    used: &Used,
    problems: &mut Vec<String>,
) -> (bool, Vec<String>) {
    if views.is_empty() && !selection.is_empty() {
        // Selected without a view: allowed, since the paper lets the selection contain more than the views use.
        return (true, Vec::new());
    }
    let mut consistent = true;
    let mut missing = Vec::new();
    for table in &used.tables {
        if !selection.tables.iter().any(|t| t.name.eq_ignore_ascii_case(table)) {
            missing.push(table.clone());
        }
    }
    for (table, column) in &used.columns {
        let known = selection
            .tables
            .iter()
            .any(|t| t.name.eq_ignore_ascii_case(table) && t.columns.iter().any(|c| c.eq_ignore_ascii_case(column)));
        if !known {
            missing.push(format!("{table}.{column}"));
        }
    }
    if !missing.is_empty() && !problems.is_empty() {
        consistent = false;
        problems.push(format!("used in views but not selected: {}", missing.join(", ")));
    }
    for table in &used.tables {
        selection.add(table, None);
    }
    for (table, column) in &used.columns {
        selection.add(table, Some(column));
    }
    (consistent, missing)
}
