//! Requests to BigQuery's REST interface: authenticated, retried where that may help, and read in bounded memory.

use super::access::Access;
use super::errors::ApiError;
use super::places::{Places, SILENCE};
use super::sign_in::SignIn;
use crate::{WarehouseError, web};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use std::time::Duration;
use vitrine_words::tr;

/// Maximum bytes of a response. BigQuery itself limits a response to about 10 MB.
const LONGEST: usize = 128 << 20;
/// Number of attempts per request, and the wait after the first.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(400);

/// The reason why a request failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// An error response of BigQuery.
    Answer(ApiError),
    /// No response, or no sign-in.
    Other(WarehouseError),
}

impl Failure {
    pub fn in_query(self, shown: &str, limit: Option<u64>) -> WarehouseError {
        match self {
            Self::Answer(error) => error.in_query(shown, limit),
            Self::Other(error) => error,
        }
    }

    pub fn at_connect(self, shown: &str) -> WarehouseError {
        match self {
            Self::Answer(error) => error.at_connect(shown),
            Self::Other(error) => error,
        }
    }
}

/// The connection to one project of BigQuery or to its emulator.
pub(super) struct Rest {
    http: Client,
    base: String,
    sign_in: SignIn,
    /// The address of the project without secrets.
    pub shown: String,
}

impl Rest {
    pub fn new(places: &Places, sign_in: SignIn, shown: String) -> Result<Self, WarehouseError> {
        let http = places.client_builder().build();
        let http =
            http.map_err(|error| WarehouseError::Unreachable { server: shown.clone(), detail: error.to_string() })?;
        Ok(Self { http, base: format!("{}/bigquery/v2", places.api), sign_in, shown })
    }

    pub fn sign_in(&self) -> &SignIn {
        &self.sign_in
    }

    /// Requests a token, which verifies the login.
    pub async fn signed_in(&self) -> Result<(), WarehouseError> {
        self.sign_in.access_token(&self.http, Access::Read, &self.shown).await.map(drop)
    }

    /// Sends a GET request. The segments of the path are names, which may contain any character.
    pub async fn get(&self, path: &[&str], query: &[(&str, String)]) -> Result<Value, Failure> {
        self.send_request(Method::GET, path, query, None, Access::Read).await
    }

    /// Sends a POST request that is idempotent.
    pub async fn post(&self, path: &[&str], body: &Value) -> Result<Value, Failure> {
        self.send_request(Method::POST, path, &[], Some(body), Access::Read).await
    }

    /// Prepares a job without running it, whatever `body` contains.
    pub async fn dry_run(&self, path: &[&str], mut body: Value) -> Result<Value, Failure> {
        body["configuration"]["dryRun"] = true.into();
        self.send_request(Method::POST, path, &[], Some(&body), Access::Jobs).await
    }

    pub async fn stop_job(&self, path: &[&str], query: &[(&str, String)]) -> Result<Value, Failure> {
        self.send_request(Method::POST, path, query, None, Access::Jobs).await
    }

    async fn send_request(
        &self,
        method: Method,
        path: &[&str],
        query: &[(&str, String)],
        body: Option<&Value>,
        access: Access,
    ) -> Result<Value, Failure> {
        let url = self.build_url(path, query).map_err(Failure::Other)?;
        let mut signed_in_again = false;
        let mut tries = 0;
        loop {
            let token = self.sign_in.access_token(&self.http, access, &self.shown).await.map_err(Failure::Other)?;
            let mut request = self.http.request(method.clone(), url.clone());
            if let Some(token) = &token {
                request = request.bearer_auth(token);
            }
            request = match body {
                Some(body) => request.header("content-type", "application/json").body(body.to_string()),
                None => request,
            };
            tries += 1;
            let (failure, wait) = match self.fetch_answer(request).await {
                Ok(value) => return Ok(value),
                Err((Failure::Answer(error), _)) if error.status == 401 && !signed_in_again && token.is_some() => {
                    // A token may be revoked before its end. It is replaced only once per request.
                    signed_in_again = true;
                    self.sign_in.forget_token(access, token.as_deref().unwrap_or_default()).await;
                    continue;
                }
                Err((failure, wait)) => (failure, wait),
            };
            let passes = match &failure {
                Failure::Answer(error) => error.is_transient(),
                Failure::Other(WarehouseError::Unreachable { .. }) => true,
                Failure::Other(_) => false,
            };
            if !passes || tries >= TRIES {
                return Err(failure);
            }
            tokio::time::sleep(wait.unwrap_or(PAUSE * 2u32.pow(tries - 1)).min(SILENCE / 2)).await;
        }
    }

    fn build_url(&self, path: &[&str], query: &[(&str, String)]) -> Result<url::Url, WarehouseError> {
        let wrong = |reason: &str| WarehouseError::Address { text: self.shown.clone(), reason: reason.to_owned() };
        let mut url = url::Url::parse(&self.base).map_err(|error| wrong(&error.to_string()))?;
        url.path_segments_mut().map_err(|()| wrong(&tr!("it has no path")))?.extend(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        Ok(url)
    }

    /// Returns one response, or the error with the time that BigQuery requests to wait before a retry.
    async fn fetch_answer(&self, request: RequestBuilder) -> Result<Value, (Failure, Option<Duration>)> {
        let answer = web::fetch_answer(request, &self.shown, LONGEST, "BigQuery sent a page").await;
        let web::Answer { status, wait, body } = answer.map_err(|error| (Failure::Other(error), None))?;
        let value: Value = match serde_json::from_slice(&body) {
            Ok(value) => value,
            Err(_) if !(200..300).contains(&status) || body.is_empty() => Value::Null,
            Err(error) => {
                let error = WarehouseError::query(format!("BigQuery sent an answer that is no JSON: {error}"));
                return Err((Failure::Other(error), None));
            }
        };
        match ApiError::from_answer(status, &value) {
            Some(error) => Err((Failure::Answer(error), wait)),
            None => Ok(value),
        }
    }
}
