//! A driver's library and the connections that it makes. It runs only in an engine process, because a native library
//! can crash or change the process that loads it.

use super::errors::{Hidden, in_query, says_lost};
use super::library::{self, LibraryFile};
use crate::WarehouseError;
use adbc_core::error::Error;
use adbc_core::options::{OptionDatabase, OptionValue};
use adbc_core::{Connection, Database, Driver, Statement};
use adbc_driver_manager::{ManagedConnection, ManagedDatabase};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Maximum number of idle connections that are kept.
const IDLE: usize = 4;
/// Time that a short query waits for the only connection.
const SHORT: Duration = Duration::from_secs(25);
/// Interval at which a waiting query checks whether it was cancelled.
const LOOK: Duration = Duration::from_millis(50);

/// The way in which a new connection signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignsIn {
    /// The driver signs in without the user, as often as needed.
    Alone,
    /// The user signs in through the browser: there is a single connection, which is kept until it is lost.
    Somebody,
}

/// The connections to a database that a driver has open. Each query uses one connection exclusively.
pub(crate) struct Pool {
    database: ManagedDatabase,
    /// Vitrine's own statements that run first on every new connection.
    beginning: Vec<String>,
    /// The address of the database without secrets.
    shown: String,
    hidden: Hidden,
    signs_in: SignsIn,
    /// Number of connection attempts so far.
    attempts: AtomicU64,
    kept: Mutex<PoolState>,
    returned: Condvar,
}

/// Idle connections and the number of connections in use.
#[derive(Default)]
struct PoolState {
    idle: Vec<ManagedConnection>,
    /// Number of connections in use or being opened.
    taken: usize,
}

impl Pool {
    /// Loads the library and opens the database with a first connection. No error contains the secrets in `hidden`.
    ///
    /// # Errors
    /// Fails if the file is not a driver, or if the driver cannot open the database.
    pub(crate) fn open(
        library: &LibraryFile<'_>,
        options: Vec<(String, String)>,
        beginning: Vec<String>,
        shown: &str,
        hidden: Hidden,
        signs_in: SignsIn,
    ) -> Result<Self, Error> {
        let mut driver = library::load_driver(library)?;
        let options = options.into_iter().map(|(name, value)| (parse_option_name(&name), OptionValue::String(value)));
        let database = driver.new_database_with_opts(options).map_err(|error| hidden.out_of(&error))?;
        let pool = Self {
            database,
            beginning,
            shown: shown.to_owned(),
            hidden,
            signs_in,
            attempts: AtomicU64::default(),
            kept: Mutex::default(),
            returned: Condvar::new(),
        };
        let first = pool.connect()?;
        pool.lock_state().idle.push(first);
        Ok(pool)
    }

    /// Takes a connection for one query. If there is only one and it is in use, waits for it until `waits` returns an
    /// error.
    pub(crate) fn take_connection(
        &self,
        mut waits: impl FnMut() -> Result<(), WarehouseError>,
    ) -> Result<PooledConnection<'_>, WarehouseError> {
        let mut kept = self.lock_state();
        loop {
            if let Some(connection) = kept.idle.pop() {
                kept.taken += 1;
                return Ok(self.wrap_connection(connection));
            }
            if self.signs_in == SignsIn::Alone || kept.taken == 0 {
                kept.taken += 1;
                break;
            }
            waits()?;
            kept = self.returned.wait_timeout(kept, LOOK).unwrap_or_else(PoisonError::into_inner).0;
        }
        drop(kept);
        match self.connect() {
            Ok(connection) => Ok(self.wrap_connection(connection)),
            Err(error) => {
                self.give_back(None);
                Err(self.in_query(&error))
            }
        }
    }

    /// Takes a connection for a short query.
    pub(crate) fn take_for_short(&self) -> Result<PooledConnection<'_>, WarehouseError> {
        let began = Instant::now();
        self.take_connection(|| match began.elapsed() < SHORT {
            true => Ok(()),
            false => Err(WarehouseError::Timeout { seconds: SHORT.as_secs() }),
        })
    }

    /// Runs `work`, and runs it a second time if the session of an idle connection has expired and signing in does not
    /// need the user.
    pub(crate) fn retry_expired_session<T>(
        &self,
        mut work: impl FnMut() -> Result<T, WarehouseError>,
    ) -> Result<T, WarehouseError> {
        let before = self.attempts.load(Ordering::Relaxed);
        match work() {
            Err(WarehouseError::SignInAgain { .. })
                if self.signs_in == SignsIn::Alone && self.attempts.load(Ordering::Relaxed) == before =>
            {
                // The other idle connections are as old as the expired one.
                self.clear_idle();
                work()
            }
            done => done,
        }
    }

    /// Converts an error of the driver.
    pub(crate) fn in_query(&self, error: &Error) -> WarehouseError {
        in_query(&self.hidden.out_of(error), &self.shown)
    }

    /// Closes all connections that are idle.
    pub(crate) fn clear_idle(&self) {
        let idle = std::mem::take(&mut self.lock_state().idle);
        drop(idle);
    }

    fn connect(&self) -> Result<ManagedConnection, Error> {
        self.attempts.fetch_add(1, Ordering::Relaxed);
        self.open_session().map_err(|error| self.hidden.out_of(&error))
    }

    fn open_session(&self) -> Result<ManagedConnection, Error> {
        let mut connection = self.database.new_connection()?;
        for sql in &self.beginning {
            let mut statement = connection.new_statement()?;
            statement.set_sql_query(sql)?;
            // As a query, because a driver may not count rows of a statement that changes none.
            statement.execute()?.try_for_each(|batch| batch.map(drop))?;
        }
        Ok(connection)
    }

    fn wrap_connection(&self, connection: ManagedConnection) -> PooledConnection<'_> {
        PooledConnection { pool: self, connection: Some(connection), is_kept: self.signs_in == SignsIn::Somebody }
    }

    fn give_back(&self, connection: Option<ManagedConnection>) {
        let mut kept = self.lock_state();
        kept.taken = kept.taken.saturating_sub(1);
        let over = match connection {
            Some(connection) if kept.idle.len() < IDLE => {
                kept.idle.push(connection);
                None
            }
            over => over,
        };
        drop(kept);
        self.returned.notify_one();
        // Closing a connection may take a while, so it happens after the lock is released.
        drop(over);
    }

    fn lock_state(&self) -> std::sync::MutexGuard<'_, PoolState> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection in use. It returns to the pool only if its query succeeded and all rows were read: after a failure it
/// may be lost, and unread rows may still be in transit. The single connection of a browser sign-in is always returned
/// unless it is certainly lost.
pub(crate) struct PooledConnection<'p> {
    pool: &'p Pool,
    connection: Option<ManagedConnection>,
    is_kept: bool,
}

impl PooledConnection<'_> {
    /// Runs `work` with the connection. Its result includes whether all rows were read.
    pub(crate) fn with_connection<T>(
        mut self,
        work: impl FnOnce(&mut ManagedConnection) -> Result<(T, bool), WarehouseError>,
    ) -> Result<T, WarehouseError> {
        let Some(connection) = self.connection.as_mut() else { return Err(WarehouseError::Cancelled) };
        let done = work(connection);
        match &done {
            Ok((_, true)) => self.is_kept = true,
            Err(error) if says_lost(error) => self.is_kept = false,
            _ => {}
        }
        done.map(|(result, _)| result)
    }
}

impl Drop for PooledConnection<'_> {
    fn drop(&mut self) {
        let connection = self.connection.take();
        let (kept, lost) = if self.is_kept { (connection, None) } else { (None, connection) };
        self.pool.give_back(kept);
        drop(lost);
    }
}

fn parse_option_name(name: &str) -> OptionDatabase {
    match name {
        "uri" => OptionDatabase::Uri,
        "username" => OptionDatabase::Username,
        "password" => OptionDatabase::Password,
        other => OptionDatabase::Other(other.to_owned()),
    }
}
