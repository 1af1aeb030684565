//! Serves the files of the built pages.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::path::{Component, Path, PathBuf};

/// As strict as the policy of the window, so that pages that work here also work there.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
                      object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) async fn serve_file(folder: &Path, url_path: &str) -> Response {
    let Some(file) = resolve_file(folder, url_path) else { return StatusCode::NOT_FOUND.into_response() };
    match tokio::fs::read(&file).await {
        Ok(bytes) => {
            let headers = [
                (header::CONTENT_TYPE, media_type(&file)),
                (header::CONTENT_SECURITY_POLICY, POLICY),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                (header::CACHE_CONTROL, "no-cache"),
            ];
            (headers, bytes).into_response()
        }
        Err(_) if url_path == "/" => {
            let told =
                format!("{} does not hold the built pages; build them first: npm run ui:build\n", folder.display());
            (StatusCode::NOT_FOUND, told).into_response()
        }
        Err(_) => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Returns the file of a URL path, never outside the folder. Built files have plain names, so paths are not decoded.
fn resolve_file(folder: &Path, url_path: &str) -> Option<PathBuf> {
    let relative = match url_path.strip_prefix('/')? {
        "" => "index.html",
        path => path,
    };
    let plain = Path::new(relative).components().all(|part| matches!(part, Component::Normal(_)));
    (plain && !relative.contains(['%', '\\', '\0'])).then(|| folder.join(relative))
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_path_leads_out_of_the_folder() {
        let folder = Path::new("/ui");
        assert_eq!(resolve_file(folder, "/"), Some("/ui/index.html".into()));
        assert_eq!(resolve_file(folder, "/assets/a.js"), Some("/ui/assets/a.js".into()));
        for path in ["/../etc/passwd", "/a/../../b", "//etc/passwd", "/%2e%2e/b", "/a\\..\\b", "", "etc"] {
            assert_eq!(resolve_file(folder, path), None, "{path}");
        }
    }
}
