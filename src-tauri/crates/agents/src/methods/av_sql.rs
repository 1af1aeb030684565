//! AV-SQL: rewriter, view generators over schema chunks, planner, generator, revisor.

use super::method::{Method, accept_any_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::choice::accept;
use crate::choice::condition_probes::probe_conditions;
use crate::prompt::format::{letters_of_each, view_line};
use crate::prompt::{Direct, Generate, Grounding, Prompt};
use crate::question::context::QuestionContext;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::{Schema, selection};
use crate::stages::revise::RevisorInput;
use crate::stages::{answer, generate, plan, revise, rewrite, schema, value_linking, views};
use vitrine_domain::method_info::{CallCount, MethodGroup, StageInfo};
use vitrine_domain::{Agent, Dialect, MethodInfo, ModelProfile, NodeId, Page, StageKind, Switch, ValueMatch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr};

/// Inputs for writing the final SQL.
pub struct Built<'a> {
    /// Validated views and the selection.
    pub views: Views,
    /// Knowledge that planner, generator and revisor share.
    pub grounding: Grounding,
    /// Required shape of the answer.
    pub contract: OutputContract,
    /// Schema in the requests of the last stage.
    pub visible: PromptSchema<'a>,
    /// Common beginning of the generator's requests.
    pub opening: Request,
    /// Common beginning of the revisor's requests.
    pub for_revisor: Request,
    /// Plan of the query; empty if there is none.
    pub plan: String,
    /// Last node before the final SQL.
    pub input: &'static NodeId,
}

impl Built<'_> {
    /// Returns the request for the final SQL with views and plan.
    pub fn sql_request(&self, dialect: Dialect, model: &ModelProfile) -> Request {
        let task = Generate { grounding: &self.grounding, plan: &self.plan, dialect: dialect.sql().display_name() };
        Request { tail: task.render_for(model), ..self.opening.clone() }
    }
}

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "av-sql",
        label: "AV-SQL",
        everyday: Some("Thorough"),
        note: later!(
            "Builds and checks small views first, then the query from them. Takes several times as long as Auto."
        ),
        group: MethodGroup::Published,
        runs_code: false,
        calls: CallCount::new(5, 12, 1),
        parameters: &[],
        switches: &[Switch::Rewriter, Switch::Planner, Switch::Revisor, Switch::ViewFeedback],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::when_deliberating(StageKind::Grounding),
            StageInfo::when_switch_on(StageKind::Rewriter, Switch::Rewriter),
            StageInfo::for_every_run(StageKind::Chunk),
            StageInfo::for_every_run(StageKind::Selection),
            StageInfo::when_switch_on(StageKind::Planner, Switch::Planner),
            StageInfo::for_every_run(StageKind::Generator),
            StageInfo::when_switch_on(StageKind::Revisor, Switch::Revisor),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: accept_any_parameters,
    run: |context| Box::pin(run(context)),
};

/// Runs AV-SQL on the run's question.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let settings = &context.ask.options.settings;
    let budget = settings.chunk_budget.unwrap_or_else(|| context.model(Agent::ViewGenerator).profile().chunk_budget);
    let schema = schema::prepare_schema(context, Agent::ViewGenerator, budget).await?;
    answer_over(context, read_by_all(context, schema, Agent::ViewGenerator).await?).await
}

/// Adds the formats for all agents of the method to a schema that was prepared for one agent.
pub async fn read_by_all(context: &RunContext, schema: Schema, first: Agent) -> Result<Schema, StageError> {
    let agents = [Agent::Rewriter, Agent::ViewGenerator, Agent::Planner, Agent::Generator, Agent::Revisor];
    schema::read_by(context, schema, first, &agents).await
}

/// Runs all stages after the schema.
pub async fn answer_over(context: &RunContext, schema: Schema) -> Result<(), StageError> {
    let settings = &context.ask.options.settings;
    let dialect = context.ask.data.catalog.dialect;
    let model = context.model(Agent::Generator).profile();
    // A model that deliberates receives the stored values that the question names from the start, because the paper's rewriter and view
    // generators would guess them.
    let known = match model.deliberates {
        true => value_linking::link_values(context, context.ask.question.trim()).await,
        false => Vec::new(),
    };
    let built = build_views_and_plan(context, &schema, known).await?;
    let Grounding { question, facts, values, .. } = &built.grounding;
    // A wrong plan would decide every vote if all candidates followed it. For the embedded model, the prompt without views and plan is more
    // accurate on its own (docs/benchmarks.md), so it comes first and is the only one that is sampled. For a model that deliberates, both
    // are sampled, starting with the one with views and plan.
    let mut requests = vec![built.sql_request(dialect, &model)];
    if settings.candidates > 1 {
        let tail = Direct { question, facts, values, dialect: dialect.sql().display_name() }.render_for(&model);
        requests.insert(usize::from(model.deliberates), Request { tail, ..built.opening.clone() });
    }
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[built.input],
        visible: &built.visible,
        views: &built.views,
        values,
        contract: &built.contract,
        limits: AttemptLimits::from_context(context),
        first: 1,
    };
    let mut ran = generate::write_drafts(&attempts, &requests).await?.into_candidates()?;
    let checked = settings.is_enabled(Switch::Revisor) && context.model(Agent::Revisor).profile().deliberates;
    let probes = if checked { probe_conditions(&attempts, &mut ran).await? } else { Vec::new() };
    let written: Vec<Page> = ran.iter().map(|candidate| candidate.page.clone()).collect();
    let chosen = accept::accept_majority(&attempts, ran);
    let Built { for_revisor: opening, grounding, views, contract, .. } = &built;
    let input = RevisorInput { opening, grounding, views, contract, probes: &probes };
    let revised = revise::revise_query(context, input, chosen, &written).await?;
    let input = if settings.is_enabled(Switch::Revisor) { nodes::REVISOR } else { nodes::GENERATOR };
    answer::deliver_answer(context, revised, input).await;
    Ok(())
}

/// Rewrites the question, builds views over every chunk and plans the query. `known` are stored values that were found before.
pub async fn build_views_and_plan<'a>(
    context: &RunContext,
    schema: &'a Schema,
    known: Vec<ValueMatch>,
) -> Result<Built<'a>, StageError> {
    let understood = rewrite::rewrite_question(context, schema, known).await?;
    let mut views = views::generate_views(context, schema, &understood).await?;
    if views.selection.is_empty() {
        context.warn(
            Some(nodes::SELECTION),
            tr!("No table seems to contain the requested data; the answer may be a guess"),
        );
    }
    views.values.splice(0..0, understood.values.iter().cloned());

    // With one chunk, every agent keeps the whole schema, whose prompt is already cached, and receives the selection. With several chunks,
    // the agents read the filtered schema of the paper (S_filtered).
    let is_whole = schema.for_agent(Agent::ViewGenerator).is_whole();
    let visible = match is_whole {
        true => PromptSchema::from_schema(schema),
        false => PromptSchema::from_selection(schema, nodes::SELECTION, views.selection.clone()),
    };
    let opening = visible.opening_request(context, Agent::Generator);
    let [for_planner, for_revisor] =
        [Agent::Planner, Agent::Revisor].map(|agent| visible.opening_request(context, agent));
    let model = context.model(Agent::Generator).profile();
    let grounding = collect_grounding(context, &understood, &views, is_whole);
    let contract = OutputContract::from_question(
        &understood.question,
        &understood.rewritten,
        &context.ask.data.catalog,
        model.deliberates,
    );
    let plan = plan::plan_query(context, &for_planner, &grounding, &views).await?;
    let input =
        if context.ask.options.settings.is_enabled(Switch::Planner) { nodes::PLANNER } else { nodes::SELECTION };
    Ok(Built { views, grounding, contract, visible, opening, for_revisor, plan, input })
}

/// Collects the knowledge that the three agents of the last stage share.
fn collect_grounding(
    context: &RunContext,
    understood: &QuestionContext,
    views: &Views,
    say_selection: bool,
) -> Grounding {
    let catalog = &context.ask.data.catalog;
    let rewritten = &understood.rewritten;
    let profile = context.model(Agent::Generator).profile();
    let letters = letters_of_each(&profile, &context.egress, views.views.len());
    Grounding {
        question: understood.question.clone(),
        facts: understood.facts.clone(),
        task: rewritten.task.clone(),
        filters: rewritten.filters.clone(),
        outputs: rewritten.outputs.clone(),
        ordering: rewritten.ordering.clone(),
        selection: if say_selection {
            views.selection.tables.iter().map(|table| selection::as_written(table, catalog)).collect()
        } else {
            Vec::new()
        },
        values: value_lines(&profile, catalog, &views.values),
        views: views.views.iter().map(|view| view_line(view, &context.egress, letters)).collect(),
    }
}
