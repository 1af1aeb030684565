use super::*;
use crate::fault::Fault;
use crate::pack::LeftOut;
use std::path::Path;
use vitrine_domain::StrategyName;
use vitrine_llm::ScriptedModel;
use vitrine_warehouse::WarehouseUri;

const QUESTIONS: &str = r#"{"id":"right","db_id":"shop","question":"Names?","gold_sql":["SELECT name FROM customer"]}
{"id":"wrong","db_id":"shop","question":"Totals?","gold_sql":["SELECT total FROM orders ORDER BY total"],"hardness":"easy"}
{"id":"broken","db_id":"broken","question":"Anything?","gold_sql":["SELECT 1"]}
{"id":"trivial","db_id":"shop","question":"Nobody?","gold_sql":["SELECT name FROM customer WHERE id = 9"]}
{"id":"bad gold","db_id":"shop","question":"Nothing?","gold_sql":["SELECT nothing FROM nowhere"]}
{"id":"silent","db_id":"shop","question":"Orders?","gold_sql":["SELECT COUNT(*) FROM orders"]}
{"id":"no such column","db_id":"shop","question":"Cities?","gold_sql":["SELECT COUNT(*) FROM customer"]}
"#;

/// What the model says to `right`, `wrong`, `silent` and `no such column`; nothing is asked about the others.
const REPLIES: [&str; 4] = [
    "SELECT name FROM customer ORDER BY name DESC",
    "SELECT total FROM orders JOIN customer ON customer.id = customer_id ORDER BY total DESC",
    "",
    "SELECT city FROM customer",
];

fn pack(root: &Path) -> Pack {
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
    Pack::load(&folder).unwrap()
}

fn lab(replies: &[&str]) -> Arc<Lab> {
    let prepare = |address: String| -> BoxFuture<'static, Result<Prepared, AppError>> {
        Box::pin(async move {
            assert!(!address.ends_with("broken.sqlite"), "this database breaks the program");
            let uri = WarehouseUri::parse(&address)?;
            let warehouse = vitrine_warehouse::open(&uri).await?;
            let catalog = Arc::new(warehouse.catalog().await?);
            Ok(Prepared { warehouse, catalog, profile: Arc::default(), values: None, embedder: None })
        })
    };
    let model = Arc::new(ScriptedModel::new(replies.to_vec()));
    Arc::new(Lab {
        prepare: Box::new(prepare),
        clock: Arc::new(|| 0),
        models: Models { default: model, by_agent: Default::default() },
        laboratory: Box::new(|| None),
    })
}

fn options(root: &Path, resume: bool) -> EvalOptions {
    let settings = AskSettings { strategy: StrategyName::Direct, ..AskSettings::default() };
    EvalOptions { settings, sample: Sample::default(), jobs: 1, out: root.join("out"), resume }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_question_stops_the_run_and_each_is_judged() {
    let root = tempfile::tempdir().unwrap();
    let mut told = Vec::new();
    let run = run_pack(&pack(root.path()), lab(&REPLIES), options(root.path(), false), CancellationToken::new(), |p| {
        told.push((p.done, p.total, p.right, p.left_out));
    })
    .await
    .unwrap();
    assert_eq!(
        told,
        [(1, 7, 1, 0), (2, 7, 1, 0), (3, 7, 1, 0), (4, 7, 1, 1), (5, 7, 1, 2), (6, 7, 1, 2), (7, 7, 1, 2)]
    );
    assert_eq!(run.left_out, [(LeftOut::GoldFails, 1), (LeftOut::GoldTrivial, 1)].into());
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
    let events = std::fs::read_to_string(root.path().join("out/events/no_such_column.jsonl")).unwrap();
    assert!(events.lines().count() > 2 && events.contains("runFinished"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_run_goes_on_where_it_ended() {
    let root = tempfile::tempdir().unwrap();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let pack = pack(root.path());
    let stopped = run_pack(&pack, lab(&REPLIES), options(root.path(), false), cancel, |p| {
        if p.done == 2 {
            stop.cancel();
        }
    })
    .await
    .unwrap_err();
    assert_eq!(stopped.code, ErrorCode::Cancelled);
    // Someone pulled the plug while a third line was written.
    let results = root.path().join("out/results.jsonl");
    let text = std::fs::read_to_string(&results).unwrap();
    std::fs::write(&results, text + "{\"id\":\"bro").unwrap();

    let again = run_pack(&pack, lab(&REPLIES), options(root.path(), false), CancellationToken::new(), |_| {}).await;
    assert!(again.unwrap_err().hint.unwrap().contains("--resume"));
    let mut asked = Vec::new();
    let run = run_pack(&pack, lab(&REPLIES[2..]), options(root.path(), true), CancellationToken::new(), |p| {
        asked.push(p.outcome.id.clone());
    })
    .await
    .unwrap();
    assert_eq!(asked, ["broken", "trivial", "bad gold", "silent", "no such column"]);
    assert_eq!(run.outcomes.iter().filter(|o| o.is_right(Rule::Spider)).count(), 1);
    let whole =
        run_pack(&pack, lab(&[]), options(root.path(), true), CancellationToken::new(), |_| panic!("all is done"));
    assert_eq!(whole.await.unwrap().outcomes, run.outcomes);
}

#[tokio::test(flavor = "multi_thread")]
async fn questions_worked_on_together_are_reported_in_the_packs_order() {
    let root = tempfile::tempdir().unwrap();
    let pack = pack(root.path());
    let options = EvalOptions { jobs: 4, ..options(root.path(), false) };
    let run = run_pack(&pack, lab(&["SELECT 1"; 4]), options, CancellationToken::new(), |_| {}).await.unwrap();
    let ids: Vec<&str> = run.outcomes.iter().map(|outcome| outcome.id.as_str()).collect();
    assert_eq!(ids, ["right", "wrong", "broken", "silent", "no such column"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_test_suite_tells_apart_what_one_database_does_not() {
    let root = tempfile::tempdir().unwrap();
    let mut pack = pack(root.path());
    let other = root.path().join("other.sqlite");
    let suite = rusqlite::Connection::open(&other).unwrap();
    suite
        .execute_batch("CREATE TABLE customer (id INTEGER, name TEXT); INSERT INTO customer VALUES (5, 'Cid');")
        .unwrap();
    pack.questions.truncate(1);
    pack.questions[0].test_databases = vec![other].into();
    let replies = ["SELECT name FROM customer WHERE id < 5"];
    let run =
        run_pack(&pack, lab(&replies), options(root.path(), false), CancellationToken::new(), |_| {}).await.unwrap();
    let outcome = &run.outcomes[0];
    assert_eq!((outcome.spider, outcome.bird, outcome.fault), (false, true, Some(Fault::WrongValues)));
}
