//! Tables of a report over all candidates, the same in Markdown and HTML.

use super::candidates::{CandidateSummary, Loss};
use super::data::Report;
use super::share::Share;
use super::summary::Summary;
use super::table::{Table, format_share, join_cells, list_run_names};
use crate::metrics::error_class::ErrorClass;
use std::collections::BTreeSet;
use vitrine_domain::GenerationPath;

/// Definitions of the figures, for a reader of the tables.
pub(super) const DEFINITIONS: &str = "A candidate is a query written as final SQL, with its corrections. pass@k is the \
     expected share of questions with a right one among k of their n candidates, 1 - C(n - c, k) / C(n, k) with c right \
     ones; with n <= k it is 1 if one is right. recall@k counts questions with a right one among their first k \
     candidates. The upper bound counts questions with any right query, the lower bound those whose candidates are all \
     right.";

/// Returns `true` if candidates of any run were evaluated.
pub(super) fn has_candidates(report: &Report) -> bool {
    report.runs.iter().any(|run| run.candidates.is_some())
}

/// Returns a row with a cell for each run.
fn row_of(report: &Report, label: &str, cell: impl Fn(&Summary, &CandidateSummary) -> String) -> Vec<String> {
    let cells = report.runs.iter().map(|run| match &run.candidates {
        Some(candidates) => cell(run, candidates),
        None => "not evaluated".to_owned(),
    });
    join_cells(label, cells)
}

fn percent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

/// Returns the bounds of each run, pass@k and recall@k.
pub(super) fn candidates_table(report: &Report) -> Table {
    let summaries = || report.runs.iter().filter_map(|run| run.candidates.as_ref());
    let sizes: BTreeSet<usize> = summaries().flat_map(|summary| &summary.pass_at).map(|at| at.k).collect();
    let of_k = |share: Option<f64>| share.map_or("–".to_owned(), percent);
    let mut rows = vec![row_of(report, "candidates, mean", |_, all| format!("{:.1}", all.mean_candidates))];
    for &k in &sizes {
        rows.push(row_of(report, &format!("pass@{k}"), |_, all| {
            of_k(all.pass_at.iter().find(|at| at.k == k).map(|at| at.share))
        }));
    }
    for &k in &sizes {
        rows.push(row_of(report, &format!("recall@{k}"), |_, all| {
            of_k(all.recall_at.iter().find(|at| at.k == k).map(|at| at.share.share))
        }));
    }
    rows.extend([
        row_of(report, "upper bound", |_, all| format_share(all.upper_bound)),
        row_of(report, "lower bound", |_, all| format_share(all.lower_bound)),
        row_of(report, "right, not chosen", |_, all| format_share(all.right_not_chosen)),
    ]);
    Table { head: join_cells("", list_run_names(report)), rows }
}

/// Returns side by side where each run loses answers, and the errors of wrong answers.
pub(super) fn losses_table(report: &Report) -> Table {
    let part = |loss: Loss| {
        row_of(report, loss.name(), move |_, all| format_share(Share::new(all.count_loss(loss), all.evaluated.count)))
    };
    let right = |all: &CandidateSummary| all.evaluated.count - all.losses.values().sum::<usize>();
    let mut rows = vec![row_of(report, "right", |_, all| format_share(Share::new(right(all), all.evaluated.count)))];
    rows.extend(Loss::ALL.into_iter().map(part));
    let met = |class: &ErrorClass| {
        report.runs.iter().filter_map(|run| run.candidates.as_ref()).any(|all| all.count_error(*class) > 0)
    };
    rows.extend(ErrorClass::ALL.into_iter().filter(met).map(|class| {
        row_of(report, &format!("error: {}", class.name()), move |_, all| all.count_error(class).to_string())
    }));
    if report.runs.iter().any(|run| run.candidates.as_ref().is_some_and(|all| all.unclassified > 0)) {
        rows.push(row_of(report, "error: no gold SQL", |_, all| all.unclassified.to_string()));
    }
    Table { head: join_cells("", list_run_names(report)), rows }
}

/// Returns the right queries of a run by generator and prompt; `None` if its candidates were not evaluated.
pub(super) fn generators_table(run: &Summary) -> Option<Table> {
    let rows = run.candidates.as_ref()?.generators.iter().map(|summary| {
        let prompt = summary.prompt.as_ref().map(|prompt| match prompt.parse::<u32>() {
            Ok(number) => format!(", prompt {number}"),
            Err(_) => format!(", {prompt}"),
        });
        let name = format!("{}{}", summary.generator, prompt.unwrap_or_default());
        let cells = [summary.right.of.to_string(), format_share(summary.right), summary.unique.to_string()];
        join_cells(&name, cells)
    });
    let rows: Vec<Vec<String>> = rows.collect();
    (!rows.is_empty()).then(|| Table { head: join_cells(&run.name, ["questions", "right", "only these"]), rows })
}

/// Returns right answers by DSR-SQL's path; without rows if no run has a path.
pub(super) fn paths_table(report: &Report) -> Table {
    let find = |run: &Summary, path: GenerationPath| {
        run.candidates.as_ref()?.paths.iter().find(|summary| summary.path == path).map(|summary| summary.right)
    };
    let taken = |path: &GenerationPath| report.runs.iter().any(|run| find(run, *path).is_some());
    let row = |path: GenerationPath| {
        let cell = |run: &Summary| match find(run, path) {
            Some(right) => format!("{:.1}% ({} of {})", right.percent(), right.count, right.of),
            None => "–".to_owned(),
        };
        join_cells(path.name(), report.runs.iter().map(cell))
    };
    Table {
        head: join_cells("", list_run_names(report)),
        rows: GenerationPath::ALL.into_iter().filter(taken).map(row).collect(),
    }
}
