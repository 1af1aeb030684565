//! A driver's library, and the connections that it makes. Runs in an engine's own process alone: what the library does to a
//! process, it does to that one.

use super::library;
use adbc_core::error::Error;
use adbc_core::options::{OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Connections kept at most.
const IDLE: usize = 4;

/// A driver with a database that it has open. Each query has a connection to itself.
pub(crate) struct Pool {
    database: ManagedDatabase,
    /// Statements of ours that every new connection begins with.
    beginning: Vec<String>,
    idle: Mutex<Vec<ManagedConnection>>,
}

impl Pool {
    /// Loads the library and opens the database with a first connection.
    ///
    /// # Errors
    /// When it is no driver, or the driver does not open.
    pub(crate) fn open(library: &Path, options: Vec<(String, String)>, beginning: Vec<String>) -> Result<Self, Error> {
        let mut driver = library::load(library)?;
        let options = options.into_iter().map(|(name, value)| (option(&name), OptionValue::String(value)));
        let database = driver.new_database_with_opts(options)?;
        let pool = Self { database, beginning, idle: Mutex::default() };
        let first = pool.take()?;
        pool.put(first);
        Ok(pool)
    }

    /// A connection for one query.
    pub(crate) fn take(&self) -> Result<ManagedConnection, Error> {
        if let Some(waiting) = self.lock().pop() {
            return Ok(waiting);
        }
        let mut connection = self.database.new_connection()?;
        for sql in &self.beginning {
            let mut statement = connection.new_statement()?;
            statement.set_sql_query(sql)?;
            // As a query, because a driver may count no rows of a statement that changes none.
            statement.execute()?.try_for_each(|batch| batch.map(drop))?;
        }
        Ok(connection)
    }

    /// Takes a connection back whose query has ended well: one that failed may have been lost.
    pub(crate) fn put(&self, connection: ManagedConnection) {
        let mut idle = self.lock();
        if idle.len() < IDLE {
            idle.push(connection);
        }
    }

    /// Lets go of the connections that wait.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<ManagedConnection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn option(name: &str) -> OptionDatabase {
    match name {
        "uri" => OptionDatabase::Uri,
        "username" => OptionDatabase::Username,
        "password" => OptionDatabase::Password,
        other => OptionDatabase::Other(other.to_owned()),
    }
}
