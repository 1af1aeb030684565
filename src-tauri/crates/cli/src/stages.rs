//! Progress of a run, on standard error: one line per finished stage, with its findings and errors below it.

use crate::output::{clean, count, note, number};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{HashMap, HashSet};
use std::io::IsTerminal;
use std::time::Duration;
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{
    Cluster, Confidence, EventBody, GenerationAction, LinkingPass, NodeId, RunEvent, RunReport, StageKind, ViewStatus,
};

/// Longest quotation of a message.
const QUOTED: usize = 160;

/// Prints a run for the user.
pub(crate) struct Stages {
    spinner: Option<ProgressBar>,
    titles: HashMap<NodeId, (String, u32)>,
    /// Pairs of values that were reported, in either order.
    likenesses: HashSet<[String; 2]>,
}

impl Stages {
    /// With a moving line where there is a terminal.
    pub(crate) fn new() -> Self {
        Self { spinner: spinner(), titles: HashMap::new(), likenesses: HashSet::new() }
    }

    /// Says what is being waited for.
    pub(crate) fn wait(&self, message: String) {
        if let Some(spinner) = &self.spinner {
            spinner.set_message(message);
        }
    }

    /// Tells one event.
    pub(crate) fn tell(&mut self, event: &RunEvent) {
        match &event.body {
            EventBody::StageStarted { node, kind, title, .. } => {
                // The answer speaks for itself.
                if *kind != StageKind::Result {
                    self.titles.insert(node.clone(), (title.clone(), event.at_ms));
                }
                self.wait(format!("{title} …"));
            }
            EventBody::StageKept { .. } => self.line("    kept from the earlier run"),
            EventBody::StageEdited { .. } => self.line("    as you set it"),
            EventBody::StageFinished { node, summary } => {
                let Some((title, began)) = self.titles.remove(node) else { return };
                let took = took(event.at_ms.saturating_sub(began).into());
                let took = took.map(|seconds| format!(" ({seconds})")).unwrap_or_default();
                self.line(&format!("{title}: {summary}{took}"));
            }
            EventBody::ValuesRetrieved { matches, .. } => {
                for found in matches.iter().filter(|m| m.literal != m.value) {
                    let mut pair = [found.literal.clone(), found.value.clone()];
                    pair.sort();
                    if !self.likenesses.insert(pair) {
                        continue;
                    }
                    self.line(&format!(
                        "    '{}' resembles '{}' in {}.{}",
                        found.literal, found.value, found.table, found.column
                    ));
                }
            }
            EventBody::ViewsAttempted { attempt, views, feedback, .. } => {
                let round = if *attempt == 0 { String::new() } else { format!(", repair {attempt}") };
                for view in views {
                    view.repairs
                        .iter()
                        .for_each(|repair| self.line(&format!("    view {}{round}: {}", view.name, quote(repair))));
                    let what = match view.status {
                        ViewStatus::Valid => count(view.page.as_ref().map_or(0, |page| page.row_count), "row"),
                        ViewStatus::Empty => "no rows".to_owned(),
                        ViewStatus::Error => quote(view.error.as_deref().unwrap_or("did not run")),
                    };
                    self.line(&format!("    view {}{round}: {what}", view.name));
                }
                if views.is_empty() {
                    feedback.iter().for_each(|message| self.line(&format!("    {}{round}", quote(message))));
                }
            }
            EventBody::ChunkFinished { chunk, outcome: ChunkOutcome::Failed, .. } => {
                self.line(&format!("    no view of part {chunk} could be used"));
            }
            EventBody::SqlAttempted { candidate, attempt, repairs, error, row_count, .. } => {
                let round = if *attempt == 0 { String::new() } else { format!(", repair {attempt}") };
                repairs
                    .iter()
                    .for_each(|repair| self.line(&format!("    candidate {candidate}{round}: {}", quote(repair))));
                let what = match (error, row_count) {
                    (Some(error), _) => quote(error),
                    (None, Some(rows)) => count(*rows, "row"),
                    (None, None) => "runs".to_owned(),
                };
                self.line(&format!("    candidate {candidate}{round}: {what}"));
            }
            EventBody::CandidateChosen { candidate, votes, of, others, .. } if *of > 1 => {
                self.line(&format!("    candidate {candidate} it is: {votes} of {of} agree with its result"));
                for other in others {
                    let first: Vec<&str> =
                        other.first_row.iter().map(|cell| cell.as_deref().unwrap_or("NULL")).collect();
                    let (votes, rows) = (count(u64::from(other.votes), "vote"), count(other.row_count, "row"));
                    self.line(&format!(
                        "    or candidate {} with {votes}: {rows}, {}",
                        other.candidate,
                        quote(&first.join(", "))
                    ));
                }
            }
            EventBody::SchemaLinked { pass, round, kept, changed, .. } => {
                let verb = if *pass == LinkingPass::BroughtBack { "brought back" } else { "left out" };
                let left = count(kept.tables.len() as u64, "table");
                self.line(&format!("    round {round}: {} {verb}, {left} kept", count(changed.len() as u64, "name")));
            }
            EventBody::Probed { probe, .. } => {
                let what = match (&probe.error, &probe.page) {
                    (Some(error), _) => quote(error),
                    (None, page) => count(page.as_ref().map_or(0, |page| page.row_count), "row"),
                };
                self.line(&format!("    probe {}, {}: {what}", probe.number, quote(&probe.purpose)));
            }
            EventBody::Summarised { facts, .. } => {
                facts.iter().for_each(|fact| self.line(&format!("    {}", quote(fact))));
            }
            EventBody::StateReached { step, action, aim, error, page, .. } => {
                let what = match error {
                    Some(error) => quote(error),
                    None => count(page.as_ref().map_or(0, |page| page.row_count), "row"),
                };
                let action = match action {
                    GenerationAction::Extend => "extend",
                    GenerationAction::Revise => "revise",
                    GenerationAction::Explore => "explore",
                    GenerationAction::Finalize => "finalize",
                };
                self.line(&format!("    step {step}, {action}: {}: {what}", quote(aim)));
            }
            EventBody::ExamplesWritten { examples, dropped, .. } => {
                self.line(&format!("    {} kept, {dropped} dropped", count(examples.len() as u64, "example")));
            }
            EventBody::ViewFetched { name, attempt, error, page, .. } => {
                let round = if *attempt == 0 { String::new() } else { format!(", repair {attempt}") };
                let what = match error {
                    Some(error) => quote(error),
                    None => count(page.as_ref().map_or(0, |page| page.row_count), "row"),
                };
                let cut = if page.as_ref().is_some_and(|page| page.truncated) { "cut off at " } else { "" };
                self.line(&format!("    view {name}{round}: {cut}{what}"));
            }
            EventBody::Analysed { execution, error, page, .. } => {
                let what = match error {
                    Some(error) => quote(error),
                    None => count(page.as_ref().map_or(0, |page| page.row_count), "row"),
                };
                self.line(&format!("    execution {execution}: {what}"));
            }
            EventBody::Voted { round, clusters, confidence, .. } => {
                let votes: Vec<String> = clusters.iter().map(|c| c.candidates.len().to_string()).collect();
                let sure = if *confidence == Confidence::High { "high" } else { "low" };
                self.line(&format!("    vote {round}: {} by result, {sure} confidence", votes.join(", ")));
            }
            EventBody::Compared { clusters, scores, .. } => {
                let of = |(cluster, score): (&Cluster, &u32)| format!("candidate {} {score}", cluster.candidates[0]);
                let points: Vec<String> = clusters.iter().zip(scores).map(of).collect();
                self.line(&format!("    compared in pairs, points: {}", points.join(", ")));
            }
            EventBody::Judged { candidates, better, .. } => {
                let said = match better {
                    Some(better) => format!("candidate {better} is preferred"),
                    None => "neither is preferred".to_owned(),
                };
                let pair: Vec<String> = candidates.iter().map(u32::to_string).collect();
                self.line(&format!("    candidates {} compared: {said}", pair.join(" and ")));
            }
            EventBody::Revised { kept, reason, before, after, .. } if before != after => {
                self.line(&format!("    revision {}: {}", if *kept { "kept" } else { "dropped" }, quote(reason)));
            }
            EventBody::Warning { message, .. } => self.line(&format!("warning: {message}")),
            _ => {}
        }
    }

    fn line(&self, text: &str) {
        let text = clean(text, false);
        match &self.spinner {
            Some(spinner) => spinner.suspend(|| note(&text)),
            None => note(&text),
        }
    }

    /// Brings the moving line back.
    pub(crate) fn moving(&mut self) {
        self.spinner = spinner();
    }

    /// Takes the moving line away.
    pub(crate) fn still(&mut self) {
        if let Some(spinner) = self.spinner.take() {
            spinner.finish_and_clear();
        }
    }
}

/// A moving line, where there is a terminal.
fn spinner() -> Option<ProgressBar> {
    std::io::stderr().is_terminal().then(|| {
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg} {elapsed}").expect("template"));
        bar.enable_steady_tick(Duration::from_millis(120));
        bar
    })
}

/// The SQL of an answer, and what the run cost.
pub(crate) fn closing(report: &RunReport) -> (Option<String>, String) {
    let usage = report.usage;
    let mut parts = Vec::new();
    if let Some(page) = &report.page {
        let rows = count(page.row_count, "row");
        parts.push(if page.truncated { format!("the first {rows}, there are more") } else { rows });
    }
    let reused = (usage.cached_prompt_tokens * 100).checked_div(usage.prompt_tokens).unwrap_or(0);
    parts.push(count(usage.llm_calls, "model call"));
    parts.push(format!("{} prompt tokens, {reused}% reused", number(usage.prompt_tokens)));
    if usage.cache_write_tokens > 0 {
        parts.push(format!("{} put into the provider's cache", number(usage.cache_write_tokens)));
    }
    parts.push(format!("{} tokens written", number(usage.completion_tokens)));
    if usage.reasoning_tokens > 0 {
        parts.push(format!("{} tokens of reasoning", number(usage.reasoning_tokens)));
    }
    parts.push(report.paid().money_text());
    if usage.billed_bytes > 0 {
        parts.push(format!("queries billed for {} MB", number(usage.billed_bytes.div_ceil(1_000_000))));
    }
    parts.extend(took(usage.wall_ms));
    parts.push(format!("run {}", report.run_id));
    (report.sql.as_deref().map(|sql| clean(sql.trim_end(), true)), parts.join(" · "))
}

/// Milliseconds in seconds; `None` where they are none that can be read, or unknown.
fn took(milliseconds: u64) -> Option<String> {
    (milliseconds >= 50).then(|| format!("{:.1} s", milliseconds as f64 / 1000.0))
}

fn quote(text: &str) -> String {
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
            closing(&RunReport { usage, ..RunReport::default() }).1
        };
        assert!(closed(16_540, 0).contains(" · 16.5 s · ") && closed(50, 0).contains(" · 0.1 s · "));
        assert!(!closed(0, 0).contains(" s · ") && !closed(49, 0).contains("0.0 s"), "{}", closed(0, 0));
        assert!(closed(0, 1_200).contains("1,200 put into the provider's cache"), "{}", closed(0, 1_200));
        assert!(!closed(0, 0).contains("cache"));
    }
}
