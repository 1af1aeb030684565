//! ReFoRCE: self-refined candidates that vote, and exploration of columns if no result wins.

mod parameters;
mod rounds;

use super::choices::EMPTY_RESULTS;
use super::method::{Method, normalize_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::refine::Refined;
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::vote::Vote;
use crate::choice::accept::accept_choice;
use crate::choice::clarify;
use crate::methods::reforce::parameters::{ExploreWhen, Parameters, ValueSource};
use crate::methods::reforce::rounds::{Findings, Round, Work};
use crate::prompt::format::{first_rows, one_line};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::LinkingInput;
use crate::stages::{answer, link, rewrite, schema, value_linking};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterChoice, ParameterInfo, StageInfo};
use vitrine_domain::methods::ParameterValue;
use vitrine_domain::{
    Agent, AppError, Confidence, ErrorCode, MethodInfo, NodeId, RewrittenQuestion, StageKind, Switch,
};
use vitrine_words::{later, tr};

/// Nodes of candidates and votes after the exploration.
const SECOND: &NodeId = &NodeId::new("generator-2");
const VOTES: [&NodeId; 2] = [&NodeId::new("vote-1"), &NodeId::new("vote-2")];

/// Description and entry point of the method.
pub(super) const METHOD: Method = Method {
    info: MethodInfo {
        name: "reforce",
        label: "ReFoRCE",
        everyday: None,
        note: later!("Many queries vote by their results; in a tie, the method explores the data and votes again."),
        group: MethodGroup::Published,
        runs_code: false,
        calls: CallCount::new(2, 16, 0),
        parameters: &[
            ParameterInfo::new_number("votes", 8, 1, 64)
                .with_label_and_help(later!("Votes"), later!("Number of queries that vote by their results.")),
            ParameterInfo::new_number("rounds", 5, 0, 10)
                .with_label_and_help(later!("Corrections"), later!("Maximum for one query.")),
            ParameterInfo::new_choice("explore", ParameterValue::Word("tie"), EXPLORE)
                .with_label_and_help(later!("Explore columns"), later!("When probing queries are run.")),
            ParameterInfo::new_choice("threads", ParameterValue::Word("shared"), THREADS)
                .with_paper_value(ParameterValue::Word("own"))
                .with_label_and_help(later!("Explorations"), later!("How often probing queries are written.")),
            ParameterInfo::new_choice("values", ParameterValue::Word("question"), VALUES)
                .with_paper_value(ParameterValue::Word("probes"))
                .with_label_and_help(later!("Stored values"), later!("Which stored values the model receives.")),
            ParameterInfo::new_number("probes", 10, 1, 20).with_label_and_help(
                later!("Probing queries"),
                later!("Maximum number of queries that explore columns."),
            ),
            ParameterInfo::new_number("link_above", 50_000, 0, 10_000_000).with_label_and_help(
                later!("Select tables above"),
                later!("Schema size in tokens. A smaller schema is used whole."),
            ),
            ParameterInfo::new_choice("empty", ParameterValue::Auto, EMPTY_RESULTS)
                .with_paper_value(ParameterValue::Word("corrected"))
                .with_label_and_help(
                    later!("Empty results"),
                    later!("How a query without a value in its result is handled."),
                ),
        ],
        switches: &[Switch::Exploration, Switch::Voting, Switch::LastResort],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo { set: Some(("values", "question")), ..StageInfo::when_deliberating(StageKind::Grounding) },
            StageInfo::when_parameter_is(StageKind::Exploration, "explore", "always"),
            StageInfo::for_every_run(StageKind::Generator),
            StageInfo::for_every_run(StageKind::Choice),
            StageInfo::for_every_run(StageKind::Result),
        ],
    },
    typed: normalize_parameters::<Parameters>,
    run: |context| Box::pin(run(context)),
};

/// Words for the values of [`ExploreWhen`].
const EXPLORE: &[ParameterChoice] = &[
    ParameterChoice { value: Some("tie"), label: later!("After a tie"), note: later!("If the vote has no winner") },
    ParameterChoice { value: Some("always"), label: later!("Always"), note: later!("Before any query is written") },
];

/// Words for the values of `Threads`.
const THREADS: &[ParameterChoice] = &[
    ParameterChoice {
        value: Some("shared"),
        label: later!("One for all"),
        note: later!("All queries read one exploration"),
    },
    ParameterChoice {
        value: Some("own"),
        label: later!("One for each query"),
        note: later!("As in the paper; asks the model several times as often"),
    },
];

/// Words for the values of [`ValueSource`].
const VALUES: &[ParameterChoice] = &[
    ParameterChoice {
        value: Some("question"),
        label: later!("Question"),
        note: later!("A model with reasoning receives the values that the question names"),
    },
    ParameterChoice { value: Some("probes"), label: later!("None"), note: later!("Only probing queries find values") },
];

/// Runs the method.
///
/// # Errors
/// Fails if the model or the connection fails, or if no candidate ran in either round.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.options.settings;
    let parameters: Parameters = METHOD.parameters(&settings.methods)?;
    let question = ask.question.trim();
    let facts = rewrite::knowledge_as_given(context).await?;
    let facts = facts.as_str();
    let profile = context.model(Agent::Generator).profile();
    let contract =
        OutputContract::from_question(question, &RewrittenQuestion::default(), &ask.data.catalog, profile.deliberates);
    let budget = settings.chunk_budget.unwrap_or(profile.chunk_budget);
    let schema = schema::prepare_schema(context, Agent::Generator, budget).await?;
    let schema = schema::read_by(context, schema, Agent::Generator, &[Agent::Linker, Agent::Explorer]).await?;
    // The paper does not look up values. A large model receives the stored values that the question names; small models were measured
    // without them.
    let looks_up = profile.deliberates && parameters.values == ValueSource::Question;
    let matches = if looks_up { value_linking::link_values(context, question).await } else { Vec::new() };
    let read = if looks_up { nodes::GROUNDING } else { nodes::SCHEMA };
    let values = value_lines(&profile, &ask.data.catalog, &matches);
    let linking = LinkingInput { question, facts, matches: &matches };
    let visible = select_schema(context, &schema, linking, parameters.link_above, read).await?;
    let views = Views { values: matches.clone(), ..Views::default() };
    let attempts = AttemptContext {
        context,
        node: nodes::GENERATOR,
        title: later!("Write the SQL"),
        inputs: &[read],
        visible: &visible,
        views: &views,
        values: &values,
        contract: &contract,
        limits: AttemptLimits {
            rounds: parameters.rounds,
            empty_results: parameters.empty,
            ..AttemptLimits::from_context(context)
        },
        first: 1,
    };
    let task = Work { attempts, question, facts, parameters };
    let may_explore = settings.is_enabled(Switch::Exploration);
    let mut findings = Findings::default();
    if parameters.explore == ExploreWhen::Always && may_explore {
        findings = task.explore_data(&[read], &[]).await?;
    }
    // A round that explored nothing reads the schema.
    if findings.is_empty() {
        findings = Findings::default();
    }
    let round = Round { number: 1, node: nodes::GENERATOR, vote_node: VOTES[0], input: read, first: 1 };
    let (mut refined, mut counted) = task.generate_candidates(round, &findings).await?;
    let mut node = VOTES[0];
    let is_tie = counted.confidence == Confidence::Low && settings.is_enabled(Switch::Voting);
    if is_tie && findings.is_empty() && may_explore {
        let doubts = list_doubts(context, &refined, &counted);
        let findings = task.explore_data(&[VOTES[0]], &doubts).await?;
        // If a model that deliberates found nothing to explore, another request would be the same.
        if !(context.model(Agent::Explorer).profile().deliberates && findings.are_declined()) {
            let first = parameters.votes + 1;
            let round = Round { number: 2, node: SECOND, vote_node: VOTES[1], input: VOTES[0], first };
            let (again, recounted) = task.generate_candidates(round, &findings).await?;
            if !again.ran.is_empty() {
                (refined, counted, node) = (again, recounted, VOTES[1]);
            }
        }
    }
    let Some(leader) = counted.leader() else {
        return Err(nothing_ran(tr!("No SQL that runs was found, also after looking at the data")).into());
    };
    let chosen = choose_winner(&AttemptContext { node, ..task.attempts }, refined, &counted, leader).await?;
    answer::deliver_answer(context, chosen, node).await;
    Ok(())
}

/// Returns the queries that disagree, at most four. The results of each show a model that deliberates in what they differ.
fn list_doubts(context: &RunContext, refined: &Refined, counted: &Vote) -> Vec<String> {
    let deliberates = context.model(Agent::Explorer).profile().deliberates;
    let told = |c: &Candidate| match deliberates {
        true => format!("{} -> {}", one_line(c.sql.as_str()), first_rows(&context.mask_page(&c.page))),
        false => one_line(c.sql.as_str()),
    };
    let leading = counted.clusters.iter().map(|cluster| cluster.candidates[0]);
    leading.filter_map(|number| refined.ran.iter().find(|c| c.number == number)).take(4).map(told).collect()
}

/// Returns the compressed schema; for very large ones only the tables that a first selection keeps (section 3.2.1).
async fn select_schema<'a>(
    context: &RunContext,
    schema: &'a Schema,
    linking: LinkingInput<'_>,
    link_above: u64,
    input: &NodeId,
) -> Result<PromptSchema<'a>, StageError> {
    let ask = &context.ask;
    let profile = context.model(Agent::Generator).profile();
    let tokens = u64::from(schema.for_agent(Agent::Generator).tokens());
    let limit = link_above.min(u64::from(profile.context_tokens / 2));
    if tokens <= limit || !ask.options.settings.is_enabled(Switch::Linking) {
        return Ok(PromptSchema::from_schema(schema));
    }
    link::begin_linking(context, input);
    let selection = link::by_table(context, schema, linking, link::Coverage::of_one_reply(context)).await?;
    link::finish_linking(context, &selection);
    Ok(PromptSchema::from_selection(schema, nodes::LINKING, selection))
}

/// Returns the winner. Without a winner the user is asked; without a user the first of the leading results is chosen, with a warning (the
/// paper selects at random), or there is no answer if the last resort is disabled (table 3, without random selection).
async fn choose_winner(
    attempts: &AttemptContext<'_>,
    Refined { ran, declined }: Refined,
    vote: &Vote,
    leader: u32,
) -> Result<Candidate, StageError> {
    let (of, votes) = (ran.len(), vote.leader_votes());
    let index = ran.iter().position(|c| c.number == leader).expect("the leader ran");
    let choice = Choice { index, votes };
    if vote.confidence == Confidence::High {
        return Ok(accept_choice(attempts, ran, &choice, tr!("{votes} of {of} queries agree", votes, of)));
    }
    if attempts.context.ask.user.clarifier.is_some() {
        return clarify::clarify_choice(attempts, ran, None).await;
    }
    let why = match &vote.clusters[0].suspicious {
        Some(why) => tr!("the leading result is suspicious: {why}", why),
        None if declined.len() >= votes as usize => {
            tr!("fewer queries agree than replies that stated that the data does not contain the answer")
        }
        None if vote.is_plurality(0) => tr!("more queries failed than the {votes} of the leading result", votes),
        None => tr!("results are tied with {votes} of {of} queries each", votes, of),
    };
    if !attempts.context.ask.options.settings.is_enabled(Switch::LastResort) {
        return Err(AppError::new(ErrorCode::Query, tr!("No result was chosen: {why}", why))
            .with_hint(tr!("Enable the last resort to use the first of the leading results"))
            .into());
    }
    attempts.context.warn(Some(attempts.node), tr!("Not sure: {why}. The first of them is used as a last resort", why));
    Ok(accept_choice(attempts, ran, &choice, tr!("Last resort: no clear winner")))
}
