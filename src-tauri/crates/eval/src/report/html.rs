//! Content of the HTML report. Markup and escaping are in `page.html`.

use super::data::Report;
use super::losses::{DEFINITIONS, candidates_table, generators_table, has_candidates, losses_table, paths_table};
use super::plot::{Plot, Unit, plot_bars, plot_points, plot_stacked_bars};
use super::sentences::{collect_notes, describe_comparison};
use super::summary::{Share, Summary, agent_place, right_in};
use super::table::{self, Table, agents_table, faults_met, faults_table, figures_table, groups_table, pairs_table};
use crate::pack::EvalScope;
use crate::run::{Outcome, events_file, percent_encoded};
use minijinja::{Environment, UndefinedBehavior};
use serde::Serialize;
use std::path::Path;

impl Report {
    /// Renders a single HTML page without external resources, except for links to the events of questions, which are
    /// relative to `page_folder`.
    pub fn to_html(&self, page_folder: &Path) -> String {
        let links: Vec<String> = self.sources.iter().map(|run| run.events_link(page_folder)).collect();
        render_page(&build_page(self, &links))
    }
}

#[derive(Serialize)]
struct Page {
    title: String,
    style: &'static str,
    runs: String,
    measured: String,
    evaluator: &'static str,
    /// Figures of the runs; the first row is the headline.
    figures: Table,
    notes: Vec<String>,
    sections: Vec<Section>,
}

#[derive(Serialize)]
struct Section {
    title: String,
    parts: Vec<SectionPart>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum SectionPart {
    Paragraph {
        text: String,
    },
    Table(Table),
    /// A plot; the legend explains colours if the plot's own labels do not.
    Figure {
        legend: Vec<String>,
        plot: Plot,
    },
    Question(Question),
}

/// A collapsible question with its gold query and the answers of some runs.
#[derive(Serialize)]
struct Question {
    tag: Option<Tag>,
    text: String,
    about: String,
    gold: String,
    answers: Vec<Answer>,
}

#[derive(Clone, Copy, Serialize)]
struct Tag {
    class: &'static str,
    text: &'static str,
}

#[derive(Serialize)]
struct Answer {
    run: String,
    fault: Option<&'static str>,
    /// Address of the folder with its events.
    folder: String,
    file: String,
    sql: String,
    error: Option<String>,
}

/// Renders the template; a mismatch between template and page is a programming error that the tests find.
fn render_page(page: &Page) -> String {
    const NAME: &str = "page.html";
    let mut environment = Environment::new();
    environment.set_undefined_behavior(UndefinedBehavior::Strict);
    environment.set_trim_blocks(true);
    environment.set_lstrip_blocks(true);
    environment.set_keep_trailing_newline(true);
    // The extension of the name enables escaping of every value.
    let rendered = environment
        .add_template(NAME, include_str!("page.html"))
        .and_then(|()| environment.get_template(NAME)?.render(page));
    rendered.unwrap_or_else(|error| panic!("{NAME}: {error:#}"))
}

/// Builds the page. `links` holds the address of each run's events.
fn build_page(report: &Report, links: &[String]) -> Page {
    let by_database = (report.runs[0].by_database.len() > 1)
        .then(|| Section::new("By database", vec![SectionPart::Table(groups_table(report, |run| &run.by_database))]));
    let sections = [
        known_failures(report, links),
        comparison_section(report, links),
        hardness_section(report),
        reliability_section(report),
        costs_section(report),
    ];
    let sections = sections.into_iter().flatten();
    Page {
        title: format!("{}: {} questions", report.pack, report.questions),
        style: include_str!("page.css"),
        runs: run_names(report).join(", "),
        measured: if has_judged_answers(report) {
            format!("by {}'s rule", report.rule.name())
        } else {
            "schema linking".to_owned()
        },
        evaluator: report.evaluator,
        figures: figures_table(report),
        notes: report.runs.iter().flat_map(|run| collect_notes(run, report.evaluator)).collect(),
        sections: sections
            .chain([tokens_section(report)])
            .chain(wrong_section(report, links))
            .chain(candidates_section(report))
            .chain(by_database)
            .collect(),
    }
}

impl Section {
    fn new(title: impl Into<String>, parts: Vec<SectionPart>) -> Self {
        Self { title: title.into(), parts }
    }
}

/// Returns `true` if any run has answers to judge.
fn has_judged_answers(report: &Report) -> bool {
    report.runs.iter().any(|run| run.answered.is_some())
}

fn run_names(report: &Report) -> Vec<String> {
    report.runs.iter().map(|run| run.name.clone()).collect()
}

fn hardness_section(report: &Report) -> Option<Section> {
    let groups: Vec<(String, Vec<Option<f64>>)> = report.runs[0]
        .by_hardness
        .iter()
        .map(|group| {
            let right = |run: &Summary| right_in(&run.by_hardness, &group.name).map(Share::percent);
            (format!("{} ({})", group.name, group.right.of), report.runs.iter().map(right).collect())
        })
        .collect();
    let names = run_names(report);
    let plot = plot_bars(&names, &groups, 100.0, Unit::Percent);
    (!groups.is_empty())
        .then(|| Section::new("Right answers by hardness", vec![SectionPart::Figure { legend: names, plot }]))
}

/// Shows stated probabilities against the share of right answers.
fn reliability_section(report: &Report) -> Option<Section> {
    let told = report.runs.iter().filter_map(|run| Some((run, run.certainty.as_ref()?)));
    let parts: Vec<SectionPart> = told
        .flat_map(|(run, certainty)| {
            let groups: Vec<(String, Vec<Option<f64>>)> = certainty
                .bins
                .iter()
                .map(|bin| {
                    let name = format!("{:.0} to {:.0}% ({})", 100.0 * bin.from, 100.0 * bin.to, bin.right.of);
                    (name, vec![Some(100.0 * bin.said), Some(bin.right.percent())])
                })
                .collect();
            let legend = ["said", "right"].map(str::to_owned).to_vec();
            let plot = plot_bars(&legend, &groups, 100.0, Unit::Percent);
            let text = format!("{}: {}", run.name, certainty.to_sentence());
            [
                SectionPart::Paragraph { text },
                SectionPart::Figure { legend, plot },
                SectionPart::Table(table::reliability_table(&run.name, certainty)),
            ]
        })
        .collect();
    (!parts.is_empty()).then(|| Section::new("How likely answers were said to be right", parts))
}

fn costs_section(report: &Report) -> Option<Section> {
    let points: Vec<(String, f64, f64)> = report
        .runs
        .iter()
        .map(|run| {
            let right = run.right[&report.rule].map_or(0.0, Share::percent);
            (run.name.clone(), run.cost.worked_tokens(), right)
        })
        .collect();
    let plot = plot_points(&points, "tokens read anew or written, a question", "right answers");
    let figure = SectionPart::Figure { legend: Vec::new(), plot };
    has_judged_answers(report).then(|| Section::new("Cost against right answers", vec![figure]))
}

fn tokens_section(report: &Report) -> Section {
    let mut agent_names: Vec<String> = Vec::new();
    for agent in report.runs.iter().flat_map(|run| &run.by_agent) {
        if !agent_names.contains(&agent.agent) {
            agent_names.push(agent.agent.clone());
        }
    }
    agent_names.sort_by_key(|agent| agent_place(agent));
    let tokens = |run: &Summary, name: &str| {
        run.by_agent.iter().find(|agent| agent.agent == name).map_or(0.0, |agent| agent.cost.total_tokens())
    };
    let rows: Vec<(String, Vec<f64>)> = report
        .runs
        .iter()
        .map(|run| (run.name.clone(), agent_names.iter().map(|name| tokens(run, name)).collect()))
        .collect();
    let plot = plot_stacked_bars(&agent_names, &rows);
    let tables = report.runs.iter().map(|run| SectionPart::Table(agents_table(run)));
    let figure = SectionPart::Figure { legend: agent_names, plot };
    Section::new("Tokens of a question by agent", std::iter::once(figure).chain(tables).collect())
}

fn wrong_section(report: &Report, links: &[String]) -> Option<Section> {
    let groups: Vec<(String, Vec<Option<f64>>)> = faults_met(report)
        .into_iter()
        .map(|fault| {
            (fault.name().to_owned(), report.runs.iter().map(|run| Some(run.count_fault(fault) as f64)).collect())
        })
        .collect();
    let mut parts = Vec::new();
    if !groups.is_empty() {
        let largest = groups.iter().flat_map(|(_, values)| values).flatten().copied().fold(1.0, f64::max);
        let names = run_names(report);
        let plot = plot_bars(&names, &groups, largest, Unit::Count);
        parts.extend([SectionPart::Figure { legend: names, plot }, SectionPart::Table(faults_table(report))]);
    }
    // Reports of several runs show flipped questions instead.
    if let [run] = report.sources.as_slice() {
        let answers = run.outcomes.iter().filter(|_| run.scope == EvalScope::Answers);
        let wrong = answers.filter(|outcome| !outcome.is_right(report.rule));
        parts.extend(wrong.map(|outcome| question_part(report, outcome, &[0], links, None)));
    }
    (!parts.is_empty()).then(|| Section::new("What is wrong with the wrong ones", parts))
}

fn candidates_section(report: &Report) -> Option<Section> {
    let mut parts = vec![
        SectionPart::Table(losses_table(report)),
        SectionPart::Paragraph { text: DEFINITIONS.to_owned() },
        SectionPart::Table(candidates_table(report)),
    ];
    parts.extend(report.runs.iter().filter_map(generators_table).map(SectionPart::Table));
    let paths = paths_table(report);
    parts.extend((!paths.rows.is_empty()).then_some(SectionPart::Table(paths)));
    has_candidates(report).then(|| Section::new("Where answers are lost", parts))
}

fn comparison_section(report: &Report, links: &[String]) -> Option<Section> {
    let own = report.comparisons.first()?;
    let (base, run) = (0, report.runs.len() - 1);
    let mut parts: Vec<SectionPart> =
        report.comparisons.iter().map(|c| SectionPart::Paragraph { text: describe_comparison(c) }).collect();
    for groups in [&own.by_hardness, &own.by_database] {
        if groups.len() > 1 {
            parts.push(SectionPart::Table(pairs_table(groups)));
        }
    }
    for flip in &own.flips {
        let text = if flip.won { "won" } else { "lost" };
        let Some(outcome) = report.find_outcome(run, &flip.id) else { continue };
        parts.push(question_part(report, outcome, &[base, run], links, Some(Tag { class: text, text })));
    }
    Some(Section::new(format!("{} against {}", own.run, own.base), parts))
}

fn known_failures(report: &Report, links: &[String]) -> Option<Section> {
    let known = report.known_failures.as_ref()?;
    let run = report.runs.len() - 1;
    let text = if known.written {
        format!("The list was written: {} questions.", known.still_wrong)
    } else {
        format!(
            "New passes: {}. New failures: {}. Still wrong: {}.",
            known.new_passes.len(),
            known.new_failures.len(),
            known.still_wrong
        )
    };
    let mut parts = vec![SectionPart::Paragraph { text }];
    let tagged = [(&known.new_passes, "won", "new pass"), (&known.new_failures, "lost", "new failure")];
    for (ids, class, text) in tagged {
        let outcomes = ids.iter().filter_map(|id| report.find_outcome(run, id));
        parts.extend(outcomes.map(|outcome| question_part(report, outcome, &[run], links, Some(Tag { class, text }))));
    }
    Some(Section::new("Known failures", parts))
}

fn question_part(
    report: &Report,
    outcome: &Outcome,
    runs: &[usize],
    links: &[String],
    tag: Option<Tag>,
) -> SectionPart {
    // Results of the first version do not contain the question's text.
    let text = if outcome.question.is_empty() { &outcome.id } else { &outcome.question };
    let mut about = vec![outcome.db_id.as_str(), &outcome.hardness, &outcome.id];
    about.retain(|part| !part.is_empty() && part != text);
    let answer = |&run: &usize| {
        let said = report.find_outcome(run, &outcome.id)?;
        Some(Answer {
            run: report.runs[run].name.clone(),
            fault: said.fault.map(|fault| fault.name()),
            folder: links[run].clone(),
            file: percent_encoded(&events_file(&said.id)),
            sql: said.sql.clone().unwrap_or_else(|| "no SQL".to_owned()),
            error: said.error.clone(),
        })
    };
    SectionPart::Question(Question {
        tag,
        text: text.clone(),
        about: about.join(" · "),
        gold: outcome.gold.clone(),
        answers: runs.iter().filter_map(answer).collect(),
    })
}
