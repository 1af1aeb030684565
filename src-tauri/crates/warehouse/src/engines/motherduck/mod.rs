//! MotherDuck through its PostgreSQL endpoint: the connections are those in [`crate::postgres`], the SQL is DuckDB's.
//! Every query runs in a read-only transaction. Unlike a local DuckDB file, this engine does not run in a restricted
//! process of Vitrine: only the read-only proof in `vitrine-sql` ensures that a query reads no file, network address or
//! setting.
//!
//! All values are requested as text, so that nothing depends on the endpoint's encoding of DuckDB's types in
//! PostgreSQL's formats.

mod address;
mod ask;
mod column;
mod engine;
mod expressions;
mod form;
mod inspect;
mod macros;
mod rights;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::engines::duck::listing;
use crate::engines::postgres::{Pool, Session, run_statement};
use crate::run::stream_batches;
use crate::{Batches, Checked, Limits, OpenOptions, ServerAddress, WarehouseError, cells, fingerprint};
use ask::query_rows;
use async_trait::async_trait;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer, Table};
use vitrine_sql::{shown_as_query, unlisted_pivot};
use vitrine_words::tr;

pub(crate) use engine::ENGINE;
pub(crate) use inspect::inspect_server;

/// Timeout of an internal query. The first one may have to start the compute instance.
const LOOKING: Duration = Duration::from_secs(120);

pub(crate) struct MotherduckWarehouse {
    pool: Arc<Pool>,
    memory_bytes: u64,
    /// Macros that a query would call unintentionally.
    unawares: Mutex<Vec<String>>,
    closed: CancellationToken,
}

impl MotherduckWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let warehouse = Self {
            pool: Arc::new(Pool::new(server, options)?),
            memory_bytes: options.memory_bytes,
            unawares: Mutex::default(),
            closed: CancellationToken::new(),
        };
        let found = warehouse.with_session(async |session| macros::find_unsafe_macros(session).await).await?;
        warehouse.set_unsafe_macros(found);
        Ok(warehouse)
    }

    /// Runs `work` with a connection within the time limit.
    async fn with_session<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T, WarehouseError> {
        self.pool.with_session(LOOKING, &self.closed, work).await
    }

    fn set_unsafe_macros(&self, unawares: Vec<String>) {
        *self.unawares.lock().unwrap_or_else(PoisonError::into_inner) = unawares;
    }

    /// Refuses every query if macros replace DuckDB's own functions.
    fn proven_alike(&self) -> Result<(), WarehouseError> {
        macros::refuse_unsafe_macros(&self.unawares.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns the statement as a query. A PIVOT without values is refused, because the server would create a type for it.
fn as_query(sql: &str) -> Result<Cow<'_, str>, WarehouseError> {
    if unlisted_pivot(sql).is_some() {
        let message = tr!("PIVOT without its values; name them: PIVOT t ON x IN ('a', 'b') USING sum(y)");
        return Err(WarehouseError::Refused { message });
    }
    Ok(shown_as_query(sql))
}

/// Reads all tables and views of the database.
async fn read_tables(session: &Session) -> Result<Vec<Table>, tokio_postgres::Error> {
    let [tables, columns, constraints, indexes] = listing::QUESTIONS;
    Ok(listing::build_tables([
        query_rows(session, tables).await?,
        query_rows(session, columns).await?,
        query_rows(session, constraints).await?,
        query_rows(session, indexes).await?,
    ]))
}

#[async_trait]
impl Engine for MotherduckWarehouse {
    const DIALECT: Dialect = Dialect::Duckdb;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (tables, unawares, today) = self
            .with_session(async |session| {
                let today = query_rows(session, "SELECT current_date AS today").await?;
                Ok((read_tables(session).await?, macros::find_unsafe_macros(session).await?, today))
            })
            .await?;
        self.set_unsafe_macros(unawares);
        // Row counts detect most changes; the current date limits the validity of everything read from rows to one day.
        let counts = tables.iter().filter_map(|table| table.row_count).map(|count| format!("{count};"));
        let version = counts.chain(today.into_iter().flatten().flatten()).collect::<String>();
        let catalog = Catalog {
            database: self.pool.server.database_name(),
            dialect: Self::DIALECT,
            search_path: Vec::new(),
            // Macros that replace built-in functions are refused by `macros`.
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables,
        };
        Ok(fingerprint::set_fingerprint(catalog, &version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        self.proven_alike()?;
        let sql = as_query(sql)?;
        let readings = self.with_session(async |session| column::describe_columns(session, &sql).await).await?;
        Ok(Checked::from_columns(cells::result_columns(&build_schema(&readings))))
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.proven_alike()?;
        let sql = as_query(&sql)?.into_owned();
        let (pool, runtime, timeout) = (self.pool.clone(), Handle::current(), limits.timeout);
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            run_statement(pool, runtime, timeout, sink, async |session| column::prepare_query(session, &sql).await)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let database = self.pool.server.database_name();
        let found = self.with_session(async |session| rights::read_rights(session, &database).await).await?;
        Ok(rights::build_safety_layers(&found, &self.pool.server))
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
