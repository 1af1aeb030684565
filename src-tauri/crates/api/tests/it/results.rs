//! Paging and exporting.

use crate::support::Desk;
use std::time::Duration;
use vitrine_api::{AppEvent, CsvRequest, JobEvent, JobState, ResultHandle};
use vitrine_domain::ErrorCode;
use vitrine_llm::Line;

const MANY: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i, 'row ' || i AS t FROM n";
const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n";

async fn desk() -> Desk {
    Desk::new(Vec::<Line>::new()).await
}

async fn whole(desk: &Desk, id: &str) -> ResultHandle {
    loop {
        let handle = desk.app.result_status(id.to_owned()).await.unwrap();
        if handle.complete {
            return handle;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_result_is_whole_at_once() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), "SELECT * FROM orders".to_owned(), 100).await.unwrap();
    let result = if result.complete { result } else { whole(&desk, &result.result_id).await };
    assert_eq!((result.row_count, result.truncated), (3, false));
    let page = desk.app.result_rows(result.result_id, 1, 10).await.unwrap();
    assert_eq!(page.rows.len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn any_part_of_a_large_result_can_be_seen() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), MANY.to_owned(), 1_000_000).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert_eq!((handle.row_count, handle.truncated), (200_000, false));
    for offset in [0, 4_095, 123_456, 199_999] {
        let page = desk.app.result_rows(result.result_id.clone(), offset, 1).await.unwrap();
        assert_eq!(page.rows[0][1].as_deref(), Some(format!("row {}", offset + 1).as_str()));
    }
    desk.app.close_result(result.result_id.clone()).await.unwrap();
    assert_eq!(desk.app.result_rows(result.result_id, 0, 1).await.unwrap_err().code, ErrorCode::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_limit_cuts_and_says_so() {
    let desk = desk().await;
    let result = desk.app.open_result(desk.shop.clone(), ENDLESS.to_owned(), 5_000).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert_eq!((handle.row_count, handle.truncated), (5_000, true));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_stopped_keeps_its_rows() {
    let desk = desk().await;
    let slow = format!("SELECT i, (SELECT count(*) FROM ({ENDLESS} LIMIT 5000)) FROM ({ENDLESS})");
    let result = desk.app.open_result(desk.shop.clone(), slow, 1_000_000).await.unwrap();
    desk.app.cancel_result(result.result_id.clone()).await.unwrap();
    let handle = whole(&desk, &result.result_id).await;
    assert!(handle.truncated && handle.row_count >= result.row_count);
    assert!(!desk.app.result_rows(result.result_id, 0, 1).await.unwrap().rows.is_empty());
}

async fn last(events: &mut tokio::sync::broadcast::Receiver<AppEvent>, job_id: &str) -> JobEvent {
    loop {
        if let AppEvent::Job(job) = events.recv().await.unwrap()
            && job.job_id == job_id
            && job.state != JobState::Running
        {
            return job;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_writes_every_row_and_tells_how_far_it_is() {
    let desk = desk().await;
    let mut events = desk.app.subscribe();
    let path = desk.path("out.csv");
    let request = CsvRequest {
        warehouse: desk.shop.clone(),
        sql: "SELECT name, country FROM customers ORDER BY id".to_owned(),
        path: path.display().to_string(),
        guard_formulas: true,
    };
    let job_id = desk.app.export_csv(request).await.unwrap();
    let job = last(&mut events, &job_id).await;
    assert_eq!((job.state, job.done, job.error), (JobState::Done, 3, None));
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text.lines().collect::<Vec<_>>(), ["name,country", "Ada,UK", "Grace,US", "'=1+2,US"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_export_leaves_no_file() {
    let desk = desk().await;
    let mut events = desk.app.subscribe();
    let path = desk.path("endless.csv");
    let request = CsvRequest {
        warehouse: desk.shop.clone(),
        sql: ENDLESS.to_owned(),
        path: path.display().to_string(),
        guard_formulas: false,
    };
    let job_id = desk.app.export_csv(request).await.unwrap();
    desk.app.cancel_job(job_id.clone()).await.unwrap();
    assert_eq!(last(&mut events, &job_id).await.state, JobState::Cancelled);
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_to_nowhere_fails_in_words() {
    let desk = desk().await;
    let mut events = desk.app.subscribe();
    let request = CsvRequest {
        warehouse: desk.shop.clone(),
        sql: "SELECT 1".to_owned(),
        path: desk.path("no/such/folder/out.csv").display().to_string(),
        guard_formulas: false,
    };
    let job_id = desk.app.export_csv(request).await.unwrap();
    let job = last(&mut events, &job_id).await;
    assert_eq!(job.state, JobState::Failed);
    assert!(job.error.unwrap().message.contains("folder"));
}
