//! A small SQLite database with its catalog and a profile as written by the profiler.

use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, ColumnProfile, Dialect, Profile, SemanticKind, TableProfile};
use vitrine_sql::ReadOnlySql;
use vitrine_values::{BuildReport, SearchOptions, SearchTerm, ValueIndex, ValuesError};
use vitrine_warehouse::{Batches, Checked, Limits, Warehouse, WarehouseError, WarehouseUri};

/// A column: name, declared type, kind, values by row.
pub type Spec<'a> = (&'a str, &'a str, SemanticKind, Vec<&'a str>);

pub struct World {
    pub folder: tempfile::TempDir,
    pub catalog: Catalog,
    pub profile: Profile,
    pub warehouse: Arc<Recording>,
}

impl World {
    pub async fn new(tables: &[(&str, Vec<Spec<'_>>)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data.db");
        let connection = rusqlite::Connection::open(&path).unwrap();
        for (table, columns) in tables {
            let declared: Vec<String> = columns.iter().map(|(name, kind, ..)| format!("\"{name}\" {kind}")).collect();
            connection.execute_batch(&format!("CREATE TABLE \"{table}\"({})", declared.join(", "))).unwrap();
            let rows = columns.iter().map(|c| c.3.len()).max().unwrap_or(0);
            let marks = vec!["?"; columns.len()].join(", ");
            for row in 0..rows {
                let values = columns.iter().map(|c| c.3.get(row).copied());
                connection
                    .execute(&format!("INSERT INTO \"{table}\" VALUES ({marks})"), rusqlite::params_from_iter(values))
                    .unwrap();
            }
        }
        drop(connection);
        let inner =
            vitrine_warehouse::open_warehouse(&WarehouseUri::parse(&format!("sqlite:{}", path.display())).unwrap())
                .await
                .unwrap();
        let catalog = inner.load_catalog().await.unwrap();
        let profile = Profile {
            fingerprint: catalog.fingerprint.clone(),
            tables: catalog
                .tables
                .iter()
                .map(|t| TableProfile {
                    table: t.name.clone(),
                    row_count: Some(0),
                    profiled_rows: 0,
                    columns: tables
                        .iter()
                        .find(|(name, _)| *name == t.name.name)
                        .map(|(_, columns)| columns.iter().map(profiled).collect())
                        .unwrap_or_default(),
                })
                .collect(),
            complete: true,
        };
        Self { folder, catalog, profile, warehouse: Arc::new(Recording::new(inner)) }
    }

    pub fn index_path(&self) -> PathBuf {
        self.folder.path().join("values.db")
    }

    pub async fn build(&self, index: &ValueIndex) -> Result<BuildReport, ValuesError> {
        let warehouse: Arc<dyn Warehouse> = self.warehouse.clone();
        index.build(warehouse, &self.catalog, &self.profile, |_| {}, CancellationToken::new()).await
    }

    /// Builds an index of the whole database.
    pub async fn index(&self) -> ValueIndex {
        let index = ValueIndex::open(&self.index_path()).unwrap();
        self.build(&index).await.unwrap();
        index
    }
}

fn profiled((name, _, kind, values): &Spec<'_>) -> ColumnProfile {
    let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
    values.iter().for_each(|v| *counts.entry(v).or_default() += 1);
    let mut top: Vec<(String, u64)> = counts.iter().map(|(v, n)| ((*v).to_owned(), *n)).collect();
    top.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
    top.truncate(20);
    ColumnProfile {
        name: (*name).to_owned(),
        kind: *kind,
        null_ratio: 0.0,
        distinct: counts.len() as u64,
        min: counts.keys().next().map(|v| (*v).to_owned()),
        max: counts.keys().last().map(|v| (*v).to_owned()),
        mean: None,
        complete: counts.len() <= top.len(),
        top,
        samples: counts.keys().take(5).map(|v| (*v).to_owned()).collect(),
        hidden: None,
        paths: Vec::new(),
        ..ColumnProfile::default()
    }
}

/// A warehouse that records every query.
pub struct Recording {
    inner: Arc<dyn Warehouse>,
    pub queries: Mutex<Vec<String>>,
    /// True if a query over all values at once fails for lack of memory.
    pub short_of_memory: AtomicBool,
}

impl Recording {
    pub fn new(inner: Arc<dyn Warehouse>) -> Self {
        Self { inner, queries: Mutex::default(), short_of_memory: AtomicBool::default() }
    }
}

#[async_trait]
impl Warehouse for Recording {
    fn dialect(&self) -> Dialect {
        self.inner.dialect()
    }
    async fn load_catalog(&self) -> Result<Catalog, WarehouseError> {
        self.inner.load_catalog().await
    }
    async fn check_query(&self, sql: &ReadOnlySql) -> Result<Checked, WarehouseError> {
        self.inner.check_query(sql).await
    }
    async fn run_query(
        &self,
        sql: &ReadOnlySql,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.queries.lock().unwrap().push(sql.as_str().to_owned());
        if self.short_of_memory.load(Ordering::Relaxed) && !sql.as_str().contains(" % 4 = ") {
            return Err(WarehouseError::Memory { megabytes: 1 });
        }
        self.inner.run_query(sql, limits, cancel).await
    }
    async fn close(&self) {
        self.inner.close().await;
    }
}

/// Returns the (column, value) matches of a literal by spelling, in order.
pub fn found(index: &ValueIndex, term: SearchTerm) -> Vec<(String, String)> {
    let matches = index.search(&[term], SearchOptions::default(), None).unwrap();
    matches.into_iter().map(|m| (m.column, m.value)).collect()
}

/// Returns the values that match a literal by spelling, in order.
pub fn values(index: &ValueIndex, literal: &str) -> Vec<String> {
    found(index, SearchTerm::new(literal)).into_iter().map(|(_, value)| value).collect()
}
