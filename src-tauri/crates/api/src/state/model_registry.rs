//! Model registry: the installed models and the loaded ones.

use crate::state::setup::AppOptions;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use vitrine_llm::ChatModel;
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm_local::LocalModel;
use vitrine_models::ModelStore;
use vitrine_values::Embedder;

/// The models of this installation. Each model has one instance, so that its memory and its cached prompts are shared.
pub(crate) struct ModelRegistry {
    pub(crate) store: ModelStore,
    pub(crate) worker_exe: PathBuf,
    pub(crate) given: Vec<Arc<dyn ChatModel>>,
    pub(crate) local: Mutex<HashMap<String, Arc<LocalModel>>>,
    /// Kept while their configuration is unchanged, so that a server's limitations are detected once and its limit on
    /// concurrent requests is shared.
    pub(crate) remote: Mutex<HashMap<String, (ServerConfig, Arc<HttpModel>)>>,
    pub(crate) embedder: Mutex<Option<Arc<dyn Embedder>>>,
    pub(crate) pulls: Mutex<HashMap<String, String>>,
}

impl ModelRegistry {
    pub(crate) fn new(options: &AppOptions) -> Self {
        Self {
            store: ModelStore::new(options.folders.models()),
            worker_exe: options.worker_exe.clone(),
            given: options.models.clone(),
            local: Mutex::default(),
            remote: Mutex::default(),
            embedder: Mutex::default(),
            pulls: Mutex::default(),
        }
    }

    pub(crate) fn loaded_model(&self, id: &str) -> Option<Arc<LocalModel>> {
        self.local.lock().get(id).cloned()
    }

    /// Releases the loaded models; a model that is answering ends after its last call.
    pub(crate) async fn forget_local(&self) {
        // Dropping the last handle ends the worker process.
        self.local.lock().clear();
    }

    pub(crate) async fn shutdown(&self) {
        let local = std::mem::take(&mut *self.local.lock());
        for model in local.into_values() {
            model.shutdown().await;
        }
    }
}
