//! Replies that name tables and columns, with or without views: their JSON Schema, restricted to the names of a chunk, and their parser.

use crate::prompt::reply::{ReplyFormat, object_schema};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use vitrine_catalog::Chunk;
use vitrine_domain::{Catalog, SchemaSelection};
use vitrine_llm::OutputFormat;

/// With more columns than this, the reply's schema does not list the names; the binder still checks them.
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
pub struct SchemaReply {
    /// Selected tables.
    #[serde(default)]
    pub tables: Vec<WrittenTable>,
    /// Views.
    #[serde(default)]
    pub views: Vec<WrittenView>,
}

impl SchemaReply {
    /// Returns the reason for a view: of the view with that name, or of the one with the longest name that is a prefix of it, because
    /// renaming appends a suffix.
    pub fn rationale(&self, name: &str) -> &str {
        let begun = self.views.iter().filter(|view| !view.name.is_empty() && name.starts_with(&view.name));
        begun.max_by_key(|view| view.name.len()).map_or("", |view| view.rationale.trim())
    }
}

/// Parses a reply about a chunk. If the chunk shows a part of a table, only named columns are selected.
pub fn parse_reply(reply: &str, chunk: &Chunk) -> Result<SchemaReply, String> {
    let mut written: SchemaReply = vitrine_llm::parse_json(reply).map_err(|e| e.to_string())?;
    if chunk.columns.is_some() {
        written.tables.retain(|table| !table.columns.is_empty());
    }
    Ok(written)
}

impl SchemaReply {
    /// Returns the selection as written, without duplicate names.
    pub fn to_selection(&self) -> SchemaSelection {
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

/// Returns the JSON Schema of a view written in SQL.
pub fn view_schema(format: ReplyFormat<'_>) -> Value {
    let name = match format.0.deliberates {
        true => format.text_schema(0),
        false => json!({"type": "string", "pattern": "^[a-z][a-z0-9_]{1,30}$"}),
    };
    object_schema(json!({ "name": name, "rationale": format.text_schema(100), "sql": format.query_schema(900) }))
}

/// Returns the format of a reply with a selection and views, restricted to the table and column names of the chunk. If the chunk is the
/// whole schema (`whole`), a small model's selection must not be empty, because it otherwise tends to return an empty list.
pub fn views_format(format: ReplyFormat<'_>, visible: &Catalog, whole: bool) -> OutputFormat {
    let least = usize::from(whole);
    format.reply_schema(
        "views",
        json!({
            "tables": tables_schema(format, visible, least, 8),
            "views": format.list_from(view_schema(format), least, 3),
        }),
    )
}

/// Returns the schema of a list of tables with columns, restricted to the names of `visible`.
pub fn tables_schema(format: ReplyFormat<'_>, visible: &Catalog, least: usize, most: usize) -> Value {
    let table =
        |name: Value, column: Value| object_schema(json!({ "name": name, "columns": format.list_schema(column, 12) }));
    let table = if visible.column_count() <= LISTED_COLUMNS {
        let tables: Vec<Value> = visible
            .tables
            .iter()
            .map(|t| {
                let columns: Vec<&str> = t.columns.iter().map(|c| c.name.as_str()).collect();
                table(json!({"const": t.name.to_string()}), json!({"enum": columns}))
            })
            .collect();
        json!({"anyOf": tables})
    } else {
        table(format.text_schema(120), format.text_schema(120))
    };
    format.list_from(table, least, most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_view_keeps_its_own_rationale() {
        let view =
            |name: &str| WrittenView { name: name.into(), rationale: format!(" why {name} "), sql: String::new() };
        let written = SchemaReply { views: ["", "city", "city_country"].map(view).into(), ..SchemaReply::default() };
        assert_eq!(written.rationale("city"), "why city");
        assert_eq!(written.rationale("city_country"), "why city_country");
        assert_eq!(written.rationale("city_2"), "why city", "a view that was renamed");
        assert_eq!(written.rationale("helper"), "", "a part of a view that has no name in the reply");
    }
}
