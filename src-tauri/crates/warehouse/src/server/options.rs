//! Options and other parts of a URL.

use url::Url;

/// Removes an option from a URL and returns its value. The text of the other options is unchanged, because the driver
/// does not decode a plus sign as a space.
pub(super) fn take_option(url: &mut Url, name: &str) -> Option<String> {
    let query = url.query()?.to_owned();
    let is_it = |pair: &&str| percent_decode(pair.split('=').next().unwrap_or_default()) == name;
    let (taken, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_it);
    url.set_query((!others.is_empty()).then(|| others.join("&")).as_deref());
    taken.last().map(|pair| percent_decode(pair.split_once('=').map_or("", |(_, value)| value)))
}

/// Returns the host of a URL, or `localhost` if it names none.
pub(super) fn host_name(url: &Url) -> String {
    let name = url.host_str().map(percent_decode).filter(|name| !name.is_empty());
    strip_brackets(name.as_deref().unwrap_or("localhost")).to_owned()
}

/// Removes the brackets, in which a URL encloses an IPv6 address.
pub(super) fn strip_brackets(name: &str) -> &str {
    name.trim_start_matches('[').trim_end_matches(']')
}

/// Decodes the percent-encoding of a text.
pub(crate) fn percent_decode(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
}

/// Converts the rest of an address, after its scheme, that names a user or a port but no host
/// (`//ann@/shop?host=/run`). User and port become options, where every URL parser accepts them. Empty options are
/// removed.
pub(super) fn with_host_as_option(rest: &str) -> String {
    let Some(behind) = rest.strip_prefix("//") else { return rest.to_owned() };
    let end = behind.find(['/', '?', '#']).unwrap_or(behind.len());
    let (authority, place) = behind.split_at(end);
    let (login, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (place, query) = place.split_once('?').unwrap_or((place, ""));
    let mut options: Vec<String> = query
        .split('&')
        .filter(|pair| !pair.is_empty() && *pair != "host=" && *pair != "port=")
        .map(str::to_owned)
        .collect();
    let port = host.strip_prefix(':').unwrap_or_default();
    let is_named = !host.is_empty() && !host.starts_with(':');
    if place.contains('#') || is_named || (login.is_empty() && port.is_empty()) {
        let mark = if options.is_empty() { "" } else { "?" };
        return format!("//{authority}{place}{mark}{}", options.join("&"));
    }
    let (person, password) = login.split_once(':').unwrap_or((login, ""));
    // A plus sign in a login is literal, but in an option it means a space.
    let option = |name: &str, value: &str| format!("{name}={}", value.replace('+', "%2B").replace('&', "%26"));
    options.extend(
        [("user", person), ("password", password), ("port", port)]
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| option(name, value)),
    );
    format!("//{}?{}", if place.is_empty() { "/" } else { place }, options.join("&"))
}
