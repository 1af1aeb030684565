//! The audit log: what ran for a user, and what was refused.

use crate::support::Desk;
use std::time::Duration;
use vitrine_api::{AuditRow, AuditVerdict};

const WRITTEN: &str = "SELECT count(*) AS n FROM customers";

/// The rows of the audit, the latest first, once there are as many.
async fn audited(desk: &Desk, search: &str, many: usize) -> Vec<AuditRow> {
    for _ in 0..500 {
        let rows = desk.app.audit(search.to_owned(), 100, 0).await.unwrap();
        if rows.len() >= many {
            return rows;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    desk.app.audit(search.to_owned(), 100, 0).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_questions_queries_are_kept_with_what_they_cost() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    desk.all(&run_id).await;
    let rows = desk.app.audit("how many customers ran".to_owned(), 10, 0).await.unwrap();
    let entry = &rows.iter().find(|row| row.entry.sql.contains("count(*)")).expect("the query").entry;
    assert_eq!((entry.verdict, entry.rows, entry.bytes), (AuditVerdict::Ran, Some(1), Some(1)), "the text is \"3\"");
    assert_eq!((entry.model.as_deref(), entry.run_id.as_ref()), (Some("scripted"), Some(&run_id)));
    assert!(entry.tokens.is_some_and(|tokens| tokens > 0));
    assert_eq!(entry.warehouse, desk.shop);
    assert!(desk.app.audit("suppliers".to_owned(), 10, 0).await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_model_wrote_and_may_not_run_is_kept_as_refused() {
    let desk = Desk::new(vec!["DROP TABLE customers"; 8]).await;
    let run_id = desk.ask("Delete all customers").await.unwrap();
    desk.all(&run_id).await;
    let rows = desk.app.audit("refused".to_owned(), 10, 0).await.unwrap();
    let entry = &rows.first().expect("it was refused").entry;
    assert_eq!((entry.sql.as_str(), entry.question.as_deref()), ("DROP TABLE customers", Some("Delete all customers")));
    assert!(
        desk.app.audit(String::new(), 100, 0).await.unwrap().iter().all(|row| row.entry.verdict != AuditVerdict::Ran)
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
    assert!(rows.iter().all(|row| row.entry.question.is_none() && row.entry.model.is_none()));
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_that_explain_another_one_are_kept_too() {
    let desk = Desk::new(vec![WRITTEN]).await;
    let sql = "SELECT customer_id, sum(total) FROM orders GROUP BY customer_id";
    let told = desk.app.explain(desk.shop.clone(), sql.to_owned(), None).await.unwrap();
    assert!(!told.steps.is_empty(), "{told:?}");
    let explained = audited(&desk, "", 1).await;
    assert!(explained.iter().all(|row| row.entry.verdict == AuditVerdict::Ran && row.entry.rows.is_some()));
    let row = desk.app.query(desk.shop.clone(), sql.to_owned(), 1, Default::default()).await.unwrap().rows.remove(0);
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
    let rows = desk.app.audit(String::new(), 100, 0).await.unwrap();
    assert!(!rows.is_empty(), "the run is gone, and what it did is not");
    let check = desk.app.check_audit().await.unwrap();
    assert_eq!((check.rows, check.broken_at), (rows.len() as u64, None));

    let (csv, lines) = (desk.path("audit.csv"), desk.path("audit.jsonl"));
    assert_eq!(desk.app.write_audit(csv.clone()).await.unwrap() as usize, rows.len());
    desk.app.write_audit(lines.clone()).await.unwrap();
    let csv = std::fs::read_to_string(csv).unwrap();
    assert!(csv.starts_with("number,at,warehouse,question,sql,") && csv.contains(",'=1+1 customers?,"), "{csv}");
    let lines = std::fs::read_to_string(lines).unwrap();
    let first: AuditRow = serde_json::from_str(lines.lines().next().unwrap()).unwrap();
    assert_eq!(first, rows[rows.len() - 1]);
    // A file that nobody chose in a dialog is not written.
    let named = desk.path("named.csv");
    desk.app.export_audit(named.display().to_string()).await.unwrap_err();
    assert!(!named.exists());
}
