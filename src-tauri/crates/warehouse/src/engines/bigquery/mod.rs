//! BigQuery over its REST interface. Two independent protections keep it read-only: every statement is prepared first
//! and BigQuery must classify it as SELECT, and queries of a service account run with a read-only token. No query runs
//! without a limit of billed bytes.

mod access;
pub(crate) mod address;
mod column;
mod credentials;
mod engine;
mod errors;
mod fields;
mod form;
mod introspect;
mod jobs;
mod known;
mod moments;
pub(crate) mod oauth;
mod partitions;
mod places;
mod preview;
mod query;
mod rest;
mod rights;
mod shards;
mod sign_in;
mod tokens;

use crate::arrow_column::build_schema;
use crate::engine::Engine;
use crate::inspect::report::Report;
use crate::run::{run_blocking, stream_batches};
use crate::{Batches, Checked, Limits, Metering, OpenOptions, Preview, WarehouseError, cells, fingerprint};
use address::ProjectAddress;
use async_trait::async_trait;
use credentials::{Credentials, Login};
use jobs::Jobs;
use places::Places;
use rest::Rest;
use sign_in::SignIn;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyLayer, Table};
use vitrine_words::{later, tr, translate_constant};

pub(crate) use engine::ENGINE;

/// Timeout for preparing a query.
const LOOKING: Duration = Duration::from_secs(60);
/// Timeout for reading the catalog: a project may have 50,000 tables, each with a request of its own. The caller can
/// cancel it, and each request has its own timeout.
const READING: Duration = Duration::from_secs(3_600);

/// A project of BigQuery, or one dataset of it.
pub(crate) struct BigqueryWarehouse {
    jobs: Jobs,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl BigqueryWarehouse {
    pub(crate) async fn open(address: ProjectAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let jobs = create_jobs(address, options).await?;
        Self::connect_with_jobs(jobs, options).await
    }

    /// Checks that the project responds, without running a query.
    async fn connect_with_jobs(jobs: Jobs, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let (rest, address) = (&jobs.rest, &jobs.address);
        rest.signed_in().await?;
        let mut path = vec!["projects", address.project(), "datasets"];
        let named = address.named_datasets().first();
        path.extend(named.map(String::as_str));
        let one = [("maxResults", "1".to_owned())];
        let query = if named.is_some() { &[][..] } else { &one[..] };
        rest.get(&path, query).await.map_err(|failure| failure.at_connect(&rest.shown))?;
        Ok(Self { jobs, memory_bytes: options.memory_bytes, closed: CancellationToken::new() })
    }

    /// Runs `work` within a time limit.
    async fn run_with_timeout<T>(
        &self,
        limit: Duration,
        work: impl Future<Output = Result<T, WarehouseError>>,
    ) -> Result<T, WarehouseError> {
        if self.closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let late = |_| WarehouseError::Timeout { seconds: limit.as_secs() };
        tokio::time::timeout(limit, work).await.map_err(late)?
    }
}

/// Resolves the login and creates the connection.
async fn create_jobs(address: ProjectAddress, options: &OpenOptions) -> Result<Jobs, WarehouseError> {
    let login = resolve_login(&address, options).await?;
    let sign_in = SignIn::new(login, &address);
    let rest = Arc::new(Rest::new(&Places::for_address(&address), sign_in, address.to_string())?);
    Ok(Jobs::new(rest, address))
}

/// Resolves the login of an address: an OAuth client signs in through the browser, a key file needs no user, and an
/// emulator needs no login; otherwise the credentials of Google's own programs are used.
async fn resolve_login(address: &ProjectAddress, options: &OpenOptions) -> Result<Option<Login>, WarehouseError> {
    let refused = |detail: &str| WarehouseError::NotAdmitted { server: address.to_string(), detail: detail.to_owned() };
    if !options.own_address {
        let foreign = [
            (
                address.key_file().is_some(),
                later!("the address came from another person and names a key file of this computer"),
            ),
            (
                address.signs_in_by_browser(),
                later!("the address came from another person and names a client to sign in with"),
            ),
            (
                address.impersonated_account().is_some(),
                later!("the address came from another person and lets your sign-in act as a service account"),
            ),
        ];
        if let Some((_, why)) = foreign.iter().find(|(does, _)| *does) {
            return Err(refused(translate_constant(why)));
        }
    }
    if address.signs_in_by_browser() {
        let own = address.clone();
        run_blocking(move || oauth::GoogleClient::from_address(&own).map_err(WarehouseError::query))
            .await
            .map_err(|error| refused(&error.to_string()))?;
        let login = options.google_login.clone();
        let login = login.ok_or_else(|| refused(&tr!("this connection has no sign-in with Google yet")))?;
        return Ok(Some(Login { own: Credentials::Browser(login), acts_as: None }));
    }
    if address.emulator_endpoint().is_some() {
        return Ok(None);
    }
    let path = address.key_file().map(ToOwned::to_owned).or_else(|| options.google_credentials.clone());
    let path = path.ok_or_else(|| refused(&tr!("this computer has no sign-in with Google")))?;
    let read = run_blocking(move || Login::read_file(&path).map_err(WarehouseError::query)).await;
    Ok(Some(read.map_err(|error| refused(&error.to_string()))?))
}

/// Tests the connection to a project.
pub(crate) async fn inspect_project(report: &mut Report<'_>, address: ProjectAddress, options: &OpenOptions) {
    let open = create_jobs(address.clone(), options).await;
    rights::inspect_project_access(report, address, open).await;
}

#[async_trait]
impl Engine for BigqueryWarehouse {
    const DIALECT: Dialect = Dialect::Bigquery;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let address = &self.jobs.address;
        let found = self.run_with_timeout(READING, introspect::read_catalog(&self.jobs.rest, address)).await?;
        self.jobs.set_known_tables(found.known);
        let catalog = Catalog {
            database: address.title().to_owned(),
            dialect: Self::DIALECT,
            search_path: address
                .dataset()
                .map(|dataset| vec![dataset.to_owned(), address.project().to_owned()])
                .unwrap_or_default(),
            // Functions in a dataset are always called with the dataset's name.
            own_functions: Vec::new(),
            fingerprint: String::new(),
            tables: found.tables,
        };
        Ok(fingerprint::set_fingerprint(catalog, &found.version))
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        let prepared = self.run_with_timeout(LOOKING, self.jobs.prepare_query(sql)).await?;
        let columns = cells::result_columns(&build_schema(&column::build_decoders(prepared.fields)?));
        Ok(Checked { columns, bytes: prepared.bytes, metered: prepared.bytes.map(jobs::round_billed_bytes) })
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        let (jobs, runtime, own) = (self.jobs.clone(), Handle::current(), limits.clone());
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            query::run_statement(jobs, &runtime, sql, &own, sink)
        })
        .await
    }

    const METERING: Metering = Metering::Billed;

    async fn list_rows(&self, table: &Table, rows: u64) -> Result<Preview, WarehouseError> {
        let (rest, address) = (&self.jobs.rest, &self.jobs.address);
        let parts = self.jobs.known_tables().shard_names(address, &table.name).map(<[String]>::to_vec);
        self.run_with_timeout(LOOKING, preview::preview_table(rest, address, table, parts, rows)).await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        self.run_with_timeout(LOOKING, rights::read_safety_layers(&self.jobs)).await
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {}
}

#[cfg(test)]
mod tests;
