//! Destinations of secrets: a keychain, model and database servers, and unreachable addresses.

use super::search::Seen;
use super::{KEY, PASSWORD, SQL};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use vitrine_store::secrets::{Keychain, SecretError, SecretStore};
use vitrine_test_servers::mysql_server::MysqlServer;
use vitrine_test_servers::postgres_server::PostgresServer;

/// A keychain with entries that the test can read; unavailable if `None`. With `real`, every entry also passes through
/// that keychain.
pub(super) struct Safe {
    entries: Mutex<Option<BTreeMap<String, String>>>,
    real: Option<Keychain>,
}

impl Safe {
    pub(super) fn new(entries: Option<BTreeMap<String, String>>) -> Self {
        Self { entries: Mutex::new(entries), real: None }
    }

    pub(super) fn of_the_system() -> Self {
        Self { entries: Mutex::new(Some(BTreeMap::new())), real: Some(Keychain) }
    }

    pub(super) fn reached<T>(&self, work: impl FnOnce(&mut BTreeMap<String, String>) -> T) -> Result<T, SecretError> {
        let none = || SecretError::Unavailable { message: "no bus".to_owned() };
        self.entries.lock().unwrap().as_mut().map(work).ok_or_else(none)
    }
}

impl SecretStore for Safe {
    fn check_available(&self) -> Result<(), SecretError> {
        self.real.as_ref().map_or(Ok(()), Keychain::check_available)?;
        self.reached(|_| ())
    }

    fn get(&self, name: &str) -> Result<Option<String>, SecretError> {
        let noted = self.reached(|entries| entries.get(name).cloned())?;
        let Some(keychain) = &self.real else { return Ok(noted) };
        let found = keychain.get(name)?;
        assert_eq!(found, noted, "the keychain holds what was put into it");
        Ok(found)
    }

    fn set(&self, name: &str, secret: &str) -> Result<(), SecretError> {
        self.real.as_ref().map_or(Ok(()), |keychain| keychain.set(name, secret))?;
        self.reached(|entries| entries.insert(name.to_owned(), secret.to_owned())).map(drop)
    }

    fn delete(&self, name: &str) -> Result<(), SecretError> {
        self.real.as_ref().map_or(Ok(()), |keychain| keychain.delete(name))?;
        self.reached(|entries| entries.remove(name)).map(drop)
    }
}

/// Starts a model server that records requests without the expected headers, which it counts. Its path selects the
/// behaviour: it answers, or rejects requests and repeats the key as careless servers do; `cut` puts the key where a
/// long message is truncated.
pub(super) fn serve(seen: &Seen, takes: &'static [&'static str]) -> (String, Arc<Mutex<u32>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (seen, place, keys) = (seen.clone(), format!("sent to {address}"), Arc::new(Mutex::new(0)));
    let counted = Arc::clone(&keys);
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut sent = asked(&mut connection);
            // A server cannot repeat a key that it did not receive.
            let key = if sent.contains(KEY) { KEY } else { "that you sent" };
            for header in takes {
                *counted.lock().unwrap() += sent.matches(header).count() as u32;
                sent = sent.replace(header, "");
            }
            let path = sent.lines().next().unwrap_or_default().to_owned();
            seen.bytes(&place, sent);
            let said = match path.split('/').nth(1) {
                Some("short") => format!("the key {key} is not valid"),
                Some("cut") => format!("{}{key}{}", "x".repeat(488), " is not valid".repeat(20)),
                _ => String::new(),
            };
            let refusal = serde_json::json!({ "error": { "message": said } }).to_string();
            let chunk = |text: &str, end: &str| {
                format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{text}\"}}{end}}}]}}\n\n")
            };
            let (status, kind, body) = match path.split('/').nth(1) {
                Some("short" | "cut") => ("401 Unauthorized", "application/json", refusal),
                Some("broken") => ("200 OK", "text/event-stream", {
                    let error = format!("{{\"error\":{{\"message\":\"{}{key} failed\"}}}}", "x".repeat(488));
                    format!("{}data: {error}\n\n", chunk("SEL", ""))
                }),
                // The key in three parts, each incomplete.
                Some("spread") if path.starts_with("POST") => ("200 OK", "text/event-stream", {
                    let (one, rest) = key.split_at(6);
                    let (two, three) = rest.split_at(rest.len() / 2);
                    let parts = [one, two].map(|part| chunk(part, "")).concat();
                    let end = chunk(three, ",\"finish_reason\":\"stop\"");
                    format!("{}{parts}{end}data: [DONE]\n\n", chunk("SELECT 1 -- ", ""))
                }),
                _ if path.starts_with("POST") => {
                    let body = format!("{}data: [DONE]\n\n", chunk(SQL, ",\"finish_reason\":\"stop\""));
                    ("200 OK", "text/event-stream", body)
                }
                _ => ("200 OK", "application/json", "{\"data\":[{\"id\":\"house-model\"}]}".to_owned()),
            };
            let head = format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n", body.len());
            let _ = write!(connection, "{head}connection: close\r\n\r\n{body}");
        }
    });
    (address, keys)
}

/// Reads one request, head and body.
pub(super) fn asked(connection: &mut TcpStream) -> String {
    let (mut bytes, mut part) = (Vec::new(), [0; 4096]);
    loop {
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap_or(0) {
                return text;
            }
        }
        match connection.read(&mut part) {
            Ok(read) if read > 0 => bytes.extend_from_slice(&part[..read]),
            _ => return text,
        }
    }
}

/// Starts a server that records the first bytes and closes the connection.
pub(super) fn hangs_up(seen: &Seen) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (seen, port) = (seen.clone(), listener.local_addr().unwrap().port());
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut sent = vec![0; 4096];
            let _ = connection.set_read_timeout(Some(std::time::Duration::from_millis(20)));
            let read = connection.read(&mut sent).unwrap_or(0);
            seen.bytes("sent to a server that hangs up", &sent[..read]);
        }
    });
    port
}

pub(super) fn dead_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Starts a database that accepts `ann` only with [`PASSWORD`].
pub(super) fn shop() -> (PostgresServer, String) {
    let server = PostgresServer::start();
    server.psql(
        "shop",
        &format!(
            "CREATE TABLE customers (id int PRIMARY KEY, name text); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo');
             CREATE ROLE ann LOGIN PASSWORD '{PASSWORD}'; GRANT SELECT ON customers TO ann;"
        ),
    );
    let own = server.address("shop");
    let place = own.rsplit_once('@').unwrap().1.to_owned();
    (server, place)
}

/// Starts a MariaDB server with the same user.
pub(super) fn mysql_shop() -> (MysqlServer, String) {
    let server = MysqlServer::start();
    server.script(
        "shop",
        &format!(
            "CREATE TABLE customers (id int PRIMARY KEY, name text); INSERT INTO customers VALUES (1, 'Ada'), (2, 'Bo');
             CREATE USER ann@'%' IDENTIFIED BY '{PASSWORD}'; GRANT SELECT ON shop.customers TO ann@'%';"
        ),
    );
    let own = server.address("shop");
    let place = own.rsplit_once('@').unwrap().1.to_owned();
    (server, place)
}

/// Returns unreachable addresses and invalid texts; each contains a password.
pub(super) fn wrong_addresses(seen: &Seen) -> Vec<String> {
    let (dead, rude) = (dead_port(), hangs_up(seen));
    let servers = ["postgresql", "mysql", "mariadb"].into_iter().flat_map(|scheme| {
        let at = move |port: u16| format!("{scheme}://ann:{PASSWORD}@127.0.0.1:{port}/shop");
        [at(dead), at(rude), format!("{scheme}://ann@127.0.0.1:{dead}/shop?password={PASSWORD}")]
    });
    let unread = [
        "postgresql://ann:WORD@127.0.0.1:door/shop",
        "postgresql://ann:WORD/x@127.0.0.1/shop",
        "postgresql://ann:12/WORD@127.0.0.1/shop",
        "postgresql://ann:WORD@127.0.0.1/shop?sslmode=maybe",
        "postgresql://ann:WORD@127.0.0.1/shop?sslpassword=WORD",
        "postgresql:ann:WORD@127.0.0.1/shop",
        "postgresql:/ann:WORD@127.0.0.1/shop",
        "mysql://ann:WORD#@127.0.0.1/shop",
        "mysql://ann:WORD@127.0.0.1/shop?ssl-passphrase=WORD",
        "mysql://:WORD@127.0.0.1/shop",
        "oracle://ann:WORD@127.0.0.1/shop",
        "jdbc:postgresql://127.0.0.1/shop?user=ann&password=WORD",
        "host=127.0.0.1 user=ann password=WORD dbname=shop",
        "ann:WORD@127.0.0.1/shop",
    ];
    servers.chain(unread.map(|text| text.replace("WORD", PASSWORD))).collect()
}
