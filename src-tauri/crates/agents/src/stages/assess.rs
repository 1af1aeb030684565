//! Further queries behind the answer, so that how sure it is can be measured: the question is asked some more times as it
//! is, and in other words. They never change the answer.

use crate::attempt::declined::declined;
use crate::attempt::prepare::{Prepared, RuleUse, prepare, repair_refused};
use crate::attempt::reply::sql_of;
use crate::attempt::value_hints::value_lines;
use crate::attempt::views::Views;
use crate::candidate::says_the_same;
use crate::certainty::{ENOUGH, Evidence, Stage};
use crate::prompt::reply::{Writing, room, sql_alone};
use crate::prompt::request::guided;
use crate::prompt::{Direct, Prompt, Restated};
use crate::run::context::{RunContext, Told};
use crate::run::events::StageError;
use crate::run::nodes;
use std::collections::HashMap;
use vitrine_domain::{Agent, Caching, EventBody, Page, Switch};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::ReadOnlySql;

/// Sampling temperature of further queries, as of a method's own.
const TEMPERATURE: f32 = 0.8;
/// Further queries of a model on this computer, where several cost little more than one, for the question as asked and in other words.
const SAMPLES: (u32, u32) = (4, 1);
/// The same where each is paid for.
const PAID_SAMPLES: (u32, u32) = (2, 1);
/// Seeds apart from those of the candidates.
const SEEDS: u64 = 1_000;

/// Says how sure the answer is, from what is known.
pub fn estimate(context: &RunContext, stage: Stage) {
    let evidence = context.evidence();
    if evidence.answered {
        let certainty = context.ask.calibration.estimate(&evidence, stage);
        context.emit(EventBody::CertaintyEstimated {
            node: nodes::RESULT.to_owned(),
            certainty,
            firm: stage == Stage::Firm,
        });
    }
}

/// Writes further queries where too little is known, and compares their results with the answer's.
///
/// # Errors
/// Fails when the model fails or the run is stopped; the answer stays.
pub async fn further_queries(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let Told { values, answer, opening, .. } = context.told();
    let (Some((sql, page)), Some(opening)) = (answer, opening) else { return Ok(()) };
    if !ask.assess || !ask.settings.with(Switch::Certainty) || !knows_too_little(&context.evidence()) {
        return Ok(());
    }
    let lines = value_lines(&context.model(Agent::Assessor).profile(), &values);
    let task = Direct {
        question: ask.question.trim(),
        facts: ask.knowledge.as_deref().map(str::trim).unwrap_or_default(),
        values: &lines,
        dialect: ask.catalog.dialect.display_name(),
    };
    let profile = context.model(Agent::Assessor).profile();
    let (samples, restated) = if profile.caching == Caching::Kept { SAMPLES } else { PAID_SAMPLES };
    let common = Request {
        first_greedy: false,
        temperature: TEMPERATURE,
        top_p: 0.95,
        seed: ask.settings.seed + SEEDS,
        background: true,
        ..opening
    };
    let length = sql.as_str().len() as u32;
    let as_asked = Request {
        max_tokens: room(&profile, Writing::QueryLike(length)),
        ..sql_alone(
            &Request { samples, tail: guided(task.render_for(&profile), &ask.verified), ..common.clone() },
            &profile,
        )
    };
    let tail = guided(Restated(task).render_for(&profile), &ask.verified);
    // A model that deliberates is told how to end here, too, and may say that the data does not hold what is asked.
    let other_words = Request { tail, ..common.clone() };
    let other_words = if profile.deliberates { sql_alone(&other_words, &profile) } else { other_words };
    let in_other_words = Request {
        samples: restated,
        first_greedy: true,
        max_tokens: room(&profile, Writing::RestatedQuery(length)),
        // The end of the block; its beginning names the language.
        stop: if profile.deliberates { Vec::new() } else { vec!["```\n".into()] },
        output: OutputFormat::Text,
        assistant_prefix: if profile.deliberates { String::new() } else { "In other words:".into() },
        ..other_words
    };
    let call = |request| context.call(Agent::Assessor, nodes::RESULT, request);
    let (as_asked, in_other_words) = futures::try_join!(call(as_asked), call(in_other_words))?;
    let mut known = HashMap::from([(sql.as_str().to_owned(), (sql.as_str().to_owned(), Ok(true)))]);
    let written = as_asked.texts.iter().map(|text| (text, false));
    for (text, restated) in written.chain(in_other_words.texts.iter().map(|text| (text, true))) {
        compare(context, &page, text, restated, &mut known).await?;
    }
    Ok(())
}

/// Whether more queries would say more: not where many were written already, or where these have no majority, which says
/// enough; nor where the user said which reading is meant, of which they know nothing.
fn knows_too_little(evidence: &Evidence) -> bool {
    evidence.votes.of < ENOUGH && !evidence.chosen && !evidence.forbids_sure()
}

/// What is known of a query: its text as it ran, and whether its result is the answer's, or why it has none.
type Known = (String, Result<bool, String>);

/// Runs one further query and compares its result with the answer's; a query that is known is not run again. A reply that
/// declines has no result, and is told as what it is.
async fn compare(
    context: &RunContext,
    answer: &Page,
    text: &str,
    restated: bool,
    known: &mut HashMap<String, Known>,
) -> Result<(), StageError> {
    if context.model(Agent::Assessor).profile().deliberates
        && let Some(declined) = declined(text, &context.ask.catalog)
    {
        declined.told(context, nodes::RESULT, 0);
        return Ok(());
    }
    let written = sql_of(&context.ask, text);
    let rules = RuleUse { repair: RuleUse::of(context).repair, ..RuleUse::NONE };
    let (sql, same) = match prepare(context, nodes::RESULT, &Views::default(), rules, written) {
        Err(error) => (written.to_owned(), Err(error)),
        Ok(Prepared { sql, .. }) => match known.get(sql.as_str()) {
            Some(known) => known.clone(),
            None => {
                let (ran, page) = result_of(context, &sql, rules).await?;
                // That a query sorts what was not asked to be sorted is no other answer.
                let found = (ran.as_str().to_owned(), page.map(|page| says_the_same(&page, answer, false)));
                known.insert(sql.as_str().to_owned(), found.clone());
                found
            }
        },
    };
    let (same, error) = same.map_or_else(|error| (false, Some(error)), |same| (same, None));
    context.emit(EventBody::AnswerTested { node: nodes::RESULT.to_owned(), restated, sql, error, same });
    Ok(())
}

/// Runs a query, repaired where the database rejects it, as one that is written for the answer would be.
async fn result_of(
    context: &RunContext,
    sql: &ReadOnlySql,
    rules: RuleUse,
) -> Result<(ReadOnlySql, Result<Page, String>), StageError> {
    let rows = context.ask.settings.row_limit;
    let page = context.try_query(Agent::Assessor, nodes::RESULT, sql, rows).await?;
    if page.is_err()
        && rules.repair
        && let Some(Prepared { sql: repaired, .. }) = repair_refused(context, nodes::RESULT, sql)
    {
        let again = context.try_query(Agent::Assessor, nodes::RESULT, &repaired, rows).await?;
        if again.is_ok() {
            return Ok((repaired, again));
        }
    }
    Ok((sql.clone(), page))
}
