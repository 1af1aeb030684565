//! The one window, and what its pages may not do: leave the program, open another window, load from elsewhere.

use tauri::webview::NewWindowResponse;
use tauri::{Url, WebviewWindowBuilder};

/// Its label.
pub(crate) const WINDOW: &str = "main";

/// Opens the window as the configuration describes it.
pub(crate) fn open_window(app: &tauri::App) -> Result<(), Box<dyn std::error::Error>> {
    let config =
        app.config().app.windows.iter().find(|window| window.label == WINDOW).ok_or("no window is described")?;
    WebviewWindowBuilder::from_config(app, config)?
        .on_navigation(is_own)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .build()?;
    Ok(())
}

/// Whether an address is one of the program's own pages.
fn is_own(url: &Url) -> bool {
    match url.scheme() {
        "tauri" => true,
        // How Windows names them.
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

    /// What the pages may load, and the few things that they may ask of the system.
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
        let granted = granted["permissions"].to_string();
        assert!(!granted.contains("dialog:") && !granted.contains("fs:") && !granted.contains("shell:"), "{granted}");
    }
}
