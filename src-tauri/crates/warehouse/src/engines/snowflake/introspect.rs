//! Reading tables, columns, comments and keys from the information schema and with SHOW. Neither reads rows of a table.

use super::address::Account;
use crate::WarehouseError;
use crate::definition::view_query;
use crate::engines::adbc::{Pool, Row, query_rows};
use std::collections::HashMap;
use vitrine_domain::{Column, ForeignKey, Table, TableKind, TableName};
use vitrine_words::tr;

/// The schema and name of a table.
type TableKey = (String, String);

/// Fails if the database or the schema in the address does not exist or is not visible to this role.
pub(super) fn ensure_schema_exists(pool: &Pool, account: &Account, shown: &str) -> Result<(), WarehouseError> {
    let missing = |detail: String| WarehouseError::NotAdmitted { server: shown.to_owned(), detail };
    let sql = format!("SELECT schema_name FROM {}.information_schema.schemata", quote_identifier(&account.database));
    let found = match query_rows(pool, &sql) {
        Ok(found) => found,
        Err(WarehouseError::Query { message } | WarehouseError::NoPermission { message }) => {
            return Err(missing(message));
        }
        Err(other) => return Err(other),
    };
    let Some(schema) = &account.schema else { return Ok(()) };
    let names = found.iter().map(|row| required_text(row, "schema_name")).collect::<Result<Vec<_>, _>>()?;
    match names.contains(&schema.as_str()) {
        true => Ok(()),
        false => {
            Err(missing(format!("there is no schema {schema} that this role may see; names are told apart by case")))
        }
    }
}

/// Reads all tables and views of the schema, or of the database if the address names no schema, and a text that changes
/// when rows change.
pub(super) fn read_tables(pool: &Pool, account: &Account) -> Result<(Vec<Table>, String), WarehouseError> {
    let from = format!("{}.information_schema", quote_identifier(&account.database));
    let of = match &account.schema {
        Some(schema) => format!("table_schema = {}", quote_literal(schema)),
        None => "table_schema <> 'INFORMATION_SCHEMA'".to_owned(),
    };
    let listed = query_rows(
        pool,
        &format!(
            "SELECT table_schema, table_name, table_type, comment, row_count, last_altered FROM {from}.tables WHERE {of} ORDER BY table_schema, table_name"
        ),
    )?;
    let columns = query_rows(
        pool,
        &format!(
            "SELECT table_schema, table_name, column_name, data_type, is_nullable, comment, numeric_precision, numeric_scale, ordinal_position FROM {from}.columns WHERE {of} ORDER BY table_schema, table_name, ordinal_position"
        ),
    )?;
    let views =
        query_rows(pool, &format!("SELECT table_schema, table_name, view_definition FROM {from}.views WHERE {of}"))?;
    let inside = match &account.schema {
        Some(schema) => format!("SCHEMA {}.{}", quote_identifier(&account.database), quote_identifier(schema)),
        None => format!("DATABASE {}", quote_identifier(&account.database)),
    };
    // Keys are optional: if they cannot be read, the catalog has none.
    let show = |what: &str| {
        query_rows(pool, &format!("SHOW {what} KEYS IN {inside}")).unwrap_or_else(|error| {
            tracing::debug!(%error, what, "the keys are not told");
            Vec::new()
        })
    };
    assemble_tables(
        account,
        &CatalogRows {
            listed,
            columns,
            views,
            primary: show("PRIMARY"),
            unique: show("UNIQUE"),
            imported: show("IMPORTED"),
        },
    )
}

/// The rows of all catalog queries.
#[derive(Debug, Clone, Default)]
pub(super) struct CatalogRows {
    pub listed: Vec<Row>,
    pub columns: Vec<Row>,
    pub views: Vec<Row>,
    pub primary: Vec<Row>,
    pub unique: Vec<Row>,
    pub imported: Vec<Row>,
}

/// Builds the tables. Fails if a required name is missing, because an omitted table would remain unnoticed.
pub(super) fn assemble_tables(account: &Account, found: &CatalogRows) -> Result<(Vec<Table>, String), WarehouseError> {
    let (mut tables, mut places, mut version) = (Vec::new(), HashMap::<TableKey, usize>::new(), String::new());
    for row in &found.listed {
        let place = (required_text(row, "table_schema")?.to_owned(), required_text(row, "table_name")?.to_owned());
        let is_view = row.column_text("table_type").is_some_and(|kind| kind.contains("VIEW"));
        version += &format!(
            "{};{};",
            row.column_text("last_altered").unwrap_or_default(),
            row.column_text("row_count").unwrap_or_default()
        );
        places.insert(place.clone(), tables.len());
        tables.push(Table {
            name: build_table_name(account, place),
            kind: if is_view { TableKind::View } else { TableKind::Table },
            comment: row.column_text("comment").map(str::to_owned),
            row_count: row.column_text("row_count").and_then(|rows| rows.parse().ok()).filter(|_| !is_view),
            columns: Vec::new(),
            primary_key: Vec::new(),
            unique_keys: Vec::new(),
            foreign_keys: Vec::new(),
            definition: None,
        });
    }
    let at = |row: &Row, schema, table| places.get(&table_key(row, schema, table)?).copied();
    for row in &found.columns {
        let (name, _) = (
            required_text(row, "column_name")?,
            (required_text(row, "table_schema")?, required_text(row, "table_name")?),
        );
        // A table that was created after the list was read is skipped.
        let Some(at) = at(row, "table_schema", "table_name") else { continue };
        tables[at].columns.push(Column {
            name: name.to_owned(),
            data_type: format_data_type(row)?,
            nullable: row.column_text("is_nullable") != Some("NO"),
            comment: row.column_text("comment").map(str::to_owned),
        });
    }
    for row in &found.views {
        if let Some(at) = at(row, "table_schema", "table_name") {
            tables[at].definition = row.column_text("view_definition").and_then(view_query);
        }
    }
    for key in group_key_rows(&found.primary, "constraint_name") {
        if let (Some(at), Some(columns)) = (at(key[0], "schema_name", "table_name"), collect_texts(&key, "column_name"))
        {
            tables[at].primary_key = columns;
        }
    }
    for key in group_key_rows(&found.unique, "constraint_name") {
        if let (Some(at), Some(columns)) = (at(key[0], "schema_name", "table_name"), collect_texts(&key, "column_name"))
        {
            tables[at].unique_keys.push(columns);
        }
    }
    for key in group_key_rows(&found.imported, "fk_name") {
        let here = key[0].column_text("pk_database_name") == Some(&account.database);
        let ends = (at(key[0], "fk_schema_name", "fk_table_name"), at(key[0], "pk_schema_name", "pk_table_name"));
        let columns = (collect_texts(&key, "fk_column_name"), collect_texts(&key, "pk_column_name"));
        if let (true, (Some(from), Some(to)), (Some(columns), Some(ref_columns))) = (here, ends, columns) {
            let ref_table = tables[to].name.clone();
            tables[from].foreign_keys.push(ForeignKey { columns, ref_table, ref_columns });
        }
    }
    tables.retain(|table: &Table| !table.columns.is_empty());
    Ok((tables, version))
}

/// Returns a required text of a row.
fn required_text<'r>(row: &'r Row, name: &str) -> Result<&'r str, WarehouseError> {
    row.column_text(name).ok_or_else(|| {
        WarehouseError::query(tr!(
            "Snowflake's answer about its tables lacks {name}: nothing is known about them",
            name
        ))
    })
}

fn table_key(row: &Row, schema: &str, table: &str) -> Option<TableKey> {
    Some((row.column_text(schema)?.to_owned(), row.column_text(table)?.to_owned()))
}

/// Returns the rows of each key, in the order of its columns. A key with missing columns is omitted.
fn group_key_rows<'r>(rows: &'r [Row], named: &str) -> Vec<Vec<&'r Row>> {
    let owner = |row: &Row| {
        let own = |name: &str| row.column_text(name).unwrap_or_default().to_owned();
        (own("schema_name") + &own("fk_schema_name"), own("table_name") + &own("fk_table_name"), own(named))
    };
    let mut sorted: Vec<&Row> = rows.iter().collect();
    let number = |row: &Row| row.column_text("key_sequence").and_then(|text| text.parse::<u32>().ok());
    sorted.sort_by_key(|row| (owner(row), number(row)));
    let is_whole = |key: &&[&Row]| {
        key.len() == 1 && number(key[0]).is_none_or(|n| n == 1)
            || key.iter().map(|row| number(row)).eq((1..).map(Some).take(key.len()))
    };
    sorted.chunk_by(|a, b| owner(a) == owner(b)).filter(is_whole).map(<[&Row]>::to_vec).collect()
}

/// Returns a text of each row; `None` if a row lacks it.
fn collect_texts(rows: &[&Row], name: &str) -> Option<Vec<String>> {
    rows.iter().map(|row| row.column_text(name).map(str::to_owned)).collect()
}

/// Builds the name as queries write it: without the schema if the address names one.
fn build_table_name(account: &Account, (schema, name): TableKey) -> TableName {
    TableName { catalog: None, schema: account.schema.is_none().then_some(schema), name }
}

/// Returns the type; the precision and scale of a NUMBER are in separate columns.
fn format_data_type(row: &Row) -> Result<String, WarehouseError> {
    let digits = |name: &str| row.column_text(name).and_then(|text| text.parse::<u8>().ok());
    Ok(match (required_text(row, "data_type")?, digits("numeric_precision"), digits("numeric_scale")) {
        ("NUMBER", Some(precision), Some(scale)) => format!("NUMBER({precision},{scale})"),
        (kind, ..) => kind.to_owned(),
    })
}

/// Quotes a name, which preserves its case.
pub(super) fn quote_identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Quotes a text as a literal, in which Snowflake interprets escapes.
fn quote_literal(value: &str) -> String {
    format!("'{}'", value.replace('\\', "\\\\").replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ServerAddress;

    fn parse_rows(names: &str, lines: &[&str]) -> Vec<Row> {
        let cell = |text: &str| (text != "-").then(|| text.to_owned());
        let row = |line: &&str| Row(names.split(' ').map(str::to_owned).zip(line.split(' ').map(cell)).collect());
        lines.iter().map(row).collect()
    }

    /// The columns are those in the documentation of SHOW and of the information schema.
    #[test]
    fn documented_answers_become_tables_with_their_keys() {
        let imported = "pk_database_name pk_schema_name pk_table_name pk_column_name fk_database_name fk_schema_name fk_table_name fk_column_name key_sequence fk_name";
        let found = CatalogRows {
            listed: parse_rows(
                "table_schema table_name table_type comment row_count last_altered",
                &["PUBLIC ITEM TABLE - 7 x", "PUBLIC ORDERS TABLE sold 9 y", "OTHER V VIEW - - z"],
            ),
            columns: parse_rows(
                "table_schema table_name column_name data_type is_nullable comment numeric_precision numeric_scale",
                &[
                    "PUBLIC ITEM A NUMBER NO - 38 0",
                    "PUBLIC ITEM B TEXT NO - - -",
                    "PUBLIC ORDERS ID NUMBER NO - 10 2",
                    "PUBLIC ORDERS A NUMBER YES - 38 0",
                    "PUBLIC ORDERS B TEXT YES which - -",
                    "OTHER V X VARIANT YES - - -",
                ],
            ),
            views: parse_rows("table_schema table_name view_definition", &["OTHER V SELECT"]),
            primary: parse_rows(
                "database_name schema_name table_name column_name key_sequence constraint_name",
                &["SHOP PUBLIC ITEM B 2 K", "SHOP PUBLIC ITEM A 1 K", "SHOP PUBLIC ORDERS ID 1 K"],
            ),
            unique: Vec::new(),
            imported: parse_rows(
                imported,
                &[
                    "SHOP PUBLIC ITEM B SHOP PUBLIC ORDERS B 2 F",
                    "SHOP PUBLIC ITEM A SHOP PUBLIC ORDERS A 1 F",
                    "ELSE PUBLIC ITEM A SHOP PUBLIC ORDERS A 1 G",
                ],
            ),
        };
        let account = |text: &str| ServerAddress::parse(text).unwrap().snowflake_account().unwrap();
        let (tables, version) = assemble_tables(&account("snowflake://ann@a/SHOP"), &found).unwrap();
        assert_eq!(version, "x;7;y;9;z;;");
        let names: Vec<String> = tables.iter().map(|table| table.name.to_string()).collect();
        assert_eq!(names, ["PUBLIC.ITEM", "PUBLIC.ORDERS", "OTHER.V"]);
        assert_eq!((tables[0].primary_key.join(","), tables[0].row_count), ("A,B".to_owned(), Some(7)));
        assert_eq!(
            (tables[1].columns[0].data_type.as_str(), tables[1].comment.as_deref()),
            ("NUMBER(10,2)", Some("sold"))
        );
        let [key] = tables[1].foreign_keys.as_slice() else { panic!("{:?}", tables[1].foreign_keys) };
        assert_eq!(
            (key.columns.join(","), key.ref_columns.join(","), key.ref_table.to_string()),
            ("A,B".to_owned(), "A,B".to_owned(), "PUBLIC.ITEM".to_owned())
        );
        assert_eq!((tables[2].kind, tables[2].row_count), (TableKind::View, None));
        let (tables, _) = assemble_tables(&account("snowflake://ann@a/SHOP/PUBLIC"), &found).unwrap();
        assert_eq!(tables[0].name.to_string(), "ITEM");
    }
}
