//! One sign-in: the URL for the browser, the browser's response, and the login that Google issues for it.

use super::client::{GoogleClient, GoogleLogin};
use super::fault::SignInFault;
use super::listener::{self, Answer};
use super::pages;
use crate::engines::bigquery::access::Access;
use crate::engines::bigquery::address::ProjectAddress;
use crate::engines::bigquery::places::Places;
use crate::engines::bigquery::tokens::{Refusal, request_token};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use sha2::{Digest, Sha256};
use std::fmt;
use std::net::Ipv4Addr;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// A sign-in that waits for the browser. It listens until it is finished or dropped.
pub struct BrowserSignIn {
    client: GoogleClient,
    places: Places,
    scopes: Vec<&'static str>,
    listener: TcpListener,
    /// The redirect URI, to which the browser returns.
    redirect: String,
    /// The secret state value, which the browser's response must repeat.
    state: String,
    /// The PKCE verifier: it proves to Google that the code is redeemed by the program that requested it.
    verifier: String,
    url: String,
}

impl BrowserSignIn {
    /// Opens the listener and builds the URL for the browser. No request is sent to Google yet.
    ///
    /// # Errors
    /// Fails if no local port can be opened.
    pub async fn open_listener(address: &ProjectAddress, client: GoogleClient) -> Result<Self, SignInFault> {
        let no_port = |error: std::io::Error| SignInFault::NoPort { detail: error.to_string() };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.map_err(no_port)?;
        let port = listener.local_addr().map_err(no_port)?.port();
        let places = Places::for_address(address);
        let scopes: Vec<&str> = Access::granted_for(address).iter().map(|access| access.oauth_scope()).collect();
        let redirect = format!("http://127.0.0.1:{port}");
        let (state, verifier) = (generate_secret(), generate_secret());
        let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&verifier));
        let query = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs([
                ("client_id", client.id()),
                ("redirect_uri", &redirect),
                ("response_type", "code"),
                ("scope", &scopes.join(" ")),
                ("code_challenge", &challenge),
                ("code_challenge_method", "S256"),
                ("state", &state),
                ("access_type", "offline"),
                // Without it Google may omit the refresh token if access was granted before.
                ("prompt", "consent"),
            ])
            .finish();
        let url = format!("{}?{query}", places.consent);
        Ok(Self { client, places, scopes, listener, redirect, state, verifier, url })
    }

    /// Returns the URL for the browser. It can be used once.
    pub fn browser_url(&self) -> &str {
        &self.url
    }

    /// Waits for the browser's response and exchanges it for a login. The browser shows the outcome.
    ///
    /// # Errors
    /// Fails if access was denied, if the response does not belong to this sign-in, after `limit`, or on cancellation.
    /// The port is closed in all cases.
    pub async fn wait_for_login(self, limit: Duration, cancel: CancellationToken) -> Result<GoogleLogin, SignInFault> {
        let answered = async {
            let answer = listener::wait_for_answer(&self.listener).await;
            let login = match self.authorization_code(&answer) {
                Ok(code) => self.exchange_code(code).await,
                Err(fault) => Err(fault),
            };
            answer.send_page(&pages::render_response(login.as_ref().map(drop))).await;
            login
        };
        let late = SignInFault::Late { minutes: limit.as_secs().div_ceil(60).max(1) };
        tokio::select! {
            () = cancel.cancelled() => Err(SignInFault::Cancelled),
            done = tokio::time::timeout(limit, answered) => done.unwrap_or(Err(late)),
        }
    }

    /// Returns the authorization code of the browser's response if it belongs to this sign-in.
    fn authorization_code(&self, answer: &Answer) -> Result<String, SignInFault> {
        if answer.query_parameter("state") != Some(&self.state) {
            return Err(SignInFault::WrongState);
        }
        match (answer.query_parameter("code"), answer.query_parameter("error")) {
            (_, Some("access_denied")) => Err(SignInFault::Denied),
            (Some(code), None) if !code.is_empty() => Ok(code.to_owned()),
            (_, said) => Err(SignInFault::Refused { detail: said.unwrap_or_default().chars().take(200).collect() }),
        }
    }

    async fn exchange_code(&self, code: String) -> Result<GoogleLogin, SignInFault> {
        let unreachable = |detail: String| SignInFault::Unreachable { detail };
        let http = self.places.client_builder().build().map_err(|error| unreachable(error.to_string()))?;
        let mut form = self.client.form_fields();
        form.extend([
            ("grant_type", "authorization_code".to_owned()),
            ("code", code),
            ("code_verifier", self.verifier.clone()),
            ("redirect_uri", self.redirect.clone()),
        ]);
        let granted = request_token(&http, &self.places.tokens, form).await.map_err(|refusal| match refusal {
            Refusal::Said(detail) => SignInFault::Refused { detail },
            Refusal::Unreachable(detail) => unreachable(detail),
        })?;
        // A response without scopes grants the requested ones (RFC 6749, section 5.1).
        let lacks = |scope: &&&str| !granted.scopes.is_empty() && !granted.scopes.iter().any(|own| own == **scope);
        let lacking: Vec<&str> = self.scopes.iter().filter(lacks).copied().collect();
        if !lacking.is_empty() {
            return Err(SignInFault::NotAllGranted { lacks: lacking.join(", ") });
        }
        let refresh_token = granted.refresh_token.ok_or(SignInFault::NotLasting)?;
        Ok(GoogleLogin::new(self.client.clone(), refresh_token))
    }
}

impl fmt::Debug for BrowserSignIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BrowserSignIn").field("client", &self.client).finish_non_exhaustive()
    }
}

/// Generates 64 random hexadecimal digits (244 bits).
fn generate_secret() -> String {
    format!("{}{}", Uuid::new_v4().simple(), Uuid::new_v4().simple())
}
