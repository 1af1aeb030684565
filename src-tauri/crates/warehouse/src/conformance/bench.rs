//! Tools of the checks: the open database, queries of any size that read no table, and a second connection that
//! observes the server.

use crate::cage::CagedWarehouse;
use crate::engine::Engine;
use crate::engines::clickhouse::ClickhouseWarehouse;
use crate::engines::mysql::MysqlWarehouse;
use crate::engines::postgres::PostgresWarehouse;
use crate::{
    Limits, OpenOptions, ServerKind, Warehouse, WarehouseError, WarehouseKind, WarehouseUri, connect, prove_read_only,
    read_page,
};
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
        let program = options.engine.clone().filter(|_| uri.path().is_some() && uri.kind() != WarehouseKind::Ddl);
        let (warehouse, caged): (Arc<dyn Warehouse>, _) = match program {
            None if uri.driver_name().is_some() => {
                let caged = Arc::new(CagedWarehouse::of_driver(uri, options).await?);
                (caged.clone(), Some(caged))
            }
            Some(program) => {
                let caged = Arc::new(CagedWarehouse::open(program, uri, options).await?);
                (caged.clone(), Some(caged))
            }
            None => (connect::open_with(uri, options).await?, None),
        };
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

    /// Runs a query about the server's state, such as other sessions of this login, which users' queries may not
    /// contain. Returns `None` without a server, or if the server does not support it.
    pub async fn query_server_state(&self, sql: &str) -> Option<Result<Page, WarehouseError>> {
        let server = self.uri.server_address()?.clone();
        Some(match server.kind() {
            ServerKind::Postgres => match PostgresWarehouse::open(server, &self.options).await {
                Ok(observer) => query_engine(&observer, sql).await,
                Err(error) => Err(error),
            },
            ServerKind::Mysql => match MysqlWarehouse::open(server, &self.options).await {
                Ok(observer) => query_engine(&observer, sql).await,
                Err(error) => Err(error),
            },
            ServerKind::Clickhouse => match ClickhouseWarehouse::open(server, &self.options).await {
                Ok(observer) => query_engine(&observer, sql).await,
                Err(error) => Err(error),
            },
            // Snowflake and Databricks list other statements through a separate API that this suite does not use;
            // MotherDuck uses a table that contains statements of other users.
            ServerKind::Snowflake | ServerKind::Databricks | ServerKind::Motherduck => return None,
        })
    }

    /// Returns the text after SELECT for the sessions of this login that run a query containing this name, without the
    /// observing session.
    pub fn sessions_from_clause(&self, name: &str) -> String {
        match self.dialect() {
            Dialect::Mysql => format!(
                "FROM information_schema.processlist WHERE command <> 'Sleep' AND user = SUBSTRING_INDEX(USER(), '@', 1)
                   AND id <> CONNECTION_ID() AND info LIKE '%{name}%'"
            ),
            Dialect::Clickhouse => {
                format!(
                    "FROM system.processes WHERE user = currentUser() AND query LIKE '%{name}%' AND query NOT LIKE '%system.processes%'"
                )
            }
            _ => format!(
                "FROM pg_stat_activity WHERE state = 'active' AND usename = current_user AND pid <> pg_backend_pid()
                   AND query LIKE '%{name}%'"
            ),
        }
    }

    /// Terminates these sessions on the server. Returns true if there were any; `None` without a server.
    pub async fn end_sessions(&self, name: &str) -> Option<Result<bool, WarehouseError>> {
        let from = self.sessions_from_clause(name);
        let server = self.uri.server_address()?;
        let of = match server.kind() {
            ServerKind::Postgres => "pg_terminate_backend(pid)",
            ServerKind::Mysql => "id",
            ServerKind::Clickhouse => "query_id",
            ServerKind::Snowflake | ServerKind::Databricks | ServerKind::Motherduck => return None,
        };
        let found = match self.query_server_state(&format!("SELECT {of} {from}")).await? {
            Ok(page) => page.rows,
            Err(error) => return Some(Err(error)),
        };
        if server.kind() == ServerKind::Clickhouse {
            let observer = match ClickhouseWarehouse::open(server.clone(), &self.options).await {
                Ok(observer) => observer,
                Err(error) => return Some(Err(error)),
            };
            for id in found.iter().filter_map(|row| row.first()?.as_deref()) {
                observer.end_query(id).await;
            }
        }
        if server.kind() == ServerKind::Mysql {
            let observer = match MysqlWarehouse::open(server.clone(), &self.options).await {
                Ok(observer) => observer,
                Err(error) => return Some(Err(error)),
            };
            for id in found.iter().filter_map(|row| row.first()?.as_deref()?.parse().ok()) {
                observer.end_session(id).await;
            }
            observer.close_idle_connections();
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

async fn query_engine(engine: &impl Engine, sql: &str) -> Result<Page, WarehouseError> {
    let batches = engine.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
    let page = read_page(batches, u64::MAX).await;
    engine.close_idle_connections();
    page
}
