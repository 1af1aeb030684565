//! The nodes of a JSON value by number, for tests that change one at random.

use serde_json::Value;

/// Returns the number of nodes of a value, including itself.
pub fn count_nodes(value: &Value) -> usize {
    let inner: usize = match value {
        Value::Array(items) => items.iter().map(count_nodes).sum(),
        Value::Object(map) => map.values().map(count_nodes).sum(),
        _ => 0,
    };
    1 + inner
}

/// Replaces the node with this number.
pub fn replace_node(value: &mut Value, mut at: usize, other: Value) {
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
        match count_nodes(part) {
            count if at < count => return replace_node(part, at, other),
            count => at -= count,
        }
    }
}
