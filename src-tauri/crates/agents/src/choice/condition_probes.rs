//! Exploring what is disputed: where queries for one question set different conditions, how many rows of its table each
//! condition keeps. It is told with the readings, so that whoever chooses knows what the choice is about.

use crate::attempt::context::Desk;
use crate::candidate::interpretations::open_readings;
use crate::candidate::{Candidate, Kept};
use crate::run::events::StageError;
use vitrine_catalog::grouped;
use vitrine_domain::{Agent, EventBody, Page, Probe};
use vitrine_sql::ReadOnlySql;

/// Conditions that are looked at; each is one pass over a table.
const PROBES: usize = 3;

/// Looks at the conditions in which the leading readings differ, where no result has a majority.
///
/// # Errors
/// Fails when the run is stopped. A condition that cannot be looked at stays as it is.
pub async fn explore(desk: &Desk<'_>, ran: &mut [Candidate]) -> Result<(), StageError> {
    let context = desk.context;
    let heads: Vec<&ReadOnlySql> = open_readings(ran, desk.contract)
        .unwrap_or_default()
        .iter()
        .filter_map(|reading| ran.iter().find(|candidate| candidate.number == reading.candidate))
        .map(|candidate| &candidate.sql)
        .collect();
    let disputes = vitrine_sql_rules::condition_differences(&heads, &context.ask.catalog);
    for (dispute, number) in disputes.into_iter().take(PROBES).zip(1..) {
        let page = context.try_query(Agent::Explorer, desk.node, &dispute.count, 1).await?;
        let kept = page.as_ref().ok().and_then(|page| kept(page, &dispute.table));
        let (page, error) = match page {
            Ok(page) => (Some(page), None),
            Err(error) => (None, Some(error)),
        };
        let probe = Probe {
            number,
            purpose: format!("Rows of {} with {}", dispute.table, dispute.phrase.trim_start_matches("only ")),
            sql: dispute.count.as_str().to_owned(),
            carried_from: None,
            fixes: 0,
            error,
            page,
        };
        context.emit(EventBody::Probed { node: desk.node.to_owned(), probe });
        if let Some(kept) = kept {
            for candidate in ran.iter_mut() {
                candidate.kept.push((dispute.phrase.clone(), kept.clone()));
            }
        }
    }
    Ok(())
}

/// What the two numbers of a probe say.
fn kept(page: &Page, table: &str) -> Option<Kept> {
    let [row] = page.rows.as_slice() else { return None };
    let [of, kept] = row.as_slice() else { return None };
    let number = |cell: &Option<String>| cell.as_deref()?.parse::<u64>().ok();
    let (of, kept) = (number(of)?, number(kept)?);
    Some(if kept == of {
        Kept::All
    } else {
        Kept::Some(format!("{} of {} rows of {table}", grouped(kept), grouped(of)))
    })
}
