//! The engines for a pack's databases: SQLite files directly and copied into DuckDB, dumps in the benchmark's own
//! PostgreSQL server.

mod duck;

use anyhow::{Context, Result};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use vitrine_eval::{Pack, Sample, load_dumps};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};
use vitrine_warehouse::{WarehouseKind, WarehouseUri};

/// The server's location in Debian's package.
const POSTGRES: &str = "/usr/lib/postgresql";
/// Maximum number of a pack's questions that are asked on DuckDB.
const COPIED: usize = 1_500;

/// Temporary copies and servers, removed when dropped.
pub struct Engines {
    folder: tempfile::TempDir,
    server: Option<PostgresServer>,
}

/// A pack on one engine.
pub struct OnEngine {
    pub name: String,
    pub pack: Pack,
}

impl Engines {
    pub fn new() -> Result<Self> {
        Ok(Self { folder: tempfile::tempdir()?, server: None })
    }

    /// Returns the path of a file in the temporary folder.
    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a pack on every engine that supports it; empty if it requires PostgreSQL, which is not installed.
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
        let address = uri.server_address().context("a server's address")?;
        load_dumps(&mut pack, &Sample::default(), address, |_| {}).await?;
        Ok(vec![on("PostgreSQL", pack)])
    }

    /// Returns a sample of a pack with its databases copied into DuckDB.
    async fn copied(&self, pack: &Pack) -> Result<Pack> {
        let every = pack.questions.len().div_ceil(COPIED);
        let sample = Sample { every, ..Sample::default() };
        let mut copied = Pack { questions: pack.select_questions(&sample)?, ..pack.clone() };
        let names: BTreeSet<String> = copied.questions.iter().map(|question| question.db_id.clone()).collect();
        for name in names {
            let file = self.file(&format!("{}-{name}.duckdb", pack.name));
            let mut of_it = copied.questions.iter_mut().filter(|question| question.db_id == name).peekable();
            let from =
                of_it.peek().and_then(|question| sqlite(&question.warehouse)).context("an SQLite file")?.to_owned();
            let warehouse = vitrine_warehouse::open_warehouse(&WarehouseUri::new(WarehouseKind::Sqlite, &from)).await?;
            let catalog = warehouse.load_catalog().await?;
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

/// Parses a database's address and adds the password that it omits.
pub fn opened(address: &str) -> Result<WarehouseUri> {
    let uri = WarehouseUri::parse(address)?;
    let of_server = |server: &vitrine_warehouse::ServerAddress| {
        WarehouseUri::of_server(server.clone().with_password(Some(PASSWORD.to_owned())))
    };
    Ok(uri.server_address().map(of_server).unwrap_or(uri))
}
