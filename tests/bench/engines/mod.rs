//! The engines that a pack's databases are asked on: SQLite's files as they are and copied into DuckDB, dumps in a
//! PostgreSQL server of the bench's own.

mod duck;

use anyhow::{Context, Result};
use postgres_server::{PASSWORD, PostgresServer};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use vitrine_eval::{Pack, Sample, load_dumps};
use vitrine_warehouse::{WarehouseKind, WarehouseUri};

#[path = "../../../src-tauri/crates/warehouse/src/tests/postgres_server.rs"]
#[allow(dead_code, reason = "other crates use more of it")]
mod postgres_server;

/// Where Debian's package puts the server.
const POSTGRES: &str = "/usr/lib/postgresql";
/// Questions of one pack that are asked on DuckDB, at most.
const COPIED: usize = 1_500;

/// Copies and servers, gone with this.
pub struct Engines {
    folder: tempfile::TempDir,
    server: Option<PostgresServer>,
}

/// A pack on one of them.
pub struct OnEngine {
    pub name: String,
    pub pack: Pack,
}

impl Engines {
    pub fn new() -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir()?, server: None })
    }

    /// A new file in the folder that goes at the end.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A pack on every engine that it can be asked on; none where PostgreSQL is needed and not installed.
    pub async fn each(&mut self, mut pack: Pack) -> Result<Vec<OnEngine>> {
        let on = |engine: &str, pack: Pack| OnEngine { name: format!("{}, {engine}", pack.name), pack };
        if pack.questions.iter().all(|question| sqlite(&question.warehouse).is_some()) {
            let copied = self.copied(&pack).await?;
            return Ok(vec![on("SQLite", pack), on("DuckDB", copied)]);
        }
        if !Path::new(POSTGRES).is_dir() {
            eprintln!("{} is left out: PostgreSQL is not installed (apt-get install postgresql)", pack.name);
            return Ok(Vec::new());
        }
        let server = self.server.get_or_insert_with(PostgresServer::start);
        let uri = WarehouseUri::parse(&server.address("postgres"))?;
        let address = uri.server().context("a server's address")?;
        load_dumps(&mut pack, &Sample::default(), address, |_| {}).await?;
        Ok(vec![on("PostgreSQL", pack)])
    }

    /// Part of a pack, its databases copied into DuckDB.
    async fn copied(&self, pack: &Pack) -> Result<Pack> {
        let every = pack.questions.len().div_ceil(COPIED);
        let sample = Sample { every, ..Sample::default() };
        let mut copied = Pack { questions: pack.select(&sample)?, ..pack.clone() };
        let names: BTreeSet<String> = copied.questions.iter().map(|question| question.db_id.clone()).collect();
        for name in names {
            let file = self.file(&format!("{}-{name}.duckdb", pack.name));
            let mut of_it = copied.questions.iter_mut().filter(|question| question.db_id == name).peekable();
            let from =
                of_it.peek().and_then(|question| sqlite(&question.warehouse)).context("an SQLite file")?.to_owned();
            let warehouse = vitrine_warehouse::open(&WarehouseUri::new(WarehouseKind::Sqlite, &from)).await?;
            let catalog = warehouse.catalog().await?;
            warehouse.close().await;
            duck::copy(&from, &catalog, &file).with_context(|| format!("{} cannot be copied", from.display()))?;
            let address = WarehouseUri::new(WarehouseKind::Duckdb, file).to_string();
            of_it.for_each(|question| question.warehouse.clone_from(&address));
        }
        Ok(copied)
    }
}

fn sqlite(address: &str) -> Option<&Path> {
    address.strip_prefix("sqlite:").map(Path::new)
}

/// The address of a question's database, with the password that it does not show.
pub fn opened(address: &str) -> Result<WarehouseUri> {
    let uri = WarehouseUri::parse(address)?;
    let of_server = |server: &vitrine_warehouse::ServerAddress| {
        WarehouseUri::of_server(server.clone().with_password(Some(PASSWORD.to_owned())))
    };
    Ok(uri.server().map(of_server).unwrap_or(uri))
}
