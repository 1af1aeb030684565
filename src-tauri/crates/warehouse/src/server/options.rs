//! Options of a URL.

use url::Url;

/// Takes an option out of a URL. The others stay as they are written: the driver reads no plus sign as a blank.
pub(super) fn take_option(url: &mut Url, name: &str) -> Option<String> {
    let query = url.query()?.to_owned();
    let is_it = |pair: &&str| decoded(pair.split('=').next().unwrap_or_default()) == name;
    let (taken, others): (Vec<&str>, Vec<&str>) = query.split('&').partition(is_it);
    url.set_query((!others.is_empty()).then(|| others.join("&")).as_deref());
    taken.last().map(|pair| decoded(pair.split_once('=').map_or("", |(_, value)| value)))
}

/// The host that a URL names, `localhost` where it names none.
pub(super) fn host(url: &Url) -> String {
    let name = url.host_str().map(decoded).filter(|name| !name.is_empty());
    unbracketed(name.as_deref().unwrap_or("localhost")).to_owned()
}

/// An address of version 6 stands in brackets in a URL, and nowhere else.
pub(super) fn unbracketed(name: &str) -> &str {
    name.trim_start_matches('[').trim_end_matches(']')
}

/// Text without percent signs.
pub(crate) fn decoded(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
}
