//! The windows and the restrictions of their pages: they cannot leave the program, open windows, or load foreign content.

use crate::page_process;
use tauri::webview::NewWindowResponse;
use tauri::{AppHandle, Manager, Url, WebviewUrl, WebviewWindowBuilder, Wry};
use vitrine_domain::{AppError, ErrorCode};

/// Label of the first window.
pub(crate) const WINDOW: &str = "main";
/// Prefix of the labels of further windows; `capabilities/main.json` grants them the same permissions as the first.
const FURTHER: &str = "window-";
/// Maximum number of windows, so that a faulty page does not fill the screen.
const MOST: usize = 16;
/// Maximum length of a page's address in bytes.
const LONGEST: usize = 2_000;

/// Opens the first window, with the start page.
pub(crate) fn open_first(app: &tauri::App) -> tauri::Result<()> {
    build_window(app, WINDOW, None)
}

/// Opens a further window at a page, which is the fragment of an address. Labels of closed windows are reused, so that the same number of
/// windows opens at the same positions.
#[tauri::command]
pub(crate) async fn open_window(app: AppHandle, page: String) -> Result<(), AppError> {
    if !is_page(&page) {
        return Err(AppError::new(ErrorCode::Usage, "This is no page of the program."));
    }
    let label = (2..=MOST)
        .map(|number| format!("{FURTHER}{number}"))
        .find(|label| app.get_webview_window(label).is_none())
        .ok_or_else(|| {
            AppError::new(ErrorCode::Usage, format!("{MOST} windows are open.")).with_hint("Close one first.")
        })?;
    build_window(&app, &label, Some(&page))
        .map_err(|error| AppError::new(ErrorCode::Internal, "The window cannot open.").with_detail(error))
}

/// Opens a window with the settings of the configuration.
fn build_window<M: Manager<Wry>>(manager: &M, label: &str, page: Option<&str>) -> tauri::Result<()> {
    let described = manager.config().app.windows.iter().find(|window| window.label == WINDOW);
    let mut config = described.cloned().ok_or(tauri::Error::WindowNotFound)?;
    label.clone_into(&mut config.label);
    if let Some(page) = page {
        config.url = WebviewUrl::App(page.into());
    }
    let window = WebviewWindowBuilder::from_config(manager, &config)?
        .on_navigation(is_own)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_document_title_changed(|window, title| drop(window.set_title(&title)))
        .build()?;
    page_process::reload_on_crash(&window)
}

/// Returns true if a text is a fragment of the pages' address, which cannot lead to another site.
fn is_page(text: &str) -> bool {
    text.starts_with("#/") && text.len() <= LONGEST && !text.chars().any(char::is_control)
}

/// Returns true if an address belongs to the program's own pages.
fn is_own(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => true,
        // The host name of the pages on Windows.
        "http" | "https" => url.host_str() == Some("tauri.localhost"),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_never_leaves_the_program() {
        let own = |url: &str| is_own(&url.parse().unwrap());
        for url in ["tauri://localhost/", "tauri://localhost/index.html#/run/1", "http://tauri.localhost/"] {
            assert!(own(url), "{url}");
        }
        for url in [
            "https://example.org/",
            "http://localhost:5173/",
            "http://127.0.0.1:8787/",
            "https://tauri.localhost.example.org/",
            "file:///etc/passwd",
            "data:text/html,x",
            "javascript:alert(1)",
            "about:blank",
            "blob:tauri://localhost/1",
        ] {
            assert!(!own(url), "{url}");
        }
    }

    #[test]
    fn a_further_window_opens_at_a_page_of_the_program_and_nowhere_else() {
        let first: Url = "tauri://localhost/".parse().unwrap();
        for page in ["#/", "#/run/1", "#/run/%2F/graph", "#/../../etc", "#/?token=1", "#//example.org"] {
            assert!(is_page(page), "{page}");
            let url = first.join(page).unwrap();
            assert!(is_own(&url) && url.path() == "/" && url.query().is_none(), "{url}");
        }
        let long = format!("#/{}", "a".repeat(LONGEST));
        for page in
            ["", "/", "index.html", "https://example.org/", "//example.org", "javascript:1", "#run", "#/\n", &long]
        {
            assert!(!is_page(page), "{page}");
        }
    }

    /// Checks the sources that pages may load, and their few permissions on the system.
    #[test]
    fn the_pages_reach_nothing_but_the_program() {
        let config: serde_json::Value = serde_json::from_str(include_str!("../tauri.conf.json")).unwrap();
        let policy = config["app"]["security"]["csp"].as_str().unwrap();
        for part in [
            "default-src 'self'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-src 'none'",
            "frame-ancestors 'none'",
        ] {
            assert!(policy.contains(part), "{part}");
        }
        let connects = policy.split(';').find(|part| part.trim().starts_with("connect-src")).unwrap();
        assert_eq!(connects.trim(), "connect-src ipc: http://ipc.localhost 'self'");
        let scripts = policy.split(';').find(|part| part.trim().starts_with("script-src"));
        assert!(scripts.is_none_or(|scripts| !scripts.contains("unsafe") && !scripts.contains("http")), "{scripts:?}");
        assert_eq!(config["app"]["withGlobalTauri"], false);
        assert_eq!(config["app"]["windows"].as_array().map(Vec::len), Some(1));
        assert_eq!(config["app"]["windows"][0]["create"], false, "made in Rust, where navigation is refused");
        let granted: serde_json::Value = serde_json::from_str(include_str!("../capabilities/main.json")).unwrap();
        assert_eq!(granted["windows"], serde_json::json!([WINDOW, format!("{FURTHER}*")]));
        let granted = granted["permissions"].to_string();
        assert!(!granted.contains("dialog:") && !granted.contains("fs:") && !granted.contains("shell:"), "{granted}");
    }
}
