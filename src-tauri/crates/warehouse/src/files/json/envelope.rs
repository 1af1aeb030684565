//! An object around the records, as in API responses: `{"count": 2, "results": [...]}`.

use super::keyed::find_keyed_records;
use super::value::Parser;
use std::borrow::Cow;

/// Maximum depth of nested objects that are searched.
const DEEPEST: usize = 4;

/// The only records within an object.
#[derive(Debug, PartialEq)]
pub(super) struct Envelope<'t> {
    /// The path of keys to the records; empty for the outermost object.
    pub path: String,
    /// The text of an array of the records.
    pub records: Cow<'t, str>,
    /// The column with the keys of the records, if they are the members of an object.
    pub key_column: Option<String>,
    /// The other members of the object, by key, as text.
    pub beside: Vec<(String, &'t str)>,
}

/// Finds the records in an object: its only array of objects, or its only object whose members are records, on the
/// outermost level that has one. Only objects are searched, because lists inside records are not records.
pub(super) fn find_envelope(text: &str) -> Option<Envelope<'_>> {
    let mut level = vec![(String::new(), text)];
    let mut beside = Vec::new();
    for _ in 0..DEEPEST {
        let mut arrays = Vec::new();
        let mut inner = Vec::new();
        let keyed: Vec<_> = level
            .iter()
            .enumerate()
            .filter_map(|(at, (_, object))| Some((at, find_keyed_records(object)?)))
            .take(2)
            .collect();
        if let Ok([(at, keyed)]) = <[_; 1]>::try_from(keyed) {
            let (path, _) = level.swap_remove(at);
            beside.extend(level);
            return Some(Envelope { path, records: keyed.records.into(), key_column: Some(keyed.column), beside });
        }
        for (path, object) in level {
            for (key, value) in Parser::new(object).parse_members().ok()? {
                let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
                match value.as_bytes() {
                    [b'[', ..] if begins_with_object(value) => arrays.push((path, value)),
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
                return Some(Envelope { path, records: records.into(), key_column: None, beside });
            }
            _ => return None,
        }
    }
    None
}

/// Returns true if the first element of an array that is not null is an object.
fn begins_with_object(array: &str) -> bool {
    let blank = |c: char| c.is_whitespace() || c == ',';
    let mut rest = array[1..].trim_start();
    while let Some(after) = rest.strip_prefix("null") {
        rest = after.trim_start_matches(blank);
    }
    rest.starts_with('{')
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
            (r#"{"rows": [null, {"v": 1}]}"#, Some("rows")),
            (r#"{"users": {"a": {"n": 1}, "b": {"n": 2}, "c": {"n": 3}}, "page": 1}"#, Some("users")),
            (r#"{"a": {"l": [{"n": 1}]}, "b": {"l": []}, "c": {"l": []}}"#, Some("")),
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
