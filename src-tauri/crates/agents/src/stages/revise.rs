//! Semantic verification and revision (AV-SQL, 4.4, equation 12), bound by the output contract.

use crate::attempt::execute::execute;
use crate::attempt::prepare::{RuleUse, prepare, rule_input};
use crate::attempt::reply::sql_of;
use crate::attempt::views::Views;
use crate::candidate::{Candidate, is_void};
use crate::prompt::format::rows;
use crate::prompt::reply::{ReplyFormat, Writing, room};
use crate::prompt::{Grounding, Prompt, Revise};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::egress::ShownPage;
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, EventBody, StageKind, Switch};
use vitrine_llm::{OutputFormat, Request};

#[derive(Deserialize)]
struct Verdict {
    verdict: String,
    #[serde(default)]
    sql: String,
}

/// Asks whether the query answers the question. The edit is kept only if it runs, meets the contract at least as well,
/// and still returns rows.
pub async fn revise(
    context: &RunContext,
    opening: &Request,
    grounding: &Grounding,
    views: &Views,
    contract: &OutputContract,
    candidate: Candidate,
) -> Result<Candidate, StageError> {
    if !context.ask.settings.with(Switch::Revisor) {
        return Ok(candidate);
    }
    context.begin(nodes::REVISOR, StageKind::Revisor, "Check the SQL", &[nodes::GENERATOR]);
    let columns: Vec<String> = candidate.page.columns.iter().map(|c| c.name.clone()).collect();
    let input = rule_input(context, &contract.facts, context.ask.knowledge.as_deref().unwrap_or_default());
    let findings = match RuleUse::of(context).findings {
        true => vitrine_sql_rules::findings(&candidate.sql, &input),
        false => Vec::new(),
    };
    let mut doubts = contract.breaches(&candidate.sql, &candidate.page);
    doubts.extend(findings.into_iter().map(|finding| finding.note));
    let profile = context.model(Agent::Revisor).profile();
    let request = Request {
        tail: Revise {
            grounding,
            sql: candidate.sql.as_str(),
            rows: &rows(&candidate.page),
            columns: &columns,
            sample: &sample(&context.shown(&candidate.page)),
            doubts: &doubts,
            dialect: context.ask.catalog.dialect.display_name(),
        }
        .render_for(&profile),
        max_tokens: room(&profile, Writing::Verdict),
        output: reply_format(ReplyFormat(&profile)),
        ..opening.clone()
    };
    let replies = context.call(Agent::Revisor, nodes::REVISOR, request).await?;
    let verdict = vitrine_llm::parse_json::<Verdict>(replies.first());
    let before = candidate.sql.as_str().to_owned();
    let (after, outcome) = match verdict {
        Ok(verdict) if verdict.verdict == "revised" && !verdict.sql.trim().is_empty() => {
            let outcome = try_edit(context, views, contract, &candidate, &verdict.sql).await?;
            (verdict.sql, outcome)
        }
        Ok(_) => (before.clone(), Err("The revisor found nothing to change".to_owned())),
        Err(error) => (before.clone(), Err(error.to_string())),
    };
    let unchanged = before == after;
    let (kept, reason, result) = match outcome {
        Ok(edited) => (true, "The edit runs and keeps to what is asked".to_owned(), edited),
        Err(reason) => (unchanged, reason, candidate),
    };
    context.emit(EventBody::Revised { node: nodes::REVISOR.to_owned(), before, after, kept, reason: reason.clone() });
    let summary = match (unchanged, kept) {
        (true, _) => "Unchanged".to_owned(),
        (false, true) => "Edited".to_owned(),
        (false, false) => format!("Edit not kept: {reason}"),
    };
    context.finish(nodes::REVISOR, summary);
    Ok(result)
}

/// Runs an edit and checks it against the contract; `Err` says why it is not kept.
async fn try_edit(
    context: &RunContext,
    views: &Views,
    contract: &OutputContract,
    candidate: &Candidate,
    edit: &str,
) -> Result<Result<Candidate, String>, StageError> {
    let edit = sql_of(&context.ask, edit);
    let prepared = match prepare(context, nodes::REVISOR, views, RuleUse::of(context), edit) {
        Ok(prepared) => prepared,
        Err(error) => return Ok(Err(error)),
    };
    let mut edited = match execute(context, Agent::Revisor, nodes::REVISOR, prepared.sql, candidate.number).await? {
        Ok(edited) => edited,
        Err(error) => return Ok(Err(error)),
    };
    edited.written = edit.to_owned();
    edited.changes = prepared.changes;
    let breaches = contract.breaches(&edited.sql, &edited.page);
    if breaches.len() > contract.breaches(&candidate.sql, &candidate.page).len() {
        return Ok(Err(breaches.join("; ")));
    }
    if is_void(&edited.page) && !is_void(&candidate.page) {
        return Ok(Err("it gives no row".to_owned()));
    }
    Ok(Ok(edited))
}

/// The first rows as tab-separated text, cells shortened.
fn sample(page: &ShownPage<'_>) -> String {
    let cell = |c: &Option<String>| match c {
        None => "NULL".to_owned(),
        Some(text) => text.replace(['\n', '\t'], " ").chars().take(40).collect(),
    };
    let rows: Vec<String> =
        page.rows.iter().take(3).map(|row| row.iter().map(cell).collect::<Vec<_>>().join("\t")).collect();
    if rows.is_empty() { "(no row)".to_owned() } else { rows.join("\n") }
}

fn reply_format(format: ReplyFormat<'_>) -> OutputFormat {
    let verdict = json!({"enum": ["unchanged", "revised"]});
    format.reply("verdict", json!({ "verdict": verdict, "sql": format.text(1200) }))
}
