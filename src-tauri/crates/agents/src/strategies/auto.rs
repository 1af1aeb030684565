//! Auto, ours: spend by disagreement. Two cheap prompts first; where their queries agree on a result, that is the answer.
//! Else more candidates are sampled from one reading of the prompt and the majority by result decides. Only where there is
//! no majority, AV-SQL's views are built, and what is written from them votes, too. Then the two leading results are compared, and if several readings of the question remain
//! after that, the person is asked.

use super::av_sql;
use crate::candidates::is_clear;
use crate::context::{RunContext, StageError};
use crate::contract::OutputContract;
use crate::prompt::{Asked, Direct, Prompt};
use crate::stages::attempt::{Desk, Effort};
use crate::stages::generate::Drafts;
use crate::stages::judge::{self, Case};
use crate::stages::views::{Views, value_lines};
use crate::stages::{answer, consult, generate, ground, schema};
use vitrine_domain::{Agent, RewrittenQuestion};
use vitrine_llm::Request;

/// The node of the candidates that are written from views.
const SECOND: &str = "generator-views";
/// Candidates written from views.
const FROM_VIEWS: u32 = 4;

/// Runs the strategy.
pub async fn run(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let settings = &ask.settings;
    let dialect = ask.catalog.dialect;
    let budget = settings.chunk_budget.unwrap_or_else(|| context.model(Agent::Generator).traits().chunk_budget);
    let schema = schema::prepare(context, Agent::Generator, budget).await?;
    if !schema.is_whole() {
        // Nobody can write over a schema that fits into no prompt: what to read has to be found first.
        return av_sql::answer_over(context, schema).await;
    }
    let question = ask.question.trim();
    let facts = ask.knowledge.as_deref().map(str::trim).unwrap_or_default();
    let matches = ground::ground(context, question).await;
    let values = value_lines(&matches);
    let contract = OutputContract::of(question, &RewrittenQuestion::default(), &ask.catalog);

    let opening = schema::opening(dialect, &schema.chunks[0].text);
    let task = Direct { question, facts, values: &values, dialect: dialect.display_name() };
    let mut tails = vec![task.render()];
    if settings.candidates > 1 {
        tails.push(Asked(task).render());
    }
    let requests: Vec<Request> = tails.into_iter().map(|tail| Request { tail, ..opening.clone() }).collect();
    let views = Views { values: matches.clone(), ..Views::default() };
    let first = Desk {
        context,
        node: generate::NODE,
        title: "Write the SQL",
        inputs: &[ground::NODE],
        views: &views,
        values: &values,
        contract: &contract,
        effort: Effort::of(context),
        first: 1,
    };
    let Drafts { mut ran, next } = generate::write(&first, &requests).await?;
    if settings.candidates == 1 || ran.len() < 2 || is_clear(&ran, &contract) {
        let chosen = generate::settle(&first, ran);
        answer::answer(context, chosen, generate::NODE).await;
        return Ok(());
    }
    context.finish(generate::NODE, format!("{} candidates and no majority", ran.len()));

    let built = av_sql::build(context, &schema, matches).await?;
    let second = Desk {
        node: SECOND,
        title: "Write it from the views",
        inputs: &[built.input, generate::NODE],
        views: &built.views,
        values: &built.grounding.values,
        effort: Effort { candidates: FROM_VIEWS.min(settings.candidates), rounds: 0, ..first.effort },
        first: next,
        ..first
    };
    // That nothing from the views ran is no failure: there are candidates already.
    match generate::write(&second, &[built.request(dialect)]).await {
        Ok(more) => ran.extend(more.ran),
        Err(error) if context.cancel.is_cancelled() => return Err(error),
        Err(error) => context.warn(Some(SECOND), error.0.message),
    }
    let case = Case { question, facts, opening: &opening };
    let chosen = match judge::judge(&second, case, &ran).await? {
        Some(choice) => {
            generate::accept(&second, ran, &choice, "Preferred to the next result, compared twice".to_owned())
        }
        None => consult::consult(&second, ran).await?,
    };
    answer::answer(context, chosen, SECOND).await;
    Ok(())
}
