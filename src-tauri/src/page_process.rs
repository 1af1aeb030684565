//! The process that draws a window's page. Where it ends by itself (a crash, or a system that is short of memory), the window
//! would stay empty: the page is loaded again, at the place that it was at, with the drafts that the host keeps.

use tauri::WebviewWindow;

/// Watches the process of a window's page. Tried on Linux alone; elsewhere the window does what its system does.
#[cfg(target_os = "linux")]
pub(crate) fn reload_on_crash(window: &WebviewWindow) -> tauri::Result<()> {
    use std::cell::Cell;
    use std::time::{Duration, Instant};
    use webkit2gtk::WebViewExt;

    /// A process that ends again within this time would do so for ever.
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
