//! Answers with a query that the user set, as text or by choosing an interpretation. No model is called, and if the query fails, it is not
//! replaced and the run fails. Only if a previously chosen query no longer runs, the question is asked again.

use crate::attempt::execute::execute_candidate;
use crate::attempt::prepare::{Prepared, RuleUse, prepare_query, rule_input};
use crate::attempt::views::Views;
use crate::candidate::Candidate;
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::earlier::Earlier;
use crate::run::events::StageError;
use crate::run::nodes;
use crate::run::reading::RememberedReading;
use crate::run::template::VerifiedTemplate;
use crate::stages::answer;
use vitrine_domain::{
    Agent, AppError, ErrorCode, EventBody, NodeId, Reading, RememberedChoice, RewrittenQuestion, RunChange, StageKind,
};
use vitrine_words::tr;

/// Number of the only candidate.
const CANDIDATE: u32 = 1;

/// Reuses the stages before the SQL from the earlier run, and answers with the user's query.
pub async fn run(context: &RunContext, earlier: &Earlier, sql: &str) -> Result<(), StageError> {
    for stage in earlier.kept_stages() {
        context.replay_stage(&stage.node);
    }
    let stage = earlier.sql_stage().ok_or_else(|| AppError::new(ErrorCode::Usage, tr!("The run has no SQL")))?;
    let node = &stage.node;
    let inputs: Vec<&NodeId> = stage.inputs.iter().collect();
    context.begin_stage(node, stage.kind, stage.title.clone(), &inputs);
    let (number, reason) = match earlier.chosen_reading() {
        Some(reading) => {
            offer_readings(context, node, earlier.offered_readings(), reading, None);
            (reading.candidate, tr!("You chose this reading"))
        }
        None => {
            context.record_edit(node, RunChange::Sql { sql: sql.to_owned() });
            (CANDIDATE, tr!("You wrote it"))
        }
    };
    let rules = if earlier.chosen_reading().is_some() { RuleUse::NONE } else { RuleUse::AS_WRITTEN };
    match try_candidate(context, node, sql, number, rules).await? {
        Ok(candidate) => {
            answer_with(context, node, candidate, &reason).await;
            Ok(())
        }
        Err(error) => {
            context.finish_stage(node, tr!("It does not run"));
            let what = match earlier.chosen_reading().is_some() {
                true => tr!("The SQL no longer runs"),
                false => tr!("Your SQL does not run"),
            };
            Err(AppError::new(ErrorCode::Query, what)
                .with_hint(tr!("Correct it, and run again from there"))
                .with_detail(error)
                .into())
        }
    }
}

/// Answers with a query that the user chose or verified earlier, if there is one. Returns false if the question has to be asked.
///
/// # Errors
/// Fails if the run is stopped.
pub async fn run_decided(context: &RunContext) -> Result<bool, StageError> {
    let history = &context.ask.history;
    if let Some(remembered) = &history.remembered {
        return run_remembered(context, remembered).await;
    }
    match &history.template {
        Some(template) => run_template(context, template).await,
        None => Ok(false),
    }
}

/// Answers with the interpretation that the user chose when the same question was asked before. Returns false, after a warning, if its
/// query no longer runs and the question has to be asked again.
///
/// # Errors
/// Fails if the run is stopped.
async fn run_remembered(context: &RunContext, remembered: &RememberedReading) -> Result<bool, StageError> {
    let node = nodes::READING;
    let RememberedReading { choice, reading, offered } = remembered;
    context.begin_stage(node, StageKind::Choice, tr!("Chosen reading"), &[]);
    match try_candidate(context, node, &reading.sql, reading.candidate, RuleUse::NONE).await? {
        Ok(candidate) => {
            offer_readings(context, node, offered, reading, Some(choice));
            answer_with(context, node, candidate, &tr!("You chose this reading before")).await;
            Ok(true)
        }
        Err(_) => {
            context.finish_stage(node, tr!("It no longer runs"));
            let message =
                tr!("The interpretation that you chose for this question no longer runs; you were asked again");
            context.warn(Some(node), message);
            Ok(false)
        }
    }
}

/// Answers with the query of a verified question and the values of this one. Returns false, after a warning, if that query no longer runs
/// and the question has to be asked of the models.
///
/// # Errors
/// Fails if the run is stopped.
async fn run_template(context: &RunContext, template: &VerifiedTemplate) -> Result<bool, StageError> {
    let node = nodes::TEMPLATE;
    context.begin_stage(node, StageKind::Choice, tr!("Verified question"), &[]);
    match try_candidate(context, node, &template.sql, CANDIDATE, RuleUse::NONE).await? {
        Ok(candidate) => {
            answer_with(context, node, candidate, &template.describe()).await;
            Ok(true)
        }
        Err(_) => {
            context.finish_stage(node, tr!("It no longer runs"));
            let title = &template.saved.title;
            context
                .warn(Some(node), tr!("The verified query of “{title}” no longer runs; a new one is written", title));
            Ok(false)
        }
    }
}

/// Reports the interpretations that were offered and the chosen one.
fn offer_readings(
    context: &RunContext,
    node: &NodeId,
    offered: &[Reading],
    reading: &Reading,
    remembered: Option<&RememberedChoice>,
) {
    let readings = if offered.is_empty() { vec![reading.clone()] } else { offered.to_vec() };
    context.emit(EventBody::ReadingsOffered { node: node.to_owned(), readings });
    context.emit(EventBody::ReadingChosen {
        node: node.to_owned(),
        candidate: Some(reading.candidate),
        waited_ms: 0,
        remembered: remembered.cloned(),
    });
}

/// Proves and runs a query without changing it.
async fn try_candidate(
    context: &RunContext,
    node: &NodeId,
    sql: &str,
    number: u32,
    rules: RuleUse,
) -> Result<Result<Candidate, String>, StageError> {
    let tried = match prepare_query(context, node, &Views::default(), rules, sql) {
        Ok(Prepared { sql: kept, changes }) => {
            let ran = execute_candidate(context, Agent::Generator, node, kept, number).await?;
            ran.map(|candidate| Candidate { written: sql.to_owned(), changes, ..candidate })
        }
        Err(error) => Err(error),
    };
    let ran = tried.as_ref().ok();
    context.emit(EventBody::SqlAttempted {
        node: node.to_owned(),
        candidate: number,
        attempt: 0,
        sql: sql.to_owned(),
        repairs: Vec::new(),
        error: tried.as_ref().err().cloned(),
        row_count: ran.map(|candidate| candidate.page.row_count),
        digest: ran.map(|candidate| candidate.digest.clone()),
    });
    Ok(tried)
}

async fn answer_with(context: &RunContext, node: &NodeId, mut candidate: Candidate, reason: &str) {
    candidate.findings = collect_findings(context, &candidate);
    context.remember_candidate(node, &candidate);
    context.emit(EventBody::CandidateChosen {
        node: node.to_owned(),
        candidate: candidate.number,
        votes: 1,
        of: 1,
        sql: candidate.sql.as_str().to_owned(),
        reason: reason.to_owned(),
        others: Vec::new(),
    });
    context.finish_stage(node, reason.to_owned());
    answer::deliver_answer(context, candidate, node).await;
}

/// Returns the findings of rules, which change nothing.
fn collect_findings(context: &RunContext, candidate: &Candidate) -> Vec<vitrine_domain::RuleNote> {
    if !RuleUse::from_context(context).findings {
        return Vec::new();
    }
    let ask = &context.ask;
    let contract =
        OutputContract::from_question(ask.question.trim(), &RewrittenQuestion::default(), &ask.data.catalog, false);
    let input = rule_input(context, &contract.facts, ask.knowledge.as_deref().unwrap_or_default());
    vitrine_sql_rules::collect_findings(&candidate.sql, &input)
}
