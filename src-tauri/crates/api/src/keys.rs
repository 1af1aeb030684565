//! Inferred keys of a warehouse: computed in the background, stored, and confirmed or rejected by the user.

use crate::app::App;
use crate::state::readable::Readable;
use crate::state::warehouses::OpenWarehouse;
use crate::types::{AppEvent, InferredKeyRow};
use std::sync::Arc;
use vitrine_catalog::{KeyCache, with_inferred};
use vitrine_domain::{AppError, DecidedKey, ErrorCode, InferredKey, InferredKeys, KeyDecision};
use vitrine_warehouse::WarehouseError;
use vitrine_words::tr;

impl App {
    /// Returns the keys that the database does not declare: inferred keys, and keys on which the user has decided.
    pub async fn inferred_keys(&self, warehouse: String) -> Result<Vec<InferredKeyRow>, AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let decided = self.decided_keys(&open).await?;
        Ok(inferred_key_rows(&open.inferred_keys(), &decided))
    }

    /// Confirms an inferred key, rejects it, or resets the decision. The decision applies to all later questions.
    ///
    /// # Errors
    /// When no such key was inferred.
    pub async fn decide_key(
        &self,
        warehouse: String,
        key: String,
        decision: Option<KeyDecision>,
    ) -> Result<(), AppError> {
        let open = self.ensure_open(&warehouse).await?;
        let known = inferred_key_rows(&open.inferred_keys(), &self.decided_keys(&open).await?)
            .into_iter()
            .find(|row| row.id == key);
        let known = known.ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("No key {key} was inferred", key))
                .with_hint(tr!("List them with: vitrine keys"))
        })?;
        let uri = open.uri.clone();
        let decided = self.with_store(move |store| store.decide_key(&uri, &known.key, decision)).await?;
        apply_decisions(&open, &decided);
        // The prefilled prompt contains the previous keys.
        self.inner.prefills.make_way(&open.uri, "");
        self.send_event(AppEvent::Preparation(open.preparation()));
        Ok(())
    }

    /// Returns the inferred keys that queries use.
    pub(crate) async fn used_keys(&self, open: &OpenWarehouse) -> Result<Vec<InferredKeyRow>, AppError> {
        let mut rows = inferred_key_rows(&open.inferred_keys(), &self.decided_keys(open).await?);
        rows.retain(|row| row.decision != Some(KeyDecision::Struck));
        Ok(rows)
    }

    /// Loads the keys that were inferred before.
    pub(crate) async fn stored_keys(&self, open: &OpenWarehouse) -> Option<InferredKeys> {
        let cache = KeyCache::new(self.inner.options.folders.profiles());
        let fingerprint = open.declared.fingerprint.clone();
        let stored = tokio::task::spawn_blocking(move || cache.load(&fingerprint)).await;
        stored.ok().flatten()
    }

    /// Infers the keys from the profile, in addition to known ones, and stores them.
    pub(crate) async fn infer_keys(
        &self,
        open: &OpenWarehouse,
        rows: &Readable,
        known: Vec<InferredKey>,
    ) -> Result<(), AppError> {
        let (warehouse, profile, options) = (rows.warehouse.clone(), open.profile(), rows.key_options());
        let catalog = with_inferred(&rows.catalog, &known, &[]);
        let inferred = vitrine_catalog::infer_keys(warehouse, &catalog, &profile, options, open.cancel.clone()).await;
        let inferred = match inferred {
            Ok(inferred) => InferredKeys { keys: known.into_iter().chain(inferred.keys).collect(), ..inferred },
            Err(WarehouseError::Cancelled) => return Err(WarehouseError::Cancelled.into()),
            Err(error) => {
                tracing::warn!(%error, "no keys are inferred");
                return Ok(());
            }
        };
        self.use_keys(open, inferred.clone()).await;
        let cache = KeyCache::new(self.inner.options.folders.profiles());
        let kept = tokio::task::spawn_blocking(move || cache.store(&inferred)).await;
        // Keys that cannot be stored are inferred again next time.
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "inferred keys could not be kept");
        }
        Ok(())
    }

    /// Uses these keys, with the user's decisions, from now on.
    pub(crate) async fn use_keys(&self, open: &OpenWarehouse, inferred: InferredKeys) {
        *open.inferred.write() = Arc::new(inferred);
        match self.decided_keys(open).await {
            Ok(decided) => apply_decisions(open, &decided),
            Err(error) => tracing::warn!(%error, "decisions on keys could not be read"),
        }
    }

    async fn decided_keys(&self, open: &OpenWarehouse) -> Result<Vec<DecidedKey>, AppError> {
        let uri = open.uri.clone();
        self.with_store(move |store| store.decided_keys(&uri)).await
    }
}

fn apply_decisions(open: &OpenWarehouse, decided: &[DecidedKey]) {
    let catalog = with_inferred(&open.declared, &open.inferred_keys().keys, decided);
    *open.effective.write() = Arc::new(catalog);
}

/// Returns the inferred keys with the decisions on them, followed by decided keys that were not inferred again.
fn inferred_key_rows(inferred: &InferredKeys, decided: &[DecidedKey]) -> Vec<InferredKeyRow> {
    let row = |key: &vitrine_domain::InferredKey| {
        let id = key.id();
        let decision = decided.iter().find(|known| known.key.id() == id).map(|known| known.decision);
        InferredKeyRow { id, key: key.clone(), decision }
    };
    let mut rows: Vec<InferredKeyRow> = inferred.keys.iter().map(row).collect();
    for known in decided {
        if rows.iter().all(|row| row.id != known.key.id()) {
            rows.push(row(&known.key));
        }
    }
    rows
}
