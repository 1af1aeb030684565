//! The answer when the question's budget is spent before its method has chosen.

use crate::candidate::Candidate;
use crate::candidate::choose::choose;
use crate::candidate::interpretations::others;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::stages::answer;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, RewrittenQuestion};

/// Answers with the best candidate so far, and reports that the budget is spent.
///
/// # Errors
/// Fails when nothing has run, or the chosen query does not run again.
pub async fn answer_with_best(context: &RunContext) -> Result<(), StageError> {
    let ask = &context.ask;
    let limit = ask.settings.budget;
    let (nodes, ran): (Vec<_>, Vec<Candidate>) = context.remembered().into_iter().unzip();
    let contract = OutputContract::of(
        ask.question.trim(),
        &RewrittenQuestion::default(),
        &ask.catalog,
        context.model(Agent::Generator).profile().deliberates,
    );
    let Some(choice) = choose(&ran, &contract) else {
        let error = AppError::new(ErrorCode::Query, format!("No SQL that runs was found within {limit}"));
        return Err(error.hint("Raise the limit of a question, or choose a quicker method").into());
    };
    let (node, chosen, of) = (&nodes[choice.index], ran[choice.index].clone(), ran.len() as u32);
    // Its rows were not kept.
    let page = context.query(Agent::Generator, node, &chosen.sql, ask.settings.row_limit).await?;
    let reason = format!("The best result when the limit of {limit} was reached");
    context.warn(Some(node), format!("{reason}: the method had not finished"));
    context.emit(EventBody::CandidateChosen {
        node: node.clone(),
        candidate: chosen.number,
        votes: choice.votes,
        of,
        sql: chosen.sql.as_str().to_owned(),
        reason: reason.clone(),
        others: others(&ran, &choice),
    });
    context.finish(node, reason);
    answer::answer(context, Candidate { page, ..chosen }, node).await;
    Ok(())
}
