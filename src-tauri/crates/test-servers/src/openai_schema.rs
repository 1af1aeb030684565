//! Checks OpenAI's published rules for strict schemas (guide "Structured outputs", supported schemas): every object
//! closed, every property required, a type everywhere except beside `anyOf` and `$ref`, no choice at the root, and all
//! size limits.

use serde_json::Value;

/// Returns the first fault of a schema, in the provider's words.
pub fn openai_schema_fault(schema: &Value) -> Option<String> {
    const KNOWN: [&str; 21] = [
        "type",
        "enum",
        "const",
        "anyOf",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "$defs",
        "$ref",
        "title",
        "description",
        "pattern",
        "format",
        "multipleOf",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "minItems",
        "maxItems",
    ];
    if schema["type"] != "object" || schema.get("anyOf").is_some() {
        return Some("schema must be a JSON Schema of 'type: \"object\"'".to_owned());
    }
    let (mut properties, mut characters, mut choices) = (0, 0, 0);
    let mut open: Vec<(&Value, String, usize)> = vec![(schema, String::new(), 0)];
    while let Some((schema, at, level)) = open.pop() {
        let stray =
            schema.as_object().into_iter().flatten().map(|(key, _)| key).find(|key| !KNOWN.contains(&key.as_str()));
        if let Some(keyword) = stray {
            return Some(format!("In context=({at}), '{keyword}' is not permitted."));
        }
        if !["type", "anyOf", "$ref"].iter().any(|key| schema.get(*key).is_some()) {
            return Some(format!("In context=({at}), schema must have a 'type' key."));
        }
        if schema.get("$ref").is_some() && schema.as_object().is_some_and(|schema| schema.len() > 1) {
            return Some(format!("In context=({at}), $ref cannot have keywords."));
        }
        let is = |kind: &str| {
            schema["type"] == kind || schema["type"].as_array().is_some_and(|k| k.iter().any(|k| k == kind))
        };
        if is("array") && schema.get("items").is_none() {
            return Some(format!("In context=({at}), array schema missing items."));
        }
        let mut level = level;
        if is("object") {
            level += 1;
            if level > 10 {
                return Some("more than 10 levels of nesting".to_owned());
            }
            if schema["additionalProperties"] != false {
                return Some(format!(
                    "In context=({at}), 'additionalProperties' is required to be supplied and to be false."
                ));
            }
            let names: Vec<&String> =
                schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name).collect();
            let required: Vec<&str> =
                schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if let Some(missing) = names.iter().find(|name| !required.contains(&name.as_str())) {
                return Some(format!(
                    "In context=({at}), 'required' is required to include every key. Missing '{missing}'."
                ));
            }
            properties += names.len();
            characters += names.iter().map(|name| name.chars().count()).sum::<usize>();
        }
        if let Some(values) = schema["enum"].as_array() {
            let length: usize = values.iter().filter_map(Value::as_str).map(|text| text.chars().count()).sum();
            if values.len() > 250 && length > 15_000 {
                return Some(format!("In context=({at}), the enum is too large."));
            }
            choices += values.len();
            characters += length;
        }
        let named = ["properties", "$defs"].iter().filter_map(|key| schema[*key].as_object()).flatten();
        open.extend(named.map(|(name, schema)| (schema, format!("{at}/{name}"), level)));
        let listed = schema["anyOf"].as_array().into_iter().flatten().chain(schema.get("items"));
        open.extend(listed.map(|schema| (schema, at.clone(), level)));
    }
    (properties > 5_000 || characters > 120_000 || choices > 1_000).then(|| "the schema is too large".to_owned())
}
