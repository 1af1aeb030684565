//! Questions, with a model whose replies were recorded.

use crate::support::{Desk, Said};
use serde_json::{Value, json};
use std::sync::Arc;
use vitrine_api::{App, AppOptions, AskRequest, Folders, Patience};
use vitrine_domain::{AskSettings, MethodName, RunStatus};
use vitrine_llm::ScriptedModel;
use vitrine_llm::cassette::Cassette;

pub(crate) const QUESTION: &str = "How many customers are in the US?";
const SQL: &str = "SELECT count(*) AS customers FROM customers WHERE country = 'US'";

/// Records the model's replies to the question. Returns the model that repeats them.
pub(crate) fn recorded(desk: &Desk) -> String {
    recorded_for(desk, QUESTION, false)
}

/// Records the replies to any question, asked by an agent or by the user.
pub(crate) fn recorded_for(desk: &Desk, question: &str, by_an_agent: bool) -> String {
    let tape = desk.path("replies.jsonl");
    let model = Cassette::record(Arc::new(ScriptedModel::new(vec![SQL])), &tape).unwrap();
    let options = AppOptions {
        folders: Folders::with_root(&desk.path("recording")),
        models: vec![Arc::new(model)],
        ..AppOptions::from_environment(Patience::TERMINAL).unwrap()
    };
    let settings =
        AskSettings { strategy: MethodName::from("direct"), model: Some("scripted".into()), ..AskSettings::default() };
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let app = App::open(options).await.unwrap();
        let request =
            AskRequest { warehouse: desk.shop(), question: question.into(), knowledge: None, settings, follows: None };
        app.confirm_warehouse(&request.warehouse).await;
        let run_id = match by_an_agent {
            true => app.outside_access(&desk.shop(), "recorder").ask_question(request).await.unwrap(),
            false => app.ask(request).await.unwrap(),
        };
        futures::StreamExt::count(app.stream_run_events(run_id.clone())).await;
        assert_eq!(app.run_report(run_id).await.unwrap().status(), RunStatus::Answered);
        app.shutdown().await;
    });
    format!("cassette:{}", tape.display())
}

#[test]
fn an_answer_is_a_table_and_its_story_is_told_beside_it() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let said = desk.run(&[
        "ask",
        "--warehouse",
        &desk.shop(),
        "--strategy",
        "direct",
        "--model",
        &model,
        "--csv",
        "o.csv",
        QUESTION,
    ]);
    assert_eq!((said.status, said.out.as_str()), (0, "customers\n─────────\n        1\n"), "{}", said.err);
    for told in ["Read the schema", "Write the SQL", "FROM customers", "1 model call", "1 row written to o.csv"] {
        assert!(said.err.contains(told), "{told}: {}", said.err);
    }
    assert_eq!(std::fs::read_to_string(desk.path("o.csv")).unwrap().lines().collect::<Vec<_>>(), ["customers", "1"]);
}

#[test]
fn a_follow_up_is_completed_with_the_question_before_it_and_asked() {
    let desk = Desk::new();
    let ask = |question: &str, arguments: &[&str]| {
        let model = recorded_for(&desk, question, false);
        desk.run(&[&["ask", "--strategy", "direct", "--model", &model], arguments].concat())
    };
    let shop = desk.shop();
    let before = ask("How many customers came in 2023?", &["--warehouse", &shop, "How many customers came in 2023?"]);
    assert_eq!(before.status, 0, "{}", before.err);
    let said = ask("How many customers came in 2024?", &["--after", "last", "and in 2024?"]);
    assert_eq!((said.status, said.out.as_str()), (0, "customers\n─────────\n        1\n"), "{}", said.err);
    assert!(said.err.contains("completed question: How many customers came in 2024?"), "{}", said.err);
    let unknown = desk.run(&["ask", "--after", "0", "and in 2024?"]);
    assert_eq!((unknown.status, unknown.out.as_str()), (2, ""), "{}", unknown.err);
}

#[test]
fn the_story_is_told_in_the_language_of_the_environment() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    let arguments =
        ["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model, "--csv", "o.csv", QUESTION];
    let said = Said::from(desk.command(&arguments).env("VITRINE_LANGUAGE", "de").output().unwrap());
    assert_eq!((said.status, said.out.as_str()), (0, "customers\n─────────\n        1\n"), "{}", said.err);
    for told in ["1 Modellaufruf", "Tokens geschrieben", "1 Zeile geschrieben nach o.csv", "Antwort: 1"] {
        assert!(said.err.contains(told), "{told}: {}", said.err);
    }
    for english in ["1 row", "model call", "tokens written", "Answer:"] {
        assert!(!said.err.contains(english), "{english}: {}", said.err);
    }
    let safe = Said::from(desk.command(&["safety", &shop]).env("VITRINE_LANGUAGE", "fr").output().unwrap());
    for told in
        ["Moteur en lecture seule\u{a0}: tient", "Comment on le sait\u{a0}: La connexion ouverte a été interrogée"]
    {
        assert!(safe.out.contains(told), "{told}: {}", safe.out);
    }
}

#[test]
fn json_is_exactly_one_object_with_all_that_is_promised() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let (shop, events) = (desk.shop(), "events.jsonl");
    let said = desk.run(&[
        "ask",
        "--warehouse",
        &shop,
        "--strategy",
        "direct",
        "--model",
        &model,
        "--events",
        events,
        "--json",
        QUESTION,
    ]);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    for key in [
        "run_id",
        "question",
        "strategy",
        "models",
        "dialect",
        "status",
        "rewritten",
        "selection",
        "views",
        "plan",
        "sql",
        "revised",
        "result",
        "usage",
        "warnings",
    ] {
        assert!(answer.get(key).is_some(), "{key} is missing");
    }
    assert_eq!((said.status, answer["status"].as_str()), (0, Some("answered")), "{}", said.err);
    assert_eq!(answer["result"]["rows"], json!([[1]]));
    assert_eq!(answer["result"]["columns"], json!([{"name": "customers", "type": "integer"}]));
    let tokens = ["prompt_tokens", "cached_prompt_tokens", "completion_tokens", "reasoning_tokens"];
    for key in ["llm_calls", "db_calls", "wall_ms", "by_agent"].into_iter().chain(tokens) {
        assert!(answer["usage"].get(key).is_some(), "usage.{key} is missing");
    }
    let lines = std::fs::read_to_string(desk.path(events)).unwrap();
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.first().unwrap()["body"]["type"], "runStarted");
    assert_eq!(events.last().unwrap()["body"]["type"], "runFinished");

    // The printed answer is available again without the model.
    std::fs::remove_file(desk.path("replies.jsonl")).unwrap();
    for again in ["show", "replay"] {
        let said = desk.run(&["runs", again, "last", "--json"]);
        assert_eq!(serde_json::from_str::<Value>(&said.out).unwrap(), answer, "{again}");
    }
    let listed: Value = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    assert_eq!(listed[0]["runId"], answer["run_id"]);
    let exported: Value = serde_json::from_str(&desk.run(&["runs", "export", "last"]).out).unwrap();
    assert_eq!(exported["events"].as_array().unwrap().len(), events.len());
    assert!(desk.run(&["runs", "show", "last"]).out.contains(QUESTION));
}

#[test]
fn a_failed_answer_is_an_object_too_and_the_status_tells() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    let common = ["ask", "--warehouse", &shop, "--json", "--strategy", "direct"];
    let failed = |more: &[&str], status: i32| {
        let said = desk.run(&[&common, more].concat());
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!((said.status, answer["status"].as_str()), (status, Some("failed")), "{}", said.err);
        assert!(said.err.contains("error: "), "{}", said.err);
    };
    // The recording has no reply to this question.
    failed(&["--model", &model, "Something else?"], 4);
    failed(&["What is missing?"], 4);
}

#[test]
fn a_missing_model_is_not_pulled_without_being_asked_for() {
    let desk = Desk::new();
    let said = desk.run(&["ask", "--warehouse", &desk.shop(), "How many?"]);
    assert_eq!((said.status, said.out.as_str()), (4, ""));
    assert!(said.err.contains("hint: Get it once") && said.err.contains("vitrine models pull"), "{}", said.err);
}
