//! Converts a statement to the single SELECT that is run.

use super::in_query;
use crate::WarehouseError;
use duckdb::{Connection, Error};
use serde_json::Value;
use std::path::Path;
use vitrine_sql::{UnlistedPivot, shown_as_query, unlisted_pivot};
use vitrine_words::tr;

/// Maximum number of columns that a PIVOT creates from the values of one column.
const MOST_VALUES: usize = 2_000;

/// The source of the values for a PIVOT without a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PivotValues {
    /// Reads the values from the table.
    Stored,
    /// Uses one placeholder, if no query may run.
    Unread,
}

/// Returns the SELECT with the rows of a statement. Looks up the values of a PIVOT without a list, so that DuckDB does
/// not create an enum type for them.
pub(super) fn to_runnable_select(
    connection: &Connection,
    path: &Path,
    sql: &str,
    values: PivotValues,
) -> Result<String, WarehouseError> {
    let sql = shown_as_query(sql.trim().trim_end_matches(';'));
    let refused = match single_select(connection, path, &sql) {
        Ok(()) => return Ok(sql.into_owned()),
        Err(refused) => refused,
    };
    let Some(pivot) = unlisted_pivot(&sql).filter(|_| matches!(refused, WarehouseError::Refused { .. })) else {
        return Err(refused);
    };
    let proven = pivot.with_one_value();
    single_select(connection, path, &proven)?;
    if values == PivotValues::Unread {
        return Ok(proven);
    }
    let listed = pivot.with_values(&stored_values(connection, path, &pivot)?);
    single_select(connection, path, &listed)?;
    // Only the list of values may differ from the proven statement.
    if normalized_tree(connection, path, &listed)? != normalized_tree(connection, path, &proven)? {
        return Err(WarehouseError::Refused { message: tr!("a value of the PIVOT cannot be written as a text") });
    }
    Ok(listed)
}

fn stored_values(
    connection: &Connection,
    path: &Path,
    pivot: &UnlistedPivot,
) -> Result<Vec<Vec<String>>, WarehouseError> {
    let failed = |error: Error| in_query(path, &error);
    let read = |query: &str| {
        single_select(connection, path, query)?;
        let mut statement = connection.prepare(&format!("{query}\nLIMIT {}", MOST_VALUES + 1)).map_err(failed)?;
        let rows = statement.query_map([], |row| row.get::<_, String>(0)).map_err(failed)?;
        let values = rows.collect::<duckdb::Result<Vec<_>>>().map_err(failed)?;
        match values.len() {
            0 => Err(WarehouseError::query(tr!("the PIVOT has no value to make a column of"))),
            found if found > MOST_VALUES => Err(WarehouseError::query(tr!(
                "the PIVOT has more than {most} values; name those that are to be columns: ON x IN ('a', 'b')",
                most = MOST_VALUES
            ))),
            _ => Ok(values),
        }
    };
    pivot.value_queries().map(read).collect()
}

/// Checks with the engine that a text is a single SELECT: its parser can serialise only those. This blocks `COPY ...
/// TO` a file that a query may read, which a read-only database does not prevent.
pub(super) fn single_select(connection: &Connection, path: &Path, sql: &str) -> Result<(), WarehouseError> {
    let (kind, message, statements): (Option<String>, Option<String>, Option<i64>) = connection
        .query_row(
            "SELECT tree->>'$.error_type', tree->>'$.error_message', json_array_length(tree, '$.statements')::BIGINT
               FROM (SELECT json_serialize_sql(?::VARCHAR) AS tree)",
            [sql],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .map_err(|error| in_query(path, &error))?;
    match (kind.as_deref(), statements) {
        (None, Some(1)) => Ok(()),
        (Some("parser"), _) => {
            Err(WarehouseError::Query { message: format!("Parser Error: {}", message.unwrap_or_default()) })
        }
        (Some(_), _) => Err(WarehouseError::Refused { message: message.unwrap_or_default() }),
        (None, _) => Err(WarehouseError::Refused { message: "not exactly one statement".to_owned() }),
    }
}

/// Reads the tree of a statement without the values of its pivots and without places in the text.
fn normalized_tree(connection: &Connection, path: &Path, sql: &str) -> Result<Value, WarehouseError> {
    let tree: String = connection
        .query_row("SELECT json_serialize_sql(?::VARCHAR)::VARCHAR", [sql], |row| row.get(0))
        .map_err(|error| in_query(path, &error))?;
    let mut tree = serde_json::from_str(&tree).map_err(|error| WarehouseError::query(error.to_string()))?;
    strip_variable_parts(&mut tree);
    Ok(tree)
}

fn strip_variable_parts(tree: &mut Value) {
    match tree {
        Value::Array(items) => items.iter_mut().for_each(strip_variable_parts),
        Value::Object(object) => {
            object.remove("query_location");
            object.remove("entries");
            object.values_mut().for_each(strip_variable_parts);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query_rows(connection: &Connection, sql: &str) -> Vec<Vec<Option<String>>> {
        let sql = format!("SELECT COLUMNS(*)::VARCHAR FROM (\n{sql}\n)");
        let mut statement = connection.prepare(&sql).unwrap();
        let mut rows = statement.query([]).unwrap();
        let mut read = Vec::new();
        while let Some(row) = rows.next().unwrap() {
            let width = row.as_ref().column_count();
            read.push((0..width).map(|at| row.get(at).unwrap()).collect());
        }
        read
    }

    fn open_test_database() -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE sales (year INTEGER, region VARCHAR, amount INTEGER, day DATE, share DOUBLE);
                 INSERT INTO sales VALUES (2023, 'it''s', 1, '2024-01-01', 0.1), (2023, 'b'') --', 2, NULL, 1e20),
                     (2024, 'it''s', 4, '2024-01-01', NULL), (NULL, NULL, 8, '2023-12-31', 0.3);",
            )
            .unwrap();
        connection
    }

    /// DuckDB itself creates an enum type for the values; the result is the same without it.
    #[test]
    fn a_pivot_without_values_gives_what_duckdb_gives() {
        let (connection, path) = (open_test_database(), Path::new("x"));
        for sql in [
            "PIVOT sales ON year USING sum(amount) GROUP BY region ORDER BY region",
            "PIVOT sales ON region USING sum(amount), count(*) AS n GROUP BY year ORDER BY year",
            "PIVOT sales ON year, region USING sum(amount)  GROUP BY day ORDER BY day",
            "PIVOT sales ON day USING sum(amount) GROUP BY region ORDER BY region",
            "PIVOT sales ON share USING sum(amount) GROUP BY region ORDER BY region",
            "PIVOT sales ON year || '-' || region USING sum(amount) GROUP BY day ORDER BY day",
            "WITH paid AS (FROM sales WHERE amount > 1) PIVOT paid ON year USING sum(amount) GROUP BY region ORDER BY region",
            "FROM (PIVOT sales ON year USING sum(amount) GROUP BY region) ORDER BY region",
            "PIVOT (FROM sales WHERE amount < 8) ON region -- each\n USING sum(amount) GROUP BY year ORDER BY year",
        ] {
            let listed = to_runnable_select(&connection, path, sql, PivotValues::Stored)
                .unwrap_or_else(|e| panic!("{sql}\n{e:?}"));
            assert!(listed.contains(") IN ("), "{listed}");
            let (own, theirs) = (query_rows(&connection, &listed), query_rows(&connection, sql));
            assert_eq!(own, theirs, "{sql}");
            assert!(own.len() >= 2 && own[0].len() >= 3, "{sql}: {own:?}");
        }
        let types = "SELECT count(*) FROM duckdb_types() WHERE type_name LIKE '__pivot%'";
        let fresh = self::open_test_database();
        to_runnable_select(&fresh, path, "PIVOT sales ON year USING sum(amount)", PivotValues::Stored).unwrap();
        assert_eq!(query_rows(&fresh, types), [[Some("0".to_owned())]], "no type was made");
    }

    #[test]
    fn nothing_but_a_select_becomes_runnable() {
        let (connection, path) = (open_test_database(), Path::new("x"));
        for sql in [
            "CREATE TABLE taken AS PIVOT sales ON year USING sum(amount)",
            "PIVOT sales ON year USING sum(amount); DELETE FROM sales",
            "COPY (PIVOT sales ON year USING sum(amount)) TO 'x.csv'",
            "EXPLAIN ANALYZE PIVOT sales ON year USING sum(amount)",
            "SHOW TABLES; DELETE FROM sales",
            "PIVOT sales ON year IN (SELECT 2023) USING sum(amount)",
            "DESCRIBE sales) ; DELETE FROM sales; FROM (SELECT 1",
        ] {
            let refused = to_runnable_select(&connection, path, sql, PivotValues::Stored);
            assert!(refused.is_err(), "{sql}: {refused:?}");
        }
        let none = to_runnable_select(&connection, path, "PIVOT (FROM sales WHERE false) ON year", PivotValues::Stored);
        assert!(none.unwrap_err().to_string().contains("no value"));
        let described =
            to_runnable_select(&connection, path, "PIVOT sales ON year USING sum(amount)", PivotValues::Unread)
                .unwrap();
        assert!(described.contains("IN ('…')"), "{described}");
    }
}
