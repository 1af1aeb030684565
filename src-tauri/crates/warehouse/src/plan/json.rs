//! Values of a JSON plan, which comes from the engine and may have any content.

use serde_json::{Map, Value};

/// Maximum length of a line in characters.
const LONGEST: usize = 2_000;

/// Parses a number, which some engines write as text.
pub(super) fn parse_number(value: Option<&Value>) -> Option<f64> {
    let found = match value? {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().trim_start_matches('~').parse().ok(),
        _ => None,
    };
    found.filter(|number| number.is_finite() && *number >= 0.0)
}

/// Returns a text, truncated if it is very long.
pub(super) fn parse_text(value: Option<&Value>) -> Option<String> {
    value?.as_str().map(str::trim).filter(|text| !text.is_empty()).map(truncate_text)
}

/// Formats a line like `Sort Key: a, b`; returns `None` for empty and nested values.
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

/// Formats these members as lines in this order.
pub(super) fn format_details(of: &Map<String, Value>, names: &[&str]) -> Vec<String> {
    names.iter().filter_map(|name| format_detail(name, of.get(*name)?)).collect()
}

/// Replaces underscores: `HASH_JOIN` becomes `HASH JOIN`.
pub(super) fn replace_underscores(name: &str) -> String {
    truncate_text(name.replace('_', " ").trim())
}

fn truncate_text(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
