//! One query as a model wrote it: views added, names bound, slips mended, run, and asked what speaks against it. Every
//! method tries its queries here.

use super::views::{Views, completed, look_up};
use super::visible::Visible;
use crate::candidates::{Candidate, is_void};
use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::{Prompt, SqlFeedback};
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, Page, Switch};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::{Cte, NameProblem, ReadOnlySql};

/// What is said of a query that ran and gave no value.
pub const FINDS_NOTHING: &str = "it gives no value";

/// Searches that a prompt names.
const SEARCHES: usize = 3;

/// How many candidates, and whether failures are repaired.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Candidates wanted, the greedy ones included.
    pub candidates: u32,
    /// Repair rounds when nothing runs.
    pub rounds: u32,
    /// Whether names that do not bind, and slips that run, are mended without a model.
    pub repair: bool,
}

impl Effort {
    /// As set for this run.
    pub fn of(context: &RunContext) -> Self {
        let settings = &context.ask.settings;
        let feedback = settings.with(Switch::SqlFeedback);
        Self {
            candidates: settings.candidates.clamp(1, 16),
            rounds: if feedback { settings.max_rounds } else { 0 },
            repair: feedback,
        }
    }
}

/// Where the SQL is written: a node of the graph, and what every candidate is tried with.
pub struct Desk<'a> {
    /// The run.
    pub context: &'a RunContext,
    /// The node.
    pub node: &'a str,
    /// The node's title, for people.
    pub title: &'a str,
    /// What prompts show of the schema.
    pub visible: &'a Visible<'a>,
    /// Nodes whose outputs are read.
    pub inputs: &'a [&'a str],
    /// Views that a query may name.
    pub views: &'a Views,
    /// Stored values for prompts, one line per column.
    pub values: &'a [String],
    /// What the answer's shape must be.
    pub contract: &'a OutputContract,
    /// How much is spent.
    pub effort: Effort,
    /// Number of the first candidate.
    pub first: u32,
}

/// How a final SQL fared.
pub enum Tried {
    /// It gave a result.
    Ran(Box<Candidate>),
    /// It did not run.
    Failed {
        /// What was tried, mended as far as could be.
        sql: String,
        /// The binder's or the database's message.
        error: String,
    },
}

/// Tries one reply: add the views that it names, bind, mend, run, and ask what speaks against it.
pub async fn try_sql(desk: &Desk<'_>, number: u32, attempt: u32, text: &str) -> Result<Tried, StageError> {
    let Desk { context, node, .. } = desk;
    let written = text.trim().trim_end_matches(';').trim().to_owned();
    let mut repairs = Vec::new();
    let prepared = prepare(context, desk.views, &desk.effort, &written, &mut repairs);
    let (mut sql, mut outcome) = match prepared.map(|sql| fitted(desk, sql, &mut repairs)) {
        Ok(sql) => (sql.as_str().to_owned(), execute(context, Agent::Generator, node, sql, number).await?),
        Err(error) => (written, Err(error)),
    };
    if let Ok(candidate) = &mut outcome {
        candidate.doubt = doubt(desk, &candidate.sql);
        if desk.effort.rounds > 0 && finds_nothing(&candidate.page) {
            let looked_up = look_up(context, node, &candidate.sql).await;
            let catalog = &context.ask.catalog;
            let others = [looked_up.as_stored(&candidate.sql), looked_up.by_name(&candidate.sql, catalog)];
            let mut better = None;
            for (other, note) in others.into_iter().flatten() {
                if let Ok(found) = execute(context, Agent::Generator, node, other, number).await?
                    && !finds_nothing(&found.page)
                {
                    better = Some((found, note));
                    break;
                }
            }
            if let Some((better, note)) = better {
                sql = better.sql.as_str().to_owned();
                repairs.push(note);
                *candidate = Candidate { doubt: candidate.doubt.take(), ..better };
            } else if candidate.doubt.is_none() {
                let missing = looked_up.missing();
                candidate.doubt = (!missing.is_empty()).then(|| format!("it finds nothing: {}", missing.join("; ")));
            }
        }
    }
    let (error, row_count, digest) = match &outcome {
        Ok(candidate) => (None, Some(candidate.page.row_count), Some(candidate.digest.clone())),
        Err(error) => (Some(error.clone()), None, None),
    };
    let tried = match outcome {
        Ok(candidate) => {
            context.keep(node, &candidate);
            Tried::Ran(Box::new(candidate))
        }
        Err(error) => Tried::Failed { sql: sql.clone(), error },
    };
    context.emit(EventBody::SqlAttempted {
        node: (*node).to_owned(),
        candidate: number,
        attempt,
        sql,
        repairs,
        error,
        row_count,
        digest,
    });
    Ok(tried)
}

/// A query that may run, fitted to what the question says.
fn fitted(desk: &Desk<'_>, sql: ReadOnlySql, repairs: &mut Vec<String>) -> ReadOnlySql {
    if !desk.effort.repair {
        return sql;
    }
    let Some(fitted) = vitrine_sql::fit(&sql, &desk.context.ask.catalog, &desk.contract.said) else { return sql };
    repairs.extend(fitted.notes);
    fitted.sql
}

/// What speaks against a query whatever it gives.
fn doubt(desk: &Desk<'_>, sql: &ReadOnlySql) -> Option<String> {
    let ask = &desk.context.ask;
    match desk.effort.repair {
        true => desk.contract.doubt(sql, &ask.catalog, &ask.profile, ask.knowledge.as_deref().unwrap_or_default()),
        false => desk.contract.lost(sql).map(|lost| format!("it {lost}")),
    }
}

/// No rows, nothing but NULLs, or a count of 0.
pub fn finds_nothing(page: &Page) -> bool {
    is_void(page) || matches!(page.rows.as_slice(), [row] if matches!(row.as_slice(), [Some(n)] if n == "0"))
}

/// Runs a prepared statement; the inner `Err` is the database's message.
pub async fn execute(
    context: &RunContext,
    agent: Agent,
    node: &str,
    sql: ReadOnlySql,
    number: u32,
) -> Result<Result<Candidate, String>, StageError> {
    let page = context.try_query(agent, node, &sql, context.ask.settings.row_limit).await?;
    Ok(page.map(|page| {
        let digest = vitrine_warehouse::digest(&page, sql.is_ordered());
        Candidate { number, sql, page, digest, doubt: None, kept: Vec::new() }
    }))
}

/// A request for SQL and nothing else.
pub fn sql_alone(request: &Request) -> Request {
    Request {
        max_tokens: 400,
        stop: vec!["```".into(), ";".into()],
        assistant_prefix: "```sql\n".into(),
        output: OutputFormat::Text,
        ..request.clone()
    }
}

/// The same after a query that has to be corrected, over a schema that shows what was missing.
///
/// # Errors
/// Fails when tokens cannot be counted.
pub async fn correction(desk: &Desk<'_>, request: &Request, sql: &str, error: &str) -> Result<Request, StageError> {
    desk.visible.bring_back(desk.context, sql, error).await?;
    let nested = desk.visible.nested_page(desk.context, sql);
    let searches = if error == FINDS_NOTHING { part_searches(desk.context, sql) } else { Vec::new() };
    let feedback = SqlFeedback { error, searches: &searches, nested: &nested, values: desk.values }.render();
    Ok(Request {
        turns: vec![(format!("```sql\n{sql}\n```"), feedback)],
        samples: 1,
        first_greedy: false,
        ..desk.visible.renewed(desk.context, sql_alone(request))
    })
}

/// Conditions of the query's own that would find a part of the texts that it compares, in columns that hold words. A
/// general example in their place is copied by small models.
pub fn part_searches(context: &RunContext, sql: &str) -> Vec<String> {
    let ask = &context.ask;
    let Ok(sql) = ReadOnlySql::parse(sql, ask.catalog.dialect) else { return Vec::new() };
    let bound = vitrine_sql::bind(&sql, &ask.catalog).columns;
    let holds_words = |(table, column): &(String, String)| {
        let table = ask.catalog.table(table).and_then(|table| ask.profile.table(&table.name));
        let Some(known) = table.and_then(|table| table.column(column)) else { return true };
        known.hidden.is_none()
            && known.top.iter().map(|(value, _)| value).chain(&known.samples).any(|v| v.contains(char::is_alphabetic))
    };
    let in_words = |name: &str| bound.iter().filter(|(_, column)| column.eq_ignore_ascii_case(name)).any(holds_words);
    let searches = vitrine_sql::part_searches(&sql).into_iter().filter(|search| in_words(&search.column));
    searches.map(|search| search.condition).take(SEARCHES).collect()
}

/// That a method has nothing to show.
pub fn nothing_ran(message: impl Into<String>) -> AppError {
    AppError::new(ErrorCode::Query, message).hint("Say it in other words, name the tables, or choose a larger model")
}

/// From the model's text to a statement that may run: one read-only query whose every name is bound.
pub fn prepare(
    context: &RunContext,
    views: &Views,
    effort: &Effort,
    written: &str,
    repairs: &mut Vec<String>,
) -> Result<ReadOnlySql, String> {
    let ask = &context.ask;
    let mut sql = ReadOnlySql::parse(written, ask.catalog.dialect).map_err(|e| e.to_string())?;
    let mut binding = vitrine_sql::bind(&sql, &ask.catalog);
    if let Some(with_views) = add_views(&sql, views, &binding.problems) {
        sql = with_views;
        binding = vitrine_sql::bind(&sql, &ask.catalog);
    }
    let problems = if effort.repair {
        match vitrine_sql::repair(&sql, &ask.catalog, &ask.profile) {
            Ok(repaired) => {
                repairs.extend(repaired.notes);
                let Some((all, note)) = completed(&views.values, &repaired.sql) else { return Ok(repaired.sql) };
                repairs.push(note);
                return Ok(all);
            }
            Err(problems) => problems,
        }
    } else {
        binding.problems
    };
    if problems.is_empty() {
        return Ok(sql);
    }
    Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
}

/// A query may name validated views without repeating them: their definitions are put in front.
fn add_views(sql: &ReadOnlySql, views: &Views, problems: &[NameProblem]) -> Option<ReadOnlySql> {
    let named = |view: &str| {
        problems.iter().any(|p| matches!(p, NameProblem::UnknownTable { name, .. } if name.eq_ignore_ascii_case(view)))
    };
    if !views.views.iter().any(|v| named(&v.name)) {
        return None;
    }
    let mut program = vitrine_sql::split_ctes(sql.as_str(), sql.dialect()).ok()?;
    let mut needed: Vec<Cte> = Vec::new();
    // Views are in topological order: walking backwards meets readers before what they read.
    for view in views.views.iter().rev() {
        let read = needed.iter().any(|c| c.depends_on.iter().any(|d| d.eq_ignore_ascii_case(&view.name)));
        if named(&view.name) || read {
            needed.insert(
                0,
                Cte {
                    name: view.name.clone(),
                    columns: Vec::new(),
                    sql: view.sql.clone(),
                    depends_on: view.depends_on.clone(),
                },
            );
        }
    }
    needed.append(&mut program.ctes);
    let list: Vec<String> = needed.iter().map(definition).collect();
    let body = program.body?;
    ReadOnlySql::parse(&format!("WITH {}\n{body}", list.join(",\n")), sql.dialect()).ok()
}

fn definition(cte: &Cte) -> String {
    let columns = if cte.columns.is_empty() { String::new() } else { format!(" ({})", cte.columns.join(", ")) };
    format!("{}{columns} AS ({})", cte.name, cte.sql)
}
