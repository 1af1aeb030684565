//! Parses server addresses, shows them without secrets, and compares them.

use crate::{AddressFault, LlmError};
use reqwest::Url;

/// Parses a base address. Fails with the reason if it is not a valid server address.
pub(crate) fn parse_address(base_url: &str) -> Result<Url, LlmError> {
    let bad = |fault| LlmError::Address { address: redact_address(base_url), fault };
    let begins = |with: &str| base_url.trim().get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
    // Checked before parsing, because `localhost:11434` parses with `localhost` as its scheme.
    if !begins("http://") && !begins("https://") {
        return Err(bad(AddressFault::Scheme));
    }
    let url = Url::parse(base_url.trim()).map_err(|error| bad(AddressFault::Malformed { why: error.to_string() }))?;
    // Checked on the raw text: if a password contains a slash, the text before it parses as host and path.
    if base_url.contains('@') {
        return Err(bad(AddressFault::Login));
    }
    // The address is stored and displayed, and users may paste one with an API key in its query or fragment.
    if url.query_pairs().any(|(name, _)| name != "api-version") || url.fragment().is_some() {
        return Err(bad(AddressFault::BehindPath));
    }
    Ok(url)
}

/// Returns an address without parts that may be secret; `...` if it cannot be parsed.
pub(super) fn redact_address(address: &str) -> String {
    match Url::parse(address.trim()) {
        Ok(mut url) if matches!(url.scheme(), "http" | "https") && !address.contains('@') => {
            url.set_query(None);
            url.set_fragment(None);
            url.to_string()
        }
        _ => "...".to_owned(),
    }
}

/// Checks that the address refers to this computer.
pub(super) fn is_here(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Checks that a base address refers to this computer.
pub fn leads_here(base_url: &str) -> bool {
    parse_address(base_url).is_ok_and(|url| is_here(&url))
}

/// Checks that a key may be sent to the address: over https, or within this computer.
pub fn key_may_travel(base_url: &str) -> bool {
    parse_address(base_url).is_ok_and(|url| url.scheme() == "https" || is_here(&url))
}

/// Checks that two addresses have the same origin: scheme, host and port.
pub fn same_origin(one: &str, other: &str) -> bool {
    match (parse_address(one), parse_address(other)) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}
