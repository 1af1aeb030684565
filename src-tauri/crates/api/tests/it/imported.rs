//! A run of another user names that user's data: viewing the run opens no connection.

use crate::support::Desk;
use std::time::Duration;
use tokio::net::TcpListener;
use vitrine_api::{AskRequest, EvaluationRequest, ExportFile, ExportFormat, SavedDraft, SavedStatus, Settings};
use vitrine_domain::{ErrorCode, MethodName};
use vitrine_llm::Line;

const SQL: &str = "SELECT count(*) FROM orders";

/// Imports a run whose log names the given address.
pub(crate) async fn import(desk: &Desk, address: &str) -> String {
    let other = Desk::new(vec![SQL]).await;
    let run_id = other.ask("How many orders?").await.unwrap();
    other.all(&run_id).await;
    let file = desk.path("run.json").display().to_string();
    other.app.write_run(run_id.clone(), file.clone().into()).await.unwrap();
    let text = std::fs::read_to_string(&file).unwrap().replace(&other.shop, address);
    std::fs::write(&file, text).unwrap();
    assert_eq!(desk.app.import_run(file).await.unwrap(), run_id);
    assert_eq!(desk.app.run_report(run_id.clone()).await.unwrap().warehouse, address);
    run_id
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_connects_to_the_address_in_a_run_of_somebody_else_unasked() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let uri = format!("postgresql://ann@127.0.0.1:{}/shop", listener.local_addr().unwrap().port());
    let desk = Desk::new(Vec::<Line>::new()).await;
    let run_id = import(&desk, &uri).await;
    let (app, sql) = (&desk.app, SQL.to_owned());
    let draft = SavedDraft {
        id: None,
        title: "t".to_owned(),
        question: String::new(),
        sql: SQL.to_owned(),
        code: None,
        warehouse: uri.clone(),
        status: SavedStatus::Verified,
        run_id: Some(run_id),
        notes: String::new(),
    };
    app.save_question(draft).await.unwrap();
    app.warm(uri.clone()).await.unwrap();
    let csv = ExportFile {
        path: desk.path("out.csv"),
        format: ExportFormat::Csv,
        style: Settings::default().csv_style(),
        about: None,
    };
    let measured = EvaluationRequest {
        pack: None,
        warehouse: Some(uri.clone()),
        strategy: MethodName::from("direct"),
        model: Some("scripted".to_owned()),
        every: 1,
        limit: None,
    };
    let question = AskRequest { warehouse: uri.clone(), ..desk.question("How many?") };
    let refusals = [
        app.catalog(uri.clone()).await.err(),
        app.profile(uri.clone()).await.err(),
        app.whole_profile(&uri).await.err(),
        app.wait_until_prepared(&uri).await.err(),
        app.report_schema(uri.clone(), None).await.err(),
        app.search_values(&uri, "x".to_owned()).await.err(),
        app.open_result(uri.clone(), sql.clone(), 10).await.err(),
        app.query_page(uri.clone(), sql.clone(), 10, Default::default()).await.err(),
        app.check_sql(sql.clone(), uri.clone()).await.err(),
        app.format_sql(sql.clone(), uri.clone()).await.err(),
        app.write_result(&uri, &sql, csv, |_| {}, Default::default()).await.err(),
        app.start_evaluation(measured).await.err(),
        app.ask(question).await.err(),
    ];
    for refusal in refusals {
        let refusal = refusal.unwrap();
        assert!(refusal.code == ErrorCode::Unconfirmed && refusal.message.contains(&uri), "{refusal}");
    }
    let connects = tokio::time::timeout(Duration::from_millis(300), listener.accept());
    assert!(connects.await.is_err(), "nothing was sent there");
    assert!(app.warehouses().await.unwrap().iter().all(|known| known.uri != uri));

    // Opening it explicitly is permitted.
    let (app, address) = (desk.app.clone(), uri.clone());
    let opening = tokio::spawn(async move { app.open_warehouse(address).await });
    listener.accept().await.unwrap();
    opening.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_a_run_of_somebody_else_names_is_not_read_unasked() {
    let desk = Desk::new(Vec::<Line>::new()).await;
    let path = desk.path("mine.db");
    crate::support::make_shop(&path);
    for uri in [format!("sqlite:{}", path.display()), path.display().to_string()] {
        import(&desk, &uri).await;
        assert_eq!(desk.app.catalog(uri.clone()).await.unwrap_err().code, ErrorCode::Unconfirmed);
        desk.app.open_warehouse(uri.clone()).await.unwrap();
        assert_eq!(desk.app.catalog(uri.clone()).await.unwrap().tables, 2);
        desk.app.forget_warehouse(format!("sqlite:{}", path.display())).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_opened_before_is_opened_again_after_a_start() {
    let desk = Desk::new(vec![SQL]).await;
    let run_id = desk.ask("How many orders?").await.unwrap();
    desk.all(&run_id).await;
    desk.app.shutdown().await;
    let again = vitrine_api::App::open(crate::support::options(desk.folder.path(), Vec::new())).await.unwrap();
    assert_eq!(again.catalog(desk.shop.clone()).await.unwrap().tables, 2, "a question was asked of it");
    again.forget_warehouse(desk.shop.clone()).await.unwrap();
    assert_eq!(again.catalog(desk.shop.clone()).await.unwrap_err().code, ErrorCode::Unconfirmed);
}
