//! Replies that name tables and columns, with or without views: their JSON Schema, restricted to the names of a chunk,
//! and parsing them.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use vitrine_catalog::Chunk;
use vitrine_domain::{Catalog, SchemaSelection};

/// Above this many columns the names are not listed in the reply's schema; the binder still checks them.
const LISTED_COLUMNS: usize = 400;

/// One view as the model wrote it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct WrittenView {
    /// The CTE's name.
    pub name: String,
    /// Its rationale.
    #[serde(default)]
    pub rationale: String,
    /// Its query.
    pub sql: String,
}

/// One table as the model selected it.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
pub struct WrittenTable {
    /// Its name.
    pub name: String,
    /// Its columns.
    #[serde(default)]
    pub columns: Vec<String>,
}

/// The whole reply: the JSON selection and the views.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
pub struct Written {
    /// Selected tables.
    #[serde(default)]
    pub tables: Vec<WrittenTable>,
    /// Views.
    #[serde(default)]
    pub views: Vec<WrittenView>,
}

/// Parses a reply about a chunk. Where the chunk shows a part of a table, only named columns are selected.
pub fn read(reply: &str, chunk: &Chunk) -> Result<Written, String> {
    let mut written: Written = vitrine_llm::parse_json(reply).map_err(|e| e.to_string())?;
    if chunk.columns.is_some() {
        written.tables.retain(|table| !table.columns.is_empty());
    }
    Ok(written)
}

impl Written {
    /// The selection as written, each name once.
    pub fn selection(&self) -> SchemaSelection {
        let mut selection = SchemaSelection::default();
        for table in &self.tables {
            selection.add(&table.name, None);
            for column in &table.columns {
                selection.add(&table.name, Some(column));
            }
        }
        selection
    }
}

/// The JSON Schema of a view written in SQL.
pub fn view_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": "^[a-z][a-z0-9_]{1,30}$"},
            "rationale": {"type": "string", "maxLength": 100},
            "sql": {"type": "string", "pattern": "^(SELECT|WITH) [^\\n\\r]{1,900}$"},
        },
        "required": ["name", "rationale", "sql"],
        "additionalProperties": false,
    })
}

/// The JSON Schema that restricts a reply to the chunk's own table and column names. When the chunk is the whole schema
/// (`whole`), the selection must not be empty: a small model otherwise takes the empty list as the easy way out.
pub fn views_schema(visible: &Catalog, whole: bool) -> Value {
    let least = u32::from(whole);
    json!({
        "type": "object",
        "properties": {
            "tables": tables_schema(visible, least, 8),
            "views": {"type": "array", "items": view_schema(), "minItems": least, "maxItems": 3},
        },
        "required": ["tables", "views"],
        "additionalProperties": false,
    })
}

/// A list of tables with columns, restricted to the names of `visible`.
pub fn tables_schema(visible: &Catalog, least: u32, most: u32) -> Value {
    let table = if visible.column_count() <= LISTED_COLUMNS {
        let tables: Vec<Value> = visible
            .tables
            .iter()
            .map(|t| {
                let columns: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
                table_schema(json!({"const": t.name.to_string()}), json!({"enum": columns}))
            })
            .collect();
        json!({"anyOf": tables})
    } else {
        let text = json!({"type": "string", "maxLength": 120});
        table_schema(text.clone(), text)
    };
    json!({"type": "array", "items": table, "minItems": least, "maxItems": most})
}

fn table_schema(name: Value, column: Value) -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": name,
            "columns": {"type": "array", "items": column, "maxItems": 12},
        },
        "required": ["name", "columns"],
        "additionalProperties": false,
    })
}
