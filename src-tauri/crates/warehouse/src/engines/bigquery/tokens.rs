//! A request for a token and Google's response. No part of a token or of the request's secrets is ever displayed.

use crate::web::error_causes;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Form fields that are never repeated in messages.
const SECRET: [&str; 5] = ["assertion", "client_secret", "code", "code_verifier", "refresh_token"];
/// Maximum number of characters of Google's messages that are displayed.
const LONGEST: usize = 300;

/// A token with its properties.
pub(super) struct Granted {
    pub token: String,
    pub ends: Instant,
    /// Its scopes, if Google reports them.
    pub scopes: Vec<String>,
    /// The refresh token, if this is the response to a sign-in.
    pub refresh_token: Option<String>,
}

/// The reason why a token request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Google refused it with this message.
    Said(String),
    /// Google did not respond, or has a failure.
    Unreachable(String),
}

/// Requests a token with a form.
pub(super) async fn request_token(
    http: &reqwest::Client,
    place: &str,
    form: Vec<(&'static str, String)>,
) -> Result<Granted, Refusal> {
    let asked = Instant::now();
    let secrets: Vec<String> =
        form.iter().filter(|(name, _)| SECRET.contains(name)).map(|(_, value)| value.clone()).collect();
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    let request = http.post(place).header("content-type", "application/x-www-form-urlencoded").body(body);
    let (status, body) = fetch_answer(request).await?;
    let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let token = text("access_token");
    if status != 200 || token.is_empty() {
        let mut said = [text("error"), text("error_description")].join(": ");
        // A faulty server may repeat the request's values in its message.
        for secret in secrets.iter().filter(|secret| !secret.is_empty()) {
            said = said.replace(secret, "***");
        }
        return Err(Refusal::Said(said.trim_matches([':', ' ']).chars().take(LONGEST).collect()));
    }
    let seconds = body.get("expires_in").and_then(Value::as_u64).unwrap_or_default();
    Ok(Granted {
        token,
        ends: asked + Duration::from_secs(seconds.min(86_400)),
        scopes: text("scope").split_whitespace().map(str::to_owned).collect(),
        refresh_token: Some(text("refresh_token")).filter(|token| !token.is_empty()),
    })
}

/// Returns the status and the body of a response.
pub(super) async fn fetch_answer(request: reqwest::RequestBuilder) -> Result<(u16, Value), Refusal> {
    let lost = |error: reqwest::Error| Refusal::Unreachable(error_causes(error));
    let answer = request.send().await.map_err(lost)?;
    let status = answer.status().as_u16();
    let body = answer.bytes().await.map_err(lost)?;
    if status >= 500 {
        return Err(Refusal::Unreachable(format!("Google gives no token: HTTP status {status}")));
    }
    Ok((status, serde_json::from_slice(&body).unwrap_or_default()))
}
