//! The best candidate so far. It is the answer if the question's budget is spent before its method has chosen, or if the user accepts it;
//! it is also shown if the user stops the run.

use crate::candidate::Candidate;
use crate::candidate::choose::choose_candidate;
use crate::candidate::interpretations::list_other_readings;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::stages::answer;
use std::time::Duration;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, NodeId, Page, Reading, RewrittenQuestion};
use vitrine_words::tr;

/// The best candidate so far, with only a sample of its rows.
pub struct Best {
    node: NodeId,
    candidate: Candidate,
    votes: u32,
    of: u32,
    others: Vec<Reading>,
}

/// Returns the best candidate that ran; `None` if none did.
fn find_best(context: &RunContext) -> Option<Best> {
    let ask = &context.ask;
    let (nodes, ran): (Vec<_>, Vec<Candidate>) = context.remembered_candidates().into_iter().unzip();
    let contract = OutputContract::from_question(
        ask.question.trim(),
        &RewrittenQuestion::default(),
        &ask.data.catalog,
        context.model(Agent::Generator).profile().deliberates,
    );
    let choice = choose_candidate(&ran, &contract)?;
    Some(Best {
        node: nodes[choice.index].clone(),
        candidate: ran[choice.index].clone(),
        votes: choice.votes,
        of: ran.len() as u32,
        others: list_other_readings(&ran, &choice, &contract, &ask.data.catalog),
    })
}

impl Best {
    fn emit_event(&self, context: &RunContext, waits_s: u32) {
        context.emit(EventBody::BestSoFar {
            node: self.node.clone(),
            candidate: self.candidate.number,
            votes: self.votes,
            of: self.of,
            sql: vitrine_sql::format_sql(self.candidate.sql.as_str(), context.ask.data.catalog.dialect),
            page: self.candidate.page.clone(),
            waits_s,
        });
    }

    async fn read_page(&self, context: &RunContext) -> Result<Page, StageError> {
        let rows = context.ask.options.settings.row_limit;
        Ok(context.query(Agent::Generator, &self.node, &self.candidate.sql, rows).await?)
    }

    /// Makes the candidate the answer, and reports the reason.
    pub async fn finish_as_answer(self, context: &RunContext, reason: String) {
        let Self { node, candidate, votes, of, others } = self;
        context.warn(Some(&node), tr!("{reason}: the method had not finished", reason));
        context.emit(EventBody::CandidateChosen {
            node: node.clone(),
            candidate: candidate.number,
            votes,
            of,
            sql: candidate.sql.as_str().to_owned(),
            reason: reason.clone(),
            others,
        });
        context.finish_stage(&node, reason);
        answer::deliver_answer(context, candidate, &node).await;
    }
}

/// Answers with the best candidate so far, and reports that the budget is spent.
///
/// # Errors
/// Fails if nothing has run, or if the chosen query does not run again.
pub async fn answer_when_spent(context: &RunContext) -> Result<(), StageError> {
    let reached = context.limit_reached();
    let Some(mut best) = find_best(context) else {
        let error = AppError::new(ErrorCode::Query, tr!("No SQL that runs was found when {reached}", reached));
        return Err(error.with_hint(tr!("Raise the limit, or choose a quicker method")).into());
    };
    best.candidate.page = best.read_page(context).await?;
    best.finish_as_answer(context, tr!("The best result when {reached}", reached)).await;
    Ok(())
}

/// Returns the best candidate so far with its rows and the reason, if it becomes the answer before the method has finished: the user
/// accepts it, or no user asks to continue the search. It is shown first, and no model is called while the run waits for the user's
/// decision. If nothing has run when the time is over, the run continues until a query has.
pub async fn wait_for_early_answer(context: &RunContext) -> (Best, String) {
    let ask = &context.ask;
    let within = ask.options.settings.answer_within_s;
    let word = async {
        match &ask.user.onlooker {
            Some(onlooker) => onlooker.keep_looking().await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(word);
    let mut said = tokio::select! {
        said = &mut word => Some(said),
        () = context.worked_for(within), if within > 0 => None,
    };
    if said == Some(true) {
        std::future::pending().await
    }
    let mut best = wait_for_best(context, within).await;
    // If the query does not run again, the sampled rows are used.
    if let Ok(page) = best.read_page(context).await {
        best.candidate.page = page;
    }
    if said.is_none() && ask.user.onlooker.is_some() {
        context.pause();
        best.emit_event(context, within);
        let began = context.elapsed_ms();
        said = Some(tokio::select! {
            said = &mut word => said,
            // Stopping the run at this point accepts the answer.
            () = context.cancel.cancelled() => false,
            () = tokio::time::sleep(Duration::from_secs(u64::from(within))) => false,
        });
        let waited_ms = context.elapsed_ms() - began;
        context.add_wait(waited_ms);
        let goes_on = said == Some(true);
        context.emit(EventBody::LookingDecided { node: best.node.clone(), goes_on, waited_ms });
        context.resume();
        if goes_on {
            std::future::pending().await
        }
    }
    let seconds = context.usage().wall_ms / 1000;
    (best, tr!("The best result after {seconds} s", seconds))
}

/// Returns the best candidate so far, as soon as there is one.
async fn wait_for_best(context: &RunContext, within: u32) -> Best {
    if let Some(best) = find_best(context) {
        return best;
    }
    let seconds = u64::from(within).max(context.usage().wall_ms / 1000);
    context.warn_in_passing(tr!("No query has run after {seconds} s: the search continues", seconds));
    loop {
        context.something_ran().await;
        if let Some(best) = find_best(context) {
            return best;
        }
    }
}

/// Shows the best candidate of a run that was stopped, so that it is not lost.
pub fn show_when_stopped(context: &RunContext) {
    if let Some(best) = find_best(context) {
        best.emit_event(context, 0);
    }
}
