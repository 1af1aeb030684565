//! Models: local ones, remote ones, and the default model.

use crate::app::App;
use crate::state::work::{new_id, on_own_thread, panic_error, run_blocking};
use crate::types::{JobEvent, JobKind, JobState, ModelPlace, ModelStatus};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ErrorCode, ProfileFacts};
use vitrine_llm::ChatModel;
use vitrine_llm::cassette::Cassette;
use vitrine_llm_local::{LocalConfig, LocalModel};
use vitrine_models::{EMBEDDING_MODEL, ListedModel, ModelKind, Progress, SMALL_CHAT_MODEL};
use vitrine_values::{Embedder, MiniLm};
use vitrine_words::tr;

/// Prefix of recorded replies, which are used as a model: `cassette:FILE`.
const CASSETTE: &str = "cassette:";

impl App {
    /// Returns all models: local ones, ones that can be downloaded, and remote ones.
    pub async fn models(&self) -> Result<Vec<ModelStatus>, AppError> {
        let settings = self.settings().await?;
        let store = self.inner.models.store.clone();
        let listed = run_blocking(move || Ok(store.list_models())).await?;
        let mut models = Vec::new();
        for model in listed {
            let loaded = match self.inner.models.loaded_model(&model.entry.id) {
                Some(local) => local.worker_pid().await.is_some(),
                None => false,
            };
            let is_embedding = model.entry.kind == ModelKind::Embedding;
            let in_use = settings.uses_model(&model.entry.id) || (is_embedding && model.present);
            models.push(to_model_status(model, in_use, loaded));
        }
        for model in self.remote_models().await? {
            models.push(ModelStatus {
                kind: ModelPlace::Remote,
                answers: true,
                bytes: 0,
                fetched: 0,
                licence: String::new(),
                sources: vec![model.base_url.clone()],
                sha256: None,
                present: true,
                in_use: settings.uses_model(&model.id),
                removable: true,
                loaded: false,
                detail: tr!("{model} at {address}", model = model.model, address = model.base_url),
                title: model.title,
                id: model.id,
            });
        }
        Ok(models)
    }

    /// Downloads a model's files; progress is sent as events. If the same model is already being downloaded, that job is returned.
    pub async fn pull_model(&self, id: String) -> Result<String, AppError> {
        let registry = &self.inner.models;
        let entry = registry.store.find_entry(&id)?;
        let mut pulls = registry.pulls.lock();
        if let Some(job_id) = pulls.get(&id) {
            return Ok(job_id.clone());
        }
        let job = JobEvent {
            job_id: new_id(),
            kind: JobKind::ModelPull,
            title: entry.title.clone(),
            done: 0,
            total: Some(entry.bytes),
            unit: "bytes".to_owned(),
            state: JobState::Running,
            error: None,
            path: None,
        };
        let app = self.clone();
        let model = id.clone();
        let job_id = self.start_job(job, move |progress, cancel| async move {
            let bytes = entry.bytes;
            let (store, id) = (app.inner.models.store.clone(), model.clone());
            let pulled = on_own_thread(move || async move {
                store.pull_model(&id, |p| progress.report_progress(p.downloaded, Some(p.total)), cancel).await
            });
            let pulled = pulled.await;
            app.inner.models.pulls.lock().remove(&model);
            pulled.map_err(|error| panic_error(&error))??;
            Ok(bytes)
        });
        pulls.insert(id, job_id.clone());
        Ok(job_id)
    }

    /// Downloads a model's files and waits until they are complete.
    pub async fn pull_and_wait(
        &self,
        id: &str,
        progress: impl Fn(Progress) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<PathBuf, AppError> {
        Ok(self.inner.models.store.pull_model(id, progress, cancel).await?)
    }

    /// Deletes a model's files, or removes a remote model.
    pub async fn remove_model(&self, id: String) -> Result<(), AppError> {
        if self.remote_models().await?.iter().any(|model| model.id == id) {
            return self.delete_remote_model(id).await;
        }
        let name = id.clone();
        self.with_store(move |store| store.forget_model_facts(&name)).await?;
        let local = self.inner.models.local.lock().remove(&id);
        if let Some(local) = local {
            local.shutdown().await;
        }
        if id == EMBEDDING_MODEL {
            *self.inner.models.embedder.lock() = None;
        }
        let store = self.inner.models.store.clone();
        run_blocking(move || Ok(store.remove_model(&id)?)).await
    }

    /// Registers a GGUF file of this computer as a model; the file is not moved or copied.
    pub async fn add_gguf(&self, path: String) -> Result<ModelStatus, AppError> {
        let store = self.inner.models.store.clone();
        let added = run_blocking(move || {
            let entry = store.add_gguf(Path::new(&path))?;
            store
                .list_models()
                .into_iter()
                .find(|m| m.entry.id == entry.id)
                .ok_or_else(|| panic_error(&"the added model is not listed"))
        });
        let in_use = self.settings().await?;
        let added = added.await?;
        let in_use = in_use.uses_model(&added.entry.id);
        Ok(to_model_status(added, in_use, false))
    }

    /// Sets the model that answers by default.
    pub async fn use_model(&self, id: String) -> Result<(), AppError> {
        let known = self.models().await?;
        if !known.iter().any(|model| model.id == id && model.id != EMBEDDING_MODEL) && !id.starts_with(CASSETTE) {
            let names: Vec<_> = known.iter().map(|m| m.id.as_str()).filter(|id| *id != EMBEDDING_MODEL).collect();
            return Err(AppError::new(ErrorCode::NotFound, tr!("Chat model '{id}' not found", id))
                .with_hint(tr!("Choose one of {names}", names = names.join(", "))));
        }
        let mut settings = self.settings().await?;
        settings.default_model = id;
        self.set_settings(settings).await
    }

    /// Returns the model with an id, ready to be called.
    pub async fn chat_model(&self, id: &str) -> Result<Arc<dyn ChatModel>, AppError> {
        let registry = &self.inner.models;
        if let Some(given) = registry.given.iter().find(|model| model.id() == id) {
            return Ok(Arc::clone(given));
        }
        if let Some(path) = id.strip_prefix(CASSETTE) {
            let path = PathBuf::from(path);
            return run_blocking(move || Ok(Arc::new(Cassette::replay(&path)?) as Arc<dyn ChatModel>)).await;
        }
        if let Some(remote) = self.remote_chat_model(id).await? {
            return Ok(remote);
        }
        let (store, name) = (registry.store.clone(), id.to_owned());
        let listed = run_blocking(move || {
            store.find_entry(&name)?;
            Ok(store.list_models().into_iter().find(|model| model.entry.id == name))
        });
        let model = listed.await?.ok_or_else(|| panic_error(&"a listed model is gone"))?;
        if model.entry.kind != ModelKind::Chat {
            return Err(AppError::new(ErrorCode::Usage, tr!("'{id}' cannot answer questions", id))
                .with_hint(tr!("Choose a chat model: vitrine models list")));
        }
        if !model.present {
            return Err(missing_model_error(&model));
        }
        let settings = self.settings().await?;
        // The model itself reads the properties of the file.
        let facts = self.known_facts(id, ProfileFacts::default()).await?;
        let mut local = registry.local.lock();
        let model = local.entry(id.to_owned()).or_insert_with(|| {
            LocalModel::new(LocalConfig {
                id: id.to_owned(),
                gguf: model.path,
                worker_exe: registry.worker_exe.clone(),
                threads: settings.threads,
                context_tokens: facts.context_tokens.unwrap_or(settings.context_tokens),
                release_after: (settings.idle_minutes > 0)
                    .then(|| Duration::from_secs(60 * u64::from(settings.idle_minutes))),
                prefixes: Some(self.inner.options.folders.prompt_prefixes()),
                facts: ProfileFacts { context_tokens: None, ..facts },
            })
        });
        Ok(Arc::clone(model) as Arc<dyn ChatModel>)
    }

    /// Returns the embedding model if its files are present. It is loaded with the first text.
    pub(crate) async fn load_embedder(&self) -> Option<Arc<dyn Embedder>> {
        let registry = &self.inner.models;
        if let Some(embedder) = registry.embedder.lock().clone() {
            return Some(embedder);
        }
        let folder = registry.store.model_path(EMBEDDING_MODEL).ok()?.parent()?.to_owned();
        let loaded = run_blocking(move || Ok(MiniLm::load(&folder)?)).await.ok()?;
        let loaded: Arc<dyn Embedder> = Arc::new(loaded);
        *registry.embedder.lock() = Some(Arc::clone(&loaded));
        Some(loaded)
    }
}

fn missing_model_error(model: &ListedModel) -> AppError {
    let id = &model.entry.id;
    if model.added {
        return AppError::new(
            ErrorCode::ModelMissing,
            tr!("The file of model '{id}' is missing: {path}", id, path = model.path.display()),
        )
        .with_hint(tr!("Put the file back, or choose another model: vitrine models use ID"));
    }
    AppError::new(ErrorCode::ModelMissing, tr!("The model '{id}' is not on this computer yet", id)).with_hint(tr!(
        "Get it once ({size}): vitrine models pull {id}",
        size = format_megabytes(model.entry.bytes),
        id
    ))
}

fn to_model_status(model: ListedModel, in_use: bool, loaded: bool) -> ModelStatus {
    let entry = model.entry;
    let detail = match (model.present, model.added, entry.kind) {
        (true, true, _) => tr!("Added from {path}", path = model.path.display()),
        (false, true, _) => tr!("Its file is missing: {path}", path = model.path.display()),
        (true, false, ModelKind::Embedding) => tr!("Finds stored values with the same meaning"),
        (true, false, ModelKind::Chat) => tr!("Ready on this computer"),
        (false, false, _) => tr!("{size} to download", size = format_megabytes(entry.bytes)),
    };
    let detail = match entry.id == SMALL_CHAT_MODEL {
        true => tr!("{detail}; for little memory, less accurate", detail),
        false => detail,
    };
    ModelStatus {
        kind: ModelPlace::Embedded,
        answers: entry.kind != ModelKind::Embedding,
        bytes: entry.bytes,
        fetched: model.fetched,
        licence: entry.licence,
        sources: entry.sources.iter().map(|source| source.name().to_owned()).collect(),
        sha256: (!entry.sha256.is_empty()).then_some(entry.sha256),
        removable: model.added || model.present,
        present: model.present,
        in_use,
        loaded,
        detail,
        title: entry.title,
        id: entry.id,
    }
}

fn format_megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
