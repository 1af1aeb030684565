//! Queries on the warehouse; each is logged.

use crate::run::context::RunContext;
use crate::run::events::StageError;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use vitrine_domain::{Agent, EventBody, NodeId, Page, Usage};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{Limits, ResultNotes, Warehouse, WarehouseError};

/// The agent for which a query runs, and true if Vitrine composed the query itself.
#[derive(Clone, Copy)]
struct Author {
    agent: Agent,
    composed: bool,
}

impl RunContext {
    /// Sends a query to the warehouse and reads at most `rows` rows.
    pub async fn query(
        &self,
        agent: Agent,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Page, WarehouseError> {
        self.query_by(Author { agent, composed: false }, node, sql, rows).await
    }

    /// Like [Self::query], for a query that Vitrine composed itself; the log records that.
    pub async fn query_composed(
        &self,
        agent: Agent,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Page, WarehouseError> {
        self.query_by(Author { agent, composed: true }, node, sql, rows).await
    }

    async fn query_by(&self, by: Author, node: &NodeId, sql: &ReadOnlySql, rows: u64) -> Result<Page, WarehouseError> {
        let warehouse = self.ask.data.warehouse.as_ref();
        if self.ask.user.approver.is_none() {
            return self.query_in_by(warehouse, by, node, sql, rows).await;
        }
        // A query for approval is formatted as answers show it, and runs in that form: reading the answer's rows again then needs no second
        // approval.
        let laid_out = self.ask.prove_query(&vitrine_sql::format_sql(sql.as_str(), self.ask.data.catalog.dialect)).ok();
        self.query_in_by(warehouse, by, node, laid_out.as_ref().unwrap_or(sql), rows).await
    }

    /// Sends a query to another warehouse than the one of the question.
    pub async fn query_in(
        &self,
        warehouse: &dyn Warehouse,
        agent: Agent,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Page, WarehouseError> {
        self.query_in_by(warehouse, Author { agent, composed: false }, node, sql, rows).await
    }

    async fn query_in_by(
        &self,
        warehouse: &dyn Warehouse,
        by: Author,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Page, WarehouseError> {
        let Author { agent, composed } = by;
        let limits = Limits {
            rows: Some(rows),
            timeout: Duration::from_secs(u64::from(self.ask.options.settings.timeout_s)),
            ..Limits::default()
        };
        let billed_bytes = Cell::new(0);
        let notes = RefCell::new(ResultNotes::default());
        let read = async || match warehouse.run_query(sql, limits.clone(), self.cancel.clone()).await {
            Ok(batches) => {
                billed_bytes.set(batches.billed_bytes());
                notes.replace(batches.notes());
                vitrine_warehouse::read_page(batches, rows).await
            }
            Err(error) => Err(error),
        };
        let mut began = self.elapsed_ms();
        let mut outcome = read().await;
        if matches!(outcome, Err(WarehouseError::Unreachable { .. })) && !self.cancel.is_cancelled() {
            // An idle connection may be closed although its server runs; a new connection shows that.
            outcome = read().await;
        }
        if let Err(WarehouseError::NotApproved { sql_sha256, .. }) = &outcome {
            let sql_sha256 = sql_sha256.clone();
            let _one_question = self.approving.lock().await;
            // Another candidate may have requested approval for the same query in the meantime.
            outcome = read().await;
            if matches!(outcome, Err(WarehouseError::NotApproved { .. }))
                && self.request_approval(node, sql, &sql_sha256).await?
            {
                began = self.elapsed_ms();
                outcome = read().await;
            }
            if let Err(error @ WarehouseError::NotApproved { .. }) = outcome {
                // The query never reached the database.
                return Err(error);
            }
        }
        if let Err(error @ WarehouseError::OverCap { .. }) = &outcome {
            // No other query can succeed: too little of the limit remains, or nothing.
            self.spending.over_budget(error.clone().into());
        }
        if let Ok(page) = &mut outcome {
            self.egress.mark_masked_columns(page, sql, &self.whole_catalog);
            let notes = notes.into_inner().texts();
            self.record_material(|told| {
                told.notes.extend(notes.into_iter().map(|note| (sql.as_str().to_owned(), note)))
            });
        }
        let ms = self.elapsed_ms() - began;
        self.spending.add(
            agent,
            Usage { db_calls: 1, wall_ms: u64::from(ms), billed_bytes: billed_bytes.get(), ..Usage::default() },
        );
        self.emit(EventBody::QueryExecuted {
            node: node.to_owned(),
            agent,
            sql: sql.as_str().to_owned(),
            ms,
            row_count: outcome.as_ref().ok().map(|p| p.row_count),
            bytes: outcome.as_ref().ok().map(|p| p.rows.iter().flatten().flatten().map(|cell| cell.len() as u64).sum()),
            error: outcome.as_ref().err().map(ToString::to_string),
            composed,
        });
        outcome
    }

    /// Asks the user to approve a query and waits for the decision.
    async fn request_approval(
        &self,
        node: &NodeId,
        sql: &ReadOnlySql,
        sql_sha256: &str,
    ) -> Result<bool, WarehouseError> {
        let (node, sql_sha256) = (node.to_owned(), sql_sha256.to_owned());
        let Some(approver) = &self.ask.user.approver else { return Ok(false) };
        let said = approver.request_approval(sql, &sql_sha256);
        self.emit(EventBody::ApprovalAsked {
            node: node.clone(),
            sql: sql.as_str().to_owned(),
            sql_sha256: sql_sha256.clone(),
        });
        let began = self.elapsed_ms();
        self.begin_wait();
        let approved = tokio::select! {
            said = said => said.unwrap_or(false),
            () = self.cancel.cancelled() => return Err(WarehouseError::Cancelled),
        };
        let waited_ms = self.elapsed_ms() - began;
        self.add_wait(waited_ms);
        self.emit(EventBody::ApprovalDecided { node, sql_sha256, approved, waited_ms });
        Ok(approved)
    }

    /// Sends a query and returns a database error as the inner error, redacted for prompts, so that the caller can continue.
    ///
    /// # Errors
    /// Fails if the run is stopped.
    pub async fn try_query(
        &self,
        agent: Agent,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Result<Page, String>, StageError> {
        self.recover_query_error(self.query(agent, node, sql, rows).await, sql)
    }

    /// Like [Self::try_query], for a query that Vitrine composed itself.
    ///
    /// # Errors
    /// Fails if the run is stopped.
    pub async fn try_query_composed(
        &self,
        agent: Agent,
        node: &NodeId,
        sql: &ReadOnlySql,
        rows: u64,
    ) -> Result<Result<Page, String>, StageError> {
        self.recover_query_error(self.query_composed(agent, node, sql, rows).await, sql)
    }

    fn recover_query_error(
        &self,
        outcome: Result<Page, WarehouseError>,
        sql: &ReadOnlySql,
    ) -> Result<Result<Page, String>, StageError> {
        match outcome {
            Ok(page) => Ok(Ok(page)),
            Err(error) if error.ends_run() => Err(error.into()),
            Err(error) => Ok(Err(self.egress.query_error(&error, sql.as_str()))),
        }
    }
}
