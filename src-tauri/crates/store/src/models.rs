//! Remote models. Their keys are in the keychain, under [`RemoteModel::secret_name`].

use crate::runs::{name_of, read_variant_column};
use crate::{Store, StoreError};
use rusqlite::{Connection, params};
use serde::{Deserialize, Serialize};
use specta::Type;
use vitrine_words::tr;

/// The provider or server software of a remote model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub enum Provider {
    /// The service of OpenAI itself.
    #[serde(rename = "openai")]
    OpenAi,
    /// OpenAI's models on Microsoft Azure.
    Azure,
    /// The Messages API of Anthropic.
    Anthropic,
    /// The Gemini API of Google.
    Gemini,
    /// A local or remote Ollama server.
    Ollama,
    /// A local or remote LM Studio server.
    LmStudio,
    /// A local or remote vLLM server.
    Vllm,
    /// Any other server that is compatible with OpenAI.
    Other,
}

/// A remote model without its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "camelCase")]
pub struct RemoteModel {
    /// The name in settings and run logs.
    pub id: String,
    /// The display name of the model.
    pub title: String,
    /// The provider of the model.
    pub provider: Provider,
    /// The base address of the server.
    pub base_url: String,
    /// The model's name on the server.
    pub model: String,
    /// Maximum number of tokens of prompt and reply together.
    pub context_tokens: u32,
}

impl RemoteModel {
    /// Returns the name of a model's key in the keychain.
    pub fn secret_name(id: &str) -> String {
        format!("model:{id}")
    }
}

impl Store {
    /// Stores a model, replacing the one with its id. Rejects an address that contains a user name or password, because
    /// it would be stored in this file.
    pub fn set_remote_model(&self, model: &RemoteModel) -> Result<(), StoreError> {
        let authority = model
            .base_url
            .split_once("://")
            .map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or_default());
        if authority.contains('@') {
            let message =
                tr!("the address contains a name or password; enter the key separately, it is stored in the keychain");
            return Err(StoreError::Invalid { message });
        }
        self.with_transaction(|transaction| Ok(put_model(transaction, model)?))
    }

    /// Returns all remote models by title.
    pub fn remote_models(&self) -> Result<Vec<RemoteModel>, StoreError> {
        self.with_reader(|connection| {
            connection
                .prepare_cached(
                    "SELECT id, title, provider, base_url, model, context_tokens FROM remote_models ORDER BY title, id",
                )?
                .query_map([], |row| {
                    Ok(RemoteModel {
                        id: row.get(0)?,
                        title: row.get(1)?,
                        provider: read_variant_column(row, 2)?,
                        base_url: row.get(3)?,
                        model: row.get(4)?,
                        context_tokens: row.get(5)?,
                    })
                })?
                .collect()
        })
    }

    /// Deletes a model; the caller must delete its key.
    pub fn delete_remote_model(&self, id: &str) -> Result<(), StoreError> {
        self.with_transaction(|transaction| {
            match transaction.execute("DELETE FROM remote_models WHERE id = ?1", [id])? {
                0 => Err(StoreError::not_found("model", id).into()),
                _ => Ok(()),
            }
        })
    }
}

/// Writes a model, replacing the one with its id.
pub(crate) fn put_model(db: &Connection, model: &RemoteModel) -> rusqlite::Result<()> {
    db.execute(
        "INSERT INTO remote_models VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (id) DO UPDATE SET title = excluded.title,
         provider = excluded.provider, base_url = excluded.base_url, model = excluded.model,
         context_tokens = excluded.context_tokens",
        params![model.id, model.title, name_of(model.provider), model.base_url, model.model, model.context_tokens],
    )?;
    Ok(())
}
