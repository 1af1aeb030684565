//! Addresses as users type them: split into a password and the values of a form, and written from these values.

use crate::engines::adbc::address::encode_component;
use crate::engines::{EngineInfo, FormValues, LocationKind};
use crate::server::options::percent_decode;
use crate::{WarehouseKind, WarehouseUri};
use url::form_urlencoded;

/// A typed address without its password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypedAddress {
    /// The engine that the text names; `None` for a path without a scheme.
    pub kind: Option<WarehouseKind>,
    /// The text without quotes and password.
    pub address: String,
    /// The password in the text; empty if there is none.
    pub password: String,
    /// The values of the engine's form; `None` if its fields cannot hold all parts.
    pub values: Option<FormValues>,
}

impl TypedAddress {
    /// Parses a text. Reads no files.
    pub fn parse(text: &str) -> Self {
        let text = strip_quotes(text.trim());
        let place = WarehouseUri::find_engine(text).map(|engine| engine.location);
        let (address, password) = match place {
            Some(LocationKind::Server) => split_url_password(text),
            Some(LocationKind::Driver) => split_driver_password(text),
            Some(LocationKind::Path | LocationKind::Project) | None => (text.to_owned(), String::new()),
        };
        let engine = WarehouseUri::find_engine(&address);
        let values = engine.and_then(|engine| engine.form.read_address(&address));
        Self { kind: engine.map(|engine| engine.kind), address, password, values }
    }
}

impl EngineInfo {
    /// Writes the address of the values of the form. A path that is a complete address is that address.
    ///
    /// # Errors
    /// Describes the first missing or invalid value.
    pub fn write_address(&self, values: &FormValues) -> Result<String, String> {
        let written = self.form.write_address(values)?;
        let path =
            values.get("path").filter(|_| self.location == LocationKind::Path).map(|path| strip_quotes(path.trim()));
        Ok(match path {
            Some(path) if WarehouseUri::find_engine(path).is_some() => path.to_owned(),
            Some(path) => format!("{}:{path}", self.scheme()),
            None => written,
        })
    }
}

fn strip_quotes(text: &str) -> &str {
    let between = |mark: char| text.strip_prefix(mark).and_then(|rest| rest.strip_suffix(mark));
    between('"').or_else(|| between('\'')).unwrap_or(text)
}

/// Splits the password off a URL. It ends at the last `@` before the path, because users write it without encoding.
fn split_url_password(text: &str) -> (String, String) {
    let split = || {
        let start = text.find("://")? + 3;
        let end = text[start..].find(['/', '?', '#']).map_or(text.len(), |end| start + end);
        let at = start + text[start..end].rfind('@')?;
        let colon = start + text[start..at].find([':', '@'])?;
        let password = (text[colon..].starts_with(':')).then(|| &text[colon + 1..at])?;
        (!password.is_empty()).then(|| (format!("{}{}", &text[..colon], &text[at..]), percent_decode(password)))
    };
    split().unwrap_or_else(|| (text.to_owned(), String::new()))
}

/// Splits the password off an address behind a driver, where it is an option or a part of the driver's URL.
fn split_driver_password(text: &str) -> (String, String) {
    let unchanged = || (text.to_owned(), String::new());
    let Some((driver, query)) = text.split_once('?') else { return unchanged() };
    let pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
    let option = |wanted: &str| pairs.iter().find(|(name, _)| name == wanted).map_or("", |(_, value)| value.as_str());
    let (uri, in_uri) = split_url_password(option("uri"));
    let password = if option("password").is_empty() { in_uri } else { option("password").to_owned() };
    if password.is_empty() {
        return unchanged();
    }
    let others = pairs.iter().filter(|(name, _)| name != "password").map(|(name, value)| {
        let value = if name == "uri" { &uri } else { value };
        format!("{}={}", encode_component(name).replace('=', "%3D"), encode_component(value))
    });
    let others: Vec<String> = others.collect();
    let mark = if others.is_empty() { "" } else { "?" };
    (format!("{driver}{mark}{}", others.join("&")), password)
}

#[cfg(test)]
mod tests;
