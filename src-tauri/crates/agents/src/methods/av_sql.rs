//! AV-SQL: rewriter, view generators over schema chunks, planner, generator, revisor.

use super::method::{Method, normalize_parameters};
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
use crate::stages::views::Consistency;
use crate::stages::{answer, generate, plan, revise, rewrite, schema, value_linking, views};
use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterChoice, ParameterInfo, StageInfo};
use vitrine_domain::methods::ParameterValue;
use vitrine_domain::{Agent, Dialect, MethodInfo, ModelProfile, NodeId, Page, StageKind, Switch, ValueMatch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr};

/// Source of stored values (paper, section 4.1.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ValueSource {
    /// Literals of views, and for a model that deliberates the words of the question before it is rewritten.
    Question,
    /// Literals of views.
    Views,
}

/// Schema that the last stage reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum LastSchema {
    /// The whole schema, as far as it fits.
    Whole,
    /// The selection of all chunks, the paper's S_filtered.
    Selected,
}

/// Output of the view generators that the last stage receives (paper, table 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ViewOutput {
    /// Views and selection.
    Both,
    /// Validated views without a schema.
    Views,
    /// The selection without views.
    Selection,
}

/// Parameters of AV-SQL (paper, sections 4.3, 5.1, 5.4 and 5.5).
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Parameters {
    /// Number of candidates of the final SQL, the paper's k; `None` is the setting of the question.
    candidates: Option<u32>,
    /// Number of prompts that candidates are written from; a second one has no views and no plan.
    prompts: u32,
    /// Source of stored values.
    values: ValueSource,
    /// Treatment of a selection that lacks names of its views.
    consistency: Consistency,
    /// Schema of the last stage; `None` is the whole schema if it is one chunk, and the selection otherwise.
    schema: Option<LastSchema>,
    /// Output of the view generators that the last stage receives.
    context: ViewOutput,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            candidates: None,
            prompts: 2,
            values: ValueSource::Question,
            consistency: Consistency::Complete,
            schema: None,
            context: ViewOutput::Both,
        }
    }
}

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
        parameters: &[
            ParameterInfo::new_automatic_number("candidates", 1, 16)
                .with_paper_value(ParameterValue::Number(1))
                .with_label_and_help(
                    later!("Queries"),
                    later!(
                        "Number of final queries that vote by their results. Automatic: the number in the settings."
                    ),
                ),
            ParameterInfo::new_number("prompts", 2, 1, 2)
                .with_paper_value(ParameterValue::Number(1))
                .with_label_and_help(
                    later!("Prompts"),
                    later!("With 2, some of the queries are written without views and plan."),
                ),
            ParameterInfo::new_choice("values", ParameterValue::Word("question"), VALUES)
                .with_paper_value(ParameterValue::Word("views"))
                .with_label_and_help(later!("Stored values"), later!("Which stored values the model receives.")),
            ParameterInfo::new_choice("consistency", ParameterValue::Word("complete"), CONSISTENCY)
                .with_paper_value(ParameterValue::Word("strict"))
                .with_label_and_help(
                    later!("Incomplete selections"),
                    later!("What happens if views use tables or columns that are not selected."),
                ),
            ParameterInfo::new_choice("schema", ParameterValue::Auto, SCHEMAS)
                .with_paper_value(ParameterValue::Word("selected"))
                .with_label_and_help(later!("Schema of the final query"), later!("What the last stage reads.")),
            ParameterInfo::new_choice("context", ParameterValue::Word("both"), CONTEXTS).with_label_and_help(
                later!("Basis of the final query"),
                later!("What the last stage receives from the view generators."),
            ),
        ],
        switches: &[Switch::Rewriter, Switch::Planner, Switch::Revisor, Switch::ViewFeedback],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo { set: Some(("values", "question")), ..StageInfo::when_deliberating(StageKind::Grounding) },
            StageInfo::when_switch_on(StageKind::Rewriter, Switch::Rewriter),
            StageInfo::for_every_run(StageKind::Chunk),
            StageInfo::for_every_run(StageKind::Selection),
            StageInfo::when_switch_on(StageKind::Planner, Switch::Planner),
            StageInfo::for_every_run(StageKind::Generator),
            StageInfo::when_switch_on(StageKind::Revisor, Switch::Revisor),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: normalize_parameters::<Parameters>,
    run: |context| Box::pin(run(context)),
};

/// Words for the values of [`ValueSource`].
const VALUES: &[ParameterChoice] = &[
    ParameterChoice {
        value: Some("question"),
        label: later!("Question and views"),
        note: later!("A model with reasoning also receives the values that the question names"),
    },
    ParameterChoice { value: Some("views"), label: later!("Views"), note: later!("Only texts in views") },
];

/// Words for the values of [`Consistency`].
const CONSISTENCY: &[ParameterChoice] = &[
    ParameterChoice {
        value: Some("complete"),
        label: later!("Complete them"),
        note: later!("The missing names are added and recorded"),
    },
    ParameterChoice {
        value: Some("strict"),
        label: later!("Return them to the model"),
        note: later!("Views that still do not agree after the last round are not used"),
    },
];

/// Words for the values of [`LastSchema`].
const SCHEMAS: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("The whole schema if it fits into one part, else the selection"),
    },
    ParameterChoice { value: Some("whole"), label: later!("Whole"), note: later!("All tables, as far as they fit") },
    ParameterChoice {
        value: Some("selected"),
        label: later!("Selected"),
        note: later!("Only selected tables and columns"),
    },
];

/// Words for the values of [`ViewOutput`].
const CONTEXTS: &[ParameterChoice] = &[
    ParameterChoice { value: Some("both"), label: later!("Both"), note: later!("Views and selection") },
    ParameterChoice { value: Some("views"), label: later!("Views only"), note: later!("No schema, only views") },
    ParameterChoice {
        value: Some("selection"),
        label: later!("Selection only"),
        note: later!("Selected tables and columns without views"),
    },
];

/// Runs AV-SQL on the run's question.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let settings = &context.ask.options.settings;
    let budget = settings.chunk_budget.unwrap_or_else(|| context.model(Agent::ViewGenerator).profile().chunk_budget);
    let schema = schema::prepare_schema(context, Agent::ViewGenerator, budget).await?;
    let parameters = METHOD.parameters(&settings.methods)?;
    answer_over(context, read_by_all(context, schema, Agent::ViewGenerator).await?, parameters).await
}

/// Adds the formats for all agents of the method to a schema that was prepared for one agent.
pub async fn read_by_all(context: &RunContext, schema: Schema, first: Agent) -> Result<Schema, StageError> {
    let agents = [Agent::Rewriter, Agent::ViewGenerator, Agent::Planner, Agent::Generator, Agent::Revisor];
    schema::read_by(context, schema, first, &agents).await
}

/// Runs all stages after the schema.
pub async fn answer_over(context: &RunContext, schema: Schema, parameters: Parameters) -> Result<(), StageError> {
    let settings = &context.ask.options.settings;
    let dialect = context.ask.data.catalog.dialect;
    let model = context.model(Agent::Generator).profile();
    // A model that deliberates receives the stored values that the question names from the start, because the paper's rewriter and view
    // generators would guess them.
    let known = match model.deliberates && parameters.values == ValueSource::Question {
        true => value_linking::link_values(context, context.ask.question.trim()).await,
        false => Vec::new(),
    };
    let built = build_views_and_plan(context, &schema, known, parameters).await?;
    let Grounding { question, facts, values, .. } = &built.grounding;
    // A wrong plan would decide every vote if all candidates followed it. For the embedded model, the prompt without views and plan is more
    // accurate on its own (docs/benchmarks.md), so it comes first and is the only one that is sampled. For a model that deliberates, both
    // are sampled, starting with the one with views and plan.
    let mut requests = vec![built.sql_request(dialect, &model)];
    let mut limits = AttemptLimits::from_context(context);
    limits.candidates = parameters.candidates.unwrap_or(limits.candidates);
    // The second prompt would show what an ablation withholds.
    if limits.candidates > 1 && parameters.prompts > 1 && parameters.context == ViewOutput::Both {
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
        limits,
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
    parameters: Parameters,
) -> Result<Built<'a>, StageError> {
    let understood = rewrite::rewrite_question(context, schema, known).await?;
    let mut views = views::generate_views(context, schema, &understood, parameters.consistency).await?;
    if views.selection.is_empty() {
        context.warn(
            Some(nodes::SELECTION),
            tr!("No table seems to contain the requested data; the answer may be a guess"),
        );
    }
    views.values.splice(0..0, understood.values.iter().cloned());

    match parameters.context {
        ViewOutput::Selection => views.views.clear(),
        ViewOutput::Views => {
            if views.views.is_empty() {
                let message = tr!("No view runs, so the query is written without views and schema");
                context.warn(Some(nodes::SELECTION), message);
            }
            views.selection.tables.clear();
        }
        ViewOutput::Both => {}
    }
    // With one chunk, every agent keeps the whole schema, whose prompt is already cached, and receives the selection. With several chunks,
    // the agents read the filtered schema of the paper (S_filtered).
    let automatic = match schema.for_agent(Agent::ViewGenerator).is_whole() {
        true => LastSchema::Whole,
        false => LastSchema::Selected,
    };
    let (visible, names_selection) = match (parameters.context, parameters.schema.unwrap_or(automatic)) {
        (ViewOutput::Views, _) => (PromptSchema::hidden(schema), false),
        (_, LastSchema::Whole) => (PromptSchema::from_schema(schema), true),
        (_, LastSchema::Selected) => {
            (PromptSchema::from_selection(schema, nodes::SELECTION, views.selection.clone()), false)
        }
    };
    let opening = visible.opening_request(context, Agent::Generator);
    let [for_planner, for_revisor] =
        [Agent::Planner, Agent::Revisor].map(|agent| visible.opening_request(context, agent));
    let model = context.model(Agent::Generator).profile();
    let grounding = collect_grounding(context, &understood, &views, names_selection);
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

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::MethodSettings;

    #[test]
    fn auto_runs_with_the_described_defaults() {
        let read: Parameters = METHOD.parameters(&MethodSettings::default()).unwrap();
        let values = |parameters: Parameters| serde_json::to_value(parameters).unwrap();
        assert_eq!(values(read), values(Parameters::default()));
    }
}
