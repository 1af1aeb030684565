//! ReFoRCE: self-refined candidates that vote, and exploration of columns if no result wins.

use super::method::{Method, normalize_parameters};
use crate::attempt::context::{AttemptContext, AttemptLimits};
use crate::attempt::execute::PROBE_ROWS;
use crate::attempt::refine::{Refined, refine_replies};
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::vote::Vote;
use crate::choice::accept::accept_choice;
use crate::choice::clarify;
use crate::prompt::format::{first_rows, known_facts, one_line};
use crate::prompt::methods::Probes;
use crate::prompt::reply::sql_alone;
use crate::prompt::{Direct, Prompt};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::PromptSchema;
use crate::schema::selection::LinkingInput;
use crate::stages::vote::vote_by_result;
use crate::stages::{answer, explore, link, rewrite, schema, value_linking};
use serde::{Deserialize, Serialize};
use vitrine_domain::method_info::{CallCount, MethodGroup, ParameterChoice, ParameterInfo, StageInfo};
use vitrine_domain::methods::ParameterValue;
use vitrine_domain::{Agent, Confidence, MethodInfo, NodeId, Probe, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{later, tr, translate_constant};

/// Nodes of candidates and votes after the exploration.
const SECOND: &NodeId = &NodeId::new("generator-2");
const VOTES: [&NodeId; 2] = [&NodeId::new("vote-1"), &NodeId::new("vote-2")];

/// The paper's temperature (section 4.1).
const TEMPERATURE: f32 = 1.0;

/// Condition for exploring columns (paper, section 3.2.3 and table 3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum ExploreWhen {
    /// If the vote is a tie.
    Tie,
    /// Before any candidate is written.
    Always,
}

/// Parameters of ReFoRCE (paper, sections 3.2 and 4.1, appendix C).
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameters {
    /// Number of candidates that vote, the paper's k.
    votes: u32,
    /// Rounds of self-refinement for one candidate.
    rounds: u32,
    /// Number of probing queries of a column exploration.
    probes: u32,
    /// Number of tokens of the compressed schema above which tables are selected.
    link_above: u64,
    /// Condition for exploring columns of the data.
    explore: ExploreWhen,
}

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
            ParameterInfo::new_number("rounds", 5, 0, 10).with_label_and_help(
                later!("Corrections"),
                later!("Maximum for one query that fails or returns no rows."),
            ),
            ParameterInfo::new_choice("explore", ParameterValue::Word("tie"), EXPLORE)
                .with_label_and_help(later!("Explore columns"), later!("When probing queries are run.")),
            ParameterInfo::new_number("probes", 10, 1, 20).with_label_and_help(
                later!("Probing queries"),
                later!("Maximum number of queries that explore columns."),
            ),
            ParameterInfo::new_number("link_above", 50_000, 0, 10_000_000).with_label_and_help(
                later!("Select tables above"),
                later!("Schema size in tokens. A smaller schema is used whole."),
            ),
        ],
        switches: &[Switch::Exploration, Switch::Voting],
        stages: &[
            StageInfo::for_every_run(StageKind::Schema),
            StageInfo::when_deliberating(StageKind::Grounding),
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
    let matches = if profile.deliberates { value_linking::link_values(context, question).await } else { Vec::new() };
    let read = if profile.deliberates { nodes::GROUNDING } else { nodes::SCHEMA };
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
        limits: AttemptLimits { rounds: parameters.rounds, ..AttemptLimits::from_context(context) },
        first: 1,
    };
    let task = Work { attempts, question, facts, parameters };
    let may_explore = settings.is_enabled(Switch::Exploration);
    let mut seen: Vec<String> = Vec::new();
    if parameters.explore == ExploreWhen::Always && may_explore {
        seen = explore::render_probes(context, &task.explore_data(&[read], &[]).await?.unwrap_or_default());
    }
    let input = if seen.is_empty() { read } else { nodes::EXPLORATION };
    let round = Round { number: 1, node: nodes::GENERATOR, vote_node: VOTES[0], input, first: 1 };
    let (mut refined, mut counted) = task.generate_candidates(round, &seen).await?;
    let mut node = VOTES[0];
    if counted.confidence == Confidence::Low && seen.is_empty() && may_explore && settings.is_enabled(Switch::Voting) {
        // The results of each candidate show a model that deliberates in what they differ.
        let deliberates = context.model(Agent::Explorer).profile().deliberates;
        let told = |c: &Candidate| match deliberates {
            true => format!("{} -> {}", one_line(c.sql.as_str()), first_rows(&context.mask_page(&c.page))),
            false => one_line(c.sql.as_str()),
        };
        let doubts: Vec<String> = counted
            .clusters
            .iter()
            .filter_map(|cluster| refined.ran.iter().find(|c| c.number == cluster.candidates[0]))
            .take(4)
            .map(told)
            .collect();
        let probes = task.explore_data(&[VOTES[0]], &doubts).await?;
        seen = explore::render_probes(context, probes.as_deref().unwrap_or_default());
        // If a model that deliberates found nothing to explore, another request would be the same.
        if !(deliberates && probes.is_some_and(|probes| probes.is_empty())) {
            let first = parameters.votes + 1;
            let round = Round { number: 2, node: SECOND, vote_node: VOTES[1], input: nodes::EXPLORATION, first };
            let (again, recounted) = task.generate_candidates(round, &seen).await?;
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

/// The question with the inputs for trying its queries.
struct Work<'a> {
    attempts: AttemptContext<'a>,
    question: &'a str,
    facts: &'a str,
    parameters: Parameters,
}

/// A round of candidates with their vote.
#[derive(Clone, Copy)]
struct Round<'a> {
    /// Number of the round, from 1.
    number: u32,
    /// Node that writes the candidates.
    node: &'a NodeId,
    /// Node that counts their votes.
    vote_node: &'a NodeId,
    /// Node whose output the round reads.
    input: &'a NodeId,
    /// Number of the first candidate.
    first: u32,
}

impl Work<'_> {
    /// Runs probing queries, from simple to nested; `None` if the reply could not be read.
    async fn explore_data(&self, inputs: &[&NodeId], doubts: &[String]) -> Result<Option<Vec<Probe>>, StageError> {
        let context = self.attempts.context;
        explore::begin_exploration(&self.attempts, inputs);
        let deliberates = context.model(Agent::Explorer).profile().deliberates;
        let prompt = Probes {
            question: self.question,
            facts: self.facts,
            values: if deliberates { self.attempts.values } else { &[] },
            doubts,
            count: self.parameters.probes,
            rows: PROBE_ROWS,
            dialect: context.ask.data.catalog.dialect.sql().display_name(),
        };
        let probes = explore::run_probes(
            &self.attempts,
            &self.attempts.visible.opening_request(context, Agent::Explorer),
            prompt,
        )
        .await?;
        let written = probes.as_deref().unwrap_or_default();
        let ran = written.iter().filter(|probe| probe.error.is_none()).count();
        context.finish_stage(nodes::EXPLORATION, tr!("{ran} of {of} queries ran", ran, of = written.len()));
        Ok(probes)
    }

    /// Writes the k candidates of one round, refines them, and counts their votes. `seen` are the rendered probes so far.
    async fn generate_candidates(&self, round: Round<'_>, seen: &[String]) -> Result<(Refined, Vote), StageError> {
        let Round { number, node, vote_node, input, first } = round;
        let context = self.attempts.context;
        let settings = &context.ask.options.settings;
        let parameters = &self.parameters;
        let votes = if settings.is_enabled(Switch::Voting) { parameters.votes } else { 1 };
        let inputs = [input];
        let attempts = AttemptContext { node, inputs: &inputs, ..self.attempts };
        context.begin_stage(node, StageKind::Generator, translate_constant(attempts.title), attempts.inputs);
        let profile = context.model(Agent::Generator).profile();
        let facts = known_facts(&profile, self.facts, seen);
        let task = Direct {
            question: self.question,
            facts: &facts,
            values: attempts.values,
            dialect: context.ask.data.catalog.dialect.sql().display_name(),
        };
        let request =
            Request { tail: task.render_for(&profile), ..attempts.visible.opening_request(context, Agent::Generator) };
        let call = Request {
            samples: votes,
            first_greedy: true,
            temperature: TEMPERATURE,
            top_p: 0.95,
            seed: settings.seed + u64::from(number),
            ..sql_alone(&request, &profile)
        };
        let replies = context.call_model(Agent::Generator, node, call).await?;
        let refined = refine_replies(&attempts, &request, &replies.texts, first, parameters.rounds).await?;
        let (ran, declined) = (refined.ran.len(), refined.declined.len());
        context.finish_stage(node, tr!("{ran} of {of} queries ran", ran, of = replies.texts.len()));
        let lost = (replies.texts.len() - ran - declined, declined);
        let counted = vote_by_result(&attempts, vote_node, number, &refined.ran, lost);
        Ok((refined, counted))
    }
}

/// Returns the winner. Without a winner the user is asked; without a user the first of the leading results is chosen, with a warning (the
/// paper selects at random).
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
    attempts.context.warn(Some(attempts.node), tr!("Not sure: {why}. The first of them is used as a last resort", why));
    Ok(accept_choice(attempts, ran, &choice, tr!("Last resort: no clear winner")))
}
