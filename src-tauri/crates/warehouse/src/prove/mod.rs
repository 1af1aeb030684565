//! Proving that a text only reads. First by the parser of `vitrine-sql`, whose tree the rest of the program works with;
//! where that cannot read the text, by the engine's own parser, held to the same lists of functions. Such a query runs as
//! it is written, and nothing but its text is known of it.

mod duck;
mod postgres;
mod sqlite;
mod unread;

use unread::Unread;
use vitrine_domain::{Catalog, Dialect};
use vitrine_sql::{AllowedFunctions, ReadOnlySql, Reading, SqlRejection, statement_text};

/// Room for the deepest tree that an engine gives within the bounds of `statement_text`.
const STACK: usize = 64 << 20;

/// Proves that a text is one query over `catalog` that only reads. May take some milliseconds where an engine is asked.
///
/// # Errors
/// Why it is not. Where neither parser reads the text, the error is that of the first.
pub fn prove(text: &str, catalog: &Catalog) -> Result<ReadOnlySql, SqlRejection> {
    prove_with(text, catalog, &AllowedFunctions::default())
}

/// [`prove`] where functions of the database may be called besides those known to be harmless.
///
/// # Errors
/// As [`prove`].
pub fn prove_with(text: &str, catalog: &Catalog, allowed: &AllowedFunctions) -> Result<ReadOnlySql, SqlRejection> {
    let dialect = catalog.dialect;
    let first = match ReadOnlySql::parse_with(text, dialect, allowed) {
        Err(first @ (SqlRejection::Syntax { .. } | SqlRejection::Unclear { .. })) => first,
        proven => return proven,
    };
    let read: fn(&str, &Catalog) -> Result<Reading, Unread> = match dialect {
        Dialect::Duckdb => |text, _| duck::read(text),
        Dialect::Sqlite => sqlite::read,
        Dialect::Postgres => |text, _| postgres::read(text),
        Dialect::Snowflake | Dialect::Bigquery => return Err(first),
    };
    let statement = statement_text(text, dialect)?;
    match on_a_large_stack(|| read(statement, catalog)) {
        Ok(reading) => ReadOnlySql::from_reading(statement, dialect, &reading, allowed),
        Err(Unread::Refused(rejection)) => Err(rejection),
        Err(Unread::NotSql) => Err(first),
    }
}

/// Trees are walked by recursion; a panic on the way is no proof.
fn on_a_large_stack(read: impl FnOnce() -> Result<Reading, Unread> + Send) -> Result<Reading, Unread> {
    std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().name("proof".to_owned()).stack_size(STACK).spawn_scoped(scope, read);
        match reader.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(reading)) => reading,
            Ok(Err(_)) | Err(_) => Err(Unread::engine("the database's parser did not finish with the statement")),
        }
    })
}

#[cfg(test)]
#[path = "../tests/prove.rs"]
mod tests;

#[cfg(test)]
#[path = "../tests/prove_fuzz.rs"]
mod fuzz;
