//! Fields of tables and results, as BigQuery describes them.

use serde::Deserialize;
use serde_json::Value;
use std::fmt::Write;

/// A field of a table, a result or a STRUCT.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Field {
    #[serde(default)]
    pub name: String,
    /// The name of the type, either the legacy or the GoogleSQL name.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub mode: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    /// The fields of a STRUCT.
    #[serde(default)]
    pub fields: Vec<Field>,
    #[serde(default)]
    pub(super) precision: Option<String>,
    #[serde(default)]
    pub(super) scale: Option<String>,
    #[serde(default)]
    pub(super) max_length: Option<String>,
    /// Number of fractional digits of a TIMESTAMP, if there are more than 6.
    #[serde(default)]
    pub timestamp_precision: Option<Value>,
    #[serde(default)]
    pub(super) range_element_type: Option<Box<Element>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub(super) struct Element {
    #[serde(rename = "type")]
    kind: String,
}

impl Field {
    /// Parses the fields of a schema.
    pub fn parse_schema(schema: &Value) -> Option<Vec<Self>> {
        schema.get("fields").map_or(Some(Vec::new()), |fields| serde_json::from_value(fields.clone()).ok())
    }

    pub fn is_repeated(&self) -> bool {
        self.mode.as_deref() == Some("REPEATED")
    }

    pub fn is_required(&self) -> bool {
        self.mode.as_deref() == Some("REQUIRED")
    }

    /// Returns the GoogleSQL name of the type.
    pub fn base_type(&self) -> &str {
        match self.kind.as_str() {
            "INTEGER" => "INT64",
            "FLOAT" => "FLOAT64",
            "BOOLEAN" => "BOOL",
            "RECORD" => "STRUCT",
            other => other,
        }
    }

    /// Returns the type as written in SQL, with the fields of a STRUCT.
    pub fn declared_type(&self) -> String {
        let mut text = String::new();
        self.write_type(&mut text);
        text
    }

    fn write_type(&self, out: &mut String) {
        if self.is_repeated() {
            out.push_str("ARRAY<");
        }
        out.push_str(self.base_type());
        match (&self.precision, &self.scale, &self.max_length, &self.range_element_type) {
            (Some(precision), Some(scale), ..) => drop(write!(out, "({precision},{scale})")),
            (Some(size), ..) | (_, _, Some(size), _) => drop(write!(out, "({size})")),
            (.., Some(element)) => drop(write!(out, "<{}>", element.kind)),
            _ => {}
        }
        if self.base_type() == "STRUCT" {
            out.push('<');
            for (at, field) in self.fields.iter().enumerate() {
                out.push_str(if at > 0 { ", " } else { "" });
                out.push_str(&field.name);
                out.push(' ');
                field.write_type(out);
            }
            out.push('>');
        }
        if self.is_repeated() {
            out.push('>');
        }
    }

    /// Returns true for a decimal that is declared without a fraction.
    pub fn is_whole(&self) -> bool {
        self.precision.is_some() && self.scale.is_none()
    }

    /// Returns the description of the field together with the descriptions of its parts.
    pub fn full_comment(&self) -> Option<String> {
        let mut lines = Vec::new();
        lines.extend(self.description.clone().filter(|text| !text.trim().is_empty()));
        for field in &self.fields {
            field.append_comments(&field.name, &mut lines);
        }
        (!lines.is_empty()).then(|| lines.join("; "))
    }

    fn append_comments(&self, path: &str, lines: &mut Vec<String>) {
        if let Some(text) = self.description.as_deref().filter(|text| !text.trim().is_empty()) {
            lines.push(format!("{path}: {text}"));
        }
        for field in &self.fields {
            field.append_comments(&format!("{path}.{}", field.name), lines);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn types_are_written_as_in_sql_and_parts_are_told() {
        let schema = serde_json::json!({"fields": [
            {"name": "id", "type": "INTEGER", "mode": "REQUIRED"},
            {"name": "price", "type": "NUMERIC", "precision": "10", "scale": "2"},
            {"name": "code", "type": "STRING", "maxLength": "3"},
            {"name": "during", "type": "RANGE", "rangeElementType": {"type": "DATE"}},
            {"name": "items", "type": "RECORD", "mode": "REPEATED", "description": "What was bought", "fields": [
                {"name": "sku", "type": "STRING", "description": "Stock number"},
                {"name": "tags", "type": "STRING", "mode": "REPEATED"}]}
        ]});
        let fields = Field::parse_schema(&schema).unwrap();
        let types: Vec<String> = fields.iter().map(Field::declared_type).collect();
        assert_eq!(
            types,
            ["INT64", "NUMERIC(10,2)", "STRING(3)", "RANGE<DATE>", "ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>"]
        );
        assert!(fields[0].is_required() && !fields[1].is_required());
        assert_eq!(fields[4].full_comment().as_deref(), Some("What was bought; sku: Stock number"));
    }
}
