//! The file of a report.

use crate::state::work::run_blocking;
use std::path::{Path, PathBuf};
use vitrine_domain::{AppError, ErrorCode};
use vitrine_words::tr;

/// Checks that a report can be written to a path, before the report is built.
pub(crate) fn check_report_path(path: &Path, replace: bool) -> Result<(), AppError> {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("html" | "htm") => {}
        Some("pdf") => {
            let html = path.with_extension("html");
            let message = tr!("Vitrine writes reports as HTML files, which browsers print as PDF");
            return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!(
                "Write {html}, open it in a browser, and print it to a PDF file",
                html = html.display()
            )));
        }
        _ => {
            let message = tr!("{path} is not the name of an HTML file", path = path.display());
            return Err(AppError::new(ErrorCode::Usage, message).with_hint(tr!("End the name with .html")));
        }
    }
    if path.is_dir() {
        return Err(AppError::new(ErrorCode::Usage, tr!("{path} is a folder", path = path.display()))
            .with_hint(tr!("Name a file in it")));
    }
    if !replace && path.symlink_metadata().is_ok() {
        return Err(AppError::new(ErrorCode::Usage, tr!("{path} already exists", path = path.display()))
            .with_hint(tr!("Choose another name, or replace the file with --force")));
    }
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        Some(folder) => {
            Err(AppError::new(ErrorCode::Usage, tr!("The folder {folder} does not exist", folder = folder.display()))
                .with_hint(tr!("Create it first")))
        }
        None => Ok(()),
    }
}

/// Writes a report atomically: the file is complete, or unchanged.
pub(crate) async fn write_report_file(path: PathBuf, html: String, replace: bool) -> Result<(), AppError> {
    run_blocking(move || {
        // The file may have appeared while the report was built.
        check_report_path(&path, replace)?;
        vitrine_warehouse::write_file(&path, html.as_bytes()).map_err(|error| {
            AppError::new(ErrorCode::Usage, tr!("{path} cannot be written", path = path.display()))
                .with_hint(tr!("Check that the folder exists and that there is space"))
                .with_detail(error)
        })
    })
    .await
}
