//! Sentences of a report, the same in Markdown and HTML.

use super::compare::Comparison;
use super::summary::{Share, Summary};

/// Returns notes on the interpretation of a run's figures.
pub(super) fn collect_notes(run: &Summary, evaluator: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if !run.left_out.is_empty() {
        let reasons: Vec<String> = run.left_out.iter().map(|(why, n)| format!("{n} ({})", why.reason_text())).collect();
        notes.push(format!("{}: left out of the pack {}.", run.name, reasons.join(", ")));
    }
    if run.missing_documents > 0 {
        let count = run.missing_documents;
        notes.push(format!("{}: questions of the pack without the document that they name: {count}.", run.name));
    }
    if let Some(asked) = run.asked {
        let Share { count, of, .. } = asked;
        notes.push(format!("{}: asked {of} times, {count} times with the reading that was meant.", run.name));
    }
    match &run.candidates {
        None if run.answered.is_some() => notes.push(format!("{}: the candidates were not evaluated.", run.name)),
        Some(all) if all.evaluated.count < all.evaluated.of => {
            let Share { count, of, .. } = all.evaluated;
            notes.push(format!("{}: the candidates of {count} of {of} questions were evaluated.", run.name));
        }
        _ => {}
    }
    if let Some(all) = run.candidates.as_ref().filter(|all| all.not_judged > 0) {
        notes.push(format!("{}: queries beyond the limits, without a verdict: {}.", run.name, all.not_judged));
    }
    if run.evaluator != evaluator {
        notes.push(format!("{} was judged by evaluator {}.", run.name, run.evaluator));
    }
    notes
}

/// Describes a comparison in one sentence.
pub(super) fn describe_comparison(c: &Comparison) -> String {
    let count = |n: u32, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let p = if c.p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {:.3}", c.p) };
    format!(
        "{} against {} by {}'s rule: {}, {} ({} both right, {} both wrong), {:+.1} points, 95% interval {:+.1} to {:+.1}, sign test {p}.",
        c.run,
        c.base,
        c.rule.name(),
        count(c.all.wins, "win", "wins"),
        count(c.all.losses, "loss", "losses"),
        c.all.both_right,
        c.all.both_wrong,
        c.difference,
        c.interval[0],
        c.interval[1],
    )
}
