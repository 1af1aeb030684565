//! Opens the local engine over the tables of a join.

use crate::joined::JoinedTable;
use crate::{OpenOptions, Warehouse, WarehouseError, WarehouseKind, WarehouseUri, open_with};
use std::path::Path;
use std::sync::Arc;

/// Opens the tables of a join. The engine may read only their files, which are in `folder`.
///
/// # Errors
/// If the engine cannot be started, or a column has values that its type in the local engine cannot hold.
pub async fn open_joined(
    folder: &Path,
    tables: Vec<JoinedTable>,
    options: &OpenOptions,
) -> Result<Arc<dyn Warehouse>, WarehouseError> {
    let options = OpenOptions { joined: Some(tables), ..options.clone() };
    // The default kind reads data files.
    open_with(&WarehouseUri::new(WarehouseKind::default(), folder), &options).await
}
