//! Reads tables, columns, comments and keys of a DuckDB database that is open in this process.

use super::listing::{self, Rows};
use super::quote_identifier;
use duckdb::{Connection, Result};
use std::time::{Duration, Instant};
use vitrine_domain::{Table, TableKind};

/// Time for counting rows over all tables; the other tables use the engine's estimate.
const COUNTING: Duration = Duration::from_millis(1_500);

/// Returns all tables and views, by schema, then in order of creation.
pub(super) fn read_tables(connection: &Connection) -> Result<Vec<Table>> {
    let mut read = [const { Rows::new() }; 4];
    for (rows, question) in read.iter_mut().zip(listing::QUESTIONS) {
        *rows = query_rows(connection, question)?;
    }
    let mut tables = listing::build_tables(read);
    let started = Instant::now();
    for table in tables.iter_mut().filter(|table| table.kind == TableKind::Table) {
        // The estimate includes deleted rows.
        if started.elapsed() < COUNTING {
            let from: Vec<String> = table.name.name_parts().map(quote_identifier).collect();
            let count = connection
                .query_row(&format!("SELECT count(*) FROM {}", from.join(".")), [], |row| row.get::<_, i64>(0))?;
            table.row_count = u64::try_from(count).ok();
        }
    }
    Ok(tables)
}

fn query_rows(connection: &Connection, question: &str) -> Result<Rows> {
    let mut statement = connection.prepare(&listing::as_text(question))?;
    let mut rows = statement.query([])?;
    let mut read = Rows::new();
    while let Some(row) = rows.next()? {
        let columns = row.as_ref().column_count();
        read.push((0..columns).map(|index| row.get(index)).collect::<Result<_>>()?);
    }
    Ok(read)
}
