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
