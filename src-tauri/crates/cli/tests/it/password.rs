//! Server passwords: typed at a terminal, or taken from the files and variables that the servers' own clients use.

use crate::support::Desk;
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;
use vitrine_test_servers::mysql_server::{self, MysqlServer};
use vitrine_test_servers::postgres_server::{PASSWORD, PostgresServer};

const QUERY: &str = "SELECT 1300 + 37 AS sum";

fn without_password(server: &PostgresServer) -> String {
    server.address("shop").replace(&format!(":{PASSWORD}"), "")
}

#[test]
fn without_a_terminal_the_environment_has_it_or_an_error_says_so() {
    let (server, desk) = (PostgresServer::start(), Desk::new());
    let arguments = ["query", &without_password(&server), QUERY];
    let said = desk.run(&arguments);
    assert_eq!(said.status, 4, "{}", said.err);
    assert!(said.err.contains("asks for a password") && said.err.contains("PGPASSWORD"), "{}", said.err);
    let said = crate::support::Said::from(desk.command(&arguments).env("PGPASSWORD", PASSWORD).output().unwrap());
    assert!(said.status == 0 && said.out.contains("1337"), "{}", said.err);
    let said = crate::support::Said::from(desk.command(&arguments).env("PGPASSWORD", "pass-phrase").output().unwrap());
    assert_eq!(said.status, 4);
    assert!(said.err.contains("refused the password") && !said.err.contains("pass-phrase"), "{}", said.err);
}

#[test]
#[cfg(unix)]
fn a_mysql_password_comes_from_its_own_variable_or_option_file() {
    use std::os::unix::fs::PermissionsExt;
    let (server, desk) = (MysqlServer::start(), Desk::new());
    let address = server.address("shop").replace(&format!(":{}", mysql_server::PASSWORD), "");
    let home = tempfile::tempdir().unwrap();
    let run = |variable: Option<&str>| {
        let mut command = desk.command(&["query", &address, QUERY]);
        command.env("HOME", home.path()).env("PGPASSWORD", mysql_server::PASSWORD);
        if let Some(word) = variable {
            command.env("MYSQL_PWD", word);
        }
        crate::support::Said::from(command.output().unwrap())
    };
    let said = run(None);
    assert_eq!(said.status, 4, "{}", said.err);
    assert!(said.err.contains("asks for a password") && said.err.contains("MYSQL_PWD"), "{}", said.err);
    let said = run(Some(mysql_server::PASSWORD));
    assert!(said.status == 0 && said.out.contains("1337"), "{}", said.err);
    let said = run(Some("pass-phrase"));
    assert_eq!(said.status, 4);
    assert!(said.err.contains("refused the password") && !said.err.contains("pass-phrase"), "{}", said.err);
    let file = home.path().join(".my.cnf");
    std::fs::write(&file, format!("[client]\nuser = owner\npassword = \"{}\"\n", mysql_server::PASSWORD)).unwrap();
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o644);
    assert_eq!(run(None).status, 4, "others may read the file");
    mode(0o600);
    let said = run(None);
    assert!(said.status == 0 && said.out.contains("1337"), "{}", said.err);
}

/// The operating system's root certificates are used, here from a file.
#[test]
#[cfg(target_os = "linux")]
fn a_mysql_server_is_verified_by_the_roots_of_the_system() {
    let (folder, desk) = (tempfile::tempdir().unwrap(), Desk::new());
    let [certificate, key] = MysqlServer::certificate(folder.path());
    let server = MysqlServer::start_with(&[&certificate, &key]);
    let run = |host: &str, roots: &str| {
        let address = format!("{}?ssl-mode=VERIFY_IDENTITY", server.address("shop").replace("127.0.0.1", host));
        let mut command = desk.command(&["query", &address, QUERY]);
        command.env("SSL_CERT_FILE", folder.path().join(roots));
        crate::support::Said::from(command.output().unwrap())
    };
    let said = run("localhost", "ca.pem");
    assert!(said.status == 0 && said.out.contains("1337"), "{}", said.err);
    let said = run("127.0.0.1", "ca.pem");
    assert!(said.status != 0 && said.err.contains("certificate"), "another name: {}", said.err);
    let said = run("localhost", "server.csr");
    assert!(said.status != 0 && said.err.contains("certificate"), "no such root: {}", said.err);
}

/// The tool `script` provides a terminal.
#[test]
#[cfg(target_os = "linux")]
fn at_a_terminal_it_is_asked_for_again_until_it_is_right() {
    let (server, desk) = (PostgresServer::start(), Desk::new());
    let program = desk.command(&[]);
    let line = format!("{} query '{}' '{QUERY}'", program.get_program().display(), without_password(&server));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    script.envs(program.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let mut child = script.spawn().unwrap();
    let (mut keys, mut screen) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let seen = std::thread::spawn(move || {
        let mut seen = Vec::new();
        let _ = screen.read_to_end(&mut seen);
        String::from_utf8_lossy(&seen).into_owned()
    });
    // Input before the prompt is discarded, so it is repeated until the program ends. The first two passwords are
    // wrong.
    for password in ["wrong", "wrong"].into_iter().chain(std::iter::repeat_n(PASSWORD, 40)) {
        std::thread::sleep(Duration::from_millis(1500));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        let _ = keys.write_all(format!("{password}\n").as_bytes());
    }
    // The process has ended, unless the test fails.
    let _ = child.kill();
    let (status, seen) = (child.wait().unwrap(), seen.join().unwrap());
    assert!(status.success() && seen.contains("1337"), "{seen}");
    assert!(seen.contains("asks for a password") && seen.contains("Password: "), "{seen}");
}
