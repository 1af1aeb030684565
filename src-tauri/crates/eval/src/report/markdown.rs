//! The report as a Markdown text.

use super::summary::Share;
use super::table::{agents, faults, figures, groups};
use super::{Report, Summary};
use crate::compare::Comparison;
use crate::known::KnownFailures;

pub(super) fn text(report: &Report) -> String {
    let mut out = format!(
        "### {}: {} questions, evaluator {}\n\n{}",
        report.pack,
        report.questions,
        report.evaluator,
        figures(report).markdown()
    );
    let notes: Vec<String> = report.runs.iter().flat_map(|run| notes(run, report.evaluator)).collect();
    if !notes.is_empty() {
        out += &format!("\n{}\n", notes.join("\n"));
    }
    for comparison in &report.comparisons {
        out += &format!("\n{}\n", sentence(comparison));
    }
    let section = |title: &str, table: String| format!("\n#### {title}\n\n{table}");
    if !report.runs[0].by_hardness.is_empty() {
        out += &section("By hardness", groups(report, |run| &run.by_hardness).markdown());
    }
    if report.runs[0].by_database.len() > 1 {
        out += &section("By database", groups(report, |run| &run.by_database).markdown());
    }
    let faults = faults(report);
    if !faults.rows.is_empty() {
        out += &section("What is wrong with the wrong ones", faults.markdown());
    }
    let tables: Vec<String> = report.runs.iter().map(|run| agents(run).markdown()).collect();
    out += &section("Mean cost of a question by agent", tables.join("\n"));
    if let Some(known) = &report.known_failures {
        out += &section("Known failures", known_failures(known));
    }
    out
}

/// What one should know about a run's figures.
pub(super) fn notes(run: &Summary, evaluator: &str) -> Vec<String> {
    let mut notes = Vec::new();
    if !run.left_out.is_empty() {
        let reasons: Vec<String> = run.left_out.iter().map(|(why, n)| format!("{n} ({})", why.reason())).collect();
        notes.push(format!("{}: left out of the pack {}.", run.name, reasons.join(", ")));
    }
    if let Some(asked) = run.asked {
        let Share { count, of, .. } = asked;
        notes.push(format!("{}: asked {of} times, {count} times with the reading that was meant.", run.name));
    }
    if run.evaluator != evaluator {
        notes.push(format!("{} was judged by evaluator {}.", run.name, run.evaluator));
    }
    notes
}

/// The comparison in one sentence.
pub(super) fn sentence(c: &Comparison) -> String {
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

fn known_failures(known: &KnownFailures) -> String {
    let ids = |ids: &[String]| if ids.is_empty() { "none".to_owned() } else { ids.join(", ") };
    if known.written {
        return format!("The list was written: {} questions.\n", known.still_wrong);
    }
    format!(
        "- new passes: {}\n- new failures: {}\n- still wrong: {}\n",
        ids(&known.new_passes),
        ids(&known.new_failures),
        known.still_wrong
    )
}
