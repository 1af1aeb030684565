//! Tools of the checks: the open database, queries of any size that read no table, and a second connection that
//! observes the server.

use super::expressions::find_expressions;
use super::observer::{Expression, Observer};
use crate::cage::CagedWarehouse;
use crate::engines::Opened;
use crate::{Limits, OpenOptions, ServerAddress, Warehouse, WarehouseError, WarehouseUri, prove_read_only, read_page};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, Page};
use vitrine_sql::ReadOnlySql;

/// An open database with its catalog and options.
pub(super) struct Bench {
    pub uri: WarehouseUri,
    pub options: OpenOptions,
    pub digits: u32,
    pub catalog: Catalog,
    pub warehouse: Arc<dyn Warehouse>,
    caged: Option<Arc<CagedWarehouse>>,
}

impl Bench {
    pub async fn open(uri: &WarehouseUri, options: &OpenOptions, digits: u32) -> Result<Self, WarehouseError> {
        let engine = uri.kind().info();
        let Opened { warehouse, caged } = (engine.open)(uri, options).await?;
        // The scope would hide the process.
        let warehouse = if caged.is_some() { warehouse } else { engine.apply_scope(warehouse, uri, options) };
        let catalog = warehouse.load_catalog().await?;
        Ok(Self { uri: uri.clone(), options: options.clone(), digits, catalog, warehouse, caged })
    }

    pub async fn close(self) {
        self.warehouse.close().await;
    }

    /// Returns an unquoted name in the form that the database writes in a result.
    pub fn unquoted_name(&self, name: &str) -> String {
        if self.dialect() == Dialect::Snowflake { name.to_uppercase() } else { name.to_owned() }
    }

    pub fn dialect(&self) -> Dialect {
        self.catalog.dialect
    }

    /// Returns the expressions of every type with the values that the engine returns.
    pub fn expressions(&self) -> Option<&'static [Expression]> {
        self.uri.kind().info().expressions.or_else(|| find_expressions(self.dialect()))
    }

    pub fn prove_read_only(&self, sql: &str) -> Result<ReadOnlySql, String> {
        prove_read_only(sql, &self.catalog)
            .map_err(|rejection| format!("{sql} is not proven to be a read: {rejection}"))
    }

    pub async fn query_page(
        &self,
        sql: &str,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Page, WarehouseError> {
        let proven = self.prove_read_only(sql).map_err(WarehouseError::query)?;
        read_page(self.warehouse.run_query(&proven, limits, cancel).await?, u64::MAX).await
    }

    /// Returns the rows of a query that must succeed.
    pub async fn query_rows(&self, sql: &str) -> Result<Page, String> {
        self.query_page(sql, Limits::default(), CancellationToken::new())
            .await
            .map_err(|error| format!("{sql} gave {error}"))
    }

    /// Checks that a simple query still succeeds.
    pub async fn check_still_works(&self) -> Result<(), String> {
        let page = self.query_rows("SELECT 7 AS n").await.map_err(|error| format!("afterwards {error}"))?;
        let seven = page.rows.first().and_then(|row| row.first()?.as_deref()) == Some("7");
        if seven { Ok(()) } else { Err(format!("afterwards SELECT 7 gave {:?}", page.rows)) }
    }

    /// Builds a query over 10^`digits` rows of tables a0, a1 ... with a column d from 0 to 9.
    pub fn build_digits_query(select: &str, digits: u32) -> String {
        let values: Vec<String> = (1..10).map(|d| format!("SELECT {d}")).collect();
        let from: Vec<String> = (0..digits).map(|at| format!("x AS a{at}")).collect();
        format!(
            "WITH x AS (SELECT 0 AS d UNION ALL {}) SELECT {select} FROM {}",
            values.join(" UNION ALL "),
            from.join(" CROSS JOIN ")
        )
    }

    /// Builds a query that would take days, with a name by which it can be found on a server.
    pub fn build_endless_query(&self, name: &str) -> String {
        if self.dialect() == Dialect::Databricks {
            // Spark checks for cancellation between input rows, not inside a join of rows that it already has.
            return format!("SELECT sum(id % 7) AS {name} FROM range(100000000000000000)");
        }
        Self::build_digits_query(&format!("sum((a0.d + a13.d) % 7) AS {name}"), 14)
    }

    /// Returns the second connection to the server, and the server; `None` without a server, or if the server does not
    /// support it.
    fn observer(&self) -> Option<(&'static Observer, ServerAddress)> {
        Some((self.uri.kind().info().observer?, self.uri.server_address()?.clone()))
    }

    /// Runs a query about the server's state, such as other sessions of this login, which users' queries may not
    /// contain. Returns `None` without a server, or if the server does not support it.
    pub async fn query_server_state(&self, sql: &str) -> Option<Result<Page, WarehouseError>> {
        let (observer, server) = self.observer()?;
        Some((observer.query)(server, &self.options, sql).await)
    }

    /// Counts the sessions of this login that run a query containing this name; `None` if the server cannot be asked.
    pub async fn count_sessions(&self, name: &str) -> Option<Result<Page, WarehouseError>> {
        let (observer, _) = self.observer()?;
        self.query_server_state(&format!("SELECT count(*) {}", (observer.sessions)(name))).await
    }

    /// Reads a table or view that only the server's owner may read; `None` if the server cannot be asked.
    pub async fn read_secrets(&self) -> Option<Result<Page, WarehouseError>> {
        let (observer, _) = self.observer()?;
        self.query_server_state(observer.secrets).await
    }

    /// Terminates these sessions on the server. Returns true if there were any; `None` without a server.
    pub async fn end_sessions(&self, name: &str) -> Option<Result<bool, WarehouseError>> {
        let (observer, server) = self.observer()?;
        let sql = format!("SELECT {} {}", observer.session, (observer.sessions)(name));
        let found = match self.query_server_state(&sql).await? {
            Ok(page) => page.rows,
            Err(error) => return Some(Err(error)),
        };
        if let Some(end_sessions) = observer.end_sessions {
            let ids = found.iter().filter_map(|row| row.first()?.clone()).collect();
            if let Err(error) = end_sessions(server, &self.options, ids).await {
                return Some(Err(error));
            }
        }
        Some(Ok(!found.is_empty()))
    }

    /// Returns the ID of the process that runs an engine or driver, if it is not this process.
    pub async fn engine_id(&self) -> Option<u32> {
        match &self.caged {
            Some(caged) => caged.engine_id().await,
            None => None,
        }
    }

    /// Kills the process of an embedded engine. Returns true if it was killed.
    pub async fn end_engine(&self) -> bool {
        match &self.caged {
            Some(caged) => caged.end_engine().await,
            None => false,
        }
    }
}
