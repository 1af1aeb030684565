//! The pages that the browser shows at the end. Their only external content is the text of an error, which is escaped.

use super::fault::SignInFault;
use vitrine_domain::AppError;
use vitrine_words::{current_language, tr};

/// Renders a page as an HTTP response.
pub(super) fn render_response(done: Result<(), &SignInFault>) -> String {
    match done {
        Ok(()) => {
            render_page("200 OK", &tr!("You are signed in"), &tr!("You can close this tab and go back to Vitrine."))
        }
        Err(fault) => {
            let error = AppError::from(fault.clone());
            let next = error.hint.map(|hint| format!("{hint}. ")).unwrap_or_default();
            render_page("400 Bad Request", &error.message, &format!("{next}{}", tr!("You can close this tab.")))
        }
    }
}

/// Returns the response to any other request.
pub(super) fn nothing_here() -> String {
    render_page("404 Not Found", &tr!("There is nothing here"), &tr!("You can close this tab."))
}

fn render_page(status: &str, title: &str, text: &str) -> String {
    let (title, text, language) = (escape_html(title), escape_html(text), current_language().code());
    let body = format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{title} - Vitrine</title>\
         <style>:root{{color-scheme:light dark}}body{{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:20vh auto;padding:0 1rem}}</style>\
         <h1>{title}</h1><p>{text}</p></html>"
    );
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: text/html; charset=utf-8\r\ncontent-length: {}\r\ncache-control: no-store\r\n\
         referrer-policy: no-referrer\r\nx-content-type-options: nosniff\r\n\
         content-security-policy: default-src 'none'; style-src 'unsafe-inline'\r\nconnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
