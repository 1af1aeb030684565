//! Access tokens: requested when they are needed, cached until they expire, and never requested in a loop.

use super::access::Access;
use super::address::ProjectAddress;
use super::credentials::{Credentials, Login};
use super::places::{Places, TOKENS};
use super::tokens::{Granted, Refusal, fetch_answer, request_token};
use crate::WarehouseError;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::Mutex;
use vitrine_words::tr;

/// A token with less remaining time than this is replaced.
const MARGIN: Duration = Duration::from_secs(60);
/// Lifetime of the token of an impersonated service account; the maximum that Google accepts.
const LENT: Duration = Duration::from_secs(3600);
/// Index of the cached token that is used to request the token of a service account.
const OWN: usize = 2;

struct Token {
    text: String,
    ends: Instant,
}

/// Provides the access tokens of a login, or none for an emulator.
pub(super) struct SignIn {
    credentials: Option<Credentials>,
    /// The chain of impersonated service accounts; queries run with tokens of the last.
    acts_as: Vec<String>,
    places: Places,
    /// Cached tokens: for reading, for jobs, and for requesting the others. Concurrent callers wait for one request and
    /// share its token.
    kept: [Mutex<Option<Token>>; 3],
    /// True if, according to Google, the token with which queries run permits only reading.
    reads_only: AtomicBool,
}

impl SignIn {
    pub fn new(login: Option<Login>, address: &ProjectAddress) -> Self {
        let (credentials, by_file) = login.map(|login| (login.own, login.acts_as)).unzip();
        let by_address = address.impersonated_account().map(str::to_owned);
        let mut acts_as: Vec<String> = by_file.flatten().into_iter().chain(by_address).collect();
        acts_as.dedup();
        Self {
            credentials,
            acts_as,
            places: Places::for_address(address),
            kept: [Mutex::default(), Mutex::default(), Mutex::default()],
            reads_only: AtomicBool::new(false),
        }
    }

    /// Returns a description of the identity for the user; `None` for an emulator.
    pub fn display_name(&self) -> Option<String> {
        let own = self.credentials.as_ref()?.display_name();
        Some(match self.acts_as.last() {
            Some(account) => tr!("the service account {account}, by {own}", account, own),
            None => own,
        })
    }

    /// Returns true if queries run with a read-only token. False until the first token was received.
    pub fn uses_read_only_token(&self) -> bool {
        self.reads_only.load(Ordering::Acquire)
    }

    /// Returns a token; `None` for an emulator.
    ///
    /// # Errors
    /// [`WarehouseError::SignInAgain`] if Google no longer accepts the login.
    pub async fn access_token(
        &self,
        http: &reqwest::Client,
        access: Access,
        shown: &str,
    ) -> Result<Option<String>, WarehouseError> {
        let Some(credentials) = &self.credentials else { return Ok(None) };
        let mut kept = self.kept[self.token_slot(access)].lock().await;
        if let Some(token) = kept.as_ref().filter(|token| token.ends > Instant::now() + MARGIN) {
            return Ok(Some(token.text.clone()));
        }
        let token = match self.acts_as.split_last() {
            Some((account, through)) => {
                self.fetch_impersonated_token(http, credentials, (account, through), access, shown).await?
            }
            None => {
                let granted = self.fetch_token(http, credentials, access, shown).await?;
                if access == Access::Read {
                    self.reads_only.store(reads_only(credentials, &granted), Ordering::Release);
                }
                Token { text: granted.token, ends: granted.ends }
            }
        };
        Ok(Some(kept.insert(token).text.clone()))
    }

    /// Removes a rejected token from the cache, so that the next call requests a new one.
    pub async fn forget_token(&self, access: Access, refused: &str) {
        let mut kept = self.kept[self.token_slot(access)].lock().await;
        if kept.as_ref().is_some_and(|token| token.text == refused) {
            *kept = None;
        }
    }

    fn token_slot(&self, access: Access) -> usize {
        let two = !self.acts_as.is_empty() || self.credentials.as_ref().is_some_and(Credentials::has_scoped_tokens);
        usize::from(two && access == Access::Jobs)
    }

    async fn fetch_token(
        &self,
        http: &reqwest::Client,
        credentials: &Credentials,
        access: Access,
        shown: &str,
    ) -> Result<Granted, WarehouseError> {
        let again = |detail: String| WarehouseError::SignInAgain { server: shown.to_owned(), detail };
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        let form = credentials.token_form(access.oauth_scope(), TOKENS, now).map_err(again)?;
        request_token(http, &self.places.tokens, form).await.map_err(|refusal| match refusal {
            Refusal::Said(said) => again(said),
            Refusal::Unreachable(detail) => WarehouseError::Unreachable { server: shown.to_owned(), detail },
        })
    }

    /// Fetches the token of a service account with the login's own token (`generateAccessToken` of IAM Credentials),
    /// through a chain in which each account may impersonate the next. Google issues it only for the requested scope.
    async fn fetch_impersonated_token(
        &self,
        http: &reqwest::Client,
        credentials: &Credentials,
        (account, through): (&str, &[String]),
        access: Access,
        shown: &str,
    ) -> Result<Token, WarehouseError> {
        let through: Vec<String> = through.iter().map(|one| format!("projects/-/serviceAccounts/{one}")).collect();
        let mut own = self.kept[OWN].lock().await;
        let mut asked_anew = false;
        loop {
            let token = match own.as_ref().filter(|token| token.ends > Instant::now() + MARGIN) {
                Some(token) => token.text.clone(),
                None => {
                    asked_anew = true;
                    let granted = self.fetch_token(http, credentials, Access::Lend, shown).await?;
                    own.insert(Token { text: granted.token, ends: granted.ends }).text.clone()
                }
            };
            let place = format!("{}/v1/projects/-/serviceAccounts/{account}:generateAccessToken", self.places.iam);
            let mut body = json!({"scope": [access.oauth_scope()], "lifetime": format!("{}s", LENT.as_secs())});
            if !through.is_empty() {
                body["delegates"] = json!(through);
            }
            let request = http.post(place).bearer_auth(token).header("content-type", "application/json");
            let asked = Instant::now();
            let (status, body) = fetch_answer(request.body(body.to_string())).await.map_err(|refusal| {
                let (Refusal::Said(detail) | Refusal::Unreachable(detail)) = refusal;
                WarehouseError::Unreachable { server: shown.to_owned(), detail }
            })?;
            if let Some(text) = body.get("accessToken").and_then(Value::as_str).filter(|_| status == 200) {
                self.reads_only.fetch_or(access == Access::Read, Ordering::AcqRel);
                return Ok(Token { text: text.to_owned(), ends: asked + LENT });
            }
            let said = body.pointer("/error/message").and_then(Value::as_str).unwrap_or("no reason was given");
            if status != 401 {
                let detail = format!("The sign-in may not act as {account}: {said}");
                return Err(WarehouseError::NotAdmitted { server: shown.to_owned(), detail });
            }
            *own = None;
            if asked_anew {
                return Err(WarehouseError::SignInAgain { server: shown.to_owned(), detail: said.to_owned() });
            }
        }
    }
}

/// Returns true if a token for reading permits nothing else. A service account's token has exactly the requested scope;
/// for a user's token, only Google's response shows the scopes.
fn reads_only(credentials: &Credentials, granted: &Granted) -> bool {
    match credentials {
        Credentials::Service { .. } => true,
        Credentials::Person { .. } | Credentials::Browser(_) => granted.scopes == [Access::Read.oauth_scope()],
    }
}
