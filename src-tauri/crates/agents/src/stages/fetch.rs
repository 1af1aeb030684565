//! Fetching of views (ProSPy, 3.3 and A.3): views are written in the view language, checked and compiled here, run with aggregation pushed
//! down, and stored for the analysis. A view that cannot be fetched is returned to the model with the reason, as is a view that exceeds the
//! row limit, so that the database aggregates it. When each group of the plan has its view, fetching ends.

mod kept;
mod lineage;
mod plan;
mod task;

pub use task::Task;

use lineage::TracedView;
use plan::Planned;
use task::views_opening_request;

use crate::attempt::context::AttemptContext;
use crate::attempt::prepare::{Prepared, RuleUse, kept_to_standing, prepare_query};
use crate::attempt::reply::is_same_query_text;
use crate::attempt::views::{Fetched, Views, render_views};
use crate::prompt::Prompt;
use crate::prompt::prospy::{FetchFeedback, FetchSql, FetchViews};
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::run::context::RunContext;
use crate::run::events::{StageError, sample_page};
use crate::run::nodes;
use crate::schema::reply::view_schema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use vitrine_domain::{Agent, EventBody, Page, SchemaSupport, StageKind, Switch, ViewSpec};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::DialectExt;
use vitrine_view_dsl::{
    Offer, ViewError, ViewRelation, ViewSchema, check_views, compile_view, describe_view, json_schema,
};
use vitrine_words::{plural, tr};

/// Description of the view language on one page, for models that may use all of it.
const LANGUAGE: &str = include_str!("../../../../../prompts/fetch/language.txt");

/// Maximum number of views per reply.
const PER_REPLY: usize = 2;

#[derive(Deserialize)]
struct WrittenSpecs {
    views: Vec<Value>,
}

#[derive(Deserialize)]
struct WrittenSql {
    views: Vec<SqlView>,
}

#[derive(Deserialize)]
struct SqlView {
    name: String,
    #[serde(default)]
    rationale: String,
    sql: String,
}

/// Fetches views until the model has enough of them, the limit is reached, or the rounds are used up. Views fetched by then are kept. A
/// missing name restores pruned tables and columns.
///
/// # Errors
/// Fails if the model or the connection fails.
pub async fn fetch_views(attempts: &AttemptContext<'_>, task: &Task<'_>) -> Result<Vec<Fetched>, StageError> {
    let context = attempts.context;
    context.begin_stage(nodes::FETCH, StageKind::Fetch, tr!("Fetch views"), attempts.inputs);
    let profile = context.model(Agent::ViewGenerator).profile();
    let plan = if profile.deliberates { plan::plan_views(attempts, task).await? } else { Planned::default() };
    let mut fetched: Vec<Fetched> = Vec::new();
    let mut attempt = 0;
    let mut turns: Vec<(String, String)> = Vec::new();
    let mut last_reply = String::new();
    while (fetched.len() as u32) < task.most && attempt <= attempts.limits.rounds {
        let corrects = !turns.is_empty();
        let request = Request {
            turns: std::mem::take(&mut turns),
            ..views_request(attempts, task, &plan.lines, &fetched, attempt)
        };
        let replies = context.call_model(Agent::ViewGenerator, nodes::FETCH, request).await?;
        let round =
            one_reply(attempts, task, &mut fetched, Reply { text: replies.first_reply(), attempt, corrects }).await?;
        match round {
            Round::Enough => break,
            // A small model is not asked if it wants more views, because it always does.
            Round::Fetched if !profile.deliberates => break,
            Round::Fetched if plan.is_fetched(&fetched, &context.ask.data.catalog) => break,
            Round::Fetched => {}
            Round::Problems(_) if same_views(&last_reply, replies.first_reply()) => break,
            Round::Problems(problems) => {
                turns = vec![(
                    replies.first_reply().to_owned(),
                    FetchFeedback { problems: &problems }.render_for(&profile),
                )];
            }
        }
        replies.first_reply().clone_into(&mut last_reply);
        attempt += 1;
    }
    let rows: u64 = fetched.iter().map(|view| view.page.row_count).sum();
    context.finish_stage(
        nodes::FETCH,
        format!("{}, {}", plural!(fetched.len(), "{n} view", "{n} views"), plural!(rows, "{n} row", "{n} rows")),
    );
    Ok(fetched)
}

/// Returns true if two replies contain the same views, ignoring the thinking before them.
fn same_views(one: &str, other: &str) -> bool {
    let views = |reply: &str| vitrine_llm::parse_json::<Value>(reply).ok()?.get("views").cloned();
    match (views(one), views(other)) {
        (Some(one), Some(other)) => one == other,
        _ => is_same_query_text(one, other),
    }
}

enum Round {
    Fetched,
    Enough,
    Problems(Vec<String>),
}

fn views_request(
    attempts: &AttemptContext<'_>,
    task: &Task<'_>,
    plan: &[String],
    fetched: &[Fetched],
    attempt: u32,
) -> Request {
    let context = attempts.context;
    let catalog = &context.ask.data.catalog;
    let profile = context.model(Agent::ViewGenerator).profile();
    let format = ReplyFormat(&profile);
    let lines = render_views(fetched, &context.egress, &profile);
    let offer = if profile.deliberates { Offer::Whole } else { Offer::Core };
    let (tail, schema) = if context.ask.options.settings.is_enabled(Switch::Dsl) {
        let relations: Vec<ViewRelation> = collect_relations(fetched);
        let Task { question, facts, about, .. } = *task;
        // A plan was made with the description.
        let about = if plan.is_empty() { about } else { &[] };
        let fetch = FetchViews { question, facts, values: attempts.values, about, plan, views: &lines };
        let views = fetch.render_for(&profile);
        let tail = match offer {
            Offer::Whole => format!("{LANGUAGE}\n{views}"),
            Offer::Core => views,
        };
        (tail, json_schema(&attempts.visible.visible_catalog(catalog), &context.ask.data.profile, &relations, offer))
    } else {
        let dialect = catalog.dialect.sql().display_name();
        let Task { question, facts, .. } = *task;
        let fetch = FetchSql { question, facts, values: attempts.values, plan, views: &lines, dialect };
        let tail = fetch.render_for(&profile);
        (tail, ViewSchema { view: view_schema(format), definitions: Map::new() })
    };
    // If the provider does not enforce a schema, the page describes the language more briefly.
    let in_words = offer == Offer::Whole && profile.schema == SchemaSupport::None && !schema.definitions.is_empty();
    let least = usize::from(fetched.is_empty());
    Request {
        tail,
        max_tokens: max_reply_tokens(&profile, Writing::Specs),
        temperature: if attempt == 0 { 0.0 } else { 0.5 },
        seed: context.ask.options.settings.seed + u64::from(attempt),
        output: if in_words { OutputFormat::Text } else { views_output_format(format, schema, least) },
        ..views_opening_request(attempts)
    }
}

/// Returns the format of a reply with a list of views.
fn views_output_format(format: ReplyFormat<'_>, schema: ViewSchema, least: usize) -> OutputFormat {
    let mut output = format.reply_schema("views", json!({ "views": format.list_from(schema.view, least, PER_REPLY) }));
    if let OutputFormat::JsonSchema { schema: whole, .. } = &mut output
        && !schema.definitions.is_empty()
    {
        whole["$defs"] = Value::Object(schema.definitions);
    }
    output
}

/// A reply with views.
#[derive(Clone, Copy)]
struct Reply<'a> {
    text: &'a str,
    /// Number of the request, from 0.
    attempt: u32,
    /// True if the request reported problems of the previous reply.
    corrects: bool,
}

/// Checks, compiles and fetches the views of one reply.
async fn one_reply(
    attempts: &AttemptContext<'_>,
    task: &Task<'_>,
    fetched: &mut Vec<Fetched>,
    Reply { text, attempt, corrects }: Reply<'_>,
) -> Result<Round, StageError> {
    let context = attempts.context;
    let drafts = match read_drafts(context, fetched, text) {
        Ok(drafts) if drafts.is_empty() => return Ok(Round::Enough),
        Ok(drafts) => drafts,
        Err(problem) => return Ok(Round::Problems(vec![problem])),
    };
    let mut problems = Vec::new();
    let asks_again = !corrects && attempt < attempts.limits.rounds;
    let asks_again = asks_again && context.model(Agent::ViewGenerator).profile().deliberates;
    for draft in drafts {
        if fetched.len() as u32 == task.most || fetched.iter().any(|view| view.name == draft.name) {
            continue;
        }
        let outcome = match compile_draft(context, fetched, &draft) {
            Ok((query, relation)) => {
                let kept = match &draft.body {
                    Body::Spec(spec) => kept::over_kept(context, fetched, spec, task.rows).await?,
                    Body::Sql(_) => None,
                };
                let page = match kept {
                    Some(page) => Ok(page),
                    None => context.try_query(Agent::ViewGenerator, nodes::FETCH, &query.sql, task.rows).await?,
                };
                page.map(|page| (query, relation, page))
            }
            Err(problem) => Err(problem),
        };
        let (outcome, bytes) = match outcome {
            Ok((query, relation, page)) => {
                let first = sample_page(&page);
                (Ok((query, relation, first)), store_view_rows(context, &draft.name, page).await)
            }
            Err(problem) => (Err(problem), None),
        };
        let sql = match (&outcome, &draft.body) {
            (Ok((query, ..)), _) => query.sql.as_str().to_owned(),
            (Err(_), Body::Sql(text)) => text.clone(),
            (Err(_), Body::Spec(_)) => String::new(),
        };
        let traced = match (&outcome, &draft.body) {
            (Ok((query, ..)), Body::Spec(spec)) => {
                let described = describe_view(spec, &query.sql, &context.ask.data.catalog, &collect_relations(fetched));
                lineage::trace_spec(spec, &described, fetched)
            }
            (Ok((query, ..)), Body::Sql(_)) => lineage::trace_sql(&query.sql, &context.ask.data.catalog),
            (Err(_), _) => TracedView::default(),
        };
        let spec = match draft.body {
            Body::Spec(spec) => Some(spec),
            Body::Sql(_) => None,
        };
        context.emit(EventBody::ViewFetched {
            node: nodes::FETCH.to_owned(),
            name: draft.name.clone(),
            rationale: draft.rationale.clone(),
            spec: spec.clone(),
            attempt,
            sql: sql.clone(),
            columns: traced.columns.clone(),
            error: outcome.as_ref().err().cloned(),
            page: outcome.as_ref().ok().map(|(.., page)| page.clone()),
            bytes,
        });
        match outcome {
            // Reported only once, because an empty view may be correct.
            Ok((Prepared { sql, .. }, _, page))
                if page.rows.is_empty() && attempt == 0 && attempts.limits.rounds > 0 =>
            {
                let problem = format!("view {}: no row is left, its conditions may ask too much.", draft.name);
                attempts.visible.bring_back(context, sql.as_str(), &problem).await?;
                problems.push(problem);
            }
            // Also reported only once: a revised view may fit, and a sum over a part of the rows is wrong.
            Ok((_, _, page)) if page.truncated && asks_again => {
                problems.push(format!(
                    "view {}: it has more than {} rows, the rest was cut off. Add up in the view (metrics for each of its \
                     dimensions), or fetch fewer rows (conditions).",
                    draft.name, page.row_count
                ));
            }
            Ok((Prepared { sql, changes }, relation, page)) => {
                if page.truncated {
                    let view = &draft.name;
                    let message = plural!(
                        page.row_count,
                        "{view} was cut off at {n} row",
                        "{view} was cut off at {n} rows",
                        view
                    );
                    context.warn(Some(nodes::FETCH), message);
                }
                let spec = spec.map(|spec| *spec).zip(relation);
                fetched.push(Fetched {
                    name: draft.name,
                    sql,
                    changes,
                    rationale: draft.rationale,
                    spec,
                    page,
                    columns: traced.columns,
                    lineage: traced.lineage,
                });
            }
            Err(problem) => {
                attempts.visible.bring_back(context, &sql, &problem).await?;
                problems.push(problem);
            }
        }
    }
    Ok(if problems.is_empty() { Round::Fetched } else { Round::Problems(problems) })
}

/// A view as the model wrote it.
struct Draft {
    name: String,
    rationale: String,
    body: Body,
}

enum Body {
    Spec(Box<ViewSpec>),
    Sql(String),
}

fn read_drafts(context: &RunContext, fetched: &[Fetched], reply: &str) -> Result<Vec<Draft>, String> {
    if !context.ask.options.settings.is_enabled(Switch::Dsl) {
        let written = vitrine_llm::parse_json::<WrittenSql>(reply).map_err(|e| e.to_string())?;
        let draft = |view: SqlView| Draft { name: view.name, rationale: view.rationale, body: Body::Sql(view.sql) };
        return Ok(written.views.into_iter().map(draft).collect());
    }
    let written = vitrine_llm::parse_json::<WrittenSpecs>(reply).map_err(|e| e.to_string())?;
    let mut drafts = Vec::new();
    for (index, value) in written.views.into_iter().enumerate() {
        let mut spec = ViewSpec::from_json(value).map_err(|e| format!("view {}: {e}", index + 1))?;
        if spec.name.is_empty() {
            spec.name = format!("view_{}", fetched.len() + index + 1);
        }
        drafts.push(Draft {
            name: spec.name.clone(),
            rationale: spec.rationale.clone(),
            body: Body::Spec(Box::new(spec)),
        });
    }
    Ok(drafts)
}

/// Compiles the query of a view. A view in the view language may read earlier views, which are compiled into it.
fn compile_draft(
    context: &RunContext,
    fetched: &[Fetched],
    draft: &Draft,
) -> Result<(Prepared, Option<ViewRelation>), String> {
    let catalog = &context.ask.data.catalog;
    match &draft.body {
        Body::Sql(text) => {
            let views = Views::default();
            let prepared = prepare_query(context, nodes::FETCH, &views, RuleUse::from_context(context), text)?;
            Ok((prepared, None))
        }
        Body::Spec(spec) => {
            let earlier = fetched.iter().filter_map(|view| view.spec.as_ref().map(|(spec, _)| spec.clone()));
            let specs: Vec<ViewSpec> = earlier.chain([spec.as_ref().clone()]).collect();
            let relations = check_views(&specs, catalog, &context.ask.data.profile, &[])
                .map_err(|all| ViewError::Problems(all).to_string())?;
            let sql = compile_view(&specs, catalog, &context.ask.data.profile, &[], catalog.dialect)
                .map_err(|error| error.to_string())?;
            Ok((kept_to_standing(context, nodes::FETCH, sql), relations.into_iter().next_back()))
        }
    }
}

fn collect_relations(fetched: &[Fetched]) -> Vec<ViewRelation> {
    fetched.iter().filter_map(|view| view.spec.as_ref().map(|(_, relation)| relation.clone())).collect()
}

/// Stores a view's rows for the analysis; returns their size in bytes.
async fn store_view_rows(context: &RunContext, name: &str, page: Page) -> Option<u64> {
    let sandbox = context.ask.data.sandbox.as_ref()?;
    let path = sandbox.folder().join(format!("{name}.parquet"));
    let kept = tokio::task::spawn_blocking(move || vitrine_warehouse::write_parquet(&page, &path)).await;
    match kept {
        Ok(Ok(bytes)) => Some(bytes),
        Ok(Err(error)) => {
            context
                .warn_aside(Some(nodes::FETCH), tr!("{name} could not be kept for the analysis: {error}", name, error));
            None
        }
        Err(error) => {
            context
                .warn_aside(Some(nodes::FETCH), tr!("{name} could not be kept for the analysis: {error}", name, error));
            None
        }
    }
}
