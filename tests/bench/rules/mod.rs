//! The effect of each rule on queries: on right ones, gold SQL, and on wrong ones from a model's recorded replies. Each
//! database has a catalog, profile and value index as in a run.

mod heard;
mod known;
mod tally;
mod tapes;

use crate::Options;
use crate::engines::{self, Engines, OnEngine};
use crate::report::{Figure, Section, Table, count};
use anyhow::{Context, Result};
use known::Known;
use std::collections::{BTreeMap, BTreeSet};
use tally::Tallies;
use tapes::Tapes;
use vitrine_domain::{Applicability, RuleInfo};
use vitrine_eval::{EvalScope, Pack, Question};
use vitrine_sql_rules::describe_rules;

const HOW: &str = "\
    Every gold query that runs, through the registry, with catalog, profile and value index; values are not looked \
    up by meaning. Gold is taken to be right. Only safe rules change a query: the first table lists queries that \
    were changed. Variants and findings do not change a query: \"spoken\" is \
    how often they had something to say of a right query, \"other result\" how often the variant gave another \
    result. DuckDB holds copies of the SQLite databases, with the keys that their rows keep to, and is asked at most \
    1,500 questions of a pack, in the words of SQLite. What a model wrote (`--replies`) is right or wrong by the \
    pack's rule; a wrong query is mended where a rule's is right. A dash: nothing of a model was at hand, or the \
    rule changes nothing.";
const HEAD: [&str; 7] = ["code", "rule", "kind", "spoken", "other result", "spoken of wrong", "mended"];

pub fn section(options: &Options) -> Result<Section> {
    let folders: Vec<_> = options.packs.iter().filter(|folder| folder.is_dir()).collect();
    if folders.is_empty() {
        return Ok(Section::skipped(
            "skipped: packs of questions with gold SQL and databases are no part of the project; name their folders with --packs",
        ));
    }
    let tapes = Tapes::read(&options.replies)?;
    let mut engines = Engines::new()?;
    let mut section = Section { how: HOW.to_owned(), ..Section::default() };
    let mut silent: BTreeSet<String> =
        describe_rules().into_iter().map(|rule| format!("{} {}", rule.code, rule.name)).collect();
    let runtime = tokio::runtime::Runtime::new()?;
    for folder in folders {
        for on_engine in runtime.block_on(engines.each(Pack::load(folder, EvalScope::Answers)?))? {
            eprintln!("rules over {}", on_engine.name);
            let tallies = runtime.block_on(tally(&on_engine, &engines, &tapes))?;
            section.figures.extend(figures(&on_engine.name, &tallies));
            let table = table(&on_engine.name, &tallies, &tapes.models());
            table.rows.iter().for_each(|row| {
                silent.remove(&format!("{} {}", row[0], row[1]));
            });
            section.tables.push(table);
        }
    }
    if !silent.is_empty() {
        section.how += &format!(" No query was a case of {}.", silent.into_iter().collect::<Vec<_>>().join(", "));
    }
    Ok(section)
}

fn figures(name: &str, tallies: &Tallies) -> Vec<Figure> {
    vec![
        Figure::new(
            format!("{name}: gold queries that run"),
            format!("{} of {}", count(tallies.gold), count(tallies.questions)),
        ),
        Figure::new(format!("{name}: gone on otherwise than written"), count(tallies.changed)),
        Figure::new(format!("{name}: with another result then"), count(tallies.broken)).goal("0", tallies.broken == 0),
    ]
}

/// Returns a table of the rules that had an effect.
fn table(name: &str, tallies: &Tallies, models: &str) -> Table {
    let Tallies { gold, right, wrong, by_rule, .. } = tallies;
    let wrote = right + wrong > 0;
    let cell = |is_said: bool, number: u64| if is_said { count(number) } else { "-".to_owned() };
    let row = |rule: RuleInfo| {
        let tally = by_rule.get(rule.code.as_str())?;
        let changes = rule.applicability != Applicability::Hint;
        Some(vec![
            rule.code.to_string(),
            rule.name,
            rule.applicability.as_str().to_owned(),
            count(tally.spoken),
            cell(changes, tally.other_result),
            cell(wrote, tally.spoken_of_wrong),
            cell(changes && wrote, tally.mended),
        ])
    };
    let written = format!(", {} right and {} wrong ones of {models}", count(*right), count(*wrong));
    let caption = format!("{name}: {} gold queries{}", count(*gold), if wrote { &written } else { "" });
    Table { caption, head: &HEAD, numbers: 3..7, rows: describe_rules().into_iter().filter_map(row).collect() }
}

async fn tally(on_engine: &OnEngine, engines: &Engines, tapes: &Tapes) -> Result<Tallies> {
    let mut by_database: BTreeMap<&str, Vec<&Question>> = BTreeMap::new();
    for question in &on_engine.pack.questions {
        by_database.entry(&question.warehouse).or_default().push(question);
    }
    let mut tallies = Tallies::default();
    for (index, (address, questions)) in by_database.into_iter().enumerate() {
        let values = engines.file(&format!("{}-{index}.db", on_engine.name));
        let known = Known::of(&engines::opened(address)?, &values).await.with_context(|| address.to_owned())?;
        for question in questions {
            tallies.look_at(question, on_engine.pack.rule, &known, tapes).await;
        }
        known.close().await;
    }
    Ok(tallies)
}
