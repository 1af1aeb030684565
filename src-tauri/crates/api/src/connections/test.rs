//! Tests of connections, saved or not.

use crate::app::App;
use crate::state::work::{new_id, run_blocking};
use crate::types::{AppEvent, ConnectionTestEvent};
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, ConnectionTest};
use vitrine_warehouse::conformance::{ConformanceCheck, run_conformance_suite};
use vitrine_warehouse::{OpenOptions, WarehouseError, WarehouseUri};

/// Maximum time of one stage.
const STAGE: Duration = Duration::from_secs(15);
/// Decimal digits of the largest row count that the full conformance suite reads: ten million.
const WHOLE: u32 = 7;

impl App {
    /// Starts a test of an address or a connection's name, with the given password or the stored one, and returns the test's id. Progress
    /// is sent as events; `cancel_job` stops the test. Nothing is stored.
    pub async fn test_connection(&self, address: String, password: Option<String>) -> Result<String, AppError> {
        let test_id = new_id();
        let cancel = self.inner.ending.child_token();
        self.inner.jobs.0.lock().insert(test_id.clone(), cancel.clone());
        let (app, id) = (self.clone(), test_id.clone());
        tokio::spawn(async move {
            let told = {
                let (app, id) = (app.clone(), id.clone());
                move |test: &ConnectionTest| {
                    app.send_event(AppEvent::Test(ConnectionTestEvent { test_id: id.clone(), test: test.clone() }));
                }
            };
            if let Err(error) = app.inspect_connection(&address, password, &told, cancel).await {
                tracing::warn!(%error, "a connection could not be tested");
            }
            app.inner.jobs.0.lock().remove(&id);
        });
        Ok(test_id)
    }

    /// Tests an address or a connection's name and calls the callback after every change. The caller confirms that the user permits a
    /// connection to the address.
    ///
    /// # Errors
    /// When the workspace cannot be read. Problems of the connection are in the returned test.
    pub async fn inspect_connection(
        &self,
        address: &str,
        password: Option<String>,
        told: &(dyn Fn(&ConnectionTest) + Send + Sync),
        cancel: CancellationToken,
    ) -> Result<ConnectionTest, AppError> {
        let (uri, own_address) = self.uri_of(address, password).await?;
        let options = self.options_of(&uri, own_address).await?;
        Ok(vitrine_warehouse::inspect_connection(uri, &options, STAGE, told, cancel).await)
    }

    /// Runs the conformance suite on an address or a connection's name and calls the callback after each check. Nothing is written, and no
    /// table is read. Takes some minutes.
    ///
    /// # Errors
    /// When the address is not valid.
    pub async fn run_conformance_suite(
        &self,
        address: &str,
        password: Option<String>,
        told: &mut (dyn FnMut(&ConformanceCheck) + Send),
        cancel: &CancellationToken,
    ) -> Result<Vec<ConformanceCheck>, AppError> {
        let (uri, own_address) = self.uri_of(address, password).await?;
        let options = self.options_of(&uri, own_address).await?;
        Ok(run_conformance_suite(&uri?, &options, WHOLE, told, cancel).await)
    }

    /// Returns the options for opening an address: its driver and its sign-in.
    async fn options_of(
        &self,
        uri: &Result<WarehouseUri, WarehouseError>,
        own_address: bool,
    ) -> Result<OpenOptions, AppError> {
        let driver = match uri {
            Ok(uri) => self.driver_of(uri).await?,
            Err(_) => None,
        };
        let (driver, driver_sha256) = driver.map(|driver| (driver.path, driver.sha256)).unzip();
        let options = OpenOptions { own_address, driver, driver_sha256, ..OpenOptions::default() };
        self.with_google(uri.as_ref().ok(), options).await
    }

    /// Resolves an address or a connection's name to an address with its known password. The flag is true if the user wrote the address.
    async fn uri_of(
        &self,
        address: &str,
        password: Option<String>,
    ) -> Result<(Result<WarehouseUri, WarehouseError>, bool), AppError> {
        if self.makes_sample(address.trim()) {
            self.make_sample().await?;
        }
        let text = self.address_of(address).await?;
        let text = if text.trim() == crate::SAMPLE { self.sample_uri() } else { text };
        let own_address = match WarehouseUri::parse_remote(&text) {
            Some(uri) => !self.is_foreign(&uri.to_string()).await?,
            None => true,
        };
        let passwords = Arc::clone(&self.inner.passwords);
        let uri = run_blocking(move || {
            Ok(WarehouseUri::parse(&text).map(|uri| {
                if let Some(path) = uri.path() {
                    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
                    return WarehouseUri::new(uri.kind(), path);
                }
                match password.filter(|password| !password.is_empty()) {
                    Some(password) => uri.with_password(Some(password)),
                    None => passwords.complete_address(uri, own_address),
                }
            }))
        })
        .await?;
        Ok((uri, own_address))
    }
}
