//! Connections that run only approved SQL, each text separately.

use crate::connected::keep;
use crate::support::Desk;
use futures::StreamExt;
use vitrine_api::{AuditVerdict, ConnectionDraft, ExportFile, ExportFormat, Settings};
use vitrine_domain::{ErrorCode, EventBody, RunReport};

const WRITTEN: &str = "select count(*) as n from customers";

/// Opens a desk whose shop requires approval of SQL, or does not.
async fn desk(require_approval: bool) -> Desk {
    let desk = Desk::new(vec![WRITTEN; 8]).await;
    require(&desk, require_approval).await;
    desk
}

async fn require(desk: &Desk, require_approval: bool) {
    let change = |draft: &mut ConnectionDraft| draft.settings.require_approval = require_approval;
    keep(&desk.app, &desk.shop, change).await.unwrap();
}

fn csv(desk: &Desk) -> ExportFile {
    ExportFile {
        path: desk.path("rows.csv"),
        format: ExportFormat::Csv,
        style: Settings::default().csv_style(),
        about: None,
    }
}

async fn audited(desk: &Desk, verdict: AuditVerdict) -> Vec<vitrine_api::AuditRow> {
    let mut rows = desk.app.audit(String::new(), None, 100, 0).await.unwrap();
    rows.retain(|row| row.entry.verdict == verdict);
    rows
}

/// Asks a question and decides each shown query with `approves`; returns these queries and the report.
async fn asked(desk: &Desk, approves: bool) -> (Vec<String>, RunReport) {
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    let (mut report, mut shown) = (RunReport::default(), Vec::new());
    let mut events = Box::pin(desk.app.stream_run_events(run_id.clone()));
    while let Some(event) = events.next().await {
        let event = event.unwrap();
        report.apply_event(&event);
        if let EventBody::ApprovalAsked { sql, sql_sha256, .. } = event.body {
            // No query has run so far.
            assert!(audited(desk, AuditVerdict::Ran).await.is_empty());
            let other = desk.app.decide_query(run_id.clone(), "0".repeat(64), true).await.unwrap_err();
            assert_eq!(other.code, ErrorCode::NotFound, "another text is not approved by this");
            desk.app.decide_query(run_id.clone(), sql_sha256, approves).await.unwrap();
            shown.push(sql);
        }
    }
    (shown, report)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_waits_until_its_query_is_approved_and_then_answers() {
    let desk = desk(true).await;
    desk.app.shows_approvals();
    let (shown, report) = asked(&desk, true).await;
    assert_eq!(shown.len(), 1, "{shown:?}");
    assert_eq!(report.page.as_ref().unwrap().rows, [[Some("3".to_owned())]]);
    let (approved, ran) = (audited(&desk, AuditVerdict::Approved).await, audited(&desk, AuditVerdict::Ran).await);
    assert_eq!((approved.len(), ran.len()), (1, 1));
    assert!(approved[0].number < ran[0].number);
    assert_eq!(approved[0].entry.sql_sha256, ran[0].entry.sql_sha256);
    assert_eq!(ran[0].entry.sql, shown[0], "what ran is what was shown");
    assert!(approved[0].entry.decided_by.as_ref().is_some_and(|user| !user.is_empty()));
    assert_eq!(approved[0].entry.question.as_deref(), Some("How many customers are there?"));
    // The same query needs no second approval: not for another question, and not for opening or exporting its rows.
    let again = asked_again(&desk).await;
    assert!(again.is_empty(), "{again:?}");
    let sql = report.sql.unwrap();
    desk.app.open_result(desk.shop.clone(), sql.clone(), 10).await.unwrap();
    let file = csv(&desk);
    desk.app.write_result(&desk.shop, &sql, file, |_| {}, Default::default()).await.unwrap();
    assert_eq!(desk.app.check_audit().await.unwrap().broken_at, None);
}

async fn asked_again(desk: &Desk) -> Vec<String> {
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    let events = desk.all(&run_id).await;
    let asked = events.into_iter().filter_map(|event| match event.body {
        EventBody::ApprovalAsked { sql, .. } => Some(sql),
        _ => None,
    });
    asked.collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_is_refused_ends_the_question_and_never_runs() {
    let desk = desk(true).await;
    desk.app.shows_approvals();
    let (shown, report) = asked(&desk, false).await;
    assert_eq!(shown.len(), 1, "no other query is tried: {shown:?}");
    let error = report.finished.unwrap().unwrap();
    assert_eq!(error.code, ErrorCode::NotApproved);
    assert!(audited(&desk, AuditVerdict::Ran).await.is_empty());
    let refused = audited(&desk, AuditVerdict::Refused).await;
    assert!(refused.len() == 1 && refused[0].entry.decided_by.is_some(), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_can_be_asked_the_question_ends_with_the_text_and_its_hash() {
    let desk = desk(true).await;
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    let report = RunReport::from_events(&desk.all(&run_id).await);
    let error = report.finished.unwrap().unwrap();
    assert_eq!(error.code, ErrorCode::NotApproved);
    let refused = audited(&desk, AuditVerdict::Refused).await;
    assert_eq!(refused.len(), 1);
    let entry = &refused[0].entry;
    let detail = error.detail.unwrap();
    assert!(detail.contains(&entry.sql) && detail.contains(&entry.sql_sha256), "{detail}");
    assert!(entry.decided_by.is_none() && audited(&desk, AuditVerdict::Ran).await.is_empty());
    // After its text is approved, the same question is answered.
    desk.app.approve_sql(desk.shop.clone(), entry.sql.clone(), entry.sql_sha256.clone()).await.unwrap();
    let run_id = desk.ask("How many customers are there?").await.unwrap();
    assert!(RunReport::from_events(&desk.all(&run_id).await).page.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn the_editor_exports_and_explanations_run_nothing_else() {
    let desk = desk(true).await;
    let sql = "SELECT name FROM customers ORDER BY name";
    let open = async |sql: &str| desk.app.open_result(desk.shop.clone(), sql.to_owned(), 10).await;
    assert_eq!(open(sql).await.unwrap_err().code, ErrorCode::NotApproved);
    let file = csv(&desk);
    let failed = desk.app.write_result(&desk.shop, sql, file, |_| {}, Default::default()).await.unwrap_err();
    assert_eq!(failed.code, ErrorCode::NotApproved);
    assert!(!desk.path("rows.csv").exists());
    assert_eq!(audited(&desk, AuditVerdict::Refused).await.len(), 2);

    let shown = desk.app.approval(desk.shop.clone(), sql.into()).await.unwrap();
    assert!(shown.required && !shown.approved && shown.sql == sql);
    let wrong = desk.app.approve_sql(desk.shop.clone(), format!("{sql} DESC"), shown.sql_sha256.clone()).await;
    assert_eq!(wrong.unwrap_err().code, ErrorCode::NotApproved, "the hash is of another text");
    desk.app.approve_sql(desk.shop.clone(), sql.into(), shown.sql_sha256.clone()).await.unwrap();
    open(sql).await.unwrap();
    // A text with any difference is a different text.
    for other in ["SELECT name FROM customers ORDER BY name DESC", "SELECT name  FROM customers ORDER BY name"] {
        assert_eq!(open(other).await.unwrap_err().code, ErrorCode::NotApproved, "{other}");
    }
    // A query that is derived from an approved one is not approved.
    let row = vec![Some("Ada".to_owned())];
    desk.app.rows_behind(desk.shop.clone(), sql.into(), row, None).await.unwrap_err();
    let told = desk.app.explain(desk.shop.clone(), sql.into(), None).await.unwrap();
    assert!(told.steps.iter().all(|step| step.rows.is_none()), "{told:?}");

    assert_eq!(desk.app.approvals("shop".into()).await.unwrap().len(), 1);
    desk.app.revoke_approval("Shop".into(), shown.sql_sha256[..10].to_owned()).await.unwrap();
    assert_eq!(open(sql).await.unwrap_err().code, ErrorCode::NotApproved);
}

#[tokio::test(flavor = "multi_thread")]
async fn it_holds_from_when_it_is_set_and_other_connections_are_as_before() {
    let desk = desk(false).await;
    let open = async |sql: &str| desk.app.open_result(desk.shop.clone(), sql.to_owned(), 10).await;
    open("SELECT 1").await.unwrap();
    let safety = async || desk.app.safety(desk.shop.clone()).await.unwrap().len();
    let layers = safety().await;
    require(&desk, true).await;
    assert_eq!(open("SELECT 1").await.unwrap_err().code, ErrorCode::NotApproved);
    assert_eq!(safety().await, layers + 1);
    // Reading names and types and preparing a query need no approval.
    desk.app.catalog(desk.shop.clone()).await.unwrap();
    desk.app.check_sql("SELECT name FROM customers".into(), desk.shop.clone()).await.unwrap();
    desk.app.query_plan(desk.shop.clone(), "SELECT name FROM customers".into()).await.unwrap();
    // A profile that the user requests runs Vitrine's own queries, which need no approval.
    assert!(!desk.app.whole_profile(&desk.shop).await.unwrap().tables.is_empty());
    require(&desk, false).await;
    open("SELECT 1").await.unwrap();
}
