//! Connections to one server: opened when needed, kept for the next query, set up so that they can only read.

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

/// Connections kept at most.
const IDLE: usize = 4;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Waiting for a table that somebody changes.
const LOCK_SECONDS: u64 = 10;
/// How long a server is asked to end a query, and a connection to end itself.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// Literals are read as the parser above reads them, and text comes out the same from every server. Sums of lists are not
/// cut off in silence, and a slow reader of the rows is waited for. A negative difference of two numbers that are not negative is
/// a number.
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

/// MySQL itself knows which columns follow from those that are grouped by; MariaDB does not, and would refuse them.
const MYSQL_SETTINGS: &str = settings!("ONLY_FULL_GROUP_BY,");
const MARIADB_SETTINGS: &str = settings!("");

/// Rounds of a recursive query. MariaDB gives what it has after 1,000, with a warning; MySQL ends with an error. Servers that know
/// neither word have no recursive queries.
const MYSQL_RECURSION: &str = "SET SESSION cte_max_recursion_depth = 1000000";
const MARIADB_RECURSION: &str = "SET SESSION max_recursive_iterations = 1000000";

/// A connection.
pub(super) struct Session {
    pub(super) conn: Conn,
    pub(super) is_mariadb: bool,
    /// What it goes through, which lasts as long as it does.
    pub(super) through: Option<Arc<Tunnel>>,
}

impl Session {
    /// Prepares text that came from outside. Sent in any other way it could be several statements.
    pub(super) async fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        self.conn.prep(sql).await
    }

    /// Sets a session up that is new, or as good as new.
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

    /// Leaves nothing of a query behind: no transaction, variable, lock, table or setting of its own.
    async fn reset_session(&mut self) -> Result<bool, Error> {
        if !self.conn.reset().await? {
            return Ok(false);
        }
        self.set_up().await.map(|()| true)
    }

    /// Runs statements of this file, one after the other.
    async fn run_statements(&mut self, statements: &[&str]) -> Result<(), Error> {
        for statement in statements {
            self.conn.query_drop(*statement).await?;
        }
        Ok(())
    }
}

/// Connections that wait for the next query; each query has one to itself.
pub(super) struct Pool {
    pub(super) server: ServerAddress,
    place: ServerEndpoint,
    gate: Gate,
    /// The way there, where it is not a direct one.
    route: Option<SshRoute>,
    idle: Mutex<Vec<Session>>,
    admitted: Admitted,
}

impl Pool {
    /// Only an address of the person's own may ask for a password to be sent without encryption.
    pub(super) fn new(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let own_address = options.own_address;
        let route = SshRoute::from_address(&server, options)?;
        let wrong = |reason: String| WarehouseError::Address { text: server.to_string(), reason };
        let protection = server.protection().map_err(wrong)?;
        let place = server.hosts().map_err(wrong)?.into_iter().next();
        let place = place.ok_or_else(|| wrong(tr!("it names no host")))?;
        let plain = place.is_local() || (own_address && protection == Protection::Disable);
        let files = server.tls_files().map_err(wrong)?;
        // A file that cannot be used is told before anybody is asked for a password.
        Encryption::new(protection, &files).map_err(|fault| fault.into_warehouse_error(&server))?;
        let gate = Gate::new(place.clone(), (protection, files), plain, server.password().map(str::to_owned));
        Ok(Self { server, place, gate, route, idle: Mutex::default(), admitted: Admitted::default() })
    }

    /// A connection inside a transaction that can only read and that the server itself ends after a while.
    pub(super) async fn begin_read_session(&self, timeout: Duration) -> Result<Session, WarehouseError> {
        loop {
            let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut session) = waiting else {
                let mut session = self.connect().await?;
                return self.with_timeout(begin_transaction(&mut session, timeout)).await.map(|()| session);
            };
            // One that was cut off while it waited is no reason to fail.
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

    /// Waits for what takes a server no time. One that has fallen silent is not waited for.
    async fn with_timeout<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        match tokio::time::timeout(CONNECT_TIMEOUT, work).await {
            Ok(done) => done.map_err(|error| self.query_error(&error)),
            Err(_) => Err(self.no_answer_error()),
        }
    }

    fn no_answer_error(&self) -> WarehouseError {
        WarehouseError::Unreachable { server: self.server.to_string(), detail: "no answer".to_owned() }
    }

    /// A connection as the server gives it.
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
            // A server could name a socket of this computer, and is not asked for one.
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

    /// Keeps the connection, as it was when it was new; one that cannot be made so is let go of.
    pub(super) async fn return_session(&self, mut session: Session) {
        let rested = matches!(self.with_timeout(session.reset_session()).await, Ok(true));
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if rested && idle.len() < IDLE {
            idle.push(session);
        }
    }

    /// Has the server stop what it does for a connection, over a second one. The first is not used again: an order to
    /// stop that comes late would hit the next query. The number comes from the server's own greeting.
    pub(super) async fn kill_session(&self, session: &Session) {
        self.kill_connection(session.conn.id(), session.through.as_deref()).await;
    }

    /// Has the server end one of this login's connections.
    pub(super) async fn kill_connection(&self, connection: u32, through: Option<&Tunnel>) {
        let stopped = async {
            let mut conn = match self.open_connection(through).await {
                Ok(conn) => conn,
                Err(error) => return tracing::debug!(%error, "the server could not be told to stop"),
            };
            // Ends the query and the connection, which would be read to its end otherwise.
            if let Err(error) = conn.query_drop(format!("KILL {connection}")).await {
                tracing::debug!(%error, "the server did not stop a query");
            }
            let _ = conn.disconnect().await;
        };
        let _ = tokio::time::timeout(CONNECT_TIMEOUT + STOP_TIMEOUT, stopped).await;
    }

    /// The way there, where it is not a direct one.
    pub(super) fn ssh_route(&self) -> Option<&SshRoute> {
        self.route.as_ref()
    }

    /// Lets go of what waits. What is at work keeps what it goes through.
    pub(super) fn clear_idle(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.route.iter().for_each(SshRoute::release_tunnel);
    }

    fn query_error(&self, error: &Error) -> WarehouseError {
        errors::in_query(&self.server, error, CONNECT_TIMEOUT)
    }

    /// An error of a session through this tunnel that had that much time.
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

/// Begins a transaction. The server also counts the time in which it waits for a slow reader, so that its own limit is a
/// later one.
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
