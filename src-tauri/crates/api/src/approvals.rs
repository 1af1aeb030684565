//! Approval of SQL: a connection can be restricted to queries that a user has approved, each by its exact text. An approval is a row of the
//! audit log with user, time, address and the SHA-256 of the text.

use crate::app::App;
use crate::audit::new_audit_entry;
use crate::state::runs::{Asks, ChannelApprover};
use crate::state::work::run_blocking;
use crate::types::Approval;
use async_trait::async_trait;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use vitrine_agents::QueryApprover;
use vitrine_domain::{AppError, Catalog, Dialect, ErrorCode, FileReading, QueryPlan, SafetyLayer, Table};
use vitrine_sql::ReadOnlySql;
use vitrine_store::{AuditEntry, AuditVerdict, Store, sha256_hex};
use vitrine_warehouse::{Batches, Checked, Limits, Metering, Preview, Walls, Warehouse, WarehouseError};
use vitrine_words::tr;

/// A warehouse that runs only approved SQL if its connection requires that. The setting is read for each query, so that a change applies
/// immediately, also if another process made it.
pub(crate) struct ApprovedWarehouse {
    pub(crate) inner: Arc<dyn Warehouse>,
    pub(crate) store: Arc<Store>,
    /// The warehouse's address, to which approvals apply.
    pub(crate) address: String,
}

#[async_trait]
impl Warehouse for ApprovedWarehouse {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.inner.load_catalog().await
    }

    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        self.inner.file_readings().await
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
        let (store, address, text) = (Arc::clone(&self.store), self.address.clone(), sql.as_str().to_owned());
        let may_run = run_blocking(move || {
            let asks = store.connection_at(&address)?.is_some_and(|connection| connection.settings.require_approval);
            Ok(!asks || store.is_approved(&address, &sha256_hex(&text))?)
        });
        // If the approval cannot be looked up, the query is not approved.
        if may_run.await.unwrap_or(false) {
            return self.inner.run_query(sql, limits, cancel).await;
        }
        Err(WarehouseError::NotApproved { sql: sql.as_str().to_owned(), sql_sha256: sha256_hex(sql.as_str()) })
    }

    // As in preparation, nothing of the query is executed.
    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        self.inner.query_plan(sql, limits, cancel).await
    }

    fn metering(&self) -> Metering {
        self.inner.metering()
    }

    async fn preview_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        self.inner.preview_rows(table, rows).await
    }

    async fn sandbox_state(&self) -> Result<Option<Walls>, WarehouseError> {
        self.inner.sandbox_state().await
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.inner.safety_layers().await
    }

    async fn close(&self) {
        self.inner.close().await;
    }
}

/// The approver without a front end that shows queries: refuses each query and records the refusal.
struct NobodyApproves {
    store: Arc<Store>,
    asks: Asks,
}

impl QueryApprover for NobodyApproves {
    fn request_approval(&self, sql: &ReadOnlySql, _: &str) -> oneshot::Receiver<bool> {
        let refused = AuditEntry {
            question: Some(self.asks.question.clone()),
            run_id: Some(self.asks.run_id.clone()),
            verdict: AuditVerdict::Refused,
            reason: Some("Nobody was there to approve it".to_owned()),
            author: Some(self.asks.author),
            ..new_audit_entry(&self.asks.warehouse, sql.as_str())
        };
        if let Err(error) = self.store.append_audit_entry(&refused) {
            tracing::error!(%error, "a query is missing in the audit");
        }
        let (said, heard) = oneshot::channel();
        let _ = said.send(false);
        heard
    }
}

impl App {
    /// Declares that a front end shows queries that need an approval and calls [`App::decide_query`]. Without such a front end, runs end at
    /// a query that needs an approval.
    pub fn shows_approvals(&self) {
        self.inner.shows_approvals.store(true, Ordering::Relaxed);
    }

    /// Returns a query as it would run, with its hash and its approval.
    ///
    /// # Errors
    /// When the query is not proven to be read-only.
    pub async fn approval(&self, warehouse: String, sql: String) -> Result<Approval, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let sql = self.prove_read_only(&open, sql).await?.as_str().to_owned();
        let sql_sha256 = sha256_hex(&sql);
        let (address, hash) = (open.uri.clone(), sql_sha256.clone());
        let (required, approved) = self
            .with_store(move |store| {
                let connection = store.connection_at(&address)?;
                let required = connection.is_some_and(|connection| connection.settings.require_approval);
                Ok((required, store.is_approved(&address, &hash)?))
            })
            .await?;
        Ok(Approval { sql, sql_sha256, required, approved })
    }

    /// Approves a query for a warehouse; the approval covers only the text with this hash.
    ///
    /// # Errors
    /// When the hash differs from that of the text that would run, because the user then saw another text.
    pub async fn approve_sql(&self, warehouse: String, sql: String, sql_sha256: String) -> Result<Approval, AppError> {
        let shown = self.approval(warehouse.clone(), sql).await?;
        if shown.sql_sha256 != sql_sha256.to_ascii_lowercase() {
            return Err(AppError::new(
                ErrorCode::NotApproved,
                tr!("The hash does not match this text; nothing was approved"),
            )
            .with_hint(tr!("Read the text as it would run, and approve that"))
            .with_detail(format!("{}\nSHA-256 {}", shown.sql, shown.sql_sha256)));
        }
        let address = self.ensure_open(&warehouse).await?.uri.clone();
        let author = self.auditor_of(&address, &shown.sql).await?.author();
        self.record_decision(
            AuditEntry { author: Some(author), ..new_audit_entry(&address, &shown.sql) },
            AuditVerdict::Approved,
        )
        .await?;
        Ok(Approval { approved: true, ..shown })
    }

    /// Returns the valid approvals of a warehouse, the latest first.
    pub async fn approvals(&self, warehouse: String) -> Result<Vec<crate::AuditRow>, AppError> {
        let address = self.address_to_approve(&warehouse).await?;
        self.with_store(move |store| store.approvals(&address)).await
    }

    /// Revokes the approval of a text; queries that already run continue. A prefix of the hash is sufficient.
    ///
    /// # Errors
    /// When no approval, or more than one, has such a hash.
    pub async fn revoke_approval(&self, warehouse: String, sql_sha256: String) -> Result<(), AppError> {
        let hash = sql_sha256.trim().to_ascii_lowercase();
        let held = self.approvals(warehouse).await?;
        let mut found = held.into_iter().filter(|row| !hash.is_empty() && row.entry.sql_sha256.starts_with(&hash));
        match (found.next(), found.next()) {
            (Some(row), None) => {
                let author = row.entry.author;
                let revoked = AuditEntry { author, ..new_audit_entry(&row.entry.warehouse, &row.entry.sql) };
                self.record_decision(revoked, AuditVerdict::Revoked).await
            }
            (None, _) => Err(AppError::new(ErrorCode::NotFound, tr!("No approval of this connection has that hash"))
                .with_hint(tr!("List them with: vitrine approvals list CONNECTION"))),
            (Some(_), Some(_)) => {
                Err(AppError::new(ErrorCode::Usage, tr!("More than one approval begins with that hash"))
                    .with_hint(tr!("Give more of its digits")))
            }
        }
    }

    /// Approves or refuses the query that a run waits for.
    ///
    /// # Errors
    /// When the run does not wait for a query with that hash.
    pub async fn decide_query(&self, run_id: String, sql_sha256: String, approved: bool) -> Result<(), AppError> {
        let Some(asked) = self.inner.runs.asked_query(&run_id, &sql_sha256) else {
            return Err(AppError::new(ErrorCode::NotFound, tr!("This query no longer waits for approval"))
                .with_hint(tr!("Open the question again")));
        };
        let verdict = if approved { AuditVerdict::Approved } else { AuditVerdict::Refused };
        let decided = AuditEntry {
            question: Some(asked.asks.question.clone()),
            run_id: Some(run_id),
            reason: (!approved).then(|| "Not approved".to_owned()),
            author: Some(asked.asks.author),
            ..new_audit_entry(&asked.asks.warehouse, &asked.sql)
        };
        self.record_decision(decided, verdict).await?;
        // The run may have ended in the meantime.
        let _ = asked.said.send(approved);
        Ok(())
    }

    /// Returns the approver for the queries of a run.
    pub(crate) fn query_approver(&self, asks: Asks) -> Arc<dyn QueryApprover> {
        if self.inner.shows_approvals.load(Ordering::Relaxed) {
            return Arc::new(ChannelApprover { runs: self.inner.runs.clone(), asks });
        }
        Arc::new(NobodyApproves { store: Arc::clone(&self.inner.store), asks })
    }

    /// Returns true if a connection runs only approved queries.
    pub(crate) async fn requires_approval(&self, address: &str) -> Result<bool, AppError> {
        Ok(self.connection_at(address).await?.is_some_and(|connection| connection.settings.require_approval))
    }

    /// Returns the address of a connection or warehouse without opening it.
    async fn address_to_approve(&self, warehouse: &str) -> Result<String, AppError> {
        let address = self.address_of(warehouse).await?;
        Ok(self.resolve_address(&address).await?.to_string())
    }

    async fn record_decision(&self, decided: AuditEntry, verdict: AuditVerdict) -> Result<(), AppError> {
        let user = whoami::username().unwrap_or_else(|_| "unknown".to_owned());
        self.with_store(move |store| {
            store.append_audit_entry(&AuditEntry { verdict, decided_by: Some(user), ..decided })
        })
        .await
    }
}
