//! Provides the passphrase of an encrypted key to the programs of OpenSSH. They run a program for each question and
//! read its output. That program is Vitrine's own executable, which requests the answer from the process that started
//! `ssh`, over a socket in a folder that only this user can access. So the passphrase is never in arguments,
//! environment variables or files, and no other question is answered.

#[cfg(not(unix))]
use crate::server::Passphrase;
#[cfg(not(unix))]
use std::ffi::OsString;
#[cfg(not(unix))]
use std::io;
use std::path::Path;

/// The environment variable with the path of the socket.
const SOCKET: &str = "VITRINE_ASKPASS";

/// Answers a question and exits, if `ssh` started this process for that.
pub(crate) fn answer_if_asked() {
    let Some(socket) = std::env::var_os(SOCKET) else { return };
    let question = std::env::args_os().nth(1).unwrap_or_default();
    // A failure exit code means that there was no answer.
    std::process::exit(i32::from(pass_on(Path::new(&socket), &question.to_string_lossy()).is_err()));
}

/// Returns true if a question asks for the passphrase of this key, and not about a host, a password or another key.
fn is_about(question: &str, key: &Path) -> bool {
    question.starts_with("Enter passphrase") && question.contains(&*key.to_string_lossy())
}

#[cfg(unix)]
pub(super) use unix::Answers;
#[cfg(unix)]
use unix::pass_on;

#[cfg(unix)]
mod unix {
    use super::{SOCKET, is_about};
    use crate::scratch::Scratch;
    use crate::server::Passphrase;
    use std::ffi::OsString;
    use std::io::{self, Read, Write};
    use std::net::Shutdown;
    use std::os::unix::net::{UnixListener, UnixStream};
    use std::path::{Path, PathBuf};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    /// Maximum bytes of a question and of a passphrase.
    const LONGEST: u64 = 1 << 16;
    const PATIENCE: Duration = Duration::from_secs(10);

    /// Answers questions about one key until it is dropped.
    pub(crate) struct Answers {
        folder: Scratch,
        program: PathBuf,
        ended: Arc<AtomicBool>,
    }

    impl Answers {
        /// Starts to answer questions.
        ///
        /// # Errors
        /// Fails if the folder, the socket or the thread cannot be created.
        pub(crate) fn new(program: &Path, key: &Path, passphrase: &Passphrase) -> io::Result<Self> {
            let folder = Scratch::new("askpass")?;
            let listener = UnixListener::bind(folder.path().join("0"))?;
            let ended = Arc::<AtomicBool>::default();
            let (is_over, key, passphrase) = (ended.clone(), key.to_owned(), passphrase.clone());
            let work = move || {
                for asked in listener.incoming() {
                    if is_over.load(Ordering::Acquire) {
                        return;
                    }
                    // A client that disconnects early does not block other questions.
                    if let Err(error) = asked.and_then(|asked| answer_question(asked, &key, &passphrase)) {
                        tracing::debug!(%error, "a question of ssh was not answered");
                    }
                }
            };
            std::thread::Builder::new().name("askpass".to_owned()).stack_size(256 << 10).spawn(work)?;
            Ok(Self { folder, program: program.to_owned(), ended })
        }

        /// Returns the environment variables for the programs of OpenSSH.
        pub(crate) fn env_variables(&self) -> [(&'static str, OsString); 3] {
            [
                ("SSH_ASKPASS", self.program.clone().into()),
                ("SSH_ASKPASS_REQUIRE", "force".into()),
                (SOCKET, self.folder.path().join("0").into()),
            ]
        }
    }

    impl Drop for Answers {
        fn drop(&mut self) {
            self.ended.store(true, Ordering::Release);
            let _ = UnixStream::connect(self.folder.path().join("0"));
        }
    }

    fn answer_question(mut asked: UnixStream, key: &Path, passphrase: &Passphrase) -> io::Result<()> {
        asked.set_read_timeout(Some(PATIENCE))?;
        asked.set_write_timeout(Some(PATIENCE))?;
        let mut question = String::new();
        (&mut asked).take(LONGEST).read_to_string(&mut question)?;
        match is_about(&question, key) {
            true => asked.write_all(passphrase.expose_secret().as_bytes()),
            false => Ok(()),
        }
    }

    /// Forwards a question to the socket and writes the answer to standard output.
    pub(super) fn pass_on(socket: &Path, question: &str) -> io::Result<()> {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.write_all(question.as_bytes())?;
        stream.shutdown(Shutdown::Write)?;
        let mut answer = Vec::new();
        stream.take(LONGEST).read_to_end(&mut answer)?;
        if answer.is_empty() {
            return Err(io::ErrorKind::PermissionDenied.into());
        }
        answer.push(b'\n');
        io::stdout().write_all(&answer)
    }
}

/// On systems without Unix sockets the agent must hold the key.
#[cfg(not(unix))]
pub(super) struct Answers(std::convert::Infallible);

#[cfg(not(unix))]
impl Answers {
    pub(super) fn new(_: &Path, _: &Path, _: &Passphrase) -> io::Result<Self> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "a key with a passphrase has to be in the agent here (ssh-add)"))
    }

    pub(super) fn env_variables(&self) -> [(&'static str, OsString); 3] {
        match self.0 {}
    }
}

#[cfg(not(unix))]
fn pass_on(_: &Path, _: &str) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_passphrase_of_that_key_is_told() {
        let key = Path::new("/home/ann/.ssh/id_ed25519");
        assert!(is_about("Enter passphrase for key '/home/ann/.ssh/id_ed25519': ", key));
        for other in [
            "Enter passphrase for key '/home/ann/.ssh/other': ",
            "ann@bastion's password: ",
            "(ann@bastion) Verification code: ",
            "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
            "Your password for /home/ann/.ssh/id_ed25519: Enter passphrase",
            "",
        ] {
            assert!(!is_about(other, key), "{other}");
        }
    }
}
