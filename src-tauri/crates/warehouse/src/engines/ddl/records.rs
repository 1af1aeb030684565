//! JSON files that each describe one table: names, types, descriptions and sample rows of its columns.

use super::list;
use serde::Deserialize;
use vitrine_domain::{Column, Table};

#[derive(Deserialize)]
struct Record {
    table_name: Option<String>,
    table_fullname: Option<String>,
    #[serde(default)]
    column_names: Vec<String>,
    #[serde(default)]
    column_types: Vec<String>,
    #[serde(default)]
    description: Option<Description>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Description {
    Columns(Vec<Option<String>>),
    Table(String),
}

/// Parses the table that a file describes; returns an empty list for other JSON.
pub(super) fn parse_table_record(text: &str) -> Vec<Table> {
    let Ok(record) = serde_json::from_str::<Record>(text) else { return Vec::new() };
    let Some(name) = record.table_fullname.or(record.table_name) else { return Vec::new() };
    let mut table = list::table_without_columns(list::parse_name(&name));
    let comments = match record.description {
        Some(Description::Columns(comments)) => comments,
        Some(Description::Table(comment)) => {
            table.comment = Some(comment).filter(|comment| !comment.trim().is_empty());
            Vec::new()
        }
        None => Vec::new(),
    };
    let mut types = record.column_types.into_iter();
    let mut comments = comments.into_iter();
    table.columns = record
        .column_names
        .into_iter()
        .map(|name| Column {
            name,
            data_type: types.next().unwrap_or_default(),
            nullable: true,
            comment: comments.next().flatten().filter(|comment| !comment.trim().is_empty()),
        })
        .collect();
    vec![table]
}
