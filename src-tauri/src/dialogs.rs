//! The system's file dialogs, opened by Rust, because pages may not choose the path of a file that is written.

use async_trait::async_trait;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tauri::{AppHandle, Manager, Wry};
use tauri_plugin_dialog::{DialogExt, FileDialogBuilder, FilePath};
use tokio::sync::oneshot;
use vitrine_api::{FileDialogs, OpenKind};

/// File dialogs with a window of the application as their parent.
pub(crate) struct WindowDialogs(pub(crate) AppHandle);

#[async_trait]
impl FileDialogs for WindowDialogs {
    async fn pick_open_path(&self, kind: OpenKind) -> Option<PathBuf> {
        let (chosen, choice) = oneshot::channel();
        let answer = move |path: Option<FilePath>| drop(chosen.send(path));
        match file_filter(kind) {
            Some((name, extensions)) => {
                let dialog = self.new_file_dialog().add_filter(name, extensions).add_filter("All files", &["*"]);
                dialog.pick_file(answer);
            }
            None => self.new_file_dialog().pick_folder(answer),
        }
        to_path(choice.await.ok()?)
    }

    async fn pick_save_path(&self, name: &str) -> Option<PathBuf> {
        let (chosen, choice) = oneshot::channel();
        self.new_file_dialog().set_file_name(name).save_file(move |path| drop(chosen.send(path)));
        to_path(choice.await.ok()?)
    }

    async fn pick_folder(&self) -> Option<PathBuf> {
        self.pick_open_path(OpenKind::Folder).await
    }

    fn show_in_folder(&self, path: &Path) -> std::io::Result<()> {
        let folder = path.parent().unwrap_or(path);
        // On systems that support it, the file is selected in its folder.
        let mut command = if cfg!(target_os = "windows") {
            let mut command = Command::new("explorer");
            command.arg(format!("/select,{}", path.display()));
            command
        } else if cfg!(target_os = "macos") {
            let mut command = Command::new("open");
            command.arg("-R").arg(path);
            command
        } else {
            let mut command = Command::new("xdg-open");
            command.arg(folder);
            command
        };
        let mut started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        // The file manager's command ends immediately, and only this thread waits for it.
        std::thread::spawn(move || drop(started.wait()));
        Ok(())
    }
}

impl WindowDialogs {
    fn new_file_dialog(&self) -> FileDialogBuilder<Wry> {
        let dialog = self.0.dialog().file();
        // The focused window has requested the dialog.
        let windows = self.0.webview_windows();
        let asking = windows.values().find(|window| window.is_focused().unwrap_or(false));
        match asking.or_else(|| windows.get(crate::walls::WINDOW)) {
            Some(window) => dialog.set_parent(window),
            None => dialog,
        }
    }
}

fn to_path(chosen: Option<FilePath>) -> Option<PathBuf> {
    chosen?.into_path().ok()
}

/// Returns the name and extensions of the files that the dialog shows; `None` for folders.
fn file_filter(kind: OpenKind) -> Option<(&'static str, &'static [&'static str])> {
    Some(match kind {
        OpenKind::Sqlite => ("SQLite database", &["sqlite", "sqlite3", "db", "db3"]),
        OpenKind::Duckdb => ("DuckDB database", &["duckdb", "db", "ddb"]),
        OpenKind::File => ("Data file", &["csv", "tsv", "parquet", "json", "jsonl", "ndjson", "xlsx", "gz"]),
        OpenKind::Ddl => ("SQL script", &["sql", "ddl", "csv"]),
        OpenKind::Dbt => ("dbt", &["yml", "yaml", "json"]),
        OpenKind::Gguf => ("GGUF model", &["gguf"]),
        OpenKind::Driver => ("Shared library", &["so", "dylib", "dll"]),
        OpenKind::Bundle => ("Evidence bundle", &["zip"]),
        OpenKind::Workspace => ("Exported workspace", &["zip"]),
        OpenKind::Folder => return None,
    })
}
