//! One round of Algorithm 1 for one attempt: literals and stored values, execution of every view in topological order, and consistency of
//! views with the selection.

use crate::attempt::prepare::{prove_quoted, record_changes, without_question};
use crate::attempt::value_hints;
use crate::prompt::evidence::{MOST_ROWS, collect_distinct};
use crate::run::ask::Ask;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::schema::reply::SchemaReply;
use crate::stages::views::consistency::{Consistency, UsedNames, check_agreement};
use std::collections::BTreeMap;
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{Agent, Catalog, Dialect, NodeId, SchemaSelection, Switch, ValueMatch, ViewAttempt, ViewStatus};
use vitrine_sql::{Cte, ReadOnlySql, SqlRejection};
use vitrine_warehouse::WarehouseError;

/// Number of rows read of a view: enough to detect an empty view and to show a sample.
const VIEW_ROWS: u64 = 1000;
/// Number of rows of a view that the log keeps, if the prompts of a model that does not deliberate contain only the first.
const SAMPLE_ROWS: usize = 5;

/// An attempt after its checks.
pub struct Checked {
    /// Executed views in topological order.
    pub views: Vec<ViewAttempt>,
    /// Selection, completed if only names were missing.
    pub selection: SchemaSelection,
    /// Names that completed the selection.
    pub completed: Vec<String>,
    /// True if views and selection agree.
    pub consistent: bool,
    /// Feedback for the model; empty if the attempt is valid.
    pub problems: Vec<String>,
    /// Stored values for this attempt's literals.
    pub value_hints: Vec<ValueMatch>,
    /// True if the reply could be read, every view ran, and views and selection agree: `response_valid` of Algorithm 1.
    pub is_valid: bool,
}

impl Checked {
    /// Returns a rank for comparing attempts: valid ones above partly valid ones above useless ones.
    pub fn rank(&self, consistency: Consistency) -> (bool, bool, usize) {
        let is_valid = consistency == Consistency::Strict && self.is_valid;
        (self.problems.is_empty(), is_valid, self.views.iter().filter(|v| v.status == ViewStatus::Valid).count())
    }

    /// Returns the outcome of the chunk if this attempt is kept. In the paper, no view of an invalid attempt is kept (equation 8).
    pub fn outcome(&self, consistency: Consistency) -> ChunkOutcome {
        if self.views.is_empty() && self.selection.is_empty() {
            if self.problems.is_empty() { ChunkOutcome::Irrelevant } else { ChunkOutcome::Failed }
        } else if self.problems.is_empty() {
            ChunkOutcome::Valid
        } else if consistency == Consistency::Strict && !self.is_valid {
            ChunkOutcome::Failed
        } else if self.views.iter().any(is_usable) {
            ChunkOutcome::Partial
        } else {
            ChunkOutcome::Failed
        }
    }

    /// Returns the views that run, each only if the views it reads also run (they were executed together).
    pub fn views_that_run(&self) -> Vec<ViewAttempt> {
        self.views.iter().filter(|v| is_usable(v)).cloned().collect()
    }
}

/// Returns true if later stages may use a view.
fn is_usable(view: &ViewAttempt) -> bool {
    view.status != ViewStatus::Error
}

/// The check of one attempt at the views of a chunk.
#[derive(Clone, Copy)]
pub struct ViewCheck<'a> {
    /// State of the run.
    pub context: &'a RunContext,
    /// Node of the chunk.
    pub node: &'a NodeId,
    /// Tables and columns of the chunk.
    pub visible: &'a Catalog,
    /// Number of the attempt, from 0.
    pub attempt: u32,
    /// Treatment of a selection that lacks names of its views.
    pub consistency: Consistency,
}

impl ViewCheck<'_> {
    /// Checks one attempt. Retrieved values are added to `values`.
    pub async fn check_reply(
        &self,
        written: Result<SchemaReply, String>,
        values: &mut Vec<ValueMatch>,
    ) -> Result<Checked, StageError> {
        let written = match written {
            Ok(written) => written,
            Err(problem) => return Ok(unreadable_attempt(problem)),
        };
        let mut selection = written.to_selection();
        let (mut used, mut problems) = (UsedNames::default(), Vec::new());
        let (mut ctes, mut views, quoted) = self.order_views(&written, &mut problems);
        let mut all_run = problems.is_empty();

        let mut value_hints = Vec::new();
        for index in 0..ctes.len() {
            let mut repairs: Vec<String> = quoted.get(&ctes[index].name).cloned().unwrap_or_default();
            repairs.extend(self.repair_view(&mut ctes, index));
            let rationale = written.rationale(&ctes[index].name);
            let view = match self.run_view(&ctes, &ctes[index], rationale, &mut used).await? {
                Ok(view) => ViewAttempt { repairs, ..view },
                Err(error) => {
                    let cte = &ctes[index];
                    problems.push(format!("view {}: {error}", cte.name));
                    all_run = false;
                    failed_attempt(&cte.name, &cte.sql, rationale, cte.depends_on.clone(), error)
                }
            };
            // The literals of a view that does not run are looked up, too, because they stem from the question.
            if let Ok(sql) = prove_view(&self.context.ask, &ctes[index].sql, &ctes) {
                value_hints.extend(self.retrieve_view_values(&sql, &view, &mut problems).await);
            }
            views.push(view);
        }
        for hit in &value_hints {
            if !values.contains(hit) {
                values.push(hit.clone());
            }
        }
        let (consistent, completed) = check_agreement((&mut selection, self.consistency), &views, &used, &mut problems);
        let is_valid = all_run && consistent;
        Ok(Checked { views, selection, completed, consistent, problems, value_hints, is_valid })
    }

    /// Parses the views and orders them; views that cannot be parsed are returned as failed attempts. Also returns the names that were quoted,
    /// by view.
    fn order_views(
        &self,
        written: &SchemaReply,
        problems: &mut Vec<String>,
    ) -> (Vec<Cte>, Vec<ViewAttempt>, BTreeMap<String, Vec<String>>) {
        let &Self { context, node, visible, .. } = self;
        let dialect = context.ask.data.catalog.dialect;
        let mut ctes: Vec<Cte> = Vec::new();
        let (mut failed, mut quoted) = (Vec::new(), BTreeMap::new());
        let names: Vec<String> = written
            .views
            .iter()
            .map(|v| {
                // A view with the name of a table would hide the table, or read itself.
                if visible.find_table(&v.name).is_some() { format!("{}_view", v.name) } else { v.name.clone() }
            })
            .collect();
        for (view, name) in written.views.iter().zip(&names) {
            let sql = view.sql.trim().trim_end_matches(';').to_owned();
            if ctes.iter().any(|c| c.name.eq_ignore_ascii_case(name)) {
                problems.push(format!("two views are called {name}"));
                continue;
            }
            // Views that the user set are not changed.
            let is_set =
                context.ask.history.earlier.as_ref().is_some_and(|earlier| earlier.edited_view_sql(name).is_some());
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

    /// Repairs a view without a model; describes each change.
    fn repair_view(&self, ctes: &mut [Cte], index: usize) -> Vec<String> {
        let &Self { context, node, .. } = self;
        let ask = &context.ask;
        let name = ctes[index].name.clone();
        // Views that the user set are not changed.
        let is_set = ask.history.earlier.as_ref().is_some_and(|earlier| earlier.edited_view_sql(&name).is_some());
        if is_set || !ask.options.settings.is_enabled(Switch::ViewFeedback) {
            return Vec::new();
        }
        let Ok(program) = view_program(ask, ctes, &name) else { return Vec::new() };
        if !ask.options.settings.is_enabled(Switch::NameRepair) {
            return Vec::new();
        }
        let input = without_question(context);
        let Ok(Some(repaired)) = vitrine_sql_rules::repair_names(&program, &input) else { return Vec::new() };
        record_changes(context, node, program.as_str(), &repaired.sql, &repaired.changes);
        let Ok(parts) = vitrine_sql::split_ctes(repaired.sql.as_str(), ask.data.catalog.dialect) else {
            return Vec::new();
        };
        match parts.ctes.into_iter().find(|c| c.name.eq_ignore_ascii_case(&name)) {
            Some(cte) => {
                ctes[index].sql = cte.sql;
                repaired.changes.into_iter().map(|change| change.note).collect()
            }
            None => Vec::new(),
        }
    }

    /// Runs one view together with the views that it reads. Names are bound first, so that an invented name costs no query.
    /// Returns the error message of a view that does not run.
    async fn run_view(
        &self,
        ctes: &[Cte],
        cte: &Cte,
        rationale: &str,
        used: &mut UsedNames,
    ) -> Result<Result<ViewAttempt, String>, StageError> {
        let &Self { context, node, .. } = self;
        let ask = &context.ask;
        let program = match view_program(ask, ctes, &cte.name) {
            Ok(program) => program,
            Err(rejection) => return Ok(Err(rejection.to_string())),
        };
        let binding = vitrine_sql::bind_names(&program, &ask.data.catalog);
        if !binding.problems.is_empty() {
            let error = binding.problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
            return Ok(Err(error));
        }
        let mut page = match context.query(Agent::ViewGenerator, node, &program, VIEW_ROWS).await {
            Ok(page) => Some(page),
            // Without a database, only names can be checked.
            Err(WarehouseError::SchemaOnly) => None,
            Err(error) if error.ends_run() => return Err(error.into()),
            Err(error) => return Ok(Err(context.egress.query_error(&error, program.as_str()))),
        };
        used.tables.extend(binding.tables);
        used.columns.extend(binding.columns);
        let mut distinct = Vec::new();
        if let Some(page) = &mut page {
            let deliberates = context.model(Agent::Generator).profile().deliberates;
            if deliberates {
                distinct = collect_distinct(page);
            }
            page.rows.truncate(if deliberates { MOST_ROWS } else { SAMPLE_ROWS });
        }
        let is_empty = page.as_ref().is_some_and(|page| page.row_count == 0);
        let status = if is_empty { ViewStatus::Empty } else { ViewStatus::Valid };
        Ok(Ok(ViewAttempt {
            name: cte.name.clone(),
            sql: cte.sql.clone(),
            rationale: rationale.to_owned(),
            depends_on: cte.depends_on.clone(),
            status,
            repairs: Vec::new(),
            error: None,
            page,
            distinct,
        }))
    }

    /// Retrieves stored values for a view's literals. A literal that its column does not store is a problem if a similar value is stored; an
    /// empty view is reported as empty, never as failed.
    async fn retrieve_view_values(
        &self,
        sql: &ReadOnlySql,
        view: &ViewAttempt,
        problems: &mut Vec<String>,
    ) -> Vec<ValueMatch> {
        let looked_up = value_hints::look_up(self.context, self.node, sql).await;
        let mut explained = false;
        if view.status == ViewStatus::Empty {
            let missing = looked_up.describe_missing();
            explained = !missing.is_empty();
            problems.extend(missing.iter().map(|problem| format!("view {} gave no row: {problem}", view.name)));
        }
        if self.attempt == 0 {
            problems
                .extend(looked_up.describe_partial().iter().map(|problem| format!("view {}: {problem}", view.name)));
        }
        // Reported only once, since an empty view may be correct.
        if view.status == ViewStatus::Empty && !explained && !looked_up.literals.is_empty() && self.attempt == 0 {
            problems.push(format!("view {} ran but gave no row; check its conditions", view.name));
        }
        looked_up.matches
    }
}

fn unreadable_attempt(problem: String) -> Checked {
    Checked {
        views: Vec::new(),
        selection: SchemaSelection::default(),
        completed: Vec::new(),
        consistent: false,
        problems: vec![problem],
        value_hints: Vec::new(),
        is_valid: false,
    }
}

/// Proves the text of a view. If only the engine can parse it, the proof may need the other views that it reads.
fn prove_view(ask: &Ask, sql: &str, others: &[Cte]) -> Result<ReadOnlySql, SqlRejection> {
    ask.prove_query(sql).or_else(|rejection| {
        let dialect = ask.data.catalog.dialect;
        let whole = vitrine_sql::with_views(sql, &resolve_dependencies(others.to_vec(), dialect), dialect);
        whole.and_then(|whole| ask.prove_query(&whole).ok()).ok_or(rejection)
    })
}

/// Determines the views that each view reads.
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
        distinct: Vec::new(),
    }
}

/// Returns the statement that returns one view's rows.
fn view_program(ask: &Ask, ctes: &[Cte], name: &str) -> Result<ReadOnlySql, SqlRejection> {
    ask.prove_query(&vitrine_sql::build_program(ctes, name, ask.data.catalog.dialect)?)
}
