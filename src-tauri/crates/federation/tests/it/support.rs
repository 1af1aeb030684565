//! Sources in a folder, and a DuckDB database with the same tables.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;
use vitrine_domain::Page;
use vitrine_federation::{FederatedWarehouse, FetchLimits, Source, SourceRead};
use vitrine_warehouse::{
    Limits, OpenOptions, Warehouse, WarehouseError, WarehouseUri, open_warehouse, prove_read_only, read_page,
};

pub struct Desk {
    pub folder: TempDir,
}

impl Desk {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes an SQLite database and returns its address.
    pub fn sqlite(&self, name: &str, script: &str) -> String {
        let path = self.path(name);
        rusqlite::Connection::open(&path).unwrap().execute_batch(script).unwrap();
        format!("sqlite:{}", path.display())
    }

    /// Writes a DuckDB database and returns its address.
    pub fn duckdb(&self, name: &str, script: &str) -> String {
        let path = self.path(name);
        duckdb::Connection::open(&path).unwrap().execute_batch(script).unwrap();
        format!("duckdb:{}", path.display())
    }

    /// Writes a data file and returns its address.
    pub fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).unwrap();
        format!("file:{}", self.path(name).display())
    }

    /// Opens sources by name and address.
    pub async fn join(&self, sources: &[(&str, &str)]) -> FederatedWarehouse {
        self.join_within(sources, FetchLimits::default()).await
    }

    pub async fn join_within(&self, sources: &[(&str, &str)], bounds: FetchLimits) -> FederatedWarehouse {
        self.compose(self.sources(sources).await, bounds)
    }

    /// Opens sources without joining them.
    pub async fn sources(&self, sources: &[(&str, &str)]) -> Vec<Source> {
        let mut opened = Vec::new();
        for (name, address) in sources {
            let warehouse = open(address).await;
            let catalog = Arc::new(warehouse.load_catalog().await.unwrap());
            opened.push(Source { name: (*name).to_owned(), warehouse, catalog });
        }
        opened
    }

    pub fn compose(&self, sources: Vec<Source>, bounds: FetchLimits) -> FederatedWarehouse {
        FederatedWarehouse::new(sources, self.path("results"), OpenOptions::default(), bounds)
    }
}

pub async fn open(address: &str) -> Arc<dyn Warehouse> {
    open_warehouse(&WarehouseUri::parse(address).unwrap()).await.unwrap_or_else(|error| panic!("{address}: {error}"))
}

pub async fn run(warehouse: &dyn Warehouse, sql: &str) -> Result<Page, WarehouseError> {
    let catalog = warehouse.load_catalog().await?;
    let proven = prove_read_only(sql, &catalog).unwrap_or_else(|refused| panic!("{sql}: {refused}"));
    let limits = Limits { rows: None, ..Limits::default() };
    read_page(warehouse.run_query(&proven, limits, CancellationToken::new()).await?, u64::MAX).await
}

/// Returns the rows of a query with the queries of its sources.
pub async fn rows_of(warehouse: &FederatedWarehouse, sql: &str) -> (Vec<Vec<Option<String>>>, Vec<SourceRead>) {
    let page = run(warehouse, sql).await.unwrap_or_else(|error| panic!("{sql}: {error}"));
    (page.rows, warehouse.last_reads())
}

/// Asserts that each query has the same columns and rows as in a reference database.
pub async fn compare(warehouse: &FederatedWarehouse, reference: &str, queries: &[&str]) {
    let reference = open(reference).await;
    let mut wrong = Vec::new();
    for sql in queries {
        let wanted = run(reference.as_ref(), sql).await.unwrap_or_else(|error| panic!("reference: {sql}: {error}"));
        let found = match run(warehouse, sql).await {
            Ok(found) => found,
            Err(error) => {
                wrong.push(format!("{sql}\n  {error}\n  {:?}", warehouse.last_reads()));
                continue;
            }
        };
        let names = |page: &Page| page.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        let sorted = |page: &Page| {
            let mut rows = page.rows.clone();
            rows.sort();
            rows
        };
        if names(&wanted) != names(&found) || sorted(&wanted) != sorted(&found) {
            let reads: Vec<String> = warehouse.last_reads().into_iter().map(|read| read.sql).collect();
            wrong.push(format!(
                "{sql}\n  {reads:#?}\n  wanted {:?} {:?}\n  found {:?} {:?}",
                names(&wanted),
                sorted(&wanted),
                names(&found),
                sorted(&found)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

pub fn is_empty_folder(path: &Path) -> bool {
    std::fs::read_dir(path).map_or(true, |mut entries| entries.next().is_none())
}
