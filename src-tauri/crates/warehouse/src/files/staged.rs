//! A temporary table of texts, from which the typed table is created.

use super::column::{AT_ONCE, Column};
use super::grid::Grid;
use super::layout::Layout;
use crate::engines::duck::{quote_identifier, quote_literal};
use ::duckdb::{Connection, Result, appender_params_from_iter};

/// The name of the temporary table, which is dropped before queries run.
pub(super) const STAGED: &str = "staged texts";

/// Inserts the data rows into the temporary table; empty cells become NULL.
pub(super) fn stage_rows(connection: &Connection, grid: &Grid, layout: &Layout) -> Result<()> {
    let columns: Vec<String> = layout.names.iter().map(|name| format!("{} VARCHAR", quote_identifier(name))).collect();
    connection.execute_batch(&format!("CREATE TABLE {} ({})", quote_identifier(STAGED), columns.join(", ")))?;
    let mut appender = connection.appender(STAGED)?;
    for row in &layout.body {
        let cells = layout
            .columns
            .iter()
            .map(|column| Some(grid.raw_cell(*row, *column)).filter(|text| !text.trim().is_empty()));
        appender.append_row(appender_params_from_iter(cells))?;
    }
    appender.flush()
}

/// Runs `examine` with a temporary table of the texts, which `texts` reads.
pub(super) fn with_staged_texts(
    connection: &Connection,
    texts: &str,
    examine: impl FnOnce(&str) -> Result<()>,
) -> Result<()> {
    let staged = quote_identifier(STAGED);
    connection.execute_batch(&format!("CREATE TABLE {staged} AS SELECT * FROM {texts}"))?;
    let examined = examine(&staged);
    connection.execute_batch(&format!("DROP TABLE {staged}"))?;
    examined
}

/// Detects the types of plain texts as the engine does for files; the texts are read from `raw`.
pub(super) fn plain_types(connection: &Connection, names: &[String], raw: &str) -> Result<Vec<Column>> {
    let texts: Vec<String> = names.iter().map(|name| format!("trim({})", quote_identifier(name))).collect();
    let types = types_of(connection, &texts, raw)?;
    Ok(names.iter().zip(types).map(|(name, data_type)| Column::new(name.clone(), data_type)).collect())
}

/// Returns the type for each text expression, from all its values.
pub(super) fn types_of(connection: &Connection, texts: &[String], raw: &str) -> Result<Vec<&'static str>> {
    let types: Result<Vec<_>> = texts.chunks(AT_ONCE).map(|texts| types_of_some(connection, texts, raw)).collect();
    Ok(types?.concat())
}

fn types_of_some(connection: &Connection, texts: &[String], raw: &str) -> Result<Vec<&'static str>> {
    const TYPES: [&str; 4] = ["BIGINT", "DOUBLE", "BOOLEAN", "TIME"];
    let looks = texts.iter().map(|text| {
        let all = |condition: String| format!("coalesce(bool_and({condition}), false)");
        [
            all(format!("regexp_full_match({text}, '-?[0-9]{{1,18}}')")),
            all(format!("regexp_full_match({text}, '-?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?')")),
            all(format!("lower({text}) IN ('true', 'false')")),
            all(format!("regexp_full_match({text}, '[0-9]{{1,2}}:[0-9]{{2}}(:[0-9]{{2}})?') AND ({text} IS NULL OR TRY_CAST({text} AS TIME) IS NOT NULL)")),
        ]
        .join(", ")
    });
    let looks: Vec<String> = looks.collect();
    let sql = format!("SELECT {} FROM {raw}", looks.join(", "));
    connection.query_row(&sql, [], |row| {
        let type_at = |at: usize| -> Result<&'static str> {
            for (part, known) in TYPES.iter().enumerate() {
                if row.get::<_, bool>(at * TYPES.len() + part)? {
                    return Ok(known);
                }
            }
            Ok("VARCHAR")
        };
        (0..texts.len()).map(type_at).collect()
    })
}

/// Creates the typed table and drops the temporary one.
pub(super) fn create_from_staged(connection: &Connection, table: &str, columns: &[Column]) -> Result<()> {
    let staged = quote_identifier(STAGED);
    create_table_or_view(connection, "TABLE", table, columns, &staged)?;
    connection.execute_batch(&format!("DROP TABLE {staged}"))
}

/// Creates a table or view from the texts that `raw` reads.
pub(super) fn create_table_or_view(
    connection: &Connection,
    kind: &str,
    table: &str,
    columns: &[Column],
    raw: &str,
) -> Result<()> {
    let values: Vec<String> = columns
        .iter()
        .map(|column| {
            let name = quote_identifier(&column.name);
            let value = column.value.clone().unwrap_or_else(|| match column.data_type.as_str() {
                "VARCHAR" => name.clone(),
                data_type => format!("CAST(trim({name}) AS {data_type})"),
            });
            format!("{value} AS {name}")
        })
        .collect();
    let table = quote_identifier(table);
    connection.execute_batch(&format!("CREATE {kind} {table} AS SELECT {} FROM {raw}", values.join(", ")))?;
    comment_columns(connection, &table, columns)
}

/// Adds a comment to each column that describes its conversion.
pub(super) fn comment_columns(connection: &Connection, table: &str, columns: &[Column]) -> Result<()> {
    for column in columns {
        if let Some(how) = &column.how {
            let place = format!("{table}.{}", quote_identifier(&column.name));
            connection.execute_batch(&format!("COMMENT ON COLUMN {place} IS {}", quote_literal(&how.comment)))?;
        }
    }
    Ok(())
}
