//! Several warehouses as one.

use crate::blocking::blocking;
use crate::cache::Cache;
use crate::catalog::{FoundTable, merge_catalogs, merged_name};
use crate::columns::empty_form;
use crate::fetch::{FetchLimits, fetch_table, size_of_rows};
use crate::part::{PartQuery, TablePart};
use crate::plan::{Extent, Plan, split_query};
use crate::source::{Source, SourceRead};
use crate::source_query::{of_source, prove_for};
use crate::whole::whole_query;
use async_trait::async_trait;
use futures::StreamExt;
use futures::future::try_join_all;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, FileReading, QueryPlan, SafetyLayer, TableName};
use vitrine_sql::ReadOnlySql;
use vitrine_warehouse::{
    Batches, Checked, JOIN_DIALECT, JoinedColumn, JoinedTable, Limits, Meters, OpenOptions, Warehouse, WarehouseError,
    open_joined,
};

/// The beginning of the names of folders.
const PREFIX: &str = "join-";
/// The age from which a folder belongs to no running query.
const LEFT_OVER: Duration = Duration::from_secs(24 * 3600);

/// Several warehouses whose tables one query can join.
pub struct FederatedWarehouse {
    sources: Vec<Source>,
    catalog: Arc<Catalog>,
    /// The folder for the files of a query.
    folder: PathBuf,
    /// The options of the local engine.
    options: OpenOptions,
    bounds: FetchLimits,
    reads: Arc<Mutex<Vec<SourceRead>>>,
    /// The rows that were delivered for the same question; `None` if each query reads anew.
    cache: Option<Cache>,
}

/// The rows of all sources of a query.
struct Fetched {
    folder: TempDir,
    /// The tables; true if a table has rows rather than groups.
    parts: Vec<(FoundTable, bool, JoinedTable)>,
    reads: Vec<SourceRead>,
}

impl Fetched {
    /// Returns the delivered rows of a table.
    fn find_rows(&self, table: &FoundTable) -> Option<&JoinedTable> {
        self.parts.iter().find(|(own, has_rows, _)| *has_rows && own.is_same(table)).map(|(_, _, table)| table)
    }
}

/// A part with the query that fetches it.
struct Wanted<'p> {
    number: usize,
    part: &'p TablePart,
    sql: String,
}

impl FederatedWarehouse {
    /// Joins open warehouses. The files of a query are in a folder of its own below `folder` and are removed with its
    /// result.
    pub fn new(sources: Vec<Source>, folder: PathBuf, options: OpenOptions, bounds: FetchLimits) -> Self {
        let catalog = Arc::new(merge_catalogs(&sources));
        Self { sources, catalog, folder, options, bounds, reads: Arc::default(), cache: None }
    }

    /// Returns the same warehouse for the queries of one question: a source delivers the same rows only once. `limit` returns
    /// the warehouse of a source with the limits of one question.
    pub fn for_question(&self, limit: &dyn Fn(&Source) -> Arc<dyn Warehouse>) -> Self {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).clear();
        Self {
            sources: self.sources.iter().map(|own| Source { warehouse: limit(own), ..own.clone() }).collect(),
            catalog: Arc::clone(&self.catalog),
            folder: self.folder.clone(),
            options: self.options.clone(),
            bounds: self.bounds,
            reads: Arc::clone(&self.reads),
            // Without a folder, the first query reports the error.
            cache: create_folder(&self.folder).ok().map(Cache::new),
        }
    }

    /// Returns the name of a source's table in the catalog of all sources.
    pub fn joined_name(&self, source: &str, table: &TableName) -> TableName {
        match self.sources.iter().find(|own| own.name == source) {
            Some(source) => merged_name(source, table),
            None => table.clone(),
        }
    }

    /// Returns the tables of all sources.
    pub fn catalog(&self) -> Arc<Catalog> {
        Arc::clone(&self.catalog)
    }

    /// Returns the queries that the sources ran for the latest query, or for all queries of the latest question.
    pub fn last_reads(&self) -> Vec<SourceRead> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn fetch(&self, plan: &Plan, limits: &Limits, cancel: &CancellationToken) -> Result<Fetched, WarehouseError> {
        let mut fetched =
            Fetched { folder: make_folder(self.folder.clone()).await?, parts: Vec::new(), reads: Vec::new() };
        // Tables that depend on the rows of others come second.
        let (first, second): (Vec<_>, Vec<_>) =
            plan.parts.iter().enumerate().partition(|(_, part)| part.reductions.is_empty());
        for parts in [first, second] {
            let mut wanted = Vec::new();
            for (number, part) in parts {
                let mut further = Vec::new();
                for reduction in &part.reductions {
                    if let Some(table) = fetched.find_rows(&reduction.by) {
                        further.extend(reduction.read_filter(fetched.folder.path(), table).await?);
                    }
                }
                // Every part can be written, as the plan has checked.
                let sql = part.write(&self.sources, &further).unwrap_or_default();
                wanted.push(Wanted { number, part, sql });
            }
            let by_source = self.sources.iter().enumerate().map(|(place, _)| {
                let own: Vec<&Wanted<'_>> = wanted.iter().filter(|wanted| wanted.part.table.source == place).collect();
                self.fetch_from_source(own, fetched.folder.path(), limits, cancel)
            });
            for (part, table, read) in try_join_all(by_source).await?.into_iter().flatten() {
                fetched.parts.push((part.table.clone(), matches!(part.query, PartQuery::Rows { .. }), table));
                fetched.reads.extend(read);
            }
        }
        Ok(fetched)
    }

    /// Fetches the parts of one source, one after another.
    async fn fetch_from_source<'p>(
        &self,
        wanted: Vec<&Wanted<'p>>,
        folder: &Path,
        limits: &Limits,
        cancel: &CancellationToken,
    ) -> Result<Vec<(&'p TablePart, JoinedTable, Option<SourceRead>)>, WarehouseError> {
        let mut fetched = Vec::new();
        for Wanted { number, part, sql } in wanted {
            let (source, place) = (&self.sources[part.table.source], (folder, *number));
            let known = match &self.cache {
                Some(cache) => cache.find(&source.name, (*part, sql), place).await?,
                None => None,
            };
            if let Some(table) = known {
                fetched.push((*part, table, None));
                continue;
            }
            let (table, read) = fetch_table(source, (*part, sql), place, (limits, self.bounds), cancel).await?;
            if let Some(cache) = &self.cache {
                cache.keep((*part, sql), folder, &table, &read).await?;
            }
            fetched.push((*part, table, Some(read)));
        }
        Ok(fetched)
    }

    /// Lets one source run the whole query.
    async fn run_whole(
        &self,
        place: usize,
        sql: ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (source, began) = (&self.sources[place], Instant::now());
        let ran = source.warehouse.run_query(&sql, limits, cancel).await;
        let mut batches = ran.map_err(|error| of_source(source, error))?;
        self.note_reads(vec![SourceRead {
            source: source.name.clone(),
            table: String::new(),
            sql: sql.as_str().to_owned(),
            rows: 0,
            bytes: 0,
            seconds: 0.0,
        }]);
        let (reads, text, source) = (Arc::clone(&self.reads), sql.as_str().to_owned(), source.clone());
        let stream = std::mem::replace(&mut batches.stream, futures::stream::empty().boxed());
        batches.stream = stream
            .map(move |batch| {
                let batch = batch.map_err(|error| of_source(&source, error))?;
                let mut reads = reads.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(read) = reads.iter_mut().rfind(|read| read.sql == text) {
                    read.rows += batch.num_rows() as u64;
                    read.bytes += size_of_rows(&batch);
                    read.seconds = began.elapsed().as_secs_f64();
                }
                Ok(batch)
            })
            .boxed();
        Ok(batches)
    }

    fn note_reads(&self, reads: Vec<SourceRead>) {
        let mut known = self.reads.lock().unwrap_or_else(PoisonError::into_inner);
        if self.cache.is_none() {
            known.clear();
        }
        known.extend(reads);
    }

    /// Runs the parts of a query and joins their rows.
    async fn run_plan(
        &self,
        plan: &Plan,
        limits: &Limits,
        cancel: &CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let Fetched { folder, parts, reads } = self.fetch(plan, limits, cancel).await?;
        self.note_reads(reads);
        let tables = parts.into_iter().map(|(_, _, table)| table).collect();
        let local = open_joined(folder.path(), tables, &self.options).await?;
        // The local engine costs nothing.
        let limits = Limits { billed_bytes: None, meters: Meters::default(), ..limits.clone() };
        let mut batches = local.run_query(&plan.joining, limits, cancel.clone()).await?;
        let held = (folder, local);
        let stream = std::mem::replace(&mut batches.stream, futures::stream::empty().boxed());
        batches.stream = stream
            .map(move |batch| {
                let _ = &held;
                batch
            })
            .boxed();
        Ok(batches)
    }

    async fn check_plan(&self, plan: &Plan) -> Result<Checked, WarehouseError> {
        let (tables, bytes, metered) = self.check_parts(plan).await?;
        let folder = make_folder(self.folder.clone()).await?;
        let local = open_joined(folder.path(), tables, &self.options).await?;
        let checked = local.check_query(&plan.joining).await;
        local.close().await;
        Ok(Checked { bytes, metered, ..checked? })
    }

    /// Returns the error of the local engine over all columns, which lists the columns that an unknown name may mean.
    async fn explain_error(&self, sql: &ReadOnlySql, error: WarehouseError) -> WarehouseError {
        let is_of_name = matches!(&error, WarehouseError::Query { message } if message.contains("not found"));
        let plan = split_query(sql, &self.sources, Extent::AllColumns).ok().filter(|_| is_of_name);
        match plan {
            Some(plan) => self.check_plan(&plan).await.err().unwrap_or(error),
            None => error,
        }
    }

    /// Prepares the queries of the sources; returns the tables without rows, and the sum of the estimates.
    async fn check_parts(&self, plan: &Plan) -> Result<(Vec<JoinedTable>, Option<u64>, Option<u64>), WarehouseError> {
        let (mut tables, mut bytes, mut metered) = (Vec::new(), None, None);
        for part in &plan.parts {
            let source = &self.sources[part.table.source];
            let sql = prove_for(source, &part.write(&self.sources, &[]).unwrap_or_default())?;
            let checked = source.warehouse.check_query(&sql).await.map_err(|error| of_source(source, error))?;
            bytes = add_known(bytes, checked.bytes);
            metered = add_known(metered, checked.metered);
            let columns = part.columns.iter().zip(&checked.columns).map(|(column, result)| JoinedColumn {
                name: column.name.clone(),
                stored: String::new(),
                form: empty_form(result.cell_type, &column.data_type, source.catalog.dialect),
            });
            tables.push(JoinedTable {
                source: source.name.clone(),
                schema: part.table.schema.clone(),
                name: part.name.clone(),
                file: None,
                columns: columns.collect(),
            });
        }
        Ok((tables, bytes, metered))
    }
}

/// Returns true if a database could not run a query.
fn is_of_query(error: &WarehouseError) -> bool {
    match error {
        WarehouseError::OfSource { error, .. } => is_of_query(error),
        error => matches!(error, WarehouseError::Query { .. }),
    }
}

fn add_known(sum: Option<u64>, more: Option<u64>) -> Option<u64> {
    match (sum, more) {
        (Some(sum), Some(more)) => Some(sum + more),
        (sum, more) => sum.or(more),
    }
}

async fn make_folder(below: PathBuf) -> Result<TempDir, WarehouseError> {
    blocking(move || create_folder(&below)).await
}

fn create_folder(below: &Path) -> Result<TempDir, WarehouseError> {
    remove_old_folders(below);
    let made = std::fs::create_dir_all(below).and_then(|()| tempfile::Builder::new().prefix(PREFIX).tempdir_in(below));
    made.map_err(|error| WarehouseError::Io {
        action: "writing".to_owned(),
        path: below.to_path_buf(),
        message: error.to_string(),
        disk_full: vitrine_domain::is_disk_full(&error),
    })
}

/// Removes the folders of queries that a killed program left behind.
fn remove_old_folders(below: &Path) {
    let is_old = |entry: &std::fs::DirEntry| {
        let changed = entry.metadata().and_then(|metadata| metadata.modified()).ok();
        let age = changed.and_then(|changed| changed.elapsed().ok());
        entry.file_name().to_string_lossy().starts_with(PREFIX) && age.is_some_and(|age| age > LEFT_OVER)
    };
    for entry in std::fs::read_dir(below).into_iter().flatten().flatten().filter(is_old) {
        let _ = std::fs::remove_dir_all(entry.path());
    }
}

#[async_trait]
impl Warehouse for FederatedWarehouse {
    fn dialect(&self) -> Dialect {
        JOIN_DIALECT
    }

    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        Ok(self.catalog.as_ref().clone())
    }

    async fn file_readings(&self) -> Result<Vec<FileReading>, WarehouseError> {
        let mut readings = Vec::new();
        for source in &self.sources {
            let own = source.warehouse.file_readings().await.map_err(|error| of_source(source, error))?;
            readings.extend(own.into_iter().map(|reading| {
                let table = format!("{}.{}", source.name, reading.table);
                FileReading { table, ..reading }
            }));
        }
        Ok(readings)
    }

    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        let plan = split_query(sql, &self.sources, Extent::Rows)?;
        match self.check_plan(&plan).await {
            Err(error) => Err(self.explain_error(sql, error).await),
            checked => checked,
        }
    }

    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        if let Some((place, own)) = whole_query(sql, &self.sources) {
            return self.run_whole(place, own, limits, cancel).await;
        }
        let plan = split_query(sql, &self.sources, Extent::Groups)?;
        let ran = self.run_plan(&plan, &limits, &cancel).await;
        let ran = match ran {
            // The local engine may refuse the combination of groups, and a source its groups, but not the query itself.
            Err(error) if plan.is_grouped && is_of_query(&error) => {
                self.run_plan(&split_query(sql, &self.sources, Extent::Rows)?, &limits, &cancel).await
            }
            ran => ran,
        };
        match ran {
            Err(error) => Err(self.explain_error(sql, error).await),
            ran => ran,
        }
    }

    async fn query_plan(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<QueryPlan, WarehouseError> {
        let plan = split_query(sql, &self.sources, Extent::Rows)?;
        let (tables, ..) = self.check_parts(&plan).await?;
        let folder = make_folder(self.folder.clone()).await?;
        let local = open_joined(folder.path(), tables, &self.options).await?;
        let planned = local.query_plan(&plan.joining, limits, cancel).await;
        local.close().await;
        planned
    }

    async fn safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        let mut layers = Vec::new();
        for source in &self.sources {
            layers.extend(source.warehouse.safety_layers().await.map_err(|error| of_source(source, error))?);
        }
        Ok(layers)
    }

    // The caller, which opened the sources, closes them.
    async fn close(&self) {}
}
