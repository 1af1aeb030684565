//! Restart of a window's page process. If the process ends unexpectedly (a crash, or lack of memory), the window would be empty; the page
//! is loaded again at the same place, with the drafts that the host keeps.

use tauri::WebviewWindow;

/// Reloads a window's page when its process ends. Implemented for Linux only; other systems use their default behaviour.
#[cfg(target_os = "linux")]
pub(crate) fn reload_on_crash(window: &WebviewWindow) -> tauri::Result<()> {
    use std::cell::Cell;
    use std::time::{Duration, Instant};
    use webkit2gtk::WebViewExt;

    /// Minimum interval between two reloads; a process that ends sooner would probably do so again without end.
    const APART: Duration = Duration::from_secs(10);
    window.with_webview(|view| {
        let last = Cell::new(None::<Instant>);
        view.inner().connect_web_process_terminated(move |view, _| {
            let before = last.replace(Some(Instant::now()));
            if before.is_none_or(|before| before.elapsed() >= APART) {
                view.reload();
            }
        });
    })
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn reload_on_crash(_: &WebviewWindow) -> tauri::Result<()> {
    Ok(())
}
