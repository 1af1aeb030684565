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

/// Text without percent signs.
pub(super) fn decoded(text: &str) -> String {
    let pair = format!("p={}", text.replace('+', "%2B"));
    url::form_urlencoded::parse(pair.as_bytes()).next().map(|(_, text)| text.into_owned()).unwrap_or_default()
}
