//! Everyday questions whose right queries look like mistakes. The model is always right, so every wrong answer is an
//! error of the program: each query must be returned as written.
//!
//! A question of `tests/everyday` has its right query (`sql`), the query that a rule or an easily influenced model
//! might produce (`spoilt`), and the rules that it tempts (`tempts`). If its query contains an unknown name
//! (`missing`), only the result of `means` may be answered; if it spells a name differently, `means` is the intended
//! query.

use crate::bench::{Known, Ran, Shop, in_order, run};
use crate::gold::{Answer, Declared, GoldServer, flat, serve, tokens};
use futures::{StreamExt, stream};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tokio_util::sync::CancellationToken;
use vitrine_agents::Ask;
use vitrine_agents::methods::METHODS;
use vitrine_domain::method_info::MethodGroup;
use vitrine_domain::{AskSettings, EventBody, RunStatus};
use vitrine_sql::ReadOnlySql;
use vitrine_sql_rules::UNUSED_PART;
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    id: String,
    language: String,
    question: String,
    /// Background knowledge for the question.
    knowledge: Option<String>,
    /// The right query for the question.
    sql: String,
    /// The wrong query that must not be answered.
    spoilt: String,
    /// Rules that this question might trigger by mistake.
    tempts: Vec<String>,
    /// A query with the expected result after names are repaired.
    means: Option<String>,
    /// A name in the right query that the database does not contain.
    missing: Option<String>,
    /// `text` if the rules would change the query but not its result.
    shows: Option<String>,
}

/// Methods that are also tested with a model declared as small.
const SMALL_AND_LARGE: [&str; 3] = ["auto", "av-sql", "reforce"];

/// A database script and its questions.
struct Pack {
    script: String,
    questions: Vec<Question>,
}

/// Returns the packs of an engine, by name.
fn packs(engine: &str) -> BTreeMap<String, Pack> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("everyday").join(engine);
    let read = |path: &Path| std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let files = std::fs::read_dir(&folder).expect("the folder of packs").map(|entry| entry.expect("a file").path());
    let pack = |path: PathBuf| {
        let questions = read(&path);
        let questions = serde_json::from_str(&questions).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        (name, Pack { script: read(&path.with_extension("sql")), questions })
    };
    files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).map(pack).collect()
}

/// The databases of an engine.
struct Databases {
    folder: tempfile::TempDir,
    postgres: Option<PostgresServer>,
    mysql: Option<MysqlServer>,
}

impl Databases {
    fn of(engine: &str) -> Self {
        let postgres = (engine == "postgres").then(PostgresServer::start);
        let mysql = (engine == "mysql").then(MysqlServer::start);
        Self { folder: tempfile::tempdir().expect("a temporary folder"), postgres, mysql }
    }

    async fn make(&self, engine: &str, name: &str, script: &str) -> Known {
        let path = self.folder.path().join(name);
        let uri = match engine {
            "sqlite" => {
                let connection = rusqlite::Connection::open(&path).expect("a database");
                connection.execute_batch(script).expect(name);
                format!("sqlite:{}", path.display())
            }
            "duckdb" => {
                let connection = duckdb::Connection::open(&path).expect("a database");
                connection.execute_batch(script).expect(name);
                format!("duckdb:{}", path.display())
            }
            "mysql" => {
                let server = self.mysql.as_ref().expect("a server");
                server.script("", &format!("CREATE DATABASE {name} CHARACTER SET utf8mb4"));
                server.script(name, script);
                server.address(name)
            }
            _ => {
                let server = self.postgres.as_ref().expect("a server");
                server.psql("postgres", &format!("CREATE DATABASE {name}"));
                server.psql(name, script);
                server.address(name)
            }
        };
        Known::of(&uri, &path.with_extension("values")).await
    }
}

/// A combination of method, server and model size.
#[derive(Clone, Copy)]
struct Way<'s> {
    method: &'static str,
    server: &'s GoldServer,
    large: bool,
}

impl Way<'_> {
    fn name(&self) -> String {
        format!("{} {}", self.method, if self.large { "large" } else { "small" })
    }
}

/// Returns the fault of the answer to a question, if any.
async fn fault(database: &Known, question: &Question, way: Way<'_>) -> Option<String> {
    let model = Declared::new(way.server, way.large);
    let settings = AskSettings { strategy: way.method.into(), ..AskSettings::default() };
    let ask = database.ask(&question.question, settings, model.clone());
    let ran = run(Ask { knowledge: question.knowledge.clone(), ..ask }, CancellationToken::new()).await;
    let wrong = if question.missing.is_some() {
        silent(database, question, &ran).await
    } else {
        changed(database, question, &ran, way.large).await
    };
    // The right query covers every part of its question.
    let missed = ran.report.findings.iter().find(|finding| finding.rule == UNUSED_PART && question.missing.is_none());
    let wrong = wrong.or(missed.map(|finding| format!("written: {}\n      doubted: {}", question.sql, finding.note)));
    let repairs = ran.pick(|body| match body {
        EventBody::SqlAttempted { repairs, .. } if !repairs.is_empty() => Some(repairs.join("; ")),
        _ => None,
    });
    let said: BTreeSet<String> = repairs.into_iter().chain(model.handed_back()).map(|text| short(&text)).collect();
    wrong.map(|wrong| format!("{wrong}{}", said.iter().map(|s| format!("\n      {s}")).collect::<String>()))
}

/// Returns a description if the query or its result changed.
///
/// A small model's query without rows may be replaced by one with rows, which is evidence. The change must be reported
/// with the original query.
async fn changed(database: &Known, question: &Question, ran: &Ran, large: bool) -> Option<String> {
    if ran.report.status() != RunStatus::Answered {
        return Some(format!("no answer: {:?}", ran.outcome.as_ref().err()));
    }
    let sql = ran.report.sql.as_deref().unwrap_or_default();
    let meant = question.means.as_deref().unwrap_or(&question.sql);
    let written = ran.report.written.as_deref().unwrap_or_default();
    let told = !ran.report.changes.is_empty() && tokens(written) == tokens(&question.sql);
    if !large && told && finds_nothing(&database.rows(&question.sql).await.unwrap_or_default()) {
        return None;
    }
    if question.means.is_none() && tokens(sql) != tokens(&question.sql) {
        return Some(format!("written: {}\n      came out: {}", question.sql, flat(sql)));
    }
    let (right, answered) = (database.rows(meant).await.expect("the right query runs"), rows(database, ran, meant));
    (right != answered).then(|| format!("another result by: {}\n      {answered:?}\n      {right:?}", flat(sql)))
}

/// Checks for no rows, only NULLs, or a count of 0.
fn finds_nothing(rows: &[Vec<Option<String>>]) -> bool {
    rows.iter().flatten().all(Option::is_none) || rows == [[Some("0".to_owned())]]
}

/// Returns a description if a query with an unknown name was answered by a different query.
async fn silent(database: &Known, question: &Question, ran: &Ran) -> Option<String> {
    if ran.report.status() != RunStatus::Answered {
        return None;
    }
    let sql = ran.report.sql.as_deref().map(flat).unwrap_or_default();
    if let Some(means) = &question.means
        && database.rows(means).await.expect("the right query runs") == rows(database, ran, means)
    {
        return None;
    }
    Some(format!("written: {}\n      answered by: {sql}", question.sql))
}

/// Returns the rows of an answer, in the order of the right query.
fn rows(database: &Known, ran: &Ran, right: &str) -> Vec<Vec<Option<String>>> {
    let ordered = ReadOnlySql::parse(right, database.catalog.dialect).is_ok_and(|sql| sql.is_ordered());
    in_order(ran.report.page.as_ref().expect("an answer has rows"), ordered)
}

fn short(text: &str) -> String {
    text.lines().next().unwrap_or_default().chars().take(160).collect()
}

/// Asks every question of an engine with all combinations, with replies in fenced blocks or without.
async fn right_queries_come_out(engine: &str, fenced: bool) {
    let databases = Databases::of(engine);
    let (mut faults, mut asked) = (BTreeMap::new(), 0);
    for (name, pack) in packs(engine) {
        let known = databases.make(engine, &name, &pack.script).await;
        let answers = |sways: bool| {
            pack.questions.clone().into_iter().map(move |q| Answer {
                question: q.question,
                sql: q.sql,
                doubted: (sways && q.missing.is_none() && q.means.is_none()).then_some(q.spoilt),
            })
        };
        // A large model accepts a reported doubt; a small one often repeats its query.
        let servers = [(true, serve(answers(true), fenced)), (false, serve(answers(false), fenced))];
        let mut tasks = Vec::new();
        for question in &pack.questions {
            for method in SMALL_AND_LARGE {
                tasks.extend(servers.iter().map(|(large, server)| (question, Way { method, server, large: *large })));
            }
            // The other methods add stages but no rules: testing one engine and one model is sufficient.
            if engine == "sqlite" && fenced {
                let (large, server) = &servers[0];
                // Baselines do not repair names.
                let others = METHODS.iter().map(|method| &method.info);
                let others = others.filter(|method| !SMALL_AND_LARGE.contains(&method.name));
                let others = others.filter(|method| question.means.is_none() || method.group != MethodGroup::Baseline);
                tasks.extend(others.map(|method| (question, Way { method: method.name, server, large: *large })));
            }
        }
        asked += tasks.len();
        let known = &known;
        let found: Vec<_> = stream::iter(tasks)
            .map(async |(question, way)| (question, way.name(), fault(known, question, way).await))
            .buffer_unordered(4)
            .collect()
            .await;
        for (question, way, fault) in found {
            if let Some(fault) = fault {
                let asked = format!("{} [{}] {}", question.id, question.tempts.join(", "), question.question);
                faults.entry((asked, fault)).or_insert_with(Vec::new).push(way);
            }
        }
    }
    assert!(asked > 0, "there are questions");
    let lines: Vec<String> = faults
        .iter()
        .map(|((asked, fault), ways)| format!("{asked}\n   by {}\n      {fault}", ways.join(", ")))
        .collect();
    let of: usize = faults.values().map(Vec::len).sum();
    assert!(lines.is_empty(), "{of} of {asked} answers are wrong:\n{}", lines.join("\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_sqlite() {
    right_queries_come_out("sqlite", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_sqlite_by_a_model_that_fences() {
    right_queries_come_out("sqlite", true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_duckdb() {
    right_queries_come_out("duckdb", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_duckdb_by_a_model_that_fences() {
    right_queries_come_out("duckdb", true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_postgres() {
    right_queries_come_out("postgres", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_postgres_by_a_model_that_fences() {
    right_queries_come_out("postgres", true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_mysql() {
    right_queries_come_out("mysql", false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn everyday_questions_over_mysql_by_a_model_that_fences() {
    right_queries_come_out("mysql", true).await;
}

/// Checks that the spoilt query gives a different result than the right one.
#[tokio::test(flavor = "multi_thread")]
async fn every_everyday_question_can_be_answered_wrongly() {
    let (mut tempted, mut languages): (BTreeMap<String, u32>, BTreeMap<String, u32>) = Default::default();
    for engine in ["sqlite", "duckdb", "postgres", "mysql"] {
        let databases = Databases::of(engine);
        for (name, pack) in packs(engine) {
            let known = databases.make(engine, &name, &pack.script).await;
            for question in &pack.questions {
                let id = &question.id;
                question.tempts.iter().for_each(|rule| *tempted.entry(rule.clone()).or_default() += 1);
                *languages.entry(question.language.clone()).or_default() += 1;
                let written = known.rows(&question.sql).await;
                assert_eq!(
                    written.is_err(),
                    question.missing.is_some() || question.means.is_some(),
                    "{id}: {written:?}"
                );
                let mut spoilt = known.rows(&question.spoilt).await.unwrap_or_else(|error| panic!("{id}: {error}"));
                if let Some(right) = question.means.as_ref().or(question.missing.is_none().then_some(&question.sql)) {
                    let mut right = known.rows(right).await.unwrap_or_else(|error| panic!("{id}: {error}"));
                    let only_text = question.shows.as_deref() == Some("text");
                    if only_text {
                        right.sort();
                        spoilt.sort();
                    }
                    assert_eq!(right == spoilt, only_text, "{id}: {right:?}");
                }
                let contains = |other: &&Question| other.question.contains(&question.question);
                assert_eq!(pack.questions.iter().filter(contains).count(), 1, "{id} is part of another question");
            }
        }
    }
    let seldom: Vec<_> = tempted.iter().filter(|(_, times)| **times < 2).map(|(rule, _)| rule).collect();
    assert!(seldom.is_empty(), "rules that are tempted less than twice: {seldom:?}");
    assert_eq!(languages.keys().collect::<Vec<_>>(), ["de", "en", "es", "fr", "zh"]);
}

/// Chinese has no space between a number and the words around it.
#[tokio::test(flavor = "multi_thread")]
async fn a_year_is_seen_with_a_chinese_letter_before_it_too() {
    for question in ["2023年2月有多少笔购买？", "在2023年2月有多少笔购买？"] {
        let forgetful = Answer {
            question: question.to_owned(),
            sql: "SELECT COUNT(*) FROM purchase".to_owned(),
            doubted: Some("SELECT COUNT(*) FROM purchase WHERE placed LIKE '2023-02%'".to_owned()),
        };
        let server = serve([forgetful], false);
        let model = Declared::new(&server, false);
        let shop = Shop::new();
        let ask = shop.ask(question, AskSettings::default(), model.clone()).await;
        let ran = run(ask, CancellationToken::new()).await;
        let findings = ran.pick(|body| match body {
            EventBody::ResultReady { findings, .. } => {
                Some(findings.iter().map(|f| f.note.clone()).collect::<String>())
            }
            _ => None,
        });
        let said = [findings, model.handed_back()].concat().join("\n");
        assert!(said.contains("2023"), "{question}: nobody says that the query leaves 2023 out: {said:?}");
    }
}
