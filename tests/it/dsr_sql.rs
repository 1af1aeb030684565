//! DSR-SQL: checks the log of each step, with a small and a large model, with knowledge, stored values and their
//! embeddings.

use crate::bench::{Ran, Shop, large, run, small};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::parameters;
use vitrine_domain::{AskSettings, EventBody, GenerationAction, LinkingPass, RunStatus, Switch};
use vitrine_llm::{Line, OutputFormat, ScriptedModel};
use vitrine_words::Language;

const QUESTION: &str = "How many customers live in each country?";
const KNOWLEDGE: &str = "Countries are written as two letters.";
const BY_COUNTRY: &str = "SELECT country, COUNT(*) FROM customer GROUP BY country";
const PROBES: &str = r#"{"probes":[{"purpose":"countries","sql":"SELECT DISTINCT country FROM customer"}]}"#;
const FACTS: &str = r#"{"facts":["the customer's country is 'US', 'DE' or 'FR'","a shop's country is 'Atlantis'"]}"#;

fn settings(set: &[(&str, &str)]) -> AskSettings {
    let mut settings = AskSettings { strategy: "dsr-sql".into(), ..AskSettings::default() };
    set.iter().for_each(|(key, value)| parameters::set_parameter(&mut settings.methods, key, value).unwrap());
    settings
}

async fn ask(shop: &Shop, settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    run(shop.ask_with_all(QUESTION, KNOWLEDGE, settings, model.clone()).await, CancellationToken::new()).await
}

fn say(text: &str) -> Line {
    Line::Say(text.to_owned())
}

fn step(action: &str, sql: &str) -> Line {
    say(&format!(r#"{{"aim":"next","action":"{action}","sql":"{sql}"}}"#))
}

fn facts(ran: &Ran) -> Vec<Vec<String>> {
    ran.pick(|body| match body {
        EventBody::Summarised { facts, .. } => Some(facts.clone()),
        _ => None,
    })
}

#[tokio::test]
async fn the_data_is_probed_with_a_model_that_gains_from_it() {
    let one = || settings(&[("dsr-sql.samples", "1")]);
    let probed = |ran: &Ran| {
        ran.pick(|body| match body {
            EventBody::Probed { probe, .. } => Some(probe.sql.clone()),
            _ => None,
        })
    };
    let model = large(vec![say(BY_COUNTRY), say(PROBES), say(FACTS), step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), one(), &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    ran.assert_whole();
    assert_eq!(probed(&ran), ["SELECT DISTINCT country FROM customer"]);
    assert_eq!(facts(&ran), [["the customer's country is 'US', 'DE' or 'FR'"]], "nobody saw Atlantis");
    let summary = &model.requests()[2].tail;
    assert!(summary.contains("(country)\n  (US)"), "rows stand below the names of their columns: {summary}");
    // A large model is asked for everything that the query needs, a small one for a few facts, as it was measured.
    let asked_for = |summary: &str| ["part by part", "up to 5 short facts"].map(|words| summary.contains(words));
    assert_eq!(asked_for(summary), [true, false], "{summary}");

    let model = small(vec![say(BY_COUNTRY), say(FACTS), step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), one(), &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    assert_eq!(asked_for(&model.requests()[1].tail), [false, true], "{}", model.requests()[1].tail);
    assert!(probed(&ran).is_empty());
    let told = settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "2")]);
    let model = small(vec![say(BY_COUNTRY), say(PROBES), say(FACTS), step("finalize", BY_COUNTRY)]);
    assert_eq!(probed(&ask(&Shop::new(), told, &model).await).len(), 1, "told to, it is");
}

#[tokio::test]
async fn a_step_is_decided_after_its_aim_and_an_explore_step_logs_what_ran() {
    let shop = Shop::new();
    // The name is nearly right, so that the executed query differs from the written one.
    let written = "SELECT countri FROM customer";
    let lines = |first: Vec<Line>| {
        let steps = [step("explore", written), step("finalize", BY_COUNTRY)];
        first.into_iter().chain([say(FACTS)]).chain(steps).collect::<Vec<_>>()
    };
    for (model, of_large) in
        [(large(lines(vec![say(BY_COUNTRY), say(PROBES)])), true), (small(lines(vec![say(BY_COUNTRY)])), false)]
    {
        let ran = ask(&shop, settings(&[("dsr-sql.samples", "1")]), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let explored = ran.pick(|body| match body {
            EventBody::StateReached { action: GenerationAction::Explore, sql, page, .. } => {
                Some((sql.split_whitespace().collect::<Vec<_>>().join(" "), page.is_some()))
            }
            _ => None,
        });
        assert_eq!(explored, [("SELECT country FROM customer".to_owned(), true)]);
        let requests = model.requests();
        let OutputFormat::JsonSchema { schema, .. } = &requests.last().unwrap().output else { panic!("a schema") };
        let fields: Vec<&str> = schema["properties"].as_object().unwrap().keys().map(String::as_str).collect();
        let expected: &[&str] =
            if of_large { &["thinking", "aim", "action", "sql", "nearest"] } else { &["action", "aim", "sql"] };
        assert_eq!(fields, expected);
        assert!(requests.last().unwrap().tail.contains("SELECT country FROM customer"), "later steps read what ran");
    }
}

#[tokio::test]
async fn columns_without_values_go_before_anything_is_selected() {
    let shop = Shop::with("ALTER TABLE customer ADD COLUMN fax TEXT;");
    // With the schema in one part and in several parts.
    for budget in [None, Some(40)] {
        for of_large in [false, true] {
            let tables = r#"{"tables":[{"name":"customer","why":"it has countries","needed":true,"columns":[]}]}"#;
            let brief = r#"{"tables":[{"name":"customer","columns":[]}]}"#;
            let tables = if of_large { tables } else { brief };
            let mut lines = match budget {
                None => vec![say(BY_COUNTRY)],
                Some(_) => vec![say(tables), say(r#"{"tables":[]}"#)],
            };
            lines.extend(of_large.then(|| say(PROBES)));
            lines.extend([say(FACTS), step("finalize", BY_COUNTRY), step("finalize", BY_COUNTRY)]);
            let model = if of_large { large(lines) } else { small(lines) };
            let settings = AskSettings { chunk_budget: budget, ..settings(&[("dsr-sql.samples", "1")]) };
            let ran = ask(&shop, settings, &model).await;
            assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
            for request in model.requests() {
                assert!(!request.prefix.contains("fax"), "{budget:?}: {}", request.prefix);
                // A large model reads the schema in the paper's format, the small one in the format that was measured.
                let forms = ["# Table: ", "CREATE TABLE "].map(|form| request.prefix.contains(form));
                assert_eq!(forms, [of_large, !of_large], "{}", request.prefix);
            }
            let kept = ran.pick(|body| match body {
                EventBody::SchemaLinked { kept, .. } => kept.tables.iter().find(|t| t.name == "customer").cloned(),
                _ => None,
            });
            assert_eq!(kept[0].columns, ["id", "name", "country"]);
        }
    }
}

#[tokio::test]
async fn a_schema_in_parts_is_selected_as_a_whole_one_is() {
    let shop =
        Shop::with("CREATE TABLE season (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO season VALUES (1,'May');");
    let of = |table: &str| format!(r#"{{"tables":[{{"name":"{table}","columns":["id"]}}]}}"#);
    let nothing = r#"{"tables":[]}"#.to_owned();
    // Each part is requested twice; no sample contains `customer`, which the question names and `purchase` refers to.
    let lines = vec![
        Line::Samples(vec![nothing.clone(), nothing.clone()]),
        Line::Samples(vec![nothing.clone(), of("purchase")]),
        Line::Samples(vec![nothing.clone(), nothing]),
        say(FACTS),
        step("finalize", BY_COUNTRY),
        step("finalize", BY_COUNTRY),
    ];
    let model = small(lines);
    let settings = AskSettings { chunk_budget: Some(40), ..settings(&[("dsr-sql.samples", "2")]) };
    let ran = ask(&shop, settings, &model).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let kept = ran.pick(|body| match body {
        EventBody::SchemaLinked { pass: LinkingPass::Tables, kept, .. } => {
            Some(kept.tables.iter().map(|table| table.name.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    assert_eq!(kept, [["purchase", "customer"]]);
    assert_eq!(model.requests()[0].samples, 2);
}

#[tokio::test]
async fn a_large_models_corrected_probe_is_read_behind_its_reasoning() {
    let probes = r#"{"probes":[{"purpose":"countries","sql":"SELECT DISTINCT land FROM customer"}]}"#;
    let right = "SELECT DISTINCT country FROM customer";
    let lines = vec![
        say(BY_COUNTRY),
        say(probes),
        say(&format!("There is no land.\n```sql\n{right}\n```")),
        say(FACTS),
        step("finalize", BY_COUNTRY),
    ];
    let model = large(lines);
    let ran = ask(&Shop::new(), settings(&[("dsr-sql.samples", "1")]), &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let probed = ran.pick(|body| match body {
        EventBody::Probed { probe, .. } => Some((probe.sql.clone(), probe.fixes, probe.error.clone())),
        _ => None,
    });
    assert_eq!(probed, [(right.to_owned(), 1, None)]);
}

#[tokio::test]
async fn what_a_step_missed_is_told_to_the_next_in_the_words_of_prompts_whatever_the_window_speaks() {
    vitrine_api::set_program_language(Language::German);
    let declines = say("{\"not_in_data\": \"names\", \"nearest\": [\"customer.name\"]}");
    let set = settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0")]);
    let first = step("extend", "SELECT nothing FROM nowhere");
    let model = large(vec![say(BY_COUNTRY), say(FACTS), first, declines, step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), set, &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let last = model.requests().last().unwrap().tail.clone();
    assert!(last.contains("failed: This data does not say: names"), "{last}");
}

#[tokio::test]
async fn a_steps_query_that_comes_again_unchanged_is_not_corrected_any_further() {
    let wrong = "SELECT nothing FROM nowhere";
    let again = say(&format!("I see nothing wrong.\n```sql\n{wrong}\n```"));
    let set = settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0"), ("dsr-sql.steps", "1")]);
    let model = large(vec![say(BY_COUNTRY), say(FACTS), step("finalize", wrong), again, say(BY_COUNTRY)]);
    let ran = ask(&Shop::new(), set, &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let fixes = ran.pick(|body| match body {
        EventBody::StateReached { fixes, .. } => Some(*fixes),
        _ => None,
    });
    assert_eq!(fixes, [1]);
}

#[tokio::test]
async fn values_are_looked_up_for_a_large_model_before_tables_are_selected() {
    let question = "which country is cleo from?";
    let sql = "SELECT country FROM customer WHERE name = 'Cleo'";
    let one = || settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "1")]);
    let lines = || vec![say(sql), say(PROBES), say(FACTS), step("finalize", sql)];
    for (model, of_large) in [(large(lines()), true), (small(lines()), false)] {
        let ask = Shop::new().ask_with_all(question, KNOWLEDGE, one(), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        ran.assert_whole();
        let found = ran.pick(|body| match body {
            EventBody::ValuesRetrieved { node, literals, .. } if node == "grounding" => Some(literals.clone()),
            _ => None,
        });
        assert_eq!(found.len(), usize::from(of_large));
        let told: Vec<bool> =
            model.requests().iter().map(|request| request.tail.contains("customer.name = 'Cleo'")).collect();
        // The draft, the probes, the summary of observations, and the step.
        assert_eq!(told, [of_large; 4]);
    }
}

#[tokio::test]
async fn a_large_models_samples_over_parts_of_the_schema_are_united_with_their_reasons() {
    let shop =
        Shop::with("CREATE TABLE season (id INTEGER PRIMARY KEY, label TEXT); INSERT INTO season VALUES (1,'May');");
    let of = |table: &str, needed: bool| {
        format!(r#"{{"tables":[{{"name":"{table}","why":"of {table}","needed":{needed},"columns":["id"]}}]}}"#)
    };
    // One part each for customer, purchase and season, requested twice; one of two samples needs purchase.
    let lines = vec![
        Line::Samples(vec![of("customer", false), of("customer", false)]),
        Line::Samples(vec![of("purchase", false), of("purchase", true)]),
        Line::Samples(vec![of("season", false), of("season", false)]),
        say(PROBES),
        say(FACTS),
        step("finalize", BY_COUNTRY),
    ];
    let model = large(lines);
    let settings = AskSettings { chunk_budget: Some(40), ..settings(&[("dsr-sql.samples", "2")]) };
    let ran = ask(&shop, settings, &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let linked = ran.pick(|body| match body {
        EventBody::SchemaLinked { pass: LinkingPass::Tables, kept, verdicts, .. } => {
            let names = kept.tables.iter().map(|table| table.name.clone()).collect::<Vec<_>>();
            Some((names, verdicts.iter().filter(|said| said.needed).map(|said| said.why.clone()).collect::<Vec<_>>()))
        }
        _ => None,
    });
    // The question names customers, which a key connects; nothing connects seasons.
    assert_eq!(linked, [(vec!["purchase".to_owned(), "customer".to_owned()], vec!["of purchase".to_owned()])]);
    assert_eq!(model.requests()[0].samples, 2);
}

#[tokio::test]
async fn facts_that_the_schema_shows_are_not_taken_for_invented() {
    // The name is an example in the schema, and no probe shows it.
    let facts_said = r#"{"facts":["a customer's name is 'Ada'","a shop's country is 'Atlantis'"]}"#;
    let model = large(vec![say(BY_COUNTRY), say(PROBES), say(facts_said), step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), settings(&[("dsr-sql.samples", "1")]), &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    assert_eq!(facts(&ran), [["a customer's name is 'Ada'"]]);
    assert!(model.requests()[2].prefix.contains("Ada"), "{}", model.requests()[2].prefix);
    // The prompt contains the value that the question names, regardless of the schema's examples.
    let found = r#"{"facts":["the name is 'Cleo'"]}"#;
    let sql = "SELECT country FROM customer WHERE name = 'Cleo'";
    let model = large(vec![say(sql), say(PROBES), say(found), step("finalize", sql)]);
    let set = settings(&[("dsr-sql.samples", "1")]);
    let ask_cleo = Shop::new().ask_with_all("which country is the queen of Egypt from?", KNOWLEDGE, set, model).await;
    let ran = run(ask_cleo, CancellationToken::new()).await;
    assert_eq!(facts(&ran), [["the name is 'Cleo'"]], "{:?}", ran.outcome);

    let model = small(vec![say(BY_COUNTRY), say(facts_said), step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), settings(&[("dsr-sql.samples", "1")]), &model).await;
    assert_eq!(facts(&ran), [[""; 0]], "a small one as it was measured");
}

#[tokio::test]
async fn a_steps_correction_that_declines_is_told_to_the_next_step() {
    let declines = say("```json\n{\"not_in_data\": \"names\"}\n```");
    let set = settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0")]);
    let first = step("extend", "SELECT nothing FROM nowhere");
    let model = large(vec![say(BY_COUNTRY), say(FACTS), first, declines, step("finalize", BY_COUNTRY)]);
    let ran = ask(&Shop::new(), set, &model).await;
    assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
    let missing = ran.pick(|body| match body {
        EventBody::NotInData { missing, .. } => Some(missing.clone()),
        _ => None,
    });
    assert_eq!(missing, ["names"]);
}

/// Tables that the selection keeps, in order.
fn kept_tables(ran: &Ran) -> Vec<String> {
    let kept = ran.pick(|body| match body {
        EventBody::SchemaLinked { pass: LinkingPass::Drafts | LinkingPass::Tables, kept, .. } => {
            Some(kept.tables.iter().map(|table| table.name.clone()).collect::<Vec<_>>())
        }
        _ => None,
    });
    kept.concat()
}

#[tokio::test]
async fn a_large_model_gets_the_tables_between_selected_ones_and_a_small_one_all_neighbours() {
    let more = "CREATE TABLE product (id INTEGER PRIMARY KEY, label TEXT);
        CREATE TABLE item (purchase_id INTEGER REFERENCES purchase(id), product_id INTEGER REFERENCES product(id));
        CREATE TABLE complaint (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), said TEXT);
        INSERT INTO product VALUES (1,'Tea'); INSERT INTO item VALUES (1,1); INSERT INTO complaint VALUES (1,1,'late');";
    let shop = Shop::with(more);
    let draft = "SELECT (SELECT COUNT(*) FROM product), (SELECT COUNT(*) FROM customer)";
    let selected = ["product", "customer"];
    let between = [&selected[..], &["purchase", "item"]].concat();
    for (of_large, neighbours, expected) in [
        (true, "auto", &between[..]),
        (true, "between", &between[..]),
        (true, "none", &selected[..]),
        (false, "between", &between[..]),
        (false, "none", &selected[..]),
    ] {
        let set = [("dsr-sql.samples", "1"), ("dsr-sql.probes", "0"), ("dsr-sql.neighbours", neighbours)];
        let lines = vec![say(draft), say(FACTS), step("finalize", BY_COUNTRY)];
        let model = if of_large { large(lines) } else { small(lines) };
        let ran = ask(&shop, settings(&set), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let (mut kept, mut expected) = (kept_tables(&ran), expected.to_vec());
        kept.sort();
        expected.sort_unstable();
        assert_eq!(kept, expected, "{neighbours}");
    }
    let model = small(vec![say(draft), say(FACTS), step("finalize", BY_COUNTRY)]);
    let ran = ask(&shop, settings(&[("dsr-sql.samples", "1")]), &model).await;
    for neighbour in ["purchase", "item", "complaint"] {
        assert!(kept_tables(&ran).contains(&neighbour.to_owned()), "{neighbour}, as it was measured");
    }
}

#[tokio::test]
async fn each_state_has_the_path_that_led_to_it() {
    use vitrine_domain::GenerationPath::{Exploratory, Refinement, Straightforward};
    let (draft, other) = ("SELECT name FROM customer", "SELECT country FROM customer");
    let steps = |model_lines: Vec<Line>| {
        let steps = [
            step("extend", other),
            step("revise", BY_COUNTRY),
            step("explore", "SELECT DISTINCT country FROM customer"),
            step("finalize", BY_COUNTRY),
        ];
        model_lines.into_iter().chain([say(FACTS)]).chain(steps).collect::<Vec<_>>()
    };
    let set = || settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0")]);
    let first = vec![Straightforward, Refinement, Exploratory, Exploratory];
    // A small model's first state is what its drafts agree on.
    let with_draft = [&[Straightforward][..], &first].concat();
    for (model, expected) in
        [(large(steps(vec![say(BY_COUNTRY)])), first), (small(steps(vec![say(draft)])), with_draft)]
    {
        let ran = ask(&Shop::new(), set(), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let paths = ran.pick(|body| match body {
            EventBody::StateReached { path, .. } => *path,
            _ => None,
        });
        assert_eq!(paths, expected);
    }
}

#[tokio::test]
async fn without_states_a_large_model_divides_the_question() {
    let without = |at_once: &str| AskSettings {
        without: vec![Switch::States],
        ..settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0"), ("dsr-sql.at_once", at_once)])
    };
    for (of_large, at_once, divides) in
        [(true, "auto", true), (true, "direct", false), (false, "auto", false), (false, "divide-and-conquer", true)]
    {
        let fenced = say(&format!("1. Divide.\n```sql\n{BY_COUNTRY}\n```"));
        let lines = vec![say(BY_COUNTRY), say(FACTS), if divides || of_large { fenced } else { say(BY_COUNTRY) }];
        let model = if of_large { large(lines) } else { small(lines) };
        let ran = ask(&Shop::new(), without(at_once), &model).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        let asked = model.requests().last().unwrap().clone();
        let words = if of_large { "by divide and conquer" } else { "by dividing the question" };
        assert_eq!(asked.tail.contains(words), divides, "{at_once}: {}", asked.tail);
        assert!(asked.tail.contains("Countries are written as two letters"), "{}", asked.tail);
        assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(3));
    }
}

#[tokio::test]
async fn a_large_model_is_told_what_the_tables_of_a_series_stand_for() {
    let days: String = (1..=9)
        .map(|day| format!("CREATE TABLE visit_2024010{day} (id INTEGER PRIMARY KEY, page TEXT); INSERT INTO visit_2024010{day} VALUES (1,'a');"))
        .collect();
    let shop = Shop::with(&days);
    let series = "a series of 9 tables with the same columns, one for each day from 2024-01-01 to 2024-01-09";
    for of_large in [true, false] {
        let lines = vec![say(BY_COUNTRY), say(FACTS), step("finalize", BY_COUNTRY)];
        let model = if of_large { large(lines) } else { small(lines) };
        let ran = ask(&shop, settings(&[("dsr-sql.samples", "1"), ("dsr-sql.probes", "0")]), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let schema = &model.requests()[0].prefix;
        assert_eq!(schema.contains(series), of_large, "{schema}");
    }
}

#[tokio::test]
async fn selections_are_sampled_at_the_configured_temperature() {
    for (temperature, expected) in [("80", 0.8), ("20", 0.2)] {
        let set = [("dsr-sql.samples", "2"), ("dsr-sql.probes", "0"), ("dsr-sql.temperature", temperature)];
        let drafts = Line::Samples(vec![BY_COUNTRY.to_owned(), BY_COUNTRY.to_owned()]);
        let model = large(vec![drafts, say(FACTS), step("finalize", BY_COUNTRY)]);
        let ran = ask(&Shop::new(), settings(&set), &model).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        assert_eq!(model.requests()[0].temperature, expected);
    }
}
