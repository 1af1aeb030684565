//! An SSH server, started per test and removed with it, with its own keys, known hosts and configuration.

use crate::process::{free_port, is_root, run_command};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PROGRAM: &str = "/usr/sbin/sshd";

/// A running server, and the files with which a client signs in as the user of the test.
pub struct SshServer {
    process: Child,
    folder: tempfile::TempDir,
    port: u16,
}

impl SshServer {
    /// Creates and starts a server.
    ///
    /// # Panics
    /// If OpenSSH is not installed or does not start.
    pub fn start() -> Self {
        Self::start_with("")
    }

    /// The same with further lines of its configuration.
    pub fn start_with(lines: &str) -> Self {
        assert!(
            Path::new(PROGRAM).exists() && Command::new("ssh").arg("-V").stderr(Stdio::null()).status().is_ok(),
            "these tests need OpenSSH: apt-get install -y --no-install-recommends openssh-server openssh-client"
        );
        // sshd does not start as root without this folder.
        if is_root() {
            let _ = std::fs::create_dir_all("/run/sshd");
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name).display().to_string();
        for key in ["host", "other", "clerk", "stranger"] {
            let make = ["-q", "-t", "ed25519", "-N", "", "-C", key, "-f"];
            run_command(Command::new("ssh-keygen").args(make).arg(at(key)));
        }
        std::fs::copy(at("clerk.pub"), at("authorized")).unwrap();
        let port = free_port();
        let config = format!(
            "Port {port}\nListenAddress 127.0.0.1\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\n\
             UsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nPermitRootLogin prohibit-password\n{lines}\n",
            at("host"),
            at("authorized"),
        );
        std::fs::write(at("sshd_config"), config).unwrap();
        let process = Command::new(PROGRAM)
            .args(["-D", "-e", "-f", &at("sshd_config")])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self { process, folder, port };
        server.know("host");
        server.sign_in_with("clerk");
        let began = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < Duration::from_secs(20), "sshd does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Returns the client's configuration, which replaces the user's own.
    pub fn config(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    /// Encrypts one of the keys with a passphrase; returns its file.
    pub fn locked(&self, key: &str, passphrase: &str) -> PathBuf {
        let path = self.folder.path().join(key);
        run_command(Command::new("ssh-keygen").args(["-q", "-p", "-P", "", "-N", passphrase, "-f"]).arg(&path));
        path
    }

    /// Returns the address option that names this server.
    pub fn option(&self) -> String {
        format!("ssh={}@127.0.0.1:{}", user(), self.port)
    }

    /// Registers one of the keys as this server's in the client's known hosts; none if the key does not exist.
    pub fn know(&self, key: &str) {
        let key = std::fs::read_to_string(self.folder.path().join(format!("{key}.pub"))).unwrap_or_default();
        let line = if key.is_empty() { String::new() } else { format!("[127.0.0.1]:{} {key}", self.port) };
        std::fs::write(self.folder.path().join("known_hosts"), line).unwrap();
    }

    /// Configures the client to sign in with one of the keys, and to know the server as `bastion`, too.
    pub fn sign_in_with(&self, key: &str) {
        let at = |name: &str| self.folder.path().join(name).display().to_string();
        let config = format!(
            "Host bastion\n  HostName 127.0.0.1\n  Port {}\n  User {}\nHost *\n  IdentityFile {}\n  IdentitiesOnly yes\n\
             \x20 IdentityAgent none\n  UserKnownHostsFile {}\n  GlobalKnownHostsFile none\n",
            self.port,
            user(),
            at(key),
            at("known_hosts"),
        );
        std::fs::write(self.config(), config).unwrap();
    }

    /// Kills the server's process; also called on drop.
    pub fn stop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for SshServer {
    fn drop(&mut self) {
        self.stop();
    }
}

fn user() -> String {
    String::from_utf8_lossy(&Command::new("id").arg("-un").output().unwrap().stdout).trim().to_owned()
}
