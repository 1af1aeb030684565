//! Several warehouses that one query joins, under one address: `sources:{"plan":"file:/targets.csv","shop":"sqlite:/shop.db"}`.

use crate::app::App;
use crate::audited::AuditedWarehouse;
use crate::state::background::Background;
use crate::state::schema_size::SchemaSize;
use crate::state::stamp::Stamp;
use crate::state::warehouses::{JoinedSources, OpenWarehouse, Readiness};
use crate::types::Preparation;
use futures::future::BoxFuture;
use parking_lot::{Mutex, RwLock};
use std::collections::BTreeMap;
use std::sync::Arc;
use tokio::sync::watch;
use vitrine_domain::{AppError, ErrorCode, InferredKey, KeyReference, Profile, ScanLimits, TableProfile};
use vitrine_federation::{FederatedWarehouse, FetchLimits, Source, SourceRead, check_source_name};
use vitrine_store::QueryAuthor;
use vitrine_warehouse::{OpenOptions, Warehouse, WarehouseKind, WarehouseUri};
use vitrine_words::tr;

/// The beginning of the address of several warehouses.
const SCHEME: &str = "sources:";

/// Returns true if an address names several warehouses.
pub fn is_joined_address(address: &str) -> bool {
    parse_joined(address).is_some()
}

/// Returns the names and addresses of the warehouses in an address.
pub(crate) fn parse_joined(address: &str) -> Option<BTreeMap<String, String>> {
    serde_json::from_str(address.strip_prefix(SCHEME)?).ok()
}

/// Returns the storable form of an address, without passwords.
pub(crate) fn redact_sources(address: &str) -> String {
    let Some(mut sources) = parse_joined(address) else { return WarehouseUri::redact_address(address) };
    sources.values_mut().for_each(|own| *own = WarehouseUri::redact_address(own));
    format!("{SCHEME}{}", serde_json::to_string(&sources).unwrap_or_default())
}

/// Returns the title of an address with several warehouses.
pub(crate) fn joined_title(address: &str) -> Option<String> {
    parse_joined(address).map(|sources| sources.into_keys().collect::<Vec<_>>().join(" + "))
}

/// Splits `NAME=ADDRESS`. `None` if the text before the first `=` cannot be meant as a name.
///
/// # Errors
/// That the name cannot be used.
pub fn split_source(text: &str) -> Result<Option<(String, String)>, AppError> {
    let Some((name, address)) = text.split_once('=') else { return Ok(None) };
    let (name, address) = (name.trim(), address.trim());
    if name.contains(['/', '\\', ':', '?', '@']) || address.is_empty() {
        return Ok(None);
    }
    match check_source_name(name) {
        Ok(()) => Ok(Some((name.to_owned(), address.to_owned()))),
        Err(fault) => Err(AppError::new(ErrorCode::Usage, fault.describe(&WarehouseUri::redact_address(name)))
            .with_hint(tr!("Write --warehouse NAME=ADDRESS, such as --warehouse plan=targets.csv"))),
    }
}

impl App {
    /// Opens several warehouses and returns the address of all. A query on it names tables as `NAME.table`.
    ///
    /// # Errors
    /// When a name is used twice, or a warehouse cannot be opened.
    pub async fn join_warehouses(&self, given: Vec<(String, String)>) -> Result<String, AppError> {
        let mut sources: BTreeMap<String, String> = BTreeMap::new();
        for (name, address) in given {
            if let Some(twice) = sources.keys().find(|known| known.eq_ignore_ascii_case(&name)) {
                let message = tr!("Two sources are named '{name}'", name = twice);
                return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("Give each source its own name")));
            }
            let open = self.ensure_open(&address).await.map_err(|error| of_source(&name, error))?;
            if !open.kind.info().has_rows {
                return Err(of_source(&name, vitrine_warehouse::WarehouseError::SchemaOnly.into()));
            }
            sources.insert(name, open.uri.clone());
        }
        Ok(format!("{SCHEME}{}", serde_json::to_string(&sources).unwrap_or_default()))
    }

    /// Sets the maximum number of rows that a table may deliver to a join, until the program ends.
    pub fn limit_fetched_rows(&self, rows: u64) {
        self.inner.warehouses.set_fetched_rows(rows);
    }

    /// Returns the queries that the sources of an address ran for the latest query on it.
    pub async fn source_reads(&self, address: &str) -> Vec<SourceRead> {
        self.inner.warehouses.federated(address).map(|joined| joined.warehouse.last_reads()).unwrap_or_default()
    }

    /// Returns the open warehouse of several sources, composed again if one of them has changed.
    pub(crate) fn open_sources<'a>(
        &'a self,
        address: &'a str,
        sources: BTreeMap<String, String>,
    ) -> BoxFuture<'a, Result<Arc<OpenWarehouse>, AppError>> {
        Box::pin(async move {
            let mut opened = Vec::new();
            for (name, own) in sources {
                let open = self.ensure_open(&own).await.map_err(|error| of_source(&name, error))?;
                opened.push((name, open));
            }
            let bounds = match self.inner.warehouses.fetched_rows() {
                0 => FetchLimits::default(),
                rows => FetchLimits { rows, ..FetchLimits::default() },
            };
            if let Some(known) = self.inner.warehouses.opened_before(address)
                && self.inner.warehouses.federated(address).is_some_and(|joined| joined.joins(&opened, bounds))
            {
                return Ok(known);
            }
            let source = |(name, open): &(String, Arc<OpenWarehouse>), warehouse| Source {
                name: name.clone(),
                warehouse,
                catalog: Arc::clone(&open.declared),
            };
            let audited = |open: &OpenWarehouse| self.audit_source(open, Arc::clone(&open.warehouse));
            let parts: Vec<Source> = opened.iter().map(|open| source(open, audited(&open.1))).collect();
            let own: Vec<Source> = opened.iter().map(|open| source(open, Arc::clone(&open.1.own_reads))).collect();
            let options = OpenOptions {
                memory_bytes: u64::from(self.settings().await?.memory_mb) << 20,
                ..OpenOptions::default()
            };
            let folder = self.inner.options.folders.results();
            let own_reads = Arc::new(FederatedWarehouse::new(own, folder.clone(), options.clone(), bounds));
            let warehouse = Arc::new(FederatedWarehouse::new(parts, folder, options, bounds));
            let catalog = warehouse.catalog();
            let mut read_ahead = true;
            for (_, open) in &opened {
                read_ahead &= open.read_ahead && !self.requires_approval(&open.uri).await?;
            }
            self.inner
                .warehouses
                .add_federated(address, JoinedSources { warehouse: Arc::clone(&warehouse), opened, bounds });
            let state =
                Preparation { uri: address.to_owned(), tables: catalog.tables.len() as u32, ..Preparation::default() };
            let open = Arc::new(OpenWarehouse {
                uri: address.to_owned(),
                title: joined_title(address).unwrap_or_default(),
                // The local engine reads data files, as the default kind does.
                kind: WarehouseKind::default(),
                warehouse,
                own_reads,
                profile: RwLock::new(Arc::new(Profile {
                    fingerprint: catalog.fingerprint.clone(),
                    ..Profile::default()
                })),
                effective: RwLock::new(Arc::clone(&catalog)),
                inferred: RwLock::default(),
                declared: catalog,
                values: RwLock::default(),
                schema_size: SchemaSize::default(),
                tables: Mutex::default(),
                readiness: watch::channel(Readiness { profiled: false, state }).0,
                scope: Vec::new(),
                background: Background::default(),
                previews: Default::default(),
                scans: ScanLimits::default(),
                read_ahead,
                cancel: self.inner.ending.child_token(),
                stamp: Mutex::new(Stamp::from_path(None).await),
                path: None,
            });
            if let Some(before) = self.inner.warehouses.replace(Arc::clone(&open)) {
                before.cancel.cancel();
            }
            self.take_prepared(&open).await;
            Ok(open)
        })
    }
}

impl App {
    /// Returns a source that records its queries in the audit log.
    pub(crate) fn audit_source(&self, open: &OpenWarehouse, inner: Arc<dyn Warehouse>) -> Arc<dyn Warehouse> {
        let audit = self.create_auditor(&open.uri, None).with_author(QueryAuthor::App);
        Arc::new(AuditedWarehouse { inner, audit })
    }

    /// Returns the profile of all sources, after waiting for that of each, and the keys that were inferred within them.
    pub(crate) async fn joined_profile(
        &self,
        open: &OpenWarehouse,
        sources: BTreeMap<String, String>,
    ) -> Result<(Profile, Vec<InferredKey>), AppError> {
        let (mut tables, mut keys, mut complete) = (Vec::new(), Vec::new(), true);
        let Some(joined) = self.inner.warehouses.federated(&open.uri) else { return Ok(Default::default()) };
        for (name, address) in sources {
            let source = self.ensure_open(&address).await.map_err(|error| of_source(&name, error))?;
            if source.read_ahead && !self.requires_approval(&source.uri).await? {
                self.whole_profile(&address).await.map_err(|error| of_source(&name, error))?;
            }
            let profile = source.profile();
            complete &= profile.complete;
            tables.extend(profile.tables.iter().map(|table| TableProfile {
                table: joined.warehouse.joined_name(&name, &table.table),
                ..table.clone()
            }));
            keys.extend(self.used_keys(&source).await?.into_iter().map(|row| {
                let key = row.key;
                let references = key
                    .references
                    .map(|to| KeyReference { table: joined.warehouse.joined_name(&name, &to.table), ..to });
                InferredKey { table: joined.warehouse.joined_name(&name, &key.table), references, ..key }
            }));
        }
        Ok((Profile { fingerprint: open.declared.fingerprint.clone(), tables, complete }, keys))
    }
}

fn of_source(name: &str, error: AppError) -> AppError {
    let message = tr!("{source}: {message}", source = name, message = error.message);
    AppError { message, ..error }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_several_sources_is_stored_without_passwords() {
        let address = r#"sources:{"crm":"postgres://ann:hidden@host/crm","plan":"file:/targets.csv"}"#;
        let stored = redact_sources(address);
        let sources = parse_joined(&stored).unwrap();
        assert!(!stored.contains("hidden"), "{stored}");
        assert!(sources["crm"].contains("host/crm"), "{stored}");
        assert_eq!(sources["plan"], "file:/targets.csv");
    }
}
