//! Remote models. Keys are stored in the system's keychain and never leave this crate.

use crate::app::App;
use crate::profiles::LEAST_CONTEXT;
use crate::state::work::run_blocking;
use crate::types::{RemoteModel, RemoteProvider, ServedModel};
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode, ModelProfile, ProfileFacts};
use vitrine_llm::ChatModel;
use vitrine_llm::families::find_declared_facts;
use vitrine_llm::http::{HttpModel, ServerConfig, key_may_travel, same_origin};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{anthropic, gemini};
use vitrine_store::secrets::SecretError;
use vitrine_store::{KeptFacts, Provider, RemoteModel as Stored};
use vitrine_words::{format_number, tr};

impl App {
    /// Returns the remote models, sorted by title.
    pub async fn remote_models(&self) -> Result<Vec<RemoteModel>, AppError> {
        let stored = self.with_store(|store| store.remote_models()).await?;
        let mut models = Vec::new();
        for model in stored {
            // Without a keychain the list shows that keys are missing.
            let has_key = self.load_api_key(&model.id).await.is_ok_and(|key| key.is_some());
            models.push(to_remote_model(model, has_key));
        }
        Ok(models)
    }

    /// Stores a remote model. A given key replaces the stored one; an empty key removes it, and so does the address of another server,
    /// because a key is bound to the server for which it was given.
    pub async fn set_remote_model(&self, model: RemoteModel, api_key: Option<String>) -> Result<(), AppError> {
        let model = validate_model(model)?;
        if self.models().await?.iter().any(|m| m.id == model.id && m.kind == crate::types::ModelPlace::Embedded) {
            return Err(AppError::new(
                ErrorCode::Usage,
                tr!("'{id}' is the name of a model on this computer", id = model.id),
            )
            .with_hint(tr!("Choose another name")));
        }
        // Reports errors in the address now instead of at the first question.
        connect_model(model.provider, server_config(&model, None, ProfileFacts::default()))?;
        let before =
            self.with_store(|store| store.remote_models()).await?.into_iter().find(|before| before.id == model.id);
        let moved = before.as_ref().is_some_and(|before| !same_origin(&before.base_url, &model.base_url));
        // Test results apply only to the model that was tested.
        if before.is_some_and(|before| moved || before.model != model.model) {
            let id = model.id.clone();
            self.with_store(move |store| {
                let kept = store.model_facts(&id)?;
                store.set_model_facts(&id, &KeptFacts { said: kept.said, ..KeptFacts::default() })
            })
            .await?;
        }
        let api_key = api_key.map(|key| key.trim().to_owned()).or(moved.then(String::new));
        let has_key = match &api_key {
            Some(key) => !key.is_empty(),
            None => self.load_api_key(&model.id).await.is_ok_and(|key| key.is_some()),
        };
        if has_key && !key_may_travel(&model.base_url) {
            return Err(AppError::new(ErrorCode::Usage, tr!("A key is sent only over https, or within this computer"))
                .with_hint(tr!("Enter an address that begins with https://, or leave the key empty")));
        }
        match api_key {
            None => {}
            Some(key) if key.is_empty() => self.forget_key(&model.id).await?,
            Some(key) => {
                let (secrets, name) = (Arc::clone(&self.inner.options.secrets), Stored::secret_name(&model.id));
                run_blocking(move || secrets.set(&name, &key).map_err(AppError::from)).await?;
            }
        }
        self.with_store(move |store| store.set_remote_model(&model)).await
    }

    /// Deletes a remote model and its key.
    pub async fn delete_remote_model(&self, id: String) -> Result<(), AppError> {
        self.forget_key(&id).await?;
        self.with_store(move |store| {
            store.forget_model_facts(&id)?;
            store.delete_remote_model(&id)
        })
        .await
    }

    /// Returns the models that a server offers. Without `api_key`, the key of the stored model with this id is used if it belongs to the
    /// same server.
    pub async fn served_models(
        &self,
        model: RemoteModel,
        api_key: Option<String>,
    ) -> Result<Vec<ServedModel>, AppError> {
        let kept = self.with_store(|store| store.remote_models()).await?.into_iter().find(|kept| kept.id == model.id);
        let api_key = match (api_key, kept) {
            (Some(key), _) => Some(key),
            (None, Some(kept)) if same_origin(&kept.base_url, &model.base_url) => {
                self.load_api_key(&kept.id).await.ok().flatten()
            }
            (None, _) => None,
        };
        // The name of the model does not matter for this request.
        let model = validate_model(RemoteModel { model: "-".to_owned(), context_tokens: 0, ..model })?;
        let provider = model.provider;
        let served =
            connect_model(provider, server_config(&model, api_key, ProfileFacts::default()))?.list_models().await?;
        let known = |served: vitrine_llm::http::ServedModel| {
            let mut facts = find_declared_facts(provider_name(provider), &served.id);
            facts.add(&served.facts);
            ServedModel { id: served.id, title: served.title, facts }
        };
        Ok(served.into_iter().map(known).collect())
    }

    async fn forget_key(&self, id: &str) -> Result<(), AppError> {
        let (secrets, name) = (Arc::clone(&self.inner.options.secrets), Stored::secret_name(id));
        match tokio::task::spawn_blocking(move || secrets.delete(&name)).await {
            // Without a keychain there is nothing to delete.
            Ok(Ok(()) | Err(SecretError::Unavailable { .. })) => Ok(()),
            Ok(Err(error)) => Err(error.into()),
            Err(error) => Err(crate::state::work::panic_error(&error)),
        }
    }

    /// Returns the remote model with an id, if there is one.
    pub(crate) async fn remote_chat_model(&self, id: &str) -> Result<Option<Arc<dyn ChatModel>>, AppError> {
        Ok(self.remote_http_model(id).await?.map(|model| model as Arc<dyn ChatModel>))
    }

    /// Same as [`App::remote_chat_model`], with its concrete type.
    pub(crate) async fn remote_http_model(&self, id: &str) -> Result<Option<Arc<HttpModel>>, AppError> {
        let Some(model) = self.stored_model(id).await? else { return Ok(None) };
        let key = match self.load_api_key(id).await {
            Err(SecretError::Unavailable { .. }) => None,
            other => other?,
        };
        let facts = self.known_facts(id, declared_of(&model)).await?;
        let config = server_config(&model, key, facts);
        let mut remote = self.inner.models.remote.lock();
        match remote.get(id) {
            Some((same, ready)) if *same == config => Ok(Some(Arc::clone(ready))),
            _ => {
                let ready = Arc::new(connect_model(model.provider, config.clone())?);
                remote.insert(id.to_owned(), (config, Arc::clone(&ready)));
                Ok(Some(ready))
            }
        }
    }

    /// Returns the declared properties of the remote model with an id, if there is one. The context length in its configuration is one of
    /// them.
    pub(crate) async fn remote_declared(&self, id: &str) -> Result<Option<ProfileFacts>, AppError> {
        Ok(self.stored_model(id).await?.map(|model| declared_of(&model)))
    }

    async fn stored_model(&self, id: &str) -> Result<Option<Stored>, AppError> {
        let stored = self.with_store(|store| store.remote_models()).await?;
        Ok(stored.into_iter().find(|model| model.id == id))
    }

    async fn load_api_key(&self, id: &str) -> Result<Option<String>, SecretError> {
        let (secrets, name) = (Arc::clone(&self.inner.options.secrets), Stored::secret_name(id));
        tokio::task::spawn_blocking(move || secrets.get(&name))
            .await
            .unwrap_or_else(|error| Err(SecretError::Failed { message: error.to_string() }))
    }
}

fn declared_of(model: &Stored) -> ProfileFacts {
    let mut facts = find_declared_facts(provider_name(model.provider), &model.model);
    let context_tokens = (model.context_tokens > 0).then_some(model.context_tokens);
    facts.add(&ProfileFacts { context_tokens, ..ProfileFacts::default() });
    facts
}

fn server_config(model: &Stored, api_key: Option<String>, facts: ProfileFacts) -> ServerConfig {
    ServerConfig {
        id: model.id.clone(),
        base_url: model.base_url.clone(),
        api_key,
        model: model.model.clone(),
        profile: ModelProfile::default().with(&facts),
        ..ServerConfig::default()
    }
}

fn connect_model(provider: Provider, config: ServerConfig) -> Result<HttpModel, AppError> {
    Ok(match provider {
        Provider::OpenAi => openai::create_model(OpenAiKind::OpenAi, config),
        Provider::Azure => openai::create_model(OpenAiKind::Azure, config),
        Provider::Anthropic => anthropic::create_model(config),
        Provider::Gemini => gemini::create_model(config),
        Provider::Ollama | Provider::LmStudio | Provider::Vllm | Provider::Other => {
            openai::create_model(OpenAiKind::Compatible, config)
        }
    }?)
}

fn validate_model(model: RemoteModel) -> Result<Stored, AppError> {
    let wrong = |what: String, hint: String| Err(AppError::new(ErrorCode::Usage, what).with_hint(hint));
    let (id, name) = (model.id.trim(), model.model.trim());
    if name.is_empty() {
        return wrong(tr!("The server's name for the model is missing"), tr!("Enter the name from the server's list"));
    }
    if (1..LEAST_CONTEXT).contains(&model.context_tokens) {
        return wrong(
            tr!(
                "A context of fewer than {tokens} tokens is too small to work with",
                tokens = format_number(LEAST_CONTEXT.into())
            ),
            tr!("Enter what the server allows"),
        );
    }
    let id =
        if id.is_empty() { format!("{}:{name}", id_prefix(stored_provider(model.provider))) } else { id.to_owned() };
    let title = match model.title.trim() {
        "" => name.to_owned(),
        title => title.to_owned(),
    };
    Ok(Stored {
        id,
        title,
        provider: stored_provider(model.provider),
        base_url: model.base_url.trim().to_owned(),
        model: name.to_owned(),
        context_tokens: model.context_tokens,
    })
}

fn to_remote_model(model: Stored, has_key: bool) -> RemoteModel {
    RemoteModel {
        id: model.id,
        title: model.title,
        provider: match model.provider {
            Provider::OpenAi => RemoteProvider::Openai,
            Provider::Azure => RemoteProvider::Azure,
            Provider::Anthropic => RemoteProvider::Anthropic,
            Provider::Gemini => RemoteProvider::Gemini,
            Provider::Ollama => RemoteProvider::Ollama,
            Provider::LmStudio => RemoteProvider::LmStudio,
            Provider::Vllm => RemoteProvider::Vllm,
            Provider::Other => RemoteProvider::Other,
        },
        base_url: model.base_url,
        model: model.model,
        context_tokens: model.context_tokens,
        has_key,
    }
}

fn stored_provider(provider: RemoteProvider) -> Provider {
    match provider {
        RemoteProvider::Openai => Provider::OpenAi,
        RemoteProvider::Azure => Provider::Azure,
        RemoteProvider::Anthropic => Provider::Anthropic,
        RemoteProvider::Gemini => Provider::Gemini,
        RemoteProvider::Ollama => Provider::Ollama,
        RemoteProvider::LmStudio => Provider::LmStudio,
        RemoteProvider::Vllm => Provider::Vllm,
        RemoteProvider::Other => Provider::Other,
    }
}

/// Returns the provider's name in settings and in the table of known models.
fn provider_name(provider: Provider) -> &'static str {
    match provider {
        Provider::OpenAi => "openai",
        Provider::Azure => "azure",
        Provider::Anthropic => "anthropic",
        Provider::Gemini => "gemini",
        Provider::Ollama => "ollama",
        Provider::LmStudio => "lm-studio",
        Provider::Vllm => "vllm",
        Provider::Other => "other",
    }
}

/// Returns the prefix of generated ids.
fn id_prefix(provider: Provider) -> &'static str {
    if provider == Provider::Other { "remote" } else { provider_name(provider) }
}
