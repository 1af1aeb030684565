//! Addresses of servers: read, shown without secrets, and compared.

use crate::{AddressFault, LlmError};
use reqwest::Url;

/// Reads a base address; what cannot be one is refused with the reason.
pub(crate) fn parsed(base_url: &str) -> Result<Url, LlmError> {
    let bad = |fault| LlmError::Address { address: shown(base_url), fault };
    let begins = |with: &str| base_url.trim().get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    // Looked at before it is parsed: in `localhost:11434` the host reads as a scheme.
    if !begins("http://") && !begins("https://") {
        return Err(bad(AddressFault::Scheme));
    }
    let url = Url::parse(base_url.trim()).map_err(|error| bad(AddressFault::Malformed { why: error.to_string() }))?;
    // An @ further on ends a password that holds a slash: what stands before it reads as host and path.
    if base_url.contains('@') {
        return Err(bad(AddressFault::Login));
    }
    // The address is kept and shown, and people paste it with the key that is asked for in it.
    if url.query_pairs().any(|(name, _)| name != "api-version") || url.fragment().is_some() {
        return Err(bad(AddressFault::BehindPath));
    }
    Ok(url)
}

/// An address without what may be secret in it: of one that is not understood, nothing.
pub(super) fn shown(address: &str) -> String {
    match Url::parse(address.trim()) {
        Ok(mut url) if matches!(url.scheme(), "http" | "https") && !address.contains('@') => {
            url.set_query(None);
            url.set_fragment(None);
            url.to_string()
        }
        _ => "...".to_owned(),
    }
}

/// Whether the address is of this computer.
pub(super) fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Whether a base address leads to this computer.
pub fn leads_here(base_url: &str) -> bool {
    parsed(base_url).is_ok_and(|url| is_here(&url))
}

/// Whether a key may be sent to the address: over https, or without leaving this computer.
pub fn key_may_travel(base_url: &str) -> bool {
    parsed(base_url).is_ok_and(|url| url.scheme() == "https" || is_here(&url))
}

/// Whether two addresses are of the same server: scheme, host and port.
pub fn same_origin(one: &str, other: &str) -> bool {
    match (parsed(one), parsed(other)) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}
