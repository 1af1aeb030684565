//! Files that the user chose in a dialog, each under a token that lets one command write it, once. Whatever pages send
//! besides is no file that can be written.

use crate::types::OpenKind;
use async_trait::async_trait;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a front end offers for choosing files.
#[async_trait]
pub trait FileDialogs: Send + Sync {
    /// Asks for something to read; `None` when the user dismisses it.
    async fn pick_open_path(&self, kind: OpenKind) -> Option<PathBuf>;
    /// Asks where to save, beginning with a file name; `None` when the user dismisses it.
    async fn pick_save_path(&self, name: &str) -> Option<PathBuf>;
    /// Asks for a folder to write into or to read from; `None` when the user dismisses it.
    async fn pick_folder(&self) -> Option<PathBuf>;
    /// Shows a file in the system's file manager.
    ///
    /// # Errors
    /// When there is none, or it does not start.
    fn show_in_folder(&self, path: &Path) -> std::io::Result<()>;
}

/// Tokens that are kept; the oldest makes room.
const KEPT: usize = 32;

#[derive(Default)]
pub(crate) struct ChosenFiles {
    /// What opens dialogs; a terminal has none.
    pub(crate) dialogs: Mutex<Option<Arc<dyn FileDialogs>>>,
    files: Mutex<VecDeque<(String, PathBuf)>>,
    /// Files that were written, by their token or the job that wrote them.
    written: Mutex<VecDeque<(String, PathBuf)>>,
}

impl ChosenFiles {
    /// Keeps a file and gives its token.
    pub(crate) fn store_file(&self, path: PathBuf) -> String {
        // Random, unlike other ids: nobody guesses it.
        let token = uuid::Uuid::new_v4().to_string();
        push_bounded(&self.files, token.clone(), path);
        token
    }

    /// Remembers a file that was written, so that the user can be shown where it is.
    pub(crate) fn note_written(&self, id: &str, path: PathBuf) {
        push_bounded(&self.written, id.to_owned(), path);
    }

    /// A file that was written, by its token or the job that wrote it.
    pub(crate) fn written_file(&self, id: &str) -> Option<PathBuf> {
        self.written.lock().iter().rev().find(|(kept, _)| kept == id).map(|(_, path)| path.clone())
    }

    /// The file of a token, which is spent with it.
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
