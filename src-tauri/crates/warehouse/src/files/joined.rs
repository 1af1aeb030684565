//! Opens the tables of a join: each source is a database in memory whose views read Parquet files.

use super::file::path_literal;
use crate::engines::duck::{DuckWarehouse, in_query, open, quote_identifier};
use crate::joined::{JoinedColumn, JoinedForm, JoinedTable};
use crate::{OpenOptions, WarehouseError};
use ::duckdb::Connection;
use std::path::{Path, PathBuf};
use vitrine_words::tr;

/// Maximum number of digits of DuckDB's decimals.
const DIGITS: i64 = 38;
/// Digits of a decimal type at least, so that ordinary computations stay within the type.
const USUAL_DIGITS: i64 = 18;

/// Opens the tables in a folder.
pub(super) fn open_tables(
    folder: &Path,
    tables: &[JoinedTable],
    options: &OpenOptions,
) -> Result<DuckWarehouse, WarehouseError> {
    let real = folder.canonicalize().map_err(|error| WarehouseError::from_io_error("opening", folder, &error))?;
    let failed = |error: ::duckdb::Error| in_query(folder, &error);
    let connection = open::in_memory(options).map_err(failed)?;
    let mut sources: Vec<&str> = Vec::new();
    let mut paths: Vec<PathBuf> = Vec::new();
    for table in tables {
        if !sources.contains(&table.source.as_str()) {
            sources.push(&table.source);
            let attach = format!("ATTACH ':memory:' AS {}", quote_identifier(&table.source));
            connection.execute_batch(&attach).map_err(failed)?;
        }
        let file = table.file.as_ref().map(|file| real.join(file));
        create_view(&connection, table, file.as_deref())?;
        paths.extend(file);
    }
    open::lock_connection(&connection, &paths).map_err(failed)?;
    Ok(DuckWarehouse::new(connection, folder, paths, options))
}

fn create_view(connection: &Connection, table: &JoinedTable, file: Option<&Path>) -> Result<(), WarehouseError> {
    let place = file.unwrap_or(Path::new(""));
    let failed = |error: ::duckdb::Error| in_query(place, &error);
    let schema = table.schema.as_deref().unwrap_or("main");
    let schema = format!("{}.{}", quote_identifier(&table.source), quote_identifier(schema));
    connection.execute_batch(&format!("CREATE SCHEMA IF NOT EXISTS {schema}")).map_err(failed)?;
    let rows = file.map(|file| format!("read_parquet({}, hive_partitioning = false)", path_literal(file)));
    let mut columns = Vec::new();
    for column in &table.columns {
        let value = match &rows {
            Some(rows) => value_of(connection, table, column, rows)?,
            None => format!("CAST(NULL AS {})", empty_type(&column.form)),
        };
        columns.push(format!("{value} AS {}", quote_identifier(&column.name)));
    }
    let from = rows.map_or_else(|| "WHERE false".to_owned(), |rows| format!("FROM {rows}"));
    let view =
        format!("CREATE VIEW {schema}.{} AS SELECT {} {from}", quote_identifier(&table.name), columns.join(", "));
    connection.execute_batch(&view).map_err(failed)
}

/// Returns the expression of a column over its file.
fn value_of(
    connection: &Connection,
    table: &JoinedTable,
    column: &JoinedColumn,
    rows: &str,
) -> Result<String, WarehouseError> {
    let name = quote_identifier(&column.stored);
    let all = |condition: &str| -> Result<bool, WarehouseError> {
        let sql = format!("SELECT coalesce(bool_and({condition}), true) FROM {rows} WHERE {name} IS NOT NULL");
        connection.query_row(&sql, [], |row| row.get(0)).map_err(|error| in_query(Path::new(""), &error))
    };
    Ok(match &column.form {
        JoinedForm::Stored => name,
        JoinedForm::Json => format!("CAST({name} AS JSON)"),
        JoinedForm::Own(own) => format!("CAST({name} AS {own})"),
        JoinedForm::Day => match all(&format!("TRY_CAST({name} AS DATE)::VARCHAR IS NOT DISTINCT FROM {name}"))? {
            true => format!("CAST({name} AS DATE)"),
            false => name,
        },
        JoinedForm::Moment => {
            match all(&format!("TRY_CAST({name} AS TIMESTAMP)::VARCHAR IS NOT DISTINCT FROM {name}"))? {
                true => format!("CAST({name} AS TIMESTAMP)"),
                false => name,
            }
        }
        JoinedForm::ZonedMoment => match all(&format!("TRY_CAST({name} AS TIMESTAMPTZ) IS NOT NULL"))? {
            true => format!("CAST({name} AS TIMESTAMPTZ)"),
            false => return Err(unfit(table, column, &tr!("times that DuckDB cannot read"))),
        },
        JoinedForm::Clock => match all(&format!("TRY_CAST({name} AS TIME) IS NOT NULL AND {name} NOT LIKE '24:%'"))? {
            true => format!("CAST({name} AS TIME)"),
            false => return Err(unfit(table, column, &tr!("times that are not within one day"))),
        },
        JoinedForm::Interval => match all(&format!("TRY_CAST({name} AS INTERVAL) IS NOT NULL"))? {
            true => format!("CAST({name} AS INTERVAL)"),
            false => return Err(unfit(table, column, &tr!("intervals that DuckDB cannot read"))),
        },
        JoinedForm::Decimal => {
            if !all(&format!("regexp_full_match({name}, '-?[0-9]+([.][0-9]+)?')"))? {
                return Err(unfit(table, column, &tr!("numbers that are not finite")));
            }
            let digits = format!(
                "SELECT coalesce(max(length(ltrim(split_part({name}, '.', 1), '-0'))), 0)::BIGINT,
                        coalesce(max(length(split_part({name}, '.', 2))), 0)::BIGINT FROM {rows}"
            );
            let read = connection.query_row(&digits, [], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?)));
            let (whole, scale) = read.map_err(|error| in_query(Path::new(""), &error))?;
            if whole + scale > DIGITS {
                return Err(unfit(table, column, &tr!("numbers of more than 38 digits")));
            }
            let digits = (whole + scale).max((USUAL_DIGITS).max(scale)).min(DIGITS);
            format!("CAST({name} AS DECIMAL({digits}, {scale}))")
        }
    })
}

/// Returns the type of a column without rows.
fn empty_type(form: &JoinedForm) -> &str {
    match form {
        JoinedForm::Stored => "VARCHAR",
        JoinedForm::Json => "JSON",
        JoinedForm::Day => "DATE",
        JoinedForm::Moment => "TIMESTAMP",
        JoinedForm::ZonedMoment => "TIMESTAMPTZ",
        JoinedForm::Clock => "TIME",
        JoinedForm::Decimal => "DECIMAL(18, 4)",
        JoinedForm::Interval => "INTERVAL",
        JoinedForm::Own(own) => own,
    }
}

fn unfit(table: &JoinedTable, column: &JoinedColumn, what: &str) -> WarehouseError {
    let place = format!("{}.{}.{}", table.source, table.name, column.name);
    WarehouseError::Join {
        message: tr!("{place} holds {what}, so it cannot be joined here without changing it", place, what),
        hint: tr!("Leave the column out, or exclude these rows by a condition that the source can apply."),
    }
}
