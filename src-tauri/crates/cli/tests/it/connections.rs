//! Connections to a model's server as in companies: through a proxy, and with private certificates.

use crate::support::{Desk, Said};
use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

const LIST: &str = r#"{"object":"list","data":[{"id":"house-model","object":"model","max_model_len":16384}]}"#;
const PROXIES: [&str; 8] =
    ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy"];

/// Lists the models at an address, with only these environment variables about connections.
fn list(desk: &Desk, url: &str, variables: &[(&str, &str)]) -> Said {
    let mut command = desk.command(&["models", "remote", "--list", "--json", "--url", url]);
    PROXIES.iter().chain(&["SSL_CERT_FILE", "SSL_CERT_DIR"]).for_each(|name| {
        command.env_remove(name);
    });
    command.envs(variables.iter().copied()).output().unwrap().into()
}

fn listed(said: &Said) -> String {
    let models: Value = serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}", said.err));
    models[0]["id"].as_str().unwrap_or_default().to_owned()
}

/// Starts a server that answers every request with the list and rejects tunnels. It records the first line of each
/// request.
fn serve() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let lines = Arc::clone(&asked);
    std::thread::spawn(move || {
        for mut connection in listener.incoming().flatten() {
            let mut head =
                BufReader::new(&connection).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
            let first = head.next().unwrap_or_default();
            head.for_each(drop);
            let (status, body) = if first.starts_with("CONNECT") { ("403 Forbidden", "") } else { ("200 OK", LIST) };
            lines.lock().unwrap().push(first);
            let length = body.len();
            let head = format!("HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n");
            let _ = write!(connection, "{head}connection: close\r\n\r\n{body}");
        }
    });
    (address, asked)
}

#[test]
fn a_proxy_is_used_for_servers_elsewhere_and_for_none_that_it_is_not_for() {
    let desk = Desk::new();
    let (proxy, asked) = serve();
    let asked = || std::mem::take(&mut *asked.lock().unwrap());
    let plain = list(&desk, "http://models.example/v1", &[("HTTP_PROXY", &proxy)]);
    assert_eq!(listed(&plain), "house-model");
    assert_eq!(asked(), ["GET http://models.example/v1/models HTTP/1.1"]);

    let tunnel = list(&desk, "https://models.example/v1", &[("https_proxy", &proxy)]);
    assert_eq!((tunnel.status, tunnel.out.as_str()), (4, ""), "{}", tunnel.err);
    assert!(asked().iter().all(|line| line.starts_with("CONNECT models.example:443")), "over TLS it sees no request");

    let excepted = list(
        &desk,
        "http://models.example/v1",
        &[("HTTP_PROXY", &proxy), ("NO_PROXY", "other.example,models.example")],
    );
    assert_eq!(excepted.status, 4, "there is no such server: {}", excepted.err);
    assert_eq!(asked(), [""; 0]);

    let (here, _) = serve();
    assert_eq!(listed(&list(&desk, &here, &[("HTTP_PROXY", &proxy), ("ALL_PROXY", &proxy)])), "house-model");
    assert_eq!(asked(), [""; 0], "what is on this computer needs no proxy");
    assert_eq!(listed(&list(&desk, &here, &[("SSL_CERT_FILE", "/dev/null")])), "house-model", "and no certificates");
}

struct Tls(Child);

impl Drop for Tls {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn openssl(folder: &Path, arguments: &str) {
    let output = Command::new("openssl").args(arguments.split(' ')).current_dir(folder).output().expect("openssl");
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Starts a TLS server with a certificate of a private authority, whose certificate is `ca.crt`.
fn serve_tls(folder: &Path) -> (String, Tls) {
    openssl(folder, "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=House -keyout ca.key -out ca.crt");
    openssl(folder, "req -newkey rsa:2048 -nodes -subj /CN=localhost -keyout server.key -out server.csr");
    std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n").unwrap();
    openssl(
        folder,
        "x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt",
    );
    // `-HTTP` sends files verbatim, including their headers.
    std::fs::create_dir_all(folder.join("v1")).unwrap();
    let answer = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{LIST}",
        LIST.len()
    );
    std::fs::write(folder.join("v1/models"), answer).unwrap();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let arguments = format!("s_server -quiet -accept localhost:{port} -cert server.crt -key server.key -HTTP");
    let child = Command::new("openssl")
        .args(arguments.split(' '))
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("openssl");
    let server = Tls(child);
    let up = |_: &u32| {
        std::thread::sleep(Duration::from_millis(50));
        std::net::TcpStream::connect(("localhost", port)).is_ok()
    };
    assert!((0..100).any(|n| up(&n)), "the server starts");
    (format!("https://localhost:{port}/v1"), server)
}

#[test]
fn a_certificate_that_nobody_vouches_for_is_said_and_one_of_the_systems_authorities_is_taken() {
    let desk = Desk::new();
    let (url, _server) = serve_tls(desk.folder.path());
    let untrusted = list(&desk, &url, &[]);
    assert_eq!((untrusted.status, untrusted.out.as_str()), (4, ""), "{}", untrusted.err);
    assert!(untrusted.err.contains("certificate") && untrusted.err.contains("SSL_CERT_FILE"), "{}", untrusted.err);

    let authority = desk.path("ca.crt");
    let trusted = list(&desk, &url, &[("SSL_CERT_FILE", authority.to_str().unwrap())]);
    assert_eq!(listed(&trusted), "house-model", "{}", trusted.err);
}
