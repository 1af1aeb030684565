//! Parses a reply's text into typed data, and generates the JSON Schema of a type.
//!
//! A model constrained by a schema replies with pure JSON. Others wrap it in prose or a code fence, reason in the text
//! first, leave a comma before a closing bracket, or break a string over lines; all of this is repaired here.

use crate::LlmError;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Parses a reply as JSON of the requested type.
///
/// Visible reasoning is removed first ([`strip_reasoning`]). Candidates in order: the whole reply, then fenced blocks
/// and bracketed spans from the last to the first, objects before lists; each unchanged and then repaired. If the last
/// object is truncated, earlier drafts are not used. The error is written for a model that repairs its reply: it names
/// the path (`views[1].sql`) and the problem there.
pub fn parse_json<T: DeserializeOwned>(reply: &str) -> Result<T, LlmError> {
    let mut misfit: Option<String> = None;
    let mut malformed: Option<String> = None;
    for candidate in find_json_candidates(reply) {
        for text in [candidate.to_owned(), repair_json(candidate)] {
            match parse_reply::<T>(&text) {
                Ok(value) => return Ok(value),
                // Valid JSON of the wrong shape gives a better message than malformed text.
                Err(Problem::Misfit(message)) => match without_nulls(&text) {
                    Some(value) => return Ok(value),
                    None => misfit = misfit.or(Some(message)),
                },
                Err(Problem::Malformed(message)) => malformed = malformed.or(Some(message)),
            }
        }
    }
    let message = misfit.or(malformed).unwrap_or_else(|| "it holds no JSON".to_owned());
    Err(LlmError::BadReply { message, reply: reply.to_owned() })
}

enum Problem {
    Malformed(String),
    Misfit(String),
}

fn parse_reply<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    if !text.trim_start().starts_with(['{', '[', '"']) && serde_json::from_str::<Value>(text).is_err() {
        return Err(Problem::Malformed("it holds no JSON".to_owned()));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut reader).map_err(|error| {
        let path = error.path().to_string();
        let inner = error.into_inner();
        if !inner.is_data() {
            return Problem::Malformed(format!("it is not valid JSON: {inner}"));
        }
        // The position refers to an extracted text that is never shown; the path identifies the place.
        let said = inner.to_string();
        let said = said.split(" at line ").next().unwrap_or_default();
        Problem::Misfit(if path == "." { said.to_owned() } else { format!("at {path}: {said}") })
    })?;
    reader.end().map_err(|error| Problem::Malformed(format!("it is not valid JSON: {error}")))?;
    Ok(value)
}

/// Parses JSON again without its null properties, because a strict schema makes a model write every property.
fn without_nulls<T: DeserializeOwned>(text: &str) -> Option<T> {
    fn strip_nulls(value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(strip_nulls),
            Value::Object(object) => {
                object.retain(|_, value| !value.is_null());
                object.values_mut().for_each(strip_nulls);
            }
            _ => {}
        }
    }
    let mut value = serde_json::from_str(text).ok()?;
    strip_nulls(&mut value);
    serde_json::from_value(value).ok()
}

/// The tags around visible reasoning; Magistral writes brackets.
const THOUGHTS: [(&str, &str); 4] =
    [("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<reasoning>", "</reasoning>"), ("[think]", "[/think]")];

/// Checks if a reply contains visible reasoning. The opening tag may be missing, because the server may have written
/// it.
pub(crate) fn thinks_aloud(reply: &str) -> bool {
    let lower = reply.to_ascii_lowercase();
    THOUGHTS.iter().any(|(begin, end)| lower.contains(begin) || lower.contains(end))
}

/// Returns a reply without visible reasoning ([`THOUGHTS`]). Text after an unclosed opening tag is removed.
pub fn strip_reasoning(reply: &str) -> &str {
    let lower = reply.to_ascii_lowercase();
    let ends = THOUGHTS.iter().filter_map(|(_, end)| lower.rfind(end).map(|at| at + end.len()));
    let from = ends.max().unwrap_or(0);
    let rest = &lower[from..];
    // A column may be called `[think]`: an unclosed bracket tag is reasoning only at the start of the text.
    let is_name = |begin: &str, at: usize| begin.starts_with('[') && !rest[..at].trim().is_empty();
    let begins = THOUGHTS.iter().filter_map(|(begin, _)| rest.find(begin).filter(|at| !is_name(begin, *at)));
    let until = begins.min().map_or(reply.len(), |at| from + at);
    reply[from..until].trim()
}

/// Returns the parts of a reply that may be the JSON, best first.
fn find_json_candidates(reply: &str) -> Vec<&str> {
    let whole = reply.trim();
    // In a reply that is valid JSON, tags within strings are content.
    let said = if serde_json::from_str::<Value>(whole).is_ok() { whole } else { strip_reasoning(reply) };
    let (spans, open) = find_bracketed_spans(said);
    let mut found = vec![said];
    match open {
        Some(open) => found.push(open),
        None => {
            let place = |text: &str| text.as_ptr() as usize - said.as_ptr() as usize + text.len();
            let mut parts: Vec<&str> = find_fenced_blocks(said).into_iter().chain(spans).collect();
            parts.sort_by_key(|text| (text.starts_with('['), std::cmp::Reverse(place(text))));
            found.extend(parts);
        }
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|text| !text.is_empty() && seen.insert(*text));
    found
}

/// Returns the contents of ``` fences; the last one may be unclosed.
fn find_fenced_blocks(text: &str) -> Vec<&str> {
    let mut blocks = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("```") {
        // The rest of the opening line names the language.
        let body = match after.split_once('\n') {
            Some((language, body)) if language.trim().chars().all(|c| c.is_alphanumeric() || "-+_".contains(c)) => body,
            _ => after.strip_prefix("json").unwrap_or(after),
        };
        match body.split_once("```") {
            Some((inside, next)) => {
                blocks.push(inside.trim());
                rest = next;
            }
            None => {
                blocks.push(body.trim());
                break;
            }
        }
    }
    blocks
}

/// Returns the outermost `{...}` and `[...]` spans, ignoring brackets within strings, and separately the last object if
/// it is unclosed: its inner spans are not replies.
fn find_bracketed_spans(text: &str) -> (Vec<&str>, Option<&str>) {
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'{' | b'[') {
            if let Some(end) = span_end(bytes, at) {
                spans.push(&text[at..end]);
                at = end;
                continue;
            }
            if text[at..].strip_prefix('{').is_some_and(|rest| rest.trim_start().starts_with('"')) {
                let open = text[at..].trim_end().trim_end_matches("```").trim_end();
                return (spans, Some(open));
            }
        }
        at += 1;
    }
    (spans, None)
}

/// Returns the end of the span that opens at `start`; `None` if it is unclosed or has the wrong closing bracket.
fn span_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut open = Vec::new();
    let mut in_string = false;
    let mut at = start;
    while at < bytes.len() {
        match (in_string, bytes[at]) {
            (true, b'\\') => at += 1,
            (_, b'"') => in_string = !in_string,
            (false, b'{') => open.push(b'}'),
            (false, b'[') => open.push(b']'),
            (false, close @ (b'}' | b']')) => {
                if open.pop() != Some(close) {
                    return None;
                }
                if open.is_empty() {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Drops commas before a closing bracket and escapes line breaks and tabs within strings.
fn repair_json(text: &str) -> String {
    let mut repaired = String::with_capacity(text.len());
    let mut in_string = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (in_string, c) {
            (true, '\\') => {
                repaired.push(c);
                repaired.extend(chars.next());
            }
            (_, '"') => {
                in_string = !in_string;
                repaired.push(c);
            }
            (true, '\n') => repaired.push_str("\\n"),
            (true, '\r') => repaired.push_str("\\r"),
            (true, '\t') => repaired.push_str("\\t"),
            (false, ',') => {
                let mut space = String::new();
                while let Some(blank) = chars.next_if(|next| next.is_whitespace()) {
                    space.push(blank);
                }
                if !matches!(chars.peek(), Some('}' | ']') | None) {
                    repaired.push(',');
                }
                repaired.push_str(&space);
            }
            _ => repaired.push(c),
        }
    }
    repaired
}

/// Generates the JSON Schema of a type in the form that strict providers and grammars require: inlined sub-schemas
/// (except in recursive types), every property required, no additional ones, in the order of the Rust fields.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    tighten_schema(&mut schema);
    schema
}

fn tighten_schema(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(tighten_schema),
        Value::Object(object) => {
            // Titles repeat the Rust type's name; providers do not know formats such as `uint32`.
            for key in ["$schema", "title", "default", "format"] {
                if !object.get(key).is_some_and(Value::is_object) {
                    object.remove(key);
                }
            }
            if let Some(choices) = object.remove("oneOf") {
                // Strict providers support only `anyOf`; a choice between constants is an enumeration.
                match collect_constants(&choices) {
                    Some(values) => object.insert("enum".to_owned(), values),
                    None => object.insert("anyOf".to_owned(), choices),
                };
            }
            if let Some(Value::Object(properties)) = object.get("properties") {
                let names: Vec<Value> = properties.keys().map(|name| name.as_str().into()).collect();
                object.insert("required".to_owned(), Value::Array(names));
                object.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            for (key, value) in object.iter_mut() {
                match key.as_str() {
                    // The keys below these are property names, not keywords.
                    "properties" | "$defs" => for_each_value(value, tighten_schema),
                    "enum" | "const" | "required" => {}
                    _ => tighten_schema(value),
                }
            }
        }
        _ => {}
    }
}

fn for_each_value(value: &mut Value, change: fn(&mut Value)) {
    if let Value::Object(map) = value {
        map.values_mut().for_each(change);
    }
}

fn collect_constants(choices: &Value) -> Option<Value> {
    let only_const = |choice: &Map<String, Value>| {
        choice
            .keys()
            .all(|key| ["const", "type", "description"].contains(&key.as_str()))
            .then(|| choice.get("const").cloned())
    };
    choices
        .as_array()?
        .iter()
        .map(|choice| only_const(choice.as_object()?)?)
        .collect::<Option<Vec<_>>>()
        .map(Value::Array)
}

#[cfg(test)]
mod tests {
    use super::{strip_reasoning, thinks_aloud};

    #[test]
    fn thoughts_in_brackets_are_left_out_and_names_in_brackets_are_not() {
        for (reply, wanted) in [
            ("[THINK]Perhaps SELECT 1[/THINK]SELECT 2", "SELECT 2"),
            ("so it is SELECT 1[/THINK]\nSELECT 2", "SELECT 2"),
            ("[THINK]Perhaps SELECT 1", ""),
            ("SELECT [think] FROM t", "SELECT [think] FROM t"),
        ] {
            assert_eq!(strip_reasoning(reply), wanted);
        }
        assert!(thinks_aloud("[THINK]17 * 23[/THINK]391") && !thinks_aloud("391"));
    }
}
