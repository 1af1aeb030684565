//! Files that the user chose in a dialog, each with a token that permits one command to write it once. Pages cannot write any other file.

use crate::types::OpenKind;
use async_trait::async_trait;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// File dialogs that a front end provides.
#[async_trait]
pub trait FileDialogs: Send + Sync {
    /// Asks for a file or folder to read; `None` if the user cancels.
    async fn pick_open_path(&self, kind: OpenKind) -> Option<PathBuf>;
    /// Asks for a file to write, with a suggested name; `None` if the user cancels.
    async fn pick_save_path(&self, name: &str) -> Option<PathBuf>;
    /// Asks for a folder to write to or read from; `None` if the user cancels.
    async fn pick_folder(&self) -> Option<PathBuf>;
    /// Shows a file in the system's file manager.
    ///
    /// # Errors
    /// When no file manager is found, or it does not start.
    fn show_in_folder(&self, path: &Path) -> std::io::Result<()>;
}

/// Maximum number of tokens; a new one replaces the oldest.
const KEPT: usize = 32;

#[derive(Default)]
pub(crate) struct ChosenFiles {
    /// The front end's dialogs; `None` in a terminal.
    pub(crate) dialogs: Mutex<Option<Arc<dyn FileDialogs>>>,
    files: Mutex<VecDeque<(String, PathBuf)>>,
    /// Written files, by their token or the job that wrote them.
    written: Mutex<VecDeque<(String, PathBuf)>>,
}

impl ChosenFiles {
    /// Stores a file and returns its token.
    pub(crate) fn store_file(&self, path: PathBuf) -> String {
        // Random, unlike other ids, so that it cannot be guessed.
        let token = uuid::Uuid::new_v4().to_string();
        push_bounded(&self.files, token.clone(), path);
        token
    }

    /// Records a written file, so that it can be shown to the user.
    pub(crate) fn note_written(&self, id: &str, path: PathBuf) {
        push_bounded(&self.written, id.to_owned(), path);
    }

    /// Returns a written file by its token or the job that wrote it.
    pub(crate) fn written_file(&self, id: &str) -> Option<PathBuf> {
        self.written.lock().iter().rev().find(|(kept, _)| kept == id).map(|(_, path)| path.clone())
    }

    /// Returns the file of a token and invalidates the token.
    pub(crate) fn take_file(&self, token: &str) -> Option<PathBuf> {
        let mut files = self.files.lock();
        let at = files.iter().position(|(kept, _)| kept == token)?;
        files.remove(at).map(|(_, path)| path)
    }
}

fn push_bounded(files: &Mutex<VecDeque<(String, PathBuf)>>, id: String, path: PathBuf) {
    let mut files = files.lock();
    if files.len() == KEPT {
        files.pop_front();
    }
    files.push_back((id, path));
}
