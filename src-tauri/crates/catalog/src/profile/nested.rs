//! Collects every path to a leaf of nested values, with array members under `[]` (ProSPy, semi-structured columns).

use super::dates;
use super::json::Json;
use crate::text::quote_value;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of paths kept for one column.
const MOST_PATHS: usize = 400;
/// An object with more keys than this over all values is a map: its keys are data and are replaced by `*`.
const MOST_KEYS: usize = 40;
/// Maximum number of values of a leaf that are kept to distinguish a category from free text.
const MOST_VALUES: usize = 200;
/// A leaf with at most this many values is listed with all of them.
const DOMAIN: usize = 6;
/// The key that represents all keys of a map.
const ANY: &str = "*";

/// Returns true if most of the texts are JSON objects or arrays.
pub(super) fn looks_nested<'a>(texts: impl Iterator<Item = &'a str>) -> bool {
    let (mut nested, mut all) = (0, 0);
    for text in texts.map(str::trim) {
        all += 1;
        // A truncated value cannot be parsed but still begins like JSON.
        let open = text.starts_with('{') || text.starts_with('[');
        let plausible = text.len() >= super::queries::CELL / 2 || Json::parse_text(text).is_some();
        nested += usize::from(open && plausible);
    }
    all > 0 && nested * 10 >= all * 9
}

/// The merged structure of nested values.
#[derive(Default)]
pub(super) struct Nested {
    root: Node,
    /// Number of values that could be parsed.
    pub values: u64,
}

/// Observations at one path over all values.
pub(super) struct NestedPath {
    /// The path, with `[]` for members of lists and `*` for values of maps.
    pub path: String,
    /// The last key of the path.
    pub key: String,
    /// The types found: `integer`, `text`, `dict`, `list[dict]`, or several separated by `/`.
    pub data_type: String,
    /// The JSON types found: `boolean`, `integer`, `float`, `text`, `dict`, `list`.
    pub types: BTreeSet<&'static str>,
    /// Number of possible occurrences: one per row, or per member of the enclosing list.
    pub chances: u64,
    /// Number of values that are not null.
    pub present: u64,
    /// Numbers, texts and booleans in row order.
    pub leaves: Vec<String>,
}

impl Nested {
    pub(super) fn from_texts<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let mut nested = Self::default();
        for value in texts.filter_map(Json::parse_text) {
            nested.values += 1;
            nested.root.add(value);
        }
        nested
    }

    /// Returns path and type of all leaves in order of first appearance. Small domains are listed with the type: `text
    /// 'de' | 'en'`.
    pub(super) fn list_leaf_paths(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        self.root.collect_leaf_paths(String::new(), &mut found);
        found.truncate(MOST_PATHS);
        found
    }

    /// Returns every path, parents first, for values from `rows` rows. The root is included only if some values are
    /// neither objects nor lists.
    pub(super) fn into_paths(self, rows: u64) -> Vec<NestedPath> {
        let mut found = Vec::new();
        self.root.collect_paths("", "", rows, &mut found);
        found.truncate(MOST_PATHS);
        found
    }
}

/// Observations at one path, with its children.
#[derive(Default)]
struct Node {
    /// Keys in order of first appearance.
    keys: Vec<String>,
    /// True if there were too many keys, so that their values are merged under [`ANY`].
    map: bool,
    children: BTreeMap<String, Node>,
    members: Option<Box<Node>>,
    types: BTreeSet<&'static str>,
    leaves: Vec<String>,
    present: u64,
    /// Number of entries of all objects and members of all lists, including null.
    entries: u64,
    listed: u64,
}

impl Node {
    fn add(&mut self, value: Json) {
        self.present += u64::from(value != Json::Null);
        match value {
            Json::Dict(entries) => {
                self.types.insert("dict");
                self.entries += entries.len() as u64;
                for (key, value) in entries {
                    self.child_entry(key).add(value);
                }
            }
            Json::List(members) => {
                self.types.insert("list");
                self.listed += members.len() as u64;
                let node = self.members.get_or_insert_default();
                for member in members {
                    node.add(member);
                }
            }
            Json::Null => {}
            Json::Bool(value) => self.add_leaf("boolean", value.to_string()),
            Json::Number(text) => self.add_leaf(if text.contains(['.', 'e', 'E']) { "float" } else { "integer" }, text),
            Json::Text(text) => self.add_leaf("text", text),
        }
    }

    fn add_leaf(&mut self, name: &'static str, text: String) {
        self.types.insert(name);
        self.leaves.push(text);
    }

    fn child_entry(&mut self, key: String) -> &mut Node {
        if !self.map && !self.children.contains_key(&key) {
            if self.keys.len() == MOST_KEYS {
                self.become_map();
            } else {
                self.keys.push(key.clone());
            }
        }
        let key = if self.map { ANY.to_owned() } else { key };
        self.children.entry(key).or_default()
    }

    /// Merges the values of all keys, since the keys differ from value to value.
    fn become_map(&mut self) {
        if !self.map {
            self.map = true;
            let mut any = Node::default();
            for key in std::mem::take(&mut self.keys) {
                any.merge_node(self.children.remove(&key).unwrap_or_default());
            }
            self.children.insert(ANY.to_owned(), any);
        }
    }

    fn merge_node(&mut self, mut other: Node) {
        self.types.append(&mut other.types);
        self.leaves.append(&mut other.leaves);
        self.present += other.present;
        self.entries += other.entries;
        self.listed += other.listed;
        if other.map {
            self.become_map();
        }
        // The only key of a map is the one for all its values.
        other.keys.extend(other.map.then(|| ANY.to_owned()));
        for key in other.keys {
            let child = other.children.remove(&key).unwrap_or_default();
            self.child_entry(key).merge_node(child);
        }
        if let Some(members) = other.members {
            self.members.get_or_insert_default().merge_node(*members);
        }
    }

    /// Returns the children by key.
    fn children_by_key(&self) -> impl Iterator<Item = (&str, &Node)> {
        let keys = self.keys.iter().map(String::as_str).chain(self.map.then_some(ANY));
        keys.filter_map(|key| Some((key, self.children.get(key)?)))
    }

    fn collect_leaf_paths(&self, path: String, found: &mut Vec<(String, String)>) {
        let mut inner = false;
        for (key, child) in self.children_by_key() {
            child.collect_leaf_paths(join_path(&path, key), found);
            inner = true;
        }
        if let Some(members) = self.members.as_deref().filter(|m| !m.types.is_empty()) {
            members.collect_leaf_paths(format!("{path}[]"), found);
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

    fn collect_paths(self, path: &str, key: &str, chances: u64, found: &mut Vec<NestedPath>) {
        let data_type = self.data_type();
        let Node { keys, map, mut children, members, types, leaves, present, entries, listed } = self;
        if !path.is_empty() || !leaves.is_empty() {
            let (path, key) = (path.to_owned(), key.to_owned());
            found.push(NestedPath { path, key, data_type, types, chances, present, leaves });
        }
        if map {
            let any = children.remove(ANY).unwrap_or_default();
            any.collect_paths(&join_path(path, ANY), key, entries, found);
        }
        for inner in keys {
            let child = children.remove(&inner).unwrap_or_default();
            child.collect_paths(&join_path(path, &inner), &inner, chances, found);
        }
        if let Some(members) = members.filter(|_| listed > 0) {
            members.collect_paths(&format!("{path}[]"), key, listed, found);
        }
    }

    fn data_type(&self) -> String {
        let whole_too = self.types.contains("integer") && self.types.contains("float");
        let names: Vec<String> = self
            .types
            .iter()
            .filter(|t| !whole_too || **t != "integer")
            .map(|name| match (*name, self.members.as_deref()) {
                ("list", Some(members)) if !members.types.is_empty() => format!("list[{}]", members.data_type()),
                _ => (*name).to_owned(),
            })
            .collect();
        if names.is_empty() { "null".to_owned() } else { names.join("/") }
    }

    fn text_type(&self) -> String {
        let mut texts = BTreeSet::new();
        for text in &self.leaves {
            if texts.len() == MOST_VALUES {
                break;
            }
            texts.insert(text.as_str());
        }
        if let Some(format) = dates::detect_format(texts.iter().copied(), false) {
            return format!("text date '{format}'");
        }
        let repeated = texts.len() <= DOMAIN && self.leaves.len() >= texts.len() * 3;
        if repeated && texts.iter().all(|t| t.chars().count() <= 24) {
            let domain: Vec<String> = texts.iter().map(|t| quote_value(t, 24)).collect();
            return format!("text {}", domain.join(" | "));
        }
        "text".to_owned()
    }
}

fn join_path(path: &str, key: &str) -> String {
    // A key that contains a dot would read as two.
    let key = if key.contains(['.', '[', ' ']) { format!("\"{key}\"") } else { key.to_owned() };
    if path.is_empty() { key } else { format!("{path}.{key}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_leaf_paths(texts: &[&str]) -> Vec<(String, String)> {
        Nested::from_texts(texts.iter().copied()).list_leaf_paths()
    }

    fn owned_pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
        list.iter().map(|(a, b)| ((*a).into(), (*b).into())).collect()
    }

    const ORDERS: [&str; 2] = [
        r#"{"id": 1, "tags": ["a", "b", "c"], "items": [{"sku": "x1", "n": 1}, {"sku": "x2", "n": 2.5}], "ok": true}"#,
        r#"{"id": null, "tags": [], "address": {"city": "Ghent"}}"#,
    ];

    #[test]
    fn leaves_have_their_path_and_array_members_share_one() {
        let expected = [
            ("id", "integer"),
            ("tags[]", "text"),
            ("items[].sku", "text"),
            ("items[].n", "float"),
            ("ok", "boolean"),
            ("address.city", "text"),
        ];
        assert_eq!(parse_leaf_paths(&ORDERS), owned_pairs(&expected));
    }

    #[test]
    fn every_place_knows_how_often_it_is_filled() {
        // A third row is NULL.
        let places = Nested::from_texts(ORDERS.into_iter()).into_paths(3);
        let found: Vec<(&str, &str, u64, u64)> =
            places.iter().map(|p| (p.path.as_str(), p.data_type.as_str(), p.present, p.chances)).collect();
        let expected = [
            ("id", "integer", 1, 3),
            ("tags", "list[text]", 2, 3),
            ("tags[]", "text", 3, 3),
            ("items", "list[dict]", 1, 3),
            ("items[]", "dict", 2, 2),
            ("items[].sku", "text", 2, 2),
            ("items[].n", "float", 2, 2),
            ("ok", "boolean", 1, 3),
            ("address", "dict", 1, 3),
            ("address.city", "text", 1, 3),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn a_small_domain_is_told_with_the_type() {
        let texts = vec![r#"{"lang": "en", "day": "2023-01-31"}"#; 5];
        let mut texts: Vec<&str> = texts;
        texts.push(r#"{"lang": "fr", "day": "2023-02-01"}"#);
        assert_eq!(
            parse_leaf_paths(&texts),
            owned_pairs(&[("lang", "text 'en' | 'fr'"), ("day", "text date '%Y-%m-%d'")])
        );
    }

    #[test]
    fn keys_that_are_data_become_a_star() {
        let texts: Vec<String> = (0..100).map(|n| format!("{{\"user{n}\": {{\"score\": {n}}}}}")).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        assert_eq!(parse_leaf_paths(&texts), owned_pairs(&[("*.score", "integer")]));
        let places = Nested::from_texts(texts.into_iter()).into_paths(100);
        let scores = places.iter().find(|p| p.path == "*.score").unwrap();
        assert_eq!((scores.present, scores.chances, scores.leaves.len()), (100, 100, 100), "those of every key");
        assert_eq!((scores.leaves[0].as_str(), scores.leaves[99].as_str()), ("0", "99"));
    }

    #[test]
    fn a_list_at_the_root_and_odd_keys_are_no_trouble() {
        assert_eq!(
            parse_leaf_paths(&["[1, 2]", "[[3]]", "not json"]),
            owned_pairs(&[("[][]", "integer"), ("[]", "integer")])
        );
        assert_eq!(parse_leaf_paths(&[r#"{"a.b": 1}"#]), owned_pairs(&[("\"a.b\"", "integer")]));
        assert_eq!(parse_leaf_paths(&[]), []);
    }

    #[test]
    fn json_is_told_from_text() {
        assert!(looks_nested([r#"{"a": 1}"#, "[1]"].into_iter()));
        assert!(!looks_nested(["[draft] title", "{x}"].into_iter()));
        assert!(!looks_nested(std::iter::empty()));
    }
}
