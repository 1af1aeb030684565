//! ClickHouse over HTTP. Two independent protections keep it read-only: every request sets `readonly = 1` unless the
//! login's own profile is already read-only, and every statement has a read-only proof. Functions that the setting
//! permits (reading files, waiting) are refused by the proof in `vitrine-sql`.

mod address;
mod ask;
mod column;
mod engine;
mod errors;
mod estimate;
mod form;
mod http;
mod inspect;
mod introspect;
mod query;
mod rights;
mod rows;
mod settings;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::run::stream_batches;
use crate::{Batches, Checked, Limits, Metering, OpenOptions, ServerAddress, WarehouseError, cells, fingerprint};
use async_trait::async_trait;
use http::{Failure, Http};
use settings::{OwnMode, Settings};
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer};

pub(crate) use engine::ENGINE;
pub(crate) use inspect::inspect_server;

/// Timeout for reading the catalog or preparing a query.
const LOOKING: Duration = Duration::from_secs(60);
/// The error for a login that does not accept settings.
const TAKES_NO_SETTINGS: &str = "this login's profile has readonly = 1, so that the server takes neither limits nor the settings that \
    results are exact by. Give it readonly = 2: it may still only read";

/// A database on a ClickHouse server.
pub(crate) struct ClickhouseWarehouse {
    http: Arc<Http>,
    settings: Settings,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl ClickhouseWarehouse {
    pub(crate) async fn open(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let http = Http::new(server, options)?;
        let settings = tokio::time::timeout(LOOKING, sign_in(&http)).await.map_err(|_| timeout_error())??;
        let closed = CancellationToken::new();
        Ok(Self { http: Arc::new(http), settings, memory_bytes: options.memory_bytes, closed })
    }

    /// Stops another query of this login.
    pub(crate) async fn end_query(&self, id: &str) {
        self.http.stop_query(id).await;
    }

    fn timed_settings(&self) -> (&Settings, u64) {
        (&self.settings, LOOKING.as_secs())
    }

    /// Runs `work` within a time limit.
    async fn run_with_timeout<T>(&self, work: impl Future<Output = Result<T, Failure>>) -> Result<T, WarehouseError> {
        if self.closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let done = tokio::time::timeout(LOOKING, work).await.map_err(|_| timeout_error())?;
        done.map_err(|failure| failure.in_query(&self.http.shown, LOOKING.as_secs()))
    }
}

fn timeout_error() -> WarehouseError {
    WarehouseError::Timeout { seconds: LOOKING.as_secs() }
}

/// Signs in and reads the login's settings, with a request that sends no settings itself.
async fn sign_in(http: &Http) -> Result<Settings, WarehouseError> {
    let has_password = http.server.password().is_some();
    let failed = |failure: Failure| failure.at_connect(&http.shown, has_password);
    let refused = |detail: String| WarehouseError::NotAdmitted { server: http.shown.clone(), detail };
    let rows = http.query_rows("SELECT toString(getSetting('readonly'))", None).await.map_err(failed)?;
    let mode = rows.into_iter().flatten().next().flatten().unwrap_or_default();
    let mode = OwnMode::from_value(&mode);
    if mode == OwnMode::Fixed {
        return Err(refused(TAKES_NO_SETTINGS.to_owned()));
    }
    let settings =
        Settings::from_rows(mode, http.query_rows(&settings::build_settings_query(), None).await.map_err(failed)?);
    match settings.silent_cut() {
        Some(name) => {
            Err(refused(format!("this login's profile sets {name} so that results are cut off without a word")))
        }
        None => Ok(settings),
    }
}

#[async_trait]
impl Engine for ClickhouseWarehouse {
    const DIALECT: Dialect = Dialect::Clickhouse;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (database, settings) = (self.http.server.database_name(), self.timed_settings());
        let (tables, version) =
            self.run_with_timeout(introspect::read_catalog(&self.http, settings, &database)).await?;
        let own_functions = self.run_with_timeout(introspect::own_functions(&self.http, settings)).await?;
        let search_path = Some(database.clone()).filter(|name| !name.is_empty()).into_iter().collect();
        let catalog = Catalog {
            database,
            dialect: Self::DIALECT,
            search_path,
            own_functions,
            fingerprint: String::new(),
            tables,
        };
        Ok(fingerprint::set_fingerprint(catalog, &version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        // The line break ends a comment at the end of the query.
        let question = format!("DESCRIBE TABLE (\n{sql}\n)");
        let described = self.run_with_timeout(self.http.query_rows(&question, Some(self.timed_settings()))).await?;
        let mut columns = described.into_iter().map(|row| row.into_iter().map(Option::unwrap_or_default));
        let mut read =
            || columns.next().map(|mut row| (row.next().unwrap_or_default(), row.next().unwrap_or_default()));
        let (names, types): (Vec<String>, Vec<String>) = std::iter::from_fn(&mut read).unzip();
        let columns = cells::result_columns(&build_schema(&column::build_decoders(names, &types)));
        let bytes = estimate::estimate_bytes(&self.http, &self.settings, LOOKING.as_secs(), sql).await;
        Ok(Checked { columns, bytes, metered: bytes })
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (http, settings, runtime, own) =
            (self.http.clone(), self.settings.clone(), Handle::current(), limits.clone());
        let memory_bytes = self.memory_bytes;
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::run_statement(http, &runtime, sql, &settings, (&own, memory_bytes), sink)
        })
        .await
    }

    const METERING: Metering = Metering::Read;

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.run_with_timeout(rights::read_safety_layers(&self.http, self.timed_settings())).await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {}
}

#[cfg(test)]
mod tests;
