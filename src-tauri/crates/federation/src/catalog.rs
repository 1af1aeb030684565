//! The tables of all sources in one catalog, and the tables that names in a query mean.

use crate::source::Source;
use vitrine_domain::{Catalog, Table, TableName};
use vitrine_warehouse::{JOIN_DIALECT, WarehouseError};
use vitrine_words::{join_with_or, tr};

/// Maximum number of tables that an error message lists.
const LISTED: usize = 8;

/// Builds the catalog of all sources. Tables of a default schema are in a schema named like the source; others are in their
/// own schema of a database named like the source.
pub(crate) fn merge_catalogs(sources: &[Source]) -> Catalog {
    let mut tables = Vec::new();
    let mut fingerprint = blake3::Hasher::new();
    for source in sources {
        fingerprint.update(source.name.as_bytes()).update(b"\n").update(source.catalog.fingerprint.as_bytes());
        for table in &source.catalog.tables {
            let mut merged = table.clone();
            merged.name = merged_name(source, &table.name);
            for key in &mut merged.foreign_keys {
                key.ref_table = merged_name(source, &key.ref_table);
            }
            merged.definition = None;
            tables.push(merged);
        }
    }
    Catalog {
        database: sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(" + "),
        dialect: JOIN_DIALECT,
        search_path: Vec::new(),
        own_functions: Vec::new(),
        fingerprint: fingerprint.finalize().to_hex()[..32].to_owned(),
        tables,
    }
}

pub(crate) fn merged_name(source: &Source, name: &TableName) -> TableName {
    let own = source.name.clone();
    match schema_of(name) {
        None => TableName { catalog: None, schema: Some(own), name: name.name.clone() },
        Some(schema) => TableName { catalog: Some(own), schema: Some(schema), name: name.name.clone() },
    }
}

/// Returns the schema of a table within its source; schemas of other databases are named with them.
fn schema_of(name: &TableName) -> Option<String> {
    match (&name.catalog, &name.schema) {
        (Some(catalog), Some(schema)) => Some(format!("{catalog}.{schema}")),
        (_, schema) => schema.clone(),
    }
}

/// A table that a query reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundTable {
    /// The place of the source.
    pub source: usize,
    /// The place of the table in the source's catalog.
    pub table: usize,
    /// The schema as written; `None` for `main`, or if the name has two parts.
    pub schema: Option<String>,
    /// The name of the table as written.
    pub name: String,
}

impl FoundTable {
    /// Returns true if both names mean the same table in the same way.
    pub fn is_same(&self, other: &Self) -> bool {
        let schema = |table: &Self| table.schema.as_ref().map(|schema| schema.to_lowercase());
        self.source == other.source && is_same_name(&self.name, &other.name) && schema(self) == schema(other)
    }

    /// Returns the table of the source.
    pub fn table<'s>(&self, sources: &'s [Source]) -> &'s Table {
        &sources[self.source].catalog.tables[self.table]
    }
}

/// Finds the table that a name means.
///
/// # Errors
/// That the name has no source, or that the source has no such table, with the tables that could be meant.
pub(crate) fn find_table(sources: &[Source], parts: &[&str]) -> Result<FoundTable, WarehouseError> {
    let written = parts.join(".");
    let names = || sources.iter().map(|source| source.name.as_str()).collect::<Vec<_>>().join(", ");
    let (source, rest) = match parts {
        [] | [_] => {
            let holders = sources
                .iter()
                .filter(|source| source.catalog.tables.iter().any(|t| is_same_name(&t.name.name, &written)));
            let full: Vec<String> = holders.map(|source| format!("{}.{written}", source.name)).collect();
            let hint = match full.is_empty() {
                true => tr!("Write SOURCE.TABLE; the sources are {names}.", names = names()),
                false => tr!("Write {names}.", names = join_with_or(&full)),
            };
            return Err(WarehouseError::Join { message: tr!("the table {written} names no source", written), hint });
        }
        [source, rest @ ..] => (source, rest),
    };
    let Some(place) = sources.iter().position(|own| is_same_name(&own.name, source)) else {
        return Err(WarehouseError::Join {
            message: tr!("{written} names the source {source}, which does not exist", written, source = *source),
            hint: tr!("Write SOURCE.TABLE; the sources are {names}.", names = names()),
        });
    };
    let catalog = &sources[place].catalog;
    let named: Vec<usize> = (0..catalog.tables.len())
        .filter(|at| rest.last().is_some_and(|name| is_same_name(&catalog.tables[*at].name.name, name)))
        .collect();
    let schema = |at: usize| schema_of(&catalog.tables[at].name);
    let fitting: Vec<usize> = match rest {
        [_] => {
            let own: Vec<usize> = named.iter().copied().filter(|at| schema(*at).is_none()).collect();
            if own.is_empty() { named.clone() } else { own }
        }
        [wanted, _] => named
            .iter()
            .copied()
            .filter(|at| match schema(*at) {
                Some(own) => {
                    is_same_name(&own, wanted) || own.rsplit('.').next().is_some_and(|last| is_same_name(last, wanted))
                }
                None => is_default_schema(catalog, wanted),
            })
            .collect(),
        _ => Vec::new(),
    };
    let exact = fitting.iter().copied().find(|at| rest.last() == Some(&catalog.tables[*at].name.name.as_str()));
    match (fitting.as_slice(), exact) {
        ([only], _) => Ok(build_found(place, *only, rest)),
        ([_, ..], Some(exact)) if fitting.iter().all(|at| schema(*at) == schema(exact)) => {
            Ok(build_found(place, exact, rest))
        }
        ([], _) => Err(WarehouseError::Join {
            message: tr!("{source} has no table {name}", source = sources[place].name, name = rest.join(".")),
            hint: list_tables(&sources[place]),
        }),
        (several, _) => {
            let full: Vec<String> =
                several.iter().map(|at| merged_name(&sources[place], &catalog.tables[*at].name).to_string()).collect();
            Err(WarehouseError::Join {
                message: tr!("{written} may mean several tables", written),
                hint: tr!("Write {names}.", names = join_with_or(&full)),
            })
        }
    }
}

/// Checks that no names of tables and columns differ only in case, because the local engine ignores case.
///
/// # Errors
/// That two tables, or two columns of a table, would have the same name.
pub(crate) fn check_names(found: &[FoundTable], sources: &[Source]) -> Result<(), WarehouseError> {
    for (place, one) in found.iter().enumerate() {
        let table = one.table(sources);
        let full = |table: &Table| merged_name(&sources[one.source], &table.name).to_string();
        if let Some(other) = found[..place].iter().find(|other| one.is_same(other) && one.table != other.table) {
            return Err(same_names_error(full(other.table(sources)), full(table)));
        }
        for (at, column) in table.columns.iter().enumerate() {
            if let Some(other) = table.columns[..at].iter().find(|other| is_same_name(&other.name, &column.name)) {
                let within = |column: &str| format!("{}.{column}", full(table));
                return Err(same_names_error(within(&other.name), within(&column.name)));
            }
        }
    }
    Ok(())
}

fn same_names_error(one: String, other: String) -> WarehouseError {
    WarehouseError::Join {
        message: tr!("the names {one} and {other} cannot be told apart in a join, which ignores case", one, other),
        hint: tr!("Ask about this source alone, or define a view with other names in it."),
    }
}

fn build_found(source: usize, table: usize, rest: &[&str]) -> FoundTable {
    // The default schema of the local engine has this name.
    let schema = match rest {
        [schema, _] if !is_same_name(schema, "main") => Some((*schema).to_owned()),
        _ => None,
    };
    FoundTable { source, table, schema, name: rest.last().copied().unwrap_or_default().to_owned() }
}

fn is_default_schema(catalog: &Catalog, schema: &str) -> bool {
    match catalog.search_path.is_empty() {
        true => is_same_name("main", schema) || is_same_name(&catalog.database, schema),
        false => catalog.search_path.iter().any(|own| is_same_name(own, schema)),
    }
}

fn list_tables(source: &Source) -> String {
    let tables = &source.catalog.tables;
    if tables.is_empty() {
        return tr!("It has no tables.");
    }
    let names: Vec<String> =
        tables.iter().take(LISTED).map(|table| merged_name(source, &table.name).to_string()).collect();
    let more = if tables.len() > LISTED { ", ..." } else { "" };
    tr!("Its tables are {names}.", names = format!("{}{more}", names.join(", ")))
}

pub(crate) fn is_same_name(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}
