//! Configuration of the window.

/// The window's configuration and pages.
pub(crate) fn build_context() -> tauri::Context<tauri::Wry> {
    tauri::generate_context!()
}
