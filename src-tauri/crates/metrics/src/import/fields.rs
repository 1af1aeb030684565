//! Access to properties of imported files.

use crate::grain::{Grain, Span};
use regex::Regex;
use serde_json::{Map, Value};
use std::sync::LazyLock;

/// An object of an imported file.
pub(crate) type Object = Map<String, Value>;

/// Returns a text, or a number or boolean as text. Empty texts are absent.
pub(crate) fn get_text(object: &Object, key: &str) -> Option<String> {
    let text = match object.get(key)? {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Bool(value) => value.to_string(),
        _ => return None,
    };
    (!text.is_empty()).then_some(text)
}

/// Returns an object.
pub(crate) fn get_object<'v>(object: &'v Object, key: &str) -> Option<&'v Object> {
    object.get(key).and_then(Value::as_object)
}

/// Returns the objects of a list; empty if there is none.
pub(crate) fn get_objects<'v>(object: &'v Object, key: &str) -> Vec<&'v Object> {
    object.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_object).collect()
}

/// Returns the texts of a list, or a single text.
pub(crate) fn get_texts(object: &Object, key: &str) -> Vec<String> {
    match object.get(key) {
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) => vec![text.clone()],
        _ => Vec::new(),
    }
}

/// Returns true if a property is `true`.
pub(crate) fn is_set(object: &Object, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool).unwrap_or(false)
}

/// Returns the conditions of a filter: a text, a list of texts, or MetricFlow's list of templates.
pub(crate) fn get_filters(object: &Object, key: &str) -> Vec<String> {
    let nested = get_object(object, key).map(|filter| {
        get_objects(filter, "where_filters").iter().filter_map(|one| get_text(one, "where_sql_template")).collect()
    });
    let filters: Vec<String> = nested.unwrap_or_else(|| get_texts(object, key));
    // Line ends and repeated spaces are kept: they end comments and are parts of literals.
    filters.iter().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

/// Returns a span, written as `7 days` or as its count and granularity. `Err` with the text if it is not supported.
pub(crate) fn get_span(object: &Object, key: &str) -> Result<Option<Span>, String> {
    let text = match object.get(key) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Object(span)) => {
            format!(
                "{} {}",
                get_text(span, "count").unwrap_or_default(),
                get_text(span, "granularity").unwrap_or_default()
            )
        }
        Some(other) => other.to_string(),
    };
    Span::parse(&text).map(Some).ok_or(text)
}

/// Returns a grain. `Err` with the text if it is not supported.
pub(crate) fn get_grain(object: &Object, key: &str) -> Result<Option<Grain>, String> {
    match get_text(object, key) {
        None => Ok(None),
        Some(text) => Grain::parse(&text).map(Some).ok_or(text),
    }
}

/// Returns the table that `ref('orders')` or `source('shop', 'orders')` refers to.
pub(crate) fn referenced_model(text: &str) -> String {
    static NAME: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#"['"]([^'"]+)['"]"#).expect("a valid pattern"));
    match NAME.captures_iter(text).last() {
        Some(name) => name[1].to_owned(),
        None => text.trim().to_owned(),
    }
}
