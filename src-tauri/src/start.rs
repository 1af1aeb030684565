//! Errors at the start. A user who starts the program from a menu sees no terminal, so that a dialog of the system shows the error.

use std::panic::AssertUnwindSafe;
use tauri_plugin_dialog::{DialogExt, MessageDialogKind};
use vitrine_domain::AppError;

const TITLE: &str = "Vitrine cannot start";
const FAILED: i32 = 4;

/// Shows the reason that the program cannot start, waits until the dialog is closed, and exits.
pub(crate) fn show_error_and_exit(error: &AppError) -> ! {
    eprintln!("error: {error}");
    let text = format_error(error);
    // A display that does not respond causes a panic in the window library. The error is already printed to the terminal.
    std::panic::set_hook(Box::new(|_| {}));
    let _ = std::panic::catch_unwind(AssertUnwindSafe(|| show_error_dialog(text)));
    std::process::exit(FAILED)
}

/// Runs an application that only shows the dialog, because dialogs need a running application.
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

/// Formats an error as paragraphs: what happened, the details, and a hint.
fn format_error(error: &AppError) -> String {
    let paragraphs = [Some(&error.message), error.detail.as_ref(), error.hint.as_ref()];
    let paragraphs: Vec<&str> = paragraphs.into_iter().flatten().map(|text| text.trim()).collect();
    // The system's dialogs show text up to the first NUL.
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
