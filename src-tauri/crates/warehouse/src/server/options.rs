//! Options and other parts of a URL.

use url::Url;

/// Removes an option from a URL and returns its value. The text of the other options is unchanged, because the driver
/// does not decode a plus sign as a space.
pub(crate) fn take_option(url: &mut Url, name: &str) -> Option<String> {
    let query = url.query()?.to_owned();
    let is_it = |pair: &&str| percent_decode(pair.split('=').next().unwrap_or_default()) == name;
    let (taken, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_it);
    url.set_query((!others.is_empty()).then(|| others.join("&")).as_deref());
    taken.last().map(|pair| percent_decode(pair.split_once('=').map_or("", |(_, value)| value)))
}

/// Returns the host of a URL, or `localhost` if it names none.
pub(crate) fn host_name(url: &Url) -> String {
    let name = url.host_str().map(percent_decode).filter(|name| !name.is_empty());
    strip_brackets(name.as_deref().unwrap_or("localhost")).to_owned()
}

/// Removes the brackets, in which a URL encloses an IPv6 address.
pub(crate) fn strip_brackets(name: &str) -> &str {
    name.trim_start_matches('[').trim_end_matches(']')
}

/// Decodes the percent-encoding of a text.
pub(crate) fn percent_decode(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
}
