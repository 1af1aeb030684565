//! Restricts access to pages of this computer. The listening address excludes other machines; these checks exclude
//! pages of other sites in a browser on this computer, even with DNS rebinding, and local programs without the token.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// The name of the query parameter in the first address, and of the cookie that keeps its value.
pub(crate) const TOKEN: &str = "token";

/// Accepts requests with the token in the address or in the cookie. If it is in the address, the response sets the
/// cookie.
pub(crate) async fn only_with_token(State(token): State<Arc<str>>, request: Request, next: Next) -> Response {
    let in_address = request.uri().query().is_some_and(|query| has_token(query.split('&'), &token));
    let cookies = request.headers().get(header::COOKIE).and_then(|cookies| cookies.to_str().ok());
    let in_cookie = cookies.is_some_and(|cookies| has_token(cookies.split(';').map(str::trim), &token));
    if !in_address && !in_cookie {
        return (StatusCode::UNAUTHORIZED, "open the address that the development host printed").into_response();
    }
    let mut response = next.run(request).await;
    if in_address
        && let Ok(cookie) = HeaderValue::from_str(&format!("{TOKEN}={token}; HttpOnly; SameSite=Strict; Path=/"))
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// Checks if one of the `name=value` pairs is the token.
fn has_token<'p>(mut pairs: impl Iterator<Item = &'p str>, token: &str) -> bool {
    pairs.any(|pair| pair.split_once('=') == Some((TOKEN, token)))
}

pub(crate) async fn only_this_machine(request: Request, next: Next) -> Response {
    match refusal_reason(request.method(), request.headers()) {
        None => next.run(request).await,
        Some(reason) => (StatusCode::FORBIDDEN, reason).into_response(),
    }
}

fn refusal_reason(method: &Method, headers: &HeaderMap) -> Option<&'static str> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    if !text(header::HOST).is_some_and(is_loopback) {
        return Some("this host answers to the names of this computer only");
    }
    if let Some(origin) = text(header::ORIGIN)
        && !origin.strip_prefix("http://").is_some_and(is_loopback)
    {
        return Some("this host answers pages of this computer only");
    }
    // A form of another site can post, but not with this content type.
    let is_json = text(header::CONTENT_TYPE).is_some_and(|kind| kind.starts_with("application/json"));
    if method == Method::POST && !is_json {
        return Some("arguments are sent as application/json");
    }
    None
}

/// Matches `localhost`, `127.0.0.1` or `[::1]`, with any port.
fn is_loopback(authority: &str) -> bool {
    let name = match authority.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => authority,
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(method: Method, pairs: &[(header::HeaderName, &str)]) -> bool {
        let headers = pairs.iter().map(|(name, value)| (name.clone(), value.parse().unwrap())).collect();
        refusal_reason(&method, &headers).is_some()
    }

    #[test]
    fn pages_of_this_machine_are_answered() {
        let json = (header::CONTENT_TYPE, "application/json");
        assert!(!is_refused(Method::GET, &[(header::HOST, "127.0.0.1:8787")]));
        let own = [(header::HOST, "localhost:5173"), (header::ORIGIN, "http://localhost:5173"), json];
        assert!(!is_refused(Method::POST, &own));
    }

    #[test]
    fn other_sites_are_refused_also_under_a_borrowed_name() {
        let json = (header::CONTENT_TYPE, "application/json");
        for host in [
            "evil.example",
            "127.0.0.1.evil.example",
            "evil.example:8787",
            "localhost.evil.example",
            "192.168.1.5:8787",
        ] {
            assert!(is_refused(Method::GET, &[(header::HOST, host)]), "{host}");
        }
        for origin in
            ["http://evil.example", "https://localhost.evil.example", "null", "http://127.0.0.1.evil.example:80"]
        {
            assert!(
                is_refused(Method::POST, &[(header::HOST, "127.0.0.1:1"), (header::ORIGIN, origin), json.clone()]),
                "{origin}"
            );
        }
        assert!(is_refused(Method::POST, &[(header::HOST, "127.0.0.1:1"), (header::CONTENT_TYPE, "text/plain")]));
        assert!(is_refused(Method::GET, &[]));
    }
}
