//! An object around the records, as in API responses: `{"count": 2, "results": [...]}`.

use super::value::Parser;
use std::borrow::Cow;

/// Maximum depth of nested objects that are searched.
const DEEPEST: usize = 4;

/// The only array of records within an object.
#[derive(Debug, PartialEq)]
pub(super) struct Envelope<'t> {
    /// The path of keys to the array.
    pub path: String,
    /// The text of the array.
    pub records: &'t str,
    /// The other members of the object, by key, as text.
    pub beside: Vec<(String, &'t str)>,
}

/// Finds the array of objects in an object: the only one on its level, on the outermost level that has one. Only
/// objects are searched, because lists inside records are not records.
pub(super) fn find_envelope(text: &str) -> Option<Envelope<'_>> {
    let mut level = vec![(String::new(), text)];
    let mut beside = Vec::new();
    for _ in 0..DEEPEST {
        let mut arrays = Vec::new();
        let mut inner = Vec::new();
        for (path, object) in level {
            for (key, value) in Parser::new(object).parse_members().ok()? {
                let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                match value.as_bytes() {
                    [b'[', ..] if value[1..].trim_start().starts_with('{') => arrays.push((path, value)),
                    [b'{', ..] => inner.push((path, value)),
                    _ => beside.push((path, value)),
                }
            }
        }
        match arrays.len() {
            0 => level = inner,
            1 => {
                let (path, records) = arrays.swap_remove(0);
                beside.extend(inner);
                return Some(Envelope { path, records, beside });
            }
            _ => return None,
        }
    }
    None
}

impl Envelope<'_> {
    /// Formats the other members for display; returns `None` if there are none.
    pub fn display_other_members(&self) -> Option<String> {
        /// Maximum characters of a value, and maximum number of values.
        const LONGEST: (usize, usize) = (60, 20);
        let is_said = |(key, value): &&(String, &str)| !(key == "type" && *value == "\"FeatureCollection\"");
        let shown = self.beside.iter().filter(is_said).map(|(key, value)| {
            let short: String = value.chars().take(LONGEST.0).collect();
            let more: Cow<'_, str> =
                if short.len() < value.len() { format!("{short}…").into() } else { short.into() };
            format!("{key} = {more}")
        });
        let shown: Vec<String> = shown.take(LONGEST.1).collect();
        (!shown.is_empty()).then(|| shown.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_only_array_of_objects_of_the_outermost_level_holds_the_records() {
        for (text, path) in [
            (r#"{"count": 1, "results": [{"a": 1}]}"#, Some("results")),
            (r#"{"data": [{"a": 1}], "meta": {"links": [{"url": "x"}]}}"#, Some("data")),
            (r#"{"status": "ok", "response": {"docs": [ {"a": 1}]}}"#, Some("response.docs")),
            (r#"{"type": "FeatureCollection", "features": [{"type": "Feature"}]}"#, Some("features")),
            (r#"{"a": [{"x": 1}], "b": [{"y": 1}]}"#, None),
            (r#"{"tags": ["a", "b"], "n": 1}"#, None),
            ("{}", None),
        ] {
            assert_eq!(find_envelope(text).map(|found| found.path), path.map(str::to_owned), "{text}");
        }
        let found = find_envelope(r#"{"page": 1, "results": [{"a": 1}], "next": "x"}"#).unwrap();
        assert_eq!(found.display_other_members().as_deref(), Some(r#"page = 1; next = "x""#));
        assert_eq!(
            find_envelope(r#"{"type": "FeatureCollection", "features": [{"a": 1}]}"#).unwrap().display_other_members(),
            None
        );
    }
}
