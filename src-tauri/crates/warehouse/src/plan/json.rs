//! Values of a plan that is JSON. It is the engine's text, and may be anything.

use serde_json::{Map, Value};

/// Letters of a line at most.
const LONGEST: usize = 2_000;

/// A number, which some engines write as text.
pub(super) fn parse_number(value: Option<&Value>) -> Option<f64> {
    let found = match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_start_matches('~').parse().ok(),
        _ => None,
    };
    found.filter(|number| number.is_finite() && *number >= 0.0)
}

/// A text, cut where it is very long.
pub(super) fn parse_text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(truncate_text)
}

/// `Sort Key: a, b`; `None` of what is empty or has parts of its own.
pub(super) fn format_detail(name: &str, value: &Value) -> Option<String> {
    let said = match value {
        Value::String(text) => text.trim().replace('\n', ", "),
        Value::Number(number) => number.to_string(),
        Value::Bool(true) => return Some(truncate_text(name)),
        Value::Array(parts) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
            parts?.join(", ")
        }
        _ => return None,
    };
    (!said.is_empty()).then(|| truncate_text(&format!("{name}: {said}")))
}

/// Lines of these members, in their order.
pub(super) fn format_details(of: &Map<String, Value>, names: &[&str]) -> Vec<String> {
    names.iter().filter_map(|name| format_detail(name, of.get(*name)?)).collect()
}

/// A name of a program as words: `HASH_JOIN` is `HASH JOIN`.
pub(super) fn replace_underscores(name: &str) -> String {
    truncate_text(name.replace('_', " ").trim())
}

fn truncate_text(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
