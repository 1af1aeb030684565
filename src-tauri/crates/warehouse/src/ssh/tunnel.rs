//! The tunnel to a server's hosts through one `ssh` process: opened when needed, reopened after it has ended, and
//! closed with the last connection that uses it.

use super::askpass::Answers;
use super::fault::SshFault;
use super::process::{Ssh, forward_target};
use crate::scratch::Scratch;
use crate::server::{ServerEndpoint, SshHost};
use crate::{OpenOptions, ServerAddress, WarehouseError};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use vitrine_words::tr;

/// Timeout of signing in; a hardware key waits for a touch.
const START: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// Time to wait for the reason after a connection has ended.
const REASON: Duration = Duration::from_millis(500);

/// A connection into a tunnel.
#[cfg(unix)]
pub(crate) type Stream = tokio::net::UnixStream;
#[cfg(not(unix))]
pub(crate) type Stream = tokio::net::TcpStream;

/// The SSH host of an address, and the tunnel through it.
pub(crate) struct SshRoute {
    host: SshHost,
    /// The hosts of the address, in their order.
    places: Vec<ServerEndpoint>,
    /// The address of the server, displayed without secrets.
    server: ServerAddress,
    config: Option<PathBuf>,
    /// The executable of this program, if `ssh` may run it to request a passphrase.
    program: Option<PathBuf>,
    running: Mutex<Option<Arc<Tunnel>>>,
    starting: tokio::sync::Mutex<()>,
}

/// An `ssh` process that has signed in. It runs until the last reference is dropped.
pub(crate) struct Tunnel {
    // Declared first, so that the process ends before its folder is removed.
    ssh: Ssh,
    listeners: Vec<Listener>,
    _folder: Scratch,
    through: SshHost,
    server: String,
}

/// The local end of a forwarded host: a socket in a folder that only this user can access, or on systems without Unix
/// sockets a port that only this computer reaches.
#[cfg(unix)]
type Listener = PathBuf;
#[cfg(not(unix))]
type Listener = u16;

/// A position in the log of a tunnel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(usize);

impl SshRoute {
    /// Returns the route of an address; `None` if it names no SSH host.
    ///
    /// # Errors
    /// Fails for an address that is not the user's own, because it would sign in with the user's keys.
    pub(crate) fn from_address(server: &ServerAddress, options: &OpenOptions) -> Result<Option<Self>, WarehouseError> {
        let Some(host) = server.ssh_host() else { return Ok(None) };
        let (running, starting) = (Mutex::default(), tokio::sync::Mutex::default());
        if !options.own_address {
            return Err(ssh_error(SshFault::Foreign, &host, &server.to_string(), String::new()));
        }
        let wrong = |reason| WarehouseError::Address { text: server.to_string(), reason };
        let places = server.hosts().map_err(wrong)?;
        let (config, program) = (options.ssh_config.clone(), options.engine.clone());
        Ok(Some(Self { host, places, server: server.clone(), config, program, running, starting }))
    }

    pub(crate) fn host(&self) -> &SshHost {
        &self.host
    }

    /// Returns the hosts behind the tunnel, in the order of the indexes of [`Tunnel::connect`].
    pub(crate) fn server_endpoints(&self) -> &[ServerEndpoint] {
        &self.places
    }

    /// Returns the running tunnel, or opens a new one.
    ///
    /// # Errors
    /// Returns the reason why no tunnel could be opened.
    pub(crate) async fn open_tunnel(&self) -> Result<Arc<Tunnel>, WarehouseError> {
        let _one_at_a_time = self.starting.lock().await;
        if let Some(running) = self.lock_running().clone().filter(|tunnel| tunnel.ssh.is_running()) {
            return Ok(running);
        }
        let made = Arc::new(self.start_tunnel().await?);
        *self.lock_running() = Some(made.clone());
        Ok(made)
    }

    /// Drops the reference to the tunnel, which ends once no connection uses it.
    pub(crate) fn release_tunnel(&self) {
        *self.lock_running() = None;
    }

    fn lock_running(&self) -> std::sync::MutexGuard<'_, Option<Arc<Tunnel>>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn start_tunnel(&self) -> Result<Tunnel, WarehouseError> {
        let shown = self.server.to_string();
        let fault = |fault, detail: String| ssh_error(fault, &self.host, &shown, detail);
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => fault(SshFault::NotInstalled, String::new()),
            _ => fault(SshFault::Failed, error.to_string()),
        };
        let folder = Scratch::new("ssh").map_err(failed)?;
        let listeners = create_listeners(&folder, self.places.len()).map_err(failed)?;
        let targets: Vec<String> = self.places.iter().map(forward_target).collect::<Result<_, _>>().map_err(failed)?;
        let forwards = listeners.iter().map(listener_name).zip(targets);
        let answers = self.askpass_answers().map_err(failed)?;
        let started = Ssh::start(&self.host, self.config.as_deref(), answers.as_ref(), forwards);
        let ssh = started.await.map_err(failed)?;
        let tunnel = Tunnel { ssh, listeners, _folder: folder, through: self.host.clone(), server: shown.clone() };
        let began = Instant::now();
        // The listeners exist once `ssh` has signed in.
        while !tunnel.is_listening().await {
            if !tunnel.ssh.is_running() {
                return Err(self.or_the_key(tunnel.startup_error().await).await);
            }
            if tunnel.lock_stderr_log().lines_since(0).iter().any(|line| line.contains("local forwarding")) {
                return Err(fault(SshFault::Failed, tunnel.log_text(Mark(0))));
            }
            if began.elapsed() > START {
                let lines = tunnel.log_text(Mark(0));
                let detail = if lines.is_empty() {
                    tr!("no answer within {seconds} s", seconds = START.as_secs())
                } else {
                    lines
                };
                return Err(fault(SshFault::Unreachable, detail));
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
        Ok(tunnel)
    }

    /// Returns the provider of the passphrase of the key that the address names, if the passphrase is known.
    fn askpass_answers(&self) -> io::Result<Option<Answers>> {
        match (self.host.key_path(), self.server.ssh_passphrase(), &self.program) {
            (Some(key), Some(passphrase), Some(program)) => Answers::new(program, key, passphrase).map(Some),
            _ => Ok(None),
        }
    }

    /// Replaces the error of a refused login if the key could not be decrypted.
    async fn or_the_key(&self, error: WarehouseError) -> WarehouseError {
        if !matches!(error, WarehouseError::Ssh { fault: SshFault::LoginRefused, .. }) {
            return error;
        }
        let server = self.server.clone();
        let looked = crate::run::run_blocking(move || {
            server.opens_ssh_key().map_err(|fault| fault.into_warehouse_error(&server))
        })
        .await;
        looked.err().unwrap_or(error)
    }
}

impl Tunnel {
    /// Connects to the listener of a host by its index. The host itself may not be connected yet.
    ///
    /// # Errors
    /// Fails if the tunnel no longer listens.
    pub(crate) async fn connect(&self, at: usize) -> io::Result<Stream> {
        let listener = self.listeners.get(at).ok_or(io::ErrorKind::NotFound)?;
        let began = Instant::now();
        loop {
            #[cfg(unix)]
            let connected = Stream::connect(listener).await;
            #[cfg(not(unix))]
            let connected = Stream::connect(("127.0.0.1", *listener)).await;
            match connected {
                // The socket exists shortly before `ssh` listens on it.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && began.elapsed() < REASON => {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                connected => return connected,
            }
        }
    }

    /// Returns the current position in the log.
    pub(crate) fn log_position(&self) -> Mark {
        Mark(self.lock_stderr_log().line_count())
    }

    /// Returns the reason why a connection through the tunnel ended, if the tunnel caused it.
    pub(crate) async fn find_end_reason(&self, since: Mark) -> Option<WarehouseError> {
        let began = Instant::now();
        loop {
            let lines = self.lock_stderr_log().lines_since(since.0);
            if let Some((fault, line)) = lines.iter().find_map(|line| Some((SshFault::of_channel(line)?, line))) {
                return Some(ssh_error(fault, &self.through, &self.server, line.clone()));
            }
            if !self.ssh.is_running() {
                return Some(ssh_error(SshFault::Ended, &self.through, &self.server, self.log_text(Mark(0))));
            }
            if began.elapsed() > REASON {
                return None;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Replaces the error of an unreachable server with the tunnel's reason, if there is one.
    pub(crate) async fn explain_error(&self, since: Mark, error: WarehouseError) -> WarehouseError {
        match error {
            WarehouseError::Unreachable { .. } => self.find_end_reason(since).await.unwrap_or(error),
            other => other,
        }
    }

    /// Returns the reason why the tunnel ended before it listened.
    async fn startup_error(&self) -> WarehouseError {
        // The last lines of the process may not have arrived yet.
        tokio::time::sleep(LOOK_EVERY * 2).await;
        let fault = SshFault::from_lines(&self.lock_stderr_log().lines_since(0));
        ssh_error(fault, &self.through, &self.server, self.log_text(Mark(0)))
    }

    async fn is_listening(&self) -> bool {
        #[cfg(unix)]
        return self.listeners.iter().all(|listener| listener.exists());
        #[cfg(not(unix))]
        {
            for listener in &self.listeners {
                if Stream::connect(("127.0.0.1", *listener)).await.is_err() {
                    return false;
                }
            }
            true
        }
    }

    fn log_text(&self, since: Mark) -> String {
        self.lock_stderr_log().lines_since(since.0).join("\n")
    }

    fn lock_stderr_log(&self) -> std::sync::MutexGuard<'_, super::process::StderrLog> {
        self.ssh.said.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn ssh_error(fault: SshFault, through: &SshHost, server: &str, detail: String) -> WarehouseError {
    let hint = fault.hint(&through.login_command(), &through.known_as());
    WarehouseError::Ssh { fault, message: fault.message(&through.to_string(), server), hint, detail }
}

#[cfg(unix)]
fn create_listeners(folder: &Scratch, count: usize) -> io::Result<Vec<Listener>> {
    Ok((0..count).map(|at| folder.path().join(at.to_string())).collect())
}

#[cfg(unix)]
fn listener_name(listener: &Listener) -> OsString {
    listener.as_os_str().to_owned()
}

#[cfg(not(unix))]
fn create_listeners(_: &Scratch, count: usize) -> io::Result<Vec<Listener>> {
    let free: Vec<_> = (0..count).map(|_| std::net::TcpListener::bind(("127.0.0.1", 0))).collect::<Result<_, _>>()?;
    free.iter().map(|listener| Ok(listener.local_addr()?.port())).collect()
}

#[cfg(not(unix))]
fn listener_name(listener: &Listener) -> OsString {
    format!("127.0.0.1:{listener}").into()
}
