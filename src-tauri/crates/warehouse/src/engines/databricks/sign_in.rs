//! The token of each request: a personal access token, or one that a service principal receives for an hour (OAuth
//! machine-to-machine).

use super::answer::fetch_answer;
use super::errors::{ApiError, Failure};
use crate::WarehouseError;
use reqwest::Client;
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use url::Url;

/// The form of a token request, for all permissions of the client.
const FORM: &str = "grant_type=client_credentials&scope=all-apis";
/// Remaining time below which a token is replaced.
const MARGIN: Duration = Duration::from_secs(60);

/// The kinds of login at a workspace.
pub(super) enum SignIn {
    /// A personal access token of a user.
    Token(String),
    /// A service principal with its client id, its secret and the current token.
    Machine { client: String, secret: String, granted: Mutex<Option<(String, Instant)>> },
}

impl SignIn {
    /// Creates the login. With a client id, the secret belongs to the client; otherwise it is a token.
    pub fn new(client: Option<String>, secret: String) -> Self {
        match client {
            Some(client) => Self::Machine { client, secret, granted: Mutex::default() },
            None => Self::Token(secret),
        }
    }

    /// Returns a valid token. A new one is requested from the same host.
    pub async fn access_token(&self, http: &Client, host: &Url, shown: &str) -> Result<String, Failure> {
        let (client, secret, granted) = match self {
            Self::Token(token) => return Ok(token.clone()),
            Self::Machine { client, secret, granted } => (client, secret, granted),
        };
        let mut granted = granted.lock().await;
        if let Some((token, ends)) = granted.as_ref()
            && Instant::now() + MARGIN < *ends
        {
            return Ok(token.clone());
        }
        let asked = Instant::now();
        let wrong = |_| Failure::Connection(WarehouseError::query("the address has no place for tokens"));
        let request = http.post(host.join("/oidc/v1/token").map_err(wrong)?).basic_auth(client, Some(secret));
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(FORM);
        let answer = fetch_answer(request, shown).await.map_err(|(failure, _)| failure)?;
        let token = answer.get("access_token").and_then(Value::as_str).filter(|token| !token.is_empty());
        let none =
            || ApiError { status: 401, message: "the workspace gave no token".to_owned(), ..ApiError::default() };
        let token = token.ok_or_else(|| Failure::Answer(none()))?.to_owned();
        let seconds = answer.get("expires_in").and_then(Value::as_u64).unwrap_or_default();
        *granted = Some((token.clone(), asked + Duration::from_secs(seconds.min(86_400))));
        Ok(token)
    }

    /// Removes a rejected token. Returns true if another one can be requested.
    pub async fn forget_token(&self) -> bool {
        match self {
            Self::Token(_) => false,
            Self::Machine { granted, .. } => granted.lock().await.take().is_some(),
        }
    }
}
