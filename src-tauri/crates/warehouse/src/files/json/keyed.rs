//! Records by their keys, as in exports of key-value databases: `{"u1": {"name": "Ann"}, "u2": {"name": "Bob"}}`.

use super::value::{Parser, write_string};
use std::collections::HashSet;

/// Minimum number of records; fewer objects with the same keys may be parts of one record, such as two addresses.
const LEAST: usize = 3;

/// The members of an object as records, with their keys in a column.
#[derive(Debug, PartialEq)]
pub(super) struct Keyed {
    /// The name of the column with the keys.
    pub column: String,
    /// The text of an array of the records.
    pub records: String,
}

/// Returns the members of an object as records if all are objects that share most of their keys.
pub(super) fn find_keyed_records(text: &str) -> Option<Keyed> {
    let members = Parser::new(text).parse_members().ok()?;
    if members.len() < LEAST || !members.iter().all(|(_, value)| value.starts_with('{')) {
        return None;
    }
    let mut first = HashSet::new();
    let mut keys = HashSet::new();
    for (at, (_, value)) in members.iter().enumerate() {
        let fields = Parser::new(value).parse_members().ok()?;
        let own: HashSet<String> = fields.into_iter().map(|(key, _)| key.into_owned()).collect();
        if at == 0 {
            first.clone_from(&own);
        }
        let shared = own.intersection(&first).count();
        if shared == 0 || shared * 2 < own.len().max(first.len()) {
            return None;
        }
        keys.extend(own);
    }
    let column = (1..)
        .map(|number| if number == 1 { "key".to_owned() } else { format!("key_{number}") })
        .find(|name| keys.iter().all(|key| !key.eq_ignore_ascii_case(name)))?;
    let mut records = String::from("[");
    for (at, (key, value)) in members.iter().enumerate() {
        records.push_str(if at > 0 { ",{" } else { "{" });
        write_string(&column, &mut records);
        records.push(':');
        write_string(key, &mut records);
        // Every record has members, because it shares some.
        records.push(',');
        records.push_str(&value[1..]);
    }
    records.push(']');
    Some(Keyed { column, records })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_with_the_same_keys_are_records() {
        let found =
            find_keyed_records(r#"{"u1": {"n": 1, "m": 2}, "u\"2": {"n": 2}, "u3": {"n": 12345678901234567890}}"#);
        let records = r#"[{"key":"u1","n": 1, "m": 2},{"key":"u\"2","n": 2},{"key":"u3","n": 12345678901234567890}]"#;
        assert_eq!(found, Some(Keyed { column: "key".into(), records: records.into() }));
        let taken = find_keyed_records(r#"{"a": {"key": 1}, "b": {"key": 2}, "c": {"key": 3}}"#);
        assert_eq!(taken.map(|found| found.column).as_deref(), Some("key_2"));
        for other in [
            r#"{"from": {"city": "x"}, "to": {"city": "y"}}"#,
            r#"{"meta": {"page": 1}, "links": {"next": "x"}, "user": {"name": "y"}}"#,
            r#"{"a": {"n": 1}, "b": {"n": 2}, "c": 3}"#,
            r#"{"a": {}, "b": {}, "c": {}}"#,
            "{}",
        ] {
            assert_eq!(find_keyed_records(other), None, "{other}");
        }
    }
}
