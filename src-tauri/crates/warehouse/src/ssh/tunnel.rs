//! The way to a server's hosts through one `ssh`: made when it is needed, made anew when it has ended, and gone with the last
//! connection that uses it.

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

/// How long signing in may take; a key in hardware waits for a finger.
const START: Duration = Duration::from_secs(30);
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// How long after a connection's end the reason may come.
const REASON: Duration = Duration::from_millis(500);

/// A connection on its way into a tunnel.
#[cfg(unix)]
pub(crate) type Stream = tokio::net::UnixStream;
#[cfg(not(unix))]
pub(crate) type Stream = tokio::net::TcpStream;

/// Which machine a server is reached through.
pub(crate) struct SshRoute {
    host: SshHost,
    /// The hosts of the address, in their order.
    places: Vec<ServerEndpoint>,
    /// The address, which is shown without its secrets.
    server: ServerAddress,
    config: Option<PathBuf>,
    /// This program, as far as `ssh` may run it to ask for a passphrase.
    program: Option<PathBuf>,
    running: Mutex<Option<Arc<Tunnel>>>,
    starting: tokio::sync::Mutex<()>,
}

/// One `ssh` that has signed in. Whoever holds it keeps it.
pub(crate) struct Tunnel {
    // Ended before its folder goes.
    ssh: Ssh,
    listeners: Vec<Listener>,
    _folder: Scratch,
    through: SshHost,
    server: String,
}

/// Where an `ssh` listens for one host: a socket in a folder that is this user's alone, or where there are no such sockets, a
/// port that only this computer reaches.
#[cfg(unix)]
type Listener = PathBuf;
#[cfg(not(unix))]
type Listener = u16;

/// What a tunnel had written when something began.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark(usize);

impl SshRoute {
    /// The way that an address names.
    ///
    /// # Errors
    /// For an address that is not the user's own: it would be signed in to with the user's keys.
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

    /// The machine between.
    pub(crate) fn host(&self) -> &SshHost {
        &self.host
    }

    /// The hosts that are reached, in the order of [`Tunnel::connect`].
    pub(crate) fn server_endpoints(&self) -> &[ServerEndpoint] {
        &self.places
    }

    /// The tunnel that runs, or a new one.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) async fn open_tunnel(&self) -> Result<Arc<Tunnel>, WarehouseError> {
        let _one_at_a_time = self.starting.lock().await;
        if let Some(running) = self.lock_running().clone().filter(|tunnel| tunnel.ssh.is_running()) {
            return Ok(running);
        }
        let made = Arc::new(self.start_tunnel().await?);
        *self.lock_running() = Some(made.clone());
        Ok(made)
    }

    /// Lets go of the tunnel: it ends once no connection uses it.
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
        // It listens once it has signed in.
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

    /// What answers `ssh` when it asks for the passphrase of the key that the address names, where that is known.
    fn askpass_answers(&self) -> io::Result<Option<Answers>> {
        match (self.host.key_path(), self.server.ssh_passphrase(), &self.program) {
            (Some(key), Some(passphrase), Some(program)) => Answers::new(program, key, passphrase).map(Some),
            _ => Ok(None),
        }
    }

    /// Where nobody was let in, the reason may be that the key stayed locked.
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
    /// Connects to one of the hosts, by its place among them. What is behind it is not reached yet.
    ///
    /// # Errors
    /// When the tunnel does not listen any more.
    pub(crate) async fn connect(&self, at: usize) -> io::Result<Stream> {
        let listener = self.listeners.get(at).ok_or(io::ErrorKind::NotFound)?;
        let began = Instant::now();
        loop {
            #[cfg(unix)]
            let connected = Stream::connect(listener).await;
            #[cfg(not(unix))]
            let connected = Stream::connect(("127.0.0.1", *listener)).await;
            match connected {
                // The socket is there a moment before anybody listens at it.
                Err(error) if error.kind() == io::ErrorKind::ConnectionRefused && began.elapsed() < REASON => {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                connected => return connected,
            }
        }
    }

    /// What it has written so far.
    pub(crate) fn log_position(&self) -> Mark {
        Mark(self.lock_stderr_log().line_count())
    }

    /// Why a connection through it ended, where that is the tunnel's doing.
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

    /// The same, in place of an error that says no more than that the server is out of reach.
    pub(crate) async fn explain_error(&self, since: Mark, error: WarehouseError) -> WarehouseError {
        match error {
            WarehouseError::Unreachable { .. } => self.find_end_reason(since).await.unwrap_or(error),
            other => other,
        }
    }

    /// Why it ended before it listened.
    async fn startup_error(&self) -> WarehouseError {
        // Its last lines are still on their way.
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
