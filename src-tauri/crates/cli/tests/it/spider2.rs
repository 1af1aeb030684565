//! Packs in the layouts of Spider 2.0 with invented databases: in SQLite files, and on the emulators of BigQuery and
//! Snowflake, reached by connections.

use crate::drivers::desk_with_driver;
use crate::scripted_server::ScriptedServer;
use crate::support::{Desk, Said};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use vitrine_test_servers::bigquery_emulator::BigqueryEmulator;
use vitrine_test_servers::snowflake_emulator::{PASSWORD, SnowflakeEmulator};

fn write(desk: &Desk, path: &str, text: &str) {
    let path = desk.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn lines(rows: &[Value]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

/// Writes a pack with five questions that have gold, one without, and a dbt project.
fn write_lite(desk: &Desk) {
    let question = |id: &str, db: &str, text: &str, document: Option<&str>| json!({"instance_id": id, "db": db, "question": text, "external_knowledge": document});
    let rows = [
        question("bq001", "port", "How many ships has each berth?", None),
        question("bq002", "port", "Which ships are the heavy ones?", Some("heavy.md")),
        question("bq003", "port", "Which question has no gold?", None),
        question("bq004", "port", "When did the last ship arrive?", None),
        question("sf001", "DEPOT", "How many crates are stored?", None),
        question("local001", "shop", "How many customers are there?", None),
        json!({"instance_id": "port001", "instruction": "Complete the models.", "type": "DBT"}),
    ];
    write(desk, "lite/spider2-lite.jsonl", &lines(&rows));
    write(desk, "lite/resource/documents/heavy.md", "A ship is heavy from 900 tons on.");
    write(desk, "lite/resource/databases/bigquery/port/test-project.shop/DDL.csv", "table_name,ddl\n");
    write(desk, "lite/resource/databases/bigquery/port/test-project.yard/DDL.csv", "table_name,ddl\n");
    write(desk, "lite/resource/databases/snowflake/DEPOT/PUBLIC/DDL.csv", "table_name,ddl\n");
    std::fs::create_dir_all(desk.path("lite/resource/databases/spider2-localdb")).unwrap();
    std::fs::copy(desk.path("shop.db"), desk.path("lite/resource/databases/spider2-localdb/shop.sqlite")).unwrap();
    let gold = "lite/evaluation_suite/gold";
    // Only the second of two results has the columns of the answer.
    write(desk, &format!("{gold}/exec_result/bq001_a.csv"), "berth,ships,share\nA,2,0.66\nB,1,0.33\n");
    write(desk, &format!("{gold}/exec_result/bq001_b.csv"), "n,berth\n1,B\n2.004,A\n");
    write(desk, &format!("{gold}/sql/bq002.sql"), "SELECT name, tons FROM `test-project.shop.ships` WHERE tons >= 900");
    write(desk, &format!("{gold}/exec_result/bq004.csv"), "arrived\n2024-02-29 10:00:00+00:00\n");
    write(desk, &format!("{gold}/exec_result/sf001.csv"), "CRATES\n7\n");
    write(desk, &format!("{gold}/exec_result/local001.csv"), "n\n3\n");
    let standards = [
        json!({"instance_id": "bq001", "condition_cols": [[0, 2], [0]], "ignore_order": true, "toks": "1"}),
        json!({"instance_id": "bq002", "condition_cols": [0], "ignore_order": true}),
        json!({"instance_id": "bq004", "condition_cols": [], "ignore_order": true}),
        json!({"instance_id": "sf001", "condition_cols": [], "ignore_order": true}),
        json!({"instance_id": "local001", "condition_cols": [], "ignore_order": true}),
    ];
    write(desk, &format!("{gold}/spider2lite_eval.jsonl"), &lines(&standards));
}

/// Writes a pack with three questions on one database, whose answers depend on the order, on stored results that are
/// outdated, and on one of several results.
fn write_snow(desk: &Desk) {
    let question = |id: &str, text: &str, document: Option<&str>| json!({"instance_id": id, "db_id": "DEPOT", "instruction": text, "external_knowledge": document});
    let rows = [
        question("sf_bq001", "Which halls, the fullest first?", Some("heavy.md")),
        question("sf_bq002", "How many crates are stored?", Some("nowhere.md")),
        question("sf_local003", "Which hall has no crates?", None),
    ];
    write(desk, "snow/spider2-snow.jsonl", &lines(&rows));
    write(desk, "snow/resource/databases/DEPOT/PUBLIC/DDL.csv", "table_name,ddl\n");
    write(desk, "snow/resource/documents/heavy.md", "Full is by crates.");
    let gold = "snow/evaluation_suite/gold";
    write(desk, &format!("{gold}/exec_result/sf_bq001.csv"), "HALL\nnorth\nsouth\n");
    write(desk, &format!("{gold}/exec_result/sf_bq002.csv"), "N\n99\n");
    write(desk, &format!("{gold}/sql/sf_bq002.sql"), "SELECT SUM(CRATES) FROM DEPOT.PUBLIC.HALLS");
    let standards = [
        json!({"instance_id": "sf_bq001", "condition_cols": [], "ignore_order": false}),
        json!({"instance_id": "sf_bq002", "condition_cols": [], "ignore_order": true, "temporal": true}),
    ];
    write(desk, &format!("{gold}/spider2snow_eval.jsonl"), &lines(&standards));
}

async fn start_port() -> BigqueryEmulator {
    let emulator = BigqueryEmulator::start().expect("it is installed by: node setup/run.mjs emulator");
    emulator
        .script(&[
            "CREATE TABLE shop.ships (name STRING, berth STRING, tons INT64, arrived TIMESTAMP)",
            "INSERT INTO shop.ships VALUES ('Aida', 'A', 950, '2024-02-29 10:00:00 UTC'),
             ('Bora', 'A', 300, '2024-01-01 00:00:00 UTC'), ('Cora', 'B', 900, '2024-01-02 00:00:00 UTC')",
            "CREATE SCHEMA yard",
            "CREATE TABLE yard.cranes (berth STRING, lifts INT64)",
            "CREATE SCHEMA secret",
            "CREATE TABLE secret.ledger (amount INT64)",
        ])
        .await;
    emulator
}

async fn start_depot() -> SnowflakeEmulator {
    let emulator = SnowflakeEmulator::start().await;
    emulator
        .script(&[
            "CREATE DATABASE IF NOT EXISTS DEPOT",
            "CREATE SCHEMA IF NOT EXISTS DEPOT.PUBLIC",
            "CREATE TABLE DEPOT.PUBLIC.HALLS (HALL VARCHAR, CRATES INT)",
            "INSERT INTO DEPOT.PUBLIC.HALLS VALUES ('north', 5), ('south', 2)",
        ])
        .await;
    emulator
}

fn script(pairs: &[(&str, &str)]) -> ScriptedServer {
    ScriptedServer::start(pairs.iter().map(|(text, reply)| ((*text).to_owned(), (*reply).to_owned())).collect())
}

/// Runs an evaluation with the scripted model; returns the report and what was printed beside it.
fn evaluate(desk: &Desk, server: &ScriptedServer, arguments: &[&str]) -> (Value, String) {
    let added = desk.run(&[
        "models",
        "remote",
        "scripted",
        "--url",
        &server.address,
        "--model",
        "m",
        "--context",
        "32000",
        "--yes",
    ]);
    assert_eq!(added.status, 0, "{}", added.err);
    let fixed = ["eval", "--strategy", "direct", "--model", "scripted", "--json", "--out", "out"];
    let mut command = desk.command(&[&fixed, arguments].concat());
    let said = Said::from(command.env("SNOWFLAKE_PASSWORD", PASSWORD).output().unwrap());
    assert_eq!(said.status, 0, "{} {}", said.out, said.err);
    (serde_json::from_str(&said.out).unwrap(), said.err)
}

/// Returns the ids of the questions that are right and wrong, from the result file.
fn outcomes(desk: &Desk) -> Vec<(String, bool)> {
    let text = std::fs::read_to_string(desk.path("out/results.jsonl")).unwrap();
    let rows = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row["spider2"] == true)).collect()
}

fn without_password(address: &str) -> String {
    address.replace(&format!(":{}", PASSWORD.replace(':', "%3A")), "")
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_on_three_engines_are_asked_over_connections_and_judged_by_the_packs_terms() {
    let (port, depot, desk) = (start_port().await, start_depot().await, desk_with_driver());
    write_lite(&desk);
    let server = script(&[
        ("How many ships has each berth?", "SELECT berth, COUNT(*) AS n FROM shop.ships GROUP BY berth"),
        ("Which ships are the heavy ones?", "SELECT name FROM shop.ships WHERE tons >= 900"),
        ("When did the last ship arrive?", "SELECT MAX(arrived) AS arrived FROM shop.ships"),
        ("How many crates are stored?", "SELECT SUM(crates) FROM public.halls"),
        ("How many customers are there?", "SELECT COUNT(*) + 1 FROM customers"),
    ]);
    let added = desk.run(&["connections", "add", "Port", &port.address("")]);
    assert_eq!(added.status, 0, "{}", added.err);
    let snow = format!("snowflake:*={}", without_password(&depot.address()));
    let (report, told) = evaluate(&desk, &server, &["lite", "--connection", "bigquery:*=Port", "--connection", &snow]);
    let right = [("bq001", true), ("bq002", true), ("bq004", true), ("sf001", true), ("local001", false)];
    assert_eq!(outcomes(&desk), right.map(|(id, right)| (id.to_owned(), right)), "{report} {told}");
    let run = &report["runs"][0];
    assert_eq!(run["right"]["spider2"], json!({"count": 4, "of": 5, "share": 0.8}), "{report}");
    assert_eq!(run["left_out"], json!({"no-gold": 1, "dbt-task": 1}), "{report}");
    assert!(told.contains("1 left out (no gold, not judged)") && told.contains("1 left out (dbt project)"), "{told}");
    let prompt = |question: &str| {
        let requests = server.requests();
        requests.into_iter().find(|body| body.contains(question)).expect("it was asked")
    };
    let heavy = prompt("Which ships are the heavy ones?");
    assert!(heavy.contains("A ship is heavy from 900 tons on."), "the document is the question's knowledge");
    assert!(heavy.contains("cranes") && !heavy.contains("ledger"), "the datasets of the database alone: {heavy}");
    assert!(!prompt("How many ships has each berth?").contains("heavy from"), "of its question alone");

    let text = desk.run(&["eval", "report", "lite=out"]);
    assert!(text.out.contains("1 (no gold, not judged), 1 (dbt project)"), "{} {}", text.out, text.err);
}

#[tokio::test(flavor = "multi_thread")]
async fn snows_settings_decide_on_order_and_on_stored_results() {
    let (depot, desk) = (start_depot().await, desk_with_driver());
    write_snow(&desk);
    let nothing = desk.run(&["eval", "snow"]);
    assert!(nothing.status == 2 && nothing.err.contains("--connection"), "{}", nothing.err);
    let server = script(&[
        ("Which halls, the fullest first?", "SELECT hall FROM public.halls ORDER BY crates"),
        ("How many crates are stored?", "SELECT SUM(crates) FROM public.halls"),
    ]);
    let own = format!("DEPOT={}", without_password(&depot.address()).replace("/SHOP/PUBLIC", "/DEPOT"));
    let (report, told) = evaluate(&desk, &server, &["snow", "--connection", &own]);
    let right = [("sf_bq001", false), ("sf_bq002", true)];
    assert_eq!(outcomes(&desk), right.map(|(id, right)| (id.to_owned(), right)), "{report}");
    assert_eq!(report["runs"][0]["left_out"], json!({"no-gold": 1}), "{report}");
    assert!(told.contains("1 without the document that it names"), "{told}");
    assert_eq!(report["runs"][0]["missing_documents"], 1, "{report}");
}

/// Rebuilds the questions of a pack on SQLite, and answers each with its gold query.
fn rebuild(desk: &Desk, pack: &Path, questions: &str) -> (Value, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/bench/spider2.py");
    let out = desk.path("rebuilt");
    let built = Command::new("python3").arg(script).arg(pack).arg(&out).args(["--questions", questions]).output();
    let built = Said::from(built.unwrap());
    assert_eq!(built.status, 0, "{} {}", built.out, built.err);
    let rows = std::fs::read_to_string(out.join("spider2-lite.jsonl")).unwrap();
    let rows = rows.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let script = rows.map(|row| {
        let id = row["instance_id"].as_str().unwrap();
        let gold = std::fs::read_to_string(out.join(format!("evaluation_suite/gold/sql/{id}.sql"))).unwrap();
        // Prompts contain the question with normalized white space.
        (row["question"].as_str().unwrap().chars().take(40).collect(), gold)
    });
    evaluate(desk, &ScriptedServer::start(script.collect()), &["rebuilt", "--jobs", "2"])
}

#[test]
fn the_sqlite_part_is_rebuilt_from_schemas_with_rows_that_its_gold_queries_find() {
    let desk = Desk::new();
    let question = |id: &str, text: &str| json!({"instance_id": id, "db": "Fish-Market", "question": text, "external_knowledge": null});
    let rows =
        [question("local1", "How many \"boats\" landed?"), question("local2", "Who sold cod?"), question("bq1", "?")];
    write(&desk, "lite/spider2-lite.jsonl", &lines(&rows));
    let ddl = "table_name,DDL\nboat,\"CREATE TABLE boat (\n    id INTEGER,\n    index INTEGER,\n    landed DATE\n);\"\n\
               sale,\"CREATE TABLE sale (\n    sale_id INTEGER,\n    boat_id INTEGER,\n    fish TEXT\n);\"\n";
    write(&desk, "lite/resource/databases/sqlite/FISH_MARKET/DDL.csv", ddl);
    let gold = "lite/evaluation_suite/gold";
    write(&desk, &format!("{gold}/sql/local1.sql"), "SELECT COUNT(*) FROM boat WHERE landed >= '2018-01-01'");
    write(
        &desk,
        &format!("{gold}/sql/local2.sql"),
        "SELECT b.id FROM boat b JOIN sale s ON s.boat_id = b.id WHERE s.fish = 'cod'",
    );
    let standards = [json!({"instance_id": "local1", "condition_cols": [], "ignore_order": true})];
    write(&desk, &format!("{gold}/spider2lite_eval.jsonl"), &lines(&standards));
    let (report, told) = rebuild(&desk, &desk.path("lite"), "2");
    assert_eq!(report["runs"][0]["right"]["spider2"], json!({"count": 2, "of": 2, "share": 1.0}), "{report} {told}");
}

#[test]
fn twenty_questions_of_the_sqlite_part_run_from_question_to_verdict() {
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data/spider2_schema/spider2-lite");
    if !pack.is_dir() {
        eprintln!("skipped: Spider 2.0's schemas are not at {}", pack.display());
        return;
    }
    let desk = Desk::new();
    let (report, told) = rebuild(&desk, &pack, "20");
    let right = &report["runs"][0]["right"]["spider2"];
    assert_eq!(right["of"], 20, "{report} {told}");
    // The answers are the gold queries; one of them has text in double quotes, which is refused as an unknown name.
    assert!(right["count"].as_u64() >= Some(19), "{report} {told}");
}

#[test]
fn a_connection_needs_a_database_and_a_name() {
    let desk = Desk::new();
    for wrong in ["port", "=Port", "port=", "bigquery:=Port"] {
        let said = desk.run(&["eval", "lite", "--connection", wrong]);
        assert_eq!(said.status, 2, "{wrong}: {}", said.err);
    }
    let said = desk.run(&["eval", "lite", "--connection", "port=postgresql://ann:hidden@host:door/x"]);
    assert!(said.status != 0 && !said.err.contains("hidden"), "{}", said.err);
}
