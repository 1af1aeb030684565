//! The last node: the chosen SQL and its rows.

use crate::attempt::prepare::{rule_input, without_question};
use crate::attempt::same_values::look_for_same_values;
use crate::attempt::unknown_rows;
use crate::attempt::views::Fetched;
use crate::candidate::{Candidate, is_void};
use crate::run::context::RunContext;
use crate::run::nodes;
use crate::run::sandbox::Analysis;
use vitrine_domain::{Agent, Dialect, EventBody, NodeId, RuleNote, StageKind, Switch};
use vitrine_sql::{ReadOnlySql, named_tables};
use vitrine_sql_rules::SAME_VALUES;
use vitrine_sql_rules::values::described_conditions;
use vitrine_sql_rules::{QuestionFacts, UNUSED_NUMBER, UNUSED_PART, unused_parts};
use vitrine_words::{plural, tr};

/// Delivers the answer with the rows that the candidate already read. A ranking is also queried beyond its limit, because the user has to
/// know about ties for the last place, although they are not an error of the query.
pub async fn deliver_answer(context: &RunContext, mut candidate: Candidate, input: &NodeId) {
    context.begin_stage(nodes::RESULT, StageKind::Result, tr!("Answer"), &[input]);
    if is_void(&candidate.page) {
        context.warn(Some(nodes::RESULT), tr!("The query gave no value: check its conditions before using it"));
    }
    for note in find_server_notes(context, candidate.sql.as_str()) {
        context.warn(Some(nodes::RESULT), note);
    }
    if let Some(note) = shared_last_place(context, &candidate).await {
        context.warn(Some(nodes::RESULT), note);
    }
    let before = context.ask.history.follows.as_ref().and_then(|followed| followed.sql.as_deref());
    if before.is_some_and(|before| is_same_query(before, candidate.sql.as_str(), context.ask.data.catalog.dialect)) {
        let note = tr!("The query is the same as before: the change in the follow-up question is missing from it");
        context.warn(Some(nodes::RESULT), note);
    }
    let merges = look_for_same_values(context, nodes::RESULT, &mut candidate).await;
    let kept = unknown_rows::find_unknown_variants(context, &candidate).await;
    candidate.variants.extend(kept);
    tell_file_doubts(context, &candidate.sql).await;
    let mut left_aside = vitrine_sql_rules::left_aside(&candidate.sql, &without_question(context));
    if !candidate.sql.has_tree() && candidate.page.columns.iter().any(|column| column.masked) {
        left_aside.push(tr!(
            "Only the database can parse this query, so models received no value of any column that may be masked"
        ));
    }
    let sql = vitrine_sql::format_sql(candidate.sql.as_str(), context.ask.data.catalog.dialect);
    let rows = plural!(candidate.page.row_count, "{n} row", "{n} rows");
    let written = (!candidate.changes.is_empty())
        .then(|| vitrine_sql::format_sql(&candidate.written, context.ask.data.catalog.dialect));
    let mut variants = candidate.told_variants();
    for variant in variants.iter_mut().filter(|variant| vitrine_sql_rules::reads_description(&variant.rule)) {
        variant.always = described_conditions(&candidate.sql, &without_question(context));
    }
    if let Some(merged) = variants.iter_mut().find(|variant| variant.rule == SAME_VALUES) {
        merged.always = merges;
    }
    let findings = with_unused_parts(context, &candidate);
    let Candidate { page, changes, .. } = candidate;
    let headline = vitrine_explain::build_headline(Some(&candidate.sql), &page, &context.ask.data.catalog);
    // Formatting changes the names of unnamed columns in some engines, so the displayed text is also the one that is explained.
    if let Ok(query) = context.ask.prove_query(&sql) {
        let adopted = changes.iter().map(|change| change.rule.clone()).collect();
        context.record_material(|told| (told.answer, told.adopted) = (Some((query, page.clone())), adopted));
    }
    context.emit(EventBody::ResultReady {
        node: nodes::RESULT.to_owned(),
        sql,
        code: None,
        page,
        headline: Some(headline),
        written,
        changes,
        variants,
        findings,
    });
    tell_left_aside(context, left_aside);
    context.finish_stage(nodes::RESULT, rows);
}

/// Returns the server's notes about the values of a query's result.
fn find_server_notes(context: &RunContext, sql: &str) -> Vec<String> {
    // With approval, a query runs in the form that the answer shows.
    let shown = vitrine_sql::format_sql(sql, context.ask.data.catalog.dialect);
    let mut found: Vec<String> = Vec::new();
    for (of, note) in context.explanation_material().notes {
        if (of == sql || of == shown) && !found.contains(&note) {
            found.push(note);
        }
    }
    found
}

/// Reports doubts about the files that the answer was read from, and files that were not read.
async fn tell_file_doubts(context: &RunContext, sql: &ReadOnlySql) {
    /// Maximum number of doubts of one table, and of files.
    const MOST: usize = 5;
    let readings = context.ask.data.warehouse.file_readings().await.unwrap_or_default();
    let tables = named_tables(sql).unwrap_or_default();
    let is_read =
        |table: &str| tables.iter().any(|name| name.last().is_some_and(|last| last.eq_ignore_ascii_case(table)));
    for reading in readings.iter().filter(|reading| is_read(&reading.table)) {
        // Doubts quote values, and an outside program must not receive more values than the answer's rows.
        if context.ask.permissions.answer_leaves {
            let doubts = reading.doubts.len();
            if doubts > 0 {
                context.warn_aside(
                    Some(nodes::RESULT),
                    plural!(
                        doubts,
                        "{file}: {n} doubt about how it was read, which `vitrine files` shows",
                        "{file}: {n} doubts about how it was read, which `vitrine files` shows",
                        file = reading.file
                    ),
                );
            }
            continue;
        }
        for doubt in reading.doubts.iter().take(MOST) {
            context.warn_aside(Some(nodes::RESULT), tr!("{file}: {doubt}", file = reading.file, doubt));
        }
    }
    for reading in readings.iter().filter(|reading| reading.left_out.is_some()).take(MOST) {
        let why = reading.left_out.as_deref().unwrap_or_default();
        context.warn_aside(Some(nodes::RESULT), tr!("{file} was not read: {why}", file = reading.file, why));
    }
}

/// Returns the findings about an answer, preceded by the parts of the question that its query does not use. Numbers in these parts are not
/// reported again.
fn with_unused_parts(context: &RunContext, candidate: &Candidate) -> Vec<RuleNote> {
    if context.ask.has_user_sql() || !context.ask.options.settings.is_enabled(Switch::Findings) {
        return candidate.findings.clone();
    }
    if context.explanation_material().is_covered {
        return candidate.findings.clone();
    }
    let facts = QuestionFacts::from_question(context.ask.question.trim(), &context.ask.data.catalog);
    let input = rule_input(context, &facts, context.ask.knowledge.as_deref().unwrap_or_default());
    let unused = unused_parts(&candidate.sql, &input, &context.explanation_material().values, &candidate.page);
    let is_said = |finding: &RuleNote| finding.rule == UNUSED_NUMBER && !unused.is_empty();
    let others = candidate.findings.iter().filter(|finding| !is_said(finding)).cloned();
    let found = unused.iter().map(|note| RuleNote { rule: UNUSED_PART, note: note.clone() });
    found.chain(others).collect()
}

/// Returns true if two queries differ at most in layout and in the case of words.
fn is_same_query(one: &str, other: &str, dialect: Dialect) -> bool {
    let normal = |sql: &str| {
        let laid_out = vitrine_sql::format_sql(sql.trim().trim_end_matches(';'), dialect);
        let mut quote = None;
        let mut lower = |letter: char| {
            match quote {
                Some(open) if open == letter => quote = None,
                None if matches!(letter, '\'' | '"' | '`') => quote = Some(letter),
                Some(_) => {}
                None => return letter.to_ascii_lowercase(),
            }
            letter
        };
        laid_out.chars().map(&mut lower).collect::<String>()
    };
    normal(one) == normal(other)
}

/// Warns after the answer, because applying the user's own definitions is not a doubt about the query.
fn tell_left_aside(context: &RunContext, notes: Vec<String>) {
    notes.into_iter().for_each(|note| context.warn(Some(nodes::RESULT), note));
}

/// Delivers the table of an analysis, with its code and the queries of the views that the code reads.
pub fn of_analysis(context: &RunContext, analysis: Analysis, views: &[Fetched]) {
    context.begin_stage(nodes::RESULT, StageKind::Result, tr!("Answer"), &[nodes::ANALYSIS]);
    if is_void(&analysis.page) {
        context.warn(Some(nodes::RESULT), tr!("The analysis gave no value: check it before using it"));
    }
    for view in views.iter().filter(|view| analysis.code.contains(&view.name)) {
        if view.page.truncated {
            let message = plural!(
                view.page.row_count,
                "{view} was cut off at {n} row: what the analysis counts or adds up over it lacks the rest",
                "{view} was cut off at {n} rows: what the analysis counts or adds up over it lacks the rest",
                view = view.name
            );
            context.warn(Some(nodes::RESULT), message);
        }
    }
    let dialect = context.ask.data.catalog.dialect;
    let view = |view: &Fetched| format!("-- {}\n{}", view.name, vitrine_sql::format_sql(view.sql.as_str(), dialect));
    let sql = views.iter().map(view).collect::<Vec<_>>().join(";\n\n");
    let rows = plural!(analysis.page.row_count, "{n} row", "{n} rows");
    let (code, page) = (Some(analysis.code), analysis.page);
    let headline = vitrine_explain::build_headline(None, &page, &context.ask.data.catalog);
    let (mut changes, mut left_aside) = (Vec::new(), Vec::new());
    for view in views {
        let notes = vitrine_sql_rules::left_aside(&view.sql, &without_question(context));
        take_new(&mut changes, view.changes.iter().cloned());
        take_new(&mut left_aside, notes);
    }
    context.emit(EventBody::ResultReady {
        node: nodes::RESULT.to_owned(),
        sql,
        code,
        page,
        headline: Some(headline),
        written: None,
        changes,
        variants: Vec::new(),
        findings: Vec::new(),
    });
    tell_left_aside(context, left_aside);
    context.finish_stage(nodes::RESULT, rows);
}

fn take_new<T: PartialEq>(all: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for one in more {
        if !all.contains(&one) {
            all.push(one);
        }
    }
}

/// Returns the number of omitted rows that tie with the last shown one, as a sentence.
async fn shared_last_place(context: &RunContext, candidate: &Candidate) -> Option<String> {
    let beyond = vitrine_sql_rules::beyond_limit(&candidate.sql).filter(|b| b.limit == candidate.page.row_count)?;
    if context.ask.user.approver.is_some() {
        // The query would need the user's approval, and it does not change the answer.
        return None;
    }
    // A failure of this query does not affect the answer.
    let page = context.query_composed(Agent::Generator, nodes::RESULT, &beyond.sql, beyond.rows).await.ok()?;
    let keys = |row: &[Option<String>]| row[row.len() - beyond.keys..].to_vec();
    let (shown, left) = page.rows.split_at_checked(beyond.limit as usize)?;
    let last = keys(shown.last()?);
    let tied = left.iter().take_while(|row| keys(row) == last).count();
    let more = plural!(tied, "{n} more row", "{n} more rows");
    let more = if tied == left.len() && page.row_count == beyond.rows { tr!("at least {more}", more) } else { more };
    (tied > 0).then(|| match beyond.limit {
        1 => tr!("The first place is shared: {more} with the same value are not shown", more),
        place => tr!("Place {place} is shared: {more} with the same value are not shown", place, more),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_compared_without_layout_and_with_their_constants() {
        let same = |one: &str, other: &str| is_same_query(one, other, Dialect::Sqlite);
        let query = "SELECT count(*) FROM orders WHERE status = 'Open'";
        assert!(same(query, "select COUNT(*)\nfrom Orders where status = 'Open';"));
        assert!(!same(query, "SELECT count(*) FROM orders WHERE status = 'open'"));
        assert!(!same(query, "SELECT count(*) FROM orders WHERE status = 'Open' AND year = 2024"));
    }
}
