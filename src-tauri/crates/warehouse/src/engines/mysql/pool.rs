//! Connections to one server: opened when needed, kept for the next query, and read-only.

use super::errors;
use super::gate::{self, Gate};
use super::packets::LONGEST_PACKET;
use crate::server::{Admitted, Encryption, Protection, ServerEndpoint, Stops};
use crate::ssh::{SshRoute, Tunnel};
use crate::{OpenOptions, ServerAddress, WarehouseError};
use mysql_async::prelude::Queryable;
use mysql_async::{Conn, Error, Opts, OptsBuilder, Statement};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_postgres::config::Host;
use vitrine_words::tr;

/// Maximum number of idle connections that are kept.
const IDLE: usize = 4;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum wait for a lock on a table that is being changed, in seconds.
const LOCK_SECONDS: u64 = 10;
/// Time for a request to end a query and to close its own connection.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// The settings of every session. Literals are parsed as by the read-only proof, and text is the same from every
/// server. GROUP_CONCAT does not silently truncate, and the server waits for a slow reader. The difference of two
/// unsigned integers may be negative.
macro_rules! settings {
    ($mode:literal) => {
        concat!(
            "SET NAMES utf8mb4, SESSION time_zone = '+00:00', group_concat_max_len = 16777216, net_write_timeout = 3600, ",
            "sql_select_limit = 18446744073709551615, sql_big_selects = 1, sql_mode = '",
            $mode,
            "NO_UNSIGNED_SUBTRACTION,NO_ENGINE_SUBSTITUTION'"
        )
    };
}

/// MySQL recognizes columns that depend on the grouped ones. MariaDB does not and would reject such queries, so it runs
/// without this mode.
const MYSQL_SETTINGS: &str = settings!("ONLY_FULL_GROUP_BY,");
const MARIADB_SETTINGS: &str = settings!("");

/// Maximum iterations of a recursive query. By default MariaDB stops after 1,000 and returns the rows so far with a
/// warning; MySQL fails. Servers that support neither setting have no recursive queries.
const MYSQL_RECURSION: &str = "SET SESSION cte_max_recursion_depth = 1000000";
const MARIADB_RECURSION: &str = "SET SESSION max_recursive_iterations = 1000000";

/// A connection with its settings.
pub(super) struct Session {
    pub(super) conn: Conn,
    pub(super) is_mariadb: bool,
    /// The tunnel of the connection, which stays open as long as the connection.
    pub(super) through: Option<Arc<Tunnel>>,
}

impl Session {
    /// Prepares an external statement. Sent in any other way, the text could contain several statements.
    pub(super) async fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        self.conn.prep(sql).await
    }

    /// Applies the settings to a new or reset session.
    async fn set_up(&mut self) -> Result<(), Error> {
        let (settings, recursion) = match self.is_mariadb {
            true => (MARIADB_SETTINGS, MARIADB_RECURSION),
            false => (MYSQL_SETTINGS, MYSQL_RECURSION),
        };
        if let Err(error @ Error::Io(_)) = self.run_statements(&[recursion]).await {
            return Err(error);
        }
        self.run_statements(&["SET SESSION TRANSACTION READ ONLY", settings]).await
    }

    /// Removes all traces of a query: transactions, variables, locks, temporary tables and settings. Returns false if
    /// the server cannot reset a session.
    async fn reset_session(&mut self) -> Result<bool, Error> {
        if !self.conn.reset().await? {
            return Ok(false);
        }
        self.set_up().await.map(|()| true)
    }

    /// Runs internal statements in order.
    async fn run_statements(&mut self, statements: &[&str]) -> Result<(), Error> {
        for statement in statements {
            self.conn.query_drop(*statement).await?;
        }
        Ok(())
    }
}

/// Idle connections to a server; each query uses one connection exclusively.
pub(super) struct Pool {
    pub(super) server: ServerAddress,
    place: ServerEndpoint,
    gate: Gate,
    /// The SSH route, if the server is not reached directly.
    route: Option<SshRoute>,
    idle: Mutex<Vec<Session>>,
    admitted: Admitted,
}

impl Pool {
    /// Creates the pool. The password may be sent without encryption only if the user entered this address and it
    /// disables encryption, or if the server is local.
    pub(super) fn new(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let own_address = options.own_address;
        let route = SshRoute::from_address(&server, options)?;
        let wrong = |reason: String| WarehouseError::Address { text: server.to_string(), reason };
        let protection = server.protection().map_err(wrong)?;
        let place = server.hosts().map_err(wrong)?.into_iter().next();
        let place = place.ok_or_else(|| wrong(tr!("it names no host")))?;
        let plain = place.is_local() || (own_address && protection == Protection::Disable);
        let files = server.tls_files().map_err(wrong)?;
        // An unusable file is reported before the user is asked for a password.
        Encryption::new(protection, &files).map_err(|fault| fault.into_warehouse_error(&server))?;
        let gate = Gate::new(place.clone(), (protection, files), plain, server.password().map(str::to_owned));
        Ok(Self { server, place, gate, route, idle: Mutex::default(), admitted: Admitted::default() })
    }

    /// Returns a connection in a read-only transaction, with a time limit for queries that the server enforces.
    pub(super) async fn begin_read_session(&self, timeout: Duration) -> Result<Session, WarehouseError> {
        loop {
            let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut session) = waiting else {
                let mut session = self.connect().await?;
                return self.with_timeout(begin_transaction(&mut session, timeout)).await.map(|()| session);
            };
            // An idle connection may be lost by now: then the next one is tried.
            let begun = tokio::time::timeout(CONNECT_TIMEOUT, begin_transaction(&mut session, timeout)).await;
            if matches!(begun, Ok(Ok(()))) {
                return Ok(session);
            }
        }
    }

    async fn connect(&self) -> Result<Session, WarehouseError> {
        let through = match &self.route {
            Some(route) => Some(route.open_tunnel().await?),
            None => None,
        };
        let mut conn =
            self.open_connection(through.as_deref()).await.map_err(|error| self.admitted.explain_refusal(error))?;
        self.admitted.mark_admitted();
        let version: Option<String> = self.with_timeout(conn.query_first("SELECT VERSION()")).await?;
        let is_mariadb = version.is_some_and(|version| version.to_ascii_lowercase().contains("mariadb"));
        let mut session = Session { conn, is_mariadb, through };
        self.with_timeout(session.set_up()).await?;
        Ok(session)
    }

    /// Waits for an operation that is fast for a responding server.
    async fn with_timeout<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        match tokio::time::timeout(CONNECT_TIMEOUT, work).await {
            Ok(done) => done.map_err(|error| self.query_error(&error)),
            Err(_) => Err(self.no_answer_error()),
        }
    }

    fn no_answer_error(&self) -> WarehouseError {
        WarehouseError::Unreachable { server: self.server.to_string(), detail: "no answer".to_owned() }
    }

    /// Opens a connection that has no settings yet.
    async fn open_connection(&self, through: Option<&Tunnel>) -> Result<Conn, WarehouseError> {
        let Some(tunnel) = through else { return self.sign_in(None).await };
        let since = tunnel.log_position();
        match self.sign_in(through).await {
            Err(error) => Err(tunnel.explain_error(since, error).await),
            conn => conn,
        }
    }

    async fn sign_in(&self, through: Option<&Tunnel>) -> Result<Conn, WarehouseError> {
        let options = OptsBuilder::default()
            .user(Some(self.server.user_name()))
            .pass(self.server.password())
            .db_name(Some(self.server.database_name()).filter(|name| !name.is_empty()))
            // The server could name a socket of this computer, to which the driver would then connect.
            .prefer_socket(false)
            .max_allowed_packet(Some(LONGEST_PACKET))
            .wait_timeout(Some(28_800))
            .stmt_cache_size(0)
            .tcp_nodelay(true)
            .enable_cleartext_plugin(true)
            .connect_attribute("program_name", "vitrine");
        let (options, door) = match &self.place.host {
            #[cfg(unix)]
            Host::Unix(path) => (options.socket(path.to_str()), None),
            Host::Tcp(_) => {
                let shown = self.server.to_string();
                let opened = self.gate.open_door(CONNECT_TIMEOUT, through).await;
                let door = opened.map_err(|failure| gate::to_warehouse_error(&shown, &failure))?;
                (options.ip_or_hostname("127.0.0.1").tcp_port(door.port), Some(door))
            }
        };
        let late = |_| self.no_answer_error();
        let reached = Conn::new(Opts::from(options));
        match (tokio::time::timeout(CONNECT_TIMEOUT, reached).await.map_err(late)?, door) {
            (Ok(conn), _) => Ok(conn),
            (Err(error), Some(door)) => Err(match door.wait_for_failure().await {
                Some(failure) => gate::to_warehouse_error(&self.server.to_string(), &failure),
                None => errors::at_connect(&self.server, &error),
            }),
            (Err(error), None) => Err(errors::at_connect(&self.server, &error)),
        }
    }

    /// Resets the connection and keeps it for the next query. If it cannot be reset, it is closed.
    pub(super) async fn return_session(&self, mut session: Session) {
        let rested = matches!(self.with_timeout(session.reset_session()).await, Ok(true));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if rested && idle.len() < IDLE {
            idle.push(session);
        }
    }

    /// Stops the query of a connection over a second connection. The first one is not used again, because a late stop
    /// would end its next query. The connection id is from the server's greeting.
    pub(super) async fn kill_session(&self, session: &Session) {
        self.kill_connection(session.conn.id(), session.through.as_deref()).await;
    }

    /// Closes one of this login's connections on the server.
    pub(super) async fn kill_connection(&self, connection: u32, through: Option<&Tunnel>) {
        let stopped = async {
            let mut conn = match self.open_connection(through).await {
                Ok(conn) => conn,
                Err(error) => return tracing::debug!(%error, "the server could not be told to stop"),
            };
            // KILL ends the query and the connection; otherwise the driver would read all remaining rows before
            // closing.
            if let Err(error) = conn.query_drop(format!("KILL {connection}")).await {
                tracing::debug!(%error, "the server did not stop a query");
            }
            let _ = conn.disconnect().await;
        };
        let _ = tokio::time::timeout(CONNECT_TIMEOUT + STOP_TIMEOUT, stopped).await;
    }

    /// Returns the SSH route, if the server is not reached directly.
    pub(super) fn ssh_route(&self) -> Option<&SshRoute> {
        self.route.as_ref()
    }

    /// Closes the idle connections. Connections in use keep their tunnel.
    pub(super) fn clear_idle(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.route.iter().for_each(SshRoute::release_tunnel);
    }

    fn query_error(&self, error: &Error) -> WarehouseError {
        errors::in_query(&self.server, error, CONNECT_TIMEOUT)
    }

    /// Converts an error of a session with this tunnel and timeout.
    pub(super) async fn explain_error(
        &self,
        through: Option<&Tunnel>,
        error: &Error,
        timeout: Duration,
    ) -> WarehouseError {
        let error = errors::in_query(&self.server, error, timeout);
        match through {
            Some(tunnel) => tunnel.explain_error(tunnel.log_position(), error).await,
            None => error,
        }
    }
}

impl Stops for Pool {
    type Session = Session;

    async fn stop_session(&self, session: Session) {
        self.kill_session(&session).await;
    }
}

/// Begins a transaction. The server also counts the time in which it waits for a slow reader, so that its time limit is
/// twice as long.
async fn begin_transaction(session: &mut Session, timeout: Duration) -> Result<(), Error> {
    let milliseconds = (timeout.as_millis() * 2).clamp(1, u128::from(u32::MAX));
    let locks = timeout.as_secs().clamp(1, LOCK_SECONDS);
    let limit = match session.is_mariadb {
        true => format!("max_statement_time = {}", milliseconds as f64 / 1_000.0),
        false => format!("max_execution_time = {milliseconds}"),
    };
    let limits = format!("SET SESSION {limit}, lock_wait_timeout = {locks}, innodb_lock_wait_timeout = {locks}");
    session.run_statements(&[&limits, "START TRANSACTION READ ONLY"]).await
}
