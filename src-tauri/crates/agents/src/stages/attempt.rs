//! One query as a model wrote it: views added, names bound, run, and looked at by rules: a second query beside it where one
//! says so, and what is worth a look. Every method tries its queries here.

use crate::candidate::{Candidate, finds_nothing};
use crate::prompt::request::sql_alone;
use crate::prompt::{Prompt, SqlFeedback};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::schema::prompt_schema::Visible;
use crate::stages::prepare::{Prepared, RuleUse, mend_refused, prepare, rule_input};
use crate::stages::reply::sql_of;
use crate::stages::variants::{self, Beside};
use crate::stages::views::{Views, look_up};
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, Switch};
use vitrine_llm::Request;
use vitrine_sql::ReadOnlySql;

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
    /// Which rules look at queries.
    pub rules: RuleUse,
}

impl Effort {
    /// As set for this run.
    pub fn of(context: &RunContext) -> Self {
        let settings = &context.ask.settings;
        let feedback = settings.with(Switch::SqlFeedback);
        Self {
            candidates: settings.candidates.clamp(1, 16),
            rounds: if feedback { settings.max_rounds } else { 0 },
            rules: RuleUse::of(context),
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

/// Tries one reply: find its query, add the views that it names, bind, run, and look at it with rules.
pub async fn try_sql(desk: &Desk<'_>, number: u32, attempt: u32, text: &str) -> Result<Tried, StageError> {
    let Desk { context, node, .. } = desk;
    let written = sql_of(&context.ask, text).to_owned();
    let rules = desk.effort.rules;
    let mut changes = Vec::new();
    let (sql, mut outcome) = match prepare(context, node, desk.views, rules, &written) {
        Err(error) => (written.clone(), Err(error)),
        Ok(Prepared { mut sql, changes: made }) => {
            changes.extend(made);
            let mut outcome = execute(context, Agent::Generator, node, sql.clone(), number).await?;
            if outcome.is_err()
                && rules.repair
                && let Some(mended) = mend_refused(context, node, &sql)
            {
                let again = execute(context, Agent::Generator, node, mended.sql.clone(), number).await?;
                if again.is_ok() {
                    (sql, outcome) = (mended.sql, again);
                    changes.extend(mended.changes);
                }
            }
            (sql.as_str().to_owned(), outcome)
        }
    };
    let mut sql = sql;
    if let Ok(candidate) = &mut outcome {
        candidate.written = written;
        candidate.changes = changes;
        look_at(desk, candidate).await?;
        candidate.sql.as_str().clone_into(&mut sql);
    }
    let (error, row_count, digest) = match &outcome {
        Ok(candidate) => (None, Some(candidate.page.row_count), Some(candidate.digest.clone())),
        Err(error) => (Some(error.clone()), None, None),
    };
    let repairs: Vec<String> =
        outcome.iter().flat_map(|candidate| &candidate.changes).map(|change| change.note.clone()).collect();
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

/// What rules say of a query that ran: what is worth a look, and second queries beside it. Where the query found nothing, a
/// second one that finds something takes its place, except with a model that deliberates: that is told and asked again.
async fn look_at(desk: &Desk<'_>, candidate: &mut Candidate) -> Result<(), StageError> {
    let Desk { context, node, .. } = desk;
    let rules = desk.effort.rules;
    let knowledge = [context.ask.knowledge.as_deref().unwrap_or_default(), &desk.values.join("\n")].join("\n");
    let input = rule_input(context, &desk.contract.facts, &knowledge);
    if rules.findings {
        candidate.findings = vitrine_sql_rules::findings(&candidate.sql, &input);
        // A model that deliberates is right more often than a finding: it is shown, and asked of nobody.
        let first = candidate.findings.first().filter(|_| !desk.contract.deliberates);
        candidate.doubt = first.map(|finding| finding.note.clone());
    }
    if rules.variants {
        let found_nothing = finds_nothing(&candidate.page);
        let looked_up = match found_nothing {
            true => Some(look_up(context, node, &candidate.sql).await),
            false => None,
        };
        let beside = Beside { input: &input, known: &desk.views.values, looked_up: looked_up.as_ref() };
        variants::try_beside(desk, candidate, &beside).await?;
        if found_nothing && !desk.contract.deliberates && variants::take_what_finds(candidate, finds_nothing) {
            return Ok(());
        }
        if let Some(looked_up) = looked_up
            && candidate.doubt.is_none()
            && !desk.contract.deliberates
        {
            let missing = looked_up.missing();
            candidate.doubt = (!missing.is_empty()).then(|| format!("it finds nothing: {}", missing.join("; ")));
        }
    }
    Ok(())
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
        Candidate::new(number, sql, page, digest)
    }))
}

/// The same after a query that has to be corrected, over a schema that shows what was missing.
///
/// # Errors
/// Fails when tokens cannot be counted.
pub async fn correction(desk: &Desk<'_>, request: &Request, sql: &str, error: &str) -> Result<Request, StageError> {
    again(desk, request, sql, error, false).await
}

/// The same after a query that ran and of which something is worth a look. It may be right as it is.
///
/// # Errors
/// Fails when tokens cannot be counted.
pub async fn second_look(desk: &Desk<'_>, request: &Request, sql: &str, doubt: &str) -> Result<Request, StageError> {
    again(desk, request, sql, doubt, true).await
}

async fn again(desk: &Desk<'_>, request: &Request, sql: &str, error: &str, ran: bool) -> Result<Request, StageError> {
    desk.visible.bring_back(desk.context, sql, error).await?;
    let nested = desk.visible.nested_page(desk.context, sql);
    let searches = if error == FINDS_NOTHING { part_searches(desk.context, sql) } else { Vec::new() };
    let feedback = SqlFeedback { error, ran, searches: &searches, nested: &nested, values: desk.values }.render();
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
    let Ok(sql) = ask.prove(sql) else { return Vec::new() };
    let bound = vitrine_sql::bind(&sql, &ask.catalog).columns;
    let holds_words = |(table, column): &(String, String)| {
        let table = ask.catalog.table(table).and_then(|table| ask.profile.table(&table.name));
        let Some(known) = table.and_then(|table| table.column(column)) else { return true };
        known.hidden.is_none()
            && known.top.iter().map(|(value, _)| value).chain(&known.samples).any(|v| v.contains(char::is_alphabetic))
    };
    let in_words = |name: &str| bound.iter().filter(|(_, column)| column.eq_ignore_ascii_case(name)).any(holds_words);
    let searches = vitrine_sql_rules::partial_matches(&sql).into_iter().filter(|search| in_words(&search.column));
    searches.map(|search| search.condition).take(SEARCHES).collect()
}

/// That a method has nothing to show.
pub fn nothing_ran(message: impl Into<String>) -> AppError {
    AppError::new(ErrorCode::Query, message).hint("Say it in other words, name the tables, or choose a larger model")
}
