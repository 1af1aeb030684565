//! The inside of nested values: every path to a leaf, with array members under `[]` (ProSPy, semi-structured columns).

use super::dates;
use crate::text::quoted;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Paths kept for one column.
const MOST_PATHS: usize = 60;
/// An object with more keys than this over all values is a map: its keys are data and stand under `*`.
const MOST_KEYS: usize = 40;
/// Values of a leaf that are kept to tell a category from free text.
const MOST_VALUES: usize = 200;
/// A leaf with at most this many values is shown with all of them.
const DOMAIN: usize = 6;

/// Whether most of the texts are JSON objects or arrays.
pub(super) fn looks_nested<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut nested, mut all) = (0, 0);
    for text in texts.map(str::trim) {
        all += 1;
        // A cut-off value cannot be parsed but still begins like one.
        let open = text.starts_with('{') || text.starts_with('[');
        let plausible = text.len() >= super::queries::CELL / 2 || serde_json::from_str::<Value>(text).is_ok();
        nested += usize::from(open && plausible);
    }
    all > 0 && nested * 10 >= all * 9
}

/// The leaves of all values: path and type, in the order of first appearance. Small domains are listed with the type:
/// `text 'de' | 'en'`.
pub(super) fn paths<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<(String, String)> {
    let values: Vec<Value> = texts.filter_map(|t| serde_json::from_str(t).ok()).collect();
    let mut root = Node::default();
    for value in &values {
        root.add(value);
    }
    let mut found = Vec::new();
    root.collect(String::new(), &mut found);
    found.truncate(MOST_PATHS);
    found
}

/// What was seen at one path.
#[derive(Default)]
struct Node {
    /// Keys in the order of first appearance.
    keys: Vec<String>,
    children: BTreeMap<String, Node>,
    members: Option<Box<Node>>,
    types: BTreeSet<&'static str>,
    texts: BTreeSet<String>,
    seen: usize,
}

impl Node {
    fn add(&mut self, value: &Value) {
        match value {
            Value::Object(object) => {
                self.types.insert("dict");
                for (key, value) in object {
                    if !self.children.contains_key(key) {
                        if self.keys.len() > MOST_KEYS {
                            continue;
                        }
                        self.keys.push(key.clone());
                    }
                    self.children.entry(key.clone()).or_default().add(value);
                }
            }
            Value::Array(members) => {
                self.types.insert("list");
                let node = self.members.get_or_insert_default();
                for member in members {
                    node.add(member);
                }
            }
            Value::Null => {}
            Value::Bool(_) => self.leaf("boolean"),
            Value::Number(number) => self.leaf(if number.is_f64() { "float" } else { "integer" }),
            Value::String(text) => {
                self.leaf("text");
                if self.texts.len() < MOST_VALUES {
                    self.texts.insert(text.clone());
                }
            }
        }
    }

    fn leaf(&mut self, name: &'static str) {
        self.types.insert(name);
        self.seen += 1;
    }

    fn collect(&self, path: String, found: &mut Vec<(String, String)>) {
        let mut inner = false;
        if self.keys.len() > MOST_KEYS {
            // The keys differ from value to value; what they lead to is alike.
            if let Some(any) = self.keys.first().and_then(|k| self.children.get(k)) {
                any.collect(join(&path, "*"), found);
                inner = true;
            }
        } else {
            for key in &self.keys {
                self.children[key].collect(join(&path, key), found);
                inner = true;
            }
        }
        if let Some(members) = self.members.as_deref().filter(|m| !m.types.is_empty()) {
            members.collect(format!("{path}[]"), found);
            inner = true;
        }
        let mut leaf: Vec<&str> =
            self.types.iter().copied().filter(|t| !inner || !["dict", "list"].contains(t)).collect();
        if leaf == ["float", "integer"] {
            leaf = vec!["float"];
        }
        if leaf.is_empty() {
            if !inner && !path.is_empty() {
                found.push((path, "null".to_owned()));
            }
            return;
        }
        let mut name = leaf.join("/");
        if leaf == ["text"] {
            name = self.text_type();
        }
        found.push((path, name));
    }

    fn text_type(&self) -> String {
        if let Some(format) = dates::detect(self.texts.iter().map(String::as_str), false) {
            return format!("text date '{format}'");
        }
        let repeated = self.texts.len() <= DOMAIN && self.seen >= self.texts.len() * 3;
        if repeated && self.texts.iter().all(|t| t.chars().count() <= 24) {
            let domain: Vec<String> = self.texts.iter().map(|t| quoted(t, 24)).collect();
            return format!("text {}", domain.join(" | "));
        }
        "text".to_owned()
    }
}

fn join(path: &str, key: &str) -> String {
    // A key with a dot of its own would read as two.
    let key = if key.contains(['.', '[', ' ']) { format!("\"{key}\"") } else { key.to_owned() };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> Vec<(String, String)> {
        paths(texts.iter().copied())
    }

    fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect()
    }

    #[test]
    fn leaves_have_their_path_and_array_members_share_one() {
        let found = of(&[
            r#"{"id": 1, "tags": ["a", "b", "c"], "items": [{"sku": "x1", "n": 1}, {"sku": "x2", "n": 2.5}], "ok": true}"#,
            r#"{"id": null, "tags": [], "address": {"city": "Ghent"}}"#,
        ]);
        let expected = [
            ("id", "integer"),
            ("tags[]", "text"),
            ("items[].sku", "text"),
            ("items[].n", "float"),
            ("ok", "boolean"),
            ("address.city", "text"),
        ];
        assert_eq!(found, pairs(&expected));
    }

    #[test]
    fn a_small_domain_is_told_with_the_type() {
        let texts = vec![r#"{"lang": "en", "day": "2023-01-31"}"#; 5];
        let mut texts: Vec<&str> = texts;
        texts.push(r#"{"lang": "fr", "day": "2023-02-01"}"#);
        assert_eq!(of(&texts), pairs(&[("lang", "text 'en' | 'fr'"), ("day", "text date '%Y-%m-%d'")]));
    }

    #[test]
    fn keys_that_are_data_become_a_star() {
        let texts: Vec<String> = (0..100).map(|n| format!("{{\"user{n}\": {{\"score\": {n}}}}}")).collect();
        assert_eq!(of(&texts.iter().map(String::as_str).collect::<Vec<_>>()), pairs(&[("*.score", "integer")]));
    }

    #[test]
    fn a_list_at_the_root_and_odd_keys_are_no_trouble() {
        assert_eq!(of(&["[1, 2]", "[[3]]", "not json"]), pairs(&[("[][]", "integer"), ("[]", "integer")]));
        assert_eq!(of(&[r#"{"a.b": 1}"#]), pairs(&[("\"a.b\"", "integer")]));
        assert_eq!(of(&[]), []);
    }

    #[test]
    fn json_is_told_from_text() {
        assert!(looks_nested([r#"{"a": 1}"#, "[1]"].into_iter()));
        assert!(!looks_nested(["[draft] title", "{x}"].into_iter()));
        assert!(!looks_nested(std::iter::empty()));
    }
}
