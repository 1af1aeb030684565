//! What the background reads rows from: the warehouse itself, or a copy of a bounded sample where reading may be billed.

use crate::state::warehouses::OpenWarehouse;
use std::sync::Arc;
use vitrine_catalog::KeyOptions;
use vitrine_domain::{AppError, Catalog};
use vitrine_warehouse::{HeldWarehouse, PreviewCopy, PreviewOptions, Warehouse, preview_copy};

/// Where rows are read.
pub(crate) struct Readable {
    /// Its queries wait while the background is paused.
    pub(crate) warehouse: Arc<dyn Warehouse>,
    /// Its tables; those of a copy have other types.
    pub(crate) catalog: Arc<Catalog>,
    /// The copy, where it is one; its file goes with it.
    pub(crate) copy: Option<PreviewCopy>,
}

impl Readable {
    /// Takes a sample where no more than that is read ahead; nothing is read otherwise.
    pub(crate) async fn from_warehouse(open: &OpenWarehouse) -> Result<Self, AppError> {
        let held = |warehouse: &Arc<dyn Warehouse>| -> Arc<dyn Warehouse> {
            Arc::new(HeldWarehouse::new(Arc::clone(warehouse), open.background.watch_held()))
        };
        let warehouse = held(&open.own_reads);
        if !open.kind.reading_ahead().is_bounded() {
            return Ok(Self { warehouse, catalog: Arc::clone(&open.declared), copy: None });
        }
        let options = PreviewOptions {
            rows: u64::from(open.previews.rows),
            tables: if open.previews.rows == 0 { 0 } else { open.previews.tables as usize },
        };
        let copy = preview_copy(warehouse, &open.declared, options, open.cancel.clone()).await?;
        Ok(Self { warehouse: held(&copy.warehouse), catalog: Arc::new(copy.catalog.clone()), copy: Some(copy) })
    }

    /// How keys are looked for in it.
    pub(crate) fn key_options(&self) -> KeyOptions {
        KeyOptions { copied: self.copy.is_some(), ..KeyOptions::default() }
    }
}
