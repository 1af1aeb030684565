use super::*;
use crate::metrics::candidates::{JudgedQuery, QueryOrigin};
use crate::metrics::error_class::ErrorClass;
use crate::metrics::{GoldResult, Rule, Verdict};
use crate::pack::{GoldTerms, Question};
use std::collections::BTreeSet;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{
    Agent, EventBody, GenerationAction, GenerationPath, NodeId, PromptMessage, RuleCode, RuleNote, RunEvent,
    SchemaSelection, Usage,
};

async fn open_shop(folder: &std::path::Path) -> PreparedDatabase {
    let path = folder.join("shop.sqlite");
    let shop = rusqlite::Connection::open(&path).unwrap();
    shop.execute_batch(
        "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
         CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer, total REAL);
         INSERT INTO customer VALUES (1, 'Ann', 'Bern'), (2, 'Ben', 'Rome'), (3, 'Cid', 'Rome');
         INSERT INTO orders VALUES (1, 1, 3.5), (2, 1, 7), (3, 2, 1);",
    )
    .unwrap();
    let warehouse = vitrine_warehouse::open_warehouse(&vitrine_warehouse::sqlite_address(&path)).await.unwrap();
    let catalog = std::sync::Arc::new(warehouse.load_catalog().await.unwrap());
    PreparedDatabase {
        warehouse,
        catalog,
        standing: Vec::new(),
        metrics: None,
        allowed: Default::default(),
        profile: Default::default(),
        values: None,
        embedder: None,
        budgeted: None,
    }
}

fn ask(gold: &str) -> Question {
    Question { id: "q".into(), gold_sql: vec![gold.to_owned()], judged: true, ..Question::default() }
}

async fn judge_answer(database: &PreparedDatabase, question: &Question, sql: &str, ran: bool) -> Judgement {
    let golds = load_golds(question, database).await.unwrap();
    let selection = SchemaSelection::default();
    let prediction = Prediction { sql: Some(sql), ran, rows: None, fetched: None, selection: &selection };
    judge_prediction(question, database, &golds, prediction, Rule::Spider).await
}

#[tokio::test]
async fn errors_are_told_by_the_parts_that_differ_from_the_gold_query() {
    use ErrorClass::{Aggregation, Filter, Join, Other, Schema, Syntax};
    let folder = tempfile::tempdir().unwrap();
    let shop = open_shop(folder.path()).await;
    let gold = "SELECT c.name, SUM(o.total) FROM customer c JOIN orders o ON o.customer_id = c.id WHERE c.town = 'Bern' GROUP BY c.name";
    let cases: [(&str, bool, &[ErrorClass]); 9] = [
        (gold, true, &[]),
        (
            "SELECT name, SUM(total) FROM orders JOIN customer ON customer.id = customer_id WHERE town = 'Rome' GROUP BY 1",
            true,
            &[Filter],
        ),
        (
            "SELECT name, AVG(total) FROM orders JOIN customer ON customer.id = customer_id WHERE 'Bern' = town GROUP BY name",
            true,
            &[Aggregation],
        ),
        (
            "SELECT name, SUM(total) FROM orders o JOIN customer c ON c.id = o.id WHERE town = 'Bern' GROUP BY name",
            true,
            &[Join],
        ),
        (
            "SELECT town, SUM(total) FROM orders o JOIN customer c ON c.id = customer_id WHERE town = 'Bern' GROUP BY name",
            true,
            &[Schema],
        ),
        (
            "SELECT name, SUM(total) FROM orders o JOIN customer c ON c.id = customer_id WHERE town = 'Bern' GROUP BY name LIMIT 0",
            true,
            &[Other],
        ),
        ("SELECT name, SUM(total) FROM customer, orders GROUP BY name", true, &[Filter, Schema, Join]),
        ("SELECT name, SUM(price) FROM orders o JOIN customer c ON c.id = customer_id GROUP BY name", false, &[Schema]),
        ("SELECT name FROM", false, &[Syntax]),
    ];
    for (sql, ran, expected) in cases {
        let judgement = judge_answer(&shop, &ask(gold), sql, ran).await;
        assert_eq!(judgement.verdict.spider, expected.is_empty(), "{sql}");
        assert_eq!(judgement.errors, expected.iter().copied().collect::<BTreeSet<_>>(), "{sql}");
    }
    // Of several gold queries, the one that differs the least is meant.
    let two =
        Question { gold_sql: vec![gold.to_owned(), "SELECT name FROM customer WHERE id = 1".into()], ..ask(gold) };
    let judgement = judge_answer(&shop, &two, "SELECT name FROM customer WHERE id = 2", true).await;
    assert_eq!(judgement.errors, [Filter].into());
}

#[tokio::test]
async fn an_answer_to_a_gold_result_without_sql_has_no_class_of_error() {
    let folder = tempfile::tempdir().unwrap();
    let shop = open_shop(folder.path()).await;
    let page = fetch("SELECT name FROM customer", &shop).await;
    let tables = vec![GoldResult { page, ordered: false, required: Vec::new() }];
    let question = Question { gold_sql: Vec::new(), gold_tables: tables, ..ask("") };
    let wrong = judge_answer(&shop, &question, "SELECT town FROM customer", true).await;
    assert_eq!((wrong.verdict.spider2, wrong.errors.len()), (false, 0));
    let attempts =
        vec![attempt(1, "SELECT town FROM customer", None), attempt(2, "SELECT name, id FROM customer", None)];
    let judged = judge_all(&shop, &question, attempts, None, &CancellationToken::new()).await;
    let verdicts: Vec<_> = judged.iter().map(|query| query.verdict.unwrap().spider2).collect();
    assert_eq!(verdicts, [false, true]);
}

#[tokio::test]
async fn the_packs_terms_decide_what_of_a_gold_query_counts_and_what_it_replaces() {
    let folder = tempfile::tempdir().unwrap();
    let shop = open_shop(folder.path()).await;
    let gold = "SELECT id, name FROM customer ORDER BY id";
    let terms = |required: &[usize], ordered: bool| {
        let terms = GoldTerms { required: required.to_vec(), ordered, replaces_tables: true };
        let page = vitrine_domain::Page { row_count: 0, ..Default::default() };
        let outdated = GoldResult { page, ordered, required: Vec::new() };
        Question { gold_terms: Some(terms), gold_tables: vec![outdated], ..ask(gold) }
    };
    let (names, backwards) = ("SELECT name FROM customer ORDER BY 1", "SELECT name FROM customer ORDER BY 1 DESC");
    for (question, sql, right) in [
        (terms(&[1], false), backwards, true),
        (terms(&[1], true), backwards, false),
        (terms(&[1], true), names, true),
        (terms(&[], true), names, false),
        // The terms were written for a result with more columns.
        (terms(&[7], true), names, false),
        (terms(&[7], true), gold, true),
    ] {
        let judgement = judge_answer(&shop, &question, sql, true).await;
        assert_eq!(judgement.verdict.spider2, right, "{:?} {sql}", question.gold_terms);
    }
    // Stored results remain the gold if the query does not run.
    let page = fetch("SELECT name FROM customer", &shop).await;
    let stored = GoldResult { page, ordered: false, required: Vec::new() };
    let question = Question {
        gold_sql: vec!["DECLARE x INT64; SELECT x".to_owned()],
        gold_tables: vec![stored],
        ..terms(&[], false)
    };
    assert!(judge_answer(&shop, &question, names, true).await.verdict.spider2);
}

async fn fetch(sql: &str, database: &PreparedDatabase) -> vitrine_domain::Page {
    let query = database.prove_read_only(sql).unwrap();
    gold::fetch_rows(database.warehouse.as_ref(), &query).await.unwrap()
}

fn attempt(candidate: u32, sql: &str, error: Option<&str>) -> attempts::Attempt {
    let query = JudgedQuery { candidate, error: error.map(str::to_owned), ..JudgedQuery::default() };
    attempts::Attempt { query, sql: sql.to_owned() }
}

async fn judge_all(
    database: &PreparedDatabase,
    question: &Question,
    attempts: Vec<attempts::Attempt>,
    answer: Option<(&str, Verdict)>,
    cancel: &CancellationToken,
) -> Vec<JudgedQuery> {
    let golds = load_golds(question, database).await.unwrap();
    let case = JudgedQuestion { question, database, golds: &golds };
    judge_attempts(case, attempts, answer, Duration::from_secs(60), cancel).await
}

#[tokio::test]
async fn each_query_is_judged_like_the_answer_and_what_failed_keeps_its_error() {
    let folder = tempfile::tempdir().unwrap();
    let shop = open_shop(folder.path()).await;
    let question = ask("SELECT name FROM customer ORDER BY name");
    let all = || {
        vec![
            attempt(1, "SELECT name FROM customer ORDER BY name DESC", None),
            attempt(2, "SELECT city FROM customer", Some("no such column: city")),
            attempt(3, "SELECT  name FROM customer ORDER BY name;", None),
            attempt(4, "SELECT nothing FROM nowhere", None),
            attempt(5, "SELECT id FROM customer", None),
        ]
    };
    // A verdict that execution would not give shows that the answer's query is not executed again.
    let answer = Some(("SELECT\n  id\nFROM\n  customer", Verdict { spider: true, bird: false, spider2: false }));
    let judged = judge_all(&shop, &question, all(), answer, &CancellationToken::new()).await;
    let verdicts: Vec<_> =
        judged.iter().map(|query| query.verdict.map(|verdict| (verdict.spider, verdict.bird))).collect();
    let expected = [(false, true), (false, false), (true, true), (false, false), (true, false)];
    assert_eq!(verdicts, expected.map(Some));
    let errors: Vec<_> = judged.iter().map(|query| query.error.as_deref()).collect();
    assert_eq!((errors[0], errors[1], errors[2]), (None, Some("no such column: city"), None));
    assert!(errors[3].is_some_and(|error| error.contains("judged")), "{errors:?}");

    let cancelled = CancellationToken::new();
    cancelled.cancel();
    let judged = judge_all(&shop, &question, all(), answer, &cancelled).await;
    let known: Vec<_> = judged.iter().map(|query| query.verdict.is_some()).collect();
    assert_eq!(known, [false, true, false, false, true], "beyond the limits nothing is executed and nothing is wrong");
}

#[tokio::test]
async fn the_number_of_executed_queries_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let shop = open_shop(folder.path()).await;
    let question = ask("SELECT name FROM customer");
    let many = (0..70).map(|n| attempt(n, &format!("SELECT name FROM customer WHERE id < {}", n % 66), None)).collect();
    let judged = judge_all(&shop, &question, many, None, &CancellationToken::new()).await;
    let without: Vec<_> = judged.iter().filter(|query| query.verdict.is_none()).map(|query| query.candidate).collect();
    assert_eq!(without, [64, 65], "the last four repeat the first");
}

fn to_events(bodies: Vec<EventBody>) -> Vec<RunEvent> {
    let event = |(index, body)| RunEvent { run_id: "r".into(), seq: index as u32 + 1, at_ms: 0, body };
    bodies.into_iter().enumerate().map(event).collect()
}

fn call(number: u32, prompt: &str, replies: &[&str]) -> [EventBody; 2] {
    let node = NodeId::from("generator".to_owned());
    let message = PromptMessage { role: "user".into(), content: prompt.to_owned() };
    [
        EventBody::ModelCallStarted {
            node: node.clone(),
            call: number,
            agent: Agent::Generator,
            model: Default::default(),
            messages: vec![message],
            samples: replies.len() as u32,
            temperature: 0.0,
            seed: 1,
        },
        EventBody::ModelCallFinished {
            node,
            call: number,
            agent: Agent::Generator,
            replies: replies.iter().map(|reply| (*reply).to_owned()).collect(),
            probabilities: Vec::new(),
            usage: Usage::default(),
            error: None,
        },
    ]
}

fn attempted(candidate: u32, attempt: u32, sql: &str, error: Option<&str>) -> EventBody {
    EventBody::SqlAttempted {
        node: NodeId::from("generator".to_owned()),
        candidate,
        attempt,
        sql: sql.to_owned(),
        repairs: Vec::new(),
        error: error.map(str::to_owned),
        row_count: error.is_none().then_some(1),
        digest: None,
    }
}

#[test]
fn each_candidate_belongs_to_the_prompt_whose_reply_contains_it() {
    let changed = EventBody::QueryChanged {
        node: NodeId::from("generator".to_owned()),
        before: "SELECT nam FROM customer".into(),
        after: "SELECT name FROM customer".into(),
        changes: Vec::<RuleNote>::new(),
    };
    let variant = EventBody::VariantTried {
        node: NodeId::from("generator".to_owned()),
        candidate: 2,
        rule: RuleCode::new("V001"),
        note: String::new(),
        sql: "SELECT DISTINCT name FROM customer".into(),
        error: None,
        row_count: Some(1),
        same_result: false,
    };
    let mut bodies = Vec::new();
    bodies.extend(call(1, "direct", &["```sql\nSELECT 1\n```"]));
    bodies.extend(call(2, "with a plan", &["SELECT nam\nFROM customer"]));
    bodies.extend([
        attempted(1, 0, "SELECT 1", None),
        changed,
        attempted(2, 0, "SELECT name FROM customer", None),
        variant,
    ]);
    // The same query twice: each reply counts for one candidate.
    bodies.extend(call(3, "direct", &["SELECT 1", "SELECT x"]));
    bodies.extend([attempted(3, 0, "SELECT 1", None), attempted(4, 0, "SELECT x", Some("no such column: x"))]);
    bodies.extend(call(4, "no such column: x", &["SELECT id FROM customer"]));
    bodies.push(attempted(5, 1, "SELECT id FROM customer", None));
    let found = collect_attempts(&to_events(bodies));
    let prompts: Vec<_> = found.iter().map(|a| (a.query.candidate, a.query.origin, a.query.prompt)).collect();
    use QueryOrigin::{Variant, Written};
    assert_eq!(
        prompts,
        [
            (1, Written, Some(1)),
            (2, Written, Some(2)),
            (2, Variant, None),
            (3, Written, Some(1)),
            (4, Written, Some(1)),
            (5, Written, None)
        ]
    );
    assert_eq!(found[4].query.error.as_deref(), Some("no such column: x"));
}

#[test]
fn a_path_is_named_after_its_most_demanding_step() {
    use GenerationAction::{Explore, Extend, Finalize, Revise};
    let path = |actions: &[GenerationAction]| {
        let state = |action: &GenerationAction| EventBody::StateReached {
            node: NodeId::from("step-1".to_owned()),
            step: 1,
            action: *action,
            path: None,
            aim: String::new(),
            sql: String::new(),
            fixes: 0,
            error: None,
            page: None,
        };
        find_generation_path(&to_events(actions.iter().map(state).collect()))
    };
    assert_eq!(path(&[]), None);
    assert_eq!(path(&[Extend, Extend, Finalize]), Some(GenerationPath::Straightforward));
    assert_eq!(path(&[Extend, Revise, Finalize]), Some(GenerationPath::Refinement));
    assert_eq!(path(&[Extend, Explore, Revise, Finalize]), Some(GenerationPath::Exploratory));
}

#[test]
fn only_the_last_state_of_a_generation_is_a_candidate() {
    let step = |number: u32, action: GenerationAction, sql: &str| {
        let node = NodeId::from(format!("step-{number}"));
        let EventBody::SqlAttempted { candidate, attempt, repairs, error, row_count, digest, .. } =
            attempted(number, 0, sql, None)
        else {
            unreachable!("an attempt")
        };
        let tried = EventBody::SqlAttempted {
            node: node.clone(),
            candidate,
            attempt,
            sql: sql.to_owned(),
            repairs,
            error,
            row_count,
            digest,
        };
        let reached = EventBody::StateReached {
            node,
            step: number,
            action,
            path: None,
            aim: String::new(),
            sql: sql.to_owned(),
            fixes: 0,
            error: None,
            page: None,
        };
        [tried, reached]
    };
    let mut bodies = Vec::new();
    bodies.extend(step(1, GenerationAction::Extend, "SELECT name, rank FROM customer"));
    bodies.extend(step(2, GenerationAction::Explore, "SELECT COUNT(*) FROM customer"));
    bodies.extend(step(3, GenerationAction::Finalize, "SELECT name FROM customer"));
    let queries: Vec<String> = collect_attempts(&to_events(bodies)).into_iter().map(|attempt| attempt.sql).collect();
    assert_eq!(queries, ["SELECT name FROM customer"]);
}
