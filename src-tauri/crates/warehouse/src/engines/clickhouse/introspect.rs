//! Reading tables, columns and comments: everything that the login may read, without system tables.

use super::column::strip_type_wrappers;
use super::http::{Failure, Http};
use super::settings::Settings;
use crate::definition::view_query;
use std::collections::HashMap;
use vitrine_domain::{Column, OwnFunction, Table, TableKind, TableName};

/// The condition for all databases except the system databases.
const OF_ALL: &str = "database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')";
/// Table engines whose rows are removed when they are read.
const QUEUES: &str = "'Kafka', 'RabbitMQ', 'NATS', 'FileLog', 'S3Queue', 'AzureQueue'";

const TABLES: &str = "
    SELECT database, name, engine, comment, toString(total_rows), sorting_key, partition_key, as_select,
           concat(toString(metadata_modification_time), ' ', toString(total_rows), ' ', toString(total_bytes))
      FROM system.tables
     WHERE {of} AND NOT is_temporary AND engine NOT IN ({queues}) AND NOT startsWith(name, '.inner')
     ORDER BY database, name";

const COLUMNS: &str = "
    SELECT database, table, name, type, comment
      FROM system.columns
     WHERE {of} AND default_kind <> 'EPHEMERAL'
     ORDER BY database, table, position";

/// User-defined functions of the server.
const FUNCTIONS: &str = "SELECT DISTINCT lower(name) FROM system.functions WHERE origin <> 'System' ORDER BY 1";

/// Reads all tables and views of a database, or of all databases if `database` is empty, and a text that changes when
/// rows change.
pub(super) async fn read_catalog(
    http: &Http,
    settings: (&Settings, u64),
    database: &str,
) -> Result<(Vec<Table>, String), Failure> {
    let of = match database {
        "" => OF_ALL.to_owned(),
        name => format!("database = {}", quote_literal(name)),
    };
    let asked = async |question: &str| {
        http.query_rows(&question.replace("{of}", &of).replace("{queues}", QUEUES), Some(settings)).await
    };
    let mut version = String::new();
    let (mut tables, mut places) = (Vec::<Table>::new(), HashMap::<(String, String), usize>::new());
    for row in asked(TABLES).await? {
        let mut cells = row.into_iter().map(Option::unwrap_or_default);
        let mut next = || cells.next().unwrap_or_default();
        let (schema, name, engine, comment, rows) = (next(), next(), next(), next(), next());
        let (sorted, parted, definition, changed) = (next(), next(), next(), next());
        version += &format!("{changed};");
        places.insert((schema.clone(), name.clone()), tables.len());
        let is_view = engine.ends_with("View");
        tables.push(Table {
            name: TableName { catalog: None, schema: database.is_empty().then_some(schema), name },
            kind: if is_view { TableKind::View } else { TableKind::Table },
            comment: build_comment(&comment, &engine, &sorted, &parted),
            row_count: rows.parse().ok().filter(|_| !is_view),
            columns: Vec::new(),
            // A primary key of ClickHouse sorts rows and is not unique.
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: if engine == "View" { view_query(&definition) } else { None },
        });
    }
    for row in asked(COLUMNS).await? {
        let mut cells = row.into_iter().map(Option::unwrap_or_default);
        let mut next = || cells.next().unwrap_or_default();
        let (place, name, declared, comment) = ((next(), next()), next(), next(), next());
        if let Some(&at) = places.get(&place) {
            let (data_type, nullable) = strip_type_wrappers(&declared);
            let comment = Some(comment).filter(|comment| !comment.trim().is_empty());
            tables[at].columns.push(Column { name, data_type: data_type.to_owned(), nullable, comment });
        }
    }
    tables.retain(|table| !table.columns.is_empty());
    Ok((tables, version))
}

/// Quotes a text as a literal.
pub(super) fn quote_literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Reads the user-defined functions, which a query could call in the belief that they are built in.
pub(super) async fn own_functions(http: &Http, settings: (&Settings, u64)) -> Result<Vec<OwnFunction>, Failure> {
    let rows = http.query_rows(FUNCTIONS, Some(settings)).await?;
    let names = rows.into_iter().filter_map(|row| row.into_iter().next()?);
    Ok(names.map(|name| OwnFunction { name, on_rows: false }).collect())
}

/// Builds the comment from the owner's comment and from what a query must know: sorting, partitioning, and the engines
/// that may contain duplicate rows.
fn build_comment(comment: &str, engine: &str, sorted: &str, parted: &str) -> Option<String> {
    let mut said: Vec<String> = Some(comment.trim().to_owned()).filter(|text| !text.is_empty()).into_iter().collect();
    if !sorted.is_empty() {
        said.push(format!("Sorted by {sorted}, which the engine does not keep unique."));
    }
    if !parted.is_empty() {
        said.push(format!("Partitioned by {parted}."));
    }
    let merged = ["Replacing", "Collapsing", "VersionedCollapsing", "Summing", "Aggregating", "Coalescing"];
    if engine.ends_with("MergeTree") && merged.iter().any(|kind| engine.contains(kind)) {
        said.push(format!("{engine}: rows with the same key are merged later, and may still stand several times."));
    }
    (!said.is_empty()).then(|| said.join(" "))
}

#[cfg(test)]
mod tests {
    use super::build_comment;

    #[test]
    fn a_comment_says_what_a_query_has_to_know() {
        assert_eq!(build_comment("", "Memory", "", ""), None);
        assert_eq!(
            build_comment("Orders.", "MergeTree", "day, id", "toYYYYMM(day)").as_deref(),
            Some("Orders. Sorted by day, id, which the engine does not keep unique. Partitioned by toYYYYMM(day).")
        );
        assert!(build_comment("", "SharedReplacingMergeTree", "id", "").unwrap().contains("several times"));
    }
}
