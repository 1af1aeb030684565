//! A start that fails. Whoever starts the program from a menu sees no terminal, so it is told in a dialog of the system.

use std::panic::AssertUnwindSafe;
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};
use vitrine_domain::AppError;

const TITLE: &str = "Vitrine cannot start";
/// The exit status.
const FAILED: i32 = 4;

/// Tells why the program cannot start, waits until that is read, and ends.
pub(crate) fn show_error_and_exit(error: &AppError) -> ! {
    eprintln!("error: {error}");
    let text = format_error(error);
    // A display that does not answer is a panic in the window library. The terminal has been told.
    std::panic::set_hook(Box::new(|_| {}));
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| show_error_dialog(text)));
    std::process::exit(FAILED)
}

/// A program that is nothing but the dialog: dialogs need one that runs.
fn show_error_dialog(text: String) -> tauri::Result<()> {
    let mut context = crate::context::build_context();
    context.config_mut().app.windows.clear();
    let dialog = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .setup(move |program| {
            let message = program.dialog().message(text).title(TITLE).kind(MessageDialogKind::Error);
            message.show(|_| std::process::exit(FAILED));
            Ok(())
        })
        .build(context)?;
    dialog.run(|_, _| {});
    Ok(())
}

/// What happened, why, and what to do next, a paragraph each.
fn format_error(error: &AppError) -> String {
    let paragraphs = [Some(&error.message), error.detail.as_ref(), error.hint.as_ref()];
    let paragraphs: Vec<&str> = paragraphs.into_iter().flatten().map(|text| text.trim()).collect();
    // The system's dialogs take text up to the first NUL.
    paragraphs.join("\n\n").replace('\0', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use vitrine_domain::ErrorCode;

    #[test]
    fn the_dialog_says_what_why_and_what_to_do() {
        let error = AppError::new(ErrorCode::Internal, "The workspace /a/vitrine.db is damaged.")
            .with_detail("page 3\0")
            .with_hint("Move the file away to start with an empty workspace.");
        assert_eq!(
            format_error(&error),
            "The workspace /a/vitrine.db is damaged.\n\npage 3 \n\nMove the file away to start with an empty workspace."
        );
        assert_eq!(format_error(&AppError::new(ErrorCode::Internal, "It broke")), "It broke");
    }
}
