//! The same rows in several databases, and the results of a view on each.

use super::cells::{Cell, date};
use super::hiding::profile;
use super::reference::{Rel, Tables, as_sorted};
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, Page, Profile, ViewSpec};
use vitrine_sql::{DialectExt, ReadOnlySql};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;
use vitrine_warehouse::{Limits, Warehouse, WarehouseKind, WarehouseUri, open_warehouse, read_page};

/// The schema of the random databases, in SQL that all engines support.
pub const SCHEMA: &str = "CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT, founded DATE, parent_id INTEGER REFERENCES maker (id));
CREATE TABLE item (id INTEGER PRIMARY KEY, maker_id INTEGER REFERENCES maker (id), label TEXT, price NUMERIC(10,2), made DATE, fragile BOOLEAN);
CREATE TABLE sale (item_id INTEGER REFERENCES item (id), quantity INTEGER, amount NUMERIC(10,2), sold TIMESTAMP, facts JSON);
CREATE TABLE tag (tagged_id INTEGER REFERENCES item (id), word TEXT, PRIMARY KEY (tagged_id, word));
CREATE TABLE trip (from_id INTEGER REFERENCES maker (id), to_id INTEGER REFERENCES maker (id), weight TEXT, due TEXT, posted TEXT, seen TEXT, logged TEXT, ended TEXT, fee TEXT);
";

/// A database with its catalog.
pub struct Engine {
    pub dialect: Dialect,
    pub catalog: Catalog,
    pub profile: Profile,
    warehouse: Arc<dyn Warehouse>,
}

impl Engine {
    /// Creates a database file with a script.
    pub async fn of_file(folder: &Path, dialect: Dialect, script: &str) -> Self {
        let path = folder.join(dialect.sql().display_name());
        let _ = std::fs::remove_file(&path);
        let kind = if dialect == Dialect::Sqlite {
            let connection = rusqlite::Connection::open(&path).expect("a file");
            connection.execute_batch(&format!("BEGIN;\n{script}\nCOMMIT;")).expect("a script");
            WarehouseKind::Sqlite
        } else {
            duckdb::Connection::open(&path).expect("a file").execute_batch(script).expect("a script");
            WarehouseKind::Duckdb
        };
        Self::of(&WarehouseUri::new(kind, path)).await
    }

    /// Recreates the database of a MariaDB server with a script. Texts compare by exact equality, as in the other
    /// engines.
    pub async fn of_mysql(server: &MysqlServer, script: &str) -> Self {
        let anew = "DROP DATABASE shop; CREATE DATABASE shop CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin; USE shop; \
            SET foreign_key_checks = 0;";
        // A text key needs a length; a TIMESTAMP has a time zone; NUMERIC and BOOLEAN are supported.
        let script = script.replace("word TEXT", "word VARCHAR(200)").replace("sold TIMESTAMP", "sold DATETIME");
        server.script("shop", &format!("{anew}\n{script}"));
        Self::of(&WarehouseUri::parse(&server.address("shop")).expect("an address")).await
    }

    /// Recreates the database of a PostgreSQL server with a script.
    pub async fn of_postgres(server: &PostgresServer, script: &str) -> Self {
        server.psql(
            "shop",
            &format!("SET client_min_messages = error; DROP SCHEMA public CASCADE; CREATE SCHEMA public;\n{script}"),
        );
        Self::of(&WarehouseUri::parse(&server.address("shop")).expect("an address")).await
    }

    pub async fn of(uri: &WarehouseUri) -> Self {
        Self::over(open_warehouse(uri).await.expect("a database")).await
    }

    pub async fn over(warehouse: Arc<dyn Warehouse>) -> Self {
        let catalog = warehouse.load_catalog().await.expect("a catalog");
        Self { dialect: warehouse.dialect(), catalog, profile: profile(), warehouse }
    }

    pub async fn page(&self, sql: &ReadOnlySql) -> Page {
        self.try_page(sql).await.unwrap_or_else(|e| panic!("{:?}: {e}\n{}", self.dialect, sql.as_str()))
    }

    pub async fn try_page(&self, sql: &ReadOnlySql) -> Result<Page, String> {
        let limits = Limits { rows: None, ..Limits::default() };
        let batches =
            self.warehouse.run_query(sql, limits, CancellationToken::new()).await.map_err(|e| e.to_string())?;
        read_page(batches, u64::MAX).await.map_err(|e| e.to_string())
    }

    pub async fn close(self) {
        self.warehouse.close().await;
    }
}

/// Returns the statements that create and fill the tables.
pub fn script(tables: &Tables, dialect: Dialect) -> String {
    let mut script = SCHEMA.to_owned();
    for name in ["maker", "item", "sale", "tag", "trip"] {
        for row in &tables[name].rows {
            let values: Vec<String> = row.iter().map(|cell| literal(cell, dialect)).collect();
            script += &format!("INSERT INTO {name} VALUES ({});\n", values.join(", "));
        }
    }
    script
}

fn literal(cell: &Cell, dialect: Dialect) -> String {
    match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Number(number) => number.to_string(),
        Cell::Text(text) if matches!(dialect, Dialect::Mysql | Dialect::Clickhouse | Dialect::Databricks) => {
            format!("'{}'", text.replace('\\', "\\\\").replace('\'', "''"))
        }
        Cell::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Cell::Truth(truth) if dialect == Dialect::Sqlite => u8::from(*truth).to_string(),
        Cell::Truth(truth) => truth.to_string(),
        Cell::Day(_) | Cell::Time(_) => format!("'{}'", written(cell)),
    }
}

pub fn written_day(days: i64) -> String {
    let (year, month, day) = date(days);
    format!("{year:04}-{month:02}-{day:02}")
}

fn written(cell: &Cell) -> String {
    match cell {
        Cell::Day(days) => written_day(*days),
        Cell::Time(minutes) => {
            let (days, rest) = (minutes.div_euclid(24 * 60), minutes.rem_euclid(24 * 60));
            format!("{} {:02}:{:02}:00", written_day(days), rest / 60, rest % 60)
        }
        other => panic!("{other:?} is no date"),
    }
}

/// Returns true if an engine's cell equals the expected one: numbers to nine digits, booleans also as 1 and 0.
fn is(cell: &Option<String>, wanted: &Cell) -> bool {
    match (cell, wanted) {
        (None, Cell::Null) => true,
        (Some(text), Cell::Number(wanted)) => {
            text.parse::<f64>().is_ok_and(|n| (n - wanted).abs() <= 1e-9 * wanted.abs().max(1.0))
        }
        (Some(text), Cell::Text(wanted)) => text == wanted,
        (Some(text), Cell::Truth(wanted)) => [u8::from(*wanted).to_string(), wanted.to_string()].contains(text),
        (Some(text), Cell::Day(_) | Cell::Time(_)) => *text == written(wanted),
        _ => false,
    }
}

/// Describes the difference between a page and the expected rows, in any order; for a sorted view, in its sort order.
pub fn difference(page: &Page, wanted: &Rel, spec: &ViewSpec) -> Option<String> {
    let columns: Vec<&str> = page.columns.iter().map(|c| c.name.as_str()).collect();
    if columns != wanted.columns {
        return Some(format!("columns {columns:?} instead of {:?}", wanted.columns));
    }
    let same = |row: &[Option<String>], wanted: &[Cell]| row.iter().zip(wanted).all(|(cell, wanted)| is(cell, wanted));
    let mut left: Vec<&Vec<Cell>> = wanted.rows.iter().collect();
    for row in &page.rows {
        match left.iter().position(|wanted| same(row, wanted)) {
            Some(at) => drop(left.swap_remove(at)),
            None => return Some(format!("row {row:?} instead of one of {left:?}")),
        }
    }
    if !left.is_empty() {
        return Some(format!("rows {left:?} are missing"));
    }
    for key in &spec.order {
        let at = columns.iter().position(|c| *c == key.by)?;
        // Texts that hide the same value, or none, may be in any order.
        let level = |cell: &Option<String>, wanted: &Cell| {
            let text = cell.clone().map_or(Cell::Null, Cell::Text);
            is(cell, wanted) || as_sorted(spec, at, &text) == as_sorted(spec, at, wanted)
        };
        let wrong = page.rows.iter().zip(&wanted.rows).position(|(row, wanted)| !level(&row[at], &wanted[at]));
        if let Some(row) = wrong {
            return Some(format!("row {row} is out of order by {}", key.by));
        }
    }
    None
}
