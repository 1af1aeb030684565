//! Two models in one run, as in the hybrid preset: a small local one for linking, exploring and views, and a large one
//! for the rest. Each reads the schema in its own format and part size.

use crate::actor::{Actor, QUESTION};
use crate::bench::{Shop, run};
use crate::methods::settings;
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, Models};
use vitrine_domain::{Agent, Dialect, ModelProfile, Switch};
use vitrine_llm::{ChatModel, Request, ScriptedModel};
use vitrine_sql::DialectExt;

const LOCAL: [Agent; 4] = [Agent::Rewriter, Agent::Linker, Agent::Explorer, Agent::ViewGenerator];

/// Look-alike tables; the question names the first, and a prompt without that information shows the last.
const YEARS: &str = "CREATE TABLE visits_2022 (id INTEGER PRIMARY KEY, day TEXT, people INTEGER);
    CREATE TABLE visits_2023 (id INTEGER PRIMARY KEY, day TEXT, people INTEGER);
    INSERT INTO visits_2022 VALUES (1,'2022-05-01',7),(2,'2022-05-02',9);
    INSERT INTO visits_2023 VALUES (1,'2023-05-01',8),(2,'2023-05-02',3);";

/// Returns the requests to the small and to the large model of a run.
async fn asked(method: &str, set: &[(&str, &str)], without: &[Switch]) -> [Vec<Request>; 2] {
    let small = ScriptedModel::new(Vec::<&str>::new()).profile();
    // So small that it reads the schema in parts.
    let small = Actor::new(ModelProfile { chunk_budget: 60, ..small });
    let wide = ModelProfile { context_tokens: 131_072, ..ModelProfile::default() };
    // `auto` creates views only if queries disagree.
    let large = if method == "auto" { Actor::that_wavers(wide) } else { Actor::new(wide) };
    let local = LOCAL.map(|agent| (agent, Arc::clone(&small) as Arc<dyn ChatModel>));
    let models = Models { default: large.clone(), by_agent: BTreeMap::from(local) };
    let shop = Shop::with(YEARS);
    let question = format!("{QUESTION} See visits_2022.");
    let ask = shop.ask_with_all(&question, "Countries are codes.", settings(method, set, without), large.clone()).await;
    let ran = run(Ask { models, ..ask }, CancellationToken::new()).await;
    assert!(ran.outcome.is_ok(), "{method}: {:?}", ran.outcome);
    [small.requests(), large.requests()]
}

/// A method with parameters and excluded parts.
type MethodCase = (&'static str, &'static [(&'static str, &'static str)], &'static [Switch]);

#[tokio::test]
async fn each_model_of_a_run_reads_the_schema_in_its_own_form_and_parts() {
    let page = Dialect::Sqlite.sql().reference_page().lines().next().expect("a line");
    let cases: [MethodCase; 6] = [
        ("av-sql", &[], &[]),
        ("auto", &[], &[]),
        ("dsr-sql", &[("dsr-sql.probes", "2")], &[]),
        ("chase-sql", &[("chase-sql.candidates", "2"), ("chase-sql.examples", "1")], &[]),
        ("reforce", &[("reforce.explore", "always"), ("reforce.link_above", "0")], &[]),
        ("prospy", &[], &[Switch::Python]),
    ];
    for (method, set, without) in cases {
        let [small, large] = asked(method, set, without).await;
        let with_schema = |requests: &[Request]| -> Vec<String> {
            requests.iter().map(|request| request.prefix.clone()).filter(|prefix| prefix.contains("Schema:")).collect()
        };
        let (small, large) = (with_schema(&small), with_schema(&large));
        assert!(!small.is_empty() && !large.is_empty(), "{method}: {} and {}", small.len(), large.len());
        for prefix in &small {
            assert!(prefix.contains("CREATE TABLE") && !prefix.contains("# Table: "), "{method}: {prefix}");
            assert!(!prefix.contains(page), "{method}: pages are for large models: {prefix}");
            assert!(!prefix.contains("distinct"), "{method}: statistics are for large models: {prefix}");
        }
        assert!(
            small.iter().any(|prefix| !(prefix.contains("customer") && prefix.contains("purchase"))),
            "{method}: a small model reads parts"
        );
        for prefix in &large {
            let form = if method == "dsr-sql" { "# Table: " } else { "CREATE TABLE" };
            assert!(prefix.contains(form), "{method}: {prefix}");
            assert!(!prefix.contains(",\n)"), "{method}: a last comma is for small models: {prefix}");
        }
        assert!(large.iter().any(|prefix| prefix.contains(page)), "{method}: {}", large[0]);
    }
}

#[tokio::test]
async fn a_large_model_is_shown_the_look_alike_that_the_question_names_though_a_small_one_reads_the_schema_first() {
    let [small, large] = asked("chase-sql", &[("chase-sql.candidates", "1"), ("chase-sql.examples", "1")], &[]).await;
    let all =
        |requests: &[Request]| requests.iter().map(|request| request.prefix.as_str()).collect::<Vec<_>>().join("\n");
    let days = |requests: &[Request]| ["2022-05-0", "2023-05-0"].map(|day| all(requests).contains(day));
    assert_eq!(days(&large), [true, false], "{}", all(&large));
    assert_eq!(days(&small), [false, true], "{}", all(&small));
}
