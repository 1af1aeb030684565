//! Building blocks of schemas.

use serde_json::{Map, Value, json};

pub(super) fn name_schema() -> Value {
    json!({"type": "string", "pattern": "^[a-z][a-z0-9_]{1,30}$"})
}

pub(super) fn number_schema() -> Value {
    json!({"type": "number", "minimum": -1_000_000_000_000_i64, "maximum": 1_000_000_000_000_i64})
}

pub(super) fn array_schema(items: Value, least: u64, most: u64) -> Value {
    json!({"type": "array", "items": items, "minItems": least, "maxItems": most})
}

pub(super) fn any_of(mut schemas: Vec<Value>) -> Value {
    if schemas.len() == 1 { schemas.swap_remove(0) } else { json!({"anyOf": schemas}) }
}

/// Returns the schema of an object whose first `required` properties are required.
pub(super) fn object_schema(properties: &[(&str, Value)], required: usize) -> Value {
    let names: Vec<&str> = properties.iter().take(required).map(|(name, _)| *name).collect();
    let properties: Map<String, Value> = properties.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
    json!({"type": "object", "properties": properties, "required": names, "additionalProperties": false})
}
