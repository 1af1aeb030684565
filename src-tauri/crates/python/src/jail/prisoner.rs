//! The child process until it becomes the interpreter. It applies the isolation layers to itself, the outermost first.

use std::convert::Infallible;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};

use super::{filter, landlock, namespaces, rights, system};
use crate::protocol::SandboxKind;

/// The task of a prisoner.
pub enum Payload<'a> {
    /// Attempts forbidden operations; the path is a file that exists outside.
    Probe(&'a Path),
    /// Replaces itself by the Python interpreter.
    Python,
}

/// The parameters for starting a prisoner.
pub struct Birth<'a> {
    pub kind: SandboxKind,
    pub payload: Payload<'a>,
    pub program: &'a PathBuf,
    pub readable: &'a [PathBuf],
    pub bounds: rights::Bounds,
    /// The prisoner's descriptors 0, 1, 2 and so on.
    pub files: Vec<&'a OwnedFd>,
    /// Closes when the warden dies.
    pub warden_lives: &'a OwnedFd,
    /// The user and group ids outside.
    pub user: (u32, u32),
}

/// The reason why a prisoner could not start, sent to the warden; no message means success.
#[derive(Debug, Serialize, Deserialize)]
pub struct Stillbirth {
    pub message: String,
}

impl Stillbirth {
    fn at_step(what: &str) -> impl FnOnce(io::Error) -> Self {
        move |error| Self { message: format!("{what}: {error}") }
    }
}

/// Becomes the payload, or reports the failure and exits. Never returns.
pub fn run_payload(birth: Birth<'_>, complaints: OwnedFd) -> ! {
    let mut complaints = Some(complaints);
    let Err(stillbirth) = grow_up(birth, &mut complaints);
    if let (Some(pipe), Ok(text)) = (complaints, serde_json::to_vec(&stillbirth)) {
        let _ = std::fs::File::from(pipe).write_all(&text);
    }
    system::exit_process(70)
}

fn grow_up(birth: Birth<'_>, complaints: &mut Option<OwnedFd>) -> Result<Infallible, Stillbirth> {
    die_with_the_warden(birth.warden_lives).map_err(Stillbirth::at_step("its parent"))?;
    if birth.kind.has_namespaces() {
        let (user, group) = birth.user;
        namespaces::name_user(user, group)
            .and_then(|()| namespaces::enter_root_of(birth.readable))
            .map_err(|error| Stillbirth { message: format!("namespaces: {error}") })?;
    }
    rights::set_limits(&birth.bounds, birth.kind.has_namespaces()).map_err(Stillbirth::at_step("its limits"))?;
    system::drop_capabilities().map_err(Stillbirth::at_step("its rights"))?;
    if birth.kind.has_landlock() {
        landlock::restrict_process(birth.program, birth.readable).map_err(|message| Stillbirth { message })?;
    }
    // Repeated, because dropping rights may have cleared it.
    die_with_the_warden(birth.warden_lives).map_err(Stillbirth::at_step("its parent"))?;
    if let Some(pipe) = complaints.take() {
        *complaints = Some(system::assign_descriptors(&birth.files, pipe).map_err(Stillbirth::at_step("its files"))?);
    }
    filter::put_on(std::process::id()).map_err(|message| Stillbirth { message })?;
    match birth.payload {
        Payload::Probe(outside) => probe_isolation(outside),
        Payload::Python => {
            let mut interpreter = Command::new(birth.program);
            // Without user settings, site-packages and compiled files, in UTF-8.
            interpreter.args(["-I", "-S", "-B", "-X", "utf8", "-c", crate::sandbox::WRAPPER]);
            interpreter.env_clear().envs(environment_variables(birth.bounds.threads));
            Err(Stillbirth::at_step("the interpreter")(interpreter.exec()))
        }
    }
}

/// Makes the kernel kill this process when the warden ends; fails if that has already happened.
fn die_with_the_warden(lives: &OwnedFd) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    let mut lives = [PollFd::new(lives, PollFlags::IN)];
    match poll(&mut lives, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))? {
        0 => Ok(()),
        _ => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Returns the complete environment variables, with none of the user's. Thread pools of the packages are kept small.
fn environment_variables(threads: u32) -> [(&'static str, String); 8] {
    let few = (threads / 4).clamp(1, 4).to_string();
    [
        ("LANG", "C.UTF-8".to_owned()),
        ("TZ", "UTC".to_owned()),
        // The packages' own allocators reserve more than they use, which would count against the limit.
        ("ARROW_DEFAULT_MEMORY_POOL", "system".to_owned()),
        ("MALLOC_ARENA_MAX", "4".to_owned()),
        ("OMP_NUM_THREADS", few.clone()),
        ("OPENBLAS_NUM_THREADS", few.clone()),
        ("POLARS_MAX_THREADS", few.clone()),
        ("ARROW_IO_THREADS", few),
    ]
}

/// Reports which forbidden operations succeeded; there must be none.
fn probe_isolation(outside: &Path) -> Result<Infallible, Stillbirth> {
    let mut won = system::attempt_escapes();
    if std::fs::File::open(outside).is_ok() {
        won.push("read a file");
    }
    let message = won.join(", ");
    if message.is_empty() {
        system::exit_process(0)
    }
    Err(Stillbirth { message: format!("a trial run inside it could {message}") })
}
