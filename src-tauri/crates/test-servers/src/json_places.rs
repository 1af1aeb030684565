//! The nodes of a JSON value by number, for tests that change one at random.

use serde_json::Value;

/// Returns the number of nodes of a value, including itself.
pub fn places(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(items) => items.iter().map(places).sum(),
        Value::Object(map) => map.values().map(places).sum(),
        _ => 0,
    };
    1 + inner
}

/// Replaces the node with this number.
pub fn put(value: &mut Value, mut at: usize, other: Value) {
    if at == 0 {
        *value = other;
        return;
    }
    at -= 1;
    let inner: Vec<&mut Value> = match value {
        Value::Array(items) => items.iter_mut().collect(),
        Value::Object(map) => map.values_mut().collect(),
        _ => return,
    };
    for part in inner {
        match places(part) {
            count if at < count => return put(part, at, other),
            count => at -= count,
        }
    }
}
