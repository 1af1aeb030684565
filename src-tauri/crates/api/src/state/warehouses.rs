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
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::sync::{OnceCell, watch};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, InferredKeys, Profile, ScanLimits};
use vitrine_federation::{FederatedWarehouse, FetchLimits};
use vitrine_store::PreviewSettings;
use vitrine_values::ValueIndex;
use vitrine_warehouse::{Warehouse, WarehouseKind};

/// Progress of preparing a warehouse.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Readiness {
    /// True if the profile and inferred keys are complete, or will not become complete.
    pub(crate) profiled: bool,
    /// The state that front ends receive.
    pub(crate) state: Preparation,
}

/// An open warehouse with the data that is known about it so far.
pub(crate) struct OpenWarehouse {
    pub(crate) uri: String,
    pub(crate) title: String,
    pub(crate) kind: WarehouseKind,
    /// Executes queries of users and models; only approved ones if the connection requires that.
    pub(crate) warehouse: Arc<dyn Warehouse>,
    /// Executes the program's own queries for profile, values and keys, when the user requests the preparation.
    pub(crate) own_reads: Arc<dyn Warehouse>,
    /// The catalog as the database declares it.
    pub(crate) declared: Arc<Catalog>,
    /// The declared catalog with the inferred keys that are known so far.
    pub(crate) effective: RwLock<Arc<Catalog>>,
    pub(crate) inferred: RwLock<Arc<InferredKeys>>,
    /// Profile of the tables read so far; a question uses a snapshot of it.
    pub(crate) profile: RwLock<Arc<Profile>>,
    pub(crate) values: RwLock<Option<Arc<ValueIndex>>>,
    pub(crate) schema_size: SchemaSize,
    /// Search index of its tables.
    pub(crate) tables: Mutex<Option<Arc<TableIndex>>>,
    pub(crate) readiness: watch::Sender<Readiness>,
    /// The schemas that are in scope; empty for all.
    pub(crate) scope: Vec<String>,
    /// State of reading the profile and values.
    pub(crate) background: Background,
    /// Limits for reading ahead, if that is bounded.
    pub(crate) previews: PreviewSettings,
    /// Limits on the bytes that queries may be billed for.
    pub(crate) scans: ScanLimits,
    /// True if the preparation starts with the first question; otherwise it starts only on request.
    pub(crate) read_ahead: bool,
    pub(crate) cancel: CancellationToken,
    /// Stamp of the file when it was read.
    pub(crate) stamp: Mutex<Stamp>,
    pub(crate) path: Option<PathBuf>,
}

impl OpenWarehouse {
    /// Returns tables and columns with declared and inferred keys, as a snapshot.
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

    /// Returns the key of the value index. It contains the scope, because the index of a wider scope contains values that must not be
    /// accessible.
    pub(crate) fn index_key(&self) -> String {
        if self.scope.is_empty() { self.uri.clone() } else { format!("{} {}", self.uri, self.scope.join(",")) }
    }

    pub(crate) fn preparation(&self) -> Preparation {
        self.readiness.borrow().state.clone()
    }
}

/// A warehouse that joins several sources, with the sources.
pub(crate) struct JoinedSources {
    pub(crate) warehouse: Arc<FederatedWarehouse>,
    /// The sources by name.
    pub(crate) opened: Vec<(String, Arc<OpenWarehouse>)>,
    pub(crate) bounds: FetchLimits,
}

impl JoinedSources {
    pub(crate) fn find_source(&self, name: &str) -> Option<&OpenWarehouse> {
        self.opened.iter().find(|(own, _)| own == name).map(|(_, open)| open.as_ref())
    }

    /// Returns true if it joins these open warehouses within these limits. A warehouse that was opened again is another one.
    pub(crate) fn joins(&self, opened: &[(String, Arc<OpenWarehouse>)], bounds: FetchLimits) -> bool {
        let mut pairs = self.opened.iter().zip(opened);
        self.bounds == bounds
            && self.opened.len() == opened.len()
            && pairs.all(|(own, other)| own.0 == other.0 && Arc::ptr_eq(&own.1, &other.1))
    }
}

type Cell = Arc<OnceCell<Arc<OpenWarehouse>>>;

/// All open warehouses by address. Concurrent questions to one address open it once.
#[derive(Default)]
pub(crate) struct OpenWarehouses {
    cells: Mutex<HashMap<String, Cell>>,
    /// Addresses that the user has entered or chosen since the program started.
    confirmed: Mutex<HashSet<String>>,
    /// Addresses that are read with another connection's login and limits, with the address of that connection.
    lent: Mutex<HashMap<String, String>>,
    /// Warehouses that join several sources, by address.
    federated: Mutex<HashMap<String, Arc<JoinedSources>>>,
    /// Maximum number of rows that a table may deliver to a join; 0 for the usual number.
    fetched_rows: AtomicU64,
    openings: Waits,
    asking: Waits,
    pub(crate) sample: tokio::sync::Mutex<()>,
}

impl OpenWarehouses {
    pub(crate) fn warehouse_cell(&self, uri: &str) -> Cell {
        let mut cells = self.cells.lock();
        cells.entry(uri.to_owned()).or_default().clone()
    }

    /// Returns the warehouse of an address if it is already open.
    pub(crate) fn opened_before(&self, key: &str) -> Option<Arc<OpenWarehouse>> {
        self.cells.lock().get(key).and_then(|cell| cell.get().cloned())
    }

    pub(crate) fn confirmed_addresses(&self) -> parking_lot::MutexGuard<'_, HashSet<String>> {
        self.confirmed.lock()
    }

    /// Lets an address use the limits of a connection, until the program ends.
    pub(crate) fn lend_connection(&self, address: &str, lender: &str) {
        if address != lender {
            self.lent.lock().insert(address.to_owned(), lender.to_owned());
        }
    }

    /// Returns the address of the connection whose limits apply to an address: its own, or that of its lender.
    pub(crate) fn lender_of(&self, address: &str) -> String {
        self.lent.lock().get(address).cloned().unwrap_or_else(|| address.to_owned())
    }

    pub(crate) fn add_federated(&self, address: &str, joined: JoinedSources) {
        self.federated.lock().insert(address.to_owned(), Arc::new(joined));
    }

    /// Returns the joined sources of an address.
    pub(crate) fn federated(&self, address: &str) -> Option<Arc<JoinedSources>> {
        self.federated.lock().get(address).cloned()
    }

    pub(crate) fn fetched_rows(&self) -> u64 {
        self.fetched_rows.load(Ordering::Relaxed)
    }

    pub(crate) fn set_fetched_rows(&self, rows: u64) {
        self.fetched_rows.store(rows, Ordering::Relaxed);
    }

    /// Returns the waits for warehouses that are being opened.
    pub(crate) fn opening_waits(&self) -> &Waits {
        &self.openings
    }

    /// Returns the waits for SQL requests of the window.
    pub(crate) fn query_waits(&self) -> &Waits {
        &self.asking
    }

    /// Returns the addresses of all warehouses that are open or being opened.
    pub(crate) fn addresses(&self) -> Vec<String> {
        self.cells.lock().keys().cloned().collect()
    }

    pub(crate) fn remove_open(&self, uri: &str) -> Option<Arc<OpenWarehouse>> {
        let mut cells = self.cells.lock();
        cells.remove(uri).and_then(|cell| cell.get().cloned())
    }

    /// Replaces the open warehouse of an address, and returns the old one.
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
