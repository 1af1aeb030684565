//! Open warehouses: one handle per address, opened once, and reloaded when its file changes.

use crate::app::App;
use crate::approvals::ApprovedWarehouse;
use crate::sign_in::FOREIGN;
use crate::sources::{joined_title, parse_joined};
use crate::state::background::Background;
use crate::state::schema_size::SchemaSize;
use crate::state::stamp::Stamp;
use crate::state::warehouses::{OpenWarehouse, Readiness};
use crate::state::work::{current_timestamp, run_blocking};
use crate::types::{Preparation, SampleQuestion, WarehouseEntry, WarehouseSummary};
use parking_lot::{Mutex, RwLock};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::watch;
use vitrine_catalog::{Effort, suggested_questions};
use vitrine_domain::{AppError, Definitions, ErrorCode, Profile};
use vitrine_store::RecentWarehouse;
use vitrine_warehouse::{OpenOptions, WarehouseError, WarehouseKind, WarehouseUri, duckdb_address};
use vitrine_words::{tr, translate_constant};

/// Name that is accepted instead of the sample's address.
pub const SAMPLE: &str = "sample";

impl App {
    /// Returns the sample and the warehouses used before, the latest first.
    pub async fn warehouses(&self) -> Result<Vec<WarehouseEntry>, AppError> {
        let sample = self.sample_uri();
        let (recent, connections) =
            self.with_store(|store| Ok((store.recent_warehouses()?, store.connections()?))).await?;
        let entry = |uri: String, last_used: String| {
            let known = WarehouseUri::parse(&uri).ok();
            let connection = connections.iter().find(|connection| connection.address == uri).cloned();
            WarehouseEntry {
                title: connection
                    .as_ref()
                    .map_or_else(|| self.warehouse_title(&uri), |connection| connection.name.clone()),
                kind: known.map_or_else(WarehouseKind::default, |uri| uri.kind()),
                is_sample: uri == sample,
                last_used,
                uri,
                connection,
            }
        };
        let mut entries: Vec<_> = recent.into_iter().map(|recent| entry(recent.uri, recent.last_used)).collect();
        let is_new = |address: &str| !entries.iter().any(|entry| entry.uri == address);
        let unused: Vec<_> = connections.iter().filter(|connection| is_new(&connection.address)).collect();
        entries.extend(unused.into_iter().map(|connection| entry(connection.address.clone(), String::new())));
        if !entries.iter().any(|entry| entry.is_sample) {
            entries.push(entry(sample.clone(), String::new()));
        }
        Ok(entries)
    }

    /// Opens a warehouse and remembers it: its catalog is read, its rows are not. The caller confirms that the user permits a connection to
    /// the address. `stop_opening` ends the attempt.
    pub async fn open_warehouse(&self, uri: String) -> Result<WarehouseSummary, AppError> {
        let opening = async {
            self.confirm_warehouse(&uri).await;
            self.ensure_open(&uri).await
        };
        let open = self.run_stoppable(&uri, opening).await?;
        self.remember_warehouse(&open).await?;
        let connection = self.connection_at(&open.uri).await?;
        Ok(WarehouseSummary {
            uri: open.uri.clone(),
            title: connection.as_ref().map_or_else(|| open.title.clone(), |connection| connection.name.clone()),
            kind: open.kind,
            dialect: open.declared.dialect,
            fingerprint: open.declared.fingerprint.clone(),
            tables: open.declared.tables.len() as u32,
            columns: open.declared.column_count() as u32,
            questions: collect_sample_questions(&open, open.uri == self.sample_uri()),
            connection,
            preparation: open.preparation(),
        })
    }

    /// Returns suggested questions, derived from the data that is known so far. Reads nothing.
    pub async fn sample_questions(&self, uri: String) -> Result<Vec<SampleQuestion>, AppError> {
        let open = self.ensure_open(&uri).await?;
        Ok(collect_sample_questions(&open, open.uri == self.sample_uri()))
    }

    /// Closes a warehouse, removes it from the list of used ones and forgets its password. The database, the runs on it and its connection
    /// are kept, a connection with its password.
    pub async fn forget_warehouse(&self, uri: String) -> Result<(), AppError> {
        self.forget_password(&uri).await?;
        self.inner.warehouses.confirmed_addresses().remove(&uri);
        self.mark_foreign(&uri, false).await?;
        if let Some(open) = self.inner.warehouses.remove_open(&uri) {
            open.cancel.cancel();
            open.warehouse.close().await;
        }
        match self.with_store(move |store| store.forget_warehouse(&uri)).await {
            Err(error) if error.code == ErrorCode::NotFound => Ok(()),
            other => other,
        }
    }

    /// Returns the address of the sample warehouse.
    pub fn sample_uri(&self) -> String {
        duckdb_address(self.inner.options.folders.sample_file()).to_string()
    }

    /// Returns true if opening this address creates the sample first, which takes some seconds.
    pub fn makes_sample(&self, uri: &str) -> bool {
        let sample = self.inner.options.folders.sample_file();
        (uri == SAMPLE || uri == self.sample_uri()) && !sample.exists()
    }

    /// Marks an address as entered or chosen by the user, until the program ends.
    pub async fn confirm_warehouse(&self, uri: &str) {
        if let Some(sources) = parse_joined(uri) {
            for address in sources.into_values() {
                Box::pin(self.confirm_warehouse(&address)).await;
            }
            return;
        }
        self.inner.warehouses.confirmed_addresses().insert(uri.to_owned());
        // The sample may have to be created first, and is always permitted. Errors in an address are reported when it is opened.
        if uri.trim() != SAMPLE
            && uri != self.sample_uri()
            && let Ok(resolved) = self.resolve_address(uri).await
        {
            let address = resolved.to_string();
            self.inner.warehouses.confirmed_addresses().insert(address.clone());
            // A connection that was imported with a workspace belongs to the user from now on.
            let kept = self.with_store(move |store| match store.connection_at(&address)? {
                Some(connection) if connection.used_at.is_none() => {
                    store.connection_used(&address, &current_timestamp())
                }
                _ => Ok(()),
            });
            if let Err(error) = kept.await {
                tracing::warn!(%error, "it is not kept that a connection was opened");
            }
        }
    }

    /// Adds a warehouse to the list of those used before.
    pub(crate) async fn remember_warehouse(&self, open: &OpenWarehouse) -> Result<(), AppError> {
        if let Some(sources) = parse_joined(&open.uri) {
            for address in sources.into_values() {
                let source = self.ensure_open(&address).await?;
                Box::pin(self.remember_warehouse(&source)).await?;
            }
            return Ok(());
        }
        self.mark_foreign(&open.uri, self.is_foreign(&open.uri).await?).await?;
        let recent =
            RecentWarehouse { uri: open.uri.clone(), title: open.title.clone(), last_used: current_timestamp() };
        self.with_store(move |store| {
            store.connection_used(&recent.uri, &recent.last_used)?;
            store.remember_warehouse(&recent)
        })
        .await
    }

    /// Returns an error for an address that the user has not opened on this computer. It may come from an imported run or question of
    /// another user, and viewing these must not open a connection. The address is not resolved, because resolving a path would already
    /// access it.
    async fn check_known_address(&self, uri: &str) -> Result<(), AppError> {
        let given = uri.trim() == SAMPLE
            || uri == self.sample_uri()
            || self.inner.warehouses.confirmed_addresses().contains(uri);
        if given {
            return Ok(());
        }
        let address = uri.to_owned();
        let known = self.with_store(move |store| {
            let used = store.recent_warehouses()?.iter().any(|known| known.uri == address);
            // A connection that was imported with a workspace also has to be opened by the user first.
            let Some(connection) = store.connection_at(&address)?.filter(|_| !used) else { return Ok(used) };
            let foreign = store.setting::<Vec<String>>(FOREIGN)?.is_some_and(|known| known.contains(&address));
            Ok(connection.used_at.is_some() || !foreign)
        });
        if known.await? {
            return Ok(());
        }
        let message = match WarehouseUri::parse_remote(uri) {
            Some(server) => tr!("{server} has not been opened here, and nothing was sent there", server),
            None => tr!("This data has not been opened here, and nothing of it was read"),
        };
        Err(AppError::new(ErrorCode::Unconfirmed, message).with_hint(tr!("Open it if you trust the address")))
    }

    /// Returns the open warehouse of an address, reloaded if its file has changed.
    pub(crate) async fn ensure_open(&self, uri: &str) -> Result<Arc<OpenWarehouse>, AppError> {
        self.run_stoppable(uri, self.open_or_known(uri)).await
    }

    async fn open_or_known(&self, uri: &str) -> Result<Arc<OpenWarehouse>, AppError> {
        if let Some(sources) = parse_joined(uri) {
            return self.open_sources(uri, sources).await;
        }
        self.check_known_address(uri).await?;
        let uri = self.resolve_address(uri).await?;
        let key = uri.to_string();
        let cell = self.inner.warehouses.warehouse_cell(&key);
        let open = cell.get_or_try_init(|| self.open_now(&uri)).await?.clone();
        let seen = Stamp::from_path(open.path.as_deref()).await;
        if *open.stamp.lock() == seen {
            return Ok(open);
        }
        if matches!(open.warehouse.load_catalog().await, Ok(catalog) if catalog.fingerprint == open.declared.fingerprint)
        {
            *open.stamp.lock() = seen;
            return Ok(open);
        }
        // Running questions keep the old handle until they end.
        open.cancel.cancel();
        self.inner.warehouses.remove_open(&key);
        let cell = self.inner.warehouses.warehouse_cell(&key);
        let again = cell.get_or_try_init(|| self.open_now(&uri)).await?.clone();
        if open.background.is_begun() {
            again.background.set_held(open.background.is_held());
            again.readiness.send_modify(|ready| ready.state.paused = open.background.is_held());
            self.begin_preparation(&again);
        }
        Ok(again)
    }

    /// Returns the address with an absolute path, so that a warehouse has the same name in every working directory.
    pub(crate) async fn resolve_address(&self, uri: &str) -> Result<WarehouseUri, AppError> {
        let uri = if uri.trim() == SAMPLE { self.sample_uri() } else { uri.to_owned() };
        if uri == self.sample_uri() {
            self.make_sample().await?;
        }
        run_blocking(move || {
            let named = vitrine_warehouse::with_service(&uri)
                .map_err(|reason| WarehouseError::Address { text: WarehouseUri::redact_address(&uri), reason })?;
            let uri = WarehouseUri::parse(named.as_deref().unwrap_or(&uri))?;
            let Some(path) = uri.path() else { return Ok(uri) };
            let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
            Ok(WarehouseUri::new(uri.kind(), path))
        })
        .await
    }

    /// Closes a warehouse, so that it is opened again on next use. Running questions keep it until they end.
    pub(crate) fn close_warehouse(&self, uri: &str) {
        if let Some(open) = self.inner.warehouses.remove_open(uri) {
            open.cancel.cancel();
        }
    }

    pub(crate) async fn make_sample(&self) -> Result<(), AppError> {
        let path = self.inner.options.folders.sample_file();
        if path.exists() {
            return Ok(());
        }
        let _one_at_a_time = self.inner.warehouses.sample.lock().await;
        run_blocking(move || {
            if path.exists() { Ok(()) } else { Ok(vitrine_warehouse::sample::create_database(&path, |_| {})?) }
        })
        .await
    }

    /// Adds the predefined definitions to the sample, until it is on the list of used warehouses; after that its definitions belong to the
    /// user.
    async fn define_sample(&self, uri: &str) -> Result<(), AppError> {
        let uri = uri.to_owned();
        self.with_store(move |store| {
            let is_new = !store.recent_warehouses()?.iter().any(|used| used.uri == uri);
            if is_new && store.definitions(&uri)? == Definitions::default() {
                store.set_definitions(&uri, &vitrine_warehouse::sample::sample_definitions())?;
            }
            Ok(())
        })
        .await
    }

    pub(crate) async fn open_now(&self, uri: &WarehouseUri) -> Result<Arc<OpenWarehouse>, AppError> {
        let settings = self.settings().await?;
        let key = uri.to_string();
        if key == self.sample_uri() {
            self.define_sample(&key).await?;
        }
        let own = key.clone();
        let tables = self.with_store(move |store| store.table_options(&own)).await?;
        // A database that a connection serves besides its own keeps the connection's limits, but has other schemas.
        let lender = self.inner.warehouses.lender_of(&key);
        let connection = self.connection_at(&lender).await?;
        let (name, schemas, chosen) = connection.map_or_else(Default::default, |connection| {
            let schemas = if lender == key { connection.schemas } else { Vec::new() };
            (Some(connection.name), schemas, connection.settings)
        });
        let memory_bytes = u64::from(settings.memory_mb) << 20;
        let driver = self.driver_of(uri).await?;
        let (driver, driver_sha256) = driver.map(|driver| (driver.path, driver.sha256)).unzip();
        let base = OpenOptions::default();
        let options = OpenOptions { memory_bytes, schemas: schemas.clone(), tables, driver, driver_sha256, ..base };
        let stamp = Stamp::from_path(uri.path()).await;
        let warehouse = match uri.project_address() {
            Some(_) => {
                let own_address = !self.is_foreign(&key).await?;
                let options = self.with_google(Some(uri), OpenOptions { own_address, ..options }).await?;
                vitrine_warehouse::open_with(uri, &options).await?
            }
            None if uri.password_binding().is_some() => self.connect_warehouse(uri, &options).await?,
            None => vitrine_warehouse::open_with(uri, &options).await?,
        };
        let warehouse = self.metered_warehouse(warehouse, &lender, name.as_deref(), &chosen.scans);
        let catalog = Arc::new(warehouse.load_catalog().await?);
        let own_reads = warehouse;
        let warehouse = Arc::new(ApprovedWarehouse {
            inner: Arc::clone(&own_reads),
            store: Arc::clone(&self.inner.store),
            address: lender,
        });
        let state = Preparation { uri: key.clone(), tables: catalog.tables.len() as u32, ..Preparation::default() };
        let open = Arc::new(OpenWarehouse {
            title: self.warehouse_title(&key),
            kind: uri.kind(),
            warehouse,
            own_reads,
            profile: RwLock::new(Arc::new(Profile { fingerprint: catalog.fingerprint.clone(), ..Profile::default() })),
            effective: RwLock::new(Arc::clone(&catalog)),
            inferred: RwLock::default(),
            declared: catalog,
            values: RwLock::default(),
            schema_size: SchemaSize::default(),
            tables: Mutex::default(),
            readiness: watch::channel(Readiness { profiled: false, state }).0,
            scope: schemas,
            background: Background::default(),
            previews: chosen.previews,
            scans: chosen.scans,
            read_ahead: chosen.read_ahead,
            cancel: self.inner.ending.child_token(),
            stamp: Mutex::new(stamp),
            path: uri.path().map(Path::to_owned),
            uri: key,
        });
        self.take_prepared(&open).await;
        Ok(open)
    }

    /// Returns a warehouse's title, which is shown instead of its address: the name of its connection, else that of its file or database.
    /// No connection is opened.
    ///
    /// # Errors
    /// When the text cannot be an address.
    pub async fn title_of(&self, address: &str) -> Result<String, AppError> {
        if address.trim() == SAMPLE {
            return Ok(SAMPLE.to_owned());
        }
        if let Some(title) = joined_title(address) {
            return Ok(title);
        }
        let uri = self.resolve_address(address).await?.to_string();
        let connection = self.connection_at(&uri).await?;
        Ok(connection.map_or_else(|| self.warehouse_title(&uri), |connection| connection.name))
    }

    fn warehouse_title(&self, uri: &str) -> String {
        if uri == self.sample_uri() {
            return "Sample: retail".to_owned();
        }
        if let Some(title) = joined_title(uri) {
            return title;
        }
        if let Some(server) = WarehouseUri::parse(uri).ok().as_ref().and_then(WarehouseUri::server_address) {
            return server.title();
        }
        if let Some(project) = WarehouseUri::parse(uri).ok().as_ref().and_then(WarehouseUri::project_address) {
            return project.title().to_owned();
        }
        let path = uri.split_once(':').map_or(uri, |(_, path)| path);
        Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
    }
}

/// Returns suggested questions: those written for the sample, then those derived from the data.
fn collect_sample_questions(open: &OpenWarehouse, is_sample: bool) -> Vec<SampleQuestion> {
    let written: &[vitrine_warehouse::sample::SampleQuestion] =
        if is_sample { &vitrine_warehouse::sample::QUESTIONS } else { &[] };
    let written = written.iter().map(|q| SampleQuestion {
        question: translate_constant(q.question).to_owned(),
        level: q.level.as_str().to_owned(),
    });
    let level = |effort| match effort {
        Effort::Easy => "easy",
        Effort::Medium => "medium",
        Effort::Hard => "hard",
    };
    let made = suggested_questions(&open.catalog(), &open.profile())
        .into_iter()
        .map(|q| SampleQuestion { question: q.question, level: level(q.effort).to_owned() });
    written.chain(made).collect()
}
