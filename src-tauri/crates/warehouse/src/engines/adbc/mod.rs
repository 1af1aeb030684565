//! Databases behind an ADBC driver, which runs in a process of its own. Snowflake's driver is known here
//! ([`crate::snowflake`]); any other driver is chosen by the user, and its behaviour is unknown, so only the read-only
//! proof of each statement protects the database.

pub(crate) mod address;
mod driver;
mod engine;
mod errors;
mod form;
mod library;
mod objects;
mod query;

pub(crate) use driver::{Pool, SignsIn};
pub(crate) use engine::ENGINE;
pub(crate) use errors::{Hidden, LOGIN, at_connect, format_message};
pub(crate) use library::LibraryFile;
pub(crate) use query::{Row, check_statement, query_rows, run_statement};

use crate::engine::Engine;
use crate::run::{run_blocking, stream_batches};
use crate::{Batches, Checked, Limits, OpenOptions, WarehouseError, fingerprint};
use adbc_core::error::Error;
use address::DriverAddress;
use arrow::datatypes::Field;
use async_trait::async_trait;
use std::path::Path;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Catalog, Dialect, SafetyKind, SafetyLayer, SafetyState};
use vitrine_words::tr;

/// A database behind any driver.
pub(crate) struct AdbcWarehouse {
    pool: Arc<Pool>,
    address: DriverAddress,
    memory_bytes: u64,
    closed: CancellationToken,
}

impl AdbcWarehouse {
    pub(crate) fn open(library: &Path, address: DriverAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let shown = address.to_string();
        let hidden = Hidden::from_password(address.password());
        let library = LibraryFile { path: library, sha256: options.driver_sha256.as_deref() };
        let pool = Pool::open(&library, address.driver_options(), Vec::new(), &shown, hidden, SignsIn::Alone)
            .map_err(|error| not_open(&error, &address, &shown))?;
        let (pool, memory_bytes) = (Arc::new(pool), options.memory_bytes);
        Ok(Self { pool, address, memory_bytes, closed: CancellationToken::new() })
    }

    /// Refuses a backslash: engines interpret it in a text in two ways, and the behaviour of this engine is unknown.
    fn reject_backslash(&self, sql: &str) -> Result<(), WarehouseError> {
        if sql.contains('\\') {
            let message = "a backslash is not sent through a driver: engines read it in different ways".to_owned();
            return Err(WarehouseError::Refused { message });
        }
        Ok(())
    }
}

/// Converts an error of opening. Drivers report a missing password in many ways: if the address names a user and has no
/// password, the password is requested, with the driver's message.
fn not_open(error: &Error, address: &DriverAddress, shown: &str) -> WarehouseError {
    match at_connect(error, shown, address.password().is_some()) {
        WarehouseError::NotAdmitted { server, detail } if address.names_person() && address.password().is_none() => {
            WarehouseError::Password { server, refused: false, detail }
        }
        other => other,
    }
}

fn as_it_is(field: &Field) -> Field {
    Field::new(field.name(), field.data_type().clone(), true)
}

#[async_trait]
impl Engine for AdbcWarehouse {
    /// Not used: the process that opened this engine knows the dialect from the address.
    const DIALECT: Dialect = Dialect::Postgres;

    async fn read_catalog(&self) -> Result<Catalog, WarehouseError> {
        let (pool, title, dialect) = (self.pool.clone(), self.address.title().to_owned(), self.address.dialect());
        let read = run_blocking(move || {
            let (tables, holder) = objects::read_catalog(&pool, dialect)?;
            let catalog = Catalog {
                database: holder.unwrap_or(title),
                dialect,
                search_path: Vec::new(),
                own_functions: Vec::new(),
                fingerprint: String::new(),
                tables,
            };
            // The driver does not report when rows change.
            Ok(fingerprint::set_fingerprint(catalog, ""))
        });
        // A driver may open without contacting its server: then a wrong login shows only here.
        read.await.map_err(|error| match error {
            WarehouseError::SignInAgain { server, detail } => {
                WarehouseError::Password { server, refused: self.address.password().is_some(), detail }
            }
            other => other,
        })
    }

    async fn check_text(&self, sql: &str) -> Result<Checked, WarehouseError> {
        self.reject_backslash(sql)?;
        let (pool, sql) = (self.pool.clone(), sql.to_owned());
        run_blocking(move || check_statement(&pool, &sql, as_it_is)).await
    }

    async fn query_text(
        &self,
        sql: String,
        limits: Limits,
        cancel: CancellationToken,
    ) -> Result<Batches, WarehouseError> {
        self.reject_backslash(&sql)?;
        let pool = self.pool.clone();
        stream_batches(limits, self.memory_bytes, cancel, &self.closed, move |sink| {
            run_statement(&pool, &sql, as_it_is, sink)
        })
        .await
    }

    async fn query_safety_layers(&self) -> Result<Vec<SafetyLayer>, WarehouseError> {
        Ok(vec![SafetyLayer::new(
            SafetyKind::Engine,
            SafetyState::Missing,
            tr!(
                "Preview: there is no engine-level proof of read-only. Every statement is proven to be a read before it is sent; this driver was not examined further."
            ),
            tr!("Drivers report nothing about it. Use a read-only login."),
        )])
    }

    fn close_token(&self) -> &CancellationToken {
        &self.closed
    }

    fn close_idle_connections(&self) {
        self.pool.clear_idle();
    }
}
