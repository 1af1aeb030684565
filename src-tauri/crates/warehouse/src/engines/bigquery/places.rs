//! Google's endpoints: fixed URLs, or the URLs of an emulator on this computer.

use super::address::ProjectAddress;
use reqwest::{Client, ClientBuilder, redirect};
use std::time::Duration;

/// Google's token endpoint. The endpoint in a credentials file is ignored, because the file's author could have the
/// credentials sent to any server.
pub(super) const TOKENS: &str = "https://oauth2.googleapis.com/token";
const API: &str = "https://bigquery.googleapis.com";
const CONSENT: &str = "https://accounts.google.com/o/oauth2/v2/auth";
const IAM: &str = "https://iamcredentials.googleapis.com";
const CONNECT: Duration = Duration::from_secs(15);
/// Maximum time without a received byte; a running query is polled repeatedly instead.
pub(super) const SILENCE: Duration = Duration::from_secs(60);

/// The endpoints of one sign-in and of the requests that it permits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// The base URL of BigQuery's API.
    pub api: String,
    /// The page that asks the user for consent.
    pub consent: String,
    /// The endpoint that issues tokens.
    pub tokens: String,
    /// The endpoint for tokens of impersonated service accounts.
    pub iam: String,
    is_here: bool,
}

impl Places {
    /// Returns the endpoints of an address. With an emulator all of them belong to the emulator, so that Google's
    /// tokens never reach it and its tokens never reach Google.
    pub fn for_address(address: &ProjectAddress) -> Self {
        match address.emulator_endpoint() {
            Some(url) => {
                let base = url.as_str().trim_end_matches('/').to_owned();
                Self {
                    consent: format!("{base}/o/oauth2/v2/auth"),
                    tokens: format!("{base}/token"),
                    iam: base.clone(),
                    api: base,
                    is_here: true,
                }
            }
            None => {
                let [api, consent, tokens, iam] = [API, CONSENT, TOKENS, IAM].map(str::to_owned);
                Self { api, consent, tokens, iam, is_here: false }
            }
        }
    }

    /// Creates a client that connects to these endpoints only.
    pub fn client_builder(&self) -> ClientBuilder {
        let http = Client::builder()
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            // A redirect would send the token to another server.
            .redirect(redirect::Policy::none());
        if self.is_here { http.no_proxy().tls_certs_only([]) } else { http.https_only(true) }
    }
}
