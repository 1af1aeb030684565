//! Secrets in the terminal.

use super::search::Seen;
use super::servers::{hangs_up, serve, shop, wrong_addresses};
use super::{BEARER, KEY, PASSWORD, SQL, TYPED};
use crate::bench::vitrine;
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// The proxy header for `ann` with [`PASSWORD`].
const BASIC: &str = "Basic YW5uOm1hcms3ZjNjLXBhc3N3b3Jk";

/// The program in a terminal, without a keychain, with all log messages.
struct Terminal {
    folder: TempDir,
    home: TempDir,
    seen: Seen,
}

impl Terminal {
    /// Runs a command; returns its status and combined output.
    fn run(&self, words: &[&str], variables: &[(&str, &str)], typed: &str) -> (i32, String) {
        let at = |name: &str| self.folder.path().join(name);
        let mut command = Command::new(vitrine());
        for name in
            ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"]
        {
            command.env_remove(name);
        }
        command
            .args(words)
            .current_dir(self.folder.path())
            .envs([("VITRINE_HOME", at("data")), ("VITRINE_CACHE", at("cache")), ("TMPDIR", at("tmp"))])
            .envs([("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent"), ("VITRINE_LOG", "trace")])
            .env("HOME", self.home.path())
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().expect("vitrine starts");
        // A command that reads nothing may have ended.
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        let output = child.wait_with_output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        self.seen.bytes(format!("vitrine {}", words[..2].join(" ")), said.clone());
        (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&said).into_owned())
    }

    /// Writes a password file with permissions for its owner only.
    fn leave(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.home.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    }
}

#[test]
fn the_terminal_tells_no_secret() {
    let [folder, home] = [(), ()].map(|()| tempfile::tempdir().unwrap());
    std::fs::create_dir(folder.path().join("tmp")).unwrap();
    let terminal = Terminal { folder, home, seen: Seen::default() };
    let run = |words: &[&str]| terminal.run(words, &[], "");
    let (_server, place) = shop();
    let [shop, bare] = [format!("postgresql://ann:{PASSWORD}@{place}"), format!("postgresql://ann@{place}")];

    let added = run(&["connections", "add", "Shop", &shop]);
    assert!(added.0 == 0 && added.1.contains("the password was not stored"), "{}", added.1);
    assert!(run(&["connections", "test", "Shop"]).1.contains("asks for a password"), "it is gone with the program");
    assert_eq!(run(&["connections", "test", &shop]).0, 0);
    run(&["connections", "rename", "Shop", "Sales"]);
    assert_eq!(run(&["query", &shop, SQL]).0, 0);
    run(&["query", &shop, "DROP TABLE customers"]);
    run(&["safety", &shop]);
    assert_eq!(terminal.run(&["query", "Sales", SQL], &[("PGPASSWORD", PASSWORD)], "").0, 0, "the variable is used");
    assert_eq!(terminal.run(&["query", &bare, SQL], &[("PGPASSWORD", TYPED)], "").0, 4);
    terminal.leave(".pgpass", &format!("127.0.0.1:*:*:ann:{PASSWORD}\n"));
    assert_eq!(run(&["query", &bare, SQL]).0, 0, "the file is used");
    let mysql = format!("mysql://ann@127.0.0.1:{}/shop", hangs_up(&terminal.seen));
    terminal.leave(".my.cnf", &format!("[client]\nuser=ann\npassword={PASSWORD}\n"));
    run(&["query", &mysql, SQL]);
    terminal.run(&["connections", "test", &mysql, "--json"], &[("MYSQL_PWD", TYPED)], "");
    for wrong in wrong_addresses(&terminal.seen) {
        run(&["query", &wrong, SQL]);
    }
    // Secrets in the wrong place.
    run(&[&shop, SQL]);
    run(&["connections", "add", "My", "shop", &shop]);
    run(&["connections", "rm", &format!("ann:{PASSWORD}@{place}")]);

    let (url, keys) = serve(&terminal.seen, &[BEARER, BASIC]);
    let model = format!("{url}/answers/v1");
    let key =
        terminal.run(&["models", "remote", "answers", "--url", &model, "--model", "house-model", "--key"], &[], KEY);
    assert!(key.0 == 4 && key.1.contains("No keychain"), "{}", key.1);
    for path in ["answers", "short", "cut"] {
        terminal.run(&["models", "remote", "--list", "--url", &format!("{url}/{path}/v1"), "--key"], &[], KEY);
    }
    let reached = || std::mem::take(&mut *keys.lock().unwrap());
    assert!(reached() >= 3, "the key reaches its server");
    let proxy = url.replace("http://", &format!("http://ann:{PASSWORD}@"));
    terminal.run(
        &["models", "remote", "--list", "--url", "http://models.example/v1"],
        &[("HTTP_PROXY", proxy.as_str())],
        "",
    );
    assert!(reached() > 0, "and its password the proxy");
    terminal.run(
        &["models", "remote", "--list", "--url", "https://models.example/v1"],
        &[("HTTPS_PROXY", proxy.as_str())],
        "",
    );
    run(&["models", "remote", "answers", "--url", &model, "--model", "house-model"]);
    let asked =
        run(&["ask", "--warehouse", &shop, "--model", "answers", "--strategy", "direct", "--json", "How many?"]);
    assert_eq!(asked.0, 0, "{}", asked.1);
    run(&["audit", "list", "--json"]);
    run(&["audit", "export", "audit.csv"]);
    run(&["runs", "list", "--json"]);
    run(&["connections", "list", "--json"]);
    terminal.seen.files(terminal.folder.path());
    let leaks = terminal.seen.leaks();
    assert!(leaks.is_empty(), "{} leaks:\n{}", leaks.len(), leaks.join("\n"));
}
