//! Tables of a report, the same in Markdown and HTML.

use super::certainty::{Bin, CertaintySummary};
use super::compare::PairGroup;
use super::data::Report;
use super::summary::{Cost, Group, LinkingMeans, MeanPhases, Share, Summary, right_in};
use crate::metrics::Rule;
use crate::metrics::fault::Fault;
use serde::Serialize;

/// A table of text cells; the first column is the row's header.
#[derive(Serialize)]
pub(super) struct Table {
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn to_markdown(&self) -> String {
        let cell = |cell: &String| cell.replace('|', "\\|").replace('\n', " ");
        let line = |cells: &[String]| format!("| {} |\n", cells.iter().map(cell).collect::<Vec<_>>().join(" | "));
        let rule = format!("|---|{}\n", "---:|".repeat(self.head.len() - 1));
        line(&self.head) + &rule + &self.rows.iter().map(|row| line(row)).collect::<String>()
    }
}

pub(super) fn join_cells(first: &str, rest: impl IntoIterator<Item = impl Into<String>>) -> Vec<String> {
    std::iter::once(first.to_owned()).chain(rest.into_iter().map(Into::into)).collect()
}

pub(super) fn list_run_names(report: &Report) -> impl Iterator<Item = String> {
    report.runs.iter().map(|run| run.name.clone())
}

/// Formats a share as `73.9% (34)`.
pub(super) fn format_share(share: Share) -> String {
    format!("{:.1}% ({})", share.percent(), share.count)
}

/// Returns the figures of all runs. The pack's own rule comes first.
pub(super) fn figures_table(report: &Report) -> Table {
    type Cell<'a> = (String, Box<dyn Fn(&Summary) -> Option<String> + 'a>);
    let figure = |label: &str, cell: fn(&Summary) -> Option<String>| -> Cell<'_> { (label.to_owned(), Box::new(cell)) };
    let mut rules = Rule::ALL.to_vec();
    rules.sort_by_key(|&rule| rule != report.rule);
    let mut figures: Vec<Cell<'_>> = rules
        .into_iter()
        .map(|rule| -> Cell<'_> {
            (format!("right by {}'s rule", rule.name()), Box::new(move |run| run.right[&rule].map(format_share)))
        })
        .collect();
    let percent = |value: f64| format!("{:.1}%", 100.0 * value);
    let linking = |label: &str, value: fn(&LinkingMeans) -> f64| -> Cell<'_> {
        (label.to_owned(), Box::new(move |run| run.linking.as_ref().map(|means| percent(value(means)))))
    };
    let phase = |label: &str, value: fn(&MeanPhases) -> f64| -> Cell<'_> {
        (label.to_owned(), Box::new(move |run| run.phases.as_ref().map(|phases| format!("{:.1}", value(phases)))))
    };
    figures.extend([
        figure("answered", |run| run.answered.map(format_share)),
        figure("called sure", |run| run.certainty.as_ref().map(|certainty| format_share(certainty.called_sure))),
        figure("right of those called sure", |run| {
            run.certainty.as_ref().map(|certainty| format_share(certainty.sure_right))
        }),
        figure("wrong answers that were flagged", |run| {
            run.certainty.as_ref().map(|certainty| format_share(certainty.wrong_flagged))
        }),
        linking("tables, strict recall", |means| means.table_strict_recall),
        linking("tables, recall", |means| means.table_recall),
        linking("tables, precision", |means| means.table_precision),
        linking("tables, F1", |means| means.table_f1),
        linking("columns, recall", |means| means.column_recall),
        linking("columns, precision", |means| means.column_precision),
        figure("median seconds", |run| run.median_seconds.map(|seconds| format!("{seconds:.1}"))),
        phase("seconds to the answer, mean", |phases| phases.answer),
        phase("of them reading prompts", |phases| phases.prompt),
        phase("of them writing", |phases| phases.generation),
        phase("of them in the database", |phases| phases.execution),
        phase("seconds of the check, mean", |phases| phases.check),
        // Shown because questions that share a processor take longer.
        figure("questions at once", |run| (run.at_once > 1).then(|| run.at_once.to_string())),
        figure("model calls, mean", |run| Some(format!("{:.1}", run.cost.llm_calls))),
        figure("prompt tokens, mean", |run| Some(format!("{:.0}", run.cost.prompt_tokens))),
        figure("prompt tokens, median", |run| Some(run.median_prompt_tokens.to_string())),
        figure("of them reused", |run| {
            let all = run.cost.prompt_tokens;
            Some(format!("{:.0}%", if all > 0.0 { 100.0 * run.cost.cached_prompt_tokens / all } else { 0.0 }))
        }),
        figure("completion tokens, mean", |run| Some(format!("{:.0}", run.cost.completion_tokens))),
        figure("database calls, mean", |run| Some(format!("{:.1}", run.cost.db_calls))),
    ]);
    let row = |(label, cell): &Cell<'_>| {
        let cells: Vec<Option<String>> = report.runs.iter().map(cell).collect();
        // Omits figures that no run has.
        let known = cells.iter().any(Option::is_some);
        known.then(|| join_cells(label, cells.into_iter().map(|cell| cell.unwrap_or("–".to_owned()))))
    };
    Table { head: join_cells("", list_run_names(report)), rows: figures.iter().filter_map(row).collect() }
}

/// Returns right answers by group, with the number of questions in each.
pub(super) fn groups_table(report: &Report, of: fn(&Summary) -> &[Group]) -> Table {
    let rows = of(&report.runs[0]).iter().map(|group| {
        let mut row = vec![group.name.clone(), group.right.of.to_string()];
        row.extend(report.runs.iter().map(|run| right_in(of(run), &group.name).map_or("–".to_owned(), format_share)));
        row
    });
    let mut head = join_cells("", ["questions".to_owned()]);
    head.extend(list_run_names(report));
    Table { head, rows: rows.collect() }
}

/// Returns the faults that occur in any run.
pub(super) fn faults_met(report: &Report) -> Vec<Fault> {
    Fault::ALL.into_iter().filter(|&fault| report.runs.iter().any(|run| run.count_fault(fault) > 0)).collect()
}

/// Returns the number of answers by fault; empty if no run has faults.
pub(super) fn faults_table(report: &Report) -> Table {
    let row = |fault: Fault| join_cells(fault.name(), report.runs.iter().map(|run| run.count_fault(fault).to_string()));
    let mut rows: Vec<Vec<String>> = faults_met(report).into_iter().map(row).collect();
    if !rows.is_empty() && report.runs.iter().any(|run| run.unclassified > 0) {
        rows.push(join_cells("no gold SQL", report.runs.iter().map(|run| run.unclassified.to_string())));
    }
    Table { head: join_cells("", list_run_names(report)), rows }
}

/// Returns the cost of each agent of a run.
pub(super) fn agents_table(run: &Summary) -> Table {
    let row = |name: &str, cost: &Cost| {
        let cells = [
            format!("{:.1}", cost.llm_calls),
            format!("{:.0}", cost.prompt_tokens),
            format!("{:.0}", cost.cached_prompt_tokens),
            format!("{:.0}", cost.completion_tokens),
            format!("{:.1}", cost.db_calls),
            format!("{:.1}", cost.seconds),
        ];
        join_cells(name, cells)
    };
    let columns = ["calls", "prompt tokens", "reused", "completion tokens", "database calls", "seconds"];
    Table {
        head: join_cells(&run.name, columns),
        rows: run.by_agent.iter().map(|agent| row(&agent.agent, &agent.cost)).collect(),
    }
}

/// Returns wins and losses by group.
pub(super) fn pairs_table(groups: &[PairGroup]) -> Table {
    let row = |PairGroup { name, pairs }: &PairGroup| {
        let counts = [pairs.wins, pairs.losses, pairs.both_right, pairs.both_wrong].map(|n| n.to_string());
        let mut row = join_cells(name, counts);
        row.push(format!("{:+.1}", pairs.win_difference()));
        row
    };
    Table {
        head: join_cells("", ["wins", "losses", "both right", "both wrong", "points"]),
        rows: groups.iter().map(row).collect(),
    }
}

/// Returns the reliability diagram as a table: stated probabilities and the share of right answers.
pub(super) fn reliability_table(name: &str, certainty: &CertaintySummary) -> Table {
    let percent = |share: f64| format!("{:.0}%", 100.0 * share);
    let row = |bin: &Bin| {
        let right = format!("{} ({} of {})", percent(bin.right.share), bin.right.count, bin.right.of);
        vec![format!("{} to {}", percent(bin.from), percent(bin.to)), percent(bin.said), right]
    };
    Table { head: join_cells(name, ["said", "right"]), rows: certainty.bins.iter().map(row).collect() }
}
