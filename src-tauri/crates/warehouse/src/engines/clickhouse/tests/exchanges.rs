//! Decisions of a server's HTTP interface, with exchanges written from ClickHouse's documentation (HTTP interface,
//! settings, permissions for queries, KILL QUERY; November 2026), not recorded.

use super::super::ClickhouseWarehouse;
use super::budget::Cap;
use crate::engine::Engine;
use crate::{Limits, MeteredWarehouse, OpenOptions, Warehouse, WarehouseError, WarehouseUri, read_page};
use futures::StreamExt;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Dialect, SafetyKind, SafetyState};
use vitrine_sql::ReadOnlySql;

/// A request: its first line, login and body.
#[derive(Debug, Clone, Default)]
struct Request {
    line: String,
    login: String,
    body: String,
}

impl Request {
    /// Returns the value of a parameter.
    fn given(&self, name: &str) -> Option<String> {
        let target = self.line.split(' ').nth(1)?;
        let url = url::Url::parse(&format!("http://x{target}")).ok()?;
        url.query_pairs().find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
    }
}

type Answer = dyn Fn(&Request, &mut TcpStream) + Send + Sync;

/// A server with programmed responses that records its requests.
struct Peer {
    port: u16,
    asked: Arc<Mutex<Vec<Request>>>,
}

impl Peer {
    fn start(answer: impl Fn(&Request, &mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (asked, answer): (Arc<Mutex<Vec<Request>>>, Arc<Answer>) = (Arc::default(), Arc::new(answer));
        let notes = asked.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (notes, answer) = (notes.clone(), answer.clone());
                std::thread::spawn(move || serve(stream, &notes, &*answer));
            }
        });
        Self { port, asked }
    }

    fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }

    async fn open(&self) -> Result<ClickhouseWarehouse, WarehouseError> {
        open(&format!("clickhouse://ann:secret@127.0.0.1:{}/shop", self.port), &OpenOptions::default()).await
    }
}

async fn open(address: &str, options: &OpenOptions) -> Result<ClickhouseWarehouse, WarehouseError> {
    let uri = WarehouseUri::parse(address).unwrap();
    ClickhouseWarehouse::open(uri.server_address().unwrap().clone(), options).await
}

fn serve(mut stream: TcpStream, notes: &Mutex<Vec<Request>>, answer: &Answer) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let (mut request, mut length) = (Request::default(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap_or_default() == 0 || line == "\r\n" {
            break;
        }
        let (name, value) = line.split_once(':').unwrap_or((line.as_str(), ""));
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.trim().parse().unwrap(),
            "authorization" => request.login = value.trim().to_owned(),
            _ if request.line.is_empty() => request.line = line.trim().to_owned(),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    if request.line.is_empty() || reader.read_exact(&mut body).is_err() {
        return;
    }
    request.body = String::from_utf8(body).unwrap();
    notes.lock().unwrap().push(request.clone());
    answer(&request, &mut stream);
}

fn says(stream: &mut TcpStream, status: &str, body: &str) {
    let answer = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
    let _ = stream.write_all(answer.as_bytes());
}

fn begins(stream: &mut TcpStream) {
    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
}

fn piece(stream: &mut TcpStream, text: &str) -> bool {
    stream.write_all(format!("{:x}\r\n{text}\r\n", text.len()).as_bytes()).and_then(|()| stream.flush()).is_ok()
}

/// Answers the requests of opening a database, for a login whose profile sets `readonly`.
fn opening(request: &Request, stream: &mut TcpStream, readonly: &str) -> bool {
    let answer = if request.body.starts_with("SELECT toString(getSetting('readonly'))") {
        format!("[\"a\"]\n[\"String\"]\n[\"{readonly}\"]\n")
    } else if request.body.contains("FROM system.settings") {
        let row = |name: &str, value: &str| format!("[\"{name}\", \"{value}\", null, 0]\n");
        let names = [
            "join_use_nulls",
            "cancel_http_readonly_queries_on_client_close",
            "max_execution_time",
            "max_memory_usage",
            "max_result_rows",
            "max_bytes_to_read",
        ];
        let rows: String =
            names.iter().map(|name| row(name, "0")).chain([row("result_overflow_mode", "throw")]).collect();
        format!(
            "[\"name\", \"value\", \"max\", \"readonly\"]\n[\"String\", \"String\", \"Nullable(String)\", \"UInt8\"]\n{rows}"
        )
    } else {
        return false;
    };
    says(stream, "200 OK", &answer);
    true
}

const ROWS: &str = "[\"n\"]\n[\"UInt64\"]\n[1]\n[2]\n";

async fn run(warehouse: &ClickhouseWarehouse, sql: &str) -> Result<Vec<Vec<Option<String>>>, WarehouseError> {
    let batches = warehouse.query_text(sql.to_owned(), Limits::default(), CancellationToken::new()).await?;
    Ok(read_page(batches, 1_000).await?.rows)
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_settings_go_with_each_query_and_hold_it_to_reading() {
    for (own, sent) in [("0", Some("1")), ("2", None)] {
        let peer = Peer::start(move |request, stream| {
            if !opening(request, stream, own) {
                says(stream, "200 OK", ROWS);
            }
        });
        let warehouse = peer.open().await.unwrap();
        assert_eq!(run(&warehouse, "SELECT n FROM t").await.unwrap().len(), 2);
        let asked = peer.asked();
        // Before the login's profile is known, requests contain no settings, because a read-only login would reject
        // them.
        assert!(asked[..2].iter().all(|request| request.given("readonly").is_none()), "{asked:?}");
        let query = asked.last().unwrap();
        assert!(query.line.starts_with("POST /?") && query.login == "Basic YW5uOnNlY3JldA==", "{query:?}");
        assert_eq!(query.body, "SELECT n FROM t");
        let given = |name: &str| query.given(name);
        assert_eq!(given("readonly").as_deref(), sent, "{query:?}");
        assert_eq!(given("database").as_deref(), Some("shop"));
        assert_eq!(given("join_use_nulls").as_deref(), Some("1"));
        assert_eq!(given("max_execution_time").as_deref(), Some("120"));
        assert_eq!(given("max_result_rows").as_deref(), Some("10001"));
        assert_eq!(given("result_overflow_mode").as_deref(), Some("break"));
        assert_eq!(given("cancel_http_readonly_queries_on_client_close").as_deref(), Some("1"));
        assert_eq!(given("default_format").as_deref(), Some("JSONCompactEachRowWithNamesAndTypes"));
        assert!(given("query_id").is_some_and(|id| id.len() == 36));
        assert!(!query.line.contains("secret"), "{query:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_what_a_query_read_stands_in_the_summary_of_a_result_that_waits_for_its_end() {
    for (status, body, summary, counted) in [
        ("200 OK", ROWS, r#"{"read_rows":"5","read_bytes":"40","elapsed_ns":"7"}"#, 40),
        // A failure after some reading; without a summary, the estimate counts, which is 0 here.
        ("500 Internal Server Error", "Code: 396. DB::Exception: Limit. (TOO_MANY)", r#"{"read_bytes":"30"}"#, 30),
        ("500 Internal Server Error", "Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)", "", 0),
        // Too many bytes: at least the maximum counts.
        ("500 Internal Server Error", "Code: 307. DB::Exception: Limit. (TOO_MANY_BYTES)", "", 250),
    ] {
        let peer = Peer::start(move |request, stream| {
            if opening(request, stream, "0") {
                return;
            }
            if request.body.starts_with("EXPLAIN") {
                return says(stream, "500 Internal Server Error", "Code: 62. DB::Exception: no. (SYNTAX_ERROR)");
            }
            says(stream, &format!("{status}\r\nX-ClickHouse-Summary: {summary}"), body);
        });
        let cap = Arc::new(Cap { most: Some(1_000), spent: Mutex::default() });
        let warehouse = MeteredWarehouse::new(Arc::new(peer.open().await.unwrap()), cap.clone());
        let sql = ReadOnlySql::parse("SELECT n FROM t", Dialect::Clickhouse).unwrap();
        let outcome =
            warehouse.run_query(&sql, Limits::default(), CancellationToken::new()).await.map(|b| b.billed_bytes());
        match body == ROWS {
            true => assert_eq!(outcome, Ok(counted)),
            false => assert!(outcome.is_err()),
        }
        assert_eq!(cap.spent(), counted, "{body}");
        let asked = peer.asked();
        // The plan may be asked for in the meantime.
        let query = asked.iter().rfind(|request| request.body.starts_with("SELECT n")).unwrap();
        // The server enforces the share of the limit with an error.
        assert_eq!(query.given("max_bytes_to_read").as_deref(), Some("250"));
        assert_eq!(query.given("wait_end_of_query").as_deref(), Some("1"));
        let plan = asked.iter().find(|request| request.body.starts_with("EXPLAIN")).unwrap();
        assert_eq!(plan.given("max_bytes_to_read").as_deref(), Some("1"), "nothing of it runs for its plan");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_a_query_that_is_stopped_is_killed_by_its_id() {
    let peer = Peer::start(|request, stream| {
        if opening(request, stream, "0") {
            return;
        }
        if request.body.starts_with("KILL") {
            return says(stream, "200 OK", "");
        }
        begins(stream);
        piece(stream, ROWS);
        // Until the client closes the connection.
        while piece(stream, "[3]\n") {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let warehouse = peer.open().await.unwrap();
    let cancel = CancellationToken::new();
    let limits = Limits { rows: None, ..Limits::default() };
    let mut batches = warehouse.query_text("SELECT n FROM t".to_owned(), limits, cancel.clone()).await.unwrap();
    cancel.cancel();
    let mut last = None;
    while let Some(batch) = batches.stream.next().await {
        last = Some(batch);
    }
    assert!(matches!(last, Some(Err(WarehouseError::Cancelled))), "{last:?}");
    let began = Instant::now();
    loop {
        let asked = peer.asked();
        let id = asked.iter().find_map(|request| request.given("query_id")).unwrap();
        if asked.iter().any(|request| request.body == format!("KILL QUERY WHERE query_id = '{id}' ASYNC")) {
            break;
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{asked:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_an_exception_behind_rows_is_an_error_in_each_of_its_forms() {
    let said = "Code: 395. DB::Exception: Value passed to 'throwIf' function is non-zero. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)";
    for behind in [
        format!("{said} (version 23.8.1.1 (official build))\n"),
        format!("[3{said} (version 23.8.1.1 (official build))\n"),
        format!("{{\"exception\": \"{said} (version 24.3.1.1 (official build))\"}}\n"),
        format!(
            "\r\n__exception__\r\npnqwvbqkmlhxdzra\r\n{said} (version 25.11.1.1 (official build))\r\n128 pnqwvbqkmlhxdzra\r\n__exception__\r\n"
        ),
    ] {
        let text = behind.clone();
        let peer = Peer::start(move |request, stream| {
            if !opening(request, stream, "0") {
                begins(stream);
                piece(stream, ROWS);
                piece(stream, &text);
                piece(stream, "");
            }
        });
        let error = run(&peer.open().await.unwrap(), "SELECT n FROM t").await.unwrap_err();
        let wanted = "Value passed to 'throwIf' function is non-zero.";
        assert_eq!(error, WarehouseError::Query { message: wanted.to_owned() }, "{behind}");
    }
    // A response that ends in the middle.
    let peer = Peer::start(|request, stream| {
        if !opening(request, stream, "0") {
            begins(stream);
            piece(stream, ROWS);
        }
    });
    let error = run(&peer.open().await.unwrap(), "SELECT n FROM t").await.unwrap_err();
    assert!(matches!(error, WarehouseError::Unreachable { .. }), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_refusals_and_what_stands_before_a_server_are_told_apart() {
    type Wanted = fn(&WarehouseError) -> bool;
    let cases: [(&str, &str, Wanted); 5] = [
        (
            "403 Forbidden",
            "Code: 516. DB::Exception: ann: Authentication failed. (AUTHENTICATION_FAILED) (version 25.8)",
            |error| matches!(error, WarehouseError::Password { refused: true, .. }),
        ),
        ("401 Unauthorized", "<html>Sign in</html>", |error| matches!(error, WarehouseError::Password { .. })),
        (
            "502 Bad Gateway",
            "<html>\nBad gateway\n</html>",
            |error| matches!(error, WarehouseError::Unreachable { detail, .. } if detail.contains("502")),
        ),
        // A redirect would send the password to another server.
        (
            "302 Found\r\nLocation: http://127.0.0.1:1/",
            "",
            |error| matches!(error, WarehouseError::Unreachable { detail, .. } if detail.contains("302")),
        ),
        ("200 OK", "<html>A page</html>", |error| matches!(error, WarehouseError::Unreachable { .. })),
    ];
    for (status, body, wanted) in cases {
        let peer = Peer::start(move |_, stream| says(stream, status, body));
        let error = peer.open().await.map(drop).unwrap_err();
        assert!(wanted(&error), "{status}: {error:?}");
        assert!(!format!("{error:?} {error}").contains("secret"), "{error:?}");
        assert_eq!(peer.asked().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn documented_grants_of_a_login_that_only_reads() {
    for (grant, state) in [
        ("GRANT SELECT ON shop.* TO ann", SafetyState::Holds),
        ("GRANT SELECT, INSERT ON shop.* TO ann", SafetyState::Missing),
    ] {
        let peer = Peer::start(move |request, stream| {
            if opening(request, stream, "2") {
                return;
            }
            let answer = match request.body.as_str() {
                "SHOW GRANTS" => format!("[\"GRANTS\"]\n[\"String\"]\n[\"{grant}\"]\n"),
                _ => "[\"a\", \"b\", \"c\"]\n[\"String\", \"String\", \"String\"]\n[\"ann\", \"25.8\", \"2\"]\n"
                    .to_owned(),
            };
            says(stream, "200 OK", &answer);
        });
        let layers = peer.open().await.unwrap().query_safety_layers().await.unwrap();
        let rights = layers.iter().find(|layer| layer.kind == SafetyKind::Rights).unwrap();
        assert_eq!(rights.state, state, "{rights:?}");
        assert!(layers.iter().any(|layer| layer.kind == SafetyKind::Engine && layer.state == SafetyState::Holds));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_password_goes_to_no_other_machine_unencrypted_unless_the_person_wrote_so() {
    // No server answers at this documentation address (RFC 5737), and the first variant must not even connect.
    let address = "clickhouse://ann:secret@192.0.2.1:8123/shop";
    let foreign = OpenOptions { own_address: false, ..OpenOptions::default() };
    let error = open(address, &foreign).await.map(drop).unwrap_err();
    assert!(matches!(error, WarehouseError::Unprotected { cleartext: false, .. }), "{error:?}");
}
