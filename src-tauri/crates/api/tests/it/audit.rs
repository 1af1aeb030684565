//! The audit log: queries that ran for a user, and refused ones.

use crate::support::Desk;
use std::time::Duration;
use vitrine_api::{AuditRow, AuditVerdict, QueryAuthor};
use vitrine_domain::{EventBody, TableName};

const WRITTEN: &str = "SELECT count(*) AS n FROM customers";

/// Returns the rows of the audit log, the latest first, once there are at least `many`.
async fn audited(desk: &Desk, search: &str, many: usize) -> Vec<AuditRow> {
    for _ in 0..500 {
        let rows = desk.app.audit(search.to_owned(), None, 100, 0).await.unwrap();
        if rows.len() >= many {
            return rows;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    desk.app.audit(search.to_owned(), None, 100, 0).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_questions_queries_are_kept_with_what_they_cost() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    desk.all(&run_id).await;
    let rows = desk.app.audit("how many customers ran".to_owned(), None, 10, 0).await.unwrap();
    let entry = &rows.iter().find(|row| row.entry.sql.contains("count(*)")).expect("the query").entry;
    assert_eq!((entry.verdict, entry.rows, entry.bytes), (AuditVerdict::Ran, Some(1), Some(1)), "the text is \"3\"");
    assert_eq!((entry.model.as_deref(), entry.run_id.as_ref()), (Some("scripted"), Some(&run_id)));
    assert!(entry.tokens.is_some_and(|tokens| tokens > 0));
    assert_eq!(entry.warehouse, desk.shop);
    assert!(desk.app.audit("suppliers".to_owned(), None, 10, 0).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_wrote_and_may_not_run_is_kept_as_refused() {
    let desk = Desk::new(vec!["DROP TABLE customers"; 8]).await;
    let run_id = desk.ask("Delete all customers").await.unwrap();
    desk.all(&run_id).await;
    let rows = desk.app.audit("refused".to_owned(), None, 10, 0).await.unwrap();
    let entry = &rows.first().expect("it was refused").entry;
    assert_eq!((entry.sql.as_str(), entry.question.as_deref()), ("DROP TABLE customers", Some("Delete all customers")));
    assert!(
        desk.app
            .audit(String::new(), None, 100, 0)
            .await
            .unwrap()
            .iter()
            .all(|row| row.entry.verdict != AuditVerdict::Ran)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editors_queries_are_kept_once_each_with_their_end() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let open = async |sql: &str| desk.app.open_result(desk.shop.clone(), sql.to_owned(), 10).await;
    open("SELECT * FROM orders").await.unwrap();
    open("DELETE FROM orders").await.unwrap_err();
    open("SELECT abs(-9223372036854775807 - 1) FROM orders").await.unwrap_err();
    let rows = audited(&desk, "", 3).await;
    let told: Vec<_> =
        rows.iter().rev().map(|row| (row.entry.verdict, row.entry.rows, row.entry.reason.is_some())).collect();
    assert_eq!(told[0], (AuditVerdict::Ran, Some(3), false));
    assert_eq!(told[1], (AuditVerdict::Refused, None, true));
    assert_eq!((told[2].0, told[2].2), (AuditVerdict::Failed, true));
    assert_eq!(told.len(), 3);
    assert!(rows.iter().all(|row| row.entry.author == Some(QueryAuthor::User)));
    assert!(rows.iter().all(|row| row.entry.question.is_none() && row.entry.model.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn each_query_has_its_author_and_is_found_by_it() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    desk.all(&run_id).await;
    let answer = desk.app.run_events(run_id.clone(), 0).await.unwrap().into_iter().find_map(|event| match event.body {
        EventBody::ResultReady { sql, .. } => Some(sql),
        _ => None,
    });
    let answer = answer.expect("it was answered");
    let by = async |author| desk.app.audit(String::new(), Some(author), 100, 0).await.unwrap();
    let before = by(QueryAuthor::Model).await;
    assert!(!before.is_empty() && before.iter().all(|row| row.entry.question.is_some()));
    assert!(by(QueryAuthor::User).await.is_empty());
    // The answer's rows are read again; a changed text belongs to the user.
    let changed = format!("{answer} LIMIT 1");
    for sql in [answer.clone(), changed.clone()] {
        desk.app.open_result(desk.shop.clone(), sql, 10).await.unwrap();
    }
    let customers = TableName::from_unqualified("customers");
    desk.app.sample_rows(desk.shop.clone(), customers).await.unwrap();
    desk.app
        .explain(desk.shop.clone(), "SELECT count(*) FROM orders GROUP BY customer_id".to_owned(), None)
        .await
        .unwrap();
    audited(&desk, "", before.len() + 4).await;
    let again = by(QueryAuthor::Model).await;
    assert_eq!(again.len(), before.len() + 1);
    let row = &again[0].entry;
    assert_eq!((row.sql.as_str(), row.run_id.as_ref()), (answer.as_str(), Some(&run_id)));
    assert_eq!(row.question.as_deref(), Some("How many customers are there?"));
    let own: Vec<String> = by(QueryAuthor::User).await.into_iter().map(|row| row.entry.sql).collect();
    assert_eq!(own, [changed]);
    let app = by(QueryAuthor::App).await;
    assert!(app.len() >= 2 && app.iter().any(|row| row.entry.sql.contains("customers")), "{app:?}");
    assert_eq!(desk.app.check_audit().await.unwrap().broken_at, None);
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_that_explain_another_one_are_kept_too() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let sql = "SELECT customer_id, sum(total) FROM orders GROUP BY customer_id";
    let told = desk.app.explain(desk.shop.clone(), sql.to_owned(), None).await.unwrap();
    assert!(!told.steps.is_empty(), "{told:?}");
    let explained = audited(&desk, "", 1).await;
    assert!(explained.iter().all(|row| row.entry.verdict == AuditVerdict::Ran && row.entry.rows.is_some()));
    let row =
        desk.app.query_page(desk.shop.clone(), sql.to_owned(), 1, Default::default()).await.unwrap().rows.remove(0);
    let behind = desk.app.rows_behind(desk.shop.clone(), sql.to_owned(), row, None).await.unwrap();
    assert!(!behind.is_empty());
    assert!(audited(&desk, "", explained.len() + 2).await.len() > explained.len() + 1, "the rows behind are queries");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_whole_of_it_is_exported_and_verified_and_outlives_its_runs() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let run_id = desk.ask("=1+1 customers?").await.unwrap();
    desk.all(&run_id).await;
    desk.app.delete_run(run_id).await.unwrap();
    let rows = desk.app.audit(String::new(), None, 100, 0).await.unwrap();
    assert!(!rows.is_empty(), "the run is gone, and what it did is not");
    let check = desk.app.check_audit().await.unwrap();
    assert_eq!((check.rows, check.broken_at), (rows.len() as u64, None));

    let (csv, lines) = (desk.path("audit.csv"), desk.path("audit.jsonl"));
    assert_eq!(desk.app.write_audit(csv.clone()).await.unwrap() as usize, rows.len());
    desk.app.write_audit(lines.clone()).await.unwrap();
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(
        csv.lines().next().is_some_and(|head| head.ends_with(",receiver,author")) && csv.contains(",model\n"),
        "{csv}"
    );
    assert!(csv.starts_with("number,at,warehouse,question,sql,") && csv.contains(",'=1+1 customers?,"), "{csv}");
    let lines = std::fs::read_to_string(lines).unwrap();
    let first: AuditRow = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first, rows[rows.len() - 1]);
    // A file that the user did not choose in a dialog is not written.
    let named = desk.path("named.csv");
    desk.app.export_audit(named.display().to_string()).await.unwrap_err();
    assert!(!named.exists());
}
