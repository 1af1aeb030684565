//! Connections to one server: opened when needed, kept for the next query, and read-only.

use super::errors;
use super::family::{Family, first_column};
use super::gate::{Gate, LONGEST};
use super::search_path::SearchPath;
use crate::server::{Admitted, AtWork, Encryption, Protection, ServerEndpoint, Stops, Wire};
use crate::ssh::{SshRoute, Tunnel};
use crate::{OpenOptions, ServerAddress, WarehouseError, WarehouseKind};
use std::future::Future;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio_postgres::config::{Host, SslMode, SslNegotiation};
use tokio_postgres::{CancelToken, Client, Config, Connection, Error};
use tokio_postgres_rustls::MakeRustlsConnect;
use tokio_util::sync::CancellationToken;
use vitrine_words::tr;

/// Maximum number of idle connections that are kept.
const IDLE: usize = 4;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// Maximum wait for a lock on a table that is being changed.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);
/// Number of cancel requests, and the interval between them.
const CANCELS: u32 = 20;
const CANCEL_EVERY: Duration = Duration::from_millis(100);

/// A connection with the data for cancelling its queries.
pub(crate) struct Session {
    pub(crate) client: Client,
    pub(super) family: Family,
    /// The search path that the database configures.
    pub(super) path: SearchPath,
    /// True if the server has JIT compilation, which can be disabled.
    pub(super) has_jit: bool,
    cancel: CancelToken,
    gate: Gate,
    through: Option<Passage>,
}

/// The tunnel of a connection. It stays open as long as the connection.
struct Passage {
    tunnel: Arc<Tunnel>,
    /// The index of the host in the address, and the host's name for TLS.
    at: usize,
    name: String,
}

impl Session {
    /// Sends a cancel request for the running query over another connection.
    async fn order_to_stop(&self) -> Result<(), Error> {
        let Some(Passage { tunnel, at, name }) = &self.through else {
            return self.cancel.cancel_query(self.gate.for_cancel_request()).await;
        };
        match tunnel.connect(*at).await {
            Ok(stream) => {
                self.cancel.cancel_query_raw(stream, self.gate.for_cancel_request().host_connector(name)).await
            }
            // If the server cannot be reached, the query's own connection is lost, too.
            Err(error) => {
                tracing::debug!(%error, "the server could not be told to stop");
                Ok(())
            }
        }
    }
}

/// Drives a connection in the background until it ends.
fn spawn_connection<S: Wire, T: Wire>(connection: Connection<S, T>) {
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::debug!(%error, "a connection ended");
        }
    });
}

/// Idle connections to a server; each query uses one connection exclusively.
pub(crate) struct Pool {
    pub(crate) server: ServerAddress,
    /// The configuration and the gate of each host, in the order of the address.
    hosts: Vec<(Config, Gate)>,
    /// The SSH route, if the server is not reached directly.
    route: Option<SshRoute>,
    idle: Mutex<Vec<Session>>,
    admitted: Admitted,
    /// The product of the server, if the address determines it.
    family: Option<Family>,
}

impl Pool {
    /// Creates the pool. The password may be sent without encryption only if the user entered this address and it
    /// disables encryption, or if the host is local.
    pub(crate) fn new(server: ServerAddress, options: &OpenOptions) -> Result<Self, WarehouseError> {
        let family = (server.kind() == WarehouseKind::Motherduck).then_some(Family::Motherduck);
        Self::of_family(server, options, family)
    }

    /// Creates the pool. With `family` the product is not detected from the server's version.
    pub(super) fn of_family(
        server: ServerAddress,
        options: &OpenOptions,
        family: Option<Family>,
    ) -> Result<Self, WarehouseError> {
        let own_address = options.own_address;
        let route = SshRoute::from_address(&server, options)?;
        let wrong = |reason: String| WarehouseError::Address { text: server.to_string(), reason };
        let protection = server.protection().map_err(wrong)?;
        let config = server.postgres_config().map_err(wrong)?;
        let files = server.tls_files().map_err(wrong)?;
        let encryption = Encryption::new(protection, &files).map_err(|fault| fault.into_warehouse_error(&server))?;
        let tls = MakeRustlsConnect::new(encryption.config);
        let direct = config.get_ssl_negotiation() == SslNegotiation::Direct;
        let mut hosts = Vec::new();
        for host in server.hosts().map_err(wrong)? {
            let mut config = config_of_one(&config);
            let plain = host.is_local() || (own_address && protection == Protection::Disable);
            let gate = Gate { tls: tls.clone(), protection, direct, plain, cut: Arc::default(), waits: false };
            config.port(host.port).keepalives_idle(Duration::from_secs(60));
            match &host.host {
                #[cfg(unix)]
                Host::Unix(path) => config.host_path(path).ssl_mode(SslMode::Disable),
                // The gate alone decides whether and how the connection is encrypted.
                Host::Tcp(name) => config.host(name).ssl_mode(SslMode::Require).ssl_negotiation(SslNegotiation::Direct),
            };
            if let Some(address) = host.address {
                config.hostaddr(address);
            }
            if let Some(password) = server.password() {
                config.password(password);
            }
            hosts.push((config, gate));
        }
        Ok(Self { hosts, route, server, idle: Mutex::default(), admitted: Admitted::default(), family })
    }

    /// Returns a connection in a read-only transaction, with a time limit for queries that the server enforces.
    pub(crate) async fn begin_read_session(&self, timeout: Duration) -> Result<Session, WarehouseError> {
        // The server also counts the time in which it waits for a slow reader, so that its limit is twice as long.
        let statement = (timeout.as_millis() * 2).clamp(1, i32::MAX as u128);
        let lock = timeout.min(LOCK_TIMEOUT).as_millis().max(1);
        loop {
            let waiting = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(session) = waiting else {
                let session = self.connect().await?;
                let begun = self.begin_in(&session, statement, lock).await;
                return begun.map(|()| session).map_err(|error| self.not_begun(error));
            };
            // An idle connection may be lost by now: then the next one is tried.
            if self.begin_in(&session, statement, lock).await.is_ok() {
                return Ok(session);
            }
        }
    }

    async fn begin_in(&self, session: &Session, statement_ms: u128, lock_ms: u128) -> Result<(), WarehouseError> {
        let begin = session.family.begin_statement(statement_ms, lock_ms);
        let answer = self.with_timeout(session.client.simple_query(&begin)).await?;
        if session.family.has_begun(&answer) {
            return Ok(());
        }
        Err(WarehouseError::query(tr!("it does not keep to the search path that it is told")))
    }

    /// Converts an error of beginning a transaction. A server without read-only transactions is not used.
    fn not_begun(&self, error: WarehouseError) -> WarehouseError {
        let WarehouseError::Query { message } = error else { return error };
        let detail = tr!("it begins no transaction that only reads: {message}", message);
        WarehouseError::NotAdmitted { server: self.server.to_string(), detail }
    }

    async fn connect(&self) -> Result<Session, WarehouseError> {
        let mut failure = None;
        for (at, (config, gate)) in self.hosts.iter().enumerate() {
            let gate = gate.for_new_connection();
            match self.open_connection(at, config, &gate).await {
                Err(error) => failure = Some(error),
                Ok((client, through)) => {
                    self.admitted.mark_admitted();
                    let (told, has_jit) = match self.family {
                        Some(Family::Motherduck) => (Family::Motherduck, false),
                        _ => self.with_timeout(detect_family(&client)).await?,
                    };
                    let family = self.family.unwrap_or(told);
                    let path = match family {
                        Family::Postgres => self.with_timeout(search_path(&client)).await?,
                        _ => SearchPath::default(),
                    };
                    return Ok(Session { cancel: client.cancel_token(), family, path, has_jit, gate, client, through });
                }
            }
        }
        match failure {
            Some(failure) => Err(self.admitted.explain_refusal(failure)),
            None => Err(WarehouseError::query("the address names no host")),
        }
    }

    /// Signs in at one of the hosts.
    async fn open_connection(
        &self,
        at: usize,
        config: &Config,
        gate: &Gate,
    ) -> Result<(Client, Option<Passage>), WarehouseError> {
        let failed = |error: Error| errors::at_connect(&self.server, &error);
        let unreachable = |detail: String| WarehouseError::Unreachable { server: self.server.to_string(), detail };
        let patience = config.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT);
        let Some(route) = &self.route else {
            // The driver's own limit applies per address and ends once the connection is established.
            let connected = tokio::time::timeout(patience * 2, config.connect(gate.clone())).await;
            let (client, connection) = connected.map_err(|_| unreachable(tr!("no answer")))?.map_err(failed)?;
            spawn_connection(connection);
            return Ok((client, None));
        };
        let tunnel = route.open_tunnel().await?;
        let since = tunnel.log_position();
        let name = route.server_endpoints().get(at).map(ServerEndpoint::host_name).unwrap_or_default();
        let connected = async {
            let stream = tunnel.connect(at).await.map_err(|error| unreachable(error.to_string()))?;
            config.connect_raw(stream, gate.host_connector(&name)).await.map_err(failed)
        };
        let connected = tokio::time::timeout(patience, connected).await;
        match connected.unwrap_or_else(|_| Err(unreachable(tr!("no answer")))) {
            Ok((client, connection)) => {
                spawn_connection(connection);
                Ok((client, Some(Passage { tunnel, at, name })))
            }
            Err(error) => Err(tunnel.explain_error(since, error).await),
        }
    }

    /// Ends the transaction, resets the session and keeps the connection for the next query.
    pub(crate) async fn return_session(&self, session: Session) {
        let Some(clean) = session.family.reset_statement() else {
            let _ = self.with_timeout(session.client.batch_execute("ROLLBACK")).await;
            return;
        };
        let rested = self.with_timeout(session.client.batch_execute(clean)).await.is_ok();
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if rested && idle.len() < IDLE {
            idle.push(session);
        }
    }

    /// Cancels the query of a connection, which is not used again, because a late request would cancel its next query.
    /// A request that arrives too early has no effect, so it is repeated.
    pub(super) async fn cancel_session(&self, session: Session) {
        for _ in 0..CANCELS {
            let _ = tokio::time::timeout(CONNECT_TIMEOUT, session.order_to_stop()).await;
            // The response arrives only after the query has ended.
            let over = session.client.batch_execute("ROLLBACK");
            if tokio::time::timeout(CANCEL_EVERY, over).await.is_ok() {
                return;
            }
        }
    }

    /// Runs `work` with a connection within `limit`.
    pub(crate) async fn with_session<T>(
        self: &Arc<Self>,
        limit: Duration,
        closed: &CancellationToken,
        work: impl AsyncFnOnce(&Session) -> Result<T, Error>,
    ) -> Result<T, WarehouseError> {
        if closed.is_cancelled() {
            return Err(WarehouseError::query("the connection to this database was closed"));
        }
        let looking = async {
            let mut at_work = AtWork::new(self, self.begin_read_session(limit).await?);
            let found = work(at_work.session()?).await;
            let session = at_work.into_session()?;
            let result = match found {
                Ok(found) => Ok(found),
                Err(error) => Err(self.explain_error(&session, &error, limit).await),
            };
            self.return_session(session).await;
            result
        };
        // The server's own time limit does not apply if the server no longer responds.
        let late = |_| WarehouseError::Timeout { seconds: limit.as_secs_f64().ceil() as u64 };
        tokio::time::timeout(limit, looking).await.map_err(late)?
    }

    /// Returns the SSH route, if the server is not reached directly.
    pub(crate) fn ssh_route(&self) -> Option<&SshRoute> {
        self.route.as_ref()
    }

    /// Closes the idle connections. Connections in use keep their tunnel.
    pub(crate) fn clear_idle(&self) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.route.iter().for_each(SshRoute::release_tunnel);
    }

    /// Waits for an operation that is fast for a responding server.
    async fn with_timeout<T>(&self, work: impl Future<Output = Result<T, Error>>) -> Result<T, WarehouseError> {
        match tokio::time::timeout(CONNECT_TIMEOUT, work).await {
            Ok(done) => done.map_err(|error| self.query_error(&error)),
            Err(_) => Err(WarehouseError::Unreachable { server: self.server.to_string(), detail: tr!("no answer") }),
        }
    }

    fn query_error(&self, error: &Error) -> WarehouseError {
        errors::in_query(&self.server, error, CONNECT_TIMEOUT)
    }

    /// Converts an error of a session with this timeout.
    pub(super) async fn explain_error(&self, session: &Session, error: &Error, timeout: Duration) -> WarehouseError {
        if session.gate.cut.load(Ordering::Acquire) {
            return WarehouseError::query(format!("a row is longer than the {} MB that one may have", LONGEST >> 20));
        }
        let error = errors::in_query(&self.server, error, timeout);
        match &session.through {
            Some(through) => through.tunnel.explain_error(through.tunnel.log_position(), error).await,
            None => error,
        }
    }
}

impl Stops for Pool {
    type Session = Session;

    async fn stop_session(&self, session: Session) {
        self.cancel_session(session).await;
    }
}

/// Detects the product of the server with a query that all of them support, and whether it is a PostgreSQL with JIT
/// compilation (11 or later).
async fn detect_family(client: &Client) -> Result<(Family, bool), Error> {
    let answer = client.simple_query("SELECT pg_catalog.version()").await?;
    let version = first_column(&answer).first().copied().unwrap_or_default();
    let number = version.split([' ', '.']).nth(1).and_then(|number| number.parse::<u32>().ok());
    Ok((Family::from_version(version), number.is_some_and(|number| number >= 11)))
}

/// Reads the search path that the owner of the database or the role has configured. The functions in this query are
/// qualified, because nothing may be looked up in that path.
async fn search_path(client: &Client) -> Result<SearchPath, Error> {
    let question = "BEGIN READ ONLY; \
        SELECT s FROM ROWS FROM (pg_catalog.unnest(pg_catalog.current_schemas(false))) AS path(s); ROLLBACK";
    let answer = client.simple_query(question).await?;
    Ok(SearchPath::new(first_column(&answer).into_iter().map(str::to_owned)))
}

/// Returns the configuration that applies to all hosts of an address.
fn config_of_one(all: &Config) -> Config {
    let mut one = Config::new();
    one.application_name(all.get_application_name().unwrap_or("vitrine"));
    one.connect_timeout(all.get_connect_timeout().copied().unwrap_or(CONNECT_TIMEOUT));
    one.keepalives(all.get_keepalives()).target_session_attrs(all.get_target_session_attrs());
    one.channel_binding(all.get_channel_binding()).load_balance_hosts(all.get_load_balance_hosts());
    all.get_user().map(|user| one.user(user));
    all.get_dbname().map(|name| one.dbname(name));
    all.get_options().map(|options| one.options(options));
    all.get_tcp_user_timeout().map(|timeout| one.tcp_user_timeout(*timeout));
    all.get_keepalives_interval().map(|interval| one.keepalives_interval(interval));
    all.get_keepalives_retries().map(|retries| one.keepalives_retries(retries));
    one
}
