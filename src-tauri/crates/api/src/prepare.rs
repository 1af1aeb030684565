//! Preparing a warehouse in the background: its profile and inferred keys, then its value index. It starts with the first question or on
//! request, and can be paused. Questions can be asked earlier and use the data that is available.

use crate::app::App;
use crate::sources::parse_joined;
use crate::state::readable::Readable;
use crate::state::throttle::Throttle;
use crate::state::warehouses::OpenWarehouse;
use crate::state::work::panic_error;
use crate::types::{AppEvent, Preparation};
use futures::FutureExt;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_catalog::{ApproximateOptions, ApproximateReport, ProfileCache, ProfileOptions, approximate_profile};
use vitrine_domain::{AppError, ErrorCode, Profile, TableName, TableProfile};
use vitrine_values::{ValueIndex, ValuesError};
use vitrine_warehouse::PreviewCopy;
use vitrine_words::tr;

impl App {
    /// Loads the stored profile, keys and value index of a warehouse.
    pub(crate) async fn take_prepared(&self, open: &Arc<OpenWarehouse>) {
        let cache = self.profile_cache(open);
        let fingerprint = open.declared.fingerprint.clone();
        let stored = tokio::task::spawn_blocking(move || cache.load(&fingerprint)).await.ok().flatten();
        let keys = self.stored_keys(open).await;
        let inferred = keys.is_some();
        self.use_keys(open, keys.unwrap_or_default()).await;
        if let Some(profile) = stored.filter(|profile| profile.complete) {
            *open.profile.write() = Arc::new(profile);
            if inferred {
                self.mark_profiled(open);
            }
        }
        let index = self.inner.options.folders.value_index(&open.index_key());
        match tokio::task::spawn_blocking(move || ValueIndex::open(&index)).await {
            Ok(Ok(index)) => *open.values.write() = Some(Arc::new(index)),
            Ok(Err(error)) => tracing::warn!(%error, "no value index"),
            Err(error) => tracing::warn!(%error, "no value index"),
        }
    }

    /// Starts the preparation in the background, unless it was started before.
    pub(crate) fn begin_preparation(&self, open: &Arc<OpenWarehouse>) {
        if !open.background.try_begin() {
            return;
        }
        open.readiness.send_modify(|ready| ready.state.begun = true);
        self.send_event(AppEvent::Preparation(open.preparation()));
        let (app, open) = (self.clone(), Arc::clone(open));
        tokio::spawn(async move {
            let worked = AssertUnwindSafe(app.prepare_in_background(&open)).catch_unwind().await;
            let error = match worked {
                Ok(Ok(())) => None,
                // A closed warehouse or an ending program is not a failure.
                Ok(Err(error)) if error.code == ErrorCode::Cancelled => None,
                Ok(Err(error)) => Some(error),
                Err(_) => Some(panic_error(&"reading the database in the background panicked")),
            };
            open.readiness.send_modify(|ready| {
                ready.profiled = true;
                ready.state.done = true;
                ready.state.error = error;
            });
            app.send_event(AppEvent::Preparation(open.preparation()));
        });
    }

    /// Starts to read a warehouse's profile and values, or resumes a paused preparation.
    pub async fn start_preparation(&self, uri: String) -> Result<Preparation, AppError> {
        let open = self.ensure_open(&uri).await?;
        self.set_paused(&open, false);
        self.begin_preparation(&open);
        Ok(open.preparation())
    }

    /// Pauses the preparation. A running query ends first; questions can still be asked and use the data that is available.
    pub async fn pause_preparation(&self, uri: String) -> Result<Preparation, AppError> {
        let open = self.ensure_open(&uri).await?;
        self.set_paused(&open, true);
        Ok(open.preparation())
    }

    fn set_paused(&self, open: &OpenWarehouse, held: bool) {
        open.background.set_held(held);
        open.readiness.send_modify(|ready| ready.state.paused = held);
        self.send_event(AppEvent::Preparation(open.preparation()));
    }

    async fn prepare_in_background(&self, open: &Arc<OpenWarehouse>) -> Result<(), AppError> {
        let index = open.value_index();
        let bounded = open.kind.info().reading_ahead.is_bounded();
        if bounded && open.readiness.borrow().profiled && is_built(open).await {
            // A new sample would give nothing beyond the stored data.
            return Ok(());
        }
        let rows = Readable::from_warehouse(open).await?;
        open.readiness.send_modify(|ready| ready.state.sample = rows.copy.as_ref().map(PreviewCopy::to_sentence));
        if !open.readiness.borrow().profiled {
            let known = match parse_joined(&open.uri) {
                // Each source has its own profile, so that its rows stay there.
                Some(sources) => {
                    let (profile, keys) = Box::pin(self.joined_profile(open, sources)).await?;
                    *open.profile.write() = Arc::new(profile);
                    keys
                }
                None => Vec::new(),
            };
            if !open.profile().complete && parse_joined(&open.uri).is_none() {
                let profile = self.read_profile(open, &rows).await?;
                *open.profile.write() = Arc::new(profile);
                self.keep_profile(open).await;
            }
            // Keys across sources are expensive to find again.
            if known.is_empty() || !open.inferred_keys().complete {
                self.infer_keys(open, &rows, known).await?;
            }
            self.mark_profiled(open);
        }
        let (Some(index), profile) = (index, open.profile()) else { return Ok(()) };
        if profile.tables.is_empty() {
            return Ok(());
        }
        let told = Throttle::default();
        let progress = |at: &vitrine_values::BuildProgress| {
            open.readiness.send_modify(|ready| {
                ready.state.values_indexed = at.done as u32;
                ready.state.values_total = at.total as u32;
            });
            if told.is_due() {
                self.send_event(AppEvent::Preparation(open.preparation()));
            }
        };
        let built = index.build(rows.warehouse.clone(), &rows.catalog, &profile, progress, open.cancel.clone()).await;
        match built {
            Ok(report) => {
                for skipped in &report.skipped {
                    tracing::info!(
                        table = skipped.table,
                        column = skipped.column,
                        reason = skipped.reason,
                        "values not indexed"
                    );
                }
                open.readiness.send_modify(|ready| ready.state.values_indexed = ready.state.values_total);
                self.embed_values(open, &index).await;
                Ok(())
            }
            // Another process builds the same index; the part that it has finished can be searched here.
            Err(ValuesError::Busy { .. }) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Stores the profile. If that fails, the profile is computed again next time.
    async fn keep_profile(&self, open: &OpenWarehouse) {
        let (cache, profile) = (self.profile_cache(open), open.profile());
        if let Ok(Err(error)) = tokio::task::spawn_blocking(move || cache.store(&profile)).await {
            tracing::warn!(%error, "the profile could not be kept");
        }
    }

    /// Returns the stored profiles of a warehouse. Profiles with approximate statistics are kept apart by their limit, so that another limit
    /// takes effect.
    fn profile_cache(&self, open: &OpenWarehouse) -> ProfileCache {
        let folder = self.inner.options.folders.profiles();
        match open.previews.statistics_bytes {
            0 => ProfileCache::new(folder),
            bytes => ProfileCache::new(folder.join(format!("approximate-{bytes}"))),
        }
    }

    /// Completes a profile of a few rows with approximate statistics, if the connection allows queries for them.
    async fn complete_profile(&self, open: &OpenWarehouse, profile: Profile) -> Result<Profile, AppError> {
        let options =
            ApproximateOptions { bytes: open.previews.statistics_bytes, tables: open.previews.tables as usize };
        if options.bytes == 0 {
            return Ok(profile);
        }
        let (warehouse, cancel) = (Arc::clone(&open.own_reads), open.cancel.clone());
        let (profile, report) = approximate_profile(warehouse, &open.declared, profile, options, cancel).await?;
        open.readiness.send_modify(|ready| {
            let told = [ready.state.sample.take(), Some(describe_statistics(&report))];
            ready.state.sample = Some(told.into_iter().flatten().collect::<Vec<_>>().join("; "));
        });
        Ok(profile)
    }

    /// Adds semantic search to the search by spelling. A failure is only logged, because values are also found without it.
    async fn embed_values(&self, open: &Arc<OpenWarehouse>, index: &ValueIndex) {
        let Some(embedder) = self.load_embedder().await else { return };
        match index.embed_domains(embedder, |_, _| {}, open.cancel.clone()).await {
            Ok(_) | Err(ValuesError::Cancelled) => {}
            Err(error) => tracing::warn!(%error, "values are found by spelling alone"),
        }
    }

    async fn read_profile(&self, open: &Arc<OpenWarehouse>, rows: &Readable) -> Result<Profile, AppError> {
        let places: HashMap<&TableName, usize> =
            open.declared.tables.iter().enumerate().map(|(place, table)| (&table.name, place)).collect();
        let so_far = Mutex::new(SoFar { tables: vec![None; open.declared.tables.len()], next: 1 });
        let told = Throttle::default();
        let on_table = |table: &TableProfile, done: usize, total: usize| {
            if let Some(tables) = so_far.lock().add_profile(places.get(&table.table).copied(), table, done) {
                let fingerprint = open.declared.fingerprint.clone();
                *open.profile.write() = Arc::new(Profile { fingerprint, tables, complete: false });
            }
            open.readiness
                .send_modify(|ready| (ready.state.profiled, ready.state.tables) = (done as u32, total as u32));
            if done == total || told.is_due() {
                self.send_event(AppEvent::Preparation(open.preparation()));
            }
        };
        let options = ProfileOptions { copied: rows.copy.is_some(), ..ProfileOptions::default() };
        let profile = vitrine_catalog::profile_database(
            rows.warehouse.clone(),
            &rows.catalog,
            options,
            on_table,
            open.cancel.clone(),
        );
        let profile = profile.await?;
        match &rows.copy {
            Some(copy) => self.complete_profile(open, copy.profile_of_original(profile, &open.declared)).await,
            None => Ok(profile),
        }
    }

    fn mark_profiled(&self, open: &OpenWarehouse) {
        let tables = open.declared.tables.len() as u32;
        open.readiness.send_modify(|ready| {
            ready.profiled = true;
            ready.state.profiled = tables;
        });
        self.send_event(AppEvent::Preparation(open.preparation()));
    }

    /// Waits until the preparation is complete; for commands whose purpose is to show it.
    pub async fn wait_until_prepared(&self, uri: &str) -> Result<Preparation, AppError> {
        let open = self.ensure_open(uri).await?;
        self.set_paused(&open, false);
        self.begin_preparation(&open);
        let mut readiness = open.readiness.subscribe();
        let state = readiness.wait_for(|ready| ready.state.done).await.map(|ready| ready.state.clone());
        match state.unwrap_or_else(|_| open.preparation()) {
            Preparation { error: Some(error), .. } => Err(error),
            state => Ok(state),
        }
    }
}

/// Describes the extent of approximate statistics.
fn describe_statistics(report: &ApproximateReport) -> String {
    let ApproximateReport { tables, left_out, bytes } = *report;
    tr!(
        "approximate statistics of {tables} tables were queried, {megabytes} MB by estimate; {left_out} tables exceed the limit or have no estimate",
        tables,
        megabytes = bytes.div_ceil(1_000_000),
        left_out
    )
}

/// Profiles of the tables that were read so far.
struct SoFar {
    tables: Vec<Option<TableProfile>>,
    /// Number of tables at which the next copy is returned.
    next: usize,
}

impl SoFar {
    /// Adds a table. Returns a copy of all profiles if many tables were added since the last copy. A copy for every table would take time
    /// quadratic in their number.
    fn add_profile(&mut self, place: Option<usize>, table: &TableProfile, done: usize) -> Option<Vec<TableProfile>> {
        if let Some(known) = place.and_then(|place| self.tables.get_mut(place)) {
            *known = Some(table.clone());
        }
        if done < self.next {
            return None;
        }
        self.next = done + 1 + done / 16;
        Some(self.tables.iter().flatten().cloned().collect())
    }
}

impl App {
    /// Returns the complete profile after waiting for it.
    pub async fn whole_profile(&self, uri: &str) -> Result<Profile, AppError> {
        let open = self.ensure_open(uri).await?;
        self.set_paused(&open, false);
        self.begin_preparation(&open);
        let mut readiness = open.readiness.subscribe();
        let state = readiness.wait_for(|ready| ready.profiled).await.map(|ready| ready.state.clone());
        match state.ok().and_then(|state| state.error) {
            Some(error) => Err(error),
            None => Ok(open.profile().as_ref().clone()),
        }
    }
}

/// Returns true if the stored value index matches the current catalog.
async fn is_built(open: &OpenWarehouse) -> bool {
    let (Some(index), fingerprint) = (open.value_index(), open.declared.fingerprint.clone()) else { return false };
    let built = tokio::task::spawn_blocking(move || index.is_built(&fingerprint)).await;
    matches!(built, Ok(Ok(true)))
}

impl OpenWarehouse {
    /// Waits a limited time for the profile and the value index. Returns immediately if their preparation is not started or is paused.
    pub(crate) async fn wait_until_ready(&self, patience: crate::Patience, cancel: &CancellationToken) {
        if !self.background.is_begun() || self.background.is_held() {
            return;
        }
        let mut readiness = self.readiness.subscribe();
        let wait = async {
            let profiled = readiness.wait_for(|ready| ready.profiled);
            if tokio::time::timeout(patience.profile, profiled).await.is_ok() {
                let done = readiness.wait_for(|ready| ready.state.done);
                let _ = tokio::time::timeout(patience.values, done).await;
            }
        };
        tokio::select! { () = cancel.cancelled() => {}, () = wait => {} }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_the_profile_grow_with_the_tables_and_not_with_their_square() {
        let table = |place: usize| TableProfile {
            table: TableName::from_unqualified(format!("t{place}")),
            row_count: None,
            profiled_rows: 0,
            columns: Vec::new(),
        };
        let total = 20_000;
        let mut so_far = SoFar { tables: vec![None; total], next: 1 };
        let copies = (0..total).filter_map(|place| so_far.add_profile(Some(place), &table(place), place + 1));
        let sizes: Vec<usize> = copies.map(|tables| tables.len()).collect();
        assert_eq!(sizes[..16], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
        assert!(sizes.iter().sum::<usize>() < 20 * total, "{}", sizes.len());
    }
}
