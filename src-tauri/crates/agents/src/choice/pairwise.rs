//! Pairwise comparison: judges two results by the rows that distinguish them (CHASE-SQL, section 3.5). The judge is asked in both orders,
//! because a model may prefer the first or the last option.

use crate::attempt::context::AttemptContext;
use crate::candidate::Candidate;
use crate::candidate::choose::Choice;
use crate::candidate::interpretations::open_readings;
use crate::prompt::evidence::{MOST_ROWS, collect_distinct, describe_columns, show_rows};
use crate::prompt::format;
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens};
use crate::prompt::{Judge, JudgedQuery, Prompt};
use crate::run::egress::{Egress, ShownPage};
use crate::run::events::StageError;
use serde::Deserialize;
use serde_json::json;
use std::collections::HashMap;
use vitrine_domain::{Agent, EventBody, Page, SchemaSelection, Switch};
use vitrine_llm::Request;
use vitrine_sql::DialectExt;

/// Number of distinguishing rows shown per result to a model that does not deliberate.
const ROWS: usize = 3;
/// Number of cells shown per row to such a model.
const CELLS: usize = 8;

/// Input of the judge for one comparison.
#[derive(Clone, Copy)]
pub struct JudgeInput<'a> {
    /// Question as the user asked it.
    pub question: &'a str,
    /// Known facts about the question; empty if there are none.
    pub facts: &'a str,
    /// Common prefix of the judge's requests. For a model that deliberates, the tables of the compared queries replace it.
    pub opening: &'a Request,
    /// Numbers of rows that the conditions keep in which the queries differ.
    pub probes: &'a [String],
}

#[derive(Deserialize)]
struct Verdict {
    #[serde(default, alias = "thinking")]
    reason: String,
    better: String,
}

/// Compares the two leading results if none has a majority. `None` if there is nothing to compare, or if the judge contradicts itself, so
/// that only the order decided.
///
/// # Errors
/// Fails if the model fails.
pub async fn judge_leaders(
    attempts: &AttemptContext<'_>,
    case: JudgeInput<'_>,
    ran: &[Candidate],
) -> Result<Option<Choice>, StageError> {
    let context = attempts.context;
    if !context.ask.options.settings.is_enabled(Switch::Judge) {
        return Ok(None);
    }
    let readings = open_readings(ran, attempts.contract, &attempts.context.ask.data.catalog).unwrap_or_default();
    let [first, second, ..] = readings.as_slice() else { return Ok(None) };
    let index = |number: u32| ran.iter().position(|c| c.number == number).expect("a reading is of a candidate");
    let (one, other) = (index(first.candidate), index(second.candidate));
    let (a, b) = (&ran[one], &ran[other]);
    let both = futures::try_join!(prefers_first(attempts, case, a, b), prefers_first(attempts, case, b, a))?;
    let better = match both {
        (Some(true), Some(false)) => Some((first, one)),
        (Some(false), Some(true)) => Some((second, other)),
        _ => None,
    };
    context.emit(EventBody::Judged {
        node: attempts.node.to_owned(),
        candidates: vec![first.candidate, second.candidate],
        better: better.map(|(reading, _)| reading.candidate),
    });
    Ok(better.map(|(reading, index)| Choice { index, votes: reading.votes }))
}

/// Returns true if the judge prefers `a`; `None` if its reply cannot be read.
///
/// # Errors
/// Fails if the model fails.
pub async fn prefers_first(
    attempts: &AttemptContext<'_>,
    case: JudgeInput<'_>,
    a: &Candidate,
    b: &Candidate,
) -> Result<Option<bool>, StageError> {
    let dialect = attempts.context.ask.data.catalog.dialect.sql().display_name();
    let profile = attempts.context.model(Agent::Judge).profile();
    let (JudgeInput { question, facts, probes, .. }, values) = (case, attempts.values);
    let opening = judge_request(attempts, case, &[a, b]);
    let egress = &attempts.context.egress;
    let letters = format::letters_of_each(&profile, egress, 2);
    let numbers = [a.number, b.number];
    let (a, b) = (judged_query(egress, letters, a, b), judged_query(egress, letters, b, a));
    let request = Request {
        tail: Judge { question, facts, values, dialect, a: &a, b: &b, probes }.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Choice),
        output: ReplyFormat(&profile)
            .reasoned_schema("verdict", json!({ "better": { "type": "string", "enum": ["A", "B"] } })),
        ..opening
    };
    let replies = attempts.context.call_model(Agent::Judge, attempts.node, request).await?;
    let Ok(verdict) = vitrine_llm::parse_json::<Verdict>(replies.first_reply()) else { return Ok(None) };
    let first = verdict.better == "A";
    let compared = (&numbers[..], Some(numbers[usize::from(!first)]));
    attempts.context.record_reason(attempts.node, Agent::Judge, compared, &verdict.reason);
    Ok(Some(first))
}

/// Returns the beginning of a judge's request. A model that deliberates sees the union of the tables and columns that the compared queries
/// read (paper, 3.5); other models see the schema that they have already read.
pub fn judge_request(attempts: &AttemptContext<'_>, case: JudgeInput<'_>, compared: &[&Candidate]) -> Request {
    let context = attempts.context;
    if !context.model(Agent::Judge).profile().deliberates {
        return case.opening.clone();
    }
    let mut read = SchemaSelection::default();
    for candidate in compared {
        let bound = vitrine_sql::bind_names(&candidate.sql, &context.ask.data.catalog);
        bound.tables.iter().for_each(|table| read.add(table, None));
        bound.columns.iter().for_each(|(table, column)| read.add(table, Some(column)));
    }
    if read.is_empty() { case.opening.clone() } else { attempts.visible.opening_of(context, Agent::Judge, &read) }
}

/// Returns a query with the rows that distinguish its result from another's: within `letters` characters and with its columns, or the first
/// cells of a few rows if there are none.
pub fn judged_query(egress: &Egress, letters: usize, own: &Candidate, other: &Candidate) -> JudgedQuery {
    let shown = egress.mask_page(&own.page);
    let (mut columns, only) = (Vec::new(), distinguishing_rows(&own.page, &other.page, &shown));
    let only = match letters {
        0 => only.iter().take(ROWS).map(|row| format::format_row(row, CELLS)).collect(),
        letters => {
            columns = describe_columns(&own.page, &collect_distinct(&own.page), egress);
            show_rows(&only, letters)
        }
    };
    JudgedQuery { sql: format::one_line(own.sql.as_str()), rows: format::format_row_count(&own.page), columns, only }
}

/// Returns the first rows that the other result lacks, or has fewer times, as a prompt may show them.
fn distinguishing_rows(own: &Page, other: &Page, shown: &ShownPage<'_>) -> Vec<Vec<Option<String>>> {
    let mut left: HashMap<&[Option<String>], usize> = HashMap::new();
    for row in &other.rows {
        *left.entry(row.as_slice()).or_default() += 1;
    }
    let mut rows = Vec::new();
    for (row, shown) in own.rows.iter().zip(&shown.rows) {
        match left.get_mut(row.as_slice()) {
            Some(times) if *times > 0 => *times -= 1,
            _ => rows.push(shown.clone()),
        }
        if rows.len() == MOST_ROWS {
            break;
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Dialect;
    use vitrine_sql::ReadOnlySql;

    fn make_page(rows: &[&str]) -> Page {
        Page { rows: rows.iter().map(|cell| vec![Some((*cell).to_owned()), None]).collect(), ..Page::default() }
    }

    #[test]
    fn a_result_that_was_cut_off_has_at_least_the_rows_that_were_read() {
        let sql = ReadOnlySql::parse("SELECT 1", Dialect::Sqlite).unwrap();
        let rows = |truncated| {
            let page = Page { row_count: 1_000, truncated, ..make_page(&["a"]) };
            let candidate = Candidate::new(1, sql.clone(), page, String::new());
            judged_query(&Egress::default(), 0, &candidate, &candidate).rows
        };
        assert_eq!((rows(true).as_str(), rows(false).as_str()), ("at least 1,000 rows", "1000 rows"));
    }

    #[test]
    fn rows_that_both_have_are_not_shown() {
        let (one, other) = (make_page(&["a", "b", "b", "c", "d", "e"]), make_page(&["b", "a"]));
        let sql = ReadOnlySql::parse("SELECT 1", Dialect::Sqlite).unwrap();
        let candidate = |page: &Page| Candidate::new(1, sql.clone(), page.clone(), String::new());
        let judged =
            |letters, own, other| judged_query(&Egress::default(), letters, &candidate(own), &candidate(other));
        assert_eq!(judged(0, &one, &other).only, ["(b, NULL)", "(c, NULL)", "(d, NULL)"]);
        assert_eq!(judged(0, &other, &one).only, [] as [&str; 0]);
        assert_eq!(judged(1_000, &one, &other).only, ["(b, NULL)", "(c, NULL)", "(d, NULL)", "(e, NULL)"]);
    }
}
