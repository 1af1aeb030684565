//! Sources of a query, and reports of what they delivered.

use serde::Serialize;
use std::sync::Arc;
use vitrine_domain::Catalog;
use vitrine_warehouse::Warehouse;
use vitrine_words::tr;

/// A warehouse under the name that queries use.
#[derive(Clone)]
pub struct Source {
    /// The name, which is a plain identifier.
    pub name: String,
    /// The warehouse, with its own scope, limits, approvals and audit.
    pub warehouse: Arc<dyn Warehouse>,
    /// The tables of the warehouse.
    pub catalog: Arc<Catalog>,
}

/// A query that a source ran for a join.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceRead {
    /// The name of the source.
    pub source: String,
    /// The table as the source names it.
    pub table: String,
    /// The query in the dialect of the source.
    pub sql: String,
    /// The number of rows that the source delivered.
    pub rows: u64,
    /// The size of these rows in memory, in bytes.
    pub bytes: u64,
    /// The duration of the query with the transfer of its rows, in seconds.
    pub seconds: f64,
}

/// The reason why a text cannot be the name of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameFault {
    /// Not a plain identifier.
    NotAnIdentifier,
    /// A name that the local engine uses itself, or a word of SQL.
    Reserved,
}

/// Databases and schemas of the local engine.
const OWN: [&str; 6] = ["main", "temp", "system", "information_schema", "pg_catalog", "memory"];
/// Words that DuckDB does not accept as a qualifier without quotes.
const RESERVED: &str = "all analyse analyze and anti any array as asc asof asymmetric authorization binary both case cast check \
                        collate collation column concurrently constraint create cross default deferrable desc describe \
                        distinct do else end except false fetch for foreign freeze from full glob group having ilike in \
                        initially inner intersect into is isnull join lambda lateral leading left like limit map natural not \
                        notnull null offset on only or order outer overlaps pivot pivot_longer pivot_wider placing \
                        positional primary qualify references returning right select semi show similar some struct summarize \
                        symmetric table tablesample then to trailing true try_cast union unique unpivot using variadic \
                        verbose when where window with";
/// Maximum length of a name in characters.
const LONGEST: usize = 63;

/// Checks the name of a source.
///
/// # Errors
/// The reason why a query could not use the name.
pub fn check_source_name(name: &str) -> Result<(), NameFault> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !starts || name.len() > LONGEST || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(NameFault::NotAnIdentifier);
    }
    let lower = name.to_ascii_lowercase();
    match OWN.contains(&lower.as_str()) || RESERVED.split_whitespace().any(|word| word == lower) {
        true => Err(NameFault::Reserved),
        false => Ok(()),
    }
}

impl NameFault {
    /// Describes the problem with a name, as a sentence without its final period.
    pub fn describe(self, name: &str) -> String {
        match self {
            Self::NotAnIdentifier => {
                tr!("'{name}' cannot name a source: use letters, digits and _, with a letter first", name)
            }
            Self::Reserved => tr!("'{name}' cannot name a source: it has a meaning of its own in SQL", name),
        }
    }
}
