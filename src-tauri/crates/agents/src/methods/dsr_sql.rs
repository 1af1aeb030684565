//! DSR-SQL: a context state (refined schema, selection, alignment with the data), then a generation state that grows.

use super::method::{Method, normalize_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::execute::PROBE_ROWS;
use crate::attempt::refine::refine_replies;
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::choice::accept;
use crate::prompt::methods::{Divide, Probes};
use crate::prompt::reply::{Writing, max_reply_tokens, sql_alone};
use crate::prompt::{Direct, Prompt, format};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::{LinkingInput, Neighbours};
use crate::stages::link::{self, Coverage};
use crate::stages::steps::{self, Task};
use crate::stages::{answer, explore, rewrite, schema, value_linking};
use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterChoice, ParameterInfo, StageInfo};
use vitrine_domain::methods::ParameterValue;
use vitrine_domain::{Agent, MethodInfo, NodeId, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, plural, tr, translate_constant};

/// Number of steps if the whole schema fits into one prompt, and if it does not (paper, section 4.3).
const STEPS_WHOLE: u32 = 10;
const STEPS_PARTS: u32 = 20;
/// Number of probing queries of the alignment. The facts that a small model derives from probes mislead it: of 47 questions it answers 35
/// correctly without them, and 31 with them.
const PROBES: u32 = 5;
/// Number of candidates if no step produced a query that runs.
const LAST_CANDIDATES: u32 = 3;

/// Parameters of DSR-SQL (paper, section 4.3).
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Number of samples whose tables and columns are united if the whole schema is read.
    samples: u32,
    /// Number of probing queries of the alignment; `None` is [`PROBES`], or none for a model that does not deliberate.
    probes: Option<u32>,
    /// Number of steps of the generation state; `None` is [`STEPS_PARTS`], or [`STEPS_WHOLE`] if the whole schema fits into one prompt.
    steps: Option<u32>,
    /// Maximum number of corrections of one step's query.
    fixes: u32,
    /// Neighbours by foreign key that are added to the selected tables; `None` depends on the model.
    neighbours: Option<Neighbours>,
    /// Prompt of a query without the generation state; `None` is the paper's, or the direct one for a model that does not deliberate.
    at_once: Option<AtOnce>,
    /// Temperature of the selections after the first, in hundredths.
    temperature: u32,
}

/// Prompt of a query that is written at once, without the generation state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AtOnce {
    /// Divides the question into smaller ones (paper, appendix D).
    DivideAndConquer,
    /// States the question.
    Direct,
}

/// Words for the values of [`Neighbours`].
const NEIGHBOURS: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("Between selected tables with a large model, otherwise all"),
    },
    ParameterChoice {
        value: Some("between"),
        label: later!("Between selected tables"),
        note: later!("Tables that connect two selected ones"),
    },
    ParameterChoice { value: Some("all"), label: later!("All"), note: later!("Every table one foreign key away") },
    ParameterChoice { value: Some("none"), label: later!("None"), note: later!("Only selected tables") },
];

/// Words for the values of [`AtOnce`].
const AT_ONCE: &[ParameterChoice] = &[
    ParameterChoice {
        value: None,
        label: later!("Automatic"),
        note: later!("Divide and conquer with a large model, otherwise direct"),
    },
    ParameterChoice {
        value: Some("divide-and-conquer"),
        label: later!("Divide and conquer"),
        note: later!("Divides the question into smaller ones"),
    },
    ParameterChoice { value: Some("direct"), label: later!("Direct"), note: later!("Asks for the query only") },
];

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "dsr-sql",
        label: "DSR-SQL",
        everyday: None,
        note: later!("Explores the data, then builds the query and runs every step. Takes many steps in sequence."),
        group: MethodGroup::Published,
        runs_code: false,
        calls: CallCount::new(4, 12, 0),
        parameters: &[
            ParameterInfo::new_number("samples", 3, 1, 16)
                .with_label_and_help(later!("Table selections"), later!("Selections are made independently. A table named by any of them is kept.")),
            ParameterInfo::new_automatic_number("probes", 0, 20)
                .with_paper_value(ParameterValue::Number(PROBES as u64))
                .with_label_and_help(
                later!("Probing queries"),
                later!("Maximum number of queries that explore the data before the final query is written. Automatic: 5, or none with a model without reasoning."),
            ),
            ParameterInfo::new_automatic_number("steps", 1, 50).with_label_and_help(
                later!("Steps"),
                later!("Maximum number of steps. Automatic: 20, or 10 if the whole schema fits into one request."),
            ),
            ParameterInfo::new_number("fixes", 5, 0, 10).with_label_and_help(later!("Corrections"), later!("Maximum for the query of one step.")),
            ParameterInfo::new_choice("neighbours", ParameterValue::Auto, NEIGHBOURS)
                .with_paper_value(ParameterValue::Word("none"))
                .with_label_and_help(later!("Neighbouring tables"), later!("Which tables are added to the selected ones because foreign keys join them.")),
            ParameterInfo::new_choice("at_once", ParameterValue::Auto, AT_ONCE)
                .with_paper_value(ParameterValue::Word("divide-and-conquer"))
                .with_label_and_help(later!("Query without steps"), later!("How the query is written if steps are switched off.")),
            ParameterInfo::new_number("temperature", 80, 0, 200)
                .with_paper_value(ParameterValue::Number(20))
                .with_label_and_help(later!("Temperature"), later!("In hundredths, for table selections after the first.")),
        ],
        switches: &[Switch::Exploration, Switch::Summary, Switch::States],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::when_deliberating(StageKind::Grounding),
            StageInfo::when_switch_on(StageKind::Linking, Switch::Linking),
            StageInfo::when_switch_on(StageKind::Exploration, Switch::Exploration),
            StageInfo::when_switch_on(StageKind::Step, Switch::States),
            StageInfo::when_switch_off(StageKind::Generator, Switch::States),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: normalize_parameters::<Parameters>,
    run: |context| Box::pin(run(context)),
};

/// Runs the method.
///
/// # Errors
/// Fails if the model or the connection fails, or if no step produced a query that runs.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.options.settings;
    let parameters: Parameters = METHOD.parameters(&settings.methods)?;
    let question = ask.question.trim();
    let budget = settings.chunk_budget.unwrap_or_else(|| context.model(Agent::Linker).profile().chunk_budget);
    let schema = schema::prepare_refined_schema(context, Agent::Linker, budget).await?;
    let schema = schema::read_by(context, schema, Agent::Linker, &[Agent::Explorer, Agent::Generator]).await?;
    let facts = rewrite::relevant_knowledge(context).await?;
    let profile = context.model(Agent::Generator).profile();
    // The paper reads the data only with probes. A large model receives the stored values that the question names from the start; small
    // models were measured without them.
    let matches = if profile.deliberates { value_linking::link_values(context, question).await } else { Vec::new() };
    let input = if profile.deliberates { nodes::GROUNDING } else { nodes::SCHEMA };
    let values = value_lines(&profile, &ask.data.catalog, &matches);
    let linking = LinkingInput { question, facts: &facts, matches: &matches };
    let neighbours =
        parameters.neighbours.unwrap_or_else(|| Neighbours::for_model(&context.model(Agent::Linker).profile()));
    let coverage =
        Coverage { samples: parameters.samples, temperature: parameters.temperature as f32 / 100.0, neighbours };
    let (visible, drafts, input) = select_schema(context, &schema, linking, coverage, input).await?;
    let contract =
        OutputContract::from_question(question, &RewrittenQuestion::default(), &ask.data.catalog, profile.deliberates);
    let views = Views { values: matches.clone(), ..Views::default() };
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[],
        visible: &visible,
        views: &views,
        values: &values,
        contract: &contract,
        limits: AttemptLimits {
            rounds: parameters.fixes.min(AttemptLimits::from_context(context).rounds),
            ..AttemptLimits::from_context(context)
        },
        first: 1,
    };
    let deliberates = context.model(Agent::Explorer).profile().deliberates;
    let probes = parameters.probes.unwrap_or(if deliberates { PROBES } else { 0 });
    let (domain, input) = align_schema(&attempts, question, &facts, probes, input).await?;
    let inputs = [input];
    let attempts = AttemptContext { inputs: &inputs, ..attempts };
    if !settings.is_enabled(Switch::States) {
        let at_once =
            parameters.at_once.unwrap_or(if profile.deliberates { AtOnce::DivideAndConquer } else { AtOnce::Direct });
        let known = (question, facts.as_str(), &domain[..]);
        return generate_query(&attempts, known, at_once, 1).await;
    }
    let steps = parameters.steps.unwrap_or(if schema.for_agent(Agent::Generator).is_whole() {
        STEPS_WHOLE
    } else {
        STEPS_PARTS
    });
    // Without drafts, a small model answers a part of the question and calls it final; a large one builds the query up itself.
    let drafts = if profile.deliberates { &[][..] } else { &drafts };
    let task = Task { question, facts: &facts, domain: &domain, steps, fixes: parameters.fixes, drafts };
    if let Some((chosen, node)) = steps::evolve_query(&attempts, &task).await? {
        answer::deliver_answer(context, chosen, &node).await;
        return Ok(());
    }
    // No step's query ran, so the complete query is requested once, with all omitted tables restored.
    context.warn(None, tr!("No step gave a query that runs: the query is written in one step, over the whole schema"));
    let attempts = AttemptContext { visible: &PromptSchema::from_schema(&schema), ..attempts };
    generate_query(&attempts, (question, &facts, &[]), AtOnce::Direct, LAST_CANDIDATES).await
}

/// Returns the schema that is visible from here on (section 3.2.2), the queries drafted for the selection, and its node.
async fn select_schema<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    coverage: Coverage,
    input: &'static NodeId,
) -> Result<(PromptSchema<'a>, Vec<String>, &'static NodeId), StageError> {
    let settings = &context.ask.options.settings;
    let filled = schema.select_filled(context).filter(|_| settings.is_enabled(Switch::Compression)).unwrap_or_default();
    if !settings.is_enabled(Switch::Linking) {
        return Ok((PromptSchema::from_selection(schema, nodes::SCHEMA, filled), Vec::new(), input));
    }
    link::begin_linking(context, input);
    let (selection, drafts) = if schema.for_agent(Agent::Linker).is_whole() {
        link::by_drafts(context, schema, linking, coverage).await?
    } else {
        (link::by_table(context, schema, linking, coverage).await?, Vec::new())
    };
    if selection.is_empty() {
        context.finish_stage(nodes::LINKING, tr!("No tables were selected: the whole schema is used"));
        return Ok((PromptSchema::from_selection(schema, nodes::LINKING, filled), drafts, nodes::LINKING));
    }
    link::finish_linking(context, &selection);
    Ok((PromptSchema::from_selection(schema, nodes::LINKING, selection), drafts, nodes::LINKING))
}

/// Runs the schema-aware alignment (section 3.2.3): probing queries, then their summary. Each half can be disabled.
async fn align_schema<'a>(
    attempts: &AttemptContext<'_>,
    question: &str,
    facts: &str,
    probes: u32,
    input: &'a NodeId,
) -> Result<(Vec<String>, &'a NodeId), StageError> {
    let context = attempts.context;
    let settings = &context.ask.options.settings;
    let opening = &attempts.visible.opening_request(context, Agent::Explorer);
    let looks = settings.is_enabled(Switch::Exploration) && probes > 0;
    let sums_up = settings.is_enabled(Switch::Summary);
    if !looks && !sums_up {
        return Ok((Vec::new(), input));
    }
    explore::begin_exploration(attempts, &[input]);
    let mut shown = Vec::new();
    if looks {
        let deliberates = context.model(Agent::Explorer).profile().deliberates;
        let prompt = Probes {
            question,
            facts,
            values: if deliberates { attempts.values } else { &[] },
            doubts: &[],
            count: probes,
            rows: PROBE_ROWS,
            dialect: context.ask.data.catalog.dialect.sql().display_name(),
        };
        shown =
            explore::render_probes(context, &explore::run_probes(attempts, opening, prompt).await?.unwrap_or_default());
    }
    // A summary without results would be invented (table 5: without exploration worse than without both).
    let domain = if looks && shown.is_empty() {
        Vec::new()
    } else if sums_up {
        explore::summarise_probes(attempts, opening, question, facts, &shown).await?
    } else {
        shown
    };
    context.finish_stage(nodes::EXPLORATION, plural!(domain.len(), "{n} fact", "{n} facts"));
    Ok((domain, nodes::EXPLORATION))
}

/// Writes the query at once, each candidate with its corrections (the paper's ablation of the generation state). The input consists of
/// question, facts, and results of the alignment.
async fn generate_query(
    attempts: &AttemptContext<'_>,
    (question, facts, domain): (&str, &str, &[String]),
    at_once: AtOnce,
    candidates: u32,
) -> Result<(), StageError> {
    let context = attempts.context;
    context.begin_stage(attempts.node, StageKind::Generator, translate_constant(attempts.title), attempts.inputs);
    let profile = context.model(Agent::Generator).profile();
    let known = format::known_facts(&profile, facts, domain);
    let dialect = context.ask.data.catalog.dialect.sql().display_name();
    let task = Direct { question, facts: &known, values: attempts.values, dialect };
    let opening = attempts.visible.opening_request(context, Agent::Generator);
    let (request, asked) = match at_once {
        AtOnce::DivideAndConquer => {
            let request = Request { tail: Divide(task).render_for(&profile), ..opening };
            let asked = Request { max_tokens: max_reply_tokens(&profile, Writing::Reasoned), ..request.clone() };
            (request, asked)
        }
        AtOnce::Direct => {
            let request = Request { tail: task.render_for(&profile), ..opening };
            let asked = sql_alone(&request, &profile);
            (request, asked)
        }
    };
    let call = Request {
        samples: candidates,
        first_greedy: true,
        temperature: 0.8,
        top_p: 0.95,
        seed: context.ask.options.settings.seed,
        ..asked
    };
    let replies = context.call_model(Agent::Generator, attempts.node, call).await?;
    let ran = refine_replies(attempts, &request, &replies.texts, 1, attempts.limits.rounds).await?.ran;
    if ran.is_empty() {
        return Err(nothing_ran(tr!("No SQL that runs was found, step by step or at once")).into());
    }
    let chosen = accept::accept_majority(attempts, ran);
    answer::deliver_answer(context, chosen, attempts.node).await;
    Ok(())
}
