//! Requests to a workspace: signed in, to this host and no other, tried again where that may help.

use super::answer::fetch_answer;
use super::errors::Failure;
use super::sign_in::SignIn;
use crate::server::{Protection, SqlWarehouse};
use crate::web::{self, error_causes};
use crate::{ServerAddress, WarehouseError};
use reqwest::{Client, Method};
use serde_json::Value;
use std::time::Duration;
use url::Url;
use vitrine_words::tr;

/// How long an answer may take. The workspace itself holds one back for no more than 50 seconds.
const ANSWER: Duration = Duration::from_secs(120);
/// Tries of one request, and the wait after the first of them.
const TRIES: u32 = 4;
const PAUSE: Duration = Duration::from_millis(400);

/// A workspace, and who signs in there.
pub(super) struct Http {
    client: Client,
    url: Url,
    sign_in: SignIn,
    pub server: ServerAddress,
    pub warehouse: SqlWarehouse,
    /// The address as it is shown.
    pub shown: String,
}

impl Http {
    /// # Errors
    /// Where there is no token, or it could be read on its way.
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
        let url = web::build_url(&place, is_encrypted).ok_or_else(|| wrong(tr!("its host is no name of one")))?;
        let sign_in = SignIn::new(warehouse.client.clone(), secret);
        Ok(Self { client, url, sign_in, server, warehouse, shown })
    }

    /// Whether nobody on the way reads along.
    pub fn is_encrypted(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Reads something at a path, which may have a query.
    pub async fn get(&self, path: &str) -> Result<Value, Failure> {
        self.send_request(Method::GET, path, None).await
    }

    /// Sends something to a path.
    pub async fn post(&self, path: &str, body: &Value) -> Result<Value, Failure> {
        self.send_request(Method::POST, path, Some(body)).await
    }

    async fn send_request(&self, method: Method, path: &str, body: Option<&Value>) -> Result<Value, Failure> {
        // A path that names another host would take the token there.
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
                // A token of an hour may end before its time. Asked for once more, and no oftener.
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
