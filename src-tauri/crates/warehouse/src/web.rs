//! Common parts of engines with an HTTP interface: the client, the address, responses in bounded memory.

use crate::server::{Encryption, Protection, ServerEndpoint};
use crate::{ServerAddress, WarehouseError};
use reqwest::{Client, ClientBuilder, RequestBuilder, redirect};
use std::error::Error;
use std::time::Duration;
use url::Url;

const CONNECT: Duration = Duration::from_secs(15);

/// Creates a client for a single server.
pub(crate) fn build_client(
    server: &ServerAddress,
    place: &ServerEndpoint,
    protection: Protection,
) -> Result<ClientBuilder, WarehouseError> {
    // A redirect would send the password to another server.
    let mut builder = Client::builder().connect_timeout(CONNECT).redirect(redirect::Policy::none());
    if place.is_local() {
        builder = builder.no_proxy();
    }
    if protection == Protection::Disable {
        return Ok(builder.tls_certs_only([]));
    }
    let wrong = |reason| WarehouseError::Address { text: server.to_string(), reason };
    let files = server.tls_files().map_err(wrong)?;
    let encryption = Encryption::new(protection, &files).map_err(|fault| fault.into_warehouse_error(server))?;
    Ok(builder.tls_backend_preconfigured(encryption.config).https_only(true))
}

/// Returns the URL for requests; `None` for a host name with other characters.
pub(crate) fn build_url(place: &ServerEndpoint, is_encrypted: bool) -> Option<Url> {
    let scheme = if is_encrypted { "https" } else { "http" };
    let name = place.host_name();
    let host = if name.contains(':') { format!("[{name}]") } else { name };
    let url = Url::parse(&format!("{scheme}://{host}:{}/", place.port)).ok()?;
    (url.path() == "/" && url.username().is_empty() && url.query().is_none() && url.fragment().is_none()).then_some(url)
}

/// A response with its status and body.
pub(crate) struct Answer {
    pub status: u16,
    /// The delay before a retry that the server requests.
    pub wait: Option<Duration>,
    pub body: Vec<u8>,
}

/// Reads a complete response of at most `longest` bytes; `sent` describes it in the error for a longer one.
pub(crate) async fn fetch_answer(
    request: RequestBuilder,
    shown: &str,
    longest: usize,
    sent: &str,
) -> Result<Answer, WarehouseError> {
    let lost = |error| WarehouseError::Unreachable { server: shown.to_owned(), detail: error_causes(error) };
    let mut answer = request.send().await.map_err(lost)?;
    let status = answer.status().as_u16();
    let wait = answer.headers().get("retry-after").and_then(|wait| wait.to_str().ok()?.parse().ok());
    let mut body = Vec::new();
    while let Some(piece) = answer.chunk().await.map_err(lost)? {
        if body.len() + piece.len() > longest {
            return Err(WarehouseError::query(format!("{sent} of more than {} MB", longest >> 20)));
        }
        body.extend_from_slice(&piece);
    }
    Ok(Answer { status, wait: wait.map(Duration::from_secs), body })
}

/// Formats the causes of a failed request without its URL.
pub(crate) fn error_causes(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
