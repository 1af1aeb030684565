//! Example replies in prompts: each must match the schema of its request. Names belong to other databases, so only the
//! form is compared: required and unknown keys, types, and constants.

use crate::bench::Shop;
use crate::prompts::{asked_of, large};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use vitrine_domain::{ModelProfile, Reasoning};
use vitrine_llm::{OutputFormat, Request};

/// Enough columns that pruning is requested.
const COLUMNS: &str = "ALTER TABLE customer ADD COLUMN fax TEXT; ALTER TABLE customer ADD COLUMN car TEXT;
    ALTER TABLE customer ADD COLUMN hat TEXT; ALTER TABLE customer ADD COLUMN cat TEXT;
    UPDATE customer SET fax = 1, car = 2, hat = 3, cat = 4;";
/// Parts of names in the shop and in the actor's views.
const NAMES: [&str; 4] = ["customer", "purchase", "country", "counted"];

/// A JSON object in a text, with the key before its colon, if the line contains nothing else before it.
struct Example {
    key: String,
    value: Value,
}

/// Returns the top-level JSON objects of a text.
fn examples(text: &str) -> Vec<Example> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(open) = text[at..].find('{') {
        let start = at + open;
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        at = start + 1;
        if let Some(Ok(value @ Value::Object(_))) = values.next() {
            let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
            let before = text[line..start].trim();
            let key = before.strip_suffix(':').filter(|key| !key.contains(' ')).unwrap_or_default();
            at = start + values.byte_offset();
            // A remark behind an example may name a part of it.
            if !before.contains(" # ") {
                found.push(Example { key: key.to_owned(), value });
            }
        }
    }
    found
}

/// A schema and what it refers to.
#[derive(Clone, Copy)]
struct Form<'s> {
    schema: &'s Value,
    definitions: &'s Value,
}

impl<'s> Form<'s> {
    fn with(self, schema: &'s Value) -> Self {
        Self { schema, ..self }
    }

    /// Returns the part of a value that does not match the schema.
    fn fault(self, value: &Value) -> Option<String> {
        let schema = self.schema;
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.with(&self.definitions[name]).fault(value);
        }
        if let Some(choices) = schema["anyOf"].as_array() {
            let faults: Vec<Option<String>> = choices.iter().map(|choice| self.with(choice).fault(value)).collect();
            return if faults.contains(&None) { None } else { faults.into_iter().flatten().next() };
        }
        if let Some(words) = schema["enum"].as_array() {
            let of_database = words.iter().any(|word| NAMES.iter().any(|name| word.to_string().contains(name)));
            return (!of_database && !words.contains(value)).then(|| format!("{value} is none of {words:?}"));
        }
        let fits = match schema["type"].as_str() {
            Some("object") => {
                let Some(value) = value.as_object() else { return Some(format!("{value} is no object")) };
                return self.of_object(value);
            }
            Some("array") => {
                let Some(items) = value.as_array() else { return Some(format!("{value} is no list")) };
                return items.iter().find_map(|item| self.with(&schema["items"]).fault(item));
            }
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64(),
            Some("number") => value.is_number(),
            Some("boolean") => value.is_boolean(),
            // A name from the database.
            _ => schema.get("const").is_some(),
        };
        (!fits).then(|| format!("{value} is not of {schema}"))
    }

    fn of_object(self, value: &Map<String, Value>) -> Option<String> {
        let properties = self.schema["properties"].as_object().expect("properties");
        let required = self.schema["required"].as_array().expect("required");
        let lacks = required.iter().filter_map(Value::as_str).find(|key| !value.contains_key(*key));
        let unknown = value.keys().find(|key| !properties.contains_key(*key));
        lacks
            .map(|key| format!("{key} is missing"))
            .or_else(|| unknown.map(|key| format!("{key} is unknown")))
            .or_else(|| value.iter().find_map(|(key, value)| self.with(&properties[key]).fault(value)))
    }

    /// Returns the schema of a list's items, or of the property itself.
    fn of_property(self, name: &str) -> Option<Self> {
        let property = self.schema["properties"].get(name)?;
        Some(self.with(property.get("items").unwrap_or(property)))
    }
}

/// Returns the mismatch of an example in a prompt: a whole reply, one of its items, or a named part of an item.
fn fault(form: Form<'_>, example: &Example) -> Option<String> {
    let properties = form.schema["properties"].as_object().expect("properties");
    let items: Vec<Form<'_>> = properties.keys().filter_map(|name| form.of_property(name)).collect();
    if example.key == "V" {
        return form.with(&form.definitions["value"]).fault(&example.value);
    }
    if let Some(part) = items.iter().find_map(|item| item.schema.get("properties").and(item.of_property(&example.key)))
    {
        return part.fault(&example.value);
    }
    let whole = form.fault(&example.value)?;
    let is_item = |item: &&Form<'_>| item.schema["type"] == "object" && item.fault(&example.value).is_none();
    let item = items.iter().find(is_item).is_some();
    (!item).then_some(whole)
}

/// Counts the examples for each reply's name and asserts that every one matches.
fn counted(requests: &[Request]) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for request in requests {
        let OutputFormat::JsonSchema { name, schema } = &request.output else { continue };
        let form = Form { schema, definitions: &schema["$defs"] };
        let told = request.turns.iter().map(|(_, told)| told).chain([&request.tail]);
        for example in told.flat_map(|text| examples(text)) {
            let fault = fault(form, &example);
            assert_eq!(fault, None, "{name}: {}\n{}", example.value, request.tail);
            *counted.entry(name.clone()).or_default() += 1;
        }
    }
    counted
}

#[tokio::test]
async fn every_example_of_a_reply_fits_what_the_reply_is_held_to() {
    let shop = Shop::with(COLUMNS);
    let aloud = asked_of(&shop, large()).await;
    let found = counted(&aloud);
    let shown =
        ["exclude", "fetch_plan", "plan", "probes", "rewritten_question", "tables", "verdict", "views", "examples"];
    for name in shown {
        assert!(found.get(name).is_some_and(|count| *count > 0), "{name} has no example: {found:?}");
    }
    // The output format of the query is described once, regardless of the rest of the prompt.
    let first = aloud.iter().filter(|request| request.output == OutputFormat::Text && request.turns.is_empty());
    for request in first.filter(|request| request.tail.contains("```sql")) {
        assert_eq!(request.tail.matches("in one ```sql block").count(), 1, "{}", request.tail);
    }
    // A field for reasoning is mentioned only if the schema has one.
    let speaks = |request: &Request| request.tail.contains("thinking");
    for request in &aloud {
        let OutputFormat::JsonSchema { name, schema } = &request.output else { continue };
        assert!(schema["properties"].get("thinking").is_some() && speaks(request), "{name}: {}", request.tail);
    }
    let hidden = asked_of(&shop, ModelProfile { reasoning: Reasoning::Hidden, ..large() }).await;
    assert_eq!(counted(&hidden).keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for request in &hidden {
        let is_json = matches!(request.output, OutputFormat::JsonSchema { .. });
        assert!(!is_json || !speaks(request), "{}", request.tail);
    }
}

#[test]
fn an_example_that_does_not_fit_is_found() {
    let schema = serde_json::json!({"type": "object", "additionalProperties": false, "required": ["thinking", "sql"],
        "properties": {"thinking": {"type": "string"}, "sql": {"type": "string"}}});
    let form = Form { schema: &schema, definitions: &Value::Null };
    let of = |text: &str| examples(text).iter().map(|example| fault(form, example)).collect::<Vec<_>>();
    assert_eq!(of(r#"so: {"thinking": "a {", "sql": "b"} and {not json}"#), [None]);
    assert_eq!(of(r#"{"sql": "b"}"#), [Some("thinking is missing".to_owned())]);
    assert_eq!(of(r#"{"thinking": "a", "sql": "b", "nearest": []}"#), [Some("nearest is unknown".to_owned())]);
    assert!(of(r#"{"thinking": "a", "sql": 3}"#)[0].is_some());
}
