//! The one door to a warehouse: an address decides on the engine.

use crate::ddl::SchemaWarehouse;
use crate::duck::DuckWarehouse;
use crate::files;
use crate::postgres::PostgresWarehouse;
use crate::run::blocking;
use crate::sqlite::SqliteWarehouse;
use crate::{OpenOptions, Warehouse, WarehouseError, WarehouseKind, WarehouseUri};
use std::path::Path;
use std::sync::Arc;

/// Opens a warehouse with the default options.
pub async fn open(uri: &WarehouseUri) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    open_with(uri, &OpenOptions::default()).await
}

/// Opens a warehouse.
pub async fn open_with(uri: &WarehouseUri, options: &OpenOptions) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    if let Some(server) = uri.server() {
        return Ok(Arc::new(PostgresWarehouse::open(server.clone(), options).await?));
    }
    let (kind, options) = (uri.kind(), options.clone());
    let path = uri.path().map(Path::to_path_buf).unwrap_or_default();
    blocking(move || -> Result<Arc<dyn Warehouse>, WarehouseError> {
        Ok(match kind {
            WarehouseKind::Sqlite => Arc::new(SqliteWarehouse::open(&path, &options)?),
            WarehouseKind::Duckdb => Arc::new(DuckWarehouse::open_database(&path, &options)?),
            WarehouseKind::File => Arc::new(files::open(&path, &options)?),
            WarehouseKind::Ddl => Arc::new(SchemaWarehouse::open(&path)?),
            WarehouseKind::Postgres => return Err(WarehouseError::NotFound { path }),
        })
    })
    .await
}
