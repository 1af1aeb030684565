//! Saves files of pages in one folder, under the suggested name and without a dialog, because a browser cannot show the
//! application's dialogs.

use async_trait::async_trait;
use std::path::{Path, PathBuf};
use vitrine_api::{FileDialogs, OpenKind};

pub(crate) struct OneFolder(pub(crate) PathBuf);

#[async_trait]
impl FileDialogs for OneFolder {
    async fn pick_open_path(&self, _: OpenKind) -> Option<PathBuf> {
        None
    }

    async fn pick_save_path(&self, name: &str) -> Option<PathBuf> {
        Some(self.0.join(name))
    }

    async fn pick_folder(&self) -> Option<PathBuf> {
        Some(self.0.join("library"))
    }

    fn show_in_folder(&self, _: &Path) -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
}
