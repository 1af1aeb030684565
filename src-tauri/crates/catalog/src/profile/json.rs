//! Parses JSON without losing digits: numbers stay text.

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// Maximum depth; deeper values are ignored, since every level is parsed again.
const DEEPEST: usize = 32;

/// A JSON value with numbers kept as text.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Json {
    Null,
    Bool(bool),
    /// A number in its original notation.
    Number(String),
    Text(String),
    List(Vec<Json>),
    /// Entries in their original order.
    Dict(Vec<(String, Json)>),
}

impl Json {
    /// Parses a text; returns `None` if it is not JSON.
    pub(super) fn parse_text(text: &str) -> Option<Self> {
        Self::from_raw(serde_json::from_str(text).ok()?, DEEPEST)
    }

    fn from_raw(raw: &RawValue, levels: usize) -> Option<Self> {
        let text = raw.get();
        Some(match text.as_bytes().first()? {
            b'{' | b'[' if levels == 0 => Json::Null,
            b'{' => {
                let Entries(entries) = serde_json::from_str(text).ok()?;
                let read = |(key, value): (String, &RawValue)| Some((key, Self::from_raw(value, levels - 1)?));
                Json::Dict(entries.into_iter().map(read).collect::<Option<_>>()?)
            }
            b'[' => {
                let members: Vec<&RawValue> = serde_json::from_str(text).ok()?;
                Json::List(members.into_iter().map(|m| Self::from_raw(m, levels - 1)).collect::<Option<_>>()?)
            }
            b'"' => Json::Text(serde_json::from_str(text).ok()?),
            b't' => Json::Bool(true),
            b'f' => Json::Bool(false),
            b'n' => Json::Null,
            _ => Json::Number(text.to_owned()),
        })
    }
}

/// The unparsed entries of an object.
struct Entries<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(EntriesVisitor)
    }
}

struct EntriesVisitor;

impl<'de> Visitor<'de> for EntriesVisitor {
    type Value = Entries<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry()? {
            entries.push(entry);
        }
        Ok(Entries(entries))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_every_digit_and_keys_their_order() {
        let read =
            Json::parse_text(r#" {"b": 12345678901234567890.123456789, "a": [1E5, null, "x\n", true]} "#).unwrap();
        let number = |text: &str| Json::Number(text.into());
        let list = Json::List(vec![number("1E5"), Json::Null, Json::Text("x\n".into()), Json::Bool(true)]);
        let entries = vec![("b".into(), number("12345678901234567890.123456789")), ("a".into(), list)];
        assert_eq!(read, Json::Dict(entries));
    }

    #[test]
    fn what_is_no_json_is_nothing_and_endless_nesting_ends() {
        for text in ["", "x", "{\"a\": 1", "[1] 2", "NaN"] {
            assert_eq!(Json::parse_text(text), None, "{text}");
        }
        let deep = format!("{}1{}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(Json::parse_text(&deep).is_some());
    }
}
