//! A PostgreSQL server, started per test with the programs of Debian's package and removed with it.

use crate::process::{free_port, is_root, run_command};
use crate::server_files;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The password of the server's owner.
pub const PASSWORD: &str = "pass-word:1";

/// A running server with an empty database `shop`.
pub struct PostgresServer {
    process: Child,
    programs: PathBuf,
    folder: tempfile::TempDir,
    port: u16,
}

impl PostgresServer {
    /// Creates and starts a server.
    ///
    /// # Panics
    /// If PostgreSQL is not installed or does not start.
    pub fn start() -> Self {
        let programs = programs().unwrap_or_else(|| {
            panic!("these tests need PostgreSQL: apt-get install -y --no-install-recommends postgresql")
        });
        // PostgreSQL refuses to run as root.
        let own = if is_root() { vec!["runuser", "-u", "postgres", "--"] } else { Vec::new() };
        let program = |name: &str| {
            let path = programs.join(name);
            let mut words = own.iter().map(Path::new).chain([path.as_path()]);
            let mut command = Command::new(words.next().unwrap());
            command.args(words).current_dir("/").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            command
        };
        let folder = server_files::copy_files("postgresql", &programs.join("postgres"), |folder| {
            let at = |name: &str| folder.join(name).display().to_string();
            std::fs::write(at("password"), PASSWORD).unwrap();
            if is_root() {
                run_command(Command::new("chown").args(["-R", "postgres"]).arg(folder));
            }
            run_command(
                program("initdb")
                    .args(["--username=owner", "--auth-host=scram-sha-256", "--auth-local=trust", "--no-sync"])
                    .args(["--encoding=UTF8", "--locale=C.UTF-8"])
                    .args(["--pgdata", &at("data"), "--pwfile", &at("password")]),
            );
        });
        let at = |name: &str| folder.path().join(name).display().to_string();
        let port = free_port();
        let process = program("postgres")
            .args(["-D", &at("data"), "-k", &folder.path().display().to_string(), "-p", &port.to_string()])
            .args(["-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "autovacuum=off"])
            .spawn()
            .unwrap();
        let server = Self { process, programs, folder, port };
        let began = Instant::now();
        while server.state().is_none_or(|(_, state)| state != "ready") {
            assert!(began.elapsed() < Duration::from_secs(60), "PostgreSQL does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        server.psql("postgres", "CREATE DATABASE shop");
        server
    }

    /// Returns the address of a database, with the owner's password.
    pub fn address(&self, database: &str) -> String {
        format!("postgresql://owner:{PASSWORD}@127.0.0.1:{}/{database}", self.port)
    }

    /// Returns the folder of the server's local socket.
    pub fn socket(&self) -> &Path {
        self.folder.path()
    }

    /// Gives the server a self-signed certificate.
    pub fn encrypt(&self) {
        let at = |name: &str| self.folder.path().join("data").join(name).display().to_string();
        run_command(
            Command::new("openssl")
                .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"])
                .args(["-subj", "/CN=test", "-keyout", &at("server.key"), "-out", &at("server.crt")]),
        );
        if is_root() {
            run_command(Command::new("chown").args(["postgres", &at("server.key"), &at("server.crt")]));
        }
        self.psql("postgres", "ALTER SYSTEM SET ssl = on");
        self.psql("postgres", "SELECT pg_reload_conf()");
        let began = Instant::now();
        while self.psql("postgres", "SHOW ssl") != "on" {
            assert!(began.elapsed() < Duration::from_secs(10), "the server does not encrypt");
        }
    }

    /// Runs a script as the owner and returns its output.
    pub fn psql(&self, database: &str, script: &str) -> String {
        let mut client = self.client(database);
        client.stdin.take().unwrap().write_all(script.as_bytes()).unwrap();
        let output = client.wait_with_output().unwrap();
        assert!(output.status.success(), "psql failed");
        String::from_utf8_lossy(&output.stdout).trim().to_owned()
    }

    /// Starts a client of the owner that reads a script and prints plain rows.
    fn client(&self, database: &str) -> Child {
        Command::new(self.programs.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", &self.address(database)])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// Runs a statement in a transaction that stays open until the result is dropped.
    pub fn hold(&self, database: &str, statement: &str) -> Held {
        let mut client = self.client(database);
        let script = format!("BEGIN;\n{statement};\n\\echo held\n");
        client.stdin.as_mut().unwrap().write_all(script.as_bytes()).unwrap();
        let mut said = String::new();
        BufReader::new(client.stdout.as_mut().unwrap()).read_line(&mut said).unwrap();
        assert_eq!(said.trim(), "held");
        Held(client)
    }

    /// Returns the server's process ID and its status.
    fn state(&self) -> Option<(String, String)> {
        let text = std::fs::read_to_string(self.folder.path().join("data/postmaster.pid")).ok()?;
        let line = |number: usize| text.lines().nth(number).map(|line| line.trim().to_owned());
        Some((line(0)?, line(7)?))
    }
}

/// An open transaction of a client.
pub struct Held(Child);

impl Drop for Held {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Some((process, _)) = self.state() {
            let _ = Command::new("kill").args(["-QUIT", &process]).status();
        }
        let _ = self.process.wait();
    }
}

/// Returns the program folder of the newest version.
fn programs() -> Option<PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?.flatten();
    let number = |path: &Path| path.file_name()?.to_str()?.parse::<u32>().ok();
    let newest = versions
        .map(|entry| entry.path())
        .filter(|path| path.join("bin/initdb").exists())
        .max_by_key(|path| number(path))?;
    Some(newest.join("bin"))
}
