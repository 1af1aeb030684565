//! A running `ssh` process: started, its output collected, and ended when its owner is dropped.

use super::askpass::Answers;
use crate::server::{ServerEndpoint, SshHost};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::{Child, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// The program, which is searched in `PATH`.
const PROGRAM: &str = "ssh";
/// Maximum number of log lines that are kept, and of characters per line.
const LINES: usize = 40;
const LETTERS: usize = 400;
/// Options that override the user's configuration. Only the question about the passphrase is answered, no remote
/// command runs, no connection is shared that would outlive this one, and a lost connection is detected within a
/// minute.
const OPTIONS: [&str; 19] = [
    "PasswordAuthentication=no",
    "KbdInteractiveAuthentication=no",
    "NumberOfPasswordPrompts=1",
    "ConnectTimeout=15",
    "ServerAliveInterval=15",
    "ServerAliveCountMax=3",
    "ControlMaster=no",
    "ControlPath=none",
    "ClearAllForwardings=no",
    "ExitOnForwardFailure=no",
    "PermitLocalCommand=no",
    "RemoteCommand=none",
    "RequestTTY=no",
    "Tunnel=no",
    "ForwardAgent=no",
    "ForwardX11=no",
    "StreamLocalBindMask=0177",
    "EscapeChar=none",
    "LogLevel=INFO",
];

/// The last lines that `ssh` wrote to standard error.
#[derive(Debug, Default)]
pub(super) struct StderrLog {
    last: VecDeque<String>,
    /// Number of lines so far.
    count: usize,
}

impl StderrLog {
    fn add(&mut self, line: &str) {
        self.last.push_back(line.chars().take(LETTERS).collect());
        self.count += 1;
        if self.last.len() > LINES {
            self.last.pop_front();
        }
    }

    /// Returns the number of lines so far.
    pub(super) fn line_count(&self) -> usize {
        self.count
    }

    /// Returns the lines after the first `count`, except those already discarded.
    pub(super) fn lines_since(&self, count: usize) -> Vec<String> {
        let first = self.count - self.last.len();
        self.last.iter().skip(count.saturating_sub(first)).cloned().collect()
    }
}

/// A running `ssh` process, which ends when this is dropped.
pub(super) struct Ssh {
    child: Mutex<Child>,
    pub(super) said: Arc<Mutex<StderrLog>>,
    /// Keeps the thread that started the process alive.
    _keeper: std::sync::mpsc::Sender<()>,
}

impl Ssh {
    /// Starts `ssh` with one listener per host. With `answers` it may request the passphrase, and nothing else.
    ///
    /// # Errors
    /// Fails if `ssh` is not installed or cannot be started.
    pub(super) async fn start(
        host: &SshHost,
        config: Option<&Path>,
        answers: Option<&Answers>,
        listeners: impl Iterator<Item = (OsString, String)>,
    ) -> io::Result<Self> {
        let mut command = Command::new(PROGRAM);
        command.args(["-N", "-T"]);
        if let Some(config) = config {
            command.arg("-F").arg(config);
        }
        for option in OPTIONS {
            command.args(["-o", option]);
        }
        command.args(["-o", if answers.is_some() { "BatchMode=no" } else { "BatchMode=yes" }]);
        if let Some(key) = host.key_path() {
            // Other keys would use up the authentication attempts that a server permits.
            command.args(["-o", "IdentitiesOnly=yes", "-o"]).arg(identity_option(key));
        }
        command.envs(answers.map(Answers::env_variables).into_iter().flatten());
        for (listener, target) in listeners {
            let mut forward = listener;
            forward.push(":");
            forward.push(target);
            command.arg("-L").arg(forward);
        }
        if let Some(port) = host.port() {
            command.args(["-p", &port.to_string()]);
        }
        command.arg("--").arg(host.destination());
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let (mut child, keeper) = spawn_on_thread(command).await?;
        let said = Arc::<Mutex<StderrLog>>::default();
        if let Some(stderr) = child.stderr.take() {
            tokio::spawn(collect_stderr(stderr, said.clone()));
        }
        Ok(Self { child: Mutex::new(child), said, _keeper: keeper })
    }

    /// Returns true if the process has not ended.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait(), Ok(None))
    }
}

/// Returns the option for a key file. A percent sign is escaped, because it has a meaning in this option.
fn identity_option(key: &Path) -> OsString {
    format!("IdentityFile=\"{}\"", key.to_string_lossy().replace('%', "%%")).into()
}

/// Returns the target of a listener.
pub(super) fn forward_target(place: &ServerEndpoint) -> io::Result<String> {
    place.forward_target().map_err(io::Error::other)
}

async fn collect_stderr(stderr: impl AsyncRead + Unpin, said: Arc<Mutex<StderrLog>>) {
    let mut lines = BufReader::new(stderr).lines();
    while let Ok(Some(line)) = lines.next_line().await {
        tracing::debug!(%line, "ssh");
        said.lock().unwrap_or_else(PoisonError::into_inner).add(line.trim());
    }
}

/// Starts a program on a thread of its own, which lives until the sender is dropped. Linux ends the program when this
/// thread ends, and so also when this process ends in any way.
async fn spawn_on_thread(mut command: Command) -> io::Result<(Child, std::sync::mpsc::Sender<()>)> {
    // An interrupt from the terminal must reach only this process, which stops running queries first.
    #[cfg(unix)]
    command.process_group(0);
    #[cfg(target_os = "linux")]
    ends_with_its_thread(&mut command);
    let (keeper, ended) = std::sync::mpsc::channel();
    let (give, given) = oneshot::channel();
    let runtime = Handle::current();
    std::thread::Builder::new().name("ssh".to_owned()).stack_size(256 << 10).spawn(move || {
        let _inside = runtime.enter();
        if give.send(command.spawn()).is_ok() {
            let _ = ended.recv();
        }
    })?;
    let child = given.await.map_err(io::Error::other)??;
    Ok((child, keeper))
}

#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn ends_with_its_thread(command: &mut Command) {
    use rustix::process::{Signal, set_parent_process_death_signal};
    let ask = || Ok(set_parent_process_death_signal(Some(Signal::TERM))?);
    // SAFETY: between fork and exec the closure makes a single system call and nothing else.
    unsafe { command.pre_exec(ask) };
}
