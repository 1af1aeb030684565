//! Opens a warehouse with the engine that its address requires.

use crate::{OpenOptions, Warehouse, WarehouseError, WarehouseUri};
use std::sync::Arc;

/// Opens a warehouse with the default options.
pub async fn open_warehouse(uri: &WarehouseUri) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    open_with(uri, &OpenOptions::default()).await
}

/// Opens a warehouse, restricted to the schemas of the options.
pub async fn open_with(uri: &WarehouseUri, options: &OpenOptions) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    uri.kind().info().open_scoped(uri, options).await
}
