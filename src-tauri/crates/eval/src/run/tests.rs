use super::*;
use crate::judge::PreparedDatabase;
use crate::metrics::fault::Fault;
use crate::pack::SkipReason;
use futures::future::BoxFuture;
use std::path::Path;
use vitrine_agents::Models;
use vitrine_agents::certainty::Calibration;
use vitrine_agents::methods::parameters;
use vitrine_domain::{EventBody, LinkingPass, MethodName, RunEvent, Switch};
use vitrine_llm::{Line, ScriptedModel};
use vitrine_warehouse::WarehouseUri;

const QUESTIONS: &str = r#"{"id":"right","db_id":"shop","question":"Names?","gold_sql":["SELECT name FROM customer"]}
{"id":"wrong","db_id":"shop","question":"Totals?","gold_sql":["SELECT total FROM orders ORDER BY total"],"hardness":"easy"}
{"id":"broken","db_id":"broken","question":"Anything?","gold_sql":["SELECT 1"]}
{"id":"trivial","db_id":"shop","question":"Nobody?","gold_sql":["SELECT name FROM customer WHERE id = 9"]}
{"id":"bad gold","db_id":"shop","question":"Nothing?","gold_sql":["SELECT nothing FROM nowhere"]}
{"id":"silent","db_id":"shop","question":"Orders?","gold_sql":["SELECT COUNT(*) FROM orders"]}
{"id":"no such column","db_id":"shop","question":"Cities?","gold_sql":["SELECT COUNT(*) FROM customer"]}
"#;

/// The model's replies to `right`, `wrong`, `silent` and `no such column`; it is not called for the others.
const REPLIES: [&str; 4] = [
    "SELECT name FROM customer ORDER BY name DESC",
    "SELECT total FROM orders JOIN customer ON customer.id = customer_id ORDER BY total DESC",
    "",
    "SELECT city FROM customer",
];

fn create_pack(root: &Path) -> Pack {
    let folder = root.join("little");
    std::fs::create_dir_all(folder.join("databases")).unwrap();
    std::fs::write(folder.join("questions.jsonl"), QUESTIONS).unwrap();
    std::fs::write(folder.join("databases/broken.sqlite"), "").unwrap();
    let shop = rusqlite::Connection::open(folder.join("databases/shop.sqlite")).unwrap();
    shop.execute_batch(
        "CREATE TABLE IF NOT EXISTS customer (id INTEGER PRIMARY KEY, name TEXT);
         CREATE TABLE IF NOT EXISTS orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, total REAL);
         DELETE FROM customer; DELETE FROM orders;
         INSERT INTO customer VALUES (1, 'Ann'), (2, 'Ben');
         INSERT INTO orders VALUES (1, 1, 3.5), (2, 1, 7), (3, 2, 1);",
    )
    .unwrap();
    Pack::load(&folder, EvalScope::Answers).unwrap()
}

fn create_environment(replies: &[&str]) -> Arc<EvalEnvironment> {
    environment_of(ScriptedModel::new(replies.to_vec()))
}

fn environment_of(model: ScriptedModel) -> Arc<EvalEnvironment> {
    let prepare = |address: String| -> BoxFuture<'static, Result<PreparedDatabase, AppError>> {
        Box::pin(async move {
            assert!(!address.ends_with("broken.sqlite"), "this database breaks the program");
            let uri = WarehouseUri::parse(&address)?;
            let warehouse = vitrine_warehouse::open_warehouse(&uri).await?;
            let catalog = Arc::new(warehouse.load_catalog().await?);
            Ok(PreparedDatabase {
                warehouse,
                catalog,
                standing: Vec::new(),
                metrics: None,
                allowed: Default::default(),
                profile: Arc::default(),
                values: None,
                embedder: None,
                budgeted: None,
            })
        })
    };
    Arc::new(EvalEnvironment {
        prepare: Box::new(prepare),
        release: Box::new(|_| {}),
        clock: Arc::new(|| 0),
        models: Models { default: Arc::new(model), by_agent: Default::default() },
        calibration: Arc::new(Calibration::cautious_default()),
        meter: None,
        sandbox: Box::new(|| None),
    })
}

fn build_options(root: &Path, resume: bool) -> EvalOptions {
    let settings = AskSettings { strategy: MethodName::from("direct"), ..AskSettings::default() };
    EvalOptions {
        settings,
        sample: Sample::default(),
        meaning: AmbiguityMode::Any,
        schema: GivenSchema::Whole,
        jobs: 1,
        out: root.join("out"),
        resume,
        replies: None,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_question_stops_the_run_and_each_is_judged() {
    let root = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    let run = run_pack(
        &create_pack(root.path()),
        create_environment(&REPLIES),
        build_options(root.path(), false),
        CancellationToken::new(),
        |p| {
            told.push((p.done, p.total, p.right, p.left_out));
        },
    )
    .await
    .unwrap();
    assert_eq!(
        told,
        [(1, 7, 1, 0), (2, 7, 1, 0), (3, 7, 1, 0), (4, 7, 1, 1), (5, 7, 1, 2), (6, 7, 1, 2), (7, 7, 1, 2)]
    );
    assert_eq!(run.left_out, [(SkipReason::GoldFails, 1), (SkipReason::GoldTrivial, 1)].into());
    let [right, wrong, broken, silent, unknown] = run.outcomes.as_slice() else { panic!("{:?}", run.outcomes) };

    assert_eq!((right.spider, right.bird, right.spider2, right.fault), (true, true, Some(true), None));
    assert_eq!((right.question.as_str(), right.usage.llm_calls), ("Names?", 1));
    let linking = right.linking.unwrap();
    assert!(linking.tables.is_complete() && linking.columns.precision() == 1.0);

    assert_eq!((wrong.spider, wrong.bird, wrong.fault), (false, true, Some(Fault::OrderOnly)));
    let linking = wrong.linking.unwrap();
    assert_eq!((linking.tables.recall(), linking.tables.precision()), (1.0, 0.5));

    assert_eq!((broken.answered, broken.fault), (false, Some(Fault::NoSql)));
    assert!(broken.error.as_ref().unwrap().contains("this database breaks the program"), "{:?}", broken.error);
    assert!(!silent.answered && !silent.spider);
    assert_eq!((unknown.answered, unknown.fault), (false, Some(Fault::DoesNotRun)));
    assert_eq!(unknown.sql.as_deref(), Some("SELECT city FROM customer"));
    let lines = std::fs::read_to_string(root.path().join("out/results.jsonl")).unwrap();
    let certainty = |line: &str| serde_json::from_str::<serde_json::Value>(line).unwrap()["certainty"].clone();
    let certainties: Vec<_> = lines.lines().map(certainty).collect();
    let sure = &certainties[0];
    assert!(["sure", "check", "unlikely"].contains(&sure["level"].as_str().unwrap()), "{sure}");
    assert!((0.0..=1.0).contains(&sure["probability"].as_f64().unwrap()), "{sure}");
    assert!(sure["reasons"].as_array().is_some_and(|reasons| !reasons.is_empty()), "{sure}");
    assert!(certainties[2].is_null() && certainties[3].is_null(), "what has no answer is not sure: {certainties:?}");
    let events = std::fs::read_to_string(root.path().join("out/events/no_such_column.jsonl")).unwrap();
    assert!(events.lines().count() > 2 && events.contains("runFinished"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_run_goes_on_where_it_ended() {
    let root = tempfile::tempdir().unwrap();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let pack = create_pack(root.path());
    let stopped = run_pack(&pack, create_environment(&REPLIES), build_options(root.path(), false), cancel, |p| {
        if p.done == 2 {
            stop.cancel();
        }
    })
    .await
    .unwrap_err();
    assert_eq!(stopped.code, ErrorCode::Cancelled);
    // The process was killed while it wrote the third line.
    let results = root.path().join("out/results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, text + "{\"id\":\"bro").unwrap();

    let again = run_pack(
        &pack,
        create_environment(&REPLIES),
        build_options(root.path(), false),
        CancellationToken::new(),
        |_| {},
    )
    .await;
    assert!(again.unwrap_err().hint.unwrap().contains("--resume"));
    let mut asked = Vec::new();
    let run = run_pack(
        &pack,
        create_environment(&REPLIES[2..]),
        build_options(root.path(), true),
        CancellationToken::new(),
        |p| {
            asked.push(p.outcome.id.clone());
        },
    )
    .await
    .unwrap();
    assert_eq!(asked, ["broken", "trivial", "bad gold", "silent", "no such column"]);
    assert_eq!(run.outcomes.iter().filter(|o| o.is_right(Rule::Spider)).count(), 1);
    let whole =
        run_pack(&pack, create_environment(&[]), build_options(root.path(), true), CancellationToken::new(), |_| {
            panic!("all is done")
        });
    assert_eq!(whole.await.unwrap().outcomes, run.outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_worked_on_together_are_reported_in_the_packs_order() {
    let root = tempfile::tempdir().unwrap();
    let pack = create_pack(root.path());
    let options = EvalOptions { jobs: 4, ..build_options(root.path(), false) };
    let run =
        run_pack(&pack, create_environment(&["SELECT 1"; 4]), options, CancellationToken::new(), |_| {}).await.unwrap();
    let ids: Vec<&str> = run.outcomes.iter().map(|outcome| outcome.id.as_str()).collect();
    assert_eq!(ids, ["right", "wrong", "broken", "silent", "no such column"]);
    assert!(run.outcomes.iter().all(|outcome| outcome.at_once == 4), "their seconds are not their own");
}

#[tokio::test(flavor = "multi_thread")]
async fn seconds_are_not_told_where_replies_may_have_come_from_a_file() {
    let root = tempfile::tempdir().unwrap();
    let options = EvalOptions { replies: Some(root.path().join("replies.jsonl")), ..build_options(root.path(), false) };
    let run =
        run_pack(&create_pack(root.path()), create_environment(&REPLIES), options, CancellationToken::new(), |_| {})
            .await
            .unwrap();
    assert!(run.outcomes.iter().all(|outcome| outcome.elapsed_seconds().is_none()));
    let report = crate::report::Report::new(vec![run], None).unwrap().to_markdown();
    assert!(report.contains("model calls, mean") && !report.contains("median seconds"), "{report}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_suite_tells_apart_what_one_database_does_not() {
    let root = tempfile::tempdir().unwrap();
    let mut pack = create_pack(root.path());
    let other = root.path().join("other.sqlite");
    let suite = rusqlite::Connection::open(&other).unwrap();
    suite
        .execute_batch("CREATE TABLE customer (id INTEGER, name TEXT); INSERT INTO customer VALUES (5, 'Cid');")
        .unwrap();
    pack.questions.truncate(1);
    pack.questions[0].test_databases = vec![other].into();
    let replies = ["SELECT name FROM customer WHERE id < 5"];
    let run = run_pack(
        &pack,
        create_environment(&replies),
        build_options(root.path(), false),
        CancellationToken::new(),
        |_| {},
    )
    .await
    .unwrap();
    let outcome = &run.outcomes[0];
    assert_eq!((outcome.spider, outcome.bird, outcome.fault), (false, true, Some(Fault::WrongValues)));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_an_ambiguous_question_one_reading_is_meant_and_told_when_asked() {
    let root = tempfile::tempdir().unwrap();
    let mut pack = create_pack(root.path());
    let (names, totals) = ("SELECT name FROM customer", "SELECT total FROM orders");
    pack.questions.truncate(1);
    pack.questions[0].gold_sql = vec![names.to_owned(), totals.to_owned()];
    pack.questions[0].ambiguous = true;
    let meant = pack.questions[0].clone().keep_interpretation().gold_sql;
    let other = if meant[0] == names { totals } else { names };

    let mut settings = AskSettings { strategy: MethodName::from("reforce"), ..AskSettings::default() };
    parameters::set_parameter(&mut settings.methods, "reforce.votes", "2").unwrap();
    settings.without = vec![Switch::Exploration];
    let mut went = Vec::new();
    for meaning in [AmbiguityMode::Any, AmbiguityMode::One, AmbiguityMode::Asked] {
        // A tie in which the unintended interpretation comes first.
        let replies = Line::Samples(vec![other.to_owned(), meant[0].clone()]);
        let out = root.path().join(format!("{meaning:?}"));
        let options = EvalOptions { settings: settings.clone(), meaning, out, ..build_options(root.path(), false) };
        let environment = environment_of(ScriptedModel::new(vec![replies]));
        let run = run_pack(&pack, environment, options, CancellationToken::new(), |_| {}).await.unwrap();
        went.push((run.outcomes[0].spider, run.outcomes[0].asked));
    }
    assert_eq!(went, [(true, None), (false, None), (true, Some(true))]);
}

/// Questions on a schema of four tables without data, including three look-alike tables.
fn schema_pack(root: &Path) -> Pack {
    let row = |id: &str| format!("{{\"instance_id\": \"{id}\", \"db\": \"shop\", \"question\": \"Q\"}}\n");
    let ddl = "table_name,ddl\ncustomer,\"CREATE TABLE `customer` (id INT64, name STRING)\"\n".to_owned()
        + &["2021", "2022", "2023"]
            .map(|year| format!("orders_{year},\"CREATE TABLE `orders_{year}` (id INT64, total FLOAT64)\"\n"))
            .concat();
    let files = [
        ("spider2-lite.jsonl", ["bq1", "bq2", "bq3"].map(row).concat()),
        ("resource/databases/bigquery/shop/DDL.csv", ddl),
        ("evaluation_suite/gold/sql/bq1.sql", "SELECT SUM(total) FROM orders_2021".to_owned()),
        ("evaluation_suite/gold/sql/bq2.sql", "SELECT * FROM nowhere".to_owned()),
    ];
    for (path, text) in files {
        let path = root.join("lite").join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    assert!(Pack::load(&root.join("lite"), EvalScope::Answers).is_err(), "without data nothing can be answered");
    Pack::load(&root.join("lite"), EvalScope::Linking).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn schema_linking_alone_needs_no_data_and_ends_once_tables_are_chosen() {
    let root = tempfile::tempdir().unwrap();
    let pack = schema_pack(root.path());
    assert_eq!(pack.left_out, [(SkipReason::NoGold, 1)].into());
    let one = r#"{"tables":[{"name":"orders_2022","columns":["total"]}]}"#;
    let view = r#"{"tables":[{"name":"orders_2022","columns":["total"]}],
        "views":[{"name":"sums","rationale":"","sql":"SELECT total FROM orders_2022"}]}"#;
    let none = r#"{"tables":[],"views":[]}"#;
    let cases: [(MethodName, Vec<&str>, (u32, u32)); 3] = [
        (MethodName::from("chase-sql"), vec![none, one], (1, 1)),
        (MethodName::from("av-sql"), vec![none, view], (1, 1)),
        // It selects nothing, so its prompt shows everything: two tables.
        (MethodName::from("direct"), vec![], (1, 2)),
    ];
    for (strategy, replies, (common, predicted)) in cases {
        let calls = replies.len() as u64;
        let settings = AskSettings {
            strategy: strategy.clone(),
            chunk_budget: Some(45),
            without: vec![Switch::Rewriter],
            ..AskSettings::default()
        };
        let out = root.path().join(strategy.as_str());
        let options = EvalOptions { settings, out, ..build_options(root.path(), false) };
        let run =
            run_pack(&pack, create_environment(&replies), options, CancellationToken::new(), |_| {}).await.unwrap();
        assert_eq!(run.left_out, [(SkipReason::GoldFails, 1), (SkipReason::NoGold, 1)].into());
        let outcome = &run.outcomes[0];
        let tables = outcome.linking.unwrap().tables;
        assert_eq!((tables.gold, tables.common, tables.predicted), (1, common, predicted), "{strategy:?}");
        assert_eq!((outcome.usage.llm_calls, outcome.error.as_deref()), (calls, None), "{strategy:?}");
        let report = crate::Report::new(vec![run], None).unwrap().to_markdown();
        assert!(report.contains("tables, strict recall") && !report.contains("right by"), "{report}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_may_receive_only_the_tables_or_columns_of_the_gold_query() {
    for (schema, name, columns) in
        [(GivenSchema::GoldTables, "gold-tables", 3), (GivenSchema::GoldColumns, "gold-columns", 1)]
    {
        let root = tempfile::tempdir().unwrap();
        let mut pack = create_pack(root.path());
        pack.questions.retain(|question| question.id == "wrong");
        let options = EvalOptions { schema, ..build_options(root.path(), false) };
        let environment = create_environment(&["SELECT total FROM orders ORDER BY total"]);
        let run = run_pack(&pack, environment, options.clone(), CancellationToken::new(), |_| {}).await.unwrap();
        assert!(run.outcomes[0].spider, "{:?}", run.outcomes);
        let events = std::fs::read_to_string(root.path().join("out/events/wrong.jsonl")).unwrap();
        let events: Vec<RunEvent> = events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let mut given = Vec::new();
        for event in &events {
            match &event.body {
                EventBody::SchemaPrepared { tables, columns: shown, .. } => assert_eq!((*tables, *shown), (1, columns)),
                EventBody::SchemaLinked { pass: LinkingPass::Given, kept, .. } => {
                    given.push(kept.tables[0].to_string())
                }
                _ => {}
            }
        }
        assert_eq!(given, [if columns == 1 { "orders(total)" } else { "orders" }], "the log lists them");
        let record = std::fs::read_to_string(root.path().join("out/run.json")).unwrap();
        assert!(record.contains(name), "{record}");
        let whole = EvalOptions { schema: GivenSchema::Whole, resume: true, ..options };
        let error = run_pack(&pack, create_environment(&[]), whole, CancellationToken::new(), |_| {}).await;
        assert!(error.is_err(), "results over another schema are not mixed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_candidate_is_evaluated_after_the_answer() {
    let root = tempfile::tempdir().unwrap();
    let mut pack = create_pack(root.path());
    pack.questions.truncate(3);
    let golds =
        ["SELECT name FROM customer", "SELECT COUNT(*) FROM orders WHERE total > 2", "SELECT total FROM orders"];
    let shop = pack.questions[0].warehouse.clone();
    for (question, gold) in pack.questions.iter_mut().zip(golds) {
        (question.gold_sql, question.warehouse) = (vec![gold.to_owned()], shop.clone());
    }
    let more = "SELECT total FROM orders WHERE total > 5";
    let samples = [
        // The majority is wrong although one is right.
        ["SELECT id FROM customer", "SELECT id FROM customer", golds[0]],
        [golds[1], golds[1], golds[1]],
        ["SELECT city FROM customer", more, more],
    ];
    let replies = samples.map(|samples| Line::Samples(samples.map(str::to_owned).to_vec())).to_vec();
    let mut settings = AskSettings { strategy: MethodName::from("reforce"), ..AskSettings::default() };
    for (name, value) in [("reforce.votes", "3"), ("reforce.rounds", "0")] {
        parameters::set_parameter(&mut settings.methods, name, value).unwrap();
    }
    settings.without = vec![
        Switch::Exploration,
        Switch::NameRepair,
        Switch::Variants,
        Switch::Fitting,
        Switch::Respelling,
        Switch::Findings,
        Switch::Certainty,
    ];
    let options = EvalOptions { settings, ..build_options(root.path(), false) };
    let environment = environment_of(ScriptedModel::new(replies));
    let run = run_pack(&pack, environment, options.clone(), CancellationToken::new(), |_| {}).await.unwrap();
    assert_eq!(run.outcomes.iter().map(|o| o.spider).collect::<Vec<_>>(), [false, true, false]);
    let queries = &run.outcomes[2].candidates.as_ref().unwrap().queries;
    let errors: Vec<_> = queries.iter().filter_map(|query| query.error.as_ref()).collect();
    assert!(matches!(errors.as_slice(), [error] if error.contains("city")), "{errors:?}");

    let report = crate::report::Report::new(vec![run.clone()], None).unwrap();
    let json = serde_json::to_value(&report).unwrap();
    let candidates = &json["runs"][0]["candidates"];
    let counts = |name: &str| [&candidates[name]["count"], &candidates[name]["of"]].map(|n| n.as_u64().unwrap());
    assert_eq!((counts("passAtK"), candidates["passAtK"]["k"].as_u64()), ([2, 3], Some(3)));
    assert_eq!((counts("upperBound"), counts("lowerBound"), counts("rightNotChosen")), ([2, 3], [1, 3], [1, 3]));
    assert!((candidates["upperBound"]["share"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-9);
    // Right candidates: 1 of 3, 3 of 3, 0 of 3.
    let shares = |name: &str| -> Vec<f64> {
        let all = candidates[name].as_array().unwrap();
        all.iter().map(|at| (900.0 * at["share"].as_f64().unwrap()).round() / 100.0).collect()
    };
    assert_eq!(shares("passAt"), [4.0, 5.0, 6.0], "(1/3 + 1 + 0) / 3, (2/3 + 1 + 0) / 3, (1 + 1 + 0) / 3");
    assert_eq!(shares("recallAt"), [3.0, 3.0, 6.0]);
    assert_eq!(candidates["losses"], serde_json::json!({"notGenerated": 1, "notChosen": 1}));
    assert_eq!(candidates["errors"], serde_json::json!({"filter": 1, "schema": 1}));
    assert_eq!(candidates["generators"][0]["right"]["count"], 2);

    let resumed = EvalOptions { resume: true, ..options };
    let again = run_pack(&pack, create_environment(&[]), resumed, CancellationToken::new(), |_| {}).await.unwrap();
    assert_eq!(again.outcomes, run.outcomes, "the verdicts are stored");
    let results = root.path().join("out/results.jsonl");
    let without: Vec<String> = std::fs::read_to_string(&results)
        .unwrap()
        .lines()
        .map(|line| {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            line.as_object_mut().unwrap().remove("candidates");
            line.to_string() + "\n"
        })
        .collect();
    std::fs::write(&results, without.concat()).unwrap();
    let old = Run::load("old", &root.path().join("out")).unwrap();
    let text = crate::report::Report::new(vec![old, run], None).unwrap().to_markdown();
    assert!(text.contains("| generated, not chosen | not evaluated | 33.3% (1) |"), "{text}");
    assert!(text.contains("old: the candidates were not evaluated."), "{text}");
}
