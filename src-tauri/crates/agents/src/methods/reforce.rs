//! ReFoRCE: self-refined candidates that vote, and columns explored where no result wins.

use crate::attempt::context::{Desk, Effort};
use crate::attempt::execute::PROBE_ROWS;
use crate::attempt::refine::refine;
use crate::attempt::try_sql::nothing_ran;
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::vote::Vote;
use crate::choice::accept::accept;
use crate::choice::clarify;
use crate::prompt::format::one_line;
use crate::prompt::methods::Probes;
use crate::prompt::request::sql_alone;
use crate::prompt::{Direct, Prompt};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::schema::Schema;
use crate::schema::prompt_schema::Visible;
use crate::schema::selection::Wanted;
use crate::stages::vote::vote;
use crate::stages::{answer, explore, link, schema};
use vitrine_domain::methods::ExploreWhen;
use vitrine_domain::{Agent, Confidence, Probe, RewrittenQuestion, StageKind, Switch};
use vitrine_llm::Request;

/// The nodes of candidates and votes after the exploration.
const SECOND: &str = "generator-2";
const VOTES: [&str; 2] = ["vote-1", "vote-2"];

/// The paper's temperature (section 4.1).
const TEMPERATURE: f32 = 1.0;

/// Runs the method.
///
/// # Errors
/// Fails when the model or the connection fails, or when no candidate ran in either round.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.settings;
    let parameters = &settings.methods.reforce;
    let question = ask.question.trim();
    let facts = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    let contract = OutputContract::of(
        question,
        &RewrittenQuestion::default(),
        &ask.catalog,
        context.model(Agent::Generator).traits().deliberates,
    );
    let budget = settings.chunk_budget.unwrap_or(context.model(Agent::Generator).traits().chunk_budget);
    let schema = schema::prepare(context, Agent::Linker, budget).await?;
    let visible = select(context, &schema, question, facts).await?;
    let views = Views::default();
    let desk = Desk {
        context,
        node: nodes::GENERATOR,
        title: "Write the SQL",
        inputs: &[nodes::SCHEMA],
        visible: &visible,
        views: &views,
        values: &[],
        contract: &contract,
        effort: Effort { rounds: parameters.rounds, ..Effort::of(context) },
        first: 1,
    };
    let task = Work { desk, question, facts };
    let may_explore = settings.with(Switch::Exploration);
    let mut seen: Vec<String> = Vec::new();
    if parameters.explore == ExploreWhen::Always && may_explore {
        seen = explore::lines(&task.explore(&[nodes::SCHEMA], &[]).await?);
    }
    let input = if seen.is_empty() { nodes::SCHEMA } else { nodes::EXPLORATION };
    let (mut ran, mut counted) = task.candidates(nodes::GENERATOR, VOTES[0], 1, 1, input, &seen).await?;
    let mut node = VOTES[0];
    if counted.confidence == Confidence::Low && seen.is_empty() && may_explore && settings.with(Switch::Voting) {
        let doubts: Vec<String> = counted
            .clusters
            .iter()
            .filter_map(|cluster| ran.iter().find(|c| c.number == cluster.candidates[0]))
            .take(4)
            .map(|c| one_line(c.sql.as_str()))
            .collect();
        seen = explore::lines(&task.explore(&[VOTES[0]], &doubts).await?);
        let first = parameters.votes + 1;
        let (again, recounted) = task.candidates(SECOND, VOTES[1], 2, first, nodes::EXPLORATION, &seen).await?;
        if !again.is_empty() {
            (ran, counted, node) = (again, recounted, VOTES[1]);
        }
    }
    let Some(leader) = counted.leader() else {
        return Err(nothing_ran("No SQL that runs was found, also after looking at the data").into());
    };
    let chosen = settle(&Desk { node, ..task.desk }, ran, &counted, leader).await?;
    answer::answer(context, chosen, node).await;
    Ok(())
}

/// The compressed schema; on very large ones only the tables that a first look selects (section 3.2.1).
async fn select<'a>(
    context: &RunContext,
    schema: &'a Schema,
    question: &str,
    facts: &str,
) -> Result<Visible<'a>, StageError> {
    let ask = &context.ask;
    let traits = context.model(Agent::Generator).traits();
    let tokens: u64 = schema.chunks.iter().map(|chunk| u64::from(chunk.tokens)).sum();
    let limit = ask.settings.methods.reforce.link_above.min(u64::from(traits.context_tokens / 2));
    if tokens <= limit || !ask.settings.with(Switch::Linking) {
        return Ok(Visible::whole(schema));
    }
    link::begin(context, nodes::SCHEMA);
    let selection = link::by_table(context, schema, Wanted { question, facts, matches: &[] }).await?;
    link::finish(context, &selection);
    Ok(Visible::selected(schema, nodes::LINKING, selection))
}

/// The question at a desk.
struct Work<'a> {
    desk: Desk<'a>,
    question: &'a str,
    facts: &'a str,
}

impl Work<'_> {
    /// Probing queries, from simple to nested.
    async fn explore(&self, inputs: &[&str], doubts: &[String]) -> Result<Vec<Probe>, StageError> {
        let context = self.desk.context;
        explore::begin(&self.desk, inputs);
        let prompt = Probes {
            question: self.question,
            facts: self.facts,
            values: &[],
            doubts,
            count: context.ask.settings.methods.reforce.probes,
            rows: PROBE_ROWS,
            dialect: context.ask.catalog.dialect.display_name(),
        };
        let probes = explore::probe(&self.desk, &self.desk.visible.opening(context), prompt).await?;
        let ran = probes.iter().filter(|probe| probe.error.is_none()).count();
        context.finish(nodes::EXPLORATION, format!("{ran} of {} queries ran", probes.len()));
        Ok(probes)
    }

    /// The k candidates of one round, self-refined, and their vote.
    async fn candidates(
        &self,
        node: &str,
        vote_node: &str,
        round: u32,
        first: u32,
        input: &str,
        seen: &[String],
    ) -> Result<(Vec<Candidate>, Vote), StageError> {
        let context = self.desk.context;
        let settings = &context.ask.settings;
        let parameters = &settings.methods.reforce;
        let votes = if settings.with(Switch::Voting) { parameters.votes } else { 1 };
        let inputs = [input];
        let desk = Desk { node, inputs: &inputs, ..self.desk };
        context.begin(node, StageKind::Generator, desk.title, desk.inputs);
        let facts = [&[self.facts.to_owned()][..], seen].concat().join("\n-- ");
        let task = Direct {
            question: self.question,
            facts: facts.trim_start_matches("\n-- "),
            values: &[],
            dialect: context.ask.catalog.dialect.display_name(),
        };
        let request = Request { tail: task.render(), ..desk.visible.opening(context) };
        let call = Request {
            samples: votes,
            first_greedy: true,
            temperature: TEMPERATURE,
            top_p: 0.95,
            seed: settings.seed + u64::from(round),
            ..sql_alone(&request)
        };
        let replies = context.call(Agent::Generator, node, call).await?;
        let ran = refine(&desk, &request, &replies.texts, first, parameters.rounds).await?;
        context.finish(node, format!("{} of {} candidates ran", ran.len(), replies.texts.len()));
        let counted = vote(&desk, vote_node, round, &ran);
        Ok((ran, counted))
    }
}

/// The winner; where there is none the person is asked, and where nobody is there the first of the leading results is the
/// last resort, and it is said (the paper selects at random).
async fn settle(desk: &Desk<'_>, ran: Vec<Candidate>, vote: &Vote, leader: u32) -> Result<Candidate, StageError> {
    let (of, votes) = (ran.len(), vote.votes());
    let index = ran.iter().position(|c| c.number == leader).expect("the leader ran");
    let choice = Choice { index, votes };
    if vote.confidence == Confidence::High {
        return Ok(accept(desk, ran, &choice, format!("{votes} of {of} candidates agree")));
    }
    if desk.context.ask.person.is_some() {
        return clarify::consult(desk, ran).await;
    }
    let why = match &vote.clusters[0].suspicious {
        Some(why) => format!("the leading result is suspicious: {why}"),
        None => format!("results are tied with {votes} of {of} candidates each"),
    };
    desk.context.warn(Some(desk.node), format!("Not sure: {why}. The first of them is taken as a last resort"));
    Ok(accept(desk, ran, &choice, "Last resort: no clear winner".to_owned()))
}
