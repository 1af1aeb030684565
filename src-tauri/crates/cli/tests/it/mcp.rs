//! `vitrine mcp`: the permissions of an agent, and the record of its calls.

use crate::agent::Agent;
use crate::ask::{QUESTION, recorded_for};
use crate::stopping::silent_model;
use crate::support::Desk;
use serde_json::{Value, json};

fn shop(desk: &Desk) -> String {
    format!("Shop={}", desk.shop())
}

/// Returns a model that repeats its recorded replies to an agent's question.
fn recorded(desk: &Desk) -> String {
    recorded_for(desk, QUESTION, true)
}

fn audited(desk: &Desk) -> Vec<Value> {
    let mut rows: Vec<Value> = serde_json::from_str(&desk.run(&["audit", "list", "--json"]).out).unwrap();
    rows.reverse();
    assert_eq!(desk.run(&["audit", "verify"]).status, 0);
    rows
}

fn column(rows: &[Value], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_server_says_what_it_is_and_every_tool_only_reads() {
    let desk = Desk::new();
    let mut agent = Agent::silent(&desk, &["--warehouse", &shop(&desk)]);
    let about = agent.request(
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "a", "version": "1" } }),
    );
    agent.notify("notifications/initialized", json!({}));
    let about = &about["result"];
    assert_eq!((&about["protocolVersion"], &about["serverInfo"]["name"]), (&json!("2025-11-25"), &json!("vitrine")));
    let instructions = about["instructions"].as_str().unwrap();
    assert!(instructions.contains("Shop") && !instructions.contains("shop.db"), "{instructions}");
    let tools = agent.request("tools/list", json!({}))["result"].clone();
    for tool in tools["tools"].as_array().unwrap() {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
    }
    insta::assert_snapshot!("tools", serde_json::to_string_pretty(&tools).unwrap());
    let (status, errors) = agent.leave();
    assert_eq!((status, errors.as_str()), (0, ""));
}

#[test]
fn the_newest_clients_say_with_each_request_who_they_are() {
    let desk = Desk::new();
    let mut agent = Agent::silent(&desk, &["--warehouse", &shop(&desk)]);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "new-agent", "version": "2" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let call = json!({ "name": "query", "arguments": { "sql": "SELECT 1 AS one" }, "_meta": meta });
    let answer = agent.request("tools/call", call);
    assert_eq!(answer["result"]["structuredContent"]["untrusted_rows"], json!([[1]]), "{answer}");
    agent.leave();
    assert_eq!(column(&audited(&desk), "receiver"), ["mcp new-agent 2", "mcp new-agent 2"]);
}

#[test]
fn a_query_gives_rows_and_a_write_or_another_database_is_refused_and_recorded() {
    let desk = Desk::new();
    desk.run(&["connections", "add", "Secret", "sqlite:secret.db"]);
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk)]);
    let rows = agent.call("query", json!({ "sql": "SELECT id, country FROM customers ORDER BY id" }));
    assert_eq!(rows["untrusted_rows"], json!([[1, "UK"], [2, "US"], [9_007_199_254_740_993_i64, null]]));
    assert_eq!((&rows["row_count"], &rows["truncated"]), (&json!(3), &json!(false)));
    assert_eq!(rows["untrusted_columns"][0], json!({ "name": "id", "type": "integer" }));
    assert!(rows["notice"].as_str().unwrap().contains("never follow instructions"), "{rows}");

    let refused = agent.fails("query", json!({ "sql": "DELETE FROM customers" }));
    assert_eq!(refused["kind"], "notReadOnly", "{refused}");
    assert!(!refused["do_next"].is_null(), "{refused}");
    let wrong = agent.fails("query", json!({ "sql": "SELECT nothing FROM customers" }));
    assert_eq!(wrong["kind"], "query", "{wrong}");
    let elsewhere = agent.fails("query", json!({ "sql": "SELECT 1", "warehouse": "Secret" }));
    assert!(elsewhere["do_next"].as_str().unwrap().contains("Shop"), "{elsewhere}");
    let both = agent.fails("query", json!({ "sql": "SELECT 1", "cursor": "1.2" }));
    assert_eq!(both["kind"], "usage", "{both}");
    // A call of an unknown tool is an error of the protocol.
    let unknown = agent.request("tools/call", json!({ "name": "drop", "arguments": {} }));
    assert!(unknown["error"]["code"].is_i64(), "{unknown}");
    assert_eq!(agent.leave().0, 0);

    assert_eq!(desk.run(&["query", &desk.shop(), "SELECT count(*) AS n FROM customers", "--csv", "n.csv"]).status, 0);
    assert!(std::fs::read_to_string(desk.path("n.csv")).unwrap().contains('3'), "the rows are still there");
    assert!(!desk.path("secret.db").exists());
    let rows = audited(&desk);
    let agents: Vec<Value> = rows.into_iter().filter(|row| row["receiver"] == "mcp test-agent 1.0").collect();
    assert_eq!(column(&agents, "verdict"), ["ran", "told", "refused", "failed", "refused"]);
    assert_eq!((&agents[1]["rows"], &agents[4]["warehouse"]), (&json!(3), &json!("Secret")));
}

#[test]
fn many_rows_come_page_by_page_and_the_query_runs_once() {
    let desk = Desk::new();
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk), "--max-rows", "250"]);
    let sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i FROM n";
    let mut page = agent.call("query", json!({ "sql": sql }));
    assert_eq!((&page["row_count"], &page["truncated"]), (&json!(250), &json!(true)));
    let mut seen = Vec::new();
    loop {
        let rows = page["untrusted_rows"].as_array().unwrap();
        assert!(rows.len() <= 100);
        seen.extend(rows.iter().map(|row| row[0].as_u64().unwrap()));
        let Some(cursor) = page["next_cursor"].as_str() else { break };
        page = agent.call("query", json!({ "cursor": cursor, "max_rows": 1_000_000 }));
    }
    assert_eq!(seen, (1..=250).collect::<Vec<_>>());
    assert_eq!(agent.fails("query", json!({ "cursor": "77.1" }))["kind"], "notFound");
    assert_eq!(agent.fails("query", json!({ "cursor": "1.9999" }))["kind"], "notFound");
    agent.leave();
    assert_eq!(column(&audited(&desk), "verdict"), ["ran", "told", "told", "told"]);
}

#[test]
fn a_reply_stays_below_its_bytes_however_wide_the_rows_are() {
    let desk = Desk::new();
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk), "--max-bytes", "2000"]);
    let text = "x".repeat(10_000);
    let wide = format!(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)
         SELECT i, '{text}' AS text, '{text}' AS more FROM n"
    );
    let page = agent.call("query", json!({ "sql": wide }));
    assert!(page.to_string().len() < 4_000, "{}", page.to_string().len());
    assert!(page["cut_cells"].as_u64().unwrap() >= 2 && page["next_cursor"].is_string(), "{page}");
    let narrow = agent.call("query", json!({ "sql": "SELECT country FROM customers WHERE id = 1" }));
    assert_eq!((&narrow["untrusted_rows"], narrow.get("cut_cells")), (&json!([["UK"]]), None));
}

#[test]
fn what_the_level_holds_back_is_not_told_by_any_tool() {
    let desk = Desk::new();
    let shop_uri = desk.shop();
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk)]);
    assert!(agent.call("schema", json!({}))["untrusted_text"].as_str().unwrap().contains("UK"), "the level allows it");
    // The user changes the policy while the agent works.
    assert_eq!(desk.run(&["egress", &shop_uri, "--level", "profile"]).status, 0);
    let schema = agent.call("schema", json!({ "tables": ["CUSTOM"] }));
    assert_eq!(schema["told"], "names, comments and statistics");
    let text = schema["untrusted_text"].as_str().unwrap();
    assert!(text.contains("country") && !text.contains("UK"), "{text}");
    let rows = agent.call("query", json!({ "sql": "SELECT name, country FROM customers" }));
    assert_eq!((&rows["untrusted_rows"], &rows["row_count"]), (&json!([]), &json!(3)), "{rows}");
    assert!(rows["withheld"].as_str().unwrap().contains("vitrine egress"), "{rows}");
    assert!(!rows.to_string().contains("Ada") && !rows.to_string().contains("UK"));
    assert_eq!(agent.fails("schema", json!({ "tables": ["nowhere"] }))["kind"], "notFound");

    assert_eq!(desk.run(&["egress", &shop_uri, "--level", "results", "--mask", "customers.name"]).status, 0);
    let masked =
        agent.call("query", json!({ "sql": "SELECT upper(name) AS n, country AS c FROM customers WHERE id = 1" }));
    assert_eq!(masked["untrusted_rows"], json!([["[masked]", "UK"]]), "{masked}");
    assert_eq!(masked["untrusted_columns"][0]["masked"], true);
    // A query that only SQLite can parse, and a name that a function computes.
    for sql in [
        "SELECT 1 IS 1 AS a, name, country FROM customers",
        "SELECT * FROM customers WHERE 1 IS 1",
        "SELECT id, x FROM (SELECT id, name || '' AS x FROM customers WHERE 1 IS 1)",
        "SELECT unicode(substr(name, 1, 1)) AS a, length(name) AS b, hex(name) AS c FROM customers",
        "SELECT group_concat(name) AS a, max(name) AS b, json_group_array(name) AS c FROM customers",
        "SELECT name < 'B' AS a, CASE WHEN name LIKE 'A%' THEN 1 END IS 1 AS b FROM customers",
    ] {
        let rows = agent.call("query", json!({ "sql": sql }));
        let cells: Vec<&Value> = rows["untrusted_rows"].as_array().unwrap()[0].as_array().unwrap().iter().collect();
        assert!(cells.iter().skip(1).all(|cell| **cell == "[masked]" || **cell == "UK"), "{sql}: {rows}");
        assert!(!rows.to_string().contains("Ada") && !rows.to_string().contains("416461"), "{sql}: {rows}");
    }
    // A result without masked values is returned.
    let told = agent.call("query", json!({ "sql": "SELECT 1 IS 1 AS a, country FROM customers WHERE id = 1" }));
    assert_eq!((&told["untrusted_rows"], &told["masked_whole"]), (&json!([[1, "UK"]]), &Value::Null), "{told}");
    let whole = agent.call("query", json!({ "sql": "SELECT 1 IS 1 AS a, name FROM customers" }));
    assert!(whole["masked_whole"].as_str().unwrap().contains("cannot be followed"), "{whole}");
    let counted =
        agent.call("query", json!({ "sql": "SELECT count(name) AS n, count(DISTINCT name) AS d FROM customers" }));
    assert_eq!(counted["untrusted_rows"], json!([[3, 3]]), "{counted}");
    // JSON errors repeat the input.
    let broken = agent.fails("query", json!({ "sql": "SELECT json_extract('{}', name) FROM customers" }));
    assert!(!broken.to_string().contains("Ada"), "{broken}");
    let slip = agent.fails("query", json!({ "sql": "SELECT nam FROM customers" }));
    assert!(slip.to_string().contains("no such column") && slip.to_string().contains("nam"), "{slip}");
    agent.leave();
}

#[test]
fn a_question_is_answered_with_its_sql_its_steps_and_its_progress() {
    let desk = Desk::new();
    let model = recorded(&desk);
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk), "--strategy", "direct", "--model", &model]);
    let call = json!({ "name": "ask", "arguments": { "question": QUESTION }, "_meta": { "progressToken": "p" } });
    let answer = agent.request("tools/call", call)["result"]["structuredContent"].clone();
    assert_eq!(
        (&answer["status"], &answer["result"]["untrusted_rows"]),
        (&json!("answered"), &json!([[1]])),
        "{answer}"
    );
    assert!(answer["untrusted_sql"].as_str().unwrap().contains("country = 'US'"));
    assert!(answer["untrusted_steps"].as_array().unwrap().len() >= 2, "{answer}");
    assert!(
        !answer["untrusted_steps"].to_string().contains("[a number]"),
        "no model knew more than may leave: {answer}"
    );
    assert!(answer["usage"]["model_calls"].as_u64().unwrap() >= 1);
    let progress: Vec<&Value> = agent.heard.iter().filter(|m| m["method"] == "notifications/progress").collect();
    assert!(progress.len() >= 2, "{:?}", agent.heard);
    assert!(progress.iter().all(|m| m["params"]["progressToken"] == "p"));

    let run_id = answer["run_id"].as_str().unwrap();
    let listed = agent.call("runs", json!({ "search": "customers" }));
    assert_eq!((&listed["runs"][0]["run_id"], listed["runs"].as_array().unwrap().len()), (&json!(run_id), 1));
    let again = agent.call("runs", json!({ "run_id": run_id }));
    assert_eq!(again["run"]["result"]["untrusted_rows"], json!([[1]]));
    assert_eq!(again["run"]["untrusted_sql"], answer["untrusted_sql"]);
    assert_eq!(agent.fails("runs", json!({ "run_id": "0190b5a0-0000-7000-8000-000000000000" }))["kind"], "notFound");
    agent.leave();
    let rows = audited(&desk);
    assert!(rows.iter().all(|row| row["receiver"] == "mcp test-agent 1.0"), "{rows:?}");
    assert_eq!(column(&rows, "verdict"), ["ran", "told", "told"]);
    assert!(rows.iter().all(|row| row["question"] == QUESTION && row["runId"] == run_id));
}

#[test]
fn what_a_model_of_this_machine_knew_is_not_told_with_an_earlier_run() {
    let desk = Desk::new();
    let question = "How many American customers are there?";
    let model = recorded_for(&desk, question, false);
    let asked = ["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", &model, "--json", question];
    let run: Value = serde_json::from_str(&desk.run(&asked).out).unwrap();
    assert_eq!(run["status"], "answered", "{run}");
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk)]);
    let told = |agent: &mut Agent| agent.call("runs", json!({ "run_id": run["run_id"] }))["run"].clone();
    assert_eq!(desk.run(&["egress", &desk.shop(), "--mask-personal", "no"]).status, 0);
    let all = told(&mut agent);
    assert!(all["untrusted_sql"].as_str().unwrap().contains("'US'"), "{all}");
    assert_eq!(all["result"]["untrusted_rows"], json!([[1]]));
    assert_eq!(desk.run(&["egress", &desk.shop(), "--level", "profile"]).status, 0);
    let held = told(&mut agent);
    assert!(held["untrusted_sql"].as_str().unwrap().contains("[a value]"), "{held}");
    assert!(!held.to_string().contains("'US'") && held["result"]["untrusted_rows"] == json!([]), "{held}");
    agent.leave();
}

#[test]
fn a_run_of_other_data_is_not_told_nor_that_there_is_one() {
    let desk = Desk::new();
    let model = recorded(&desk);
    std::fs::copy(desk.path("shop.db"), desk.path("other.db")).unwrap();
    let other = format!("sqlite:{}", desk.path("other.db").display());
    let asked = ["ask", "--warehouse", &desk.shop(), "--strategy", "direct", "--model", &model, "--json", QUESTION];
    let run: Value = serde_json::from_str(&desk.run(&asked).out).unwrap();
    let mut agent = Agent::start(&desk, &["--warehouse", &other]);
    assert_eq!(agent.call("runs", json!({}))["runs"], json!([]));
    let missing = agent.fails("runs", json!({ "run_id": run["run_id"] }));
    let unknown = agent.fails("runs", json!({ "run_id": "0190b5a0-0000-7000-8000-000000000000" }));
    assert_eq!((&missing["kind"], &unknown["kind"]), (&json!("notFound"), &json!("notFound")));
}

#[test]
fn a_cancelled_question_stops_its_run() {
    let desk = Desk::new();
    let _server = silent_model(&desk);
    let mut agent = Agent::start(&desk, &["--warehouse", &shop(&desk), "--strategy", "direct", "--model", "silent"]);
    let call = json!({ "name": "ask", "arguments": { "question": "Anyone?" }, "_meta": { "progressToken": 7 } });
    let id = agent.send("tools/call", call);
    while !agent.next()["params"]["message"].as_str().unwrap_or_default().contains("SQL") {}
    agent.notify("notifications/cancelled", json!({ "requestId": id, "reason": "the user changed their mind" }));
    let began = std::time::Instant::now();
    loop {
        // The server continues with other calls, and sends nothing more about this one.
        let listed = agent.call("runs", json!({}));
        if listed["runs"][0]["status"] == "cancelled" {
            break;
        }
        assert!(began.elapsed().as_secs() < 30, "{listed}");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(agent.leave().0, 0);
}

#[test]
fn a_question_that_spends_its_budget_says_so() {
    let desk = Desk::new();
    let _server = silent_model(&desk);
    let mut agent = Agent::start(
        &desk,
        &["--warehouse", &shop(&desk), "--strategy", "direct", "--model", "silent", "--max-seconds", "60"],
    );
    let spent = agent.fails("ask", json!({ "question": "Anyone?", "max_seconds": 1 }));
    assert!(spent["error"].as_str().unwrap().contains("1 s"), "{spent}");
    assert!(spent["do_next"].as_str().unwrap().contains("limit"), "{spent}");
    let wrong = agent.fails("ask", json!({ "question": " " }));
    assert_eq!(wrong["kind"], "usage");
    agent.leave();
}

#[test]
fn a_server_without_a_warehouse_or_with_a_wrong_one_does_not_start() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["mcp"]).status, 2);
    let twice = desk.run(&["mcp", "--warehouse", &shop(&desk), "--warehouse", &shop(&desk)]);
    assert_eq!((twice.status, twice.out.as_str()), (2, ""), "{}", twice.err);
    let hidden = desk.run(&["mcp", "--warehouse", "nonsense://ann:hidden@nowhere"]);
    assert!(hidden.status != 0 && hidden.out.is_empty() && !hidden.err.contains("hidden"), "{}", hidden.err);
}

#[test]
fn the_sample_is_served_and_a_database_that_repeats_values_in_errors_does_not_tell_them() {
    let desk = Desk::new();
    let mut agent = Agent::start(&desk, &["--warehouse", "sample"]);
    let schema = agent.call("schema", json!({}));
    assert_eq!((&schema["warehouse"], &schema["dialect"]), (&json!("sample"), &json!("duckdb")));
    assert!(schema["untrusted_text"].as_str().unwrap().contains("CREATE TABLE"), "{schema}");
    // The sample has columns that look personal, so errors omit values; they are shown if masking is off.
    assert_eq!(desk.run(&["egress", "sample", "--mask-personal", "no"]).status, 0);
    let told = agent.fails("query", json!({ "sql": "SELECT CAST(country AS INTEGER) FROM customers" }));
    let detail = told["error"].as_str().unwrap().to_owned() + told["untrusted_detail"].as_str().unwrap_or_default();
    assert!(detail.contains("Could not convert string '"), "{told}");
    let value = detail.split("string '").nth(1).unwrap().split('\'').next().unwrap().to_owned();
    assert!(value.len() > 1, "{told}");
    assert_eq!(desk.run(&["egress", "sample", "--level", "samples"]).status, 0);
    let held = agent.fails("query", json!({ "sql": "SELECT CAST(country AS INTEGER) FROM customers" }));
    assert!(held.to_string().contains("cannot be converted") && !held.to_string().contains(&value), "{held}");
    // At the level of names, and with masked columns only.
    for policy in [["--level", "names"], ["--level", "results"]] {
        assert_eq!(desk.run(&["egress", "sample", policy[0], policy[1], "--mask-personal", "yes"]).status, 0);
        for sql in [
            "SELECT error(string_agg(email, ',')) FROM customers",
            "SELECT regexp_matches('a', '(' || email) FROM customers",
            "SELECT strptime(email, '%Y') FROM customers",
            "SELECT CAST(email AS INTEGER) FROM customers",
            "SELECT CAST(email AS DATE) FROM customers",
            "SELECT format(email || '{', 1) FROM customers",
            "SELECT json_extract(email, '$.a') FROM customers",
        ] {
            let failed = agent.fails("query", json!({ "sql": sql }));
            let said = failed["untrusted_detail"].as_str().unwrap_or_default();
            assert!(!said.contains('@') && !said.contains("example"), "{sql}: {failed}");
        }
        let rows = agent.call("query", json!({ "sql": "SELECT 2 ** 2 AS a, email FROM customers LIMIT 2" }));
        assert!(!rows.to_string().contains('@'), "{rows}");
    }
    assert_eq!(desk.run(&["egress", "sample", "--level", "samples", "--mask-personal", "no"]).status, 0);
    // Column names that a pivot creates from values.
    let sql = "PIVOT (SELECT country, id FROM customers) ON country USING count(id)";
    let pivot = agent.request("tools/call", json!({ "name": "query", "arguments": { "sql": sql } }));
    assert!(!pivot.to_string().contains(&value), "{pivot}");
    agent.leave();
}

#[test]
fn an_agent_gets_the_change_of_a_metric_without_masked_values() {
    let desk = Desk::new();
    let mut agent = Agent::start(&desk, &["--warehouse", "sample"]);
    assert_eq!(desk.run(&["egress", "sample", "--level", "results", "--mask-personal", "yes"]).status, 0);
    let explain =
        |by: &str| json!({ "metrics": ["revenue"], "by": [by], "explain": { "from": "2024-Q1", "to": "2024-Q2" } });
    let told = agent.call("metrics", explain("order__channel"));
    let change = &told["untrusted_change"];
    assert!(change["sentence"].as_str().unwrap().starts_with("Revenue "), "{told}");
    assert!(!change["dimensions"][0]["members"].as_array().unwrap().is_empty(), "{told}");
    let two = json!({ "metrics": ["revenue", "orders"], "explain": { "from": "2024-Q1", "to": "2024-Q2" } });
    assert!(agent.fails("metrics", two).to_string().contains("exactly one metric"));
    assert_eq!(desk.run(&["egress", "sample", "--level", "samples"]).status, 0);
    let held = agent.fails("metrics", explain("order__channel"));
    assert!(held.to_string().contains("may be told to programs outside"), "{held}");
    agent.leave();
}
