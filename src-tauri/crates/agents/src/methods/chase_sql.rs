//! CHASE-SQL: stored values, three generators, a query fixer, and a comparison of all pairs of results.

mod choices;

use self::choices::{EXAMPLE_KINDS, KEYWORDS, Keywords, ORDERS, Orders, SELECTIONS};
use super::choices::EMPTY_RESULTS;
use super::method::{Method, normalize_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits, EmptyResults};
use crate::attempt::refine::refine_replies;
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::choice::pairwise::JudgeInput;
use crate::prompt::methods::{ByExample, Divide, QueryPlan};
use crate::prompt::reply::{Writing, max_reply_tokens, sql_alone};
use crate::prompt::{Direct, Prompt};
use crate::question::contract::OutputContract;
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::LinkingInput;
use crate::stages::compare::{self, Selection};
use crate::stages::examples::{self, ExampleKinds, WantedExamples};
use crate::stages::link::{self, Coverage};
use crate::stages::{answer, rewrite, schema, value_linking};
use futures::{StreamExt, TryStreamExt};
use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterInfo, StageInfo};
use vitrine_domain::methods::ParameterValue;
use vitrine_domain::{
    Agent, EventBody, MethodInfo, NodeId, RewrittenQuestion, SchemaSelection, StageKind, Switch, SyntheticExample,
};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr, translate_constant};

/// Number of candidates of one generator, and of examples of one kind, for a model that does not deliberate.
const FEW: u32 = 3;
/// The paper's number: 21 candidates of three generators (table 4).
const MANY: u32 = 7;
/// The paper's 75 examples (table 8), half of each kind.
const MANY_EXAMPLES: u32 = 37;
/// Temperature of all candidates except the first, in hundredths.
const TEMPERATURE: u64 = 80;
/// Temperature of the second and later corrections of a candidate, in hundredths.
const FIX_TEMPERATURE: u64 = 70;

/// Maximum number of tables in the event of an order.
const MOST_TABLES: usize = 200;

/// A generator: its node, its switch in an ablation, its title.
struct Generator {
    node: &'static NodeId,
    part: Switch,
    title: &'static str,
    /// True if the model reasons in the text before it writes the query.
    on_paper: bool,
}

const GENERATORS: [Generator; 3] = [
    Generator {
        node: &NodeId::new("divide-and-conquer"),
        part: Switch::DivideAndConquer,
        title: later!("Divide and conquer"),
        on_paper: true,
    },
    Generator {
        node: &NodeId::new("query-plan"),
        part: Switch::QueryPlan,
        title: later!("Plan like a query optimizer"),
        on_paper: true,
    },
    Generator {
        node: &NodeId::new("synthetic"),
        part: Switch::Examples,
        title: later!("Follow examples"),
        on_paper: false,
    },
];

/// Parameters of CHASE-SQL (paper, sections 3.2 to 3.5, appendix A.2).
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Number of candidates of each generator; `None` is the paper's 7, or 3 for a model that does not deliberate.
    candidates: Option<u32>,
    /// Number of synthetic examples of each of the two kinds; `None` is the paper's 75 in total, or 3 of each kind for a model that does
    /// not deliberate.
    examples: Option<u32>,
    /// Kinds of synthetic examples (paper, table 8).
    example_kinds: ExampleKinds,
    /// Rounds of the query fixer for one candidate, the paper's beta.
    fixes: u32,
    /// Method of choosing the answer; `None` is the paper's comparison of all pairs, or the most common result for a model that does not
    /// deliberate.
    select: Option<Selection>,
    /// Maximum number of compared results; the most common ones are used.
    compared: u32,
    /// Prompts that share an order of tables and columns.
    orders: Orders,
    /// Source of the keywords; `None` is the paper's model, or all phrases for a model that does not deliberate.
    keywords: Option<Keywords>,
    /// Temperature of all candidates except the first, in hundredths.
    temperature: u32,
    /// Temperature of the second and later corrections of a candidate, in hundredths.
    fix_temperature: u32,
    /// Handling of results without a value; `None` depends on the model.
    empty: Option<EmptyResults>,
}

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "chase-sql",
        label: "CHASE-SQL",
        everyday: None,
        note: later!("Writes queries in three different ways and chooses between their results. Asks the model most often."),
        group: MethodGroup::Published,
        runs_code: false,
        calls: CallCount::new(6, 18, 0),
        parameters: &[
            ParameterInfo::new_automatic_number("candidates", 1, 32)
                .with_paper_value(ParameterValue::Number(MANY as u64))
                .with_label_and_help(
                later!("Queries per generator"),
                later!("There are three generators. Automatic: 7, or 3 with a model without reasoning."),
            ),
            ParameterInfo::new_automatic_number("examples", 1, 75)
                .with_paper_value(ParameterValue::Number(MANY_EXAMPLES as u64))
                .with_label_and_help(
                later!("Examples of each kind"),
                later!("Synthetic questions with SQL for this database. Automatic: 37 of each kind, or 3 with a model without reasoning."),
            ),
            ParameterInfo::new_choice("example_kinds", ParameterValue::Word("both"), EXAMPLE_KINDS)
                .with_label_and_help(later!("Kinds of examples"), later!("What the synthetic questions are about.")),
            ParameterInfo::new_number("fixes", 3, 0, 10)
                .with_label_and_help(later!("Corrections"), later!("Maximum for one query.")),
            ParameterInfo::new_choice("select", ParameterValue::Auto, SELECTIONS)
                .with_paper_value(ParameterValue::Word("pairwise"))
                .with_label_and_help(later!("Choice of the answer"), later!("How one of the results is chosen.")),
            ParameterInfo::new_number("compared", 6, 2, 16)
                .with_label_and_help(later!("Results compared"), later!("Maximum number. The most common results are compared.")),
            ParameterInfo::new_choice("orders", ParameterValue::Word("generator"), ORDERS)
                .with_paper_value(ParameterValue::Word("sample"))
                .with_label_and_help(later!("Orders of the schema"), later!("Tables and columns are shuffled, so that the queries differ.")),
            ParameterInfo::new_choice("keywords", ParameterValue::Auto, KEYWORDS)
                .with_paper_value(ParameterValue::Word("model"))
                .with_label_and_help(later!("Keywords"), later!("Which phrases of the question are looked up among the stored values.")),
            ParameterInfo::new_number("temperature", TEMPERATURE, 0, 200)
                .with_label_and_help(later!("Temperature"), later!("In hundredths, for the queries of a generator after the first.")),
            ParameterInfo::new_number("fix_temperature", FIX_TEMPERATURE, 0, 200)
                .with_label_and_help(later!("Temperature of corrections"), later!("In hundredths, for corrections after the first.")),
            ParameterInfo::new_choice("empty", ParameterValue::Auto, EMPTY_RESULTS)
                .with_paper_value(ParameterValue::Word("corrected"))
                .with_label_and_help(later!("Empty results"), later!("How a query without a value in its result is handled.")),
        ],
        switches: &[Switch::DivideAndConquer, Switch::QueryPlan, Switch::Examples],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::when_switch_on(StageKind::Grounding, Switch::Values),
            StageInfo::for_every_run(StageKind::Generator),
            StageInfo::when_switch_on(StageKind::Examples, Switch::Examples),
            StageInfo::for_every_run(StageKind::Choice),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: normalize_parameters::<Parameters>,
    run: |context| Box::pin(run(context)),
};

/// Runs the method.
///
/// # Errors
/// Fails if the model or the connection fails, or if no candidate of any generator ran.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let settings = &context.ask.options.settings;
    let profile = context.model(Agent::Generator).profile();
    let parameters: Parameters = METHOD.parameters(&settings.methods)?;
    let budget = settings.chunk_budget.unwrap_or(profile.chunk_budget);
    let schema = schema::prepare_schema(context, Agent::Generator, budget).await?;
    let others = [Agent::Linker, Agent::Exemplar, Agent::Judge];
    let schema = schema::read_by(context, schema, Agent::Generator, &others).await?;
    let prepared = Prepared::prepare_inputs(context, &schema, &parameters).await?;
    let views = Views { values: prepared.views.values.clone(), ..Views::default() };
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[prepared.input],
        visible: &prepared.visible,
        views: &views,
        values: &prepared.values,
        contract: &prepared.contract,
        limits: AttemptLimits {
            rounds: parameters.fixes,
            correction_temperature: parameters.fix_temperature as f32 / 100.0,
            empty_results: parameters.empty,
            ..AttemptLimits::from_context(context)
        },
        first: 1,
    };
    let mut ran: Vec<Candidate> = Vec::new();
    let mut nodes: Vec<&NodeId> = Vec::new();
    let mut failure = None;
    // The generators are independent and run concurrently, so that the total time is that of the slowest.
    let writing = GENERATORS.iter().enumerate().filter(|(_, generator)| settings.is_enabled(generator.part));
    let written = futures::future::join_all(writing.map(async |(index, generator)| {
        let attempts = AttemptContext { node: generator.node, title: generator.title, ..attempts };
        (generator.node, write_candidates(&attempts, &prepared, generator, index as u32, &parameters).await)
    }));
    for (node, result) in written.await {
        match result {
            Ok(more) => {
                nodes.push(node);
                ran.extend(more);
            }
            Err(error) if context.cancel.is_cancelled() => return Err(error),
            // The other generators may succeed.
            Err(error) => {
                context.warn(Some(node), error.0.message.clone());
                failure = Some(error);
            }
        }
    }
    if ran.is_empty() {
        return Err(failure.unwrap_or_else(|| nothing_ran(tr!("No SQL that runs was found by any generator")).into()));
    }
    let case =
        JudgeInput { question: prepared.question, facts: &prepared.facts, opening: &prepared.for_judge, probes: &[] };
    let attempts = AttemptContext { inputs: &nodes, ..attempts };
    let chosen = compare::compare_candidates(&attempts, case, ran, parameters.select, parameters.compared).await?;
    answer::deliver_answer(context, chosen, nodes::CHOICE).await;
    Ok(())
}

/// Inputs that all generators share.
struct Prepared<'a> {
    question: &'a str,
    facts: String,
    schema: &'a Schema,
    /// Tables and columns that the question seems to need, if the schema does not fit into one prompt.
    visible: PromptSchema<'a>,
    /// Columns that the question seems to need, for the examples over them (R_t).
    selected: SchemaSelection,
    /// Last node of the preparation.
    input: &'static NodeId,
    opening: Request,
    for_examples: Request,
    for_judge: Request,
    views: Views,
    values: Vec<String>,
    contract: OutputContract,
}

impl<'a> Prepared<'a> {
    async fn prepare_inputs(
        context: &'a RunContext,
        schema: &'a Schema,
        parameters: &Parameters,
    ) -> Result<Self, StageError> {
        let ask = &context.ask;
        let question = ask.question.trim();
        let facts = rewrite::knowledge_as_given(context).await?;
        let profile = context.model(Agent::Generator).profile();
        let by_model = profile.deliberates && context.model(Agent::Linker).profile().deliberates;
        let keywords = parameters.keywords.unwrap_or(if by_model { Keywords::Model } else { Keywords::Phrases });
        let matches = match keywords {
            Keywords::Model => value_linking::link_keywords(context, question, &facts).await?,
            Keywords::Phrases => value_linking::link_values(context, question).await,
        };
        let (mut visible, mut input) = (PromptSchema::from_schema(schema), nodes::GROUNDING);
        let mut selected = SchemaSelection::default();
        let is_whole = schema.for_agent(Agent::Generator).is_whole();
        // A large model's examples use the selected columns even if the whole schema is visible (Algorithm 2).
        let for_examples = profile.deliberates
            && ask.options.settings.is_enabled(Switch::Examples)
            && parameters.example_kinds != ExampleKinds::Features;
        if (!is_whole || for_examples) && ask.options.settings.is_enabled(Switch::Linking) {
            link::begin_linking(context, nodes::GROUNDING);
            let linking = LinkingInput { question, facts: &facts, matches: &matches };
            selected = link::by_table(context, schema, linking, Coverage::of_one_reply(context)).await?;
            link::finish_linking(context, &selected);
            input = nodes::LINKING;
            if !is_whole {
                visible = PromptSchema::from_selection(schema, nodes::LINKING, selected.clone());
            }
        }
        // Adds the columns that store values which the question names.
        matches.iter().for_each(|found| selected.add(&found.table, Some(&found.column)));
        Ok(Self {
            question,
            facts,
            opening: visible.opening_request(context, Agent::Generator),
            for_examples: visible.opening_request(context, Agent::Exemplar),
            for_judge: visible.opening_request(context, Agent::Judge),
            values: value_lines(&profile, &context.ask.data.catalog, &matches),
            contract: OutputContract::from_question(
                question,
                &RewrittenQuestion::default(),
                &ask.data.catalog,
                profile.deliberates,
            ),
            selected,
            views: Views { values: matches, ..Views::default() },
            schema,
            visible,
            input,
        })
    }
}

/// Runs one generator: its prompt over a schema in its own order, its candidates, and the fixer's rounds for each.
async fn write_candidates(
    attempts: &AttemptContext<'_>,
    prepared: &Prepared<'_>,
    generator: &Generator,
    index: u32,
    parameters: &Parameters,
) -> Result<Vec<Candidate>, StageError> {
    let context = attempts.context;
    let settings = &context.ask.options.settings;
    let profile = context.model(Agent::Generator).profile();
    let deliberates = profile.deliberates;
    let each = parameters.candidates.unwrap_or(if deliberates { MANY } else { FEW });
    let dialect = context.ask.data.catalog.dialect.sql().display_name();
    let mut inputs = vec![prepared.input];
    let mut examples: Vec<SyntheticExample> = Vec::new();
    if generator.part == Switch::Examples {
        let count = parameters.examples.unwrap_or(if deliberates { MANY_EXAMPLES } else { FEW });
        let wanted = WantedExamples { kinds: parameters.example_kinds, count, selection: &prepared.selected };
        examples = examples::write_examples(attempts, &prepared.for_examples, wanted, &[prepared.input]).await?;
        inputs = vec![nodes::EXAMPLES];
    }
    context.begin_stage(generator.node, StageKind::Generator, translate_constant(generator.title), &inputs);
    let orders = parameters.orders;
    let opening = match orders {
        Orders::Generator => shuffled_request(attempts, prepared, index),
        // Corrections read the schema in its original order.
        Orders::Sample => prepared.visible.renew_request(context, Agent::Generator, prepared.opening.clone()),
    };
    let task = Direct { question: prepared.question, facts: &prepared.facts, values: attempts.values, dialect };
    let tail = match generator.part {
        Switch::DivideAndConquer => Divide(task).render_for(&profile),
        Switch::QueryPlan => QueryPlan(task).render_for(&profile),
        _ => ByExample { examples: &examples, task }.render_for(&profile),
    };
    let request = Request { tail, seed: settings.seed + 100 * u64::from(index), ..opening };
    let call = Request {
        samples: each,
        first_greedy: true,
        temperature: parameters.temperature as f32 / 100.0,
        top_p: 0.95,
        max_tokens: max_reply_tokens(&profile, Writing::Reasoned),
        ..if generator.on_paper { request.clone() } else { sql_alone(&request, &profile) }
    };
    let first = 1 + index * each;
    let texts = match orders {
        Orders::Generator => context.call_model(Agent::Generator, generator.node, call).await?.texts,
        Orders::Sample => call_shuffled(attempts, prepared, &call, first).await?,
    };
    let ran = refine_replies(attempts, &request, &texts, first, parameters.fixes).await?.ran;
    context.finish_stage(generator.node, tr!("{ran} of {of} queries ran", ran = ran.len(), of = texts.len()));
    Ok(ran)
}

/// Requests each sample of a call separately, over the schema in its own order; the first candidate of all reads the original order.
async fn call_shuffled(
    attempts: &AttemptContext<'_>,
    prepared: &Prepared<'_>,
    call: &Request,
    first: u32,
) -> Result<Vec<String>, StageError> {
    let context = attempts.context;
    futures::stream::iter(0..call.samples)
        .map(async |sample| {
            let candidate = first + sample;
            let seed = call.seed + u64::from(sample);
            let mut request = Request { samples: 1, first_greedy: sample == 0, seed, ..call.clone() };
            if candidate > 1 {
                let (opening, tables) = prepared.visible.shuffled_request(context, seed);
                request.prefix = opening.prefix;
                emit_order(attempts, seed, tables, Some(candidate));
            }
            let mut replies = context.call_model(Agent::Generator, attempts.node, request).await?;
            Ok::<_, StageError>(replies.texts.swap_remove(0))
        })
        .buffered(CALLS_AT_ONCE)
        .try_collect()
        .await
}

/// Records the order of tables in the prompt of a candidate, or in all prompts of the node.
fn emit_order(attempts: &AttemptContext<'_>, seed: u64, mut tables: Vec<String>, candidate: Option<u32>) {
    tables.truncate(MOST_TABLES);
    attempts.context.emit(EventBody::SchemaShuffled { node: attempts.node.to_owned(), seed, tables, candidate });
}

/// Returns the request of a generator. The first one reads the schema in its original order; each other one in its own order, which depends
/// on the seed, so that the prompts for a second question on the same database are cached.
fn shuffled_request(attempts: &AttemptContext<'_>, prepared: &Prepared<'_>, index: u32) -> Request {
    let context = attempts.context;
    // Such a selection belongs to one question, so a small model reads it only once.
    let once = !prepared.schema.for_agent(Agent::Generator).is_whole()
        && !context.model(Agent::Generator).profile().deliberates;
    if index == 0 || once {
        return prepared.visible.renew_request(context, Agent::Generator, prepared.opening.clone());
    }
    let seed = context.ask.options.settings.seed + u64::from(index);
    let (opening, tables) = prepared.visible.shuffled_request(context, seed);
    emit_order(attempts, seed, tables, None);
    opening
}
