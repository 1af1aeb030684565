//! Profiles data table by table (ProSPy, appendix A.1).
//!
//! A table takes a few queries whatever its width: its row count, one aggregate query over all columns, a few hundred
//! sample rows, the top values of all categorical columns in one query, the range of text that contains dates or
//! numbers in another, and one for the values of each nested column. SQLite has no standard deviation and takes one
//! more. Large tables are sampled. The semantic kind of a column is then inferred in [`infer`], which is pure. The same
//! data gives the same profile.

mod approximate;
mod assemble;
mod dates;
mod family;
mod fields;
mod geometry;
mod infer;
mod json;
mod nested;
mod number_form;
mod numbers;
mod options;
mod queries;
mod read;
mod source;
#[cfg(test)]
mod tests;

use futures::StreamExt;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Column, ColumnProfile, Dialect, Profile, SemanticKind, TableProfile};
use vitrine_sql::DialectExt;
use vitrine_sql::dialect::TypeFamily;
use vitrine_warehouse::{Warehouse, WarehouseError};

/// Returns true if a column contains lists, structs, maps or JSON, by its declared type or by the paths in its profile.
pub fn is_nested(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> bool {
    dialect.sql().type_family(&column.data_type) == TypeFamily::Nested
        || profile.is_some_and(|known| !known.paths.is_empty())
}

/// Returns true if a column contains dates or times, by its declared type or, if that differs, by its values. A column
/// of years is treated as numeric.
pub fn holds_dates(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> bool {
    let temporal = dialect.sql().type_family(&column.data_type) == TypeFamily::Temporal;
    !holds_years(column, profile) && (temporal || profile.is_some_and(|known| known.kind == SemanticKind::Time))
}

/// Returns true if a column contains only years, by its declared type or its values.
pub fn holds_years(column: &Column, profile: Option<&ColumnProfile>) -> bool {
    let declared = column.data_type.trim().to_ascii_uppercase();
    declared.starts_with("YEAR") || profile.is_some_and(|known| known.hidden.as_deref() == Some("%Y"))
}

/// Returns true if a column contains searchable words: text that is neither a key, nor dates, nor nested.
pub fn holds_words(column: &Column, profile: Option<&ColumnProfile>, dialect: Dialect) -> bool {
    let words = |kind| matches!(kind, SemanticKind::Dimension | SemanticKind::Text);
    dialect.sql().type_family(&column.data_type) == TypeFamily::Text && profile.is_none_or(|known| words(known.kind))
}

/// Profiles every table. `on_table` is called with each finished profile, the number of finished tables and the total.
///
/// Tables that cannot be read, such as broken views, are omitted. A warehouse without data has an empty profile.
///
/// # Errors
/// Returns an error if cancelled, or if no table could be read.
pub async fn profile_database(
    warehouse: Arc<dyn Warehouse>,
    catalog: &Catalog,
    options: ProfileOptions,
    on_table: impl Fn(&TableProfile, usize, usize),
    cancel: CancellationToken,
) -> Result<Profile, WarehouseError> {
    let total = catalog.tables.len();
    let parallel = options.parallel.max(1);
    let readers: Vec<_> = catalog
        .tables
        .iter()
        .map(|table| read::TableReader::new(Arc::clone(&warehouse), table.clone(), options.clone(), cancel.clone()))
        .collect();
    let mut reading = futures::stream::iter(readers.into_iter().enumerate())
        .map(|(index, reader)| async move { (index, reader.read_profile().await) })
        .buffer_unordered(parallel);
    let mut done: Vec<Option<TableProfile>> = vec![None; total];
    let mut first_error: Option<(usize, WarehouseError)> = None;
    let mut count = 0;
    while let Some((index, outcome)) = reading.next().await {
        count += 1;
        match outcome {
            Ok(table) => {
                on_table(&table, count, total);
                done[index] = Some(table);
            }
            Err(WarehouseError::Cancelled) => return Err(WarehouseError::Cancelled),
            Err(WarehouseError::SchemaOnly) => {
                return Ok(Profile { fingerprint: catalog.fingerprint.clone(), tables: Vec::new(), complete: true });
            }
            Err(error) => {
                tracing::warn!(table = %catalog.tables[index].name, %error, "table left out of the profile");
                if first_error.as_ref().is_none_or(|(first, _)| index < *first) {
                    first_error = Some((index, error));
                }
            }
        }
    }
    let tables: Vec<TableProfile> = done.into_iter().flatten().collect();
    match first_error {
        Some((_, error)) if tables.is_empty() => Err(error),
        _ => Ok(Profile { fingerprint: catalog.fingerprint.clone(), tables, complete: true }),
    }
}

pub use approximate::{ApproximateOptions, ApproximateReport, approximate_profile};
pub(crate) use dates::{days_in, is_iso};
pub use options::ProfileOptions;
pub(crate) use queries::Queries;
pub(crate) use read::LONG_NESTED_ROWS;
pub(crate) use source::{Source, has_row_ids};
