//! Masks against real engines: statements that try to show a masked column, and ordinary ones beside them. The files in
//! `masks` hold one statement a line. A hostile one names the column `leak`, or shows the value in any way.

use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_agents::run::egress::{Egress, MASKED};
use vitrine_domain::{Catalog, EgressPolicy, Page, Profile};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_warehouse::{Limits, Warehouse, WarehouseUri, open_warehouse, prove_read_only, read_page};

const COMMON: &str = include_str!("masks/common.sql");
const TABLES: &str = include_str!("masks/tables.sql");

/// A database with its masked columns, `people.code` and `people.salary`.
struct Masked {
    warehouse: Arc<dyn Warehouse>,
    catalog: Catalog,
    egress: Egress,
}

impl Masked {
    async fn open(address: &str) -> Self {
        let warehouse = open_warehouse(&WarehouseUri::parse(address).expect("an address")).await.expect("a database");
        let catalog = warehouse.load_catalog().await.expect("a catalog");
        let schema = catalog.tables[0].name.schema.as_deref().map(|schema| format!("{schema}.")).unwrap_or_default();
        let masked = ["code", "salary"].map(|column| format!("{schema}people.{column}")).to_vec();
        let policy = EgressPolicy { mask_personal: false, masked, ..EgressPolicy::default() };
        let egress = Egress::new(policy, &catalog, &Profile::default());
        Self { warehouse, catalog, egress }
    }

    /// Runs a query of a model, and returns its result as a prompt shows it.
    async fn shown(&self, text: &str) -> Result<Page, String> {
        let sql = prove_read_only(text, &self.catalog).map_err(|rejection| format!("refused: {rejection}"))?;
        let batches = self.warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await;
        let page = read_page(batches.map_err(|error| format!("failed: {error}"))?, 1_000).await;
        let mut page = page.map_err(|error| format!("failed: {error}"))?;
        self.egress.mark_masked_columns(&mut page, &sql, &self.catalog);
        Ok((*self.egress.mask_page(&page)).clone())
    }

    async fn try_statements(&self, own: &str) {
        let mut wrong = Vec::new();
        let mut counts = [0, 0];
        for file in [COMMON, own] {
            let (hostile, ordinary) = file.split_once("-- ordinary\n").expect("both kinds");
            for text in statements(hostile) {
                counts[0] += 1;
                match self.shown(text).await {
                    Ok(page) => wrong.extend(find_leak(&page, text).map(|leak| format!("{text}\n  shows {leak}"))),
                    Err(error) if error.starts_with("refused") => {}
                    Err(error) => wrong.push(format!("{text}\n  {error}")),
                }
            }
            for text in statements(ordinary) {
                counts[1] += 1;
                match self.shown(text).await {
                    Ok(page) if page.rows.is_empty() => wrong.push(format!("{text}\n  has no rows")),
                    Ok(page) if is_masked(&page) => wrong.push(format!("{text}\n  is masked: {:?}", page.rows[0])),
                    Ok(_) => {}
                    Err(error) => wrong.push(format!("{text}\n  {error}")),
                }
            }
        }
        self.warehouse.close().await;
        println!("{} hostile and {} ordinary statements", counts[0], counts[1]);
        assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

fn statements(file: &str) -> impl Iterator<Item = &str> {
    file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("--"))
}

fn is_masked(page: &Page) -> bool {
    page.rows.iter().flatten().flatten().any(|cell| cell == MASKED)
        || page.columns.iter().any(|column| column.name_masked)
}

/// Returns a cell or a name that shows more than it may: any in the column `leak`, and masked values anywhere.
fn find_leak(page: &Page, text: &str) -> Option<String> {
    let tells = |shown: &str| {
        let shown = shown.to_lowercase();
        ["zqann", "zqbob", "zqcyd", "zqdee", "zqeve", "71000"]
            .iter()
            .any(|value| shown.contains(value) && !text.contains(&shown))
    };
    let name = page.columns.iter().map(|column| &column.name).find(|name| tells(name));
    let cell = page.rows.iter().flat_map(|row| row.iter().zip(&page.columns)).find_map(|(cell, column)| {
        let cell = cell.as_deref().unwrap_or("NULL");
        let is_leak = column.name.eq_ignore_ascii_case("leak") && cell != MASKED;
        (is_leak || tells(cell)).then(|| format!("{}: {cell}", column.name))
    });
    name.cloned().or(cell)
}

#[tokio::test(flavor = "multi_thread")]
async fn of_sqlite_hold() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("people.sqlite");
    rusqlite::Connection::open(&path).expect("a database").execute_batch(TABLES).expect("tables");
    Masked::open(&format!("sqlite:{}", path.display())).await.try_statements(include_str!("masks/sqlite.sql")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_duckdb_hold() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("people.duckdb");
    duckdb::Connection::open(&path).expect("a database").execute_batch(TABLES).expect("tables");
    Masked::open(&format!("duckdb:{}", path.display())).await.try_statements(include_str!("masks/duckdb.sql")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_postgresql_hold() {
    let server = PostgresServer::start();
    server.psql("shop", TABLES);
    Masked::open(&server.address("shop")).await.try_statements(include_str!("masks/postgres.sql")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_mariadb_hold() {
    let server = MysqlServer::start();
    server.script("shop", TABLES);
    Masked::open(&server.address("shop")).await.try_statements(include_str!("masks/mysql.sql")).await;
}
