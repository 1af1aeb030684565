//! Builds the index: streams every column's distinct values from the warehouse into the file.
//!
//! The build is incremental and resumable. A column whose fingerprint is stored is skipped. A column becomes visible,
//! and replaces its previous version, in the transaction that finishes it. The next build removes an unfinished column.
//! Batches are committed as they arrive, so a column of ten million values needs neither memory nor a write-ahead log
//! of its size.

use crate::select::{Source, select_sources};
use crate::writer::Writer;
use crate::{ValueIndex, ValuesError};
use arrow::array::{AsArray, RecordBatch, StringArray};
use arrow::datatypes::DataType;
use futures::StreamExt;
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, Profile};
use vitrine_sql::{DialectExt, ReadOnlySql, quote_identifier, table_ref};
use vitrine_warehouse::{Limits, Warehouse, WarehouseError};

/// Maximum length, in characters, of an indexed value. Longer values are prose, which filters do not misspell. They are
/// omitted rather than truncated, because a truncated value would equal nothing in the database.
pub const LONGEST_VALUE: u32 = 200;
/// Maximum time for one column. Reading ten million distinct values takes seconds; a view over a large join may take
/// longer.
const COLUMN_TIMEOUT: Duration = Duration::from_secs(600);
/// Memory, in bytes, that the engine may use to find a column's distinct values; the rest remains available for
/// packing.
const READING: u64 = 256 << 20;
/// Number of distinct values of average length that fit into this memory. A column with more values is read in several
/// passes.
const PASS: u64 = 3_000_000;
/// Maximum number of passes over one column.
const PASSES: u32 = 64;

/// Progress of a build of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildProgress {
    /// Name of the table that is being read.
    pub table: String,
    /// Name of the column that is being read.
    pub column: String,
    /// Number of columns that are finished or unchanged.
    pub done: usize,
    /// Total number of columns to index.
    pub total: usize,
    /// Number of values that this build has written.
    pub values: u64,
}

/// The result of a build.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BuildReport {
    /// The columns that were read, as (table, column).
    pub read: Vec<(String, String)>,
    /// Number of columns whose values were already stored.
    pub unchanged: usize,
    /// Number of columns removed because they no longer exist or no longer name things.
    pub removed: usize,
    /// Number of values that were written.
    pub values: u64,
    /// The columns that could not be read.
    pub skipped: Vec<SkippedColumn>,
}

/// A column that could not be read, with the reason. The other columns are still indexed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedColumn {
    /// Name of the column's table.
    pub table: String,
    /// Name of the column that was skipped.
    pub column: String,
    /// The error message of the database.
    pub reason: String,
}

impl ValueIndex {
    /// Updates the index for a catalog and its profile. If the profile is unfinished, only the profiled tables are
    /// indexed and the index is not marked as built. `progress` is called before each column and after each batch.
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
            unread: BTreeSet::new(),
        };
        let mut outcome = Ok(());
        for (done, source) in wanted.iter().enumerate() {
            outcome = build.index_column(source, done, wanted.len()).await;
            if outcome.is_err() {
                break;
            }
        }
        // Also packs after a cancellation, because it takes only about a second and makes the values searchable.
        let built = (outcome.is_ok() && profile.complete).then(|| catalog.fingerprint.clone());
        let packed = build.write_blocking(move |writer| writer.pack_segments(built.as_deref())).await;
        outcome.and(packed).map(|()| build.report)
    }
}

struct Build<'a> {
    writer: Arc<Mutex<Writer>>,
    warehouse: &'a dyn Warehouse,
    progress: &'a (dyn Fn(&BuildProgress) + Send + Sync),
    cancel: &'a CancellationToken,
    report: BuildReport,
    /// Frequent values of the current column that were not read yet.
    unread: BTreeSet<String>,
}

impl Build<'_> {
    /// Reads one column unless its values are stored. Fails only if the whole build must end.
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
                // Values that are known only from statistics of the table.
                let unread: Vec<String> = std::mem::take(&mut self.unread).into_iter().collect();
                state.values += self.write_blocking(move |writer| writer.append_values(&unread)).await?;
                self.report.values = state.values;
                self.report.read.push((table, column));
                self.write_blocking(Writer::finish_column).await
            }
            Err(ValuesError::Warehouse(error)) if concerns_one_query(&error) => {
                self.report.skipped.push(SkippedColumn { table, column, reason: error.to_string() });
                self.write_blocking(Writer::abandon_column).await
            }
            Err(error) => {
                // The error that ended the build is returned; the next build repeats a failed cleanup.
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
            // The values are longer than average, or more numerous than estimated.
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
        let fits = |value: &&str| !value.trim().is_empty() && value.chars().count() <= LONGEST_VALUE as usize;
        self.unread = source.frequent.iter().copied().filter(fits).map(str::to_owned).collect();
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
            if !self.unread.is_empty() {
                texts.iter().flatten().for_each(|text| _ = self.unread.remove(text));
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

/// Builds the query for the distinct values in a fixed order, so that two builds of the same data produce the same
/// file. With several passes, each reads the values with its hash or, in engines without a hash function, with its
/// length and outer characters.
fn select_distinct(source: &Source<'_>, dialect: Dialect, pass: u32, passes: u32) -> String {
    let (table, name) = (table_ref(&source.table.name, dialect), quote_identifier(&source.column.name, dialect));
    let text = dialect.sql().distinct_spelling(&dialect.sql().cast_to_text(&name));
    let length = dialect.sql().index_length_function();
    let share = match passes {
        ..2 => String::new(),
        _ => format!(" AND {} = {pass}", dialect.sql().pass_of_value(&text, passes)),
    };
    format!(
        "SELECT DISTINCT {text} AS value FROM {table} WHERE {name} IS NOT NULL AND {length}({text}) BETWEEN 1 AND {LONGEST_VALUE}{share} ORDER BY 1"
    )
}

/// Returns a batch's only column as text.
fn column_texts(batch: &RecordBatch) -> Result<StringArray, ValuesError> {
    let column =
        arrow::compute::cast(batch.column(0), &DataType::Utf8).map_err(|e| WarehouseError::query(e.to_string()))?;
    Ok(column.as_string::<i32>().clone())
}

/// Returns the texts that are neither NULL nor blank.
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

/// Returns the columns that may stay in the file: the wanted ones, and all columns of tables without a profile.
fn to_keep(catalog: &Catalog, profile: &Profile, wanted: &[Source<'_>]) -> HashSet<(String, String)> {
    let known = profile.by_table();
    let unknown = catalog.tables.iter().filter(|t| !known.contains_key(&t.name));
    let unknown = unknown.flat_map(|t| t.columns.iter().map(|c| (t.name.to_string(), c.name.clone())));
    wanted.iter().map(|s| (s.table.name.to_string(), s.column.name.clone())).chain(unknown).collect()
}
