//! Further queries after the answer, to estimate its certainty: the question is asked again several times, both unchanged and restated.
//! They never change the answer.

use crate::attempt::context::Trial;
use crate::attempt::declined::parse_declined;
use crate::attempt::prepare::{RuleUse, prepare_query};
use crate::attempt::reply::sql_of;
use crate::attempt::try_sql::run_prepared;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::{Candidate, says_the_same};
use crate::certainty::{ENOUGH, Evidence, Stage};
use crate::prompt::reply::{Writing, max_reply_tokens, sql_alone};
use crate::prompt::request::prepend_examples;
use crate::prompt::{Direct, Prompt, Restated};
use crate::question::contract::OutputContract;
use crate::run::context::{ExplanationMaterial, RunContext};
use crate::run::events::StageError;
use crate::run::nodes;
use futures::{StreamExt, TryStreamExt, stream};
use std::collections::HashMap;
use vitrine_domain::{Agent, Caching, EventBody, Page, RewrittenQuestion, RuleCode, Switch};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::DialectExt;

/// Sampling temperature of further queries, equal to that of the methods.
const TEMPERATURE: f32 = 0.8;
/// Number of further queries for the unchanged and for the restated question, for the embedded model, where several cost little more than
/// one.
const SAMPLES: (u32, u32) = (4, 1);
/// Number of further queries for the unchanged and for the restated question, for models that bill each of them.
const PAID_SAMPLES: (u32, u32) = (2, 1);
/// Offset of the seeds, so that they differ from the candidates' seeds.
const SEEDS: u64 = 1_000;

/// Reports the certainty of the answer from the evidence so far.
pub fn report_certainty(context: &RunContext, stage: Stage) {
    let evidence = context.evidence();
    if evidence.answered {
        let certainty = context.ask.options.calibration.estimate(&evidence, stage);
        context.emit(EventBody::CertaintyEstimated {
            node: nodes::RESULT.to_owned(),
            certainty,
            firm: stage == Stage::Firm,
        });
    }
}

/// Writes further queries if the evidence is insufficient, and compares their results with the answer's.
///
/// # Errors
/// Fails if the model fails or the run is stopped; the answer remains valid.
pub async fn further_queries(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let ExplanationMaterial { values, answer, opening, adopted, .. } = context.explanation_material();
    let (Some((sql, page)), Some(opening)) = (answer, opening) else { return Ok(()) };
    if !ask.options.assess
        || !ask.options.settings.is_enabled(Switch::Certainty)
        || !knows_too_little(&context.evidence())
    {
        return Ok(());
    }
    let lines = value_lines(&context.model(Agent::Assessor).profile(), &ask.data.catalog, &values);
    let task = Direct {
        question: ask.question.trim(),
        facts: ask.knowledge.as_deref().map(str::trim).unwrap_or_default(),
        values: &lines,
        dialect: ask.data.catalog.dialect.sql().display_name(),
    };
    let profile = context.model(Agent::Assessor).profile();
    let (samples, restated) = if profile.caching == Caching::Kept { SAMPLES } else { PAID_SAMPLES };
    let common = Request {
        first_greedy: false,
        temperature: TEMPERATURE,
        top_p: 0.95,
        seed: ask.options.settings.seed + SEEDS,
        background: true,
        ..opening
    };
    let length = sql.as_str().len() as u32;
    let as_asked = Request {
        max_tokens: max_reply_tokens(&profile, Writing::QueryLike(length)),
        ..sql_alone(
            &Request {
                samples,
                tail: prepend_examples(task.render_for(&profile), &ask.history.verified),
                ..common.clone()
            },
            &profile,
        )
    };
    let tail = prepend_examples(Restated(task).render_for(&profile), &ask.history.verified);
    // The restated prompt of a model that deliberates contains the same closing instructions, including the report of missing data.
    let other_words = Request { tail, ..common.clone() };
    let other_words = if profile.deliberates { sql_alone(&other_words, &profile) } else { other_words };
    let in_other_words = Request {
        samples: restated,
        first_greedy: true,
        max_tokens: max_reply_tokens(&profile, Writing::RestatedQuery(length)),
        // The stop sequence is the end of the block; the beginning names the language.
        stop: if profile.deliberates { Vec::new() } else { vec!["```\n".into()] },
        output: OutputFormat::Text,
        assistant_prefix: if profile.deliberates { String::new() } else { "In other words:".into() },
        ..other_words
    };
    let deliberates = context.model(Agent::Generator).profile().deliberates;
    let contract = OutputContract::from_question(
        ask.question.trim(),
        &RewrittenQuestion::default(),
        &ask.data.catalog,
        deliberates,
    );
    let views = Views { values, ..Views::default() };
    // Further queries cannot show which interpretation is meant.
    let rules = RuleUse { readings: false, ..RuleUse::from_context(context) };
    let trial = Trial {
        context,
        agent: Agent::Assessor,
        node: nodes::RESULT,
        views: &views,
        values: &lines,
        contract: &contract,
        rules,
    };
    let known = HashMap::from([(sql.as_str().to_owned(), (sql.as_str().to_owned(), Ok(true)))]);
    let mut check = Check { trial, answer: page, adopted, known };
    let call = async |(request, restated)| {
        let replies = context.call_model(Agent::Assessor, nodes::RESULT, request).await?;
        Ok::<_, StageError>((replies, restated))
    };
    // Each result is compared as soon as it arrives, so that a stopped check keeps its results so far.
    let requests = [(as_asked, false), (in_other_words, true)];
    let mut calls = stream::iter(requests.map(call)).buffer_unordered(2);
    while let Some((replies, restated)) = calls.try_next().await? {
        for text in &replies.texts {
            check.compare_result(text, restated).await?;
        }
    }
    Ok(())
}

/// Returns true if more queries would improve the estimate: not if many were already written, nor if they have no majority, which suffices,
/// nor if the user chose the interpretation, which the queries do not know.
fn knows_too_little(evidence: &Evidence) -> bool {
    evidence.votes.of < ENOUGH && !evidence.chosen && !evidence.forbids_sure()
}

/// Text of a query as it ran, and true if its result equals the answer's, or the reason why it has none.
type Known = (String, Result<bool, String>);

/// Comparison of further queries with an answer.
struct Check<'a> {
    trial: Trial<'a>,
    answer: Page,
    /// Codes of the rules whose changes the answer's query includes.
    adopted: Vec<RuleCode>,
    /// Results by query, so that no query runs twice.
    known: HashMap<String, Known>,
}

impl Check<'_> {
    /// Tries one further query in the same way as the answer's query, and compares the results. A reply that declines has no result.
    async fn compare_result(&mut self, text: &str, restated: bool) -> Result<(), StageError> {
        let &Trial { context, node, views, rules, .. } = &self.trial;
        if context.model(Agent::Assessor).profile().deliberates
            && let Some(declined) = parse_declined(text, &context.ask.data.catalog)
        {
            declined.record_event(context, node, 0);
            return Ok(());
        }
        let written = sql_of(&context.ask, text);
        let (sql, same) = match prepare_query(context, node, views, rules, written) {
            Err(error) => (written.to_owned(), Err(error)),
            Ok(prepared) => match self.known.get(prepared.sql.as_str()) {
                Some(known) => known.clone(),
                None => {
                    let key = prepared.sql.as_str().to_owned();
                    let (ran, outcome) = run_prepared(&self.trial, 0, written.to_owned(), prepared, None).await?;
                    let found = (ran, outcome.map(|candidate| self.gives_the_answer(&candidate)));
                    self.known.insert(key, found.clone());
                    found
                }
            },
        };
        let (same, error) = same.map_or_else(|error| (false, Some(error)), |same| (same, None));
        context.emit(EventBody::AnswerTested { node: node.to_owned(), restated, sql, error, same });
        Ok(())
    }

    /// Returns true if a query gives the answer's result, directly or after a change that the answer's query includes, too.
    fn gives_the_answer(&self, candidate: &Candidate) -> bool {
        // Sorting that the question does not require makes no difference.
        let same = |page: &Page| says_the_same(page, &self.answer, false);
        let adopted = candidate.variants.iter().filter(|variant| self.adopted.contains(&variant.rule));
        same(&candidate.page) || adopted.filter_map(|variant| variant.ran.as_ref()).any(|(page, _)| same(page))
    }
}
