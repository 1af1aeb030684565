//! Opens a warehouse with the engine that its address requires.

use crate::cage::CagedWarehouse;
use crate::engines::bigquery::BigqueryWarehouse;
use crate::engines::clickhouse::ClickhouseWarehouse;
use crate::engines::databricks::DatabricksWarehouse;
use crate::engines::ddl::SchemaWarehouse;
use crate::engines::duck::DuckWarehouse;
use crate::engines::motherduck::MotherduckWarehouse;
use crate::engines::mysql::MysqlWarehouse;
use crate::engines::postgres::PostgresWarehouse;
use crate::engines::sqlite::SqliteWarehouse;
use crate::files;
use crate::run::run_blocking;
use crate::scope::ScopedWarehouse;
use crate::server::ServerKind;
use crate::{OpenOptions, Warehouse, WarehouseError, WarehouseKind, WarehouseUri};
use std::path::Path;
use std::sync::Arc;

/// Opens a warehouse with the default options.
pub async fn open_warehouse(uri: &WarehouseUri) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    open_with(uri, &OpenOptions::default()).await
}

/// Opens a warehouse, restricted to the schemas of the options.
pub async fn open_with(uri: &WarehouseUri, options: &OpenOptions) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    let warehouse = open_whole(uri, options).await?;
    if options.schemas.is_empty() {
        return Ok(warehouse);
    }
    Ok(Arc::new(ScopedWarehouse::new(warehouse, options.schemas.clone(), find_schema_container(uri))))
}

/// Returns the container of an address's schemas (project, database or catalog) if table names have three parts.
fn find_schema_container(uri: &WarehouseUri) -> Option<String> {
    let of_server = || {
        let server = uri.server_address()?;
        let database = server.database_name();
        match server.kind() {
            ServerKind::Snowflake => Some(database),
            // The database is `CATALOG.SCHEMA`.
            ServerKind::Databricks => database.split('.').next().map(str::to_owned),
            _ => None,
        }
    };
    uri.project_address().map(|address| address.project().to_owned()).or_else(of_server).filter(|name| !name.is_empty())
}

/// Opens a warehouse without its scope. Only PostgreSQL gets the scope here, to read a smaller catalog. The futures are
/// boxed, because together in one frame they would take a large part of a thread's stack.
async fn open_whole(uri: &WarehouseUri, options: &OpenOptions) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    if let Some(server) = uri.server_address() {
        return Ok(match server.kind() {
            ServerKind::Postgres => Arc::new(Box::pin(PostgresWarehouse::open(server.clone(), options)).await?),
            ServerKind::Mysql => Arc::new(Box::pin(MysqlWarehouse::open(server.clone(), options)).await?),
            ServerKind::Clickhouse => Arc::new(Box::pin(ClickhouseWarehouse::open(server.clone(), options)).await?),
            ServerKind::Databricks => Arc::new(Box::pin(DatabricksWarehouse::open(server.clone(), options)).await?),
            ServerKind::Motherduck => Arc::new(Box::pin(MotherduckWarehouse::open(server.clone(), options)).await?),
            ServerKind::Snowflake => Arc::new(Box::pin(CagedWarehouse::of_driver(uri, options)).await?),
        });
    }
    if let Some(address) = uri.project_address() {
        return Ok(Arc::new(Box::pin(BigqueryWarehouse::open(address.clone(), options)).await?));
    }
    let kind = uri.kind();
    if kind == WarehouseKind::Adbc {
        return Ok(Arc::new(Box::pin(CagedWarehouse::of_driver(uri, options)).await?));
    }
    if let Some(program) = options.engine.clone().filter(|_| kind != WarehouseKind::Ddl) {
        return Ok(Arc::new(Box::pin(CagedWarehouse::open(program, uri, options)).await?));
    }
    let options = options.clone();
    let path = uri.path().map(Path::to_path_buf).unwrap_or_default();
    run_blocking(move || -> Result<Arc<dyn Warehouse>, WarehouseError> {
        Ok(match kind {
            WarehouseKind::Sqlite => Arc::new(SqliteWarehouse::open(&path, &options)?),
            WarehouseKind::Duckdb => Arc::new(DuckWarehouse::open_database(&path, &options)?),
            WarehouseKind::File => Arc::new(files::open_files(&path, &options)?),
            WarehouseKind::Ddl => Arc::new(SchemaWarehouse::open(&path)?),
            WarehouseKind::Postgres
            | WarehouseKind::Mysql
            | WarehouseKind::Bigquery
            | WarehouseKind::Snowflake
            | WarehouseKind::Clickhouse
            | WarehouseKind::Databricks
            | WarehouseKind::Motherduck
            | WarehouseKind::Adbc => return Err(WarehouseError::NotFound { path }),
        })
    })
    .await
}
