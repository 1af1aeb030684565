//! Reduces schemas to the subset of JSON Schema that a provider accepts.

use serde_json::{Map, Value, json};

/// The JSON Schema keywords that a provider accepts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Keywords(pub(crate) &'static [&'static str]);

impl Keywords {
    /// Reduces a schema to these keywords. Unsupported keywords are moved to the description, which the model reads.
    pub(crate) fn reduce_schema(self, schema: &Value) -> Value {
        let Value::Object(schema) = schema else { return schema.clone() };
        let mut kept = Map::new();
        let mut told = Vec::new();
        for (key, value) in schema {
            match (key.as_str(), value) {
                // A constant equals an enumeration with one value.
                ("const", value) if !self.0.contains(&"const") => {
                    kept.insert("enum".into(), json!([value]));
                }
                (key, _) if !self.0.contains(&key) => told.push(format!("{key}: {value}")),
                // The keys below these are property names, not keywords.
                ("properties" | "$defs", Value::Object(named)) => {
                    let named = named.iter().map(|(name, schema)| (name.clone(), self.reduce_schema(schema))).collect();
                    kept.insert(key.clone(), Value::Object(named));
                }
                ("anyOf" | "allOf" | "oneOf" | "prefixItems", Value::Array(schemas)) => {
                    kept.insert(key.clone(), schemas.iter().map(|schema| self.reduce_schema(schema)).collect());
                }
                ("items", schema) => {
                    kept.insert(key.clone(), self.reduce_schema(schema));
                }
                (_, value) => {
                    kept.insert(key.clone(), value.clone());
                }
            }
        }
        if !told.is_empty() {
            let before = kept.get("description").and_then(Value::as_str).map(|text| format!("{text} "));
            kept.insert("description".into(), format!("{}({})", before.unwrap_or_default(), told.join(", ")).into());
        }
        Value::Object(kept)
    }
}
