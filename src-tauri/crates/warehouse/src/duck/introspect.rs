//! Reading tables, columns, comments and keys of a DuckDB database that is open here.

use super::listing::{self, Rows};
use super::quote_identifier;
use duckdb::{Connection, Result};
use std::time::{Duration, Instant};
use vitrine_domain::{Table, TableKind};

/// Time for counting rows, over all tables; the engine's estimate stands for the rest.
const COUNTING: Duration = Duration::from_millis(1_500);

/// All tables and views, by schema, then in the order in which they were made.
pub(super) fn read_tables(connection: &Connection) -> Result<Vec<Table>> {
    let mut read = [const { Rows::new() }; 4];
    for (rows, question) in read.iter_mut().zip(listing::QUESTIONS) {
        *rows = query_rows(connection, question)?;
    }
    let mut tables = listing::build_tables(read);
    let started = Instant::now();
    for table in tables.iter_mut().filter(|table| table.kind == TableKind::Table) {
        // The estimate counts deleted rows too.
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
