//! Invalid input is reported immediately, with its place and a hint.

use crate::support::Desk;
use vitrine_api::AskRequest;
use vitrine_domain::{AppError, ErrorCode, RunReport};
use vitrine_llm::Line;

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

async fn asked_of(desk: &Desk, warehouse: String) -> AppError {
    desk.app.confirm_warehouse(&warehouse).await;
    desk.app.ask(AskRequest { warehouse, ..desk.question("Anything?") }).await.unwrap_err()
}

#[tokio::test(flavor = "multi_thread")]
async fn files_that_are_no_databases_are_named() {
    let desk = desk().await;
    std::fs::write(desk.path("notes.db"), "just text, long enough to be looked at as a database page").unwrap();
    for (uri, named) in [
        (format!("sqlite:{}", desk.path("missing.db").display()), "missing.db"),
        (format!("sqlite:{}", desk.path("notes.db").display()), "notes.db"),
    ] {
        let error = asked_of(&desk, uri).await;
        assert_eq!(error.code, ErrorCode::Connection, "{error}");
        assert!(error.message.contains(named) && error.hint.is_some(), "{error}");
    }
    assert_eq!(asked_of(&desk, "mysql://host/db".to_owned()).await.code, ErrorCode::Usage);
    assert!(desk.app.runs(String::new(), 10, 0).await.unwrap().is_empty(), "what could not begin is no run");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_model_says_how_to_get_it() {
    let desk = desk().await;
    let mut request = desk.question("Anything?");
    request.settings.model = None;
    let error = desk.app.ask(request.clone()).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ModelMissing);
    assert!(error.hint.unwrap().contains("vitrine models pull qwen2.5-coder-1.5b"));
    request.settings.model = Some("gpt-9000".to_owned());
    let error = desk.app.ask(request).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::NotFound);
    assert!(error.message.contains("gpt-9000"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn senseless_settings_are_refused() {
    let desk = desk().await;
    let mut request = desk.question("Anything?");
    request.settings.candidates = 99;
    assert_eq!(desk.app.ask(request).await.unwrap_err().code, ErrorCode::Usage);
    let mut settings = desk.app.settings().await.unwrap();
    settings.memory_mb = 1;
    assert_eq!(desk.app.set_settings(settings).await.unwrap_err().code, ErrorCode::Usage);
}

#[tokio::test(flavor = "multi_thread")]
async fn methods_and_parameters_that_do_not_exist_are_refused_with_those_that_do() {
    let desk = desk().await;
    let mut request = desk.question("Anything?");
    request.settings.strategy = "guess".into();
    let error = desk.app.ask(request).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::Usage);
    assert!(error.message.starts_with("unknown strategy 'guess': use auto, av-sql"), "{error}");

    let kept = desk.app.settings().await.unwrap();
    for (method, key, value, wanted) in [
        ("guess", "luck", 1, "unknown key 'guess.luck': use av-sql.candidates"),
        ("reforce", "fix", 1, "unknown key 'reforce.fix': use av-sql.candidates"),
        ("reforce", "votes", 65, "reforce.votes cannot be 65: choose 1 to 64"),
    ] {
        let mut settings = kept.clone();
        settings.methods.insert(method, key, value.into());
        let error = desk.app.set_settings(settings.clone()).await.unwrap_err();
        assert!(error.message.starts_with(wanted), "{error}");
        let mut request = desk.question("Anything?");
        request.settings.methods = settings.methods;
        assert!(desk.app.ask(request).await.unwrap_err().message.starts_with(wanted));
    }
    assert_eq!(desk.app.settings().await.unwrap(), kept);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_method_is_described() {
    let desk = desk().await;
    let described: Vec<&str> = desk.app.methods().await.unwrap().iter().map(|info| info.name).collect();
    let known: Vec<&str> = vitrine_api::methods::METHODS.iter().map(|method| method.info.name).collect();
    assert_eq!(described, known);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_a_megabyte_and_an_empty_one_fail_with_a_whole_log() {
    let desk = desk().await;
    for question in ["why ".repeat(250_000), "  ".to_owned()] {
        let run_id = desk.ask(&question).await.unwrap();
        let report = RunReport::from_events(&desk.all(&run_id).await);
        assert_eq!(report.finished.unwrap().unwrap().code, ErrorCode::Usage);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_tables_is_said_to_be_empty() {
    let desk = desk().await;
    rusqlite::Connection::open(desk.path("empty.db")).unwrap().execute_batch("VACUUM").unwrap();
    let warehouse = format!("sqlite:{}", desk.path("empty.db").display());
    desk.app.confirm_warehouse(&warehouse).await;
    match desk.app.ask(AskRequest { warehouse, ..desk.question("Anything?") }).await {
        Err(error) => assert_eq!(error.code, ErrorCode::Connection),
        Ok(run_id) => {
            let report = RunReport::from_events(&desk.all(&run_id).await);
            assert_eq!(report.finished.unwrap().unwrap().code, ErrorCode::Connection);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_that_writes_never_reaches_the_database() {
    let desk = desk().await;
    let sql = "WITH gone AS (DELETE FROM orders RETURNING id) SELECT * FROM gone".to_owned();
    let refused = desk.app.open_result(desk.shop.clone(), sql.clone(), 10).await.unwrap_err();
    assert!(matches!(refused.code, ErrorCode::NotReadOnly | ErrorCode::Usage), "{refused}");
    assert!(desk.app.check_sql(sql.clone(), desk.shop.clone()).await.is_err());
    for sql in [sql, "EXPLAIN SELECT 1".to_owned(), "SELECT 1; DELETE FROM orders".to_owned()] {
        assert!(desk.app.query_plan(desk.shop.clone(), sql).await.is_err());
    }
    let plan = desk.app.query_plan(desk.shop.clone(), "SELECT total FROM orders;".to_owned()).await.unwrap();
    assert_eq!(plan.steps[0].label, "SCAN orders");
    desk.app.check_sql("SELECT total FROM orders".to_owned(), desk.shop.clone()).await.unwrap();
    let unknown = desk.app.check_sql("SELECT price FROM orders".to_owned(), desk.shop.clone()).await.unwrap_err();
    assert!(unknown.detail.unwrap().contains("price"));
}

#[tokio::test(flavor = "multi_thread")]
async fn sql_that_only_its_engine_reads_is_run_as_it_is_written() {
    let desk = desk().await;
    let sql = "SELECT total IS 1 /* what only SQLite reads */ FROM orders LIMIT 1;";
    desk.app.check_sql(sql.to_owned(), desk.shop.clone()).await.unwrap();
    desk.app.open_result(desk.shop.clone(), sql.to_owned(), 10).await.unwrap();
    let written = "WITH gone AS (SELECT 1 IS 1) DELETE FROM orders";
    let refused = desk.app.check_sql(written.to_owned(), desk.shop.clone()).await.unwrap_err();
    assert_eq!(refused.code, ErrorCode::NotReadOnly, "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn functions_of_a_companys_own_have_to_be_allowed() {
    let desk = desk().await;
    let check = async || desk.app.check_sql("SELECT margin(total) FROM orders".to_owned(), desk.shop.clone()).await;
    assert!(check().await.unwrap_err().message.contains("function margin is not available"));
    let names = desk.app.allow_functions(desk.shop.clone(), vec![" Margin".to_owned()]).await.unwrap();
    assert_eq!(
        (names.clone(), desk.app.allowed_functions(desk.shop.clone()).await.unwrap()),
        (names, vec!["margin".into()])
    );
    // Now the database has to report that there is none.
    let missing = check().await.unwrap_err();
    assert!(missing.detail.unwrap().contains("no such function: margin"));
    let never = desk.app.allow_functions(desk.shop.clone(), vec!["load_extension".to_owned()]).await.unwrap_err();
    assert!(never.message.contains("never allowed"), "{never}");
    desk.app.allow_functions(desk.shop.clone(), Vec::new()).await.unwrap();
    assert!(check().await.unwrap_err().message.contains("function margin is not available"));
}
