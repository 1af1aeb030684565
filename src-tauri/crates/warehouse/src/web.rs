//! What engines that are asked over HTTP have in common: the client, the address, answers in bounded memory.

use crate::server::{Encryption, Protection, ServerEndpoint};
use crate::{ServerAddress, WarehouseError};
use reqwest::{Client, ClientBuilder, RequestBuilder, redirect};
use std::error::Error;
use std::time::Duration;
use url::Url;

const CONNECT: Duration = Duration::from_secs(15);

/// A client for one server and no other.
pub(crate) fn build_client(
    server: &ServerAddress,
    place: &ServerEndpoint,
    protection: Protection,
) -> Result<ClientBuilder, WarehouseError> {
    // A redirect would carry the password to wherever it points.
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

/// Where requests go; `None` for a name that could be taken for more than a name.
pub(crate) fn build_url(place: &ServerEndpoint, is_encrypted: bool) -> Option<Url> {
    let scheme = if is_encrypted { "https" } else { "http" };
    let name = place.host_name();
    let host = if name.contains(':') { format!("[{name}]") } else { name };
    let url = Url::parse(&format!("{scheme}://{host}:{}/", place.port)).ok()?;
    (url.path() == "/" && url.username().is_empty() && url.query().is_none() && url.fragment().is_none()).then_some(url)
}

/// An answer as it came.
pub(crate) struct Answer {
    pub status: u16,
    /// How long the server asks to be left alone.
    pub wait: Option<Duration>,
    pub body: Vec<u8>,
}

/// Reads a whole answer of at most `longest` bytes; `sent` says who sent what, where one is longer.
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

/// What kept an answer from coming, without the address that was asked.
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
