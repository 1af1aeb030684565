//! JSON Schemas as strict servers want them: OpenAI's rules for structured outputs (guide "Structured outputs", supported
//! schemas, read in November 2026), which Azure and several compatible servers share.

use super::keywords::Keywords;
use serde_json::{Map, Value, json};

/// What a strict schema may hold; what a model cannot be held to is told in descriptions.
const KEYWORDS: Keywords = Keywords(&[
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
]);

/// Properties over the whole schema.
const MOST_PROPERTIES: usize = 5_000;
/// Objects within objects.
const MOST_LEVELS: usize = 10;
/// Characters of all names, choices and constants together.
const MOST_CHARACTERS: usize = 120_000;
/// Choices over the whole schema.
const MOST_CHOICES: usize = 1_000;
/// A choice of more texts than this is bounded in its characters, too.
const MANY_CHOICES: usize = 250;
const MOST_CHARACTERS_OF_MANY: usize = 15_000;

/// The schema with every object closed and every property required, where what may be left out may be null instead (a
/// reply is read without its nulls: [`crate::parse_json`]). `None` where no strict schema says the same, or where it is
/// larger than what is taken.
pub fn strict(schema: &Value) -> Option<Value> {
    let schema = closed(&KEYWORDS.only(&alternatives(schema)))?;
    let root = schema["type"] == "object" && schema.get("anyOf").is_none();
    (root && Size::of(&schema).fits()).then_some(schema)
}

/// The schema with `anyOf` for its namesakes. Ours never overlap, so that one of them and any of them are the same.
fn alternatives(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(alternatives).collect(),
        Value::Object(object) => {
            let named = |(key, value): (&String, &Value)| match (key.as_str(), value) {
                ("oneOf", value) => ("anyOf".to_owned(), alternatives(value)),
                ("enum" | "const" | "required" | "default", value) => (key.clone(), value.clone()),
                ("properties" | "$defs", Value::Object(named)) => {
                    let named = named.iter().map(|(name, schema)| (name.clone(), alternatives(schema))).collect();
                    (key.clone(), Value::Object(named))
                }
                (_, value) => (key.clone(), alternatives(value)),
            };
            Value::Object(object.iter().map(named).collect())
        }
        other => other.clone(),
    }
}

/// `None` where something may be anything, which no strict schema can say.
fn closed(schema: &Value) -> Option<Value> {
    let mut schema = schema.as_object()?.clone();
    // A reference stands alone.
    if let Some(reference) = schema.get("$ref") {
        return Some(json!({ "$ref": reference }));
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        *choices = choices.iter().map(closed).collect::<Option<_>>()?;
    } else if !schema.contains_key("type") {
        schema.insert("type".into(), type_of(&schema)?);
    }
    for key in ["properties", "$defs"] {
        if let Some(Value::Object(named)) = schema.get_mut(key) {
            for schema in named.values_mut() {
                *schema = closed(schema)?;
            }
        }
    }
    if let Some(items) = schema.get_mut("items") {
        *items = closed(items)?;
    }
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|k| k == kind),
        one => one == kind,
    };
    if schema.contains_key("type") && is("array") && !schema.contains_key("items") {
        return None;
    }
    if schema.contains_key("type") && is("object") {
        close(&mut schema)?;
    }
    Some(Value::Object(schema))
}

fn close(object: &mut Map<String, Value>) -> Option<()> {
    // An object of any names cannot be closed.
    if object.get("additionalProperties").is_some_and(|open| open.is_object() || *open == true) {
        return None;
    }
    let required: Vec<Value> = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = object.get_mut("properties").and_then(Value::as_object_mut)?;
    for (name, schema) in properties.iter_mut() {
        if !required.iter().any(|required| required == name) {
            *schema = nullable(schema.take());
        }
    }
    let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
    object.insert("required".into(), names.into());
    object.insert("additionalProperties".into(), false.into());
    Some(())
}

/// The schema, or null.
fn nullable(mut schema: Value) -> Value {
    let nothing = json!({ "type": "null" });
    if let Some(choices) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        if !choices.iter().any(|choice| choice["type"] == "null") {
            choices.push(nothing);
        }
        return schema;
    }
    let plain = schema.get("enum").is_none() && schema.get("const").is_none() && schema.get("properties").is_none();
    match schema.get("type").cloned() {
        Some(Value::String(kind)) if kind == "null" => schema,
        Some(Value::String(kind)) if plain => {
            schema["type"] = json!([kind, "null"]);
            schema
        }
        Some(Value::Array(kinds)) if kinds.iter().any(|kind| kind == "null") => schema,
        _ => json!({ "anyOf": [schema, nothing] }),
    }
}

/// The type that the choices of a schema have, where it names none.
fn type_of(schema: &Map<String, Value>) -> Option<Value> {
    let choices = match (schema.get("enum"), schema.get("const")) {
        (Some(Value::Array(choices)), _) => choices.as_slice(),
        (_, Some(value)) => std::slice::from_ref(value),
        _ if schema.contains_key("properties") => return Some("object".into()),
        _ if schema.contains_key("items") => return Some("array".into()),
        _ => return None,
    };
    let mut kinds: Vec<&str> = choices
        .iter()
        .map(|choice| match choice {
            Value::String(_) => Some("string"),
            Value::Bool(_) => Some("boolean"),
            Value::Number(number) if number.is_f64() => Some("number"),
            Value::Number(_) => Some("integer"),
            Value::Null => Some("null"),
            Value::Array(_) | Value::Object(_) => None,
        })
        .collect::<Option<_>>()?;
    kinds.sort_unstable();
    kinds.dedup();
    match kinds.as_slice() {
        [] => None,
        [one] => Some((*one).into()),
        several => Some(json!(several)),
    }
}

/// What a schema is measured by.
#[derive(Debug, Default)]
struct Size {
    properties: usize,
    levels: usize,
    characters: usize,
    choices: usize,
    long_choice: bool,
}

impl Size {
    fn of(schema: &Value) -> Self {
        let mut size = Self::default();
        size.add(schema, 0);
        size
    }

    fn fits(&self) -> bool {
        self.properties <= MOST_PROPERTIES
            && self.levels <= MOST_LEVELS
            && self.characters <= MOST_CHARACTERS
            && self.choices <= MOST_CHOICES
            && !self.long_choice
    }

    fn add(&mut self, schema: &Value, level: usize) {
        let length = |value: &Value| value.as_str().map_or(0, |text| text.chars().count());
        if let Some(choices) = schema["enum"].as_array() {
            let characters: usize = choices.iter().map(length).sum();
            self.choices += choices.len();
            self.characters += characters;
            self.long_choice |= choices.len() > MANY_CHOICES && characters > MOST_CHARACTERS_OF_MANY;
        }
        self.characters += length(&schema["const"]);
        let level = level + usize::from(schema.get("properties").is_some());
        self.levels = self.levels.max(level);
        for key in ["properties", "$defs"] {
            for (name, schema) in schema[key].as_object().into_iter().flatten() {
                self.properties += usize::from(key == "properties");
                self.characters += name.chars().count();
                self.add(schema, level);
            }
        }
        for schema in schema["anyOf"].as_array().into_iter().flatten().chain(schema.get("items")) {
            self.add(schema, level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::strict;
    use serde_json::json;

    #[test]
    fn what_may_be_left_out_may_be_null_instead_and_every_object_is_closed() {
        let schema = json!({
            "type": "object",
            "properties": {
                "sql": { "type": "string", "maxLength": 400 },
                "kind": { "enum": ["a", "b"] },
                "parts": { "type": "array", "items": { "type": "object", "properties": { "n": { "const": 1 } } }, "maxItems": 3 },
                "one": { "oneOf": [{ "type": "string" }, { "type": "integer" }] },
            },
            "required": ["sql"],
        });
        assert_eq!(
            strict(&schema).unwrap(),
            json!({
                "type": "object",
                "properties": {
                    "sql": { "type": "string", "description": "(maxLength: 400)" },
                    "kind": { "anyOf": [{ "enum": ["a", "b"], "type": "string" }, { "type": "null" }] },
                    "parts": {
                        "type": ["array", "null"],
                        "items": {
                            "type": "object",
                            "properties": { "n": { "anyOf": [{ "const": 1, "type": "integer" }, { "type": "null" }] } },
                            "required": ["n"],
                            "additionalProperties": false,
                        },
                        "maxItems": 3,
                    },
                    "one": { "anyOf": [{ "type": "string" }, { "type": "integer" }, { "type": "null" }] },
                },
                "required": ["sql", "kind", "parts", "one"],
                "additionalProperties": false,
            })
        );
    }

    #[test]
    fn what_no_strict_schema_can_say_is_left_to_the_lenient_form() {
        let part = |schema: serde_json::Value| strict(&json!({ "type": "object", "properties": { "a": schema } }));
        assert!(part(json!({ "type": "string" })).is_some());
        assert!(part(json!({})).is_none(), "anything");
        assert!(part(json!({ "type": "array" })).is_none(), "a list of anything");
        assert!(part(json!({ "type": "object", "additionalProperties": { "type": "string" } })).is_none(), "any name");
        assert!(
            strict(&json!({ "anyOf": [{ "type": "object", "properties": {} }] })).is_none(),
            "the root is a choice"
        );
        assert!(strict(&json!({ "type": "string" })).is_none(), "the root is no object");
    }

    #[test]
    fn a_schema_beyond_the_published_limits_is_left_to_the_lenient_form() {
        let names = |count: usize, length: usize| {
            let names: Vec<String> = (0..count).map(|n| format!("{n:0length$}")).collect();
            strict(&json!({ "type": "object", "properties": { "a": { "enum": names } } }))
        };
        assert!(names(250, 100).is_some());
        assert!(names(251, 60).is_none(), "a long choice of long names");
        assert!(names(1_000, 10).is_some());
        assert!(names(1_001, 4).is_none());
        let nested = |levels: usize| {
            let inner = json!({ "type": "string" });
            strict(&(0..levels).fold(inner, |inner, _| json!({ "type": "object", "properties": { "a": inner } })))
        };
        assert!(nested(10).is_some());
        assert!(nested(11).is_none());
    }
}
