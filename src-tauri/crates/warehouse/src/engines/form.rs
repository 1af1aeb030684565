//! Forms for addresses: the fields of each engine, read from an address and written to one. Passwords are not fields,
//! because they are stored apart from addresses.

use std::collections::BTreeMap;
use vitrine_words::translate_constant;

/// The values of a form by the names of their fields. A field without a value is empty.
pub type FormValues = BTreeMap<String, String>;

/// The form of an engine.
pub struct AddressForm {
    /// The fields, in the order in which they are shown.
    pub fields: &'static [FormField],
    /// Reads the values from an address without a password; `None` if the fields cannot hold all of its parts.
    pub(crate) read: fn(&str) -> Option<FormValues>,
    /// Writes the address of complete values.
    pub(crate) write: fn(&FormValues) -> String,
    /// Describes an invalid value, after the required ones are present.
    pub(crate) check: fn(&FormValues) -> Option<String>,
}

/// A field of a form. Texts are in English.
#[derive(Debug, Clone, Copy)]
pub struct FormField {
    /// The name of the field among the values.
    pub name: &'static str,
    /// Text beside the field, in English.
    pub label: &'static str,
    /// The kind of value.
    pub kind: FieldKind,
    /// The message about a missing value; `None` if the field may be empty.
    pub required: Option<&'static str>,
    /// The value of a new form.
    pub default: &'static str,
    /// Placeholder that shows a possible value.
    pub example: &'static str,
    /// The field and the value on which this field depends.
    pub only_if: Option<(&'static str, &'static str)>,
}

/// The kind of value that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Any text.
    Text,
    /// The number of a port.
    Port,
    /// The path of a file or folder.
    Path,
    /// One of these values.
    Choice(&'static [&'static str]),
    /// Lines of text.
    Lines,
    /// Other options, as the address writes them; not shown.
    Options,
}

impl FormField {
    /// Creates an optional text field.
    pub(crate) const fn text(name: &'static str, label: &'static str, example: &'static str) -> Self {
        Self { name, label, kind: FieldKind::Text, required: None, default: "", example, only_if: None }
    }

    /// Creates the field for options without a field of their own.
    pub(crate) const fn options() -> Self {
        Self::text("options", "", "").of_kind(FieldKind::Options)
    }

    /// Returns the same field for another kind of value.
    pub(crate) const fn of_kind(self, kind: FieldKind) -> Self {
        Self { kind, ..self }
    }

    /// Returns the same field with a message about a missing value.
    pub(crate) const fn required(self, message: &'static str) -> Self {
        Self { required: Some(message), ..self }
    }

    /// Returns the same field with the value of a new form.
    pub(crate) const fn with_default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// Returns the same field, shown only if another field has this value.
    pub(crate) const fn only_if(self, field: &'static str, value: &'static str) -> Self {
        Self { only_if: Some((field, value)), ..self }
    }
}

impl AddressForm {
    /// Reads the values from an address without a password; `None` if the fields cannot hold all of its parts.
    pub fn read_address(&self, address: &str) -> Option<FormValues> {
        (self.read)(address)
    }

    /// Writes the address of the values.
    ///
    /// # Errors
    /// Describes the first missing or invalid value.
    pub fn write_address(&self, values: &FormValues) -> Result<String, String> {
        let applies = |field: &FormField| field.only_if.is_none_or(|(name, wanted)| value(values, name) == wanted);
        let missing = |field: &FormField| field.required.filter(|_| value(values, field.name).is_empty());
        let missing = self.fields.iter().filter(|field| applies(field)).find_map(missing);
        match missing.map(|message| translate_constant(message).to_owned()).or_else(|| (self.check)(values)) {
            Some(message) => Err(message),
            None => Ok((self.write)(values)),
        }
    }
}

/// Returns the value of a field without surrounding spaces.
pub(crate) fn value<'a>(values: &'a FormValues, name: &str) -> &'a str {
    values.get(name).map_or("", |value| value.trim())
}

/// Collects values; empty ones are omitted.
pub(crate) fn collect_values<const N: usize>(values: [(&str, String); N]) -> FormValues {
    let present = values.into_iter().filter(|(_, value)| !value.is_empty());
    present.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The parts of a URL as text. Nothing is decoded.
pub(crate) struct UrlParts<'a> {
    pub(crate) login: &'a str,
    pub(crate) place: &'a str,
    pub(crate) path: &'a str,
    pub(crate) query: &'a str,
}

/// Splits a URL with one of these schemes; `None` for other texts, and for a URL with a fragment.
pub(crate) fn split_url<'a>(text: &'a str, schemes: &[&str]) -> Option<UrlParts<'a>> {
    let (scheme, rest) = text.trim().split_once("://")?;
    if rest.contains('#') || !schemes.iter().any(|known| known.eq_ignore_ascii_case(scheme)) {
        return None;
    }
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    let (login, place) = authority.split_once('@').unwrap_or(("", authority));
    Some(UrlParts { login, place, path, query })
}

impl<'a> UrlParts<'a> {
    /// Returns the options as name and value, and the whole text of each.
    pub(crate) fn options(&self) -> impl Iterator<Item = (&'a str, &'a str, &'a str)> {
        let pairs = self.query.split('&').filter(|pair| !pair.is_empty());
        pairs.map(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name, value, pair)
        })
    }

    /// Returns the user's name without a password.
    pub(crate) fn user(&self) -> &'a str {
        self.login.split(':').next().unwrap_or_default()
    }
}

/// Percent-encodes a text except for letters, digits, the marks of a URL component, and these characters.
pub(crate) fn encode_part(text: &str, kept: &str) -> String {
    let mut written = String::new();
    for c in text.trim().chars() {
        if c.is_ascii_alphanumeric() || "-_.!~*'()".contains(c) || kept.contains(c) {
            written.push(c);
        } else {
            c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| written.push_str(&format!("%{byte:02X}")));
        }
    }
    written
}

/// Appends options to an address.
pub(crate) fn with_options(address: String, options: &[String]) -> String {
    let options: Vec<&str> = options.iter().map(String::as_str).filter(|option| !option.is_empty()).collect();
    if options.is_empty() { address } else { format!("{address}?{}", options.join("&")) }
}
