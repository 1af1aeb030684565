use super::super::*;
use super::query::{job, over, prepared, row, schema};
use crate::{Meters, ScanMeter, Warehouse, read_page};
use serde_json::json;
use std::sync::Mutex;
use vitrine_sql::ReadOnlySql;
use vitrine_test_servers::bigquery_exchanges::{Exchange, Exchanges, answers, error};

const POST: &str = "POST /bigquery/v2/projects/p/queries";
const MEBIBYTE: u64 = 1 << 20;

/// A meter with a limit in bytes and the spent bytes.
struct Cap {
    most: u64,
    spent: Mutex<u64>,
}

impl ScanMeter for Cap {
    fn reserve_bytes(&self, least: u64, most: u64) -> Result<Option<u64>, WarehouseError> {
        let mut spent = self.spent.lock().unwrap();
        let Some(granted) = crate::compute_share(least, most, self.most - *spent) else {
            return Err(WarehouseError::OverCap {
                whose: crate::Limited::Question,
                most: self.most,
                spent: *spent,
                ahead: least,
                price: Some(6_250_000),
            });
        };
        *spent += granted;
        Ok(Some(granted))
    }

    fn record_billed(&self, reserved: u64, billed: u64) {
        *self.spent.lock().unwrap() -= reserved - billed.min(reserved);
    }
}

/// Runs a query with a limit; returns its outcome with the reported bytes, and the counted bytes.
async fn asked(server: &Exchanges, most: u64) -> (Result<u64, WarehouseError>, u64) {
    let cap = Arc::new(Cap { most, spent: Mutex::default() });
    let warehouse = crate::MeteredWarehouse::new(Arc::new(over(server, "", None)), cap.clone());
    let sql = ReadOnlySql::parse("SELECT a FROM t", Dialect::Bigquery).unwrap();
    let outcome = async {
        let batches = warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await?;
        let billed = batches.billed_bytes();
        read_page(batches, 10).await?;
        Ok(billed)
    };
    let outcome = outcome.await;
    let spent = *cap.spent.lock().unwrap();
    (outcome, spent)
}

fn done(more: serde_json::Value) -> Exchange {
    let mut body = json!({"jobComplete": true, "jobReference": job(), "schema": schema(), "rows": [row(1)]});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    answers(POST, 200, body)
}

#[tokio::test]
async fn documented_bytes_that_were_billed_are_counted_as_the_answer_says() {
    let server = Exchanges::start([prepared(3_000_000), done(json!({"totalBytesBilled": "10485760"}))]).await;
    assert_eq!(asked(&server, 50 * MEBIBYTE).await, (Ok(10 * MEBIBYTE), 10 * MEBIBYTE));
    // BigQuery itself limits the query to its share.
    assert_eq!(server.requests()[1].json()["maximumBytesBilled"], (20 * MEBIBYTE).to_string());
    server.done();
    let cached = Exchanges::start([prepared(3_000_000), done(json!({"cacheHit": true}))]).await;
    assert_eq!(asked(&cached, 50 * MEBIBYTE).await, (Ok(0), 0));
    cached.done();
}

#[tokio::test]
async fn documented_jobs_are_asked_where_the_answer_does_not_say_it() {
    let told = json!({"statistics": {"query": {"totalBytesBilled": "20971520"}}});
    let server = Exchanges::start([
        prepared(3_000_000),
        done(json!({})),
        answers("GET /bigquery/v2/projects/p/jobs/job_1", 200, told),
    ])
    .await;
    assert_eq!(asked(&server, 50 * MEBIBYTE).await, (Ok(20 * MEBIBYTE), 20 * MEBIBYTE));
    assert!(server.requests()[2].line.contains("location=EU"));
    server.done();
    // If the billed bytes are not reported, the estimate counts.
    let denied = error(403, "accessDenied", "no");
    let silent = Exchanges::start([
        prepared(12_000_000),
        done(json!({})),
        answers("GET /bigquery/v2/projects/p/jobs/job_1", 403, denied),
    ])
    .await;
    assert_eq!(asked(&silent, 50 * MEBIBYTE).await.1, 12 * MEBIBYTE);
}

#[tokio::test]
async fn documented_queries_over_a_limit_are_prepared_and_never_run() {
    let server = Exchanges::start([prepared(60_000_000_000)]).await;
    let (outcome, spent) = asked(&server, 50 * MEBIBYTE).await;
    assert!(matches!(outcome, Err(WarehouseError::OverBudget { .. })), "one query's own limit comes first");
    assert_eq!(spent, 0);
    let server = Exchanges::start([prepared(5_000_000_000)]).await;
    let (outcome, spent) = asked(&server, 1_000_000_000).await;
    let said = outcome.unwrap_err().to_string();
    assert_eq!(
        said,
        "over budget: the limit of one question is 1 GB ($0.0057), 0 bytes ($0) of it are spent, and the next query would be \
         billed for 5 GB ($0.0284); it was not run"
    );
    assert_eq!((spent, server.requests().len()), (0, 1), "the dry run alone");
}

#[tokio::test]
async fn documented_queries_that_fail_cost_nothing() {
    let server =
        Exchanges::start([prepared(3_000_000), answers(POST, 400, error(400, "invalidQuery", "no such column"))]).await;
    let (outcome, spent) = asked(&server, 50 * MEBIBYTE).await;
    assert!(matches!(outcome, Err(WarehouseError::Query { .. })));
    assert_eq!(spent, 0);
}

#[tokio::test]
async fn documented_requests_of_a_connection_without_limits_are_as_before() {
    let server = Exchanges::start([prepared(3_000_000), done(json!({}))]).await;
    let warehouse = over(&server, "", None);
    let limits = Limits { meters: Meters::default(), ..Limits::default() };
    let batches = warehouse.query_text("SELECT a FROM t".to_owned(), limits, CancellationToken::new()).await.unwrap();
    read_page(batches, 10).await.unwrap();
    assert_eq!(server.requests()[1].json()["maximumBytesBilled"], "10000000000");
    server.done();
}
