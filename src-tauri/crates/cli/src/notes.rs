//! Notes on an answer, one per line: its certainty, and the remarks of rules and checks.

use crate::output::{in_rows, sanitize_text};
use vitrine_domain::metric_answer::MetricAnswer;
use vitrine_domain::{Certainty, Definition, RunReport};
use vitrine_words::{format_percent, tr, translate_constant};

/// Returns one line for each change and finding of a rule, and for each check.
pub(crate) fn rule_lines(report: &RunReport) -> Vec<String> {
    let mut lines = Vec::new();
    for change in &report.changes {
        lines.push(tr!("changed ({rule}): {note}", rule = change.rule, note = sanitize_text(&change.note, false)));
    }
    if let Some(written) = &report.written {
        lines.push(format!("{}\n{}", tr!("as the model wrote it:"), sanitize_text(written, true)));
    }
    for variant in &report.variants {
        let rows = match (variant.row_count, variant.first_row.as_slice()) {
            (Some(1), [Some(value)]) => format!(", {}", sanitize_text(value, false)),
            (rows, _) => rows.map(|rows| format!(", {}", in_rows(rows))).unwrap_or_default(),
        };
        let of = format!("{}{rows}", variant.rule);
        lines.push(tr!("another interpretation ({of}): {note}", of, note = sanitize_text(&variant.note, false)));
        let merges = variant.always.iter().filter(|definition| definition.condition.is_none());
        for definition in merges {
            let command = definition_command(&report.warehouse, definition);
            lines
                .push(tr!("to count them as one in every answer: {command}", command = sanitize_text(&command, false)));
        }
    }
    for finding in &report.findings {
        lines.push(tr!("to check ({rule}): {note}", rule = finding.rule, note = sanitize_text(&finding.note, false)));
    }
    let checks = report.explanation.iter().flat_map(|explanation| &explanation.checks);
    for check in checks.filter(|check| check.may_change) {
        lines.push(tr!("to clarify: {question}", question = sanitize_text(&check.text, false)));
    }
    lines
}

/// Returns the command that saves a merge of values as a definition.
fn definition_command(warehouse: &str, definition: &Definition) -> String {
    let synonyms = definition.synonyms.iter().map(|value| format!(" --synonym={}", in_shell(value)));
    let subject = in_shell(definition.subject.as_deref().unwrap_or_default());
    let (warehouse, term) = (in_shell(warehouse), in_shell(&definition.term));
    format!("vitrine definitions add{} --of={subject} --always -- {warehouse} {term}", synonyms.collect::<String>())
}

/// Quotes a word for the shell.
fn in_shell(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | ':' | '@' | '+');
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Describes the metrics of an answer: their definitions, and how the question was understood.
pub(crate) fn metric_lines(answer: &MetricAnswer) -> Vec<String> {
    let mut lines = vec![answer.title()];
    for metric in &answer.metrics {
        let unit = metric.unit.as_ref().map(|unit| format!(" ({unit})")).unwrap_or_default();
        let description = metric.description.as_deref().map(|text| format!(": {text}")).unwrap_or_default();
        let conditions = match metric.filters.is_empty() {
            true => String::new(),
            false => format!(" [{}]", metric.filters.join("; ")),
        };
        lines.push(format!("  {}{unit}{description}{conditions}", metric.label));
    }
    let understood = [
        (tr!("By"), answer.by.join(", ")),
        (tr!("Only"), answer.filters.join("; ")),
        (tr!("Period"), answer.period.clone().unwrap_or_default()),
        (tr!("Also"), answer.calculation.clone().unwrap_or_default()),
        (tr!("Order"), answer.order.clone().unwrap_or_default()),
    ];
    lines
        .extend(understood.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("  {name}: {text}")));
    lines.iter().map(|line| sanitize_text(line, false)).collect()
}

/// Describes the certainty of the answer and its reasons on one line.
pub(crate) fn certainty_line(certainty: &Certainty) -> String {
    let reasons: Vec<&str> = certainty.reasons.iter().map(|reason| reason.text.as_str()).collect();
    // A model without calibration has no measured share of correct answers.
    let measured = certainty.is_measured();
    let (level, share) = (translate_constant(certainty.level.english_label()), format_percent(certainty.probability));
    let level = if measured { tr!("{level} ({share} likely right)", level, share) } else { level.to_owned() };
    let line = format!("{level}: {}", reasons.join(" "));
    sanitize_text(line.trim_end_matches([':', ' ']), false)
}
