//! The report as one page: no script, no font, no picture from elsewhere. Every text in it is escaped, since questions,
//! queries and error messages come from packs, models and databases.

use super::data::Report;
use super::sentences::{notes, sentence};
use super::summary::{Share, Summary, agent_place, right_in};
use super::svg::{Unit, bars, scatter, stacked};
use super::table::{agents, faults, faults_met, figures, groups, pairs};
use super::text::escape;
use crate::pack::EvalScope;
use crate::run::{Outcome, events_file, percent_encoded};
use std::path::Path;

impl Report {
    /// As one page without anything outside it, except for links to the events of questions, which are relative to
    /// the folder that the page will lie in.
    pub fn html(&self, page_folder: &Path) -> String {
        let links: Vec<String> = self.sources.iter().map(|run| run.events_link(page_folder)).collect();
        page(self, &links)
    }
}

/// The page. `links` leads to the events of each run.
fn page(report: &Report, links: &[String]) -> String {
    let title = format!("{}: {} questions", report.pack, report.questions);
    let names = report.runs.iter().map(|run| run.name.as_str()).collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{0}</title>\n\
         <style>\n{1}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n<p class=\"quiet\">{2} · {3} · evaluator {4}</p>\n",
        escape(&title),
        include_str!("page.css"),
        escape(&names),
        if judged(report) { format!("by {}'s rule", report.rule.name()) } else { "schema linking".to_owned() },
        report.evaluator
    );
    // The headline is the first line of the figures.
    out += &figures(report).html().replacen("<tbody>\n<tr>", "<tbody>\n<tr class=\"first\">", 1);
    for note in report.runs.iter().flat_map(|run| notes(run, report.evaluator)) {
        out += &format!("<p class=\"meta\">{}</p>\n", escape(&note));
    }
    out += &known_failures(report, links);
    out += &comparison(report, links);
    out += &hardness(report);
    out += &costs(report);
    out += &wrong(report, links);
    if report.runs[0].by_database.len() > 1 {
        out += &section("By database", &groups(report, |run| &run.by_database).html());
    }
    out + "</main>\n</body>\n</html>\n"
}

/// Whether there are answers to judge.
fn judged(report: &Report) -> bool {
    report.runs.iter().any(|run| run.answered.is_some())
}

fn section(title: &str, content: &str) -> String {
    format!("<section>\n<h2>{}</h2>\n{content}</section>\n", escape(title))
}

/// A plot with what its colours mean, where its own labels do not say so.
fn figure(names: &[String], plot: &str) -> String {
    let entry = |(index, name): (usize, &String)| format!("<li><i class=\"s{}\"></i>{}</li>", index % 6, escape(name));
    let legend: String = names.iter().enumerate().map(entry).collect();
    let legend = if names.is_empty() { legend } else { format!("<ul class=\"legend\">{legend}</ul>") };
    format!("<figure>{legend}{plot}</figure>\n")
}

fn run_names(report: &Report) -> Vec<String> {
    report.runs.iter().map(|run| run.name.clone()).collect()
}

fn hardness(report: &Report) -> String {
    let groups: Vec<(String, Vec<Option<f64>>)> = report.runs[0]
        .by_hardness
        .iter()
        .map(|group| {
            let right = |run: &Summary| right_in(&run.by_hardness, &group.name).map(Share::percent);
            (format!("{} ({})", group.name, group.right.of), report.runs.iter().map(right).collect())
        })
        .collect();
    if groups.is_empty() {
        return String::new();
    }
    let names = run_names(report);
    section("Right answers by hardness", &figure(&names, &bars(&names, &groups, 100.0, Unit::Percent)))
}

fn costs(report: &Report) -> String {
    let points: Vec<(String, f64, f64)> = report
        .runs
        .iter()
        .map(|run| {
            let right = run.right[&report.rule].map_or(0.0, Share::percent);
            (run.name.clone(), run.cost.worked_tokens(), right)
        })
        .collect();
    let plot = scatter(&points, "tokens read anew or written, a question", "right answers");
    let mut out =
        if judged(report) { section("Cost against right answers", &figure(&[], &plot)) } else { String::new() };

    let mut agent_names: Vec<String> = Vec::new();
    for agent in report.runs.iter().flat_map(|run| &run.by_agent) {
        if !agent_names.contains(&agent.agent) {
            agent_names.push(agent.agent.clone());
        }
    }
    agent_names.sort_by_key(|agent| agent_place(agent));
    let tokens = |run: &Summary, name: &str| {
        run.by_agent.iter().find(|agent| agent.agent == name).map_or(0.0, |agent| agent.cost.tokens())
    };
    let rows: Vec<(String, Vec<f64>)> = report
        .runs
        .iter()
        .map(|run| (run.name.clone(), agent_names.iter().map(|name| tokens(run, name)).collect()))
        .collect();
    let tables: String = report.runs.iter().map(|run| agents(run).html()).collect();
    let plot = figure(&agent_names, &stacked(&agent_names, &rows));
    out += &section("Tokens of a question by agent", &format!("{plot}{tables}"));
    out
}

fn wrong(report: &Report, links: &[String]) -> String {
    let groups: Vec<(String, Vec<Option<f64>>)> = faults_met(report)
        .into_iter()
        .map(|fault| (fault.name().to_owned(), report.runs.iter().map(|run| Some(run.fault(fault) as f64)).collect()))
        .collect();
    let mut out = String::new();
    if !groups.is_empty() {
        let largest = groups.iter().flat_map(|(_, values)| values).flatten().copied().fold(1.0, f64::max);
        let names = run_names(report);
        out += &figure(&names, &bars(&names, &groups, largest, Unit::Count));
        out += &faults(report).html();
    }
    // Several runs show what flipped instead.
    if let [run] = report.sources.as_slice() {
        let answers = run.outcomes.iter().filter(|_| run.scope == EvalScope::Answers);
        let wrong = answers.filter(|outcome| !outcome.is_right(report.rule));
        out += &wrong.map(|outcome| question(report, outcome, &[0], links, "")).collect::<String>();
    }
    if out.is_empty() { out } else { section("What is wrong with the wrong ones", &out) }
}

fn comparison(report: &Report, links: &[String]) -> String {
    let Some(own) = report.comparisons.first() else { return String::new() };
    let (base, run) = (0, report.runs.len() - 1);
    let mut out: String = report.comparisons.iter().map(|c| format!("<p>{}</p>\n", escape(&sentence(c)))).collect();
    if own.by_hardness.len() > 1 {
        out += &pairs(&own.by_hardness).html();
    }
    if own.by_database.len() > 1 {
        out += &pairs(&own.by_database).html();
    }
    for flip in &own.flips {
        let (tag, class) = if flip.won { ("won", "won") } else { ("lost", "lost") };
        let Some(outcome) = report.outcome(run, &flip.id) else { continue };
        out += &question(report, outcome, &[base, run], links, &format!("<span class=\"{class}\">{tag}</span>"));
    }
    section(&format!("{} against {}", own.run, own.base), &out)
}

fn known_failures(report: &Report, links: &[String]) -> String {
    let Some(known) = &report.known_failures else { return String::new() };
    let run = report.runs.len() - 1;
    let mut out = if known.written {
        format!("<p>The list was written: {} questions.</p>\n", known.still_wrong)
    } else {
        format!(
            "<p>New passes: {}. New failures: {}. Still wrong: {}.</p>\n",
            known.new_passes.len(),
            known.new_failures.len(),
            known.still_wrong
        )
    };
    let tagged = [(&known.new_passes, "won", "new pass"), (&known.new_failures, "lost", "new failure")];
    for (ids, class, tag) in tagged {
        for outcome in ids.iter().filter_map(|id| report.outcome(run, id)) {
            out += &question(report, outcome, &[run], links, &format!("<span class=\"{class}\">{tag}</span>"));
        }
    }
    section("Known failures", &out)
}

/// A question with its gold and what some runs said, to be opened.
fn question(report: &Report, outcome: &Outcome, runs: &[usize], links: &[String], tag: &str) -> String {
    // Results of the first version do not hold the question's text.
    let text = if outcome.question.is_empty() { &outcome.id } else { &outcome.question };
    let mut about = vec![outcome.db_id.as_str(), &outcome.hardness, &outcome.id];
    about.retain(|part| !part.is_empty() && part != text);
    let mut out = format!(
        "<details><summary>{tag}{} <span class=\"meta\">{}</span></summary><div>\n<h3>gold</h3><pre>{}</pre>\n",
        escape(text),
        escape(&about.join(" · ")),
        escape(&outcome.gold)
    );
    for &run in runs {
        let Some(said) = report.outcome(run, &outcome.id) else { continue };
        let fault = said.fault.map_or(String::new(), |fault| format!(" · {}", fault.name()));
        out += &format!(
            "<h3>{}{} · <a href=\"{}/{}\">events</a></h3><pre>{}</pre>\n",
            escape(&report.runs[run].name),
            escape(&fault),
            escape(&links[run]),
            percent_encoded(&events_file(&said.id)),
            escape(said.sql.as_deref().unwrap_or("no SQL"))
        );
        if let Some(error) = &said.error {
            out += &format!("<p class=\"meta\">{}</p>\n", escape(error));
        }
    }
    out + "</div></details>\n"
}
