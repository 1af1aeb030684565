//! Tokens: asked for when they are needed, kept until they end, and never asked for in a loop.

use super::credentials::{Credentials, TOKENS};
use super::errors::causes;
use crate::WarehouseError;
use serde_json::Value;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;

/// A token that ends sooner than this is asked for anew.
const MARGIN: Duration = Duration::from_secs(60);

/// What a token is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Reading: catalogs, queries, results. Google refuses such a token to everything that changes something.
    Read,
    /// What Google lets nobody do with the other one: stopping a job, and a dry run as a job. It is used for nothing else.
    Jobs,
}

impl Access {
    /// Google's name of the scope.
    fn scope(self) -> &'static str {
        match self {
            Self::Read => "https://www.googleapis.com/auth/cloud-platform.read-only",
            Self::Jobs => "https://www.googleapis.com/auth/bigquery",
        }
    }
}

struct Token {
    text: String,
    ends: Instant,
}

/// Signs in, or does not where an emulator is asked.
pub(super) struct SignIn {
    credentials: Option<Credentials>,
    /// Where tokens are had; another place than Google's only in tests.
    tokens: String,
    /// For reading, and for jobs. Whoever waits for one gets the token that the first one fetched.
    kept: [Mutex<Option<Token>>; 2],
}

impl SignIn {
    pub fn new(credentials: Option<Credentials>) -> Self {
        Self { credentials, tokens: TOKENS.to_owned(), kept: [Mutex::default(), Mutex::default()] }
    }

    /// The same with tokens from somewhere else.
    #[cfg(test)]
    pub fn with_tokens_from(self, tokens: String) -> Self {
        Self { tokens, ..self }
    }

    pub fn credentials(&self) -> Option<&Credentials> {
        self.credentials.as_ref()
    }

    /// A token; `None` where nobody asks for one.
    ///
    /// # Errors
    /// [`WarehouseError::SignInAgain`] where Google takes the login no longer.
    pub async fn token(
        &self,
        http: &reqwest::Client,
        access: Access,
        shown: &str,
    ) -> Result<Option<String>, WarehouseError> {
        let Some(credentials) = &self.credentials else { return Ok(None) };
        let mut kept = self.kept[self.place(access)].lock().await;
        if let Some(token) = kept.as_ref().filter(|token| token.ends > Instant::now() + MARGIN) {
            return Ok(Some(token.text.clone()));
        }
        let token = self.fetch(http, credentials, access, shown).await?;
        Ok(Some(kept.insert(token).text.clone()))
    }

    /// Lets go of a token that was refused, so that the next call asks for another one.
    pub async fn forget(&self, access: Access, refused: &str) {
        let mut kept = self.kept[self.place(access)].lock().await;
        if kept.as_ref().is_some_and(|token| token.text == refused) {
            *kept = None;
        }
    }

    fn place(&self, access: Access) -> usize {
        let narrows = self.credentials.as_ref().is_some_and(Credentials::narrows);
        usize::from(narrows && access == Access::Jobs)
    }

    async fn fetch(
        &self,
        http: &reqwest::Client,
        credentials: &Credentials,
        access: Access,
        shown: &str,
    ) -> Result<Token, WarehouseError> {
        let again = |detail: String| WarehouseError::SignInAgain { server: shown.to_owned(), detail };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let form = credentials.request(access.scope(), TOKENS, now).map_err(again)?;
        let asked = Instant::now();
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
        let request = http.post(&self.tokens).header("content-type", "application/x-www-form-urlencoded").body(body);
        let unreachable =
            |error: reqwest::Error| WarehouseError::Unreachable { server: shown.to_owned(), detail: causes(error) };
        let answer = request.send().await.map_err(unreachable)?;
        let status = answer.status().as_u16();
        let body = answer.bytes().await.map_err(unreachable)?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        if status >= 500 {
            let detail = format!("Google gives no token: HTTP status {status}");
            return Err(WarehouseError::Unreachable { server: shown.to_owned(), detail });
        }
        let token = text("access_token");
        if status != 200 || token.is_empty() {
            let said = [text("error"), text("error_description")].join(": ");
            return Err(again(said.trim_matches([':', ' ']).to_owned()));
        }
        let seconds = body.get("expires_in").and_then(Value::as_u64).unwrap_or_default();
        Ok(Token { text: token, ends: asked + Duration::from_secs(seconds.min(86_400)) })
    }
}
