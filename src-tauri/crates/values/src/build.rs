//! Building: every column's distinct values stream from the warehouse into the file.
//!
//! Incremental and resumable: a column whose fingerprint is on file is left alone; a column becomes visible, and replaces
//! its former self, in the transaction that finishes it; one that was cut off is cleared away by the next build. Batches
//! are committed as they come, so that a column of ten million values needs neither memory nor a write-ahead log of
//! its size.

use crate::select::{Source, select_sources};
use crate::writer::Writer;
use crate::{ValueIndex, ValuesError};
use arrow::array::{AsArray, RecordBatch, StringArray};
use arrow::datatypes::DataType;
use futures::StreamExt;
use parking_lot::Mutex;
use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::{ReadOnlySql, quote_identifier, table_ref};
use vitrine_warehouse::{Limits, Warehouse, WarehouseError};

/// Longest value that is indexed, in characters. Longer ones are prose, in which nobody misspells a filter value; they are
/// left out, not cut, because a cut value would equal nothing in the database.
pub const LONGEST_VALUE: u32 = 200;
/// Time that one column may take. Reading ten million distinct values takes seconds; a view over a large join may not.
const COLUMN_TIMEOUT: Duration = Duration::from_secs(600);
/// Memory that the engine may take to tell a column's values apart; what it is spared is there for packing them.
const READING: u64 = 256 << 20;
/// Values of a common length that this memory can tell apart; a column of more is read in several passes.
const PASS: u64 = 3_000_000;
/// Most passes over one column.
const PASSES: u32 = 64;

/// How far a build has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildProgress {
    /// The table being read.
    pub table: String,
    /// The column being read.
    pub column: String,
    /// Columns finished or found unchanged.
    pub done: usize,
    /// Columns in all.
    pub total: usize,
    /// Values written by this build.
    pub values: u64,
}

/// What a build did.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BuildReport {
    /// Columns read, as (table, column).
    pub read: Vec<(String, String)>,
    /// Columns whose values were on file already.
    pub unchanged: usize,
    /// Columns removed because they are gone or no longer name things.
    pub removed: usize,
    /// Values written.
    pub values: u64,
    /// Columns that could not be read.
    pub skipped: Vec<SkippedColumn>,
}

/// A column that could not be read, and why. The others are indexed all the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedColumn {
    /// Its table.
    pub table: String,
    /// The column.
    pub column: String,
    /// The database's own words.
    pub reason: String,
}

impl ValueIndex {
    /// Brings the index up to date with a catalog and its profile. With an unfinished profile, the tables profiled so far
    /// are indexed and the index does not count as built. `progress` is called before each column and after each batch.
    pub async fn build(
        &self,
        warehouse: Arc<dyn Warehouse>,
        catalog: &Catalog,
        profile: &Profile,
        progress: impl Fn(&BuildProgress) + Send + Sync,
        cancel: CancellationToken,
    ) -> Result<BuildReport, ValuesError> {
        let _one_at_a_time = self.building.lock().await;
        let wanted = select_sources(catalog, profile);
        let (path, keep, fingerprint) =
            (self.path.clone(), to_keep(catalog, profile, &wanted), catalog.fingerprint.clone());
        let (writer, removed) =
            tokio::task::spawn_blocking(move || Writer::start_build(&path, &keep, &fingerprint)).await??;
        let mut build = Build {
            writer: Arc::new(Mutex::new(writer)),
            warehouse: warehouse.as_ref(),
            progress: &progress,
            cancel: &cancel,
            report: BuildReport { removed, ..BuildReport::default() },
        };
        let mut outcome = Ok(());
        for (done, source) in wanted.iter().enumerate() {
            outcome = build.index_column(source, done, wanted.len()).await;
            if outcome.is_err() {
                break;
            }
        }
        // Also after a cancellation: packing takes about a second and makes what was read findable.
        let built = (outcome.is_ok() && profile.complete).then(|| catalog.fingerprint.clone());
        let packed = build.write_blocking(move |writer| writer.pack_segments(built.as_deref())).await;
        outcome.and(packed).map(|()| build.report)
    }
}

/// One build in progress.
struct Build<'a> {
    writer: Arc<Mutex<Writer>>,
    warehouse: &'a dyn Warehouse,
    progress: &'a (dyn Fn(&BuildProgress) + Send + Sync),
    cancel: &'a CancellationToken,
    report: BuildReport,
}

impl Build<'_> {
    /// Reads one column unless its values are on file. Fails only when the whole build has to end.
    async fn index_column(&mut self, source: &Source<'_>, done: usize, total: usize) -> Result<(), ValuesError> {
        if self.cancel.is_cancelled() {
            return Err(ValuesError::Cancelled);
        }
        let (table, column) = (source.table.name.to_string(), source.column.name.clone());
        let mut state =
            BuildProgress { table: table.clone(), column: column.clone(), done, total, values: self.report.values };
        (self.progress)(&state);
        let fingerprint = source.fingerprint.clone();
        let begun = {
            let (table, column) = (table.clone(), column.clone());
            self.write_blocking(move |writer| writer.begin_column(&table, &column, &fingerprint)).await?
        };
        if !begun {
            self.report.unchanged += 1;
            return Ok(());
        }
        match self.read_column(source, &mut state).await {
            Ok(()) => {
                self.report.values = state.values;
                self.report.read.push((table, column));
                self.write_blocking(Writer::finish_column).await
            }
            Err(ValuesError::Warehouse(error)) if concerns_one_query(&error) => {
                self.report.skipped.push(SkippedColumn { table, column, reason: error.to_string() });
                self.write_blocking(Writer::abandon_column).await
            }
            Err(error) => {
                // The error that ended the build is the one to tell; a failure to clear up is made good by the next
                // build.
                let _ = self.write_blocking(Writer::abandon_column).await;
                Err(error)
            }
        }
    }

    async fn read_column(&mut self, source: &Source<'_>, state: &mut BuildProgress) -> Result<(), ValuesError> {
        let before = state.values;
        let mut passes = source.distinct.div_ceil(PASS).clamp(1, u64::from(PASSES)) as u32;
        while let Err(error) = self.read_passes(source, passes, state).await {
            let lacked_memory = matches!(error, ValuesError::Warehouse(WarehouseError::Memory { .. }));
            if !lacked_memory || passes == PASSES {
                return Err(error);
            }
            // Longer values than most, or more than were estimated.
            passes = (passes * 4).min(PASSES);
            state.values = before;
            self.write_blocking(Writer::restart_column).await?;
        }
        Ok(())
    }

    async fn read_passes(
        &mut self,
        source: &Source<'_>,
        passes: u32,
        state: &mut BuildProgress,
    ) -> Result<(), ValuesError> {
        for pass in 0..passes {
            self.read_pass(source, pass, passes, state).await?;
        }
        Ok(())
    }

    async fn read_pass(
        &mut self,
        source: &Source<'_>,
        pass: u32,
        passes: u32,
        state: &mut BuildProgress,
    ) -> Result<(), ValuesError> {
        let dialect = self.warehouse.dialect();
        let sql = select_distinct(source, dialect, pass, passes);
        let sql = ReadOnlySql::parse(&sql, dialect).map_err(|e| WarehouseError::query(e.to_string()))?;
        let limits = Limits { rows: None, timeout: COLUMN_TIMEOUT, memory_bytes: Some(READING), ..Limits::default() };
        let mut batches =
            self.warehouse.run_query(&sql, limits, self.cancel.child_token()).await.map_err(to_values_error)?;
        while let Some(batch) = batches.stream.next().await {
            let texts = column_texts(&batch.map_err(to_values_error)?)?;
            if self.cancel.is_cancelled() {
                return Err(ValuesError::Cancelled);
            }
            state.values += self.write_blocking(move |writer| writer.append_values(&non_blank_texts(&texts))).await?;
            (self.progress)(state);
        }
        Ok(())
    }

    /// Runs a step of the writer on a blocking thread.
    async fn write_blocking<T: Send + 'static>(
        &self,
        step: impl FnOnce(&mut Writer) -> Result<T, ValuesError> + Send + 'static,
    ) -> Result<T, ValuesError> {
        let writer = Arc::clone(&self.writer);
        tokio::task::spawn_blocking(move || step(&mut writer.lock())).await?
    }
}

/// Distinct values in a fixed order, so that two builds of the same data give the same file. With several passes, each
/// takes the values whose hash falls to it, or, in engines without one, whose length and outer letters do.
fn select_distinct(source: &Source<'_>, dialect: Dialect, pass: u32, passes: u32) -> String {
    let (table, name) = (table_ref(&source.table.name, dialect), quote_identifier(&source.column.name, dialect));
    let text = match dialect {
        // Values that a collation takes for equal are still written in more than one way.
        Dialect::Mysql => format!("CAST({name} AS CHAR) COLLATE utf8mb4_bin"),
        other => format!("CAST({name} AS {})", other.text_type()),
    };
    let length = if dialect == Dialect::Mysql { "char_length" } else { "length" };
    let share = match (passes, dialect) {
        (..2, _) => String::new(),
        // Half the time: no letter has to be decoded.
        (_, Dialect::Duckdb) => format!(" AND hash({text}) % {passes} = {pass}"),
        (_, Dialect::Clickhouse) => format!(" AND cityHash64({text}) % {passes} = {pass}"),
        (_, Dialect::Databricks) => format!(" AND pmod(xxhash64({text}), {passes}) = {pass}"),
        (_, other) => {
            let code = if matches!(other, Dialect::Postgres | Dialect::Mysql) { "ascii" } else { "unicode" };
            format!(
                " AND ({length}({text}) * 31 + {code}({text}) * 7 + {code}(substr({text}, {length}({text}), 1))) % {passes} = {pass}"
            )
        }
    };
    format!(
        "SELECT DISTINCT {text} AS value FROM {table} WHERE {name} IS NOT NULL AND {length}({text}) BETWEEN 1 AND {LONGEST_VALUE}{share} ORDER BY 1"
    )
}

/// A batch's only column as text.
fn column_texts(batch: &RecordBatch) -> Result<StringArray, ValuesError> {
    let column =
        arrow::compute::cast(batch.column(0), &DataType::Utf8).map_err(|e| WarehouseError::query(e.to_string()))?;
    Ok(column.as_string::<i32>().clone())
}

/// The texts that are there and say something.
fn non_blank_texts(texts: &StringArray) -> Vec<&str> {
    texts.iter().flatten().filter(|t| !t.trim().is_empty()).collect()
}

fn to_values_error(error: WarehouseError) -> ValuesError {
    match error {
        WarehouseError::Cancelled => ValuesError::Cancelled,
        other => ValuesError::Warehouse(other),
    }
}

fn concerns_one_query(error: &WarehouseError) -> bool {
    use WarehouseError::{Memory, Query, Refused, Timeout};
    matches!(error, Query { .. } | Timeout { .. } | Memory { .. } | Refused { .. })
}

/// The columns that may stay in the file: the wanted ones, and those of tables of which nothing is known yet.
fn to_keep(catalog: &Catalog, profile: &Profile, wanted: &[Source<'_>]) -> HashSet<(String, String)> {
    let known = profile.by_table();
    let unknown = catalog.tables.iter().filter(|t| !known.contains_key(&t.name));
    let unknown = unknown.flat_map(|t| t.columns.iter().map(|c| (t.name.to_string(), c.name.clone())));
    wanted.iter().map(|s| (s.table.name.to_string(), s.column.name.clone())).chain(unknown).collect()
}
