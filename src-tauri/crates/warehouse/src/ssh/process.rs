//! One `ssh` at work: started, listened to, and ended with whoever holds it.

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

/// The program; it is looked for as every program is.
const PROGRAM: &str = "ssh";
/// Lines of it that are kept, and letters of one.
const LINES: usize = 40;
const LETTERS: usize = 400;
/// What a user's configuration may say otherwise. No question is asked but the one that is answered, nothing is run there, no connection is shared that would
/// outlive this one, and one that is dead is noticed within a minute.
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

/// What it has written to its standard error.
#[derive(Debug, Default)]
pub(super) struct StderrLog {
    last: VecDeque<String>,
    /// How many lines there have been.
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

    /// How many lines there have been so far.
    pub(super) fn line_count(&self) -> usize {
        self.count
    }

    /// The lines after that many, as far as they are kept.
    pub(super) fn lines_since(&self, count: usize) -> Vec<String> {
        let first = self.count - self.last.len();
        self.last.iter().skip(count.saturating_sub(first)).cloned().collect()
    }
}

/// A running `ssh`. Dropping it ends it.
pub(super) struct Ssh {
    child: Mutex<Child>,
    pub(super) said: Arc<Mutex<StderrLog>>,
    /// Its thread lasts as long as this.
    _keeper: std::sync::mpsc::Sender<()>,
}

impl Ssh {
    /// Starts it with one listener for each place. Where there are answers it may ask for them, and for nothing else.
    ///
    /// # Errors
    /// When there is no such program, or the system does not start it.
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
            // Others would use up the attempts that a server allows.
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

    /// Whether it still runs.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.child.lock().unwrap_or_else(PoisonError::into_inner).try_wait(), Ok(None))
    }
}

/// The file of a key as a line of a configuration. A percent sign means something there.
fn identity_option(key: &Path) -> OsString {
    format!("IdentityFile=\"{}\"", key.to_string_lossy().replace('%', "%%")).into()
}

/// What a listener forwards to.
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

/// Starts a program on a thread of its own, which lasts until the sender is dropped: Linux ends the program with the thread that
/// started it, and so with this program, however that ends.
async fn spawn_on_thread(mut command: Command) -> io::Result<(Child, std::sync::mpsc::Sender<()>)> {
    // An interrupt from the terminal is for this program, which first has the server stop.
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
    // SAFETY: between fork and exec it does nothing but one system call.
    unsafe { command.pre_exec(ask) };
}
