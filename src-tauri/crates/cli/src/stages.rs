//! Progress of a run, on standard error: one line per finished stage, with its findings and errors below it.

use crate::output::{format_number, in_rows, print_note, sanitize_text};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::time::Duration;
use vitrine_api::{Metering, metering_at};
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{
    Cluster, Confidence, EventBody, GenerationAction, LinkingPass, NodeId, RunEvent, RunReport, StageKind, ViewStatus,
};
use vitrine_words::{format_decimal, format_percent, plural, tr};

/// Maximum length of a quoted message, in characters.
const QUOTED: usize = 160;

/// Prints a run for the user.
pub(crate) struct Stages {
    spinner: Option<ProgressBar>,
    titles: HashMap<NodeId, (String, u32)>,
    /// Pairs of values that were reported, in either order.
    likenesses: HashSet<[String; 2]>,
}

impl Stages {
    /// Creates the output, with a spinner if there is a terminal.
    pub(crate) fn new() -> Self {
        Self { spinner: create_spinner(), titles: HashMap::new(), likenesses: HashSet::new() }
    }

    /// Shows the current activity next to the spinner.
    pub(crate) fn set_message(&self, message: String) {
        if let Some(spinner) = &self.spinner {
            spinner.set_message(message);
        }
    }

    /// Prints the line for one event.
    pub(crate) fn report_event(&mut self, event: &RunEvent) {
        match &event.body {
            EventBody::StageStarted { node, kind, title, .. } => {
                // The answer itself is printed separately.
                if *kind != StageKind::Result {
                    self.titles.insert(node.clone(), (title.clone(), event.at_ms));
                }
                self.set_message(format!("{title} …"));
            }
            EventBody::StageKept { .. } => self.print_line(&format!("    {}", tr!("kept from the earlier run"))),
            EventBody::StageEdited { .. } => self.print_line(&format!("    {}", tr!("as you set it"))),
            EventBody::StageFinished { node, summary } => {
                let Some((title, began)) = self.titles.remove(node) else { return };
                let took = format_duration(event.at_ms.saturating_sub(began).into());
                let took = took.map(|seconds| format!(" ({seconds})")).unwrap_or_default();
                self.print_line(&format!("{title}: {summary}{took}"));
            }
            EventBody::ValuesRetrieved { matches, .. } => {
                for found in matches.iter().filter(|m| m.literal != m.value) {
                    let mut pair = [found.literal.clone(), found.value.clone()];
                    pair.sort();
                    if !self.likenesses.insert(pair) {
                        continue;
                    }
                    let (literal, value) = (&found.literal, &found.value);
                    let column = format!("{}.{}", found.table, found.column);
                    let said = tr!("'{literal}' resembles '{value}' in {column}", literal, value, column);
                    self.print_line(&format!("    {said}"));
                }
            }
            EventBody::ViewsAttempted { attempt, views, feedback, .. } => {
                for view in views {
                    view.repairs.iter().for_each(|repair| {
                        self.print_line(&told_of(tr!("view {name}", name = view.name), *attempt, &quote_text(repair)))
                    });
                    let what = match view.status {
                        ViewStatus::Valid => in_rows(view.page.as_ref().map_or(0, |page| page.row_count)),
                        ViewStatus::Empty => tr!("no rows"),
                        ViewStatus::Error => quote_text(view.error.as_deref().unwrap_or(&tr!("did not run"))),
                    };
                    self.print_line(&told_of(tr!("view {name}", name = view.name), *attempt, &what));
                }
                if views.is_empty() {
                    feedback.iter().for_each(|message| self.print_line(&format!("    {}", quote_text(message))));
                }
            }
            EventBody::ChunkFinished { chunk, outcome: ChunkOutcome::Failed, .. } => {
                self.print_line(&format!("    {}", tr!("no view of part {chunk} could be used", chunk)));
            }
            EventBody::SqlAttempted { candidate, attempt, repairs, error, row_count, .. } => {
                repairs.iter().for_each(|repair| {
                    self.print_line(&told_of(tr!("candidate {candidate}", candidate), *attempt, &quote_text(repair)))
                });
                let what = match (error, row_count) {
                    (Some(error), _) => quote_text(error),
                    (None, Some(rows)) => in_rows(*rows),
                    (None, None) => tr!("runs"),
                };
                self.print_line(&told_of(tr!("candidate {candidate}", candidate), *attempt, &what));
            }
            EventBody::CandidateChosen { candidate, votes, of, others, .. } if *of > 1 => {
                let said =
                    tr!("candidate {candidate} it is: {votes} of {of} agree with its result", candidate, votes, of);
                self.print_line(&format!("    {said}"));
                for other in others {
                    let first: Vec<&str> =
                        other.first_row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect();
                    let said = plural!(
                        other.votes,
                        "or candidate {candidate} with {n} vote: {rows}, {first}",
                        "or candidate {candidate} with {n} votes: {rows}, {first}",
                        candidate = other.candidate,
                        rows = in_rows(other.row_count),
                        first = quote_text(&first.join(", "))
                    );
                    self.print_line(&format!("    {said}"));
                }
            }
            EventBody::SchemaLinked { pass, round, kept, changed, .. } => {
                let left = plural!(kept.tables.len(), "{n} table", "{n} tables");
                let names = changed.len();
                let said = match *pass == LinkingPass::BroughtBack {
                    true => plural!(
                        names,
                        "round {round}: {n} name brought back, {left} kept",
                        "round {round}: {n} names brought back, {left} kept",
                        round,
                        left
                    ),
                    false => plural!(
                        names,
                        "round {round}: {n} name left out, {left} kept",
                        "round {round}: {n} names left out, {left} kept",
                        round,
                        left
                    ),
                };
                self.print_line(&format!("    {said}"));
            }
            EventBody::Probed { probe, .. } => {
                let what = match (&probe.error, &probe.page) {
                    (Some(error), _) => quote_text(error),
                    (None, page) => in_rows(page.as_ref().map_or(0, |page| page.row_count)),
                };
                self.print_line(&format!(
                    "    {}",
                    tr!(
                        "probe {number}, {purpose}: {what}",
                        number = probe.number,
                        purpose = quote_text(&probe.purpose),
                        what
                    )
                ));
            }
            EventBody::Summarised { facts, .. } => {
                facts.iter().for_each(|fact| self.print_line(&format!("    {}", quote_text(fact))));
            }
            EventBody::StateReached { step, action, aim, error, page, .. } => {
                let what = match error {
                    Some(error) => quote_text(error),
                    None => in_rows(page.as_ref().map_or(0, |page| page.row_count)),
                };
                let action = match action {
                    GenerationAction::Extend => tr!("extend"),
                    GenerationAction::Revise => tr!("revise"),
                    GenerationAction::Explore => tr!("explore"),
                    GenerationAction::Finalize => tr!("finalize"),
                };
                self.print_line(&format!(
                    "    {}",
                    tr!("step {step}, {action}: {aim}: {what}", step, action, aim = quote_text(aim), what)
                ));
            }
            EventBody::ExamplesWritten { examples, dropped, .. } => {
                self.print_line(&format!(
                    "    {}",
                    plural!(
                        examples.len(),
                        "{n} example kept, {dropped} dropped",
                        "{n} examples kept, {dropped} dropped",
                        dropped
                    )
                ));
            }
            EventBody::ViewFetched { name, attempt, error, page, .. } => {
                let what = match error {
                    Some(error) => quote_text(error),
                    None => in_rows(page.as_ref().map_or(0, |page| page.row_count)),
                };
                let is_cut = page.as_ref().is_some_and(|page| page.truncated);
                let what = if is_cut { tr!("cut off at {rows}", rows = what) } else { what };
                self.print_line(&told_of(tr!("view {name}", name), *attempt, &what));
            }
            EventBody::Analysed { execution, error, page, .. } => {
                let what = match error {
                    Some(error) => quote_text(error),
                    None => in_rows(page.as_ref().map_or(0, |page| page.row_count)),
                };
                self.print_line(&format!("    {}", tr!("execution {execution}: {what}", execution, what)));
            }
            EventBody::Voted { round, clusters, confidence, .. } => {
                let votes: Vec<String> = clusters.iter().map(|c| c.candidates.len().to_string()).collect();
                let sure = if *confidence == Confidence::High { tr!("high") } else { tr!("low") };
                self.print_line(&format!(
                    "    {}",
                    tr!("vote {round}: {votes} by result, {sure} confidence", round, votes = votes.join(", "), sure)
                ));
            }
            EventBody::Compared { clusters, scores, .. } => {
                let of = |(cluster, score): (&Cluster, &u32)| {
                    tr!("candidate {candidate} {score}", candidate = cluster.candidates[0], score)
                };
                let points: Vec<String> = clusters.iter().zip(scores).map(of).collect();
                self.print_line(&format!(
                    "    {}",
                    tr!("compared in pairs, points: {points}", points = points.join(", "))
                ));
            }
            EventBody::Judged { candidates, better, .. } => {
                let said = match better {
                    Some(better) => tr!("candidate {better} is preferred", better),
                    None => tr!("neither is preferred"),
                };
                let pair: Vec<String> = candidates.iter().map(u32::to_string).collect();
                self.print_line(&format!(
                    "    {}",
                    tr!("candidates {pair} compared: {said}", pair = pair.join(" and "), said)
                ));
            }
            EventBody::Revised { kept, reason, before, after, .. } if before != after => {
                self.print_line(&match *kept {
                    true => format!("    {}", tr!("revision kept: {reason}", reason = quote_text(reason))),
                    false => format!("    {}", tr!("revision dropped: {reason}", reason = quote_text(reason))),
                });
            }
            EventBody::Warning { message, .. } => self.print_line(&tr!("warning: {message}", message)),
            _ => {}
        }
    }

    fn print_line(&self, text: &str) {
        let text = sanitize_text(text, false);
        match &self.spinner {
            Some(spinner) => spinner.suspend(|| print_note(&text)),
            None => print_note(&text),
        }
    }

    pub(crate) fn start_spinner(&mut self) {
        self.spinner = create_spinner();
    }

    pub(crate) fn stop_spinner(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}

/// Creates a spinner if there is a terminal.
fn create_spinner() -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("template"));
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    })
}

/// Returns the SQL of an answer, and the cost of the run.
pub(crate) fn format_summary(report: &RunReport) -> (Option<String>, String) {
    let usage = report.usage;
    let mut parts = Vec::new();
    if let Some(page) = &report.page {
        let rows = in_rows(page.row_count);
        parts.push(if page.truncated { tr!("the first {rows}, there are more", rows) } else { rows });
    }
    let reused = (usage.cached_prompt_tokens * 100).checked_div(usage.prompt_tokens).unwrap_or(0);
    parts.push(plural!(usage.llm_calls, "{n} model call", "{n} model calls"));
    parts.push(tr!(
        "{tokens} prompt tokens, {share} reused",
        tokens = format_number(usage.prompt_tokens),
        share = format_percent(reused as f64 / 100.0)
    ));
    if usage.cache_write_tokens > 0 {
        parts.push(tr!("{tokens} written to the provider's cache", tokens = format_number(usage.cache_write_tokens)));
    }
    parts.push(tr!("{tokens} tokens written", tokens = format_number(usage.completion_tokens)));
    if usage.reasoning_tokens > 0 {
        parts.push(tr!("{tokens} tokens of reasoning", tokens = format_number(usage.reasoning_tokens)));
    }
    parts.push(report.total_usage().money_text());
    if usage.billed_bytes > 0 {
        let megabytes = format_number(usage.billed_bytes.div_ceil(1_000_000));
        parts.push(match metering_at(&report.warehouse) {
            Metering::Billed => tr!("queries billed for {megabytes} MB", megabytes),
            Metering::Read | Metering::Untold => tr!("queries read {megabytes} MB", megabytes),
        });
    }
    parts.extend(format_duration(usage.wall_ms));
    parts.push(tr!("run {id}", id = report.run_id));
    (report.sql.as_deref().map(|sql| sanitize_text(sql.trim_end(), true)), parts.join(" · "))
}

/// Formats milliseconds as seconds. `None` for durations that are too short to show or unknown.
fn format_duration(milliseconds: u64) -> Option<String> {
    (milliseconds >= 50).then(|| format!("{} s", format_decimal(milliseconds as f64 / 1000.0, 1)))
}

/// Formats an outcome as a line; attempts after the first are numbered.
fn told_of(what: String, attempt: u32, came: &str) -> String {
    let what = if attempt == 0 { what } else { tr!("{what}, repair {attempt}", what, attempt) };
    format!("    {what}: {came}")
}

fn quote_text(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::Usage;

    #[test]
    fn a_time_that_cannot_be_read_is_not_told() {
        let closed = |wall_ms, cache_write_tokens| {
            let usage = Usage { llm_calls: 1, wall_ms, cache_write_tokens, ..Usage::default() };
            format_summary(&RunReport { usage, ..RunReport::default() }).1
        };
        assert!(closed(16_540, 0).contains(" · 16.5 s · ") && closed(50, 0).contains(" · 0.1 s · "));
        assert!(!closed(0, 0).contains(" s · ") && !closed(49, 0).contains("0.0 s"), "{}", closed(0, 0));
        assert!(closed(0, 1_200).contains("1,200 written to the provider's cache"), "{}", closed(0, 1_200));
        assert!(!closed(0, 0).contains("cache"));
    }
}
