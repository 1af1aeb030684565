//! Schemas without data: `.sql` scripts and the tables of definitions (`DDL.csv`) of benchmarks. They serve to explore
//! a schema, to compress it, and to write SQL for a database that is not accessible.

mod dialect;
mod engine;
mod find;
mod list;
mod records;

use crate::definition::view_query;
use crate::{Batches, Checked, Limits, Warehouse, WarehouseError, fingerprint, regular};
use async_trait::async_trait;
use find::{FolderNames, Source, SourceKind};
use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, QueryPlan, SafetyKind, SafetyLayer, SafetyState, Table};
use vitrine_sql::{DialectExt, ReadOnlySql};
use vitrine_words::tr;

pub(crate) use engine::ENGINE;
pub(crate) use find::{is_schema_table, looks_like_schema_folder};

/// A warehouse with a catalog but no data.
pub(crate) struct SchemaWarehouse {
    catalog: Arc<Catalog>,
}

impl SchemaWarehouse {
    pub(crate) fn open(path: &Path) -> Result<Self, WarehouseError> {
        let sources = find::find_sources(path)?;
        let texts = read_all(&sources)?;
        let dialect = dialect::detect_dialect(path, texts.iter().map(String::as_str));
        let mut tables = merge_tables(parse_all(&sources, &texts, dialect));
        complete_keys(&mut tables);
        // Comments are treated as in a database's catalog: limited in length, without file locations.
        for table in &mut tables {
            table.definition = table.definition.as_deref().and_then(view_query);
        }
        if tables.is_empty() {
            return Err(WarehouseError::Empty {
                path: path.to_path_buf(),
                looked_for: tr!("CREATE TABLE statements, in .sql files or in a DDL.csv"),
            });
        }
        let database = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let catalog = Catalog {
            database,
            dialect,
            search_path: Vec::new(),
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables,
        };
        Ok(Self { catalog: Arc::new(fingerprint::set_fingerprint(catalog, "")) })
    }
}

fn read_all(sources: &[Source]) -> Result<Vec<String>, WarehouseError> {
    let read = |source: &Source| {
        let mut bytes = Vec::new();
        regular::open_file(&source.path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|error| WarehouseError::from_io_error("reading", &source.path, &error))?;
        Ok(String::from_utf8(bytes).unwrap_or_else(|bad| String::from_utf8_lossy(bad.as_bytes()).into_owned()))
    };
    sources.iter().map(read).collect()
}

/// Parses on all processors, because a schema may have hundreds of thousands of columns; keeps the order.
fn parse_all(sources: &[Source], texts: &[String], dialect: Dialect) -> Vec<Table> {
    let several_lists = sources.iter().filter(|source| source.kind == SourceKind::List).count() > 1;
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let mut parsed: Vec<(usize, Vec<Table>)> = std::thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let index = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let (Some(source), Some(text)) = (sources.get(index), texts.get(index)) else { return done };
                done.push((index, parse_source(source, text, dialect, several_lists)));
            }
        };
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    });
    parsed.sort_by_key(|(index, _)| *index);
    parsed.into_iter().flat_map(|(_, tables)| tables).collect()
}

fn parse_source(source: &Source, text: &str, dialect: Dialect, several_lists: bool) -> Vec<Table> {
    let mut tables = match source.kind {
        SourceKind::List => list::parse_table_list(text, dialect),
        SourceKind::Record => records::parse_table_record(text),
        SourceKind::Script => vitrine_ddl::parse(text, dialect).unwrap_or_default(),
    };
    let has_schema_folders = dialect.sql().has_schema_folders();
    // Otherwise tables of the same name in different databases would be merged.
    if has_schema_folders || (several_lists && source.kind == SourceKind::List) {
        let place = FolderNames {
            catalog: source.place.catalog.clone().filter(|_| has_schema_folders),
            ..source.place.clone()
        };
        tables.iter_mut().for_each(|table| qualify_table(table, &place));
    }
    tables
}

/// Sets schema and database of a table from its folders, if its definition does not contain them.
fn qualify_table(table: &mut Table, place: &FolderNames) {
    let complete = |name: &mut vitrine_domain::TableName| {
        if name.schema.is_none() {
            name.schema.clone_from(&place.schema);
        }
        if name.catalog.is_none() && name.schema.is_some() {
            name.catalog.clone_from(&place.catalog);
        }
    };
    complete(&mut table.name);
    for key in &mut table.foreign_keys {
        complete(&mut key.ref_table);
    }
}

/// Merges descriptions of the same table from several files, such as columns from one and comments from another.
fn merge_tables(tables: Vec<Table>) -> Vec<Table> {
    let mut places: HashMap<String, usize> = HashMap::with_capacity(tables.len());
    let mut merged: Vec<Table> = Vec::with_capacity(tables.len());
    for table in tables {
        let Some(&at) = places.get(&table.name.to_string().to_lowercase()) else {
            places.insert(table.name.to_string().to_lowercase(), merged.len());
            merged.push(table);
            continue;
        };
        let known = &mut merged[at];
        known.comment = known.comment.take().or(table.comment);
        known.row_count = known.row_count.or(table.row_count);
        known.definition = known.definition.take().or(table.definition);
        if known.columns.is_empty() {
            known.columns = table.columns;
            known.primary_key = table.primary_key;
            known.foreign_keys = table.foreign_keys;
            continue;
        }
        let comments: HashMap<String, String> = table
            .columns
            .into_iter()
            .filter_map(|column| Some((column.name.to_lowercase(), column.comment?)))
            .collect();
        for column in known.columns.iter_mut().filter(|column| column.comment.is_none()) {
            column.comment = comments.get(&column.name.to_lowercase()).cloned();
        }
    }
    merged
}

/// Resolves `REFERENCES parent` without columns to the parent's primary key, which dumps may declare later.
fn complete_keys(tables: &mut [Table]) {
    let implicit = |table: &Table| table.foreign_keys.iter().any(|key| key.ref_columns.is_empty());
    if !tables.iter().any(implicit) {
        return;
    }
    let keys: HashMap<String, Vec<String>> =
        tables.iter().map(|table| (table.name.to_string().to_lowercase(), table.primary_key.clone())).collect();
    for table in tables {
        for key in table.foreign_keys.iter_mut().filter(|key| key.ref_columns.is_empty()) {
            key.ref_columns = keys.get(&key.ref_table.to_string().to_lowercase()).cloned().unwrap_or_default();
        }
        let mut known = Vec::new();
        table.foreign_keys.retain(|key| {
            let good = key.ref_columns.len() == key.columns.len() && !known.contains(key);
            known.push(key.clone());
            good
        });
    }
}

#[async_trait]
impl Warehouse for SchemaWarehouse {
    fn dialect(&self) -> Dialect {
        self.catalog.dialect
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        Ok(Catalog::clone(&self.catalog))
    }

    async fn check_query(&self, _: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        Err(WarehouseError::SchemaOnly)
    }

    async fn run_query(&self, _: &ReadOnlySql, _: Limits, _: CancellationToken) -> Result<Batches, WarehouseError> {
        Err(WarehouseError::SchemaOnly)
    }

    async fn query_plan(&self, _: &ReadOnlySql, _: Limits, _: CancellationToken) -> Result<QueryPlan, WarehouseError> {
        Err(WarehouseError::SchemaOnly)
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let says = tr!("There are only definitions and no database: no query runs.");
        let how = tr!("The address names a schema without data.");
        Ok(vec![SafetyLayer::new(SafetyKind::Engine, SafetyState::Holds, says, how)])
    }

    async fn close(&self) {}
}

#[cfg(test)]
mod tests;
