//! Notifications on the desktop.

use crate::output::{print_note, sanitize_text};
use notify_rust::Notification;
use std::sync::mpsc;
use std::time::Duration;
use vitrine_words::tr;

/// Maximum number of characters of a notification.
const LONGEST: usize = 300;
/// Time to wait for the desktop, which may not answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Shows a notification. Without a desktop, a line on standard error says so; the result itself has been printed.
pub(crate) fn show_notification(title: &str, text: &str) {
    let clip = |text: &str| sanitize_text(text, false).chars().take(LONGEST).collect::<String>();
    // Notification servers may interpret markup in the text.
    let body = clip(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let summary = clip(title);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let shown = Notification::new().appname("Vitrine").summary(&summary).body(&body).show();
        let _ = sender.send(shown.map(drop).map_err(|error| error.to_string()));
    });
    if let Ok(Err(reason)) | Err(reason) = receiver.recv_timeout(PATIENCE).map_err(|error| error.to_string()) {
        print_note(&tr!("No notification could be shown: {reason}", reason = sanitize_text(&reason, false)));
    }
}
