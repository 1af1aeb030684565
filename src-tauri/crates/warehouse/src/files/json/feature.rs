//! GeoJSON: the properties of a feature become columns of its row.

use super::value::Value;
use std::borrow::Cow;

type Members<'t> = Vec<(Cow<'t, str>, Value<'t>)>;

/// Returns the members of a record as columns: for a feature, the properties between its id and its geometry.
pub(super) fn flatten_feature(mut members: Members<'_>) -> Members<'_> {
    let is_text = |value: &Value<'_>, text: &str| matches!(value, Value::Text(own) if own == text);
    let is_feature = members.iter().any(|(key, value)| key == "type" && is_text(value, "Feature"))
        && members.iter().any(|(key, _)| key == "geometry");
    let properties =
        members.iter().position(|(key, value)| key == "properties" && matches!(value, Value::Object(_) | Value::Null));
    let (true, Some(at)) = (is_feature, properties) else { return members };
    let (_, properties) = members.remove(at);
    members.retain(|(key, value)| !(key == "type" && is_text(value, "Feature")));
    if let Value::Object(properties) = properties {
        let own: Vec<String> = members.iter().map(|(key, _)| key.to_string()).collect();
        // The feature's own id comes first, the geometry, which is long, last.
        let first = members.iter().take_while(|(key, _)| key == "id").count();
        let named = properties.into_iter().map(|(key, value)| match own.iter().any(|taken| *taken == key) {
            true => (Cow::Owned(format!("properties_{key}")), value),
            false => (key, value),
        });
        drop(members.splice(first..first, named));
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::json::value::Parser;

    fn row_keys(text: &str) -> Vec<String> {
        let Ok(Value::Object(members)) = Parser::new(text).parse_document() else { panic!("an object") };
        flatten_feature(members).into_iter().map(|(key, _)| key.into_owned()).collect()
    }

    #[test]
    fn properties_stand_beside_the_geometry() {
        let feature = r#"{"type":"Feature","id":1,"geometry":null,"properties":{"name":"x","id":2}}"#;
        assert_eq!(row_keys(feature), ["id", "name", "properties_id", "geometry"]);
        assert_eq!(row_keys(r#"{"type":"Feature","geometry":null,"properties":null}"#), ["geometry"]);
        for other in [r#"{"type":"Feature","properties":{"a":1}}"#, r#"{"type":"x","geometry":1,"properties":{"a":1}}"#]
        {
            assert!(row_keys(other).contains(&"properties".to_owned()), "{other}");
        }
    }
}
