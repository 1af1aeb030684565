//! File dialogs. They are opened by Rust and not by the pages, so that pages never name a file that is written.

use crate::app::App;
use crate::state::chosen_files::FileDialogs;
use crate::types::{ChosenFile, OpenKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

impl App {
    /// Sets what opens dialogs. A program without it writes no file for a page.
    pub fn set_dialogs(&self, dialogs: Arc<dyn FileDialogs>) {
        *self.inner.chosen.dialogs.lock() = Some(dialogs);
    }

    /// Asks the user for something to read.
    pub async fn pick_open_path(&self, kind: OpenKind) -> Result<Option<String>, AppError> {
        Ok(self.file_dialogs()?.pick_open_path(kind).await.map(|path| path.display().to_string()))
    }

    /// Asks the user where to save. The file can be written once, by its token.
    pub async fn pick_save_file(&self, name: String) -> Result<Option<ChosenFile>, AppError> {
        let name = Path::new(&name).file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let path = self.file_dialogs()?.pick_save_path(&name).await;
        Ok(path.map(|path| ChosenFile { path: path.display().to_string(), token: self.inner.chosen.store_file(path) }))
    }

    /// Asks the user for a folder. One command may write into it or read from it, by its token.
    pub async fn pick_folder(&self) -> Result<Option<ChosenFile>, AppError> {
        let path = self.file_dialogs()?.pick_folder().await;
        Ok(path.map(|path| ChosenFile { path: path.display().to_string(), token: self.inner.chosen.store_file(path) }))
    }

    /// Shows a file that was written in the system's file manager: by the job that wrote it, or the token of the dialog.
    ///
    /// # Errors
    /// When nothing was written under that name, or there is no file manager.
    pub async fn show_in_folder(&self, written: String) -> Result<(), AppError> {
        let path = self.inner.chosen.written_file(&written).ok_or_else(|| {
            AppError::new(ErrorCode::NotFound, tr!("It is not known any more where this file was written"))
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

    /// The file that the user chose under a token.
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
            .ok_or_else(|| AppError::new(ErrorCode::Internal, tr!("There is no window here that could ask for a file")))
    }
}
