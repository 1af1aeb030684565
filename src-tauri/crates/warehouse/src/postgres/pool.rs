//! Connections to one server: opened when needed, kept for the next query, set up so that they can only read.

use super::errors;
use super::server::ServerAddress;
use super::tls::connector;
use crate::WarehouseError;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio_postgres::{CancelToken, Client, Config};
use tokio_postgres_rustls::MakeRustlsConnect;

/// Connections kept at most.
const IDLE: usize = 4;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Waiting for a table that somebody changes.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// How often, and how far apart, the server is told to stop.
const CANCELS: u32 = 20;
const CANCEL_EVERY: Duration = Duration::from_millis(100);

/// Literals are read as the parser above reads them, and text comes out the same from every server.
const SETTINGS: &str = "SET default_transaction_read_only = on; SET standard_conforming_strings = on; \
    SET TimeZone = 'UTC'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET bytea_output = 'hex'; \
    SET extra_float_digits = 1; SET client_min_messages = 'warning'";

/// A connection, and the way to interrupt it from outside.
pub(super) struct Session {
    pub(super) client: Client,
    cancel: CancelToken,
}

/// Connections that wait for the next query; each query has one to itself.
pub(super) struct Pool {
    pub(super) server: ServerAddress,
    config: Config,
    tls: MakeRustlsConnect,
    idle: Mutex<Vec<Session>>,
}

impl Pool {
    pub(super) fn new(server: ServerAddress) -> Result<Self, WarehouseError> {
        let wrong = |reason: String| WarehouseError::Address { text: server.to_string(), reason };
        let protection = server.protection().map_err(wrong)?;
        let mut config = server.config().map_err(wrong)?;
        config.ssl_mode(protection.mode()).keepalives_idle(Duration::from_secs(60));
        if config.get_application_name().is_none() {
            config.application_name("vitrine");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if let Some(password) = server.password() {
            config.password(password);
        }
        Ok(Self { config, tls: connector(protection)?, server, idle: Mutex::default() })
    }

    /// A connection inside a transaction that can only read and that the server itself ends after a while.
    pub(super) async fn begin(&self, timeout: Duration) -> Result<Session, WarehouseError> {
        // The server also counts the time in which it waits for a slow reader, so that its own limit is a later one.
        let begin = format!(
            "BEGIN READ ONLY; SET LOCAL statement_timeout = {}; SET LOCAL lock_timeout = {}",
            (timeout.as_millis() * 2).clamp(1, i32::MAX as u128),
            timeout.min(LOCK_TIMEOUT).as_millis().max(1)
        );
        loop {
            let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(session) = waiting else {
                let session = self.connect().await?;
                session.client.batch_execute(&begin).await.map_err(|error| self.failed(&error))?;
                return Ok(session);
            };
            // One that was cut off while it waited is no reason to fail.
            if session.client.batch_execute(&begin).await.is_ok() {
                return Ok(session);
            }
        }
    }

    async fn connect(&self) -> Result<Session, WarehouseError> {
        let connected = self.config.connect(self.tls.clone()).await;
        let (client, connection) = connected.map_err(|error| errors::at_connect(&self.server, &error))?;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "a connection ended");
            }
        });
        client.batch_execute(SETTINGS).await.map_err(|error| self.failed(&error))?;
        Ok(Session { cancel: client.cancel_token(), client })
    }

    /// Ends the transaction and keeps the connection.
    pub(super) async fn rest(&self, session: Session) {
        let rested = session.client.batch_execute("ROLLBACK").await.is_ok();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if rested && idle.len() < IDLE {
            idle.push(session);
        }
    }

    /// Has the server stop what it does for a connection, which is not used again: an order to stop that comes late
    /// would hit the next query. One that comes too early is lost, hence the repetition.
    pub(super) async fn stop(&self, session: Session) {
        for _ in 0..CANCELS {
            let order = session.cancel.cancel_query(self.tls.clone());
            let _ = tokio::time::timeout(CONNECT_TIMEOUT, order).await;
            // Answered only once the query is over.
            let over = session.client.batch_execute("ROLLBACK");
            if tokio::time::timeout(CANCEL_EVERY, over).await.is_ok() {
                return;
            }
        }
    }

    pub(super) fn clear(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    fn failed(&self, error: &tokio_postgres::Error) -> WarehouseError {
        errors::in_query(&self.server, error, CONNECT_TIMEOUT)
    }
}
