//! The answer from the SQL that the user set in an earlier run. No model is asked, and nothing is put in its place: where it
//! does not run, that is the end.

use crate::attempt::execute::execute;
use crate::attempt::prepare::{RuleUse, prepare, rule_input};
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::earlier::Earlier;
use crate::run::events::StageError;
use crate::stages::answer;
use vitrine_domain::{Agent, AppError, ErrorCode, EventBody, RewrittenQuestion, RunChange};

/// The one candidate.
const CANDIDATE: u32 = 1;

/// Takes what stands before the SQL from the earlier run, and answers with the user's.
pub async fn run(context: &RunContext, earlier: &Earlier, sql: &str) -> Result<(), StageError> {
    for stage in earlier.kept() {
        context.take(&stage.node);
    }
    let stage = earlier.sql_stage().ok_or_else(|| AppError::new(ErrorCode::Usage, "The run has no SQL"))?;
    let node = stage.node.as_str();
    let inputs: Vec<&str> = stage.inputs.iter().map(String::as_str).collect();
    context.begin(node, stage.kind, stage.title.clone(), &inputs);
    context.edited(node, RunChange::Sql { sql: sql.to_owned() });
    let tried = match prepare(context, node, &Views::default(), RuleUse::NONE, sql) {
        Ok(prepared) => execute(context, Agent::Generator, node, prepared.sql, CANDIDATE).await?,
        Err(error) => Err(error),
    };
    let ran = tried.as_ref().ok();
    context.emit(EventBody::SqlAttempted {
        node: node.to_owned(),
        candidate: CANDIDATE,
        attempt: 0,
        sql: sql.to_owned(),
        repairs: Vec::new(),
        error: tried.as_ref().err().cloned(),
        row_count: ran.map(|candidate| candidate.page.row_count),
        digest: ran.map(|candidate| candidate.digest.clone()),
    });
    let mut candidate = match tried {
        Ok(candidate) => candidate,
        Err(error) => {
            context.finish(node, "It does not run");
            return Err(AppError::new(ErrorCode::Query, "The SQL does not run as you wrote it")
                .hint("Correct it, and run again from there")
                .detail(error)
                .into());
        }
    };
    candidate.findings = findings(context, &candidate);
    context.remember(node, &candidate);
    let reason = "You wrote it".to_owned();
    context.emit(EventBody::CandidateChosen {
        node: node.to_owned(),
        candidate: CANDIDATE,
        votes: 1,
        of: 1,
        sql: candidate.sql.as_str().to_owned(),
        reason: reason.clone(),
        others: Vec::new(),
    });
    context.finish(node, reason);
    answer::answer(context, candidate, node).await;
    Ok(())
}

/// What rules find worth a look; it changes nothing.
fn findings(context: &RunContext, candidate: &Candidate) -> Vec<vitrine_domain::RuleNote> {
    if !RuleUse::of(context).findings {
        return Vec::new();
    }
    let ask = &context.ask;
    let contract = OutputContract::of(ask.question.trim(), &RewrittenQuestion::default(), &ask.catalog, false);
    let input = rule_input(context, &contract.facts, ask.knowledge.as_deref().unwrap_or_default());
    vitrine_sql_rules::findings(&candidate.sql, &input)
}
