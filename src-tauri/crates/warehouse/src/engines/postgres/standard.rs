//! Tables, columns and keys of servers that list them according to the SQL standard: Redshift, CockroachDB.

use super::family::Listing;
use super::introspect::{Read, non_blank_comment};
use std::collections::{HashMap, HashSet};
use tokio_postgres::{Client, Error};
use vitrine_domain::{Column, ForeignKey, OwnFunction, Table, TableKind, TableName};

/// Keys with one row per column. A foreign key includes the name of the key that it references.
const KEYS: &str = "
    SELECT t.constraint_schema::text, t.constraint_name::text, t.constraint_type::text,
           k.table_schema::text, k.table_name::text, k.column_name::text,
           r.unique_constraint_schema::text, r.unique_constraint_name::text
      FROM information_schema.table_constraints t
      JOIN information_schema.key_column_usage k
        ON k.constraint_schema = t.constraint_schema AND k.constraint_name = t.constraint_name
       AND k.table_schema = t.table_schema AND k.table_name = t.table_name
      LEFT JOIN information_schema.referential_constraints r
        ON r.constraint_schema = t.constraint_schema AND r.constraint_name = t.constraint_name
     WHERE t.constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     ORDER BY t.constraint_schema, t.constraint_name, k.table_schema, k.table_name, k.ordinal_position";

/// User-defined functions: a query may call one only if it was allowed.
const FUNCTIONS: &str = "
    SELECT DISTINCT lower(p.proname::text)
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname NOT IN ('information_schema', 'crdb_internal') AND n.nspname NOT LIKE 'pg@_%' ESCAPE '@'
     ORDER BY 1";

/// The schema and the name of a table.
type TableId = (String, String);

/// A key constraint of a table.
struct Key {
    schema: String,
    name: String,
    kind: String,
    table: TableId,
    columns: Vec<String>,
    refers_to: Option<(String, String)>,
}

/// The key that a foreign key references.
struct ReferencedKey {
    table: TableId,
    columns: Vec<String>,
}

/// Reads the catalog with the tables and views of `schemas`, or of all schemas if it is empty.
pub(super) async fn read_catalog(client: &Client, listing: Listing, schemas: &[String]) -> Result<Read, Error> {
    let search_path = search_path(client).await?;
    let mut tables = named_tables(client, listing, schemas, &search_path).await?;
    let places: HashMap<TableId, usize> =
        tables.iter().enumerate().map(|(place, (key, _))| (key.clone(), place)).collect();
    let columns = format!(
        "SELECT table_schema::text, table_name::text, column_name::text, is_nullable::text, data_type::text,
                character_maximum_length::int, numeric_precision::int, numeric_scale::int, ({remarks})::text
           FROM {columns} ORDER BY table_schema, table_name, ordinal_position",
        columns = listing.columns,
        remarks = listing.remarks,
    );
    for row in client.query(&columns, &[]).await? {
        let Some(&place) = places.get(&(row.try_get(0)?, row.try_get(1)?)) else { continue };
        let nullable: Option<String> = row.try_get(3)?;
        tables[place].1.columns.push(Column {
            name: row.try_get(2)?,
            nullable: nullable.as_deref() != Some("NO"),
            comment: non_blank_comment(row.try_get(8)?),
            data_type: format_data_type(row.try_get(4)?, row.try_get(5)?, (row.try_get(6)?, row.try_get(7)?)),
        });
    }
    for (key, target) in read_keys(client).await? {
        let Some(&place) = places.get(&key.table) else { continue };
        match (key.kind.as_str(), target) {
            ("PRIMARY KEY", _) => tables[place].1.primary_key = key.columns,
            ("UNIQUE", _) => tables[place].1.unique_keys.push(key.columns),
            // For keys of several columns, the server does not report which column references which.
            (_, Some(target)) if key.columns.len() == 1 && target.columns.len() == 1 => {
                let Some(&other) = places.get(&target.table) else { continue };
                let (ref_table, ref_columns) = (tables[other].1.name.clone(), target.columns);
                tables[place].1.foreign_keys.push(ForeignKey { columns: key.columns, ref_table, ref_columns });
            }
            _ => {}
        }
    }
    let functions = client.query(FUNCTIONS, &[]).await?;
    let own_functions = functions
        .iter()
        .map(|row| Ok(OwnFunction { name: row.try_get(0)?, on_rows: true }))
        .collect::<Result<_, Error>>()?;
    // The server does not report when rows change: everything read from them is valid for one day.
    let version = client.query_one("SELECT CURRENT_DATE::text", &[]).await?.try_get(0)?;
    let tables = tables.into_iter().map(|(_, table)| table).filter(|table| !table.columns.is_empty()).collect();
    Ok(Read { search_path, own_functions, tables, version })
}

/// Returns the schemas whose tables need no qualified name: `"$user", public` without the placeholder for the user.
async fn search_path(client: &Client) -> Result<Vec<String>, Error> {
    let path: String = client.query_one("SHOW search_path", &[]).await?.try_get(0)?;
    let names = path.split(',').map(|name| name.trim().trim_matches('"').to_owned());
    Ok(names.filter(|name| !name.is_empty() && name != "$user").collect())
}

/// Returns tables and views without their columns, with those in the search path first, each with its schema and name.
async fn named_tables(
    client: &Client,
    listing: Listing,
    schemas: &[String],
    search_path: &[String],
) -> Result<Vec<(TableId, Table)>, Error> {
    let sql = format!(
        "SELECT table_schema::text, table_name::text, table_type::text, ({remarks})::text FROM {tables}
          WHERE table_schema NOT IN ('information_schema', 'crdb_internal') AND table_schema NOT LIKE 'pg@_%' ESCAPE '@'
          ORDER BY 1, 2",
        tables = listing.tables,
        remarks = listing.remarks,
    );
    let place = |schema: &str| search_path.iter().position(|name| name == schema).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for row in client.query(&sql, &[]).await? {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        if !schemas.is_empty() && !schemas.contains(&schema) {
            continue;
        }
        let kind: Option<String> = row.try_get(2)?;
        let kind = if kind.is_some_and(|kind| kind.contains("VIEW")) { TableKind::View } else { TableKind::Table };
        found.push(((schema, name), kind, non_blank_comment(row.try_get(3)?)));
    }
    found.sort_by_key(|((schema, _), ..)| place(schema));
    let mut seen = HashSet::new();
    let mut tables = Vec::with_capacity(found.len());
    for ((schema, name), kind, comment) in found {
        // The first table with a name in the path is found without its schema.
        let visible = place(&schema) != usize::MAX && seen.insert(name.clone());
        let table = Table {
            name: TableName { catalog: None, schema: (!visible).then(|| schema.clone()), name: name.clone() },
            kind,
            comment,
            row_count: None,
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        };
        tables.push(((schema, name), table));
    }
    Ok(tables)
}

/// Returns the keys, each with the key that it references.
async fn read_keys(client: &Client) -> Result<Vec<(Key, Option<ReferencedKey>)>, Error> {
    let mut keys: Vec<Key> = Vec::new();
    for row in client.query(KEYS, &[]).await? {
        let (schema, name): (String, String) = (row.try_get(0)?, row.try_get(1)?);
        let table = (row.try_get(3)?, row.try_get(4)?);
        let column = row.try_get(5)?;
        match keys.last_mut().filter(|last| last.schema == schema && last.name == name && last.table == table) {
            Some(last) => last.columns.push(column),
            None => {
                let other: (Option<String>, Option<String>) = (row.try_get(6)?, row.try_get(7)?);
                let (kind, columns, refers_to) = (row.try_get(2)?, vec![column], other.0.zip(other.1));
                keys.push(Key { schema, name, kind, table, columns, refers_to });
            }
        }
    }
    // The name of a constraint may occur in several tables; then a reference to it is ignored.
    let mut named: HashMap<(String, String), Vec<usize>> = HashMap::new();
    for (place, key) in keys.iter().enumerate().filter(|(_, key)| key.kind != "FOREIGN KEY") {
        named.entry((key.schema.clone(), key.name.clone())).or_default().push(place);
    }
    let target = |key: &Key| match named.get(key.refers_to.as_ref()?)?.as_slice() {
        [only] => Some(ReferencedKey { table: keys[*only].table.clone(), columns: keys[*only].columns.clone() }),
        _ => None,
    };
    let targets: Vec<_> = keys.iter().map(target).collect();
    Ok(keys.into_iter().zip(targets).collect())
}

/// Returns a type with its length, or with precision and scale for decimals.
fn format_data_type(name: String, length: Option<i32>, (precision, scale): (Option<i32>, Option<i32>)) -> String {
    match (name.as_str(), length, precision, scale) {
        (_, Some(length), ..) => format!("{name}({length})"),
        ("numeric" | "decimal", None, Some(precision), Some(scale)) => format!("{name}({precision},{scale})"),
        _ => name,
    }
}
