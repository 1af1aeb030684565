//! ReFoRCE: checks the log of each step, with a small and a large model, with knowledge, stored values and their
//! embeddings.

use crate::bench::{Ran, Shop, large, run, small};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::certainty::Evidence;
use vitrine_agents::methods::parameters;
use vitrine_domain::{AskSettings, Confidence, Dialect, ErrorCode, EventBody, RunStatus, Switch};
use vitrine_llm::{Line, ScriptedModel};
use vitrine_sql::DialectExt;

const QUESTION: &str = "Which customers bought most?";
const KNOWLEDGE: &str = "What a customer bought is the sum of the amounts.";
const TOP: &str = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY SUM(amount) DESC LIMIT 2";
const BOTTOM: &str = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY SUM(amount) LIMIT 2";
const WRONG: &str = "SELECT nothing FROM nowhere";

fn settings(set: &[(&str, &str)], without: &[Switch]) -> AskSettings {
    let mut settings = AskSettings { strategy: "reforce".into(), without: without.to_vec(), ..AskSettings::default() };
    set.iter().for_each(|(key, value)| parameters::set_parameter(&mut settings.methods, key, value).unwrap());
    settings
}

async fn ask(settings: AskSettings, model: &Arc<ScriptedModel>) -> Ran {
    let shop = Shop::new();
    run(shop.ask_with_all(QUESTION, KNOWLEDGE, settings, model.clone()).await, CancellationToken::new()).await
}

fn samples(texts: &[&str]) -> Line {
    Line::Samples(texts.iter().map(|text| (*text).to_owned()).collect())
}

fn votes(ran: &Ran) -> Vec<(usize, bool, u32, Confidence)> {
    ran.pick(|body| match body {
        EventBody::Voted { clusters, ordered, failed, confidence, .. } => {
            Some((clusters.len(), *ordered, *failed, *confidence))
        }
        _ => None,
    })
}

#[tokio::test]
async fn the_same_rows_in_another_order_are_another_result_where_the_queries_rank() {
    for model in [small, large] {
        let set = settings(&[("reforce.votes", "3")], &[Switch::Exploration]);
        let ran = ask(set, &model(vec![samples(&[TOP, BOTTOM, TOP])])).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        ran.assert_whole();
        assert_eq!(votes(&ran), [(2, true, 0, Confidence::High)]);
        let plain = "SELECT customer_id FROM purchase GROUP BY customer_id";
        let sorted = "SELECT customer_id FROM purchase GROUP BY customer_id ORDER BY customer_id DESC";
        let set = settings(&[("reforce.votes", "3")], &[Switch::Exploration]);
        let ran = ask(set, &model(vec![samples(&[plain, sorted, plain])])).await;
        assert_eq!(votes(&ran), [(1, false, 0, Confidence::High)], "one that sorts is polite");
    }
}

#[tokio::test]
async fn candidates_that_fail_count_against_high_confidence_with_a_large_model() {
    let without = [Switch::Exploration];
    let set = || settings(&[("reforce.votes", "3"), ("reforce.rounds", "0")], &without);
    let one = || vec![samples(&[TOP, WRONG, WRONG])];
    let ran = ask(set(), &large(one())).await;
    assert_eq!(votes(&ran), [(1, false, 2, Confidence::Low)]);
    assert!(ran.report.warnings.iter().any(|w| w.contains("more queries failed")), "{:?}", ran.report.warnings);
    let ran = ask(set(), &small(one())).await;
    assert_eq!(votes(&ran), [(1, false, 2, Confidence::High)]);
}

#[tokio::test]
async fn every_table_is_judged_with_a_reason_by_a_large_model() {
    let link = || settings(&[("reforce.votes", "1"), ("reforce.link_above", "0")], &[]);
    let judged = r#"{"thinking":"","tables":[{"name":"purchase","why":"amounts","needed":true,"columns":["customer_id","amount"]},{"name":"customer","why":"ids suffice","needed":false,"columns":[]},{"name":"nowhere","why":"","needed":true,"columns":[]}]}"#;
    let model = large(vec![judged, TOP]);
    let ran = ask(link(), &model).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let linked = ran.pick(|body| match body {
        EventBody::SchemaLinked { kept, verdicts, .. } => Some((kept.clone(), verdicts.clone())),
        _ => None,
    });
    let (kept, verdicts) = &linked[0];
    let said: Vec<_> = verdicts.iter().map(|v| (v.table.as_str(), v.needed, v.why.as_str())).collect();
    assert_eq!(said, [("purchase", true, "amounts"), ("customer", false, "ids suffice")]);
    let names: Vec<&str> = kept.tables.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["purchase", "customer"], "the question names customers, and a key joins them");
    let request = &model.requests()[0];
    assert!(request.tail.contains(KNOWLEDGE) && request.tail.contains("Say no only where you are sure"));

    let model = small(vec![r#"{"tables":[{"name":"purchase","columns":["customer_id","amount"]}]}"#, TOP]);
    let ran = ask(link(), &model).await;
    let linked = ran.pick(|body| match body {
        EventBody::SchemaLinked { kept, verdicts, .. } => Some((kept.tables.len(), verdicts.len())),
        _ => None,
    });
    assert_eq!(linked, [(1, 0)], "what a small model is asked stays as it is");
}

#[tokio::test]
async fn a_probe_that_failed_runs_as_it_was_corrected_and_the_correction_is_carried_over() {
    let probes = r#"{"probes":[
        {"purpose":"countries","sql":"SELECT DISTINCT land FROM customer"},
        {"purpose":"more","sql":"SELECT land, name FROM customer"}]}"#;
    let right = "SELECT DISTINCT country FROM customer";
    let reasoned =
        format!("There is no land; the column is called country.\n```sql\n{right}\n```\nIt lists each once.");
    let carried = r#"{"sql":["SELECT country, name FROM customer"]}"#;
    let set = || settings(&[("reforce.votes", "1"), ("reforce.explore", "always"), ("reforce.probes", "2")], &[]);
    for model in [large(vec![probes, &reasoned, carried, TOP]), small(vec![probes, right, carried, TOP])] {
        let ran = ask(set(), &model).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        ran.assert_whole();
        let probed = ran.pick(|body| match body {
            EventBody::Probed { probe, .. } => {
                Some((probe.sql.clone(), probe.fixes, probe.carried_from, probe.error.clone()))
            }
            _ => None,
        });
        let carried = "SELECT country, name FROM customer".to_owned();
        assert_eq!(probed, [(right.to_owned(), 1, None, None), (carried, 0, Some(1), None)]);
    }
}

#[tokio::test]
async fn a_query_that_comes_again_unchanged_ends_its_corrections() {
    let set = || settings(&[("reforce.votes", "1"), ("reforce.rounds", "5")], &[Switch::Exploration]);
    let again = format!("I find nothing wrong with it.\n```sql\n{WRONG};\n```");
    for model in [large(vec![WRONG, &again]), small(vec![WRONG, WRONG])] {
        let ran = ask(set(), &model).await;
        assert_eq!(model.requests().len(), 2, "one correction, and no more");
        assert!(ran.outcome.is_err());
    }
}

#[tokio::test]
async fn values_are_looked_up_for_a_large_model_from_the_start() {
    let question = "which countries are cleo and ada from?";
    let set = || settings(&[("reforce.votes", "1"), ("reforce.link_above", "0")], &[]);
    let judged = r#"{"tables":[{"name":"customer","why":"names","needed":true,"columns":["country"]}]}"#;
    let told = async |model: &Arc<ScriptedModel>| {
        let ask = Shop::new().ask_with_all(question, KNOWLEDGE, set(), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        ran.assert_whole();
        let found = ran.pick(|body| match body {
            EventBody::ValuesRetrieved { node, matches, .. } if node == "grounding" => {
                Some(matches.iter().map(|found| found.value.clone()).collect::<Vec<_>>())
            }
            _ => None,
        });
        let requests = model.requests();
        (found, requests.iter().filter(|request| request.tail.contains("customer.name = 'Cleo'")).count())
    };
    let (found, asked) = told(&large(vec![judged, TOP])).await;
    assert!(found[0].contains(&"Cleo".to_owned()) && found[0].contains(&"Ada".to_owned()), "{found:?}");
    assert_eq!(asked, 2, "who selects tables and who writes the query");
    assert_eq!(told(&small(vec![judged, TOP])).await, (Vec::new(), 0), "as it was measured");
}

/// Additions to the shop: more countries than a line shows, dates, and lists in JSON.
const MORE: &str = "INSERT INTO customer VALUES (5,'E','ES'),(6,'F','FI'),(7,'G','GR'),(8,'H','HU'),(9,'I','IT');
    ALTER TABLE customer ADD COLUMN details TEXT;
    UPDATE customer SET details = '{\"phones\": [\"1\", \"2\"], \"since\": 2020}';";

#[tokio::test]
async fn a_large_model_reads_all_that_probes_found_and_pages_on_the_columns_that_it_sees() {
    let shop = Shop::with(MORE);
    let probes =
        r#"{"probes":[{"purpose":"countries","sql":"SELECT DISTINCT country FROM customer ORDER BY country"}]}"#;
    let set = || settings(&[("reforce.votes", "1"), ("reforce.explore", "always")], &[]);
    let sqlite = Dialect::Sqlite;
    let nested = "Part of JSON text: json_extract(column, '$.key')";
    let pages = [sqlite.sql().reference_page(), sqlite.sql().date_page(), sqlite.sql().text_page(), nested];
    for (model, of_large) in [(large(vec![probes, TOP]), true), (small(vec![probes, TOP]), false)] {
        let ask = shop.ask_with_all(QUESTION, KNOWLEDGE, set(), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        let probed = ran.pick(|body| match body {
            EventBody::Probed { probe, .. } => probe.page.as_ref().map(|page| page.row_count),
            _ => None,
        });
        assert_eq!(probed, [8]);
        let requests = model.requests();
        let told = &requests[1].tail;
        assert_eq!(told.contains("(IT)"), of_large, "eight rows, of which a small model sees five: {told}");
        assert_eq!(told.contains("8 rows: (country)\n  (DE)"), of_large, "{told}");
        for (request, page) in requests.iter().flat_map(|request| pages.map(|page| (request, page))) {
            let line = page.lines().next().expect("a line");
            assert_eq!(request.prefix.contains(line), of_large, "{line}: {}", request.prefix);
        }
    }
}

#[tokio::test]
async fn no_page_is_shown_of_columns_that_nobody_sees() {
    let judged = r#"{"tables":[{"name":"customer","why":"names","needed":true,"columns":["id"]}]}"#;
    // A year column alone does not require the page on dates.
    let shop =
        Shop::with("CREATE TABLE counter (n INTEGER, year INTEGER); INSERT INTO counter VALUES (1,1999),(2,2004);");
    let judged = judged.replace("customer", "counter").replace("\"id\"", "\"n\",\"year\"");
    let model = large(vec![judged.as_str(), "SELECT n FROM counter"]);
    let set = settings(&[("reforce.votes", "1"), ("reforce.link_above", "0")], &[]);
    let ask = shop.ask_with_all("How far does the counter go?", "It goes up.", set, model.clone()).await;
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    let prefix = &model.requests()[1].prefix;
    let shows =
        [Dialect::Sqlite.sql().reference_page(), Dialect::Sqlite.sql().date_page(), Dialect::Sqlite.sql().text_page()]
            .map(|page| prefix.contains(page.lines().next().expect("a line")));
    assert_eq!(shows, [true, false, false], "{prefix}");
}

/// A reply that declines without preceding text.
const DECLINES: &str =
    "```json\n{\"not_in_data\": \"what customers thought\", \"nearest\": [\"purchase.amount\"]}\n```";

#[tokio::test]
async fn a_correction_that_declines_ends_in_saying_so() {
    let set = || settings(&[("reforce.votes", "1"), ("reforce.rounds", "2")], &[Switch::Exploration]);
    for (correction, code) in [(DECLINES, ErrorCode::NotInData), ("", ErrorCode::Query)] {
        let model = large(vec![WRONG, correction]);
        let ran = ask(set(), &model).await;
        assert_eq!(ran.outcome.clone().map_err(|error| error.code), Err(code), "{:?}", ran.outcome);
        assert_eq!(model.unused_lines(), 0);
    }
    let ran = ask(set(), &large(vec![WRONG, &format!("It is this.\n```sql\n{TOP}\n```")])).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
}

#[tokio::test]
async fn replies_that_decline_are_no_failures_and_told_beside_those_that_ran() {
    let set = || settings(&[("reforce.votes", "3"), ("reforce.rounds", "2")], &[Switch::Exploration]);
    let declined = |ran: &Ran| ran.pick(|body| matches!(body, EventBody::NotInData { .. }).then_some(())).len();
    let ran = ask(set(), &large(vec![samples(&[TOP, DECLINES, DECLINES])])).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!((votes(&ran), declined(&ran)), (vec![(1, false, 0, Confidence::Low)], 2), "no query failed");
    let warnings = ran.report.warnings.join(" ");
    assert!(
        warnings.contains("2 of 3 replies stated that the data does not contain this: what customers"),
        "{warnings}"
    );
    assert!(warnings.contains("fewer queries agree than replies that stated"), "{warnings}");
    assert!(Evidence::from_events(ran.events.iter().map(|event| &event.body)).forbids_sure());

    let ran = ask(set(), &large(vec![samples(&[TOP, TOP, DECLINES])])).await;
    assert_eq!((votes(&ran), declined(&ran)), (vec![(1, true, 0, Confidence::High)], 1));
    assert!(!Evidence::from_events(ran.events.iter().map(|event| &event.body)).forbids_sure());

    // An empty reply does not decline, although both contain no query.
    let one = settings(&[("reforce.votes", "2"), ("reforce.rounds", "0")], &[Switch::Exploration]);
    let ran = ask(one, &large(vec![samples(&["", DECLINES])])).await;
    assert_eq!(ran.outcome.clone().map_err(|error| error.code), Err(ErrorCode::NotInData), "{:?}", ran.outcome);
}

/// Returns a reply with one probing query.
fn probe(sql: &str) -> String {
    serde_json::json!({ "probes": [{ "purpose": "look", "sql": sql }] }).to_string()
}

/// Returns the probes with the nodes at which they ran.
fn probed(ran: &Ran) -> Vec<(String, String, u32, Option<u64>)> {
    ran.pick(|body| match body {
        EventBody::Probed { node, probe } => {
            let rows = probe.page.as_ref().map(|page| page.row_count);
            Some((node.to_string(), probe.sql.clone(), probe.fixes, rows))
        }
        _ => None,
    })
}

#[tokio::test]
async fn each_candidate_may_have_an_exploration_of_its_own() {
    let countries = "SELECT DISTINCT country FROM customer ORDER BY country";
    let names = "SELECT name FROM customer ORDER BY name";
    let set = || settings(&[("reforce.votes", "2"), ("reforce.threads", "own")], &[]);
    for model in [small, large] {
        let lines: Vec<Line> =
            vec![samples(&[TOP, BOTTOM]), probe(countries).into(), probe(names).into(), TOP.into(), TOP.into()];
        let model = model(lines);
        let ran = ask(set(), &model).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        ran.assert_whole();
        let votes: Vec<Confidence> = votes(&ran).into_iter().map(|(.., confidence)| confidence).collect();
        assert_eq!(votes, [Confidence::Low, Confidence::High]);
        let mut found = probed(&ran);
        found.sort();
        let expected = [("exploration-1", countries, 3), ("exploration-2", names, 4)];
        assert_eq!(
            found,
            expected.map(|(node, sql, rows)| (node.to_owned(), sql.to_owned(), 0, Some(rows))),
            "one for each thread"
        );
        let requests = model.requests();
        let [first, second] = [&requests[3].tail, &requests[4].tail];
        assert!(first.contains(countries) && !first.contains(names), "{first}");
        assert!(second.contains(names) && !second.contains(countries), "{second}");
        assert_ne!(requests[1].seed, requests[2].seed);
        assert!(requests[1..].iter().all(|request| request.temperature == 1.0), "as in the paper");
        let inputs = ran.pick(|body| match body {
            EventBody::StageStarted { node, inputs, .. } if node == "generator-2" => Some(inputs.clone()),
            _ => None,
        });
        assert_eq!(inputs, [["exploration-1", "exploration-2"].map(vitrine_domain::NodeId::from).to_vec()]);
    }
}

#[tokio::test]
async fn a_probe_without_rows_is_corrected_by_a_large_model() {
    let empty = "SELECT name FROM customer WHERE country = 'USA'";
    let right = "SELECT name FROM customer WHERE country = 'US'";
    let set = || settings(&[("reforce.votes", "1"), ("reforce.explore", "always")], &[]);
    let asked = async |model: Arc<ScriptedModel>| {
        let ran = ask(set(), &model).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        (probed(&ran).into_iter().map(|(_, sql, fixes, rows)| (sql, fixes, rows)).collect::<Vec<_>>(), model.requests())
    };
    let (found, requests) = asked(large(vec![probe(empty), right.to_owned(), TOP.to_owned()])).await;
    assert_eq!(found, [(right.to_owned(), 1, Some(2))]);
    assert!(requests[1].turns[0].1.contains("it gives no value"), "{:?}", requests[1].turns);
    // A probe that the model writes again unchanged, or whose corrections do not run, keeps its empty result.
    let (found, _) = asked(large(vec![probe(empty), empty.to_owned(), TOP.to_owned()])).await;
    assert_eq!(found, [(empty.to_owned(), 0, Some(0))]);
    let (found, _) = asked(large(vec![probe(empty), WRONG.to_owned(), WRONG.to_owned(), TOP.to_owned()])).await;
    assert_eq!(found, [(empty.to_owned(), 1, Some(0))]);
    let (found, _) = asked(small(vec![probe(empty), TOP.to_owned()])).await;
    assert_eq!(found, [(empty.to_owned(), 0, Some(0))], "as it was measured");
}

#[tokio::test]
async fn without_a_last_resort_a_tie_has_no_answer() {
    for model in [small, large] {
        let set = |without: &[Switch]| settings(&[("reforce.votes", "2")], without);
        let ran = ask(set(&[Switch::Exploration]), &model(vec![samples(&[TOP, BOTTOM])])).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let without = [Switch::Exploration, Switch::LastResort];
        let ran = ask(set(&without), &model(vec![samples(&[TOP, BOTTOM])])).await;
        let error = ran.outcome.expect_err("no answer");
        assert_eq!(error.code, ErrorCode::Query);
        assert!(error.message.contains("results are tied with 1 of 2 queries each"), "{}", error.message);
        let ran = ask(set(&without), &model(vec![samples(&[TOP, TOP])])).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "a winner needs no last resort");
    }
}

/// Figure 1 of the paper, in the order of its steps.
#[tokio::test]
async fn the_preset_of_reforce_follows_the_paper() {
    for model in [small, large] {
        let mut set = AskSettings { strategy: "reforce".into(), ..AskSettings::default() };
        parameters::apply_setting(&mut set, "reforce", "strict").unwrap();
        let four = [TOP, TOP, TOP, TOP, BOTTOM, BOTTOM, BOTTOM, BOTTOM];
        let probes = (0..8).map(|_| Line::from(probe("SELECT DISTINCT country FROM customer")));
        let again = (0..8).map(|_| Line::from(TOP));
        let model = model([samples(&four)].into_iter().chain(probes).chain(again).collect::<Vec<Line>>());
        let ran = ask(set, &model).await;
        assert_eq!((ran.report.status(), model.unused_lines()), (RunStatus::Answered, 0), "{:?}", ran.outcome);
        ran.assert_whole();
        let order = ran.pick(|body| match body {
            EventBody::StageStarted { node, .. } => Some(node.to_string()),
            EventBody::Voted { confidence, .. } => Some(format!("{confidence:?}")),
            EventBody::VariantTried { .. } => Some("variant".to_owned()),
            _ => None,
        });
        let explorations: Vec<String> = (1..=8).map(|number| format!("exploration-{number}")).collect();
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<String>>();
        let expected = [
            own(&["schema", "generator", "vote-1", "Low"]),
            explorations,
            own(&["generator-2", "vote-2", "High", "result"]),
        ];
        assert_eq!(order, expected.concat());
    }
}
