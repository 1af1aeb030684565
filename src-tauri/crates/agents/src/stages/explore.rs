//! Exploration: probing queries and the facts that they show (DSR-SQL, 3.2.3; ReFoRCE, 3.2.3 and Algorithm 1). A probe is never an answer:
//! it has its own event and does not become a candidate.

use crate::attempt::context::AttemptContext;
use crate::attempt::correction::{FINDS_NOTHING, correction_request, second_look};
use crate::attempt::execute::execute_probe;
use crate::attempt::reply::{is_same_query_text, sql_of};
use crate::prompt::Prompt;
use crate::prompt::format::{all_rows, first_rows, letters_of_results, one_line};
use crate::prompt::methods::{CarryOver, Probes, Summary};
use crate::prompt::reply::{ReplyFormat, Writing, max_reply_tokens, object_schema};
use crate::run::context::RunContext;
use crate::run::events::StageError;
use crate::run::nodes;
use serde::Deserialize;
use serde_json::json;
use vitrine_domain::{Agent, EventBody, NodeId, Probe, StageKind};
use vitrine_llm::{OutputFormat, Request};
use vitrine_words::tr;

/// Minimum number of requested probes: otherwise a small model writes a single probe, which is its guess of the answer.
const LEAST: u32 = 3;

/// Maximum number of corrections per probe.
const FIXES: u32 = 2;

#[derive(Deserialize)]
struct ProbesReply {
    probes: Vec<WrittenProbe>,
}

#[derive(Deserialize)]
struct WrittenProbe {
    purpose: String,
    sql: String,
    /// Number of the probe whose correction was applied to this one.
    #[serde(skip)]
    carried_from: Option<u32>,
}

#[derive(Deserialize)]
struct Corrected {
    sql: Vec<String>,
}

#[derive(Deserialize)]
struct Facts {
    facts: Vec<String>,
}

/// Writes and runs probes at the node that all methods share, like [`run_probes_at`]. Probes without rows are kept as they are.
///
/// # Errors
/// Fails if the model or the connection fails.
pub async fn run_probes(
    attempts: &AttemptContext<'_>,
    opening: &Request,
    prompt: Probes<'_>,
) -> Result<Option<Vec<Probe>>, StageError> {
    let place = ProbePlace { node: nodes::EXPLORATION, corrects_empty: false };
    run_probes_at(attempts, place, opening, prompt).await
}

/// Node of an exploration, and its treatment of probes without rows.
#[derive(Debug, Clone, Copy)]
pub struct ProbePlace<'a> {
    /// Id of the node in the graph.
    pub node: &'a NodeId,
    /// True if a probe without rows is corrected like one that fails (ReFoRCE, Algorithm 1).
    pub corrects_empty: bool,
}

/// Writes up to `count` probes and runs them, from simple to nested. Failed probes are corrected, and each correction is applied to the
/// later probes. An unreadable reply causes a warning and yields `None`; an empty list means that the model needs no probes.
///
/// # Errors
/// Fails if the model or the connection fails.
pub async fn run_probes_at(
    attempts: &AttemptContext<'_>,
    ProbePlace { node, corrects_empty }: ProbePlace<'_>,
    opening: &Request,
    prompt: Probes<'_>,
) -> Result<Option<Vec<Probe>>, StageError> {
    let attempts = &AttemptContext { node, ..*attempts };
    let context = attempts.context;
    let profile = context.model(Agent::Explorer).profile();
    let request = Request {
        tail: prompt.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Queries(prompt.count)),
        output: reply_format(ReplyFormat(&profile), prompt.count),
        ..opening.clone()
    };
    let replies = context.call_model(Agent::Explorer, attempts.node, request.clone()).await?;
    let mut written = match vitrine_llm::parse_json::<ProbesReply>(replies.first_reply()) {
        Ok(written) => written.probes,
        Err(error) => {
            context.warn(Some(node), tr!("Exploring the data failed: {error}", error));
            return Ok(None);
        }
    };
    written.truncate(prompt.count as usize);
    let mut seen: Vec<String> = Vec::new();
    written.retain(|probe| {
        let text = one_line(&probe.sql);
        let new = !text.is_empty() && !seen.contains(&text);
        seen.push(text);
        new
    });
    let mut probes: Vec<Probe> = Vec::new();
    for index in 0..written.len() {
        let probe = to_probe(&written[index], index as u32 + 1);
        let (probe, correction) = run_with_correction(attempts, &request, probe, corrects_empty).await?;
        if let Some(correction) = correction {
            carry_over(attempts, &request, &correction, &mut written[index + 1..], probe.number).await?;
        }
        context.emit(EventBody::Probed { node: node.to_owned(), probe: probe.clone() });
        probes.push(probe);
    }
    Ok(Some(probes))
}

/// A failed query, its error, and its correction.
#[derive(Clone)]
struct Correction {
    wrong: String,
    error: String,
    right: String,
}

/// Returns a probe that has not run.
fn to_probe(written: &WrittenProbe, number: u32) -> Probe {
    Probe {
        number,
        purpose: written.purpose.trim().to_owned(),
        sql: written.sql.trim().trim_end_matches(';').to_owned(),
        carried_from: written.carried_from,
        fixes: 0,
        error: None,
        page: None,
    }
}

/// Runs one probe and corrects it if it fails, or if it has no rows and `corrects_empty` is set. If no correction has rows, the last query
/// that ran is kept, because an empty result may be right.
async fn run_with_correction(
    attempts: &AttemptContext<'_>,
    request: &Request,
    mut probe: Probe,
    corrects_empty: bool,
) -> Result<(Probe, Option<Correction>), StageError> {
    let mut sql = probe.sql.clone();
    let mut first_failure: Option<(String, String)> = None;
    let mut empty: Option<(Probe, Option<Correction>)> = None;
    loop {
        let again = match execute_probe(attempts, Agent::Explorer, &sql).await? {
            Ok((ran, page)) => {
                let has_rows = page.row_count > 0;
                probe = Probe { sql: ran, page: Some(page), error: None, ..probe };
                let right = probe.sql.clone();
                let correction = first_failure.clone().map(|(wrong, error)| Correction { wrong, error, right });
                if has_rows || !corrects_empty {
                    return Ok((probe, correction));
                }
                let correction = correction.filter(|correction| correction.error != FINDS_NOTHING);
                empty = Some((probe.clone(), correction));
                if probe.fixes == FIXES {
                    break;
                }
                first_failure.get_or_insert((sql.clone(), FINDS_NOTHING.to_owned()));
                second_look(attempts, Agent::Explorer, request, &sql, FINDS_NOTHING).await?
            }
            Err(error) => {
                first_failure.get_or_insert((sql.clone(), error.clone()));
                probe = Probe { sql: sql.clone(), page: None, error: Some(error.clone()), ..probe };
                if probe.fixes == FIXES {
                    break;
                }
                correction_request(attempts, Agent::Explorer, request, &sql, &error).await?
            }
        };
        let max_tokens = max_reply_tokens(&attempts.context.model(Agent::Explorer).profile(), Writing::ShortQuery);
        let again = Request { max_tokens, ..again };
        let replies = attempts.context.call_model(Agent::Explorer, attempts.node, again).await?;
        // A model that deliberates reasons before its correction.
        let corrected = sql_of(&attempts.context.ask, replies.first_reply()).to_owned();
        if corrected.is_empty() || is_same_query_text(&corrected, &sql) {
            break;
        }
        probe.fixes += 1;
        sql = corrected;
    }
    let (kept, correction) = empty.unwrap_or((probe.clone(), None));
    Ok((Probe { fixes: probe.fixes, ..kept }, correction))
}

/// Corrects, in one call, the later probes that read a table of the failed one, because they probably have the same mistake.
async fn carry_over(
    attempts: &AttemptContext<'_>,
    request: &Request,
    correction: &Correction,
    to_come: &mut [WrittenProbe],
    from: u32,
) -> Result<(), StageError> {
    let ask = &attempts.context.ask;
    let tables = |text: &str| {
        ask.prove_query(text).map(|sql| vitrine_sql::bind_names(&sql, &ask.data.catalog).tables).unwrap_or_default()
    };
    let of_failed = tables(&correction.right);
    let similar: Vec<usize> = (0..to_come.len())
        .filter(|&index| {
            let text = to_come[index].sql.as_str();
            let parsed = tables(text);
            // A probe that cannot be parsed is treated as similar to any failed one.
            parsed.is_empty() || parsed.iter().any(|table| of_failed.contains(table))
        })
        .collect();
    if similar.is_empty() {
        return Ok(());
    }
    let others: Vec<&str> = similar.iter().map(|&index| to_come[index].sql.as_str()).collect();
    let prompt =
        CarryOver { error: &correction.error, wrong: &correction.wrong, right: &correction.right, others: &others };
    let profile = attempts.context.model(Agent::Explorer).profile();
    let format = ReplyFormat(&profile);
    let corrected = format.list_from(format.query_schema(LONGEST), others.len(), others.len());
    let again = Request {
        tail: prompt.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Queries(others.len() as u32)),
        output: format.reply_schema("corrected", json!({ "sql": corrected })),
        ..request.clone()
    };
    let replies = attempts.context.call_model(Agent::Explorer, attempts.node, again).await?;
    // Without a readable reply, each probe is corrected when it fails.
    let Ok(corrected) = vitrine_llm::parse_json::<Corrected>(replies.first_reply()) else { return Ok(()) };
    for (index, sql) in similar.into_iter().zip(corrected.sql) {
        if to_come[index].sql.trim() != sql.trim() {
            to_come[index].sql = sql;
            to_come[index].carried_from = Some(from);
        }
    }
    Ok(())
}

/// Summarizes probes, rendered by [`render_probes`], in words (DSR-SQL, 3.2.3). A fact that quotes a value which does not occur in the
/// model's input is dropped as invented. For a small model, the input is limited to the probes, the question and the knowledge, as in its
/// measurements. Returns an empty list if the reply cannot be read.
///
/// # Errors
/// Fails if the model fails.
pub async fn summarise_probes(
    attempts: &AttemptContext<'_>,
    opening: &Request,
    question: &str,
    facts: &str,
    shown: &[String],
) -> Result<Vec<String>, StageError> {
    let profile = attempts.context.model(Agent::Explorer).profile();
    let format = ReplyFormat(&profile);
    let values = if profile.deliberates { attempts.values } else { &[] };
    let request = Request {
        tail: Summary { question, facts, values, shown }.render_for(&profile),
        max_tokens: max_reply_tokens(&profile, Writing::Facts),
        output: format.reply_schema("facts", json!({ "facts": format.list_schema(format.text_schema(140), 5) })),
        ..opening.clone()
    };
    let replies = attempts.context.call_model(Agent::Explorer, nodes::EXPLORATION, request).await?;
    let facts = match vitrine_llm::parse_json::<Facts>(replies.first_reply()) {
        Ok(reply) => {
            let mut known = format!("{question} {facts} {}", shown.join(" "));
            if profile.deliberates {
                // The schema contains examples of the columns' values.
                known.extend([opening.prefix.as_str(), "\n", &values.join("\n")]);
            }
            // A function call describes a computation and does not name a stored value. Small models were measured without this exception.
            let told = |fact: &str| if profile.deliberates { without_calls(fact) } else { fact.to_owned() };
            reply
                .facts
                .into_iter()
                .filter(|fact| !fact.trim().is_empty() && !quotes_unknown_text(&told(fact), &known))
                .collect()
        }
        Err(error) => {
            attempts.context.warn(Some(nodes::EXPLORATION), tr!("Summarizing the data failed: {error}", error));
            Vec::new()
        }
    };
    attempts.context.emit(EventBody::Summarised { node: nodes::EXPLORATION.to_owned(), facts: facts.clone() });
    Ok(facts)
}

/// Returns true if a fact quotes a text that `known` does not contain.
fn quotes_unknown_text(fact: &str, known: &str) -> bool {
    let known = known.to_lowercase();
    quoted_texts(fact).iter().any(|text| !known.contains(&text.to_lowercase()))
}

/// Removes the arguments of calls that only compute from a fact: `strftime('%Y', 'now')` reads the clock, and `'now'` is not a value. A
/// list is not a call (`IN('a', 'b')`, `its kinds ('a')`, `种类('a')`), and the operand of a comparison in a call may be a value.
fn without_calls(fact: &str) -> String {
    let (mut kept, mut rest) = (String::new(), fact);
    while let Some((before, behind)) = rest.split_once('(') {
        kept.push_str(before);
        let (inside, after) = match find_closing_bracket(behind).filter(|_| is_function(before)) {
            Some(end) => (&behind[..end], &behind[end + 1..]),
            None => {
                kept.push('(');
                rest = behind;
                continue;
            }
        };
        if has_comparison(inside) {
            kept.push_str(inside);
        }
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Returns the position of the bracket that closes the one opened before a text.
fn find_closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 1_u32;
    let mut places = text.char_indices().filter(|(_, letter)| matches!(letter, '(' | ')'));
    places.find_map(|(at, letter)| {
        depth = if letter == '(' { depth + 1 } else { depth - 1 };
        (depth == 0).then_some(at)
    })
}

/// Returns true if a text ends in the name of an SQL function.
fn is_function(before: &str) -> bool {
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_list = ["IN", "ANY", "ALL", "SOME", "VALUES"].iter().any(|word| name.eq_ignore_ascii_case(word));
    name.is_ascii() && !name.is_empty() && !is_list
}

/// Returns true if the arguments of a call contain a comparison.
fn has_comparison(inside: &str) -> bool {
    let is_word = |word: &str| ["LIKE", "ILIKE", "IN", "BETWEEN"].iter().any(|known| word.eq_ignore_ascii_case(known));
    inside.contains(['=', '<', '>']) || inside.split(|c: char| !c.is_alphanumeric()).any(is_word)
}

/// Returns the texts in single quotes. A quotation begins and ends at a word boundary: an apostrophe inside or after a word ("the
/// customer's orders", "the customers' orders") does not begin one, and a doubled apostrophe is an escaped one.
fn quoted_texts(fact: &str) -> Vec<String> {
    let letters: Vec<char> = fact.chars().collect();
    let in_word = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(|letter| letter.is_alphanumeric());
    let (mut found, mut open, mut at) = (Vec::new(), None::<String>, 0);
    while at < letters.len() {
        match (&mut open, letters[at]) {
            (Some(text), '\'') if letters.get(at + 1) == Some(&'\'') => {
                text.push('\'');
                at += 1;
            }
            (Some(_), '\'') if !in_word(Some(at + 1)) => found.extend(open.take()),
            (Some(text), letter) => text.push(letter),
            (None, '\'') if !in_word(at.checked_sub(1)) => open = Some(String::new()),
            (None, _) => {}
        }
        at += 1;
    }
    found.retain(|text| !text.trim().is_empty());
    found
}

/// Renders the probes that ran, each with its rows: the first rows on one line, or, for a model that deliberates, all rows as far as all
/// probes together fit into a share of its context.
pub fn render_probes(context: &RunContext, probes: &[Probe]) -> Vec<String> {
    let profile = context.model(Agent::Explorer).profile();
    let letters = letters_of_results(&profile) / probes.len().max(1);
    let line = |probe: &Probe| {
        let page = context.mask_page(probe.page.as_ref()?);
        let rows = if profile.deliberates { all_rows(&page, letters) } else { first_rows(&page) };
        Some(format!("{}: {} -> {rows}", probe.purpose, one_line(&probe.sql)))
    };
    probes.iter().filter_map(line).collect()
}

/// Maximum number of characters of a probe in JSON, for a model that does not deliberate.
const LONGEST: u32 = 400;

fn reply_format(format: ReplyFormat<'_>, count: u32) -> OutputFormat {
    let probe = object_schema(json!({ "purpose": format.text_schema(60), "sql": format.query_schema(LONGEST) }));
    format
        .reply_schema("probes", json!({ "probes": format.list_from(probe, LEAST.min(count) as usize, count as usize) }))
}

/// Begins the exploration node with the title that all methods share.
pub fn begin_exploration(attempts: &AttemptContext<'_>, inputs: &[&NodeId]) {
    attempts.context.begin_stage(nodes::EXPLORATION, StageKind::Exploration, tr!("Look at the data"), inputs);
}

#[cfg(test)]
mod tests {
    use super::{quotes_unknown_text, without_calls};

    #[test]
    fn a_fact_may_quote_only_what_was_seen() {
        let known = "Which sofas sold most? kinds: SELECT kind FROM products -> 2 rows: (Sofa); (Desk)";
        assert!(!quotes_unknown_text("kind holds 'sofa' and 'Desk' in the table products", known));
        assert!(quotes_unknown_text("kind holds 'Electronics'", known));
        assert!(!quotes_unknown_text("orders.year is a number", known));
    }

    #[test]
    fn what_a_call_is_given_is_no_value_and_a_list_in_brackets_is() {
        let known = "How long ago was the first concert? years -> 2 rows: (2014); (2015)";
        let invented = |fact: &str| quotes_unknown_text(&without_calls(fact), known);
        assert!(!invented("This year is not in the data: it is strftime('%Y', 'now')."));
        assert!(!invented("The year is CAST(strftime('%Y', date('now')) AS INTEGER), the earliest '2014'."));
        assert!(invented("concert.Theme is one of three ('Free choice')"));
        assert!(invented("Theme IN ('Free choice') holds for all of strftime('%Y', 'now')"));
        assert!(invented("Theme IN('Free choice')") && invented("种类('自由')"), "a list without a blank");
        assert!(invented("open ones are COUNT(CASE WHEN Theme = 'Free choice' THEN 1 END)"), "what is compared with");
        assert!(invented("the year is read by strftime('%Y', and the theme is 'Free choice'"), "what never closes");
    }

    #[test]
    fn an_apostrophe_is_no_quotation_mark() {
        let known = "kinds -> 2 rows: (Sofa); (O'Brien)";
        assert!(!quotes_unknown_text("the customer's orders and the shop's sales join by id", known));
        assert!(!quotes_unknown_text("the customers' orders are in kind 'Sofa'", known));
        assert!(!quotes_unknown_text("one is called 'O''Brien'", known));
        assert!(!quotes_unknown_text("one is called 'O'Brien'", known));
        assert!(quotes_unknown_text("the customer's kind is 'Lamp', the shop's is 'Sofa'", known));
    }
}
