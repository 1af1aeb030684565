//! PostgreSQL. Two independent protections keep it read-only: the session and each of its transactions are read-only
//! for the server, and every statement uses the extended protocol, which accepts a single statement. Operations that a
//! read-only transaction permits (reading files, ending other sessions) are refused by the proof in `vitrine-sql`.

mod address;
mod admission;
mod column;
mod engine;
mod errors;
mod family;
mod form;
mod functions;
mod gate;
mod inspect;
mod introspect;
mod numeric;
mod owner_code;
mod pool;
mod query;
mod rights;
mod safety;
mod search_path;
mod service;
mod standard;
mod statement_names;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::run::stream_batches;
use crate::server::ServerAddress;
use crate::{Batches, Checked, Limits, OpenOptions, WarehouseError, cells, fingerprint};
use async_trait::async_trait;
use family::Family;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};
use vitrine_sql::AllowedFunctions;

pub(crate) use address::SCHEMES;
pub(crate) use engine::ENGINE;
pub(crate) use inspect::{PROTOCOL, inspect_server};
pub(crate) use pool::{Pool, Session};
pub(crate) use query::{Prepared, run_statement};
pub use service::with_service;

/// Timeout for reading the catalog or preparing a query.
const LOOKING: Duration = Duration::from_secs(60);

/// A database on a PostgreSQL server.
pub(crate) struct PostgresWarehouse {
    pool: Arc<Pool>,
    family: Family,
    memory_bytes: u64,
    /// The schemas to read; all if empty.
    schemas: Vec<String>,
    looking: Duration,
    closed: CancellationToken,
}

impl PostgresWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        Self::with_pool(Pool::new(server, options)?, options).await
    }

    async fn with_pool(pool: Pool, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let session = pool.begin_read_session(LOOKING).await?;
        let family = session.family;
        pool.return_session(session).await;
        Ok(Self {
            pool: Arc::new(pool),
            family,
            memory_bytes: options.memory_bytes,
            schemas: options.schemas.clone(),
            looking: LOOKING,
            closed: CancellationToken::new(),
        })
    }

    /// Refuses a statement that this server would parse differently than the read-only proof.
    fn proven_alike(&self, sql: &str) -> Result<(), WarehouseError> {
        if self.family.escapes_by_backslash() && sql.contains('\\') {
            let message = format!(
                "{} reads \\ in a text as an escape, so that what was proven of this query may not hold there: write chr(92) instead",
                self.family.display_name()
            );
            return Err(WarehouseError::Refused { message });
        }
        Ok(())
    }

    /// Runs `work` with a connection within the time limit.
    async fn with_session<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, WarehouseError> {
        self.pool.with_session(self.looking, &self.closed, work).await
    }
}

#[async_trait]
impl Engine for PostgresWarehouse {
    const DIALECT: Dialect = Dialect::Postgres;
    const TELLS_PLANS: bool = true;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let introspect::Read { search_path, own_functions, tables, version } = self
            .with_session(async |session| match session.family.standard_listing() {
                None => introspect::read_catalog(&session.client, &session.path, &self.schemas).await,
                Some(listing) => standard::read_catalog(&session.client, listing, &self.schemas).await,
            })
            .await?;
        let (database, dialect) = (self.pool.server.database_name(), Self::DIALECT);
        let catalog = Catalog { database, dialect, search_path, own_functions, fingerprint: String::new(), tables };
        Ok(fingerprint::set_fingerprint(catalog, &version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        self.check_with(sql, &AllowedFunctions::default()).await
    }

    async fn check_with(&self, sql: &str, allowed: &AllowedFunctions) -> Result<Checked, WarehouseError> {
        self.proven_alike(sql)?;
        self.with_session(async |session| {
            let statement = admission::prepare_admitted(session, sql, allowed).await?;
            Ok(statement.and_then(|statement| column::column_decoders(&statement)))
        })
        .await?
        .map(|readings| Checked::from_columns(cells::result_columns(&build_schema(&readings))))
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.query_with(sql, &AllowedFunctions::default(), limits, cancel).await
    }

    async fn query_with(
        &self,
        sql: String,
        allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.proven_alike(&sql)?;
        let (pool, runtime, timeout, allowed) = (self.pool.clone(), Handle::current(), limits.timeout, allowed.clone());
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            run_statement(pool, runtime, timeout, sink, async |session| {
                column::prepare_query(session, &sql, &allowed).await
            })
        })
        .await
    }

    async fn ask_plan(
        &self,
        sql: &str,
        question: String,
        allowed: &AllowedFunctions,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        // Other servers with PostgreSQL's protocol have plans in other formats.
        if self.family != Family::Postgres {
            return Err(WarehouseError::NoPlan { engine: self.family.display_name().to_owned() });
        }
        self.proven_alike(sql)?;
        self.query_with(question, allowed, limits, cancel).await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        if self.family != Family::Postgres {
            return Ok(safety::of_other(self.family));
        }
        let found = self.with_session(async |session| safety::read_session_facts(&session.client).await).await?;
        Ok(safety::build_safety_layers(&found, &self.pool.server))
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
