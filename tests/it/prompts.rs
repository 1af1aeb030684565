//! What models read, through the real path of every method: what a small model reads stays as it was measured, and nothing
//! that a large one reads was written for a small one.

use crate::actor::{Actor, QUESTION};
use crate::bench::{Shop, run};
use crate::methods::{Written, settings};
use std::collections::BTreeSet;
use tokio_util::sync::CancellationToken;
use vitrine_agents::Ask;
use vitrine_agents::run::sandbox::{Analysed, AnalysisError};
use vitrine_domain::page::CellType;
use vitrine_domain::{AskSettings, ModelProfile, Page, ResultColumn, Switch};
use vitrine_llm::{ChatModel, Request, ScriptedModel};

fn small() -> ModelProfile {
    ScriptedModel::new(Vec::<&str>::new()).profile()
}

/// Settings with which the methods ask all that they can ask.
fn all_settings() -> Vec<AskSettings> {
    let in_parts = |settings: AskSettings| AskSettings { chunk_budget: Some(40), ..settings };
    vec![
        settings("direct", &[], &[]),
        settings("vote", &[], &[]),
        settings("auto", &[], &[]),
        settings("av-sql", &[], &[]),
        in_parts(settings("av-sql", &[], &[])),
        settings("dsr-sql", &[("dsr-sql.probes", "2")], &[]),
        settings("dsr-sql", &[("dsr-sql.probes", "0")], &[Switch::States]),
        in_parts(settings("dsr-sql", &[], &[])),
        settings("chase-sql", &[("chase-sql.examples", "1"), ("chase-sql.select", "pairwise")], &[]),
        settings("chase-sql", &[("chase-sql.examples", "1"), ("chase-sql.select", "ranker")], &[]),
        settings("reforce", &[("reforce.explore", "always")], &[]),
        settings("reforce", &[("reforce.votes", "3"), ("reforce.link_above", "0")], &[]),
        settings("prospy", &[], &[]),
        settings("prospy", &[], &[Switch::Dsl, Switch::Python]),
    ]
}

/// A definition that is short, and a text that is too long for any prompt.
fn knowledge() -> [String; 2] {
    let short = "Countries are written as two letters.";
    [short.to_owned(), format!("{}{short}", "The shop was founded long ago, by two sisters.\n".repeat(800))]
}

/// All requests of all methods.
async fn asked(profile: ModelProfile) -> Vec<Request> {
    let actor = Actor::new(profile);
    let shop = Shop::new();
    let mut asks: Vec<(AskSettings, String)> = Vec::new();
    let [short, long] = knowledge();
    asks.extend(all_settings().into_iter().map(|settings| (settings, short.clone())));
    asks.push((settings("av-sql", &[], &[]), long));
    for (settings, knowledge) in asks {
        let table = Page {
            columns: vec![ResultColumn::new("n", CellType::Integer)],
            rows: vec![vec![Some("4".into())]],
            row_count: 1,
            truncated: false,
        };
        let fails = Err(AnalysisError::Code("KeyError: 'nn', line 1".into()));
        let sandbox = Written::new(vec![fails, Ok(Analysed { page: table, printed: String::new() })]);
        let sandbox = (settings.strategy.as_str() == "prospy").then_some(sandbox as _);
        let name = settings.strategy.clone();
        let ask = shop.ask_with_all(QUESTION, &knowledge, settings, actor.clone()).await;
        let ran = run(Ask { sandbox, assess: true, ..ask }, CancellationToken::new()).await;
        // The baseline does not repair the first query, which fails.
        assert!(ran.outcome.is_ok() || name.as_str() == "direct", "{name}: {:?}", ran.outcome);
    }
    actor.requests()
}

/// What a model reads of a request, each text apart.
fn read(request: &Request) -> Vec<String> {
    let turns = request.turns.iter().flat_map(|(said, told)| [said.clone(), told.clone()]);
    [request.system.clone(), request.prefix.clone(), request.tail.clone(), request.assistant_prefix.clone()]
        .into_iter()
        .chain(turns)
        .filter(|text| !text.is_empty())
        .collect()
}

#[tokio::test]
async fn what_a_small_model_reads_stays_as_it_was_measured() {
    let texts: BTreeSet<String> = asked(small()).await.iter().flat_map(read).collect();
    // Knowledge in parts says the same many times.
    let texts: Vec<String> = texts
        .iter()
        .map(|text| text.replace(&"The shop was founded long ago, by two sisters.\n".repeat(8), ""))
        .collect();
    insta::assert_snapshot!(texts.join("\n=====\n"));
}
