//! Replies of a server with faults: parts removed, repeated, of another type, or truncated.

use proptest::prelude::*;
use serde_json::{Value, json};

/// A fault: the reply, the part of it, and the change.
#[derive(Debug, Clone)]
pub struct Spoiling {
    /// The position of the reply.
    pub reply: usize,
    part: usize,
    how: usize,
}

/// Generates one to three faults in this number of replies.
pub fn spoilings(replies: usize) -> impl Strategy<Value = Vec<Spoiling>> {
    let one = (0..replies, any::<usize>(), any::<usize>());
    prop::collection::vec(one.prop_map(|(reply, part, how)| Spoiling { reply, part, how }), 1..=3)
}

/// Returns values of any type that replace an expected one.
fn hostile() -> Vec<Value> {
    let deep = (0..200).fold(Value::Null, |inner, _| json!([inner]));
    vec![
        Value::Null,
        json!(true),
        json!(-1),
        json!(2),
        json!(u64::MAX),
        json!(1e308),
        json!(""),
        json!("x"),
        json!("9223372036854775808"),
        json!("\u{0}\u{202e}\u{fffd}"),
        json!([]),
        json!([null]),
        json!({}),
        json!({"data_array": [["1"]]}),
        deep,
    ]
}

/// Applies one fault to a reply.
pub fn spoil(value: &mut Value, spoiling: &Spoiling) {
    let mut places = Vec::new();
    list(value, String::new(), &mut places);
    let place = &places[spoiling.part % places.len()];
    let (parent, name) = place.rsplit_once('/').unwrap_or_default();
    let hostile = hostile();
    let how = spoiling.how % (hostile.len() + 2);
    if let Some(other) = hostile.get(how) {
        if let Some(target) = value.pointer_mut(place) {
            *target = other.clone();
        }
        return;
    }
    // The root has no parent from which it could be removed.
    if place.is_empty() {
        *value = Value::Null;
        return;
    }
    match value.pointer_mut(parent) {
        Some(Value::Object(fields)) => drop(fields.remove(name)),
        Some(Value::Array(items)) => {
            let at: usize = name.parse().expect("a number");
            match how == hostile.len() {
                true => drop(items.remove(at)),
                false => items.insert(at, items[at].clone()),
            }
        }
        _ => *value = Value::Null,
    }
}

fn list(value: &Value, place: String, places: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, part)| list(part, format!("{place}/{name}"), places)),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, part)| list(part, format!("{place}/{at}"), places));
        }
        _ => {}
    }
    places.push(place);
}
