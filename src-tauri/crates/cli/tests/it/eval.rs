//! Evaluates a method on a pack, from the command line.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::{Value, json};

/// Creates a pack of two questions about the shop; the recorded model answers one of them.
fn pack(desk: &Desk) {
    let databases = desk.path("pack/databases");
    std::fs::create_dir_all(&databases).unwrap();
    std::fs::copy(desk.path("shop.db"), databases.join("shop.sqlite")).unwrap();
    let question = |id: &str, text: &str, gold: &str| {
        json!({"id": id, "db_id": "shop", "question": text, "gold_sql": [gold], "hardness": "easy"}).to_string()
    };
    let lines = [
        question("one", QUESTION, "SELECT count(*) FROM customers WHERE country = 'US'"),
        question("two", "Who is from the UK?", "SELECT name FROM customers WHERE country = 'UK'"),
    ];
    std::fs::write(desk.path("pack/questions.jsonl"), lines.join("\n")).unwrap();
}

#[test]
fn a_pack_is_measured_gone_on_with_and_reported() {
    let desk = Desk::new();
    pack(&desk);
    let model = recorded(&desk);
    let call = ["eval", "pack", "--strategy", "direct", "--model", &model, "--out", "out"];
    let run = |more: &[&str]| desk.run(&[&call, more].concat());

    let said = run(&["--json"]);
    assert_eq!(said.status, 0, "{}", said.err);
    let report: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(report["runs"][0]["right"]["spider"], json!({"count": 1, "of": 2, "share": 0.5}), "{report}");
    assert!(said.err.contains("1 of 2  right") && said.err.contains("2 of 2  wrong"), "{}", said.err);

    let again = run(&[]);
    assert_eq!(again.status, 2);
    assert!(again.err.contains("--resume"), "{}", again.err);
    let resumed = run(&["--resume", "--baseline", "out"]);
    assert_eq!(resumed.status, 0, "{}", resumed.err);
    assert!(resumed.out.contains("50.0% (1)"), "{}", resumed.out);

    let told = desk.run(&["eval", "report", "direct=out", "--html", "report.html"]);
    assert_eq!(told.status, 0, "{}", told.err);
    let page = std::fs::read_to_string(desk.path("report.html")).unwrap();
    assert!(page.contains("Who is from the UK?"), "what went wrong is told");
    assert!(!page.contains("src=\"http") && !page.contains("url("), "the page needs nothing from elsewhere");
}
