//! Every method with a model that is always right, over questions of Spider's training set, so that every wrong answer
//! is an error of the method. The data is not part of the project; without it, `everyday` tests every method on its own
//! databases. `VITRINE_EVERY=7` asks every seventh question instead of every twentieth, `VITRINE_UNFENCED=1` makes
//! replies begin with the SQL.

use crate::bench::{Known, in_order, run};
use crate::gold::{Answer, Declared, GoldServer, flat, serve};
use futures::{StreamExt, stream};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::METHODS;
use vitrine_domain::{AskSettings, RunStatus};
use vitrine_sql::ReadOnlySql;

/// Sampling interval of the usable questions.
const EVERY: usize = 20;

#[derive(Debug, Clone, Deserialize)]
struct Question {
    id: String,
    db_id: String,
    question: String,
    gold_sql: Vec<String>,
    gold_ok: bool,
    #[serde(default)]
    gold_trivial: bool,
}

/// Replaces double quotes around texts in Spider's queries with single quotes.
fn in_single_quotes(sql: &str) -> String {
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => part.to_owned(),
        _ => format!("'{}'", part.replace('\'', "''")),
    };
    sql.split('"').enumerate().map(part).collect()
}

/// Checks that a file is an SQLite database rather than a placeholder.
fn is_database(path: &Path) -> bool {
    let mut start = [0; 16];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut start)).is_ok() && &start == b"SQLite format 3\0"
}

/// Returns the reason why an answer differs from the gold result, if it does.
async fn fault(known: &Known, question: &Question, method: &str, server: &GoldServer) -> Option<String> {
    let gold = &question.gold_sql[0];
    let right = known.rows(gold).await.expect("gold runs");
    let settings = AskSettings { strategy: method.into(), ..AskSettings::default() };
    let ran =
        run(known.ask(question.question.trim(), settings, Declared::new(server, true)), CancellationToken::new()).await;
    if ran.report.status() != RunStatus::Answered {
        return Some(format!("no answer: {:?}", ran.outcome.as_ref().err().map(|error| &error.message)));
    }
    let ordered = ReadOnlySql::parse(gold, known.catalog.dialect).is_ok_and(|sql| sql.is_ordered());
    let page = ran.report.page.as_ref().expect("an answer has rows");
    (in_order(page, ordered) != right)
        .then(|| format!("gold: {gold}\n      answered: {}", flat(ran.report.sql.as_deref().unwrap_or_default())))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_method_answers_as_its_model_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data/spider_train");
    let Ok(lines) = std::fs::read_to_string(folder.join("questions.jsonl")) else {
        println!("skipped: there is no {}", folder.display());
        return;
    };
    let every = std::env::var("VITRINE_EVERY").ok().and_then(|text| text.parse().ok()).unwrap_or(EVERY);
    let fenced = std::env::var_os("VITRINE_UNFENCED").is_none();
    let file = |name: &str| folder.join("databases").join(format!("{name}.sqlite"));
    let questions = lines.lines().map(|line| serde_json::from_str::<Question>(line).expect("a question"));
    let usable = questions.filter(|question| question.gold_ok && !question.gold_trivial);
    let mut by_database: BTreeMap<String, Vec<Question>> = BTreeMap::new();
    for question in usable.step_by(every) {
        if !is_database(&file(&question.db_id)) {
            continue;
        }
        let asked = by_database.entry(question.db_id.clone()).or_default();
        // The model recognizes a question only by its text.
        if asked.iter().all(|other| flat(&other.question) != flat(&question.question)) {
            asked.push(question);
        }
    }
    if by_database.is_empty() {
        println!("skipped: {} has no databases", folder.display());
        return;
    }
    let faults: Vec<Vec<(&str, String, String)>> = stream::iter(by_database)
        .map(|(name, mut questions)| {
            let path = file(&name);
            async move {
                let index = tempfile::tempdir().expect("a temporary folder");
                let known = Known::of(&format!("sqlite:{}", path.display()), &index.path().join("values.db")).await;
                let mut found = Vec::new();
                for question in &mut questions {
                    let gold = question.gold_sql[0].trim().trim_end_matches(';').to_owned();
                    let runs = known.rows(&gold).await.is_ok();
                    question.gold_sql[0] = if runs { gold } else { in_single_quotes(&gold) };
                    if let Err(error) = known.rows(&question.gold_sql[0]).await {
                        let refused = format!("gold does not run: {error}\n      {}", question.gold_sql[0]);
                        found.push(("direct", question.id.clone(), refused));
                    }
                }
                questions.retain(|question| found.iter().all(|(_, id, _)| *id != question.id));
                let answers = questions.iter().map(|q| Answer {
                    question: q.question.clone(),
                    sql: q.gold_sql[0].clone(),
                    doubted: None,
                });
                let server = serve(answers, fenced);
                for question in &questions {
                    for method in METHODS.iter().map(|method| method.info.name) {
                        if let Some(fault) = fault(&known, question, method, &server).await {
                            found.push((method, question.id.clone(), fault));
                        }
                    }
                }
                found
            }
        })
        .buffer_unordered(3)
        .collect()
        .await;
    let mut faults: Vec<_> = faults.into_iter().flatten().collect();
    faults.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    let mut by_method: BTreeMap<&str, usize> = BTreeMap::new();
    faults.iter().for_each(|(method, ..)| *by_method.entry(*method).or_default() += 1);
    let lines: Vec<String> = faults.iter().map(|(method, id, fault)| format!("{method} {id}\n      {fault}")).collect();
    assert!(lines.is_empty(), "wrong answers by method: {by_method:?}\n{}", lines.join("\n"));
}
