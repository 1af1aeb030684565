//! Reading tables, columns, comments and keys: everything that the login may read, without system tables. There is one
//! query per kind of object, independent of the number of tables.

use crate::definition::view_query;
use mysql_async::prelude::{FromRow, Queryable};
use mysql_async::{Conn, DriverError, Error, FromRowError};
use std::collections::HashMap;
use vitrine_domain::{Column, ForeignKey, OwnFunction, Table, TableKind, TableName};

/// The conditions for one database and for all except the system databases.
const OF_ONE: &str = "TABLE_SCHEMA = ?";
const OF_ALL: &str =
    "TABLE_SCHEMA NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys', 'ndbinfo') AND ? = ''";

const TABLES: &str = "
    SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE = 'VIEW', TABLE_COMMENT, TABLE_ROWS,
           CONCAT_WS(',', CREATE_TIME, UPDATE_TIME, AUTO_INCREMENT)
      FROM information_schema.TABLES
     WHERE TABLE_TYPE IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') AND {of}
     ORDER BY TABLE_SCHEMA, TABLE_NAME";

const VIEWS: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS WHERE {of}";

const COLUMNS: &str = "
    SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, IS_NULLABLE = 'YES', COLUMN_COMMENT, COLUMN_TYPE
      FROM information_schema.COLUMNS
     WHERE FIND_IN_SET('select', PRIVILEGES) > 0 AND {of}
     ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION";

/// Primary keys, unique keys and foreign keys, with one row per column.
const KEYS: &str = "
    SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME,
           REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
      FROM information_schema.KEY_COLUMN_USAGE
     WHERE {of}
     ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, REFERENCED_TABLE_NAME, ORDINAL_POSITION";

/// Functions of the database. Functions of other databases can only be called with a qualified name.
const FUNCTIONS: &str = "
    SELECT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_SCHEMA = ?
     ORDER BY 1";

/// Built-in functions that some servers lack; there, a user-defined function with this name would be called.
const NOT_EVERYWHERE: &[&str] = &[
    "add_months",
    "any_value",
    "bin_to_uuid",
    "chr",
    "format_bytes",
    "grouping",
    "is_uuid",
    "lengthb",
    "median",
    "natural_sort_key",
    "nvl",
    "nvl2",
    "percentile_cont",
    "percentile_disc",
    "to_char",
    "uuid_to_bin",
    "weight_string",
];

/// Names of a database and a table.
type TableKey = (String, String);
type KeyRow = (String, String, String, String, Option<String>, Option<String>, Option<String>);

/// Reads all tables and views of a database, or of all databases if `database` is empty, and a text that changes when
/// rows change.
pub(super) async fn read_tables(conn: &mut Conn, database: &str) -> Result<(Vec<Table>, String), Error> {
    let mut version = String::new();
    let (mut tables, mut places) = (Vec::<Table>::new(), HashMap::<TableKey, usize>::new());
    type TableRow = (String, String, bool, Option<String>, Option<u64>, Option<String>);
    for (schema, name, is_view, comment, rows, changed) in query_rows::<TableRow>(conn, TABLES, database).await? {
        places.insert((schema.clone(), name.clone()), tables.len());
        version += &format!("{};", changed.unwrap_or_default());
        tables.push(Table {
            name: TableName { catalog: None, schema: database.is_empty().then_some(schema), name },
            kind: if is_view { TableKind::View } else { TableKind::Table },
            // MySQL stores the comment "VIEW" for every view.
            comment: non_blank_comment(comment).filter(|comment| !is_view || comment != "VIEW"),
            row_count: rows.filter(|rows| *rows > 0 && !is_view),
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        });
    }
    for (schema, name, definition) in query_rows::<(String, String, Option<String>)>(conn, VIEWS, database).await? {
        if let Some(&place) = places.get(&(schema, name)) {
            tables[place].definition = definition.as_deref().and_then(view_query);
        }
    }
    type ColumnRow = (String, String, String, bool, Option<String>, String);
    for (schema, table, name, nullable, comment, data_type) in query_rows::<ColumnRow>(conn, COLUMNS, database).await? {
        if let Some(&place) = places.get(&(schema, table)) {
            let data_type = without_width(&data_type);
            tables[place].columns.push(Column { name, nullable, comment: non_blank_comment(comment), data_type });
        }
    }
    let keys = query_rows::<KeyRow>(conn, KEYS, database).await?;
    for rows in keys.chunk_by(|a, b| (&a.0, &a.1, &a.2, &a.5) == (&b.0, &b.1, &b.2, &b.5)) {
        let Some((schema, table, name, _, other_schema, other, _)) = rows.first() else { continue };
        let Some(&place) = places.get(&(schema.clone(), table.clone())) else { continue };
        let columns: Vec<String> = rows.iter().map(|row| row.3.clone()).collect();
        match (other_schema, other) {
            (Some(other_schema), Some(other)) => {
                if let Some(&other) = places.get(&(other_schema.clone(), other.clone())) {
                    let ref_columns = rows.iter().filter_map(|row| row.6.clone()).collect();
                    let key = ForeignKey { columns, ref_table: tables[other].name.clone(), ref_columns };
                    tables[place].foreign_keys.push(key);
                }
            }
            _ if name == "PRIMARY" => tables[place].primary_key = columns,
            _ => tables[place].unique_keys.push(columns),
        }
    }
    tables.retain(|table| !table.columns.is_empty());
    Ok((tables, version))
}

/// Returns the user-defined functions that a query could call in the belief that they are built in.
pub(super) async fn own_functions(conn: &mut Conn, database: &str) -> Result<Vec<OwnFunction>, Error> {
    let names: Vec<String> = query_rows(conn, FUNCTIONS, database).await?;
    let unawares = |name: &String| {
        ["json_", "regexp_", "st_"].iter().any(|beginning| name.starts_with(beginning))
            || NOT_EVERYWHERE.contains(&name.as_str())
    };
    Ok(names.into_iter().filter(unawares).map(|name| OwnFunction { name, on_rows: false }).collect())
}

async fn query_rows<R: FromRow + Send + 'static>(
    conn: &mut Conn,
    question: &str,
    database: &str,
) -> Result<Vec<R>, Error> {
    let question = question.replace("{of}", if database.is_empty() { OF_ALL } else { OF_ONE });
    let rows = conn.exec_iter(question, (database,)).await?.try_collect_and_drop::<R>().await?;
    rows.into_iter().map(|row| row.map_err(|FromRowError(row)| DriverError::FromRow { row }.into())).collect()
}

fn non_blank_comment(comment: Option<String>) -> Option<String> {
    comment.filter(|text| !text.trim().is_empty())
}

/// Returns a type without the display width that MariaDB adds to integers, which has no meaning. The width in
/// `tinyint(1)` is kept, because it marks a boolean.
fn without_width(data_type: &str) -> String {
    let Some((word, (digits, rest))) =
        data_type.split_once('(').and_then(|(word, rest)| Some((word, rest.split_once(')')?)))
    else {
        return data_type.to_owned();
    };
    let is_whole = ["tinyint", "smallint", "mediumint", "int", "bigint", "year"].contains(&word);
    if is_whole && (word, digits) != ("tinyint", "1") { format!("{word}{rest}") } else { data_type.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::without_width;

    #[test]
    fn widths_are_left_out_where_they_say_nothing() {
        for (given, shown) in [
            ("int(11)", "int"),
            ("bigint(20) unsigned", "bigint unsigned"),
            ("tinyint(1)", "tinyint(1)"),
            ("tinyint(4)", "tinyint"),
            ("year(4)", "year"),
            ("varchar(20)", "varchar(20)"),
            ("decimal(10,2)", "decimal(10,2)"),
            ("enum('a(1)','b')", "enum('a(1)','b')"),
            ("date", "date"),
        ] {
            assert_eq!(without_width(given), shown);
        }
    }
}
