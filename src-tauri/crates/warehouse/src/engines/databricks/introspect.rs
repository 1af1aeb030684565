//! Reading tables, columns, keys and comments from `information_schema` (Unity Catalog), page by page: everything that
//! the login may see.

use super::errors::Failure;
use super::http::Http;
use super::statement::Rows;
use crate::definition::view_query;
use std::collections::HashMap;
use vitrine_domain::{Column, Dialect, ForeignKey, Table, TableKind, TableName};
use vitrine_sql::quote_identifier;

/// The dialect of the statements that read the catalog.
pub(super) const DIALECT: Dialect = Dialect::Databricks;

/// Initial number of rows per page. Databricks limits the bytes of a result, and the texts of views may be long.
pub(super) const PAGE: u64 = 20_000;

const TABLES: &str = "
    SELECT table_schema, table_name, table_type, comment, CAST(last_altered AS STRING)
      FROM {catalog}.information_schema.tables WHERE {of} ORDER BY table_schema, table_name";

const COLUMNS: &str = "
    SELECT table_schema, table_name, column_name, full_data_type, is_nullable, comment
      FROM {catalog}.information_schema.columns WHERE {of} ORDER BY table_schema, table_name, ordinal_position";

const VIEWS: &str = "
    SELECT table_schema, table_name, view_definition
      FROM {catalog}.information_schema.views WHERE {of} AND view_definition IS NOT NULL ORDER BY table_schema, table_name";

/// The columns of keys in their order; for a foreign key also the name of the key that it references.
const KEYS: &str = "
    SELECT c.table_schema, c.table_name, c.constraint_name, c.constraint_type, u.column_name,
           r.unique_constraint_schema, r.unique_constraint_name
      FROM {catalog}.information_schema.table_constraints AS c
      JOIN {catalog}.information_schema.key_column_usage AS u
        ON u.constraint_schema = c.constraint_schema AND u.constraint_name = c.constraint_name AND u.table_name = c.table_name
      LEFT JOIN {catalog}.information_schema.referential_constraints AS r
        ON r.constraint_schema = c.constraint_schema AND r.constraint_name = c.constraint_name
     WHERE c.{of} AND c.constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')
     ORDER BY c.table_schema, c.table_name, c.constraint_type DESC, c.constraint_name, u.ordinal_position";

/// A column of a key.
struct KeyColumn {
    table: (String, String),
    key: String,
    is_primary: bool,
    column: String,
    refers_to: Option<(String, String)>,
}

/// Reads all tables and views of the schema, or of all schemas, and a text that changes when they change.
pub(super) async fn read_catalog(http: &Http, page: u64) -> Result<(Vec<Table>, String), Failure> {
    let whole = http.warehouse.schema.is_none();
    let mut version = String::new();
    let (mut tables, mut places) = (Vec::<Table>::new(), HashMap::<(String, String), usize>::new());
    for row in query_all_pages(http, TABLES, page).await? {
        let mut next = cell_reader(row);
        let (schema, name, kind, comment, changed) = (next(), next(), next(), next(), next());
        version += &format!("{changed};");
        places.insert((schema.clone(), name.clone()), tables.len());
        tables.push(Table {
            name: TableName { catalog: None, schema: whole.then_some(schema), name },
            kind: if kind.contains("VIEW") { TableKind::View } else { TableKind::Table },
            comment: non_blank_comment(comment),
            row_count: None,
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        });
    }
    for row in query_all_pages(http, COLUMNS, page).await? {
        let mut next = cell_reader(row);
        let (place, name, data_type, nullable, comment) = ((next(), next()), next(), next(), next(), next());
        if let Some(&at) = places.get(&place) {
            let nullable = nullable != "NO";
            tables[at].columns.push(Column {
                name,
                data_type: data_type.to_uppercase(),
                nullable,
                comment: non_blank_comment(comment),
            });
        }
    }
    for row in query_all_pages(http, VIEWS, page).await? {
        let mut next = cell_reader(row);
        let (place, definition) = ((next(), next()), next());
        if let Some(&at) = places.get(&place) {
            tables[at].definition = view_query(&definition);
        }
    }
    let keys: Vec<KeyColumn> = query_all_pages(http, KEYS, page).await?.into_iter().map(key_column).collect();
    add_keys(&mut tables, &places, &keys);
    tables.retain(|table| !table.columns.is_empty());
    Ok((tables, version))
}

/// Returns all rows of an internal query, page by page. A page with too many bytes is requested again with half of its
/// rows.
async fn query_all_pages(http: &Http, question: &str, mut page: u64) -> Result<Rows, Failure> {
    let text = |name: &str| format!("'{}'", name.replace('\\', "\\\\").replace('\'', "''"));
    let of = match &http.warehouse.schema {
        Some(schema) => format!("table_schema = {}", text(schema)),
        None => "table_schema <> 'information_schema'".to_owned(),
    };
    let catalog = quote_identifier(&http.warehouse.catalog, DIALECT);
    let question = question.replace("{of}", &of).replace("{catalog}", &catalog);
    let mut rows = Rows::new();
    loop {
        let more = match http.query_rows(&format!("{question} LIMIT {page} OFFSET {}", rows.len())).await {
            Err(Failure::Answer(error)) if error.is_too_large() && page > 1 => {
                page /= 2;
                continue;
            }
            more => more?,
        };
        let last = (more.len() as u64) < page;
        rows.extend(more);
        if last {
            return Ok(rows);
        }
    }
}

fn cell_reader(row: Vec<Option<String>>) -> impl FnMut() -> String {
    let mut cells = row.into_iter().map(Option::unwrap_or_default);
    move || cells.next().unwrap_or_default()
}

fn non_blank_comment(comment: String) -> Option<String> {
    Some(comment).filter(|comment| !comment.trim().is_empty())
}

fn key_column(row: Vec<Option<String>>) -> KeyColumn {
    let mut next = cell_reader(row);
    let (table, key, kind, column) = ((next(), next()), next(), next(), next());
    let refers_to = Some((next(), next())).filter(|(_, name)| !name.is_empty());
    KeyColumn { table, key, is_primary: kind == "PRIMARY KEY", column, refers_to }
}

/// Adds the keys to the tables. The primary keys of all tables are added before any foreign key is resolved.
fn add_keys(tables: &mut [Table], places: &HashMap<(String, String), usize>, keys: &[KeyColumn]) {
    let mut primary = HashMap::<(&str, &str), usize>::new();
    for part in keys.iter().filter(|part| part.is_primary) {
        if let Some(&at) = places.get(&part.table) {
            tables[at].primary_key.push(part.column.clone());
            primary.insert((&part.table.0, &part.key), at);
        }
    }
    let foreign: Vec<&KeyColumn> = keys.iter().filter(|part| !part.is_primary).collect();
    for of_key in foreign.chunk_by(|a, b| a.table == b.table && a.key == b.key) {
        let Some((schema, name)) = of_key.first().and_then(|part| part.refers_to.as_ref()) else { continue };
        let (Some(&at), Some(&target)) = (places.get(&of_key[0].table), primary.get(&(schema.as_str(), name.as_str())))
        else {
            continue;
        };
        let ref_columns = tables[target].primary_key.clone();
        if ref_columns.len() == of_key.len() {
            let columns = of_key.iter().map(|part| part.column.clone()).collect();
            let ref_table = tables[target].name.clone();
            tables[at].foreign_keys.push(ForeignKey { columns, ref_table, ref_columns });
        }
    }
}
