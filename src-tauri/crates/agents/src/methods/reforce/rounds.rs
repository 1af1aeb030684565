//! Rounds of ReFoRCE: explorations, candidates with self-refinement, and their vote.

use super::parameters::{Parameters, Threads};
use crate::attempt::context::AttemptContext;
use crate::attempt::declined::Declined;
use crate::attempt::execute::PROBE_ROWS;
use crate::attempt::refine::{Refined, refine_replies};
use crate::candidate::choose::take_variants;
use crate::candidate::vote::Vote;
use crate::prompt::format::known_facts;
use crate::prompt::methods::Probes;
use crate::prompt::reply::sql_alone;
use crate::prompt::{Direct, Prompt};
use crate::run::calls::CALLS_AT_ONCE;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::stages::explore::{self, ProbePlace};
use crate::stages::vote::vote_by_result;
use futures::{StreamExt, TryStreamExt, stream};
use vitrine_domain::{Agent, NodeId, StageKind, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;
use vitrine_words::{tr, translate_constant};

/// The paper's temperature (section 4.1).
const TEMPERATURE: f32 = 1.0;

/// The question with the inputs for trying its queries.
pub struct Work<'a> {
    /// Inputs for trying queries.
    pub attempts: AttemptContext<'a>,
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Parameters of the method.
    pub parameters: Parameters,
}

/// A round of candidates with their vote.
#[derive(Clone, Copy)]
pub struct Round<'a> {
    /// Number of the round, from 1.
    pub number: u32,
    /// Node that writes the candidates.
    pub node: &'a NodeId,
    /// Node that counts their votes.
    pub vote_node: &'a NodeId,
    /// Node whose output the round reads if nothing was explored.
    pub input: &'a NodeId,
    /// Number of the first candidate.
    pub first: u32,
}

/// Findings of the explorations before a round: one for all candidates, or one for each.
#[derive(Default)]
pub struct Findings {
    threads: Vec<Thread>,
}

/// Exploration of one thread.
struct Thread {
    /// Node of the exploration.
    node: NodeId,
    /// Probes that ran, rendered for prompts.
    seen: Vec<String>,
    /// True if the model replied that it needs no probes.
    is_declined: bool,
}

impl Findings {
    /// Returns true if no probe ran.
    pub fn is_empty(&self) -> bool {
        self.threads.iter().all(|thread| thread.seen.is_empty())
    }

    /// Returns true if the model needs no probes in any thread.
    pub fn are_declined(&self) -> bool {
        self.threads.iter().all(|thread| thread.is_declined)
    }
}

impl Work<'_> {
    /// Returns the number of candidates of a round.
    fn count_votes(&self) -> u32 {
        let votes = self.attempts.context.ask.options.settings.is_enabled(Switch::Voting);
        if votes { self.parameters.votes } else { 1 }
    }

    /// Runs probing queries, from simple to nested, once or for each candidate. `doubts` are the results that disagree; threads of their
    /// own do not read them, because in the paper each explores from the first prompt.
    pub async fn explore_data(&self, inputs: &[&NodeId], doubts: &[String]) -> Result<Findings, StageError> {
        let threads = match self.parameters.threads {
            Threads::Shared => vec![self.explore_thread(nodes::EXPLORATION.clone(), 0, inputs, doubts).await?],
            Threads::Own => {
                stream::iter(1..=self.count_votes())
                    .map(|number| self.explore_thread(format!("exploration-{number}").into(), number, inputs, &[]))
                    .buffered(CALLS_AT_ONCE)
                    .try_collect()
                    .await?
            }
        };
        Ok(Findings { threads })
    }

    /// Explores in one thread; number 0 is the thread that all candidates share.
    async fn explore_thread(
        &self,
        node: NodeId,
        number: u32,
        inputs: &[&NodeId],
        doubts: &[String],
    ) -> Result<Thread, StageError> {
        let context = self.attempts.context;
        let title = match number {
            0 => tr!("Look at the data"),
            _ => tr!("Look at the data for query {number}", number),
        };
        context.begin_stage(&node, StageKind::Exploration, title, inputs);
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
        let mut opening = self.attempts.visible.opening_request(context, Agent::Explorer);
        if number > 0 {
            // At the same temperature and seed, all threads would write the same probes.
            opening.temperature = TEMPERATURE;
            opening.seed = context.ask.options.settings.seed + 100 * u64::from(number);
        }
        let place = ProbePlace { node: &node, corrects_empty: deliberates };
        let probes = explore::run_probes_at(&self.attempts, place, &opening, prompt).await?;
        let written = probes.as_deref().unwrap_or_default();
        let ran = written.iter().filter(|probe| probe.error.is_none()).count();
        context.finish_stage(&node, tr!("{ran} of {of} queries ran", ran, of = written.len()));
        let seen = explore::render_probes(context, written);
        let is_declined = probes.is_some_and(|probes| probes.is_empty());
        Ok(Thread { node, seen, is_declined })
    }

    /// Writes the k candidates of one round, refines them, and counts their votes.
    pub async fn generate_candidates(
        &self,
        round: Round<'_>,
        findings: &Findings,
    ) -> Result<(Refined, Vote), StageError> {
        let Round { number, node, vote_node, input, first } = round;
        let context = self.attempts.context;
        let explored: Vec<&NodeId> = findings.threads.iter().map(|thread| &thread.node).collect();
        let inputs = if explored.is_empty() { vec![input] } else { explored };
        let attempts = AttemptContext { node, inputs: &inputs, ..self.attempts };
        context.begin_stage(node, StageKind::Generator, translate_constant(attempts.title), attempts.inputs);
        let (refined, of) = match findings.threads.as_slice() {
            [] => self.write_shared(&attempts, (number, first), &[]).await?,
            [thread] => self.write_shared(&attempts, (number, first), &thread.seen).await?,
            threads => self.write_own(&attempts, (number, first), threads).await?,
        };
        let (ran, declined) = (refined.ran.len(), refined.declined.len());
        context.finish_stage(node, tr!("{ran} of {of} queries ran", ran, of));
        let counted = vote_by_result(&attempts, vote_node, number, &refined.ran, (of - ran - declined, declined));
        Ok((refined, counted))
    }

    /// Writes all candidates with one request that contains the rendered probes; also returns the number of replies.
    async fn write_shared(
        &self,
        attempts: &AttemptContext<'_>,
        (number, first): (u32, u32),
        seen: &[String],
    ) -> Result<(Refined, usize), StageError> {
        let context = attempts.context;
        let request = self.build_request(attempts, seen);
        let call = Request {
            samples: self.count_votes(),
            first_greedy: true,
            ..self.sampled(&request, context.ask.options.settings.seed + u64::from(number))
        };
        let replies = context.call_model(Agent::Generator, attempts.node, call).await?;
        let refined = refine_replies(attempts, &request, &replies.texts, first, self.parameters.rounds).await?;
        Ok((refined, replies.texts.len()))
    }

    /// Writes the candidate of each thread with its own probes; also returns the number of replies.
    async fn write_own(
        &self,
        attempts: &AttemptContext<'_>,
        (number, first): (u32, u32),
        threads: &[Thread],
    ) -> Result<(Refined, usize), StageError> {
        let context = attempts.context;
        let seed = context.ask.options.settings.seed + u64::from(number);
        let refined: Vec<Refined> = stream::iter(threads.iter().enumerate())
            .map(async |(index, thread)| {
                let request = self.build_request(attempts, &thread.seen);
                let call = self.sampled(&request, seed + 100 * (index as u64 + 1));
                let replies = context.call_model(Agent::Generator, attempts.node, call).await?;
                let first = first + index as u32;
                refine_replies(attempts, &request, &replies.texts, first, self.parameters.rounds).await
            })
            .buffered(CALLS_AT_ONCE)
            .try_collect()
            .await?;
        let mut all = Refined::default();
        for thread in refined {
            all.ran.extend(thread.ran);
            all.declined.extend(thread.declined);
        }
        take_variants(&mut all.ran);
        if !all.ran.is_empty() {
            Declined::warn_of(&all.declined, threads.len(), context, attempts.node);
        }
        Ok((all, threads.len()))
    }

    /// Returns the request for a candidate, with rendered probes as facts.
    fn build_request(&self, attempts: &AttemptContext<'_>, seen: &[String]) -> Request {
        let context = attempts.context;
        let profile = context.model(Agent::Generator).profile();
        let facts = known_facts(&profile, self.facts, seen);
        let task = Direct {
            question: self.question,
            facts: &facts,
            values: attempts.values,
            dialect: context.ask.data.catalog.dialect.sql().display_name(),
        };
        Request { tail: task.render_for(&profile), ..attempts.visible.opening_request(context, Agent::Generator) }
    }

    /// Returns the request with the paper's sampling.
    fn sampled(&self, request: &Request, seed: u64) -> Request {
        let profile = self.attempts.context.model(Agent::Generator).profile();
        Request { temperature: TEMPERATURE, top_p: 0.95, seed, ..sql_alone(request, &profile) }
    }
}
