//! PostgreSQL, read only in two ways: the session and each of its transactions are read-only to the server, and every
//! statement goes through the extended protocol, which takes one at a time. What a read-only transaction does not
//! forbid (reading files, ending other sessions) is refused by the proof in `vitrine-sql`.

mod column;
mod errors;
mod introspect;
mod numeric;
mod pool;
mod query;
mod server;
mod tls;

use crate::run::stream;
use crate::{Batches, Limits, OpenOptions, Warehouse, WarehouseError, cells, fingerprint};
use async_trait::async_trait;
use pool::{Pool, Session};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, ResultColumn};
use vitrine_sql::ReadOnlySql;

pub use server::ServerAddress;

/// Time to read the catalog or to prepare a query.
const LOOKING: Duration = Duration::from_secs(60);

/// A database on a PostgreSQL server.
pub(crate) struct PostgresWarehouse {
    pool: Arc<Pool>,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl PostgresWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let pool = Pool::new(server)?;
        pool.rest(pool.begin(LOOKING).await?).await;
        Ok(Self { pool: Arc::new(pool), memory_bytes: options.memory_bytes, closed: CancellationToken::new() })
    }

    /// Runs text that nobody has proven to be a read; the server's own locks are all that is left.
    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (pool, runtime, timeout) = (self.pool.clone(), Handle::current(), limits.timeout);
        stream(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::run(pool, runtime, &sql, timeout, sink)
        })
        .await
    }

    async fn check_text(&self, sql: &str) -> Result<Vec<ResultColumn>, WarehouseError> {
        self.look(async |session| {
            let statement = session.client.prepare(sql).await?;
            Ok(column::readings(&statement))
        })
        .await?
        .map(|readings| cells::result_columns(&column::schema(&readings)))
    }

    /// Does something that takes one connection and little time.
    async fn look<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, WarehouseError> {
        if self.closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let session = self.pool.begin(LOOKING).await?;
        let result = work(&session).await.map_err(|error| errors::in_query(&self.pool.server, &error, LOOKING));
        self.pool.rest(session).await;
        result
    }
}

#[async_trait]
impl Warehouse for PostgresWarehouse {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    async fn catalog(&self) -> Result<Catalog, WarehouseError> {
        let (tables, version) = self.look(async |session| introspect::tables(&session.client).await).await?;
        let database = self.pool.server.database();
        let catalog = Catalog { database, dialect: Dialect::Postgres, fingerprint: String::new(), tables };
        Ok(fingerprint::seal(catalog, &version))
    }

    async fn check(&self, sql: &ReadOnlySql) -> Result<Vec<ResultColumn>, WarehouseError> {
        self.check_text(sql.as_str()).await
    }

    async fn query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_text(sql.as_str().to_owned(), limits, cancel).await
    }

    async fn close(&self) {
        self.closed.cancel();
        self.pool.clear();
    }
}

#[cfg(test)]
#[path = "../tests/postgres.rs"]
mod tests;
