//! Condition probes: if queries for one question have different conditions, counts the rows that each condition keeps. The counts are shown
//! with the interpretations to help the user choose.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::interpretations::open_readings;
use crate::prompt::format::one_line;
use crate::run::events::StageError;
use vitrine_domain::{Agent, EventBody, Page, Probe};
use vitrine_explain::{Effect, condition_in_words};
use vitrine_sql::ReadOnlySql;
use vitrine_words::{format_number, tr};

/// Maximum number of probed conditions; each takes one pass over a table.
const PROBES: usize = 3;

/// Probes the conditions in which the leading interpretations differ, if no result has a majority. Returns the counts for prompts, one line
/// per condition: `status = 'paid' keeps 7 of 9 rows of orders`.
///
/// # Errors
/// Fails if the run is stopped. Conditions whose count fails are omitted.
pub async fn probe_conditions(attempts: &AttemptContext<'_>, ran: &mut [Candidate]) -> Result<Vec<String>, StageError> {
    let context = attempts.context;
    let heads: Vec<&ReadOnlySql> = open_readings(ran, attempts.contract, &context.ask.data.catalog)
        .unwrap_or_default()
        .iter()
        .filter_map(|reading| ran.iter().find(|candidate| candidate.number == reading.candidate))
        .map(|candidate| &candidate.sql)
        .collect();
    let differences = vitrine_sql_rules::condition_differences(&heads, &context.ask.data.catalog);
    let mut lines = Vec::new();
    for (difference, number) in differences.into_iter().take(PROBES).zip(1..) {
        let page = context.try_query_composed(Agent::Explorer, attempts.node, &difference.count, 1).await?;
        let counts = page.as_ref().ok().and_then(read_counts);
        lines.extend(counts.map(|(of, kept)| {
            format!("{} keeps {kept} of {of} rows of {}", one_line(&difference.condition), difference.table)
        }));
        let effect = counts.map(|counts| describe_effect(counts, &difference.table));
        let words = condition_in_words(&difference.condition, &difference.table, &context.ask.data.catalog);
        let (page, error) = match page {
            Ok(page) => (Some(page), None),
            Err(error) => (None, Some(error)),
        };
        let probe = Probe {
            number,
            purpose: tr!(
                "Rows of {table} with {condition}",
                table = difference.table,
                condition = difference.phrase.trim_start_matches("only ")
            ),
            sql: difference.count.as_str().to_owned(),
            carried_from: None,
            fixes: 0,
            error,
            page,
        };
        context.emit(EventBody::Probed { node: attempts.node.to_owned(), probe });
        if let Some(known) = words.zip(effect) {
            ran.iter_mut().for_each(|candidate| candidate.effects.push(known.clone()));
        }
    }
    Ok(lines)
}

/// Returns the number of rows of the table and of those that the condition keeps.
fn read_counts(page: &Page) -> Option<(u64, u64)> {
    let [row] = page.rows.as_slice() else { return None };
    let [of, kept] = row.as_slice() else { return None };
    let read = |cell: &Option<String>| cell.as_deref()?.parse::<u64>().ok();
    Some((read(of)?, read(kept)?))
}

fn describe_effect((of, kept): (u64, u64), table: &str) -> Effect {
    if kept == of {
        Effect::None
    } else {
        Effect::Keeps(tr!(
            "{kept} of {all} rows of {table}",
            kept = format_number(kept),
            all = format_number(of),
            table
        ))
    }
}
