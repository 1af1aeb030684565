//! SQL warehouses of Databricks over the Statement Execution API, with INLINE results only. The API has no sessions
//! that could be read-only: only the read-only proof in `vitrine-sql` and the grants of the login protect the database.

mod address;
mod answer;
mod column;
mod engine;
mod errors;
mod form;
mod http;
mod inspect;
mod introspect;
mod query;
mod rights;
mod sign_in;
mod statement;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::run::stream_batches;
use crate::{Batches, Checked, Limits, OpenOptions, ServerAddress, WarehouseError, cells, fingerprint};
use async_trait::async_trait;
use errors::Failure;
use http::Http;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};
use vitrine_sql::quote_identifier;

pub(crate) use engine::ENGINE;
pub(crate) use inspect::inspect_workspace;

/// Timeout of an internal query. The first one starts a stopped warehouse, which takes minutes.
const LOOKING: Duration = Duration::from_secs(300);

/// A catalog, or one schema of it, on a SQL warehouse.
pub(crate) struct DatabricksWarehouse {
    http: Arc<Http>,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl DatabricksWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let http = Http::new(server)?;
        tokio::time::timeout(LOOKING, check_access(&http)).await.map_err(|_| timeout_error())??;
        Ok(Self { http: Arc::new(http), memory_bytes: options.memory_bytes, closed: CancellationToken::new() })
    }

    /// Runs `work` within the time limit.
    async fn run_with_timeout<T>(&self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, WarehouseError> {
        if self.closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let done = tokio::time::timeout(LOOKING, work).await.map_err(|_| timeout_error())?;
        done.map_err(|failure| failure.in_query(&self.http.shown))
    }
}

fn timeout_error() -> WarehouseError {
    WarehouseError::Timeout { seconds: LOOKING.as_secs() }
}

/// Checks that the login may use the warehouse and that the catalog or schema exists.
async fn check_access(http: &Http) -> Result<(), WarehouseError> {
    let name = |name: &str| quote_identifier(name, Dialect::Databricks);
    let question = match &http.warehouse.schema {
        Some(schema) => format!("DESCRIBE SCHEMA {}.{}", name(&http.warehouse.catalog), name(schema)),
        None => format!("SHOW SCHEMAS IN {}", name(&http.warehouse.catalog)),
    };
    http.query_rows(&question).await.map(drop).map_err(|failure| failure.at_connect(&http.shown))
}

#[async_trait]
impl Engine for DatabricksWarehouse {
    const DIALECT: Dialect = Dialect::Databricks;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (tables, version) = self.run_with_timeout(introspect::read_catalog(&self.http, introspect::PAGE)).await?;
        let catalog = Catalog {
            database: self.http.server.database_name(),
            dialect: Self::DIALECT,
            search_path: self
                .http
                .warehouse
                .schema
                .iter()
                .flat_map(|schema| [schema.clone(), self.http.warehouse.catalog.clone()])
                .collect(),
            // Databricks resolves built-in functions first, so that no function of the owner can replace one.
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables,
        };
        Ok(fingerprint::set_fingerprint(catalog, &version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let described = self.run_with_timeout(self.http.query_rows(&format!("DESCRIBE QUERY\n{sql}"))).await?;
        let columns = described.into_iter().filter_map(|row| {
            let mut cells = row.into_iter().map(Option::unwrap_or_default);
            Some((cells.next()?, cells.next()?))
        });
        Ok(Checked::from_columns(cells::result_columns(&build_schema(&column::build_decoders(columns)))))
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (http, runtime, rows) = (self.http.clone(), Handle::current(), limits.rows);
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::run_statement(http, &runtime, sql, rows, sink)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.run_with_timeout(rights::read_safety_layers(&self.http)).await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {}
}

#[cfg(test)]
mod tests;
