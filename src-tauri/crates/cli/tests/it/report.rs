//! Reports: answers as one file for readers without the program.

use crate::ask::{QUESTION, recorded, recorded_for};
use crate::support::{Desk, Said};
use serde_json::Value;

fn ask(desk: &Desk) {
    let model = recorded(desk);
    let said = desk.run(&["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", &model, QUESTION]);
    assert_eq!(said.status, 0, "{}", said.err);
}

fn read_file(desk: &Desk, file: &str) -> String {
    std::fs::read_to_string(desk.path(file)).unwrap()
}

fn ok(said: Said) -> Said {
    assert_eq!(said.status, 0, "{}", said.err);
    said
}

/// Imports a copy of the last run with another id, changed by `change`.
fn import_changed(desk: &Desk, change: impl Fn(&mut Value)) -> String {
    const ID: &str = "0190b5a0-0000-7000-8000-00000000abcd";
    ok(desk.run(&["runs", "export", "last", "run.json"]));
    let mut run: Value = serde_json::from_str(&read_file(desk, "run.json")).unwrap();
    for event in run["events"].as_array_mut().unwrap() {
        event["runId"] = ID.into();
        change(&mut event["body"]);
    }
    std::fs::write(desk.path("changed.json"), run.to_string()).unwrap();
    ok(desk.run(&["runs", "import", "changed.json"]));
    ID.to_owned()
}

#[test]
fn an_answer_is_one_file_that_existing_files_are_safe_from() {
    let desk = Desk::new();
    ask(&desk);
    let written = ok(desk.run(&["runs", "report", "last", "--out", "answer.html"]));
    assert!(written.err.contains("1 answer written to answer.html") && written.out.is_empty(), "{}", written.err);
    let html = read_file(&desk, "answer.html");
    for part in [
        QUESTION,
        "Customers: 1 (from customers, where",
        "FROM customers",
        "shop.db",
        "<details>",
        "default-src 'none'",
    ] {
        assert!(html.contains(part), "{part} is missing in\n{html}");
    }
    assert!(!html.contains("<script") && !html.contains("<h2"));
    let refused = desk.run(&["runs", "report", "last", "--out", "answer.html", "--title", "Other"]);
    assert!(refused.status == 2 && refused.err.contains("--force"), "{}", refused.err);
    assert_eq!(read_file(&desk, "answer.html"), html, "the earlier file stays");
    ok(desk.run(&["runs", "report", "last", "--out", "answer.html", "--title", "Other", "--force"]));
    assert!(read_file(&desk, "answer.html").contains("<h1 dir=\"auto\">Other</h1>"));
    // Each refusal says what to do.
    for (file, said) in
        [("answer.pdf", "print it to a PDF"), ("answer.txt", ".html"), ("no/answer.html", "does not exist")]
    {
        let refused = desk.run(&["runs", "report", "last", "--out", file]);
        assert!(refused.status == 2 && refused.err.contains(said), "{file}: {}", refused.err);
        assert!(!desk.path(file).exists());
    }
    let unknown = desk.run(&["runs", "report", "0190b5a0-0000-7000-8000-000000000000", "--out", "x.html"]);
    assert!(unknown.status == 2 && !desk.path("x.html").exists(), "{}", unknown.err);
}

#[test]
fn a_report_is_in_the_language_of_the_program() {
    let desk = Desk::new();
    ask(&desk);
    for (language, words) in [("de", ["<html lang=\"de\">", "Quelle:"]), ("fr", ["<html lang=\"fr\">", "Source"])] {
        let file = format!("{language}.html");
        let said = desk.command(&["runs", "report", "last", "--out", &file]).env("VITRINE_LANGUAGE", language).output();
        ok(Said::from(said.unwrap()));
        let html = read_file(&desk, &file);
        words.iter().for_each(|word| assert!(html.contains(word), "{word} is missing in\n{html}"));
    }
}

#[test]
fn hostile_names_values_and_questions_are_only_text() {
    let desk = Desk::new();
    ask(&desk);
    ok(desk.run(&["egress", &desk.shop(), "--mask-personal", "no"]));
    let hostile = "\"><script>alert('x')</script>";
    let id = import_changed(&desk, |body| {
        if body["type"] == "runStarted" {
            body["question"] = hostile.into();
        }
        if body["type"] == "resultReady" {
            body["page"]["columns"][0]["name"] = hostile.into();
            body["page"]["columns"][0]["type"] = "text".into();
            body["page"]["rows"][0][0] = format!("=HYPERLINK(\"http://evil\") {hostile}").into();
            body["headline"]["conditions"] = serde_json::json!([hostile]);
        }
        if body["type"] == "warning" {
            body["message"] = hostile.into();
        }
    });
    ok(desk.run(&["runs", "report", &id, "--out", "hostile.html"]));
    let html = read_file(&desk, "hostile.html");
    assert!(!html.contains("<script") && html.contains("&lt;script&gt;alert(&#x27;x&#x27;)"), "{html}");
    // As in other exports, an apostrophe keeps spreadsheets from evaluating a cell.
    assert!(html.contains(">&#x27;=HYPERLINK("), "{html}");
}

#[test]
fn what_the_policy_withholds_is_not_in_a_report_unless_the_user_says_so() {
    let desk = Desk::new();
    ask(&desk);
    let id = import_changed(&desk, |body| {
        if body["type"] == "resultReady" {
            body["sql"] = "SELECT name, id FROM customers".into();
            body["page"] = serde_json::json!({
                "columns": [{"name": "name", "type": "text"}, {"name": "id", "type": "integer"}],
                "rows": [["Grace Hopper", "2"], ["ada@example.org", "1"]], "rowCount": 2, "truncated": false,
            });
            body["headline"] = serde_json::json!({
                "shape": "ranked", "labels": [0], "measure": 1, "addsUp": false, "highest": {"row": 0, "rows": 1},
                "lowest": null, "meanings": [null, null], "tables": ["customers"], "conditions": [], "limited": false,
            });
        }
    });
    ok(desk.run(&["egress", &desk.shop(), "--mask", "customers.name"]));
    let masked = ok(desk.run(&["runs", "report", &id, "--out", "masked.html"]));
    assert!(masked.err.contains("vitrine egress"), "{}", masked.err);
    let html = read_file(&desk, "masked.html");
    assert!(html.contains("[masked]") && html.contains("Personal values are masked"), "{html}");
    assert!(!html.contains("Grace") && !html.contains("ada@"), "{html}");
    ok(desk.run(&["egress", &desk.shop(), "--level", "profile"]));
    ok(desk.run(&["runs", "report", &id, "--out", "held.html"]));
    let html = read_file(&desk, "held.html");
    assert!(html.contains("The rows are withheld") && !html.contains("<table") && !html.contains("Grace"), "{html}");
    let all = ok(desk.run(&["runs", "report", &id, "--out", "all.html", "--everything"]));
    assert!(!all.err.contains("vitrine egress"), "{}", all.err);
    assert!(read_file(&desk, "all.html").contains("Grace Hopper"), "the test would see it");
    // Without its database, it is unknown what may leave.
    std::fs::remove_file(desk.path("shop.db")).unwrap();
    let lost = desk.run(&["runs", "report", &id, "--out", "lost.html"]);
    assert!(lost.status != 0 && lost.err.contains("--everything") && !desk.path("lost.html").exists(), "{}", lost.err);
}

#[test]
fn a_thread_is_one_report_in_the_order_of_its_questions() {
    let desk = Desk::new();
    let ask = |question: &str, arguments: &[&str]| {
        let model = recorded_for(&desk, question, false);
        ok(desk.run(&[&["ask", "--strategy", "direct", "--model", &model], arguments].concat()));
    };
    let (shop, first) = (desk.shop(), "How many customers came in 2023?");
    ask(first, &["--warehouse", &shop, first]);
    ask("How many customers came in 2024?", &["--after", "last", "and in 2024?"]);
    let listed: Vec<Value> = serde_json::from_str(&desk.run(&["runs", "list", "--json"]).out).unwrap();
    let ids: Vec<&str> = listed.iter().map(|run| run["runId"].as_str().unwrap()).collect();
    // From the first or the last question of the thread, the report is the same.
    for (at, id) in ids.iter().enumerate() {
        let file = format!("thread{at}.html");
        let written = ok(desk.run(&["runs", "report", id, "--thread", "--out", &file]));
        assert!(written.err.contains("2 answers written"), "{}", written.err);
        let html = read_file(&desk, &file);
        let places = ["in 2023?</h2>", "in 2024?</h2>", "Follows “How many customers came in 2023?”"]
            .map(|part| html.find(part));
        assert!(places.iter().all(Option::is_some) && places[0] < places[1], "{places:?}\n{html}");
    }
    ok(desk.run(&["runs", "report", ids[0], "--out", "one.html"]));
    assert!(!read_file(&desk, "one.html").contains("2023?</h2>"));
    let both = ok(desk.run(&["runs", "report", ids[1], ids[0], "--out", "both.html"]));
    assert!(both.err.contains("2 answers written"), "{}", both.err);
}
