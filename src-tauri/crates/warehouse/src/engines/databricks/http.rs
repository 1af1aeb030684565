//! Requests to a workspace: authenticated, sent to this host only, and retried where that may help.

use super::address::SqlWarehouse;
use super::answer::fetch_answer;
use super::errors::Failure;
use super::sign_in::SignIn;
use crate::server::Protection;
use crate::web::{self, error_causes};
use crate::{ServerAddress, WarehouseError};
use reqwest::{Client, Method};
use serde_json::Value;
use std::time::Duration;
use url::Url;
use vitrine_words::tr;

/// Timeout of a response. The workspace delays a response for at most 50 seconds.
const ANSWER: Duration = Duration::from_secs(120);
/// Number of attempts per request, and the wait after the first.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(400);

/// The connection to a workspace with its login.
pub(super) struct Http {
    client: Client,
    url: Url,
    sign_in: SignIn,
    pub server: ServerAddress,
    pub warehouse: SqlWarehouse,
    /// The address of the workspace without secrets.
    pub shown: String,
}

impl Http {
    /// Creates the client.
    ///
    /// # Errors
    /// Fails if the token is missing, or if it could be intercepted on the way to the server.
    pub fn new(server: ServerAddress) -> Result<Self, WarehouseError> {
        let shown = server.to_string();
        let wrong = |reason: String| WarehouseError::Address { text: shown.clone(), reason };
        let warehouse = server.databricks_warehouse().map_err(wrong)?;
        let place = server.hosts().map_err(wrong)?.into_iter().next();
        let place = place.ok_or_else(|| wrong(tr!("it names no host")))?;
        let Some(secret) = server.password().map(str::to_owned) else {
            let detail = tr!("a personal access token, or the secret of the client id in the address");
            return Err(WarehouseError::Password { server: shown, refused: false, detail });
        };
        let protection = server.protection().map_err(wrong)?;
        let is_encrypted = protection != Protection::Disable;
        let builder = web::build_client(&server, &place, protection)?.timeout(ANSWER);
        let unusable = |error| WarehouseError::Unreachable { server: shown.clone(), detail: error_causes(error) };
        let client = builder.build().map_err(unusable)?;
        let url = web::build_url(&place, is_encrypted).ok_or_else(|| wrong(tr!("its host is not a host name")))?;
        let sign_in = SignIn::new(warehouse.client.clone(), secret);
        Ok(Self { client, url, sign_in, server, warehouse, shown })
    }

    /// Returns true if the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Sends a GET request to a path, which may include a query string.
    pub async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.send_request(Method::GET, path, None).await
    }

    /// Sends a POST request to a path.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.send_request(Method::POST, path, Some(body)).await
    }

    async fn send_request(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        // A path may not lead to another host, which would receive the token.
        let url = self.url.join(path).ok().filter(|url| url.origin() == self.url.origin());
        let elsewhere = || WarehouseError::query("Databricks named a place outside of the workspace");
        let url = url.ok_or_else(|| Failure::Connection(elsewhere()))?;
        let mut signed_in_again = false;
        let mut tries = 0;
        loop {
            let token = self.sign_in.access_token(&self.client, &self.url, &self.shown).await?;
            let mut request = self.client.request(method.clone(), url.clone()).bearer_auth(token);
            if let Some(body) = body {
                request = request.header("content-type", "application/json").body(body.to_string());
            }
            tries += 1;
            match fetch_answer(request, &self.shown).await {
                Ok(value) => return Ok(value),
                // A token may be revoked before it expires. It is replaced only once per request.
                Err((Failure::Answer(error), _))
                    if error.status == 401 && !signed_in_again && self.sign_in.forget_token().await =>
                {
                    signed_in_again = true;
                }
                Err((Failure::Answer(error), wait)) if error.is_transient() && tries < TRIES => {
                    tokio::time::sleep(wait.unwrap_or(PAUSE * 2u32.pow(tries - 1)).min(ANSWER / 4)).await;
                }
                Err((failure, _)) => return Err(failure),
            }
        }
    }
}
