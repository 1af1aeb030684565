//! Loss of the warehouse connection during a run.

use crate::bench::{Ran, Shop, run, small};
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_util::sync::CancellationToken;
use vitrine_agents::{Ask, AskData};
use vitrine_domain::{AskSettings, Catalog, Dialect, ErrorCode};
use vitrine_llm::ScriptedModel;
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Batches, Checked, Limits, Warehouse, WarehouseError};

/// A warehouse whose first queries fail.
struct Closing {
    inner: Arc<dyn Warehouse>,
    error: WarehouseError,
    /// Number of queries that fail.
    times: u32,
    asked: AtomicU32,
}

#[async_trait]
impl Warehouse for Closing {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.inner.load_catalog().await
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.inner.check_query(sql).await
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        if self.asked.fetch_add(1, Ordering::SeqCst) < self.times {
            return Err(self.error.clone());
        }
        self.inner.run_query(sql, limits, cancel).await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

/// Asks while the first queries fail; returns the run, the number of queries and the model.
async fn asked(error: WarehouseError, times: u32) -> (Ran, u32, Arc<ScriptedModel>) {
    let model = small(vec!["SELECT COUNT(*) FROM customer"; 12]);
    let settings = AskSettings { candidates: 1, ..AskSettings::default() };
    let shop = Shop::new();
    let ask = shop.ask("How many customers are there?", settings, model.clone()).await;
    let warehouse = Arc::new(Closing { inner: ask.data.warehouse.clone(), error, times, asked: AtomicU32::new(0) });
    let ran =
        run(Ask { data: AskData { warehouse: warehouse.clone(), ..ask.data }, ..ask }, CancellationToken::new()).await;
    (ran, warehouse.asked.load(Ordering::SeqCst), model)
}

#[tokio::test]
async fn a_server_that_is_full_of_connections_for_a_moment_ends_no_run() {
    let detail = "sorry, too many clients already".to_owned();
    let error = WarehouseError::NotAdmitted { server: "postgres://db/shop".into(), detail };
    let (ran, queries, _) = asked(error, 1).await;
    assert_eq!(ran.outcome, Ok(()));
    assert!(queries > 1, "it is asked again");
}

/// Returns the number of requests of a run whose first query fails and whose second query repairs it.
async fn repaired_by(error: WarehouseError) -> usize {
    let (ran, _, model) = asked(error, 1).await;
    assert_eq!(ran.outcome, Ok(()), "what a query does wrong is repaired");
    model.requests().len()
}

#[tokio::test]
async fn a_login_that_holds_no_longer_ends_the_run_and_no_model_repairs_it() {
    let error = WarehouseError::SignInAgain { server: "postgres://db/shop".into(), detail: String::new() };
    let (ran, queries, model) = asked(error, u32::MAX).await;
    assert_eq!(ran.outcome.unwrap_err().code, ErrorCode::Password, "the password is asked for");
    assert_eq!(queries, 1, "one login");
    assert_eq!(model.requests().len(), repaired_by(WarehouseError::query("")).await - 1, "and no repair");
}

#[tokio::test]
async fn a_server_that_went_away_is_asked_once_more_and_then_the_run_ends() {
    let error = || WarehouseError::Unreachable { server: "postgres://db/shop".into(), detail: String::new() };
    let (ran, queries, _) = asked(error(), u32::MAX).await;
    assert_eq!(ran.outcome.unwrap_err().code, ErrorCode::Connection);
    assert_eq!(queries, 2);
    let (ran, ..) = asked(error(), 1).await;
    assert_eq!(ran.outcome, Ok(()), "a new connection answers");
}
