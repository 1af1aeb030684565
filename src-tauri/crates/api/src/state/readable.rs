//! The source of rows for the background work: the warehouse, or a copy of a bounded sample if reading may be billed.

use crate::state::warehouses::OpenWarehouse;
use std::sync::Arc;
use vitrine_catalog::KeyOptions;
use vitrine_domain::{AppError, Catalog};
use vitrine_warehouse::{HeldWarehouse, PreviewCopy, PreviewOptions, Warehouse, preview_copy};

/// A source of rows with its catalog.
pub(crate) struct Readable {
    /// The warehouse to query; queries wait while the background work is paused.
    pub(crate) warehouse: Arc<dyn Warehouse>,
    /// Tables of the source; column types differ in a copy.
    pub(crate) catalog: Arc<Catalog>,
    /// The copy, if the source is one; its file is deleted on drop.
    pub(crate) copy: Option<PreviewCopy>,
}

impl Readable {
    /// Returns the warehouse, or copies a sample of it if reading ahead is bounded.
    pub(crate) async fn from_warehouse(open: &OpenWarehouse) -> Result<Self, AppError> {
        let held = |warehouse: &Arc<dyn Warehouse>| -> Arc<dyn Warehouse> {
            Arc::new(HeldWarehouse::new(Arc::clone(warehouse), open.background.watch_held()))
        };
        let warehouse = held(&open.own_reads);
        if !open.kind.info().reading_ahead.is_bounded() {
            return Ok(Self { warehouse, catalog: Arc::clone(&open.declared), copy: None });
        }
        let options = PreviewOptions {
            rows: u64::from(open.previews.rows),
            tables: if open.previews.rows == 0 { 0 } else { open.previews.tables as usize },
        };
        let copy = preview_copy(warehouse, &open.declared, options, open.cancel.clone()).await?;
        Ok(Self { warehouse: held(&copy.warehouse), catalog: Arc::new(copy.catalog.clone()), copy: Some(copy) })
    }

    /// Returns the options for inferring keys from this source.
    pub(crate) fn key_options(&self) -> KeyOptions {
        KeyOptions { copied: self.copy.is_some(), ..KeyOptions::default() }
    }
}
