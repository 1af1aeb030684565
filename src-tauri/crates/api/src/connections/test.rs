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

/// Time that one stage may take.
const STAGE: Duration = Duration::from_secs(15);
/// Digits of the number of rows that the whole conformance suite reads: ten million.
const WHOLE: u32 = 7;

impl App {
    /// Begins to test an address or a connection's name, with a password that was typed or the one that is known for it,
    /// and gives the test's id. Events tell how far it is; `cancel_job` stops it. Nothing is kept.
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

    /// Tests an address or a connection's name; `told` hears of every change. That somebody calls this is the user's word
    /// that the address may be connected to.
    ///
    /// # Errors
    /// When the workspace cannot be read. What is wrong with the connection is in the test.
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

    /// Runs the conformance suite over an address or a connection's name; `told` hears of every check as it ends. Nothing is
    /// written, and no table is read. It takes some minutes.
    ///
    /// # Errors
    /// When the address is not understood.
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

    /// What it takes to open an address.
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

    /// What an address or a connection's name leads to, with its password as far as it is known, and whether the user wrote it.
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
