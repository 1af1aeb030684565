//! AV-SQL with scripted replies: each step appears in the run log, and invalid replies are handled.

use crate::actor::{Actor, NO_WEATHER};
use crate::bench::{Ran, Shop, large, run, small};
use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_agents::methods::METHODS;
use vitrine_agents::{Ask, AskOptions, AskPermissions, UserClarifier, UserRoles};
use vitrine_domain::run::ChunkOutcome;
use vitrine_domain::{
    AskSettings, Budget, ErrorCode, EventBody, ModelProfile, Reading, Reasoning, RunReport, RunStatus, Switch,
    ViewStatus,
};
use vitrine_llm::Line;
use vitrine_llm::{ChatModel, ScriptedModel};
use vitrine_sql::AllowedFunctions;

const REWRITTEN: &str = r#"{"task":"Add up purchases of customers in the USA","outputs":["total amount"],"filters":["the country is USA"],"ordering":""}"#;
const UNCHANGED: &str = r#"{"verdict":"unchanged","sql":""}"#;
const PLAN: &str = r#"{"read":["us_purchases"],"conditions":[],"group_by":[],"output":["SUM(amount)"]}"#;

fn views(sql: &str) -> String {
    format!(
        r#"{{"tables":[{{"name":"customer","columns":["id","country"]}},{{"name":"purchase","columns":["customer_id","amount"]}}],"views":[{{"name":"us_purchases","rationale":"purchases of US customers","sql":"{sql}"}}]}}"#
    )
}

fn good_views() -> String {
    views("SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'")
}

fn one_candidate() -> AskSettings {
    AskSettings { strategy: "av-sql".into(), candidates: 1, ..AskSettings::default() }
}

async fn ask<L: Into<Line>>(settings: AskSettings, lines: Vec<L>) -> (Ran, Arc<ScriptedModel>) {
    ask_of(&Shop::new(), "How much did customers in the USA buy?", settings, lines).await
}

async fn ask_of<L: Into<Line>>(
    shop: &Shop,
    question: &str,
    settings: AskSettings,
    lines: Vec<L>,
) -> (Ran, Arc<ScriptedModel>) {
    let model = Arc::new(ScriptedModel::new(lines));
    let ask = shop.ask(question, settings, model.clone()).await;
    (run(ask, CancellationToken::new()).await, model)
}

fn only_cell(ran: &Ran) -> Option<String> {
    ran.report.page.as_ref()?.rows.first()?.first()?.clone()
}

#[tokio::test]
async fn a_question_goes_through_every_stage_of_the_method() {
    let lines = vec![REWRITTEN, &good_views(), PLAN, "SELECT SUM(amount) FROM us_purchases", UNCHANGED].map_into();
    let (ran, _) = ask(one_candidate(), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
    let sql = ran.report.sql.clone().unwrap();
    assert!(
        sql.to_lowercase().contains("with") && sql.contains("us_purchases"),
        "the view's definition is put in front: {sql}"
    );
    let nodes = ran.pick(|b| match b {
        EventBody::StageStarted { node, .. } => Some(node.clone()),
        _ => None,
    });
    assert_eq!(nodes, ["schema", "rewriter", "chunk-1", "selection", "planner", "generator", "revisor", "result"]);
    ran.assert_whole();
}

#[tokio::test]
async fn an_answer_is_explained_behind_it_and_the_log_keeps_it() {
    let explained = |settings, lines: Vec<Line>| async {
        let shop = Shop::new();
        let model = Arc::new(ScriptedModel::new(lines));
        let ask = shop.ask("How much did customers in the USA buy?", settings, model).await;
        run(Ask { options: AskOptions { explain: true, ..ask.options }, ..ask }, CancellationToken::new()).await
    };
    // A baseline whose replies contain only SQL.
    let direct = AskSettings { strategy: "direct".into(), ..one_candidate() };
    let sql =
        "SELECT SUM(p.amount) AS bought FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
    let ran = explained(direct, vec![sql.into()]).await;
    let last = |ran: &Ran| -> Vec<String> {
        let bodies = ran.events.iter().rev().take(6).map(|event| serde_json::to_value(&event.body).unwrap());
        bodies.map(|body| body["type"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(
        last(&ran),
        ["runFinished", "certaintyEstimated", "explained", "certaintyEstimated", "stageFinished", "resultReady"]
    );
    let json = RunReport::from_events(&ran.events).to_json();
    assert_eq!((&json["rewritten"]["origin"], &json["selection"]["origin"]), (&"computed".into(), &"computed".into()));
    assert_eq!(json["rewritten"]["outputs"], serde_json::json!(["bought (sum of amount of purchase)"]));
    assert_eq!(json["selection"]["tables"][0]["name"], "customer");
    let steps = json["explanation"]["steps"].as_array().unwrap();
    assert_eq!(json["explanation"]["proven"], true, "{json:#}");
    assert_eq!(json["views"].as_array().unwrap().len(), steps.len());
    assert!(json["views"].as_array().unwrap().iter().all(|view| view["origin"] == "computed"));
    assert_eq!((&steps[0]["rows"], &steps.last().unwrap()["rows"]), (&2.into(), &1.into()));

    // A method's own views are kept, and the corresponding step refers to the view.
    let lines = vec![REWRITTEN, &good_views(), PLAN, "SELECT SUM(amount) FROM us_purchases", UNCHANGED].map_into();
    let ran = explained(one_candidate(), lines).await;
    let json = RunReport::from_events(&ran.events).to_json();
    assert_eq!((&json["rewritten"]["origin"], &json["selection"]["origin"]), (&"method".into(), &"method".into()));
    assert_eq!(json["views"][0]["origin"], "method");
    let steps = json["explanation"]["steps"].as_array().unwrap();
    assert!(steps.iter().any(|step| step["view"] == "us_purchases"), "{steps:#?}");
}

#[tokio::test]
async fn what_only_the_engine_reads_is_a_view_or_reads_one_like_any_other() {
    let odd = views(
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country IS 'US' -- odd",
    );
    let (plain, odd_query) =
        ("SELECT SUM(amount) FROM us_purchases", "SELECT SUM(amount) FROM us_purchases WHERE amount IS NOT 'x'");
    for (views, query) in [(odd.clone(), plain), (good_views(), odd_query), (odd, odd_query)] {
        let (ran, _) = ask(one_candidate(), vec![REWRITTEN, &views, PLAN, query, UNCHANGED].map_into()).await;
        assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{query}: {:?}", ran.outcome);
    }
    // A query that reads no view is executed unchanged.
    let alone = "SELECT SUM(amount)  FROM purchase WHERE placed IS NOT '' -- all of them";
    let (ran, _) = ask(one_candidate(), vec![REWRITTEN, &good_views(), PLAN, alone, UNCHANGED].map_into()).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"));
    assert!(
        ran.pick(|b| match b {
            EventBody::QueryExecuted { sql, .. } => Some(sql.clone()),
            _ => None,
        })
        .contains(&alone.to_owned())
    );
}

#[tokio::test]
async fn functions_that_a_person_allowed_are_called_in_views_and_queries() {
    // Both functions return 0 without writes, but are not in the list of allowed functions.
    let views = views(
        "SELECT p.amount + changes() AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'",
    );
    let query = "SELECT SUM(amount + total_changes()) FROM us_purchases";
    for allowed in [vec!["changes", "total_changes"], vec!["changes"], vec!["total_changes"], vec![]] {
        let model = Arc::new(ScriptedModel::new(vec![REWRITTEN, &views, PLAN, query, UNCHANGED]));
        let settings = AskSettings { max_rounds: 0, ..one_candidate() };
        let shop = Shop::new();
        let ask = shop.ask("How much did customers in the USA buy?", settings, model).await;
        let ask = Ask {
            permissions: AskPermissions { functions: AllowedFunctions::new(&allowed).unwrap(), ..ask.permissions },
            ..ask
        };
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(only_cell(&ran).as_deref() == Some("30.5"), allowed.len() == 2, "{allowed:?}: {:?}", ran.outcome);
    }
}

#[tokio::test]
async fn usa_finds_us_through_the_pipeline() {
    let asked_usa = views(
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'USA'",
    );
    let lines =
        vec![REWRITTEN, &asked_usa, &good_views(), PLAN, "SELECT SUM(amount) FROM us_purchases", UNCHANGED].map_into();
    let (ran, model) = ask(one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
    let found = ran.pick(|b| match b {
        EventBody::ValuesRetrieved { matches, .. } => {
            Some(matches.iter().any(|m| m.literal == "USA" && m.value == "US"))
        }
        _ => None,
    });
    assert!(found.contains(&true), "the stored value is found for the literal");
    let feedback = &model.requests()[2].turns[0].1;
    assert!(feedback.contains("'USA' is not stored") && feedback.contains("'US'"), "{feedback}");
}

#[tokio::test]
async fn a_word_for_a_tables_rows_is_a_value_only_beside_what_says_so() {
    let shop = Shop::with(
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, channel TEXT);
         INSERT INTO visit VALUES (1,'web'),(2,'customer'),(3,'web'),(4,'app');",
    );
    for (question, found) in [
        ("Which customer has the most purchases?", &[][..]),
        ("How many purchases has each customer?", &[]),
        ("How many came by the customer channel?", &["customer"]),
        ("How many customer visits were there?", &["customer"]),
        ("How many came by web and how many by customer?", &["web", "customer"]),
        ("How many came by app?", &["app"]),
    ] {
        let settings = AskSettings { candidates: 1, ..AskSettings::default() };
        let (ran, _) = ask_of(&shop, question, settings, vec!["SELECT COUNT(*) FROM visit"; 12].map_into()).await;
        let values = ran.pick(|b| match b {
            EventBody::ValuesRetrieved { matches, .. } => Some(matches.iter().map(|m| m.value.clone()).collect()),
            _ => None,
        });
        let values: Vec<Vec<String>> = values;
        assert_eq!(
            values.first().map(Vec::as_slice),
            Some(found.iter().map(|v| (*v).to_owned()).collect::<Vec<_>>().as_slice()),
            "{question}"
        );
    }
}

#[tokio::test]
async fn a_value_in_several_writings_is_compared_with_all_of_them() {
    let shop = Shop::with(
        "INSERT INTO customer VALUES (5,'Eve','USA'),(6,'Fay','U.S.'); INSERT INTO purchase VALUES (4,5,7,'2023-03-01');",
    );
    let all = views(
        "SELECT p.amount AS amount FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country IN ('US', 'USA', 'U.S.')",
    );
    let lines =
        vec![REWRITTEN, &good_views(), &all, PLAN, "SELECT SUM(amount) FROM us_purchases", UNCHANGED].map_into();
    let (ran, model) = ask_of(&shop, "How much did customers in the USA buy?", one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("37.5"));
    let feedback = &model.requests()[2].turns[0].1;
    assert!(feedback.contains("country IN ('US', "), "{feedback}");
    let generated = &model.requests()[4].tail;
    assert!(generated.contains("customer.country IN ("), "the generator is told, too: {generated}");
}

async fn usa(sampled: &str) -> Ran {
    let shop = Shop::with(
        "INSERT INTO customer VALUES (5,'Eve','USA'),(6,'Fay','U.S.'); INSERT INTO purchase VALUES (4,5,7,'2023-03-01');",
    );
    let dropped = "SELECT COUNT(*) FROM customer WHERE country IN ('USA', 'U.S.', 'USA')";
    let settings = AskSettings { strategy: "auto".into(), candidates: 4, ..AskSettings::default() };
    ask_of(&shop, "How many customers live in the USA?", settings, vec![dropped, dropped, sampled]).await.0
}

#[tokio::test]
async fn a_writing_that_the_model_drops_from_the_list_is_put_back_where_others_write_it() {
    let ran = usa("SELECT COUNT(*) FROM customer WHERE country IN ('USA', 'US', 'U.S.')").await;
    assert_eq!(only_cell(&ran).as_deref(), Some("4"), "two write US");
    assert_eq!(ran.report.changes[0].rule, "V003");
    assert!(ran.report.written.as_ref().unwrap().contains("'USA', 'U.S.', 'USA'"), "{:?}", ran.report.written);
}

#[tokio::test]
async fn a_writing_that_nobody_writes_is_offered_and_not_put_in() {
    let ran = usa("SELECT COUNT(*) FROM customer WHERE country IN ('USA', 'U.S.')").await;
    assert_eq!(only_cell(&ran).as_deref(), Some("2"), "as it was written");
    assert!(ran.report.changes.is_empty(), "{:?}", ran.report.changes);
    let offered: Vec<_> = ran.report.variants.iter().map(|v| (v.rule.as_str(), v.first_row.clone())).collect();
    assert_eq!(offered, [("V005", vec![Some("4".to_owned())])]);
}

#[tokio::test]
async fn a_value_in_another_writing_is_written_as_it_is_stored() {
    let sql = "SELECT SUM(p.amount) FROM purchase p JOIN customer c ON p.customer_id = c.id WHERE c.country = 'de'";
    let lines = vec![REWRITTEN, &good_views(), PLAN, sql, UNCHANGED].map_into();
    let (ran, _) = ask_of(&Shop::new(), "How much did customers in de buy?", one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("5.0"));
    let repairs = ran.pick(|b| match b {
        EventBody::SqlAttempted { repairs, .. } => Some(repairs.join(" ")),
        _ => None,
    });
    assert!(repairs[0].contains("'de' is stored as 'DE'"), "{repairs:?}");
}

#[tokio::test]
async fn a_key_that_is_compared_with_a_name_is_looked_up_by_it() {
    let settings = AskSettings { strategy: "auto".into(), candidates: 4, ..AskSettings::default() };
    let sql = "SELECT COUNT(*) FROM purchase WHERE customer_id = 'ada'";
    let (ran, _) = ask_of(&Shop::new(), "How often did Ada buy?", settings, vec![sql, sql]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("2"));
}

async fn not_for_20(sampled: &str) -> (Vec<String>, Ran) {
    let settings = AskSettings { strategy: "auto".into(), candidates: 4, ..AskSettings::default() };
    let sql = "SELECT c.name FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE p.amount <> 20";
    let question = "Which customers did not buy anything for 20?";
    let (ran, _) = ask_of(&Shop::new(), question, settings, vec![sql, sql, sampled]).await;
    let mut names: Vec<_> =
        ran.report.page.iter().flat_map(|page| &page.rows).map(|row| row[0].clone().unwrap()).collect();
    names.sort();
    (names, ran)
}

#[tokio::test]
async fn those_who_did_not_are_not_those_who_did_something_else() {
    let without = "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM purchase WHERE amount = 20)";
    let (names, ran) = not_for_20(without).await;
    assert_eq!(names, ["Bert", "Cleo", "Dan"], "Ada bought for 20, and for 10.50 besides");
    assert!(ran.report.changes.is_empty() || ran.report.changes[0].rule == "Q005", "{:?}", ran.report.changes);
}

#[tokio::test]
async fn what_all_candidates_write_stands_and_the_other_is_offered() {
    let same = "SELECT c.name FROM purchase p JOIN customer c ON p.customer_id = c.id WHERE p.amount <> 20";
    let (names, ran) = not_for_20(same).await;
    assert_eq!(names, ["Ada", "Cleo"]);
    assert!(ran.report.changes.is_empty());
    assert_eq!(ran.report.variants[0].rule, "Q005");
    assert_eq!(ran.report.variants[0].row_count, Some(3));
}

#[tokio::test]
async fn nothing_found_because_of_a_misspelt_name_is_asked_again() {
    let sum = |name: &str| {
        format!("SELECT SUM(p.amount) FROM purchase p JOIN customer c ON p.customer_id = c.id WHERE c.name = '{name}'")
    };
    let lines = vec![REWRITTEN, &good_views(), PLAN, &sum("Kleo"), &sum("Cleo"), UNCHANGED].map_into();
    let (ran, model) = ask_of(&Shop::new(), "How much did Kleo buy?", one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("5.0"));
    let feedback = &model.requests()[4].turns[0].1;
    assert!(feedback.contains("'Kleo' is not stored") && feedback.contains("'Cleo'"), "{feedback}");
}

#[tokio::test]
async fn a_number_that_was_lost_is_asked_for_again() {
    let all = "SELECT COUNT(*) FROM purchase";
    let year = "SELECT COUNT(*) FROM purchase WHERE placed LIKE '2023-02%'";
    let lines = vec![REWRITTEN, &good_views(), PLAN, all, year, UNCHANGED].map_into();
    let (ran, model) = ask_of(&Shop::new(), "How many purchases in February 2023?", one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("2"));
    assert!(model.requests()[4].turns[0].1.contains("does not use 2023"));
}

#[tokio::test]
async fn an_invented_column_is_fed_back_and_costs_no_query() {
    let invented = views("SELECT p.total AS amount FROM purchase p");
    let lines =
        vec![REWRITTEN, &invented, &good_views(), PLAN, "SELECT SUM(amount) FROM us_purchases", UNCHANGED].map_into();
    let (ran, _) = ask(one_candidate(), lines).await;
    assert_eq!(ran.report.status(), RunStatus::Answered);
    let attempts = ran.pick(|b| match b {
        EventBody::ViewsAttempted { attempt, views, feedback, .. } => {
            Some((*attempt, views[0].status, feedback.join(" ")))
        }
        _ => None,
    });
    assert_eq!(attempts.len(), 2);
    assert_eq!(attempts[0].1, ViewStatus::Error);
    assert!(attempts[0].2.contains("total"), "{}", attempts[0].2);
    let queried = ran.pick(|b| match b {
        EventBody::QueryExecuted { sql, .. } => Some(sql.clone()),
        _ => None,
    });
    assert!(queried.iter().all(|sql| !sql.contains("total")));
}

#[tokio::test]
async fn a_failing_sql_is_repaired_and_both_attempts_stay_visible() {
    let lines = vec![
        REWRITTEN,
        &good_views(),
        PLAN,
        "SELECT SUM(nonsense_xyz) FROM us_purchases",
        "SELECT SUM(amount) FROM us_purchases",
        UNCHANGED,
    ]
    .map_into();
    let (ran, _) = ask(one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
    let attempts = ran.pick(|b| match b {
        EventBody::SqlAttempted { attempt, error, .. } => Some((*attempt, error.is_some())),
        _ => None,
    });
    assert_eq!(attempts, [(0, true), (1, false)]);
}

#[tokio::test]
async fn a_search_ends_after_three_rounds_of_the_same_error_and_says_what_to_do() {
    let begin = [REWRITTEN, &good_views(), PLAN].map(str::to_owned);
    let asked = async |queries: &[&str]| {
        let lines = begin.iter().cloned().chain(queries.iter().map(|query| (*query).to_owned()));
        let (ran, model) = ask(one_candidate(), lines.map(Line::Say).collect()).await;
        assert_eq!(model.unused_lines(), 0, "every reply was asked for");
        ran.outcome.unwrap_err()
    };
    let same = asked(&[
        "SELECT SUM(nonsense_xyz) FROM us_purchases",
        "SELECT MAX(nonsense_xyz) FROM us_purchases",
        "SELECT AVG(nonsense_xyz) FROM us_purchases",
    ])
    .await;
    assert_eq!(same.message, "No SQL that runs was found in 3 attempts");
    let hint = same.hint.unwrap();
    assert!(hint.contains("names that the data does not contain: nonsense_xyz"), "{hint}");
    // Different errors may be progress.
    let queries = ["a", "b", "c", "d", "e", "f"].map(|name| format!("SELECT nonsense_{name}x FROM us_purchases"));
    let differ = asked(&queries.each_ref().map(String::as_str)).await;
    assert_eq!(differ.message, "No SQL that runs was found in 6 attempts");
}

/// A table imported from a German file.
const GERMAN: &str = "CREATE TABLE umsatz (\"Kunden-Nr\" INTEGER, \"Betrag €\" REAL, \"order date\" TEXT, \"order\" INTEGER, \"2023 Umsatz\" REAL);
    INSERT INTO umsatz VALUES (7, 10.5, '2024-01-02', 3, 1), (7, 20, '2024-02-03', 4, 2), (8, 5, '2024-03-04', 5, 4);";

#[tokio::test]
async fn names_that_a_model_writes_without_quotes_are_quoted_and_the_change_is_told() {
    for (written, quoted, first) in [
        ("SELECT SUM(Betrag €) FROM umsatz", "SUM(\"Betrag €\")", "35.5"),
        ("SELECT u.Kunden-Nr FROM umsatz u ORDER BY u.Betrag € LIMIT 1", "u.\"Kunden-Nr\"", "8"),
        ("SELECT 2023 Umsatz FROM umsatz WHERE Kunden-Nr = 8", "\"2023 Umsatz\"", "4.0"),
        ("SELECT MAX(order) FROM umsatz", "MAX(\"order\")", "5"),
        (
            "The sum is asked for.\n\nSELECT SUM(Betrag €) FROM umsatz\n\nThat is all of it.",
            "SUM(\"Betrag €\")",
            "35.5",
        ),
    ] {
        let settings = AskSettings { candidates: 1, ..auto() };
        let model = Arc::new(ScriptedModel::new(vec![written]));
        let ask = Shop::with(GERMAN).ask("What is the total?", settings, model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        assert_eq!(only_cell(&ran).as_deref(), Some(first), "{written}: {:?}", ran.outcome);
        let changes = ran.pick(|body| match body {
            EventBody::QueryChanged { after, changes, .. } => Some((after.contains(quoted), changes.len())),
            _ => None,
        });
        assert!(changes.iter().any(|(quoted, changes)| *quoted && *changes > 0), "{written}: {changes:?}");
        assert!(model.requests()[0].prefix.contains("\"Betrag €\" REAL"), "the schema shows them quoted");
    }
}

#[tokio::test]
async fn candidates_are_chosen_by_result_and_disagreement_is_said() {
    let (unplanned, planned) = ("SELECT COUNT(*) FROM us_purchases", "SELECT TOTAL(amount) FROM us_purchases");
    let sampled = "SELECT SUM(amount) FROM us_purchases";
    let lines = vec![REWRITTEN, &good_views(), PLAN, unplanned, planned, sampled, UNCHANGED].map_into();
    let (ran, model) =
        ask(AskSettings { strategy: "av-sql".into(), candidates: 3, ..AskSettings::default() }, lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "two of three agree");
    let votes = ran.pick(|b| match b {
        EventBody::CandidateChosen { votes, of, .. } => Some((*votes, *of)),
        _ => None,
    });
    assert_eq!(votes, [(2, 3)]);
    let tails: Vec<String> = model.requests()[3..5].iter().map(|request| request.tail.clone()).collect();
    assert!(!tails[0].contains("Plan:") && tails[1].contains("Plan:"), "a wrong plan cannot decide every vote");
}

#[tokio::test]
async fn queries_of_both_prompts_that_agree_are_not_sampled_further() {
    let same = "SELECT SUM(amount) FROM us_purchases";
    let lines = vec![REWRITTEN, &good_views(), PLAN, same, same, UNCHANGED].map_into();
    let (ran, _) = ask(AskSettings { strategy: "av-sql".into(), candidates: 4, ..AskSettings::default() }, lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
}

#[tokio::test]
async fn the_revisor_cannot_break_what_was_asked_for() {
    let harmful = r#"{"verdict":"revised","sql":"SELECT id, amount FROM purchase"}"#;
    let lines = vec![REWRITTEN, &good_views(), PLAN, "SELECT SUM(amount) FROM us_purchases", harmful].map_into();
    let (ran, _) = ask(one_candidate(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
    assert!(!ran.report.revised);
    let verdicts = ran.pick(|b| match b {
        EventBody::Revised { before, after, kept, reason, .. } => Some((before != after, *kept, reason.clone())),
        _ => None,
    });
    assert!(matches!(verdicts.as_slice(), [(true, false, reason)] if reason.contains("columns")), "{verdicts:?}");
}

#[tokio::test]
async fn parts_can_be_switched_off() {
    let without = vec![Switch::Rewriter, Switch::Planner, Switch::Revisor, Switch::ViewFeedback, Switch::SqlFeedback];
    let settings = AskSettings { without, ..one_candidate() };
    let (ran, model) = ask(settings, vec![good_views(), "SELECT SUM(amount) FROM us_purchases".into()]).await;
    assert_eq!(ran.report.status(), RunStatus::Answered);
    assert_eq!(model.requests().len(), 2, "one call for views, one for the SQL");
}

fn auto() -> AskSettings {
    AskSettings { strategy: "auto".into(), candidates: 4, ..AskSettings::default() }
}

#[tokio::test]
async fn auto_stops_where_two_prompts_agree() {
    let sum = "SELECT SUM(p.amount) FROM customer c JOIN purchase p ON p.customer_id = c.id WHERE c.country = 'US'";
    let (ran, model) = ask(auto(), vec![sum, sum]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"));
    let requests = model.requests();
    assert_eq!(requests.len(), 2);
    assert_ne!(requests[0].tail, requests[1].tail, "two prompts, so that not both make the same slip");
    assert_eq!(requests[0].prefix, requests[1].prefix, "which read the schema once");
    assert!(requests[0].tail.contains("customer.country = 'US' (for 'USA')"), "{}", requests[0].tail);
}

/// Asks `auto` with a model that deliberates or does not.
async fn asked_of_two_prompts(deliberates: bool, without: &[Switch], lines: &[&str]) -> (Ran, Arc<ScriptedModel>) {
    let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
    let model = if deliberates { large(lines) } else { small(lines) };
    let settings = AskSettings { without: without.to_vec(), ..auto() };
    let shop = Shop::new();
    let ask = shop.ask("What are our customers called?", settings, model.clone()).await;
    (run(ask, CancellationToken::new()).await, model)
}

#[tokio::test]
async fn what_a_large_model_shows_besides_is_no_disagreement() {
    let (names, more) = ("SELECT name FROM customer", "SELECT id, name FROM customer ORDER BY id");
    for lines in [[names, more], [more, names]] {
        let (ran, model) = asked_of_two_prompts(true, &[], &lines).await;
        assert_eq!(model.requests().len(), 2, "nothing else is written");
        let page = ran.report.page.as_ref().expect("an answer");
        assert_eq!(page.columns.len(), 1, "what both give");
        let votes = ran.pick(|body| match body {
            EventBody::CandidateChosen { votes, of, .. } => Some((*votes, *of)),
            _ => None,
        });
        assert_eq!(votes, [(2, 2)]);
    }
    // Different rows are a different answer, and a small model's choice of columns is voted on.
    let some = "SELECT name FROM customer WHERE country = 'US'";
    let (_, model) = asked_of_two_prompts(true, &[], &[some, more, some, some]).await;
    assert_eq!(model.requests().len(), 4);
    let (_, model) = asked_of_two_prompts(false, &[], &[names, more, names, names]).await;
    assert!(model.requests().len() > 2);
}

#[tokio::test]
async fn a_large_model_is_told_why_one_of_two_queries_failed_before_others_are_paid_for() {
    let (names, fails) = ("SELECT name FROM customer", "SELECT nonsense_xyz FROM customer");
    for lines in [[fails, names, names], [names, fails, names]] {
        let (ran, model) = asked_of_two_prompts(true, &[], &lines).await;
        assert_eq!(ran.report.status(), RunStatus::Answered, "{:?}", ran.outcome);
        let requests = model.requests();
        assert_eq!(requests.len(), 3, "both prompts' queries and the mended one agree");
        let told = requests[2].turns.last().expect("the query and what was wrong");
        assert!(told.0.contains("nonsense_xyz") && told.1.contains("nonsense_xyz"), "{told:?}");
    }
    // A repaired query with a different result is one vote.
    let us = "SELECT name FROM customer WHERE country = 'US'";
    let (ran, model) = asked_of_two_prompts(true, &[], &[fails, names, us, names, names]).await;
    assert_eq!(ran.report.page.as_ref().map(|page| page.row_count), Some(4), "{:?}", ran.outcome);
    assert_eq!(model.requests().len(), 5);
    // Without the feedback switch no error is reported to the model.
    let (_, model) = asked_of_two_prompts(true, &[Switch::SqlFeedback], &[fails, names, names, names]).await;
    assert!(model.requests().iter().all(|request| request.turns.is_empty()));
}

#[tokio::test]
async fn auto_builds_views_only_where_there_is_no_majority() {
    let (one, two, three) =
        ("SELECT SUM(amount) FROM purchase", "SELECT COUNT(*) FROM purchase", "SELECT MAX(amount) FROM purchase");
    let sampled = Line::Samples(vec![three.into(), "SELECT MIN(amount) FROM purchase".into()]);
    let from_views = "SELECT SUM(amount) FROM us_purchases";
    let mut lines: Vec<Line> = vec![one.into(), two.into(), sampled];
    lines.extend([REWRITTEN, &good_views(), PLAN, from_views, from_views, A, B].map(Line::from));
    let (ran, _) = ask(auto(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
    let nodes = ran.pick(|b| match b {
        EventBody::StageStarted { node, .. } => Some(node.clone()),
        _ => None,
    });
    let first = ["schema", "grounding", "generator"];
    let views = ["rewriter", "chunk-1", "selection", "planner", "generator-views", "result"];
    assert_eq!(nodes, [first.as_slice(), &views].concat());
}

#[tokio::test]
async fn auto_builds_views_where_nothing_ran_that_was_written_at_once() {
    let bad = "SELECT nothing FROM nowhere";
    let settings = AskSettings { max_rounds: 0, ..auto() };
    let mut lines: Vec<Line> = vec![bad.into(), bad.into(), Line::Samples(vec![bad.into(), bad.into()])];
    let from_views = "SELECT SUM(amount) FROM us_purchases";
    lines.extend([REWRITTEN, &good_views(), PLAN, from_views, from_views].map(Line::from));
    let (ran, _) = ask(settings.clone(), lines).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("30.5"), "{:?}", ran.outcome);
    // If no query runs, the run fails.
    let mut lines: Vec<Line> = vec![bad.into(), bad.into(), Line::Samples(vec![bad.into(), bad.into()])];
    lines.extend([REWRITTEN, &good_views(), PLAN, bad, bad].map(Line::from));
    let (ran, _) = ask(settings, lines).await;
    assert!(ran.outcome.unwrap_err().message.contains("No SQL that runs"));
}

/// A user who chooses the interpretation with a known first cell, and records the offered ones.
struct Knows(&'static str, Mutex<Vec<Reading>>);

#[async_trait]
impl UserClarifier for Knows {
    async fn choose_reading(&self, readings: &[Reading]) -> Option<u32> {
        *self.1.lock().unwrap() = readings.to_vec();
        readings.iter().find(|reading| reading.first_row[0].as_deref() == Some(self.0)).map(|reading| reading.candidate)
    }
}

const A: &str = r#"{"better":"A"}"#;
const B: &str = r#"{"better":"B"}"#;

/// Runs `auto` with candidates without a majority, the judge's verdicts and a user who can be asked.
async fn unsure(clarifier: Arc<Knows>, verdicts: [&str; 2]) -> Ran {
    let (one, two) = ("SELECT SUM(amount) FROM purchase", "SELECT COUNT(*) FROM purchase WHERE amount > 7");
    let mut lines: Vec<Line> = vec![one.into(), two.into()];
    lines.extend([REWRITTEN, &good_views(), PLAN, "SELECT MAX(amount) FROM purchase", "x"].map(Line::from));
    lines.extend(verdicts.map(Line::from));
    let settings = AskSettings { candidates: 2, ..auto() };
    let model = Arc::new(ScriptedModel::new(lines));
    let shop = Shop::new();
    let ask = shop.ask("How much did customers in the USA buy?", settings, model).await;
    run(Ask { user: UserRoles { clarifier: Some(clarifier), ..ask.user }, ..ask }, CancellationToken::new()).await
}

#[tokio::test]
async fn where_readings_remain_the_person_says_which_is_meant() {
    let clarifier = Arc::new(Knows("2", Mutex::default()));
    let ran = unsure(clarifier.clone(), [A, A]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("2"), "{:?}", ran.outcome);
    let shown = clarifier.1.lock().unwrap().clone();
    let cells: Vec<_> = shown.iter().map(|reading| reading.first_row[0].as_deref().unwrap()).collect();
    assert_eq!(cells, ["35.5", "2", "20.0"]);
    assert_eq!(
        shown.iter().map(|reading| reading.meaning.as_str()).collect::<Vec<_>>(),
        [
            "Sum of amount, whether or not amount is more than 7",
            "Number of rows of purchase, only where amount is more than 7, which applies to 2 of 3 rows of purchase",
            "Largest amount, whether or not amount is more than 7",
        ]
    );
    let looked_at = ran.pick(|b| match b {
        EventBody::Probed { probe, .. } => Some(probe.purpose.clone()),
        _ => None,
    });
    assert_eq!(looked_at, ["Rows of purchase with amount > 7"]);
    let chosen = ran.pick(|b| match b {
        EventBody::ReadingsOffered { readings, .. } => Some(format!("{} offered", readings.len())),
        EventBody::ReadingChosen { candidate, .. } => Some(format!("{candidate:?} chosen")),
        EventBody::CandidateChosen { candidate, reason, .. } => Some(format!("{candidate}: {reason}")),
        _ => None,
    });
    assert_eq!(chosen, ["3 offered", "Some(2) chosen", "2: You chose this reading"]);
    assert!(ran.report.warnings.is_empty(), "{:?}", ran.report.warnings);
}

#[tokio::test]
async fn what_is_preferred_whichever_stands_first_needs_no_person() {
    let clarifier = Arc::new(Knows("20.0", Mutex::default()));
    let ran = unsure(clarifier.clone(), [B, A]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("2"), "{:?}", ran.outcome);
    assert!(clarifier.1.lock().unwrap().is_empty(), "nobody was asked");
    let judged = ran.pick(|b| match b {
        EventBody::Judged { candidates, better, .. } => Some((candidates.clone(), *better)),
        _ => None,
    });
    assert_eq!(judged, [(vec![1, 2], Some(2))]);
}

#[tokio::test]
async fn a_choice_that_is_handed_back_is_made_as_if_nobody_were_there() {
    let ran = unsure(Arc::new(Knows("none of them", Mutex::default())), [B, B]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
    assert!(ran.report.warnings.iter().any(|w| w.contains("Not sure")), "{:?}", ran.report.warnings);
}

#[tokio::test]
async fn direct_is_one_call_without_repair() {
    let settings = AskSettings { strategy: "direct".into(), ..AskSettings::default() };
    let (ran, model) = ask(settings.clone(), vec!["SELECT SUM(amount) FROM purchase"]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"));
    assert_eq!(model.requests().len(), 1);
    let (ran, _) = ask(settings, vec!["SELECT nothing FROM nowhere"]).await;
    assert_eq!(ran.report.status(), RunStatus::Failed);
}

#[tokio::test]
async fn a_reply_that_was_cut_off_is_asked_again_with_more_room_where_the_model_writes_at_length() {
    let settings = AskSettings { strategy: "direct".into(), ..AskSettings::default() };
    // The truncated query runs too, with a different result.
    let (cut, whole) = ("SELECT 5 ", "SELECT SUM(amount) FROM purchase");
    let asked = async |deliberates, reasoning, lines: Vec<Line>| {
        let shop = Shop::new();
        let plain = ScriptedModel::new(lines);
        let profile = ModelProfile { deliberates, reasoning, context_tokens: 32_768, ..plain.profile() };
        let model = Arc::new(plain.with_profile(profile));
        let ask = shop.ask("What is the total amount?", settings.clone(), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        let told = ran.pick(|b| match b {
            EventBody::ModelCallFinished { error, replies, .. } => Some((error.clone(), replies.clone())),
            _ => None,
        });
        let room: Vec<u32> = model.requests().iter().map(|request| request.max_tokens).collect();
        (only_cell(&ran), room, told)
    };

    let (answer, room, told) =
        asked(true, Reasoning::None, vec![Line::CutOff(cut.to_owned()), Line::from(whole)]).await;
    assert_eq!(answer.as_deref(), Some("35.5"));
    assert_eq!(room, [room[0], 2 * room[0]]);
    assert!(told[0].0.as_ref().is_some_and(|error| error.contains("asked again")), "{told:?}");
    assert!(told[0].1[0].contains(cut.trim()), "the log keeps what there was");
    assert_eq!(told[1].0, None);

    // The limit grows up to a maximum; after that the reply is not an answer.
    let (answer, room, _) = asked(true, Reasoning::None, vec![Line::CutOff(cut.to_owned()); 12]).await;
    assert_eq!(answer, None);
    assert_eq!(room.last(), Some(&(32_768 / 4)));

    let lines = vec![Line::CutOff(cut.to_owned()), Line::from(whole)];
    let (answer, room, _) = asked(false, Reasoning::None, lines).await;
    assert_eq!((answer.as_deref(), room.len()), (Some("5"), 1), "a small model's reply stands as it did");

    // A small model that reasons in its text writes the query after its reasoning.
    let thinking = "<think>They want all amounts";
    let behind = format!("{thinking}, each once.</think>\n```sql\n{whole}\n```");
    let lines = vec![Line::CutOff(thinking.to_owned()), Line::from(behind)];
    let (answer, room, told) = asked(false, Reasoning::Text, lines).await;
    assert_eq!(answer.as_deref(), Some("35.5"));
    assert_eq!(room, [4_096 + 1_200, 8_192], "half of its longest reply to think, and a short query");
    assert!(told[0].0.as_ref().is_some_and(|error| error.contains("asked again")), "{told:?}");
    let (answer, room, _) = asked(false, Reasoning::Text, vec![Line::CutOff(thinking.to_owned()); 12]).await;
    assert_eq!((answer, room.last()), (None, Some(&8_192)));
}

/// Asks a model that deliberates about data that the shop does not contain.
async fn asked_of_a_large_model(strategy: &str, lines: Vec<&str>) -> (Ran, Arc<ScriptedModel>) {
    let shop = Shop::new();
    let plain = ScriptedModel::new(lines);
    let profile = ModelProfile { deliberates: true, ..plain.profile() };
    let model = Arc::new(plain.with_profile(profile));
    let settings = AskSettings { strategy: strategy.into(), candidates: 2, ..AskSettings::default() };
    let ask = shop.ask("How warm was it when each purchase was made?", settings, model.clone()).await;
    (run(ask, CancellationToken::new()).await, model)
}

#[tokio::test]
async fn what_the_data_does_not_say_ends_in_saying_so_with_what_comes_nearest() {
    let shop = Shop::new();
    for method in METHODS.iter().map(|method| method.info.name) {
        let model = Actor::that_declines(ModelProfile::default());
        let settings = AskSettings { strategy: method.into(), candidates: 2, ..AskSettings::default() };
        let question = "How warm was it when each purchase was made?";
        let ask = shop.ask_with_all(question, "Warm means over 20 degrees.", settings, model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        let error = ran.outcome.clone().expect_err("there is no answer");
        assert_eq!(error.code, ErrorCode::NotInData, "{method}: {error}");
        assert_eq!(error.message, "This data does not say: temperatures", "{method}");
        assert_eq!(error.hint.as_deref(), Some("The closest data: purchase.amount"), "{method}: only what is there");
        let told = ran.pick(|body| match body {
            EventBody::NotInData { missing, nearest, .. } => Some((missing.clone(), nearest.clone())),
            _ => None,
        });
        assert_eq!(told[0], ("temperatures".to_owned(), vec!["purchase.amount".to_owned()]), "{method}");
        // If every reply declines at once, no request is repeated.
        let calls = model.requests().len();
        assert!(
            !["auto", "direct"].contains(&method) || calls == usize::from(method == "auto") + 1,
            "{method}: {calls}"
        );
    }
}

#[tokio::test]
async fn one_reply_that_declines_does_not_take_an_answer_away() {
    let query = "It is kept.\n```sql\nSELECT amount FROM purchase\n```";
    let (ran, _) = asked_of_a_large_model("auto", vec![NO_WEATHER, query]).await;
    assert_eq!(ran.report.status(), RunStatus::Answered);
    let warnings = ran.report.warnings.join(" ");
    assert!(warnings.contains("1 of 2 replies stated that the data does not contain this: temperatures"), "{warnings}");
}

#[tokio::test]
async fn a_shared_last_place_is_told() {
    let settings = AskSettings { strategy: "direct".into(), ..AskSettings::default() };
    let told = async |sql: &'static str| {
        let (ran, _) = ask(settings.clone(), vec![sql]).await;
        ran.report.warnings.join(" ")
    };
    let first = told("SELECT name FROM customer ORDER BY country DESC LIMIT 1").await;
    assert!(first.contains("first place is shared: 1 more row"), "{first}");
    assert_eq!(told("SELECT name FROM customer ORDER BY country DESC LIMIT 2").await, "");
    assert_eq!(told("SELECT country, COUNT(*) AS n FROM customer GROUP BY 1 ORDER BY n DESC LIMIT 1").await, "");
    let second = told("SELECT country, COUNT(*) AS n FROM customer GROUP BY 1 ORDER BY n DESC LIMIT 2").await;
    assert!(second.contains("Place 2 is shared: 1 more row"), "{second}");
}

#[tokio::test]
async fn a_model_that_writes_garbage_ends_in_a_clear_failure_within_bounds() {
    let model = Arc::new(ScriptedModel::new(vec!["no json, no sql"; 12]));
    let settings = AskSettings { max_rounds: 2, ..one_candidate() };
    let question = "How much did customers in the USA buy?";
    let ask = Shop::new().ask_with_all(question, "Countries are codes.", settings, model.clone()).await;
    let ran = run(ask, CancellationToken::new()).await;
    assert_eq!(ran.report.status(), RunStatus::Failed);
    let error = ran.outcome.clone().unwrap_err();
    assert!(error.message.contains("No SQL that runs") && error.hint.is_some(), "{error}");
    assert!(model.requests().len() <= 9, "{} calls", model.requests().len());
    let outcomes = ran.pick(|b| match b {
        EventBody::ChunkFinished { outcome, .. } => Some(*outcome),
        _ => None,
    });
    assert_eq!(outcomes, [ChunkOutcome::Failed]);
    let tried = ran.pick(|b| match b {
        EventBody::SqlAttempted { attempt, .. } => Some(*attempt),
        _ => None,
    });
    assert_eq!(tried, [0, 1], "who repeats a failure word for word is not asked a third time");
}

#[tokio::test]
async fn a_question_that_has_spent_its_budget_is_answered_with_the_best_so_far() {
    let with = |seconds, tokens| AskSettings { budget: Budget { seconds, tokens, ..Budget::default() }, ..auto() };
    let sum = "SELECT SUM(amount) FROM purchase";
    let (free, _) = ask(with(None, None), vec![sum, sum]).await;
    let usage = free.pick(|b| match b {
        EventBody::ModelCallFinished { usage, .. } => Some(usage.total_tokens()),
        _ => None,
    });
    let (ran, model) = ask(with(None, Some(usage[0] + 300)), vec![sum, "SELECT COUNT(*) FROM purchase"]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
    assert_eq!(model.requests().len(), 1, "a call that may pass the limit is not made");
    let said = ran.report.warnings.join(" ");
    assert!(said.contains(&format!("the rest of the limit of {} tokens was too small", usage[0] + 300)), "{said}");

    let (ran, _) = ask(with(Some(2), None), vec![Line::from(sum), Line::Hang]).await;
    assert_eq!(only_cell(&ran).as_deref(), Some("35.5"), "{:?}", ran.outcome);
    let calls = ran.pick(|b| match b {
        EventBody::ModelCallFinished { error, .. } => Some(error.is_some()),
        _ => None,
    });
    assert_eq!(calls, [false, true], "the log has the call that was cut off");

    let (ran, _) = ask(with(Some(2), None), vec![Line::Hang]).await;
    let error = ran.outcome.unwrap_err();
    assert!(error.message.contains("limit of 2 s") && error.hint.is_some(), "{error}");
}

#[tokio::test]
async fn writing_statements_never_reach_the_database() {
    let settings = AskSettings { strategy: "direct".into(), ..AskSettings::default() };
    let (ran, _) = ask(settings, vec!["DELETE FROM customer"]).await;
    assert_eq!(ran.report.status(), RunStatus::Failed);
    assert_eq!(ran.report.usage.db_calls, 0);
}

/// Cancels a question at each call of a script and checks the log.
async fn stop_at_every_call(settings: AskSettings, script: Vec<Line>) {
    for call in 0..script.len() {
        let mut lines: Vec<Line> = script[..call].to_vec();
        lines.push(Line::Hang);
        let shop = Shop::new();
        let ask = shop.ask("How much?", settings.clone(), Arc::new(ScriptedModel::new(lines))).await;
        let cancel = CancellationToken::new();
        let stop = cancel.clone();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(300)).await;
            stop.cancel();
        });
        let ran = run(ask, cancel).await;
        assert_eq!(ran.report.status(), RunStatus::Cancelled, "call {call}");
        assert_eq!(ran.outcome.unwrap_err().code, ErrorCode::Cancelled);
        assert!(matches!(ran.events.last().unwrap().body, EventBody::RunFinished { .. }));
    }
}

#[tokio::test]
async fn stopping_at_any_stage_leaves_a_whole_log() {
    let views = good_views();
    stop_at_every_call(one_candidate(), vec![REWRITTEN, &views, PLAN, "SELECT 1", UNCHANGED].map_into()).await;
    let differ = ["SELECT 1", "SELECT 2", "SELECT 3", REWRITTEN, &views, PLAN, "SELECT 4"];
    stop_at_every_call(AskSettings { candidates: 3, ..auto() }, differ.to_vec().map_into()).await;
}

#[tokio::test]
async fn a_question_too_long_or_empty_is_refused_with_a_whole_log() {
    for (question, word) in [("x".repeat(1_000_000), "too long"), ("  ".to_owned(), "empty")] {
        let shop = Shop::new();
        let ask = shop.ask(&question, one_candidate(), Arc::new(ScriptedModel::new(Vec::<Line>::new()))).await;
        let ran = run(ask, CancellationToken::new()).await;
        let error = ran.outcome.unwrap_err();
        assert_eq!(error.code, ErrorCode::Usage);
        assert!(error.message.contains(word), "{error}");
        assert_eq!(ran.events.len(), 2);
    }
}

/// Converts a list of texts to a script.
trait IntoLines {
    fn map_into(self) -> Vec<Line>;
}
impl IntoLines for Vec<&str> {
    fn map_into(self) -> Vec<Line> {
        self.into_iter().map(Line::from).collect()
    }
}

#[tokio::test]
async fn a_table_wider_than_a_prompt_is_read_in_parts() {
    let letter = |n: u32| char::from(b'a' + n as u8);
    let columns: Vec<String> = (0..400).map(|n| format!("{}{}_measured", letter(n / 26), letter(n % 26))).collect();
    let shop = Shop::with(&format!(
        "CREATE TABLE survey (id INTEGER PRIMARY KEY, town TEXT, {});
         INSERT INTO survey (id, town, {last}) VALUES (1, 'Ulm', 2), (2, 'Ulm', 3), (3, 'Bonn', 4);",
        columns.join(" INTEGER, "),
        last = columns[399]
    ));
    let settings = AskSettings {
        strategy: "auto".into(),
        candidates: 1,
        chunk_budget: Some(1_000),
        without: vec![Switch::Rewriter, Switch::Planner, Switch::Revisor],
        ..AskSettings::default()
    };
    let question = "What do the measurements in Ulm add up to?";
    // A model with prompts of a few thousand characters.
    let small = |lines: Vec<String>| {
        let model = ScriptedModel::new(lines);
        let profile = ModelProfile { context_tokens: 2_048, ..model.profile() };
        Arc::new(model.with_profile(profile))
    };
    let ask = shop.ask(question, settings.clone(), small(Vec::new())).await;
    let ran = run(ask, CancellationToken::new()).await;
    let chunks = ran.pick(|b| match b {
        EventBody::SchemaPrepared { chunks, .. } => Some(chunks.clone()),
        _ => None,
    });
    let about_survey: Vec<bool> = chunks[0].iter().map(|chunk| chunk.tables == ["survey"]).collect();
    assert!(about_survey.iter().filter(|of| **of).count() > 2, "{:?}", chunks[0]);

    let reply = |column: &str| {
        format!(
            r#"{{"tables":[{{"name":"survey","columns":["{column}"]}}],"views":[{{"name":"v_{column}","rationale":"","sql":"SELECT {column} FROM survey"}}]}}"#
        )
    };
    // A part that names its table without columns does not add the whole table.
    let nothing = r#"{"tables":[{"name":"survey","columns":[]}],"views":[]}"#.to_owned();
    let none = r#"{"tables":[],"views":[]}"#.to_owned();
    let mut replies: Vec<String> =
        about_survey.iter().map(|of| if *of { nothing.clone() } else { none.clone() }).collect();
    let first = about_survey.iter().position(|of| *of).unwrap();
    let last = about_survey.iter().rposition(|of| *of).unwrap();
    (replies[first], replies[last]) = (reply("town"), reply(&columns[399]));
    replies.push(format!("SELECT SUM({}) FROM survey WHERE town = 'Ulm'", columns[399]));
    let model = small(replies);
    let ran = run(shop.ask(question, settings, model.clone()).await, CancellationToken::new()).await;
    let problems = ran.pick(|b| match b {
        EventBody::ViewsAttempted { feedback, .. } => Some(feedback.clone()),
        _ => None,
    });
    assert_eq!(only_cell(&ran).as_deref(), Some("5"), "{problems:?} {:?}", ran.outcome);
    let requests = model.requests();
    assert!(requests.iter().all(|r| r.prefix.len() < 6_000), "{:?}", requests.iter().map(|r| r.prefix.len()));
    let shown = &requests.last().unwrap().prefix;
    assert!(shown.contains("town") && shown.contains(&columns[399]) && !shown.contains(&columns[200]), "{shown}");
}
