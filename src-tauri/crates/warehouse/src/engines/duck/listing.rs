//! Tables, columns, comments and keys as DuckDB lists them, locally or at MotherDuck: the queries, and the parsing of
//! their rows.

use super::quote_identifier;
use crate::definition::view_query;
use std::collections::HashMap;
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};

/// Rows with all cells as text.
pub(crate) type Rows = Vec<Vec<Option<String>>>;

const TABLES: &str = "
    SELECT * FROM (
      SELECT schema_name, table_name, comment, estimated_size, false AS computed, table_oid AS oid, NULL AS sql
        FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
      UNION ALL
      SELECT schema_name, view_name, comment, NULL, true, view_oid, sql
        FROM duckdb_views() WHERE NOT internal AND database_name = current_database())
    ORDER BY schema_name <> 'main', schema_name, oid";

const COLUMNS: &str = "
    SELECT schema_name, table_name, column_name, data_type, is_nullable, comment
      FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
     ORDER BY schema_name, table_name, column_index";

// Lists are converted to JSON text, which preserves all characters of a name.
const CONSTRAINTS: &str = "
    SELECT schema_name, table_name, constraint_type, to_json(constraint_column_names)::VARCHAR AS names,
           referenced_table, to_json(referenced_column_names)::VARCHAR AS referenced_names
      FROM duckdb_constraints()
     WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY')
     ORDER BY schema_name, table_name, constraint_index";

// The list is a text: column names, quoted where necessary, and expressions in brackets.
const UNIQUE_INDEXES: &str = "
    SELECT schema_name, table_name, to_json(TRY_CAST(expressions AS VARCHAR[]))::VARCHAR AS names
      FROM duckdb_indexes() WHERE database_name = current_database() AND is_unique AND NOT is_primary
     ORDER BY schema_name, table_name, index_oid";

/// The queries whose rows [`build_tables`] reads.
pub(crate) const QUESTIONS: [&str; 4] = [TABLES, COLUMNS, CONSTRAINTS, UNIQUE_INDEXES];

/// Wraps a query so that all columns of its result are text.
pub(crate) fn as_text(question: &str) -> String {
    format!("SELECT COLUMNS(*)::VARCHAR FROM (\n{question}\n)")
}

type Key = (String, String);

/// Returns a function that yields one cell of a row after the other.
pub(crate) fn cell_reader(row: Vec<Option<String>>) -> impl FnMut() -> Option<String> {
    let mut cells = row.into_iter();
    move || cells.next().flatten()
}

/// Builds all tables and views from the rows of [`QUESTIONS`], by schema, then in order of creation.
pub(crate) fn build_tables([listed, columns, constraints, indexes]: [Rows; 4]) -> Vec<Table> {
    let mut columns = columns_of(columns);
    let mut keys = Keys::default();
    keys.take_constraints(constraints);
    keys.take_indexes(indexes, &columns);
    let table = |row: Vec<Option<String>>| {
        let mut next = cell_reader(row);
        let key = (next().unwrap_or_default(), next().unwrap_or_default());
        let (comment, size, computed, _, sql) = (next(), next(), next(), next(), next());
        Table {
            name: table_name(&key.0, &key.1),
            kind: if computed.as_deref() == Some("true") { TableKind::View } else { TableKind::Table },
            comment: comment.filter(|text| !text.trim().is_empty()),
            row_count: size.and_then(|size| size.parse().ok()),
            columns: columns.remove(&key).unwrap_or_default(),
            primary_key: keys.primary.remove(&key).unwrap_or_default(),
            unique_keys: keys.unique.remove(&key).unwrap_or_default(),
            foreign_keys: keys.foreign.remove(&key).unwrap_or_default(),
            definition: sql.as_deref().and_then(view_query),
        }
    };
    // A view over a dropped table has no columns.
    listed.into_iter().map(table).filter(|table| !table.columns.is_empty()).collect()
}

fn table_name(schema: &str, table: &str) -> TableName {
    TableName { catalog: None, schema: (schema != "main").then(|| schema.to_owned()), name: table.to_owned() }
}

fn columns_of(rows: Rows) -> HashMap<Key, Vec<Column>> {
    let mut columns: HashMap<Key, Vec<Column>> = HashMap::new();
    for row in rows {
        let mut next = cell_reader(row);
        let key = (next().unwrap_or_default(), next().unwrap_or_default());
        let column = Column {
            name: next().unwrap_or_default(),
            data_type: next().unwrap_or_default(),
            nullable: next().as_deref() != Some("false"),
            comment: next().filter(|text| !text.trim().is_empty()),
        };
        columns.entry(key).or_default().push(column);
    }
    columns
}

#[derive(Default)]
struct Keys {
    primary: HashMap<Key, Vec<String>>,
    unique: HashMap<Key, Vec<Vec<String>>>,
    foreign: HashMap<Key, Vec<ForeignKey>>,
}

fn parse_json_names(json: Option<String>) -> Option<Vec<String>> {
    serde_json::from_str(&json?).ok()
}

impl Keys {
    fn take_constraints(&mut self, rows: Rows) {
        for row in rows {
            let mut next = cell_reader(row);
            let key: Key = (next().unwrap_or_default(), next().unwrap_or_default());
            let (kind, columns) = (next().unwrap_or_default(), parse_json_names(next()).unwrap_or_default());
            if kind == "PRIMARY KEY" {
                self.primary.insert(key, columns);
            } else if kind == "UNIQUE" {
                self.unique.entry(key).or_default().push(columns);
            } else if let Some(table) = next() {
                // DuckDB does not support keys across schemas.
                let ref_columns = parse_json_names(next()).unwrap_or_default();
                let foreign = ForeignKey { columns, ref_table: table_name(&key.0, &table), ref_columns };
                self.foreign.entry(key).or_default().push(foreign);
            }
        }
    }

    /// Adds the columns of unique indexes as keys; skips indexes over expressions.
    fn take_indexes(&mut self, rows: Rows, columns: &HashMap<Key, Vec<Column>>) {
        for row in rows {
            let mut next = cell_reader(row);
            let key: Key = (next().unwrap_or_default(), next().unwrap_or_default());
            let (Some(listed), Some(columns)) = (parse_json_names(next()), columns.get(&key)) else { continue };
            let column = |said: &String| {
                let same = |column: &&Column| {
                    [column.name.clone(), quote_identifier(&column.name)]
                        .iter()
                        .any(|name| name.eq_ignore_ascii_case(said))
                };
                columns.iter().find(same).map(|column| column.name.clone())
            };
            if let Some(names) = listed.iter().map(column).collect() {
                self.unique.entry(key).or_default().push(names);
            }
        }
    }
}
