//! Passwords of servers: typed at a terminal, else taken from where PostgreSQL's own programs look for them.

use crate::support::Desk;
use postgres_server::{PASSWORD, PostgresServer};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

#[path = "../../../warehouse/src/tests/postgres_server.rs"]
mod postgres_server;

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

/// `script` lends a terminal.
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
    // What is typed before the program asks is thrown away, so it is typed until the program ends. Two are wrong.
    for password in ["wrong", "wrong"].into_iter().chain(std::iter::repeat_n(PASSWORD, 40)) {
        std::thread::sleep(Duration::from_millis(1500));
        if child.try_wait().unwrap().is_some() {
            break;
        }
        let _ = keys.write_all(format!("{password}\n").as_bytes());
    }
    // It has ended, unless something is wrong.
    let _ = child.kill();
    let (status, seen) = (child.wait().unwrap(), seen.join().unwrap());
    assert!(status.success() && seen.contains("1337"), "{seen}");
    assert!(seen.contains("asks for a password") && seen.contains("Password: "), "{seen}");
}
