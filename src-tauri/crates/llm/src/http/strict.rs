//! Converts JSON Schemas to the form that strict servers require: OpenAI's rules for structured outputs (guide
//! "Structured outputs", supported schemas, read in November 2026), which Azure and several compatible servers share.

use super::keywords::Keywords;
use serde_json::{Map, Value, json};

/// Keywords that a strict schema may contain; others are moved to descriptions.
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

/// Maximum number of properties in the whole schema.
const MOST_PROPERTIES: usize = 5_000;
/// Maximum nesting depth of objects.
const MOST_LEVELS: usize = 10;
/// Maximum number of characters of all names, choices and constants together.
const MOST_CHARACTERS: usize = 120_000;
/// Maximum number of choices in the whole schema.
const MOST_CHOICES: usize = 1_000;
/// An enumeration with more texts than this also has a character limit.
const MANY_CHOICES: usize = 250;
const MOST_CHARACTERS_OF_MANY: usize = 15_000;

/// Closes every object and makes every property required; optional properties become nullable ([`crate::parse_json`]
/// drops the nulls of a reply). Returns `None` if no strict schema is equivalent, or if it exceeds the size limits.
pub fn to_strict_schema(schema: &Value) -> Option<Value> {
    let schema = close_schema(&KEYWORDS.reduce_schema(&replace_one_of(schema)))?;
    let root = schema["type"] == "object" && schema.get("anyOf").is_none();
    (root && Size::from_schema(&schema).is_within_limits()).then_some(schema)
}

/// Replaces `oneOf` by `anyOf`. The alternatives of Vitrine's schemas never overlap, so both are equivalent.
fn replace_one_of(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(replace_one_of).collect(),
        Value::Object(object) => {
            let named = |(key, value): (&String, &Value)| match (key.as_str(), value) {
                ("oneOf", value) => ("anyOf".to_owned(), replace_one_of(value)),
                ("enum" | "const" | "required" | "default", value) => (key.clone(), value.clone()),
                ("properties" | "$defs", Value::Object(named)) => {
                    let named = named.iter().map(|(name, schema)| (name.clone(), replace_one_of(schema))).collect();
                    (key.clone(), Value::Object(named))
                }
                (_, value) => (key.clone(), replace_one_of(value)),
            };
            Value::Object(object.iter().map(named).collect())
        }
        other => other.clone(),
    }
}

/// Closes all objects. Returns `None` if a value may be of any type, which no strict schema can express.
fn close_schema(schema: &Value) -> Option<Value> {
    let mut schema = schema.as_object()?.clone();
    // A reference must not have other keywords.
    if let Some(reference) = schema.get("$ref") {
        return Some(json!({ "$ref": reference }));
    }
    if let Some(Value::Array(choices)) = schema.get_mut("anyOf") {
        *choices = choices.iter().map(close_schema).collect::<Option<_>>()?;
    } else if !schema.contains_key("type") {
        schema.insert("type".into(), type_of(&schema)?);
    }
    for key in ["properties", "$defs"] {
        if let Some(Value::Object(named)) = schema.get_mut(key) {
            for schema in named.values_mut() {
                *schema = close_schema(schema)?;
            }
        }
    }
    if let Some(items) = schema.get_mut("items") {
        *items = close_schema(items)?;
    }
    let is = |kind: &str| match &schema["type"] {
        Value::Array(kinds) => kinds.iter().any(|k| k == kind),
        one => one == kind,
    };
    if schema.contains_key("type") && is("array") && !schema.contains_key("items") {
        return None;
    }
    if schema.contains_key("type") && is("object") {
        close_object(&mut schema)?;
    }
    Some(Value::Object(schema))
}

fn close_object(object: &mut Map<String, Value>) -> Option<()> {
    // An object with arbitrary property names cannot be closed.
    if object.get("additionalProperties").is_some_and(|open| open.is_object() || *open == true) {
        return None;
    }
    let required: Vec<Value> = object.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
    let properties = object.get_mut("properties").and_then(Value::as_object_mut)?;
    for (name, schema) in properties.iter_mut() {
        if !required.iter().any(|required| required == name) {
            *schema = make_nullable(schema.take());
        }
    }
    let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
    object.insert("required".into(), names.into());
    object.insert("additionalProperties".into(), false.into());
    Some(())
}

/// Makes a schema accept null.
fn make_nullable(mut schema: Value) -> Value {
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

/// Infers the type of a schema without `type` from its values or keywords.
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

/// The size measures that providers limit.
#[derive(Debug, Default)]
struct Size {
    properties: usize,
    levels: usize,
    characters: usize,
    choices: usize,
    long_choice: bool,
}

impl Size {
    fn from_schema(schema: &Value) -> Self {
        let mut size = Self::default();
        size.add(schema, 0);
        size
    }

    fn is_within_limits(&self) -> bool {
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
    use super::to_strict_schema;
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
            to_strict_schema(&schema).unwrap(),
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
        let part =
            |schema: serde_json::Value| to_strict_schema(&json!({ "type": "object", "properties": { "a": schema } }));
        assert!(part(json!({ "type": "string" })).is_some());
        assert!(part(json!({})).is_none(), "anything");
        assert!(part(json!({ "type": "array" })).is_none(), "a list of anything");
        assert!(part(json!({ "type": "object", "additionalProperties": { "type": "string" } })).is_none(), "any name");
        assert!(
            to_strict_schema(&json!({ "anyOf": [{ "type": "object", "properties": {} }] })).is_none(),
            "the root is a choice"
        );
        assert!(to_strict_schema(&json!({ "type": "string" })).is_none(), "the root is no object");
    }

    #[test]
    fn a_schema_beyond_the_published_limits_is_left_to_the_lenient_form() {
        let names = |count: usize, length: usize| {
            let names: Vec<String> = (0..count).map(|n| format!("{n:0length$}")).collect();
            to_strict_schema(&json!({ "type": "object", "properties": { "a": { "enum": names } } }))
        };
        assert!(names(250, 100).is_some());
        assert!(names(251, 60).is_none(), "a long choice of long names");
        assert!(names(1_000, 10).is_some());
        assert!(names(1_001, 4).is_none());
        let nested = |levels: usize| {
            let inner = json!({ "type": "string" });
            to_strict_schema(
                &(0..levels).fold(inner, |inner, _| json!({ "type": "object", "properties": { "a": inner } })),
            )
        };
        assert!(nested(10).is_some());
        assert!(nested(11).is_none());
    }
}
