//! MySQL and MariaDB. Two independent protections keep them read-only: the session and each of its transactions are
//! read-only for the server, and every external statement is prepared, which accepts a single statement. Operations
//! that a read-only transaction permits (writing files, locks, settings) are refused by the proof in `vitrine-sql`.

mod address;
mod auth;
mod column;
mod engine;
mod errors;
mod failure;
mod form;
mod gate;
mod grants;
mod inspect;
mod introspect;
mod packets;
mod pool;
mod query;
mod rights;
mod roles;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::run::stream_batches;
use crate::server::AtWork;
use crate::{Batches, Checked, Limits, OpenOptions, ServerAddress, WarehouseError, cells, fingerprint};
use async_trait::async_trait;
use pool::{Pool, Session};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};

pub(crate) use engine::ENGINE;
pub(crate) use inspect::inspect_server;

/// Timeout for reading the catalog or preparing a query.
const LOOKING: Duration = Duration::from_secs(60);

/// A database on a MySQL or MariaDB server.
pub(crate) struct MysqlWarehouse {
    pool: Arc<Pool>,
    memory_bytes: u64,
    looking: Duration,
    closed: CancellationToken,
}

impl MysqlWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let pool = Pool::new(server, options)?;
        pool.return_session(pool.begin_read_session(LOOKING).await?).await;
        Ok(Self {
            pool: Arc::new(pool),
            memory_bytes: options.memory_bytes,
            looking: LOOKING,
            closed: CancellationToken::new(),
        })
    }

    /// Closes another session of this login on the server, as after a network failure.
    pub(crate) async fn end_session(&self, id: u32) {
        self.pool.kill_connection(id, None).await;
    }

    /// Runs `work` with a connection within the time limit.
    async fn with_session<T>(
        &self,
        work: impl AsyncFnOnce(&mut Session) -> Result<T, mysql_async::Error>,
    ) -> Result<T, WarehouseError> {
        if self.closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let looking = async {
            let mut at_work = AtWork::new(&self.pool, self.pool.begin_read_session(self.looking).await?);
            let found = work(at_work.session()?).await;
            let session = at_work.into_session()?;
            let result = match found {
                Ok(found) => Ok(found),
                Err(error) => Err(self.pool.explain_error(session.through.as_deref(), &error, self.looking).await),
            };
            self.pool.return_session(session).await;
            result
        };
        // The server's own time limit does not apply if the server no longer responds.
        let late = |_| WarehouseError::Timeout { seconds: self.looking.as_secs_f64().ceil() as u64 };
        tokio::time::timeout(self.looking, looking).await.map_err(late)?
    }
}

#[async_trait]
impl Engine for MysqlWarehouse {
    const DIALECT: Dialect = Dialect::Mysql;
    const TELLS_PLANS: bool = true;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let database = self.pool.server.database_name();
        let ((tables, version), own_functions) = self
            .with_session(async |session| {
                let read = introspect::read_tables(&mut session.conn, &database).await?;
                Ok((read, introspect::own_functions(&mut session.conn, &database).await?))
            })
            .await?;
        let search_path = Some(database.clone()).filter(|name| !name.is_empty()).into_iter().collect();
        let catalog = Catalog {
            database,
            dialect: Self::DIALECT,
            search_path,
            own_functions,
            fingerprint: String::new(),
            tables,
        };
        Ok(fingerprint::set_fingerprint(catalog, &version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let columns =
            self.with_session(async |session| session.prepare(sql).await.map(|statement| statement.columns())).await?;
        Ok(Checked::from_columns(cells::result_columns(&build_schema(&column::build_decoders(&columns)?))))
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (pool, runtime, timeout) = (self.pool.clone(), Handle::current(), limits.timeout);
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::run_statement(pool, runtime, &sql, timeout, sink)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let server = self.pool.server.clone();
        self.with_session(async |session| rights::read_safety_layers(session, &server).await).await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {
        self.pool.clear_idle();
    }
}

#[cfg(test)]
mod tests;
