//! ProSPy: the profile in the schema text, progressive pruning, views fetched in a language without dialects, and their analysis in Python,
//! or in SQL if Python is not available.

use super::method::{Method, normalize_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::{Fetched, Views, render_views};
use crate::candidate::Candidate;
use crate::choice::accept;
use crate::prompt::format::{letters_of_each, one_line, view_line};
use crate::prompt::prospy::Analyse;
use crate::prompt::{Direct, Generate, Grounding, Prompt, ViewLine};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::egress::Egress;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::{self, LinkingInput};
use crate::stages::fetch::{self, Task};
use crate::stages::prune::prune_schema;
use crate::stages::{analyse, answer, generate, link, rewrite, schema, value_linking};
use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterInfo, StageInfo};
use vitrine_domain::{Agent, AppError, MethodInfo, MethodSettings, NodeId, Page, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr};

/// Node of the analysis over the whole schema, if no query over the pruned schema ran.
const AGAIN: &NodeId = &NodeId::new("generator-2");
/// Number of candidates that vote in an analysis in SQL.
const CANDIDATES: u32 = 4;

/// Parameters of ProSPy (paper, sections 3.2 to 3.4 and 5.1, appendix A).
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Maximum number of pruning rounds of one pass; `None` continues until nothing more is omitted. A model that does not deliberate has
    /// one round of each pass.
    prunings: Option<u32>,
    /// Maximum number of views fetched one after the other.
    views: u32,
    /// Maximum number of executions of the analysis.
    executions: u32,
    /// Maximum number of rows kept of each view.
    view_rows: u64,
}

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "prospy",
        label: "ProSPy",
        everyday: None,
        note: later!(
            "Removes unneeded tables, fetches small views and analyses them. Designed for very large databases."
        ),
        group: MethodGroup::Published,
        runs_code: true,
        calls: CallCount::new(5, 10, 0),
        parameters: &[
            ParameterInfo::new_automatic_number("prunings", 1, 10).with_label_and_help(
                later!("Pruning rounds"),
                later!("Maximum for each pass. Automatic: a pass continues until it removes nothing."),
            ),
            ParameterInfo::new_number("views", 4, 1, 12)
                .with_label_and_help(later!("Views"), later!("Maximum number, fetched one after another.")),
            ParameterInfo::new_number("view_rows", 200_000, 1, 10_000_000)
                .with_label_and_help(later!("Rows per view"), later!("Maximum number of rows to keep.")),
            ParameterInfo::new_number("executions", 3, 1, 10).with_label_and_help(
                later!("Analysis executions"),
                later!("Maximum number, including those after a correction."),
            ),
        ],
        switches: &[Switch::Profiling, Switch::Dsl, Switch::Python, Switch::Voting],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::for_every_run(StageKind::Grounding),
            StageInfo::when_switch_on(StageKind::Linking, Switch::Linking),
            StageInfo::for_every_run(StageKind::Fetch),
            StageInfo::when_switch_on(StageKind::Analysis, Switch::Python),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: normalize_parameters::<Parameters>,
    run: |context| Box::pin(run(context)),
};

/// Returns the number of rows kept of one view, which also applies if the views of a saved answer are fetched again.
///
/// # Errors
/// Fails if the settings are invalid for the method.
pub fn view_rows(settings: &MethodSettings) -> Result<u64, AppError> {
    Ok(METHOD.parameters::<Parameters>(settings)?.view_rows)
}

/// Runs the method.
///
/// # Errors
/// Fails if the model or the connection fails, or if no analysis ran.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.options.settings;
    let parameters: Parameters = METHOD.parameters(&settings.methods)?;
    let question = ask.question.trim();
    let profile = context.model(Agent::Linker).profile();
    let budget = settings.chunk_budget.unwrap_or(profile.chunk_budget);
    let schema = schema::prepare_schema(context, Agent::Linker, budget).await?;
    let schema = schema::read_by(context, schema, Agent::Linker, &[Agent::ViewGenerator, Agent::Generator]).await?;
    let facts = rewrite::relevant_knowledge(context).await?;
    let mut matches = value_linking::link_values(context, question).await;
    // "stores" refers to the table of that name rather than to a value, by which a view would be filtered.
    matches.retain(|found| !selection::names_table(&found.literal, &ask.data.catalog));
    let values = value_lines(&context.model(Agent::Generator).profile(), &ask.data.catalog, &matches);
    let linking = LinkingInput { question, facts: &facts, matches: &matches };
    let (visible, input) = select_pruned_schema(context, &schema, linking, parameters.prunings).await?;

    let contract = OutputContract::from_question(
        question,
        &RewrittenQuestion::default(),
        &ask.data.catalog,
        context.model(Agent::Generator).profile().deliberates,
    );
    let none = Views::default();
    let inputs = [input];
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Analyse in SQL"),
        inputs: &inputs,
        visible: &visible,
        views: &none,
        values: &values,
        contract: &contract,
        limits: AttemptLimits::from_context(context),
        first: 1,
    };
    let about = schema.describe_database(context, Agent::ViewGenerator);
    let task = Task { question, facts: &facts, about: &about, most: parameters.views, rows: parameters.view_rows };
    let fetched = fetch::fetch_views(&attempts, &task).await?;
    let sandbox = ask.data.sandbox.clone().filter(|_| settings.is_enabled(Switch::Python));
    let mut analysis = None;
    let has_rows = fetched.iter().any(|view| view.page.row_count > 0);
    let sandbox = sandbox.filter(|_| has_rows);
    let attempts = AttemptContext { inputs: &[nodes::FETCH], ..attempts };
    // The query follows the code, either to be compared with its result or to replace it.
    let before = if sandbox.is_some() { nodes::ANALYSIS } else { nodes::FETCH };
    if let Some(sandbox) = sandbox {
        let analyst = context.model(Agent::Analyst).profile();
        let lines = render_views(&fetched, &context.egress, &analyst);
        let deliberates = analyst.deliberates;
        let prompt = Analyse { question, facts: &facts, values: &values, views: &lines };
        analysis =
            analyse::analyse_views(&attempts, sandbox.as_ref(), &prompt, &fetched, parameters.executions).await?;
        match analysis.take_if(|_| deliberates) {
            Some(done) => {
                answer::of_analysis(context, done, &fetched);
                return Ok(());
            }
            None if analysis.is_none() => {
                context.warn(None, tr!("The Python analysis gave no table: the analysis is done in SQL"));
            }
            None => {}
        }
    }
    let work =
        Sql { attempts: &AttemptContext { inputs: &[before], ..attempts }, question, facts: &facts, fetched: &fetched };
    let (chosen, node) = match work.write_candidate(nodes::GENERATOR, &visible).await {
        Err(error) if context.cancel.is_cancelled() || visible.selection().is_none() => return Err(error),
        Err(_) => {
            context.warn(None, tr!("No query ran over the remaining tables: all removed tables are restored"));
            let whole = PromptSchema::from_schema(&schema);
            (work.write_candidate(AGAIN, &whole).await?, AGAIN)
        }
        Ok(chosen) => (chosen, nodes::GENERATOR),
    };
    // Code of a model that does not deliberate is less accurate than its queries, so it counts only if both agree.
    match analysis {
        Some(done) if same_rows(&done.page, &chosen.page) => answer::of_analysis(context, done, &fetched),
        other => {
            if other.is_some() {
                context.warn(
                    None,
                    tr!("The Python analysis gave a different table than the query; the query's result is used"),
                );
            }
            answer::deliver_answer(context, chosen, node).await;
        }
    }
    Ok(())
}

fn same_rows(one: &Page, other: &Page) -> bool {
    vitrine_warehouse::digest_rows(one, false) == vitrine_warehouse::digest_rows(other, false)
}

/// Selects the visible schema. Without the profile the schema contains only names and types; without pruning all of it is visible.
async fn select_pruned_schema<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    rounds: Option<u32>,
) -> Result<(PromptSchema<'a>, &'static NodeId), StageError> {
    if !context.ask.options.settings.is_enabled(Switch::Linking) {
        return Ok((PromptSchema::from_schema(schema), nodes::GROUNDING));
    }
    link::begin_linking(context, nodes::GROUNDING);
    let visible = prune_schema(context, schema, linking, rounds).await?;
    match visible.selection() {
        Some(selection) => link::finish_linking(context, &selection),
        None => context.finish_stage(nodes::LINKING, tr!("Nothing was removed")),
    }
    Ok((visible, nodes::LINKING))
}

/// Inputs for the analysis in SQL.
struct Sql<'a> {
    attempts: &'a AttemptContext<'a>,
    question: &'a str,
    facts: &'a str,
    fetched: &'a [Fetched],
}

impl Sql<'_> {
    /// Writes one query over the views, by vote of several candidates (paper, table 4). The query may also read tables, because the fetched
    /// views may be insufficient.
    async fn write_candidate(&self, node: &NodeId, visible: &PromptSchema<'_>) -> Result<Candidate, StageError> {
        let Self { attempts, question, facts, fetched } = self;
        let context = attempts.context;
        let dialect = context.ask.data.catalog.dialect.sql().display_name();
        let profile = context.model(Agent::Generator).profile();
        let views = Views { views: fetched.iter().map(Fetched::as_view).collect(), ..Views::default() };
        let letters = letters_of_each(&profile, &context.egress, fetched.len());
        let grounding = Grounding {
            question: (*question).to_owned(),
            facts: (*facts).to_owned(),
            task: String::new(),
            filters: Vec::new(),
            outputs: Vec::new(),
            ordering: String::new(),
            selection: Vec::new(),
            values: attempts.values.to_vec(),
            views: fetched.iter().map(|view| to_view_line(view, &context.egress, letters)).collect(),
        };
        let opening = visible.opening_request(context, Agent::Generator);
        let plain = Direct { question, facts, values: attempts.values, dialect }.render_for(&profile);
        let mut requests = vec![Request { tail: plain, ..opening.clone() }];
        if !fetched.is_empty() {
            let tail = Generate { grounding: &grounding, plan: "", dialect }.render_for(&profile);
            requests.push(Request { tail, ..opening });
        }
        let candidates = if context.ask.options.settings.is_enabled(Switch::Voting) { CANDIDATES } else { 1 };
        if candidates == 1 && requests.len() > 1 {
            requests.remove(0);
        }
        let limits = AttemptLimits { candidates, ..attempts.limits };
        let attempts = AttemptContext { node, visible, views: &views, limits, ..**attempts };
        Ok(accept::accept_majority(&attempts, generate::write_drafts(&attempts, &requests).await?.into_candidates()?))
    }
}

fn to_view_line(view: &Fetched, egress: &Egress, letters: usize) -> ViewLine {
    ViewLine { sql: one_line(view.sql.as_str()), ..view_line(&view.as_view(), egress, letters) }
}
