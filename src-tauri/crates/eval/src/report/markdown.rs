//! The report as Markdown text.

use super::data::Report;
use super::known::KnownFailures;
use super::losses::{DEFINITIONS, candidates_table, generators_table, has_candidates, losses_table, paths_table};
use super::sentences::{collect_notes, describe_comparison};
use super::table::{agents_table, faults_table, figures_table, groups_table, reliability_table};

impl Report {
    /// Renders the report as Markdown text.
    pub fn to_markdown(&self) -> String {
        render_markdown(self)
    }
}

fn render_markdown(report: &Report) -> String {
    let mut out = format!(
        "### {}: {} questions, evaluator {}\n\n{}",
        report.pack,
        report.questions,
        report.evaluator,
        figures_table(report).to_markdown()
    );
    let notes: Vec<String> = report.runs.iter().flat_map(|run| collect_notes(run, report.evaluator)).collect();
    if !notes.is_empty() {
        out += &format!("\n{}\n", notes.join("\n"));
    }
    for comparison in &report.comparisons {
        out += &format!("\n{}\n", describe_comparison(comparison));
    }
    let section = |title: &str, table: String| format!("\n#### {title}\n\n{table}");
    if !report.runs[0].by_hardness.is_empty() {
        out += &section("By hardness", groups_table(report, |run| &run.by_hardness).to_markdown());
    }
    if report.runs[0].by_database.len() > 1 {
        out += &section("By database", groups_table(report, |run| &run.by_database).to_markdown());
    }
    let reliability =
        report.runs.iter().filter_map(|run| Some(reliability_table(&run.name, run.certainty.as_ref()?).to_markdown()));
    let reliability: Vec<String> = reliability.collect();
    if !reliability.is_empty() {
        out += &section("How likely answers were said to be right", reliability.join("\n"));
    }
    let faults = faults_table(report);
    if !faults.rows.is_empty() {
        out += &section("What is wrong with the wrong ones", faults.to_markdown());
    }
    if has_candidates(report) {
        out += &section("Where answers are lost", losses_table(report).to_markdown());
        let candidates = format!("{DEFINITIONS}\n\n{}", candidates_table(report).to_markdown());
        out += &section("Candidates", candidates);
        let tables: Vec<String> =
            report.runs.iter().filter_map(|run| Some(generators_table(run)?.to_markdown())).collect();
        if !tables.is_empty() {
            out += &section("Questions with a right query by generator", tables.join("\n"));
        }
        let paths = paths_table(report);
        if !paths.rows.is_empty() {
            out += &section("Right answers by path", paths.to_markdown());
        }
    }
    let tables: Vec<String> = report.runs.iter().map(|run| agents_table(run).to_markdown()).collect();
    out += &section("Mean cost of a question by agent", tables.join("\n"));
    if let Some(known) = &report.known_failures {
        out += &section("Known failures", known_failures(known));
    }
    out
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
