//! Semantic verification and revision (AV-SQL, 4.4, equation 12), bound by the output contract.

use crate::attempt::execute::execute_candidate;
use crate::attempt::prepare::{RuleUse, prepare_query, rule_input};
use crate::attempt::reply::sql_of;
use crate::attempt::views::Views;
use crate::candidate::{Candidate, is_void, says_the_same};
use crate::prompt::format::{format_row_count, letters_of_results};
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{Grounding, Prompt, Revise};
use crate::question::contract::OutputContract;
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, EgressLevel, EventBody, ModelProfile, Page, StageKind, Switch};
use vitrine_llm::{OutputFormat, Request};
use vitrine_sql::DialectExt;
use vitrine_words::{in_english, tr};

/// Number of rows at each end of a result that a model that deliberates reads.
const FIRST: usize = 20;
const LAST: usize = 5;

#[derive(Deserialize)]
struct Verdict {
    verdict: String,
    #[serde(default)]
    sql: String,
}

/// Inputs of the revisor besides the query.
#[derive(Clone, Copy)]
pub struct RevisorInput<'a> {
    /// Beginning of the request: system text and schema.
    pub opening: &'a Request,
    /// Question, knowledge, views and plan for the prompt.
    pub grounding: &'a Grounding,
    /// Views that a query may name.
    pub views: &'a Views,
    /// Required shape of the answer.
    pub contract: &'a OutputContract,
    /// Numbers of rows that the conditions keep in which the queries differ.
    pub probes: &'a [String],
}

/// Asks if the query answers the question. The edit is kept only if it runs, meets the contract at least as well, and still returns rows.
/// If it gives another result, the votes for the query do not apply to it, and the candidate is chosen again among the `written` results.
pub async fn revise_query(
    context: &RunContext,
    RevisorInput { opening, grounding, views, contract, probes }: RevisorInput<'_>,
    candidate: Candidate,
    written: &[Page],
) -> Result<Candidate, StageError> {
    if !context.ask.options.settings.is_enabled(Switch::Revisor) {
        return Ok(candidate);
    }
    context.begin_stage(nodes::REVISOR, StageKind::Revisor, tr!("Check the SQL"), &[nodes::GENERATOR]);
    let columns: Vec<String> = context.mask_page(&candidate.page).columns.iter().map(|c| c.name.clone()).collect();
    let input = rule_input(context, &contract.facts, context.ask.knowledge.as_deref().unwrap_or_default());
    let findings = match RuleUse::from_context(context).findings {
        true => in_english(|| vitrine_sql_rules::collect_findings(&candidate.sql, &input)),
        false => Vec::new(),
    };
    let mut doubts = in_english(|| contract.list_breaches(&candidate.sql, &candidate.page));
    doubts.extend(findings.into_iter().map(|finding| finding.note));
    let profile = context.model(Agent::Revisor).profile();
    let request = Request {
        tail: Revise {
            grounding,
            sql: candidate.sql.as_str(),
            rows: &format_row_count(&candidate.page),
            columns: &columns,
            sample: &render_sample(context, &profile, &candidate.page),
            doubts: &doubts,
            probes,
            dialect: context.ask.data.catalog.dialect.sql().display_name(),
        }
        .render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Verdict),
        output: reply_format(ReplyFormat(&profile)),
        ..opening.clone()
    };
    let replies = context.call_model(Agent::Revisor, nodes::REVISOR, request).await?;
    let verdict = vitrine_llm::parse_json::<Verdict>(replies.first_reply());
    let before = candidate.sql.as_str().to_owned();
    let (after, outcome) = match verdict {
        Ok(verdict) if verdict.verdict == "revised" && !verdict.sql.trim().is_empty() => {
            let outcome = try_edit(context, views, contract, &candidate, &verdict.sql).await?;
            (verdict.sql, outcome)
        }
        Ok(_) => (before.clone(), Err(tr!("The revisor found nothing to change"))),
        Err(error) => (before.clone(), Err(error.to_string())),
    };
    let unchanged = before == after;
    let voted_for = candidate.page.clone();
    let (kept, reason, result) = match outcome {
        Ok(edited) => (true, tr!("The edited query runs and answers the question"), edited),
        Err(reason) => (unchanged, reason, candidate),
    };
    context.emit(EventBody::Revised { node: nodes::REVISOR.to_owned(), before, after, kept, reason: reason.clone() });
    let agrees = |page: &Page| says_the_same(page, &result.page, contract.ordered);
    if !agrees(&voted_for) {
        context.emit(EventBody::CandidateChosen {
            node: nodes::REVISOR.to_owned(),
            candidate: result.number,
            votes: 1 + written.iter().filter(|page| agrees(page)).count() as u32,
            of: 1 + written.len() as u32,
            sql: result.sql.as_str().to_owned(),
            reason: reason.clone(),
            others: Vec::new(),
        });
    }
    let summary = match (unchanged, kept) {
        (true, _) => tr!("Unchanged"),
        (false, true) => tr!("Edited"),
        (false, false) => tr!("Edit not kept: {reason}", reason),
    };
    context.finish_stage(nodes::REVISOR, summary);
    Ok(result)
}

/// Runs an edit and checks it against the contract; `Err` is the reason why it is not kept.
async fn try_edit(
    context: &RunContext,
    views: &Views,
    contract: &OutputContract,
    candidate: &Candidate,
    edit: &str,
) -> Result<Result<Candidate, String>, StageError> {
    let edit = sql_of(&context.ask, edit);
    let prepared = match prepare_query(context, nodes::REVISOR, views, RuleUse::from_context(context), edit) {
        Ok(prepared) => prepared,
        Err(error) => return Ok(Err(error)),
    };
    let mut edited =
        match execute_candidate(context, Agent::Revisor, nodes::REVISOR, prepared.sql, candidate.number).await? {
            Ok(edited) => edited,
            Err(error) => return Ok(Err(error)),
        };
    edited.written = edit.to_owned();
    edited.changes = prepared.changes;
    let breaches = contract.list_breaches(&edited.sql, &edited.page);
    if breaches.len() > contract.list_breaches(&candidate.sql, &candidate.page).len() {
        return Ok(Err(breaches.join("; ")));
    }
    if is_void(&edited.page) && !is_void(&candidate.page) {
        return Ok(Err(tr!("it gives no row")));
    }
    Ok(Ok(edited))
}

/// Returns the rows by which a result is judged: for a model that deliberates, enough to see order, extremes and repetition; the first few
/// for other models and if the egress level hides values.
fn render_sample(context: &RunContext, profile: &ModelProfile, page: &Page) -> String {
    let shown = context.mask_page(page);
    let whole = profile.deliberates && context.egress.level() >= EgressLevel::Results;
    if whole { both_ends(&shown, letters_of_results(profile)) } else { render_first_rows(&shown) }
}

/// Returns the first rows as tab-separated text, with shortened cells.
fn render_first_rows(page: &Page) -> String {
    let rows: Vec<String> = page.rows.iter().take(3).map(|row| tab_separated_row(row, 40)).collect();
    if rows.is_empty() { "(no row)".to_owned() } else { rows.join("\n") }
}

/// Returns the first and the last rows that fit into `letters` characters, and the number of rows between them. If not all rows were read,
/// the last ones are unknown and omitted.
fn both_ends(page: &Page, letters: usize) -> String {
    let is_whole = !page.truncated && page.row_count == page.rows.len() as u64;
    let (first, last) = if is_whole { (FIRST, LAST) } else { (FIRST + LAST, 0) };
    let longest = (letters / 8).max(40);
    let mut left = letters;
    let mut fits = |row: &Vec<Option<String>>| {
        let line = tab_separated_row(row, longest);
        let fits = line.len() < left;
        left = left.saturating_sub(line.len());
        fits.then_some(line)
    };
    let count = page.rows.len();
    let last = last.min(count.saturating_sub(first));
    let mut end: Vec<String> = page.rows[count - last..].iter().rev().map_while(&mut fits).collect();
    let mut lines: Vec<String> = page.rows[..count - end.len()].iter().take(first).map_while(fits).collect();
    let between = (page.row_count as usize).max(count) - lines.len() - end.len();
    if page.rows.is_empty() {
        lines.push("(no row)".to_owned());
    } else if between > 0 || page.truncated {
        lines.push(if page.truncated { "(and more rows)".to_owned() } else { format!("({between} more)") });
    }
    end.reverse();
    lines.into_iter().chain(end).collect::<Vec<_>>().join("\n")
}

/// Returns a row as tab-separated text, each cell with at most `letters` characters.
fn tab_separated_row(row: &[Option<String>], letters: usize) -> String {
    let cell = |cell: &Option<String>| match cell {
        None => "NULL".to_owned(),
        Some(text) => text.replace(['\n', '\t'], " ").chars().take(letters).collect(),
    };
    row.iter().map(cell).collect::<Vec<_>>().join("\t")
}

fn reply_format(format: ReplyFormat<'_>) -> OutputFormat {
    let verdict = json!({"enum": ["unchanged", "revised"]});
    format.reply_schema("verdict", json!({ "verdict": verdict, "sql": format.text_schema(1200) }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbered_page(count: usize, truncated: bool) -> Page {
        let rows: Vec<_> = (1..=count).map(|n| vec![Some(format!("n{n}")), None]).collect();
        Page { rows, row_count: count as u64, truncated, ..Page::default() }
    }

    #[test]
    fn both_ends_of_a_result_are_shown_as_far_as_they_fit() {
        let shown = both_ends(&numbered_page(60, false), 10_000);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!((lines.len(), lines[0], lines[19], lines[20]), (26, "n1\tNULL", "n20\tNULL", "(35 more)"));
        assert_eq!((lines[21], lines[25]), ("n56\tNULL", "n60\tNULL"));
        assert_eq!(both_ends(&numbered_page(2, false), 10_000), "n1\tNULL\nn2\tNULL");
        assert_eq!(
            both_ends(&numbered_page(25, false), 10_000).lines().count(),
            25,
            "all of them, and nothing is missing"
        );
        assert_eq!(both_ends(&numbered_page(0, false), 10_000), "(no row)");
        let cut = both_ends(&numbered_page(60, true), 10_000);
        assert!(cut.ends_with("n25\tNULL\n(and more rows)"), "the last ones are not known: {cut}");
        let short = both_ends(&numbered_page(60, false), 90);
        assert!(short.len() <= 110 && short.ends_with("n60\tNULL") && short.contains(" more)"), "{short}");
    }
}
