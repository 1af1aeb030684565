//! Open warehouses, with their profiles, keys and value indexes.

use crate::state::background::Background;
use crate::state::schema_size::SchemaSize;
use crate::state::stamp::Stamp;
use crate::state::table_index::TableIndex;
use crate::state::waits::Waits;
use crate::types::Preparation;
use parking_lot::{Mutex, RwLock};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, InferredKeys, Profile, ScanLimits};
use vitrine_store::PreviewSettings;
use vitrine_values::ValueIndex;
use vitrine_warehouse::{Warehouse, WarehouseKind};

/// How far a warehouse is.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Readiness {
    /// The profile is whole and keys are inferred from it, or will not become so.
    pub(crate) profiled: bool,
    /// What front ends see.
    pub(crate) state: Preparation,
}

/// An open warehouse and what is known about it so far.
pub(crate) struct OpenWarehouse {
    pub(crate) uri: String,
    pub(crate) title: String,
    pub(crate) kind: WarehouseKind,
    /// What queries of users and models go to: it runs only what was approved, where the connection says so.
    pub(crate) warehouse: Arc<dyn Warehouse>,
    /// What the program itself reads profile, values and keys with, when the user has them read.
    pub(crate) own_reads: Arc<dyn Warehouse>,
    /// The catalog as the database declares it.
    pub(crate) declared: Arc<Catalog>,
    /// The same with inferred keys, as far as they are known.
    pub(crate) effective: RwLock<Arc<Catalog>>,
    pub(crate) inferred: RwLock<Arc<InferredKeys>>,
    /// Grows while tables are read; a question takes the snapshot of its moment.
    pub(crate) profile: RwLock<Arc<Profile>>,
    pub(crate) values: RwLock<Option<Arc<ValueIndex>>>,
    pub(crate) schema_size: SchemaSize,
    /// What its tables are found by.
    pub(crate) tables: Mutex<Option<Arc<TableIndex>>>,
    pub(crate) readiness: watch::Sender<Readiness>,
    /// The schemas that it is opened with; all where there is none.
    pub(crate) scope: Vec<String>,
    /// The reading of profile and values.
    pub(crate) background: Background,
    /// What may be read ahead where that is bounded.
    pub(crate) previews: PreviewSettings,
    /// What queries may be billed for.
    pub(crate) scans: ScanLimits,
    /// Whether that begins with the first question; otherwise only when it is asked for.
    pub(crate) read_ahead: bool,
    /// Stops the background work.
    pub(crate) cancel: CancellationToken,
    /// What the file looked like when it was read.
    pub(crate) stamp: Mutex<Stamp>,
    pub(crate) path: Option<PathBuf>,
}

impl OpenWarehouse {
    /// Tables and columns with declared and inferred keys; a question takes the snapshot of its moment.
    pub(crate) fn catalog(&self) -> Arc<Catalog> {
        self.effective.read().clone()
    }

    pub(crate) fn inferred_keys(&self) -> Arc<InferredKeys> {
        self.inferred.read().clone()
    }

    pub(crate) fn profile(&self) -> Arc<Profile> {
        self.profile.read().clone()
    }

    pub(crate) fn value_index(&self) -> Option<Arc<ValueIndex>> {
        self.values.read().clone()
    }

    /// What its value index belongs to: one of a wider scope holds values that must not be seen.
    pub(crate) fn index_key(&self) -> String {
        if self.scope.is_empty() { self.uri.clone() } else { format!("{} {}", self.uri, self.scope.join(",")) }
    }

    pub(crate) fn preparation(&self) -> Preparation {
        self.readiness.borrow().state.clone()
    }
}

type Cell = Arc<OnceCell<Arc<OpenWarehouse>>>;

/// All open warehouses by address. Two questions to one address share its opening.
#[derive(Default)]
pub(crate) struct OpenWarehouses {
    cells: Mutex<HashMap<String, Cell>>,
    /// Addresses that the person has given since the program started.
    confirmed: Mutex<HashSet<String>>,
    openings: Waits,
    asking: Waits,
    pub(crate) sample: tokio::sync::Mutex<()>,
}

impl OpenWarehouses {
    pub(crate) fn warehouse_cell(&self, uri: &str) -> Cell {
        let mut cells = self.cells.lock();
        cells.entry(uri.to_owned()).or_default().clone()
    }

    /// The warehouse of an address, where it is open already.
    pub(crate) fn opened_before(&self, key: &str) -> Option<Arc<OpenWarehouse>> {
        self.cells.lock().get(key).and_then(|cell| cell.get().cloned())
    }

    pub(crate) fn confirmed_addresses(&self) -> parking_lot::MutexGuard<'_, HashSet<String>> {
        self.confirmed.lock()
    }

    /// What is being opened, so that it can be stopped.
    pub(crate) fn opening_waits(&self) -> &Waits {
        &self.openings
    }

    /// What is asked of warehouses by SQL for the window, so that it can be stopped.
    pub(crate) fn query_waits(&self) -> &Waits {
        &self.asking
    }

    /// The addresses of all that is open or opening.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.cells.lock().keys().cloned().collect()
    }

    pub(crate) fn remove_open(&self, uri: &str) -> Option<Arc<OpenWarehouse>> {
        let mut cells = self.cells.lock();
        cells.remove(uri).and_then(|cell| cell.get().cloned())
    }

    /// Replaces the warehouse that is open under an address, and returns the old one.
    pub(crate) fn replace(&self, open: Arc<OpenWarehouse>) -> Option<Arc<OpenWarehouse>> {
        let mut cells = self.cells.lock();
        let before = cells.insert(open.uri.clone(), Arc::new(OnceCell::new_with(Some(open))));
        before.and_then(|cell| cell.get().cloned())
    }

    pub(crate) async fn close_all(&self) {
        let cells = std::mem::take(&mut *self.cells.lock());
        for open in cells.values().filter_map(|cell| cell.get()) {
            open.cancel.cancel();
            open.warehouse.close().await;
        }
    }
}
