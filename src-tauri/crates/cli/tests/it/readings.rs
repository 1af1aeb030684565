//! Chosen readings of ambiguous questions, at the terminal.

use crate::ask::{QUESTION, recorded};
use crate::support::Desk;
use serde_json::{Value, json};

/// Asks the question, and imports its run again as one that offered two readings and in which the first was chosen.
fn offered(desk: &Desk, model: &str) {
    let said = desk.run(&["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", model, QUESTION]);
    assert_eq!(said.status, 0, "{}", said.err);
    desk.run(&["runs", "export", "last", "run.json"]);
    let mut file: Value = serde_json::from_str(&std::fs::read_to_string(desk.path("run.json")).unwrap()).unwrap();
    let run_id = file["events"][0]["runId"].clone();
    assert_eq!(desk.run(&["runs", "rm", run_id.as_str().unwrap()]).status, 0);
    let events = file["events"].as_array_mut().unwrap();
    let at = events.iter().position(|event| event["body"]["type"] == "candidateChosen").unwrap();
    let reading = |candidate: u32, sql: &str, meaning: &str, cell: &str| json!({ "candidate": candidate, "votes": 1, "sql": sql, "meaning": meaning, "rowCount": 1, "firstRow": [cell] });
    let bodies = [
        json!({ "type": "readingsOffered", "node": "generator", "readings": [
            reading(1, "SELECT count(*) AS n FROM customers WHERE country = 'US'", "Customers in the US", "1"),
            reading(2, "SELECT count(*) AS n FROM customers", "All customers", "3"),
        ] }),
        json!({ "type": "readingChosen", "node": "generator", "candidate": 1, "waitedMs": 5 }),
    ];
    for (body, place) in bodies.into_iter().zip(at..) {
        events.insert(place, json!({ "runId": run_id, "seq": 0, "atMs": 0, "body": body }));
    }
    for (event, seq) in events.iter_mut().zip(1..) {
        event["seq"] = json!(seq);
    }
    std::fs::write(desk.path("run.json"), file.to_string()).unwrap();
    let said = desk.run(&["runs", "import", "run.json"]);
    assert_eq!(said.status, 0, "{}", said.err);
}

#[test]
fn another_reading_is_chosen_remembered_told_left_out_and_forgotten() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let shop = desk.shop();
    let ask = |more: &[&str]| {
        let line = ["ask", "--warehouse", &shop, "--strategy", "direct", "--model", &model];
        desk.run(&[&line, more, &[QUESTION]].concat())
    };
    offered(&desk, &model);
    let said = desk.run(&["readings", "choose", "last"]);
    assert!(said.out.contains("1  Customers in the US") && said.out.contains("2  All customers"), "{}", said.out);
    assert_eq!(desk.run(&["readings", "choose", "last", "3"]).status, 2);
    let said = desk.run(&["readings", "choose", "last", "2"]);
    assert_eq!((said.status, said.out.as_str()), (0, "n\n─\n3\n"), "{}", said.err);
    assert!(said.err.contains("read as: All customers\n") && said.err.contains("0 model calls"), "{}", said.err);

    let said = desk.run(&["readings", "list", &shop]);
    assert!(said.out.contains(QUESTION) && said.out.contains("All customers"), "{}", said.out);
    let said = ask(&[]);
    assert_eq!(said.out, "n\n─\n3\n", "{}", said.err);
    assert!(said.err.contains("read as: All customers (you chose this on 20"), "{}", said.err);
    let told: Value = serde_json::from_str(&ask(&["--json"]).out).unwrap();
    assert_eq!(told["reading"]["meaning"], "All customers");
    let anew = ask(&["--without", "readings"]);
    assert!(anew.out.ends_with("1\n") && !anew.err.contains("read as"), "{}{}", anew.out, anew.err);

    assert_eq!(desk.run(&["readings", "forget", &shop, "another question"]).status, 2);
    let said = desk.run(&["readings", "forget", &shop, QUESTION]);
    assert!(said.status == 0 && said.err.contains("forgotten: All customers"), "{}", said.err);
    assert!(ask(&[]).out.ends_with("1\n"), "it is asked as if nothing had been chosen");
}

#[test]
fn a_run_without_readings_says_so() {
    let desk = Desk::new();
    let model = recorded(&desk);
    desk.run(&["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", &model, QUESTION]);
    let said = desk.run(&["readings", "choose", "last"]);
    assert!(said.status == 2 && said.err.contains("has only one interpretation"), "{}", said.err);
}
