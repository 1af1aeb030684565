//! The random databases queried in the dialect of an unavailable engine.

use super::engines::Engine;
use std::path::PathBuf;
use vitrine_domain::{Catalog, Dialect};
use vitrine_test_servers::sqlglot_server::{SqlglotServer, driver};
use vitrine_warehouse::{OpenOptions, WarehouseUri, open_with};

impl Engine {
    /// Starts a server with the rows of a DuckDB script, which runs until it is dropped. Its keys come from another
    /// engine's catalog, as if they had been inferred.
    pub async fn of_sqlglot(dialect: &'static str, script: &str, keys: &Catalog) -> (Self, SqlglotServer) {
        let server = SqlglotServer::start(dialect, script);
        let engine = Some(PathBuf::from(env!("CARGO_BIN_EXE_vitrine-engine")));
        let options = OpenOptions { engine, driver: Some(driver()), ..OpenOptions::default() };
        let uri = WarehouseUri::parse(&server.address()).expect("an address");
        let mut engine = Self::over(open_with(&uri, &options).await.expect("a database")).await;
        assert_ne!(engine.dialect, Dialect::Duckdb);
        for table in &mut engine.catalog.tables {
            let known = keys.tables.iter().find(|known| known.name.name == table.name.name).expect("the same tables");
            table.primary_key.clone_from(&known.primary_key);
            table.unique_keys.clone_from(&known.unique_keys);
            table.foreign_keys.clone_from(&known.foreign_keys);
        }
        (engine, server)
    }
}
