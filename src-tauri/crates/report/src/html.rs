//! The HTML file of a report. Markup and escaping are in `report.html`.

use crate::chart::{Drawing, draw_chart};
use crate::sentence::describe_result;
use crate::values::{column_label, format_value, sanitize_text};
use crate::{NoteGroup, Report, ReportedAnswer};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;
use sha2::{Digest, Sha256};
use vitrine_domain::{CellType, Certainty, Page};
use vitrine_words::{current_language, format_number, format_percent, plural, tr, translate_constant};

const STYLE: &str = include_str!("report.css");

/// Renders a report as a single HTML file without external resources. `guard_cell` changes texts of the table that a
/// spreadsheet would evaluate as formulas.
pub fn render_html(report: &Report, guard_cell: &dyn Fn(&str) -> String) -> String {
    const NAME: &str = "report.html";
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    // The extension of the name enables escaping of every value.
    let rendered = environment
        .add_template(NAME, include_str!("report.html"))
        .and_then(|()| environment.get_template(NAME)?.render(build_document(report, guard_cell)));
    // A mismatch between template and document is a programming error that the tests find.
    rendered.unwrap_or_else(|error| panic!("{NAME}: {error:#}"))
}

#[derive(Serialize)]
struct Document {
    language: &'static str,
    style: &'static str,
    /// The hash of the style sheet, which is the only style that the content policy permits.
    style_hash: String,
    title: String,
    subtitle: String,
    notes: Vec<String>,
    /// True if each answer has its own heading.
    has_several: bool,
    answers: Vec<AnswerPart>,
    words: FixedTexts,
}

/// Fixed texts of the document.
#[derive(Serialize)]
struct FixedTexts {
    conditions: String,
    supports: String,
    doubts: String,
    query: String,
    code: String,
    no_value: String,
}

#[derive(Serialize)]
struct AnswerPart {
    id: usize,
    question: String,
    follows: Option<String>,
    facts: String,
    sentence: Option<String>,
    withheld: Option<String>,
    level: Option<Level>,
    chart: Option<Drawing>,
    table: Option<Table>,
    conditions: Vec<String>,
    notes: Vec<NotePart>,
    sql: Option<String>,
    code: Option<String>,
}

#[derive(Serialize)]
struct Level {
    class: &'static str,
    label: String,
    supports: Vec<String>,
    doubts: Vec<String>,
}

#[derive(Serialize)]
struct Table {
    head: Vec<Head>,
    rows: Vec<Vec<Cell>>,
    /// The number of rows, and how many of them are omitted.
    count: String,
}

#[derive(Serialize)]
struct Head {
    text: String,
    class: &'static str,
}

#[derive(Serialize)]
struct Cell {
    text: Option<String>,
    class: &'static str,
}

#[derive(Serialize)]
struct NotePart {
    heading: String,
    notes: Vec<String>,
}

fn build_document(report: &Report, guard_cell: &dyn Fn(&str) -> String) -> Document {
    let first = report.answers.first().map(|answer| answer.question.as_str()).unwrap_or_default();
    let title = if report.title.trim().is_empty() { first } else { &report.title };
    let several = plural!(report.answers.len(), "{n} answer", "{n} answers");
    let subtitle = match report.answers.as_slice() {
        [_] => tr!("Written {written_at} by Vitrine", written_at = report.written_at),
        _ => tr!("{several}, written {written_at} by Vitrine", several, written_at = report.written_at),
    };
    Document {
        language: current_language().code(),
        style: STYLE,
        style_hash: format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(STYLE))),
        title: sanitize_text(title),
        subtitle,
        notes: report.notes.iter().map(|note| sanitize_text(note)).collect(),
        has_several: report.answers.len() > 1 || title != first,
        answers: report.answers.iter().enumerate().map(|(at, answer)| build_answer(at, answer, guard_cell)).collect(),
        words: FixedTexts {
            conditions: tr!(context "heading", "Conditions"),
            supports: tr!(context "heading", "Supports the answer"),
            doubts: tr!(context "heading", "Casts doubt on the answer"),
            query: tr!("Query (SQL)"),
            code: tr!("Code (Python)"),
            no_value: tr!("no value"),
        },
    }
}

fn build_answer(at: usize, answer: &ReportedAnswer, guard_cell: &dyn Fn(&str) -> String) -> AnswerPart {
    let lines = |texts: &[String]| texts.iter().map(|text| sanitize_text(text)).collect::<Vec<_>>();
    let source = sanitize_text(&answer.source);
    let facts = tr!("Answered {answered_at} · Source: {source}", answered_at = answer.answered_at, source);
    let drawing = answer.page.as_ref().zip(answer.chart.as_ref());
    AnswerPart {
        id: at + 1,
        question: sanitize_text(&answer.question),
        follows: answer.follows.as_ref().map(|question| {
            let question = sanitize_text(question);
            tr!("Follows “{question}”", question)
        }),
        facts,
        sentence: answer.page.as_ref().map(|page| sanitize_text(&describe_result(answer.headline.as_ref(), page))),
        withheld: answer.withheld.as_ref().map(|text| sanitize_text(text)),
        level: build_level(answer),
        chart: drawing.and_then(|(page, chart)| draw_chart(page, chart, answer.headline.as_ref())),
        table: answer
            .page
            .as_ref()
            .filter(|page| !page.columns.is_empty())
            .map(|page| build_table(answer, page, guard_cell)),
        conditions: lines(&answer.conditions),
        notes: answer.notes.iter().filter(|group| !group.notes.is_empty()).map(build_notes).collect(),
        sql: answer.sql.as_ref().map(|sql| sanitize_text(sql)),
        code: answer.code.as_ref().map(|code| sanitize_text(code)),
    }
}

fn build_notes(group: &NoteGroup) -> NotePart {
    NotePart { heading: group.heading.clone(), notes: group.notes.iter().map(|note| sanitize_text(note)).collect() }
}

/// Builds the certainty; an answer without one says so, because silence would look like certainty.
fn build_level(answer: &ReportedAnswer) -> Option<Level> {
    if answer.best_so_far {
        let label = tr!("Only the best result before the search ended: its certainty was not estimated");
        return Some(Level { class: "unlikely", label, supports: Vec::new(), doubts: Vec::new() });
    }
    if answer.is_saved {
        return None;
    }
    let Some(certainty) = &answer.certainty else {
        let label = tr!("The certainty of this answer was not estimated");
        return Some(Level { class: "unknown", label, supports: Vec::new(), doubts: Vec::new() });
    };
    let reasons = |supports: bool| {
        let own = certainty.reasons.iter().filter(|reason| reason.supports == supports);
        own.map(|reason| sanitize_text(&reason.text)).collect()
    };
    Some(Level {
        class: certainty.level.as_str(),
        label: label_certainty(certainty),
        supports: reasons(true),
        doubts: reasons(false),
    })
}

/// Names the level, with the measured share of right answers if the model is calibrated.
fn label_certainty(certainty: &Certainty) -> String {
    let level = translate_constant(certainty.level.english_label());
    let is_measured = certainty.is_measured();
    let share = format_percent(certainty.probability);
    if is_measured { tr!("{level} ({share} likely right)", level, share) } else { level.to_owned() }
}

fn build_table(answer: &ReportedAnswer, page: &Page, guard_cell: &dyn Fn(&str) -> String) -> Table {
    let class = |cell_type: CellType| match cell_type {
        CellType::Integer | CellType::Decimal | CellType::Float => "number",
        _ => "text",
    };
    let head = page.columns.iter().enumerate().map(|(at, column)| Head {
        text: guard_cell(&column_label(page, answer.headline.as_ref(), at)),
        class: class(column.cell_type),
    });
    let shown = page.rows.iter().take(answer.most_rows);
    let rows = shown.map(|row| {
        let cells = page.columns.iter().zip(row);
        cells
            .map(|(column, cell)| {
                let class = if cell.is_none() { "null" } else { class(column.cell_type) };
                let shown = cell.as_deref().map(|text| format_value(column, text));
                // Digits are grouped, so that a negative number would be taken for a formula.
                Cell { text: shown.map(|text| if class == "text" { guard_cell(&text) } else { text }), class }
            })
            .collect()
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    Table { head: head.collect(), count: describe_count(page, rows.len() as u64), rows }
}

/// Describes how many rows there are and how many are omitted.
fn describe_count(page: &Page, shown: u64) -> String {
    let left_out = page.row_count.saturating_sub(shown);
    match (left_out, page.truncated) {
        (0, false) => plural!(shown, "All {n} row", "All {n} rows"),
        (0, true) => plural!(shown, "The first row; more exist", "The first {n} rows; more exist"),
        (left, false) => {
            let all = format_number(page.row_count);
            plural!(
                shown,
                "The first {n} row of {all}; {left} are left out",
                "The first {n} rows of {all}; {left} are left out",
                all,
                left = format_number(left)
            )
        }
        (left, true) => plural!(
            shown,
            "The first {n} row; at least {left} are left out",
            "The first {n} rows; at least {left} are left out",
            left = format_number(left)
        ),
    }
}
