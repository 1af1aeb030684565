//! File dialogs. Rust opens them instead of the pages, so that pages never choose the path of a file that is written.

use crate::app::App;
use crate::state::chosen_files::FileDialogs;
use crate::types::{ChosenFile, OpenKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Sets the implementation of the dialogs. Without it, pages cannot write files.
    pub fn set_dialogs(&self, dialogs: Arc<dyn FileDialogs>) {
        *self.inner.chosen.dialogs.lock() = Some(dialogs);
    }

    /// Asks the user for a file or folder to read.
    pub async fn pick_open_path(&self, kind: OpenKind) -> Result<Option<String>, AppError> {
        Ok(self.file_dialogs()?.pick_open_path(kind).await.map(|path| path.display().to_string()))
    }

    /// Asks the user for a file to write. The returned token permits writing the file once.
    pub async fn pick_save_file(&self, name: String) -> Result<Option<ChosenFile>, AppError> {
        let name = Path::new(&name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = self.file_dialogs()?.pick_save_path(&name).await;
        Ok(path.map(|path| ChosenFile { path: path.display().to_string(), token: self.inner.chosen.store_file(path) }))
    }

    /// Asks the user for a folder. The returned token permits one command to write to it or read from it.
    pub async fn pick_folder(&self) -> Result<Option<ChosenFile>, AppError> {
        let path = self.file_dialogs()?.pick_folder().await;
        Ok(path.map(|path| ChosenFile { path: path.display().to_string(), token: self.inner.chosen.store_file(path) }))
    }

    /// Shows a written file in the system's file manager. `written` is the id of the job that wrote it, or the token of the dialog.
    ///
    /// # Errors
    /// When no file was written under that id, or the system has no file manager.
    pub async fn show_in_folder(&self, written: String) -> Result<(), AppError> {
        let path = self.inner.chosen.written_file(&written).ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("The location of this file is no longer known"))
                .with_hint(tr!("Export again"))
        })?;
        self.file_dialogs()?.show_in_folder(&path).map_err(|error| {
            AppError::new(
                ErrorCode::Usage,
                tr!("The folder could not be opened. The file is {path}", path = path.display()),
            )
            .with_detail(error)
        })
    }

    /// Returns the file that the user chose under a token; the token becomes invalid.
    pub(crate) fn take_chosen_file(&self, token: &str) -> Result<PathBuf, AppError> {
        self.inner.chosen.take_file(token).ok_or_else(|| {
            AppError::new(ErrorCode::Usage, tr!("No file was chosen for this, or it has been written already"))
                .with_hint(tr!("Export again, and choose a file in the dialog"))
        })
    }

    fn file_dialogs(&self) -> Result<Arc<dyn FileDialogs>, AppError> {
        self.inner
            .chosen
            .dialogs
            .lock()
            .clone()
            .ok_or_else(|| AppError::new(ErrorCode::Internal, tr!("There is no window for a file dialog")))
    }
}
