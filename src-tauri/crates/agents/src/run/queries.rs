//! Asking the warehouse: every query is in the log.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use std::time::Duration;
use vitrine_domain::{Agent, EventBody, Page, Usage};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, Warehouse, WarehouseError};

impl RunContext {
    /// Sends a query to the warehouse and reads at most `rows` rows.
    pub async fn query(&self, agent: Agent, node: &str, sql: &ReadOnlySql, rows: u64) -> Result<Page, WarehouseError> {
        self.query_in(self.ask.warehouse.as_ref(), agent, node, sql, rows).await
    }

    /// The same in another warehouse than the one that was asked about.
    pub async fn query_in(
        &self,
        warehouse: &dyn Warehouse,
        agent: Agent,
        node: &str,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Page, WarehouseError> {
        let began = self.elapsed_ms();
        let limits = Limits {
            rows: Some(rows),
            timeout: Duration::from_secs(u64::from(self.ask.settings.timeout_s)),
            ..Limits::default()
        };
        let mut billed_bytes = 0;
        let mut outcome = match warehouse.query(sql, limits, self.cancel.clone()).await {
            Ok(batches) => {
                billed_bytes = batches.billed();
                vitrine_warehouse::read_page(batches, rows).await
            }
            Err(error) => Err(error),
        };
        if let Err(error @ WarehouseError::OverCap { .. }) = &outcome {
            // No other query helps: what is left of the limit is too little, or nothing.
            self.spending.over_budget(error.clone().into());
        }
        if let Ok(page) = &mut outcome {
            self.egress.mark(page, sql, &self.ask.catalog);
        }
        let ms = self.elapsed_ms() - began;
        self.spending.add(agent, Usage { db_calls: 1, wall_ms: u64::from(ms), billed_bytes, ..Usage::default() });
        self.emit(EventBody::QueryExecuted {
            node: node.to_owned(),
            agent,
            sql: sql.as_str().to_owned(),
            ms,
            row_count: outcome.as_ref().ok().map(|p| p.row_count),
            bytes: outcome.as_ref().ok().map(|p| p.rows.iter().flatten().flatten().map(|cell| cell.len() as u64).sum()),
            error: outcome.as_ref().err().map(ToString::to_string),
        });
        outcome
    }

    /// The same where an error of the database is something to go on with: it is the inner error, as a prompt may show it.
    ///
    /// # Errors
    /// Fails when the run is stopped.
    pub async fn try_query(
        &self,
        agent: Agent,
        node: &str,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Result<Page, String>, StageError> {
        match self.query(agent, node, sql, rows).await {
            Ok(page) => Ok(Ok(page)),
            Err(error @ WarehouseError::Cancelled) => Err(error.into()),
            Err(error) => Ok(Err(self.egress.error(error.to_string(), sql.as_str()))),
        }
    }
}
