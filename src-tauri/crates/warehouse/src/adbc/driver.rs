//! A driver's library, and the connections that it makes. Runs in an engine's own process alone: what the library does to a
//! process, it does to that one.

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

/// Connections kept at most.
const IDLE: usize = 4;
/// How long a short question waits for the only connection.
const SHORT: Duration = Duration::from_secs(25);
/// How often whoever waits looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(50);

/// Who signs in when a connection is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignsIn {
    /// The driver by itself, as often as it likes.
    Alone,
    /// Somebody, in a tab of the browser: there is one connection, and it is kept as long as it lives.
    Somebody,
}

/// A driver with a database that it has open. Each query has a connection to itself.
pub(crate) struct Pool {
    database: ManagedDatabase,
    /// Statements of ours that every new connection begins with.
    beginning: Vec<String>,
    /// The address, without anything secret.
    shown: String,
    hidden: Hidden,
    signs_in: SignsIn,
    /// How often a connection was begun.
    attempts: AtomicU64,
    kept: Mutex<PoolState>,
    returned: Condvar,
}

/// The connections that there are.
#[derive(Default)]
struct PoolState {
    idle: Vec<ManagedConnection>,
    /// Those at work, or being made.
    taken: usize,
}

impl Pool {
    /// Loads the library and opens the database with a first connection. What is hidden is in no error.
    ///
    /// # Errors
    /// When it is no driver, or the driver does not open.
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

    /// A connection for one query. Where there is only one, it is waited for as long as `waits` gives no error.
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

    /// A connection for a question that takes little time.
    pub(crate) fn take_for_short(&self) -> Result<PooledConnection<'_>, WarehouseError> {
        let began = Instant::now();
        self.take_connection(|| match began.elapsed() < SHORT {
            true => Ok(()),
            false => Err(WarehouseError::Timeout { seconds: SHORT.as_secs() }),
        })
    }

    /// Does something, and once more where an old connection's session has expired meanwhile and signing in needs nobody.
    pub(crate) fn retry_expired_session<T>(
        &self,
        mut work: impl FnMut() -> Result<T, WarehouseError>,
    ) -> Result<T, WarehouseError> {
        let before = self.attempts.load(Ordering::Relaxed);
        match work() {
            Err(WarehouseError::SignInAgain { .. })
                if self.signs_in == SignsIn::Alone && self.attempts.load(Ordering::Relaxed) == before =>
            {
                // Those that wait are as old.
                self.clear_idle();
                work()
            }
            done => done,
        }
    }

    /// What an error of the driver means.
    pub(crate) fn in_query(&self, error: &Error) -> WarehouseError {
        in_query(&self.hidden.out_of(error), &self.shown)
    }

    /// Lets go of the connections that wait.
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
            // As a query, because a driver may count no rows of a statement that changes none.
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
        // Taking leave of a server may take a while.
        drop(over);
    }

    fn lock_state(&self) -> std::sync::MutexGuard<'_, PoolState> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection at work. It goes back where its query has ended well: one that failed may have been lost, and rows that nobody has
/// read may still be on their way. The only one goes back in any case but when it is lost for certain.
pub(crate) struct PooledConnection<'p> {
    pool: &'p Pool,
    connection: Option<ManagedConnection>,
    is_kept: bool,
}

impl PooledConnection<'_> {
    /// Works with it; the result says whether all rows were read.
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
