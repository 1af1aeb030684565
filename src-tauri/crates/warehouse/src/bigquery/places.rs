//! Where Google is asked: fixed addresses, or those of an emulator on this computer.

use super::address::ProjectAddress;
use reqwest::{Client, ClientBuilder, redirect};
use std::time::Duration;

/// Where Google gives tokens. The address that a file of credentials may name is not asked: whoever wrote the file could have
/// it sent anywhere.
pub(super) const TOKENS: &str = "https://oauth2.googleapis.com/token";
const API: &str = "https://bigquery.googleapis.com";
const CONSENT: &str = "https://accounts.google.com/o/oauth2/v2/auth";
const IAM: &str = "https://iamcredentials.googleapis.com";
const CONNECT: Duration = Duration::from_secs(15);
/// Nothing is waited for longer without a byte; a query is asked for again and again instead.
pub(super) const SILENCE: Duration = Duration::from_secs(60);

/// The addresses of one sign-in and of what it is good for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// BigQuery itself.
    pub api: String,
    /// The page that asks a person for consent.
    pub consent: String,
    /// Where tokens are had.
    pub tokens: String,
    /// Where tokens of service accounts are had by others.
    pub iam: String,
    is_here: bool,
}

impl Places {
    /// An emulator is asked for everything, so that nothing that belongs to Google reaches it, nor the other way round.
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

    /// A client for these places and no others.
    pub fn client_builder(&self) -> ClientBuilder {
        let http = Client::builder()
            .connect_timeout(CONNECT)
            .read_timeout(SILENCE)
            // A redirect would carry the token to wherever it points.
            .redirect(redirect::Policy::none());
        if self.is_here { http.no_proxy().tls_certs_only([]) } else { http.https_only(true) }
    }
}
