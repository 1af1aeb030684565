//! A server that returns listed responses and records its requests. Features that the emulator lacks are tested with
//! such lists, written from Google's REST reference (revision 20260811 of its discovery document), not recorded.

use serde_json::Value;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;

/// A request that the server received.
#[derive(Debug, Clone)]
pub struct Asked {
    /// `GET /path?query`
    pub line: String,
    /// The bearer token, if there was one.
    pub token: Option<String>,
    /// The body of the request.
    pub body: String,
}

impl Asked {
    /// Parses the body.
    ///
    /// # Panics
    /// If it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// A response to the next request whose line contains these words; each is used once.
pub struct Exchange {
    words: &'static str,
    status: u16,
    body: Value,
    /// True if the connection is closed instead of a response.
    lost: bool,
    /// True if no response is sent.
    silent: bool,
    /// True if the response is delayed until the test releases it.
    late: bool,
}

/// Creates a request with its response.
pub fn answers(words: &'static str, status: u16, body: Value) -> Exchange {
    Exchange { words, status, body, lost: false, silent: false, late: false }
}

/// Creates a request whose response is lost.
pub fn loses(words: &'static str) -> Exchange {
    Exchange { lost: true, ..answers(words, 0, Value::Null) }
}

/// Creates a request that is never answered.
pub fn never(words: &'static str) -> Exchange {
    Exchange { silent: true, ..answers(words, 0, Value::Null) }
}

/// Delays a response until the test releases it.
pub fn late(exchange: Exchange) -> Exchange {
    Exchange { late: true, ..exchange }
}

/// Returns an error in Google's format.
pub fn error(status: u16, reason: &str, message: &str) -> Value {
    serde_json::json!({"error": {
        "code": status, "message": message,
        "errors": [{"domain": "global", "reason": reason, "message": message}],
    }})
}

/// A running server with its recorded requests.
pub struct Exchanges {
    /// The base address of the server.
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
    left: Arc<Mutex<VecDeque<Exchange>>>,
    gate: Arc<Notify>,
}

impl Exchanges {
    /// Starts a server with these responses.
    pub async fn start(list: impl IntoIterator<Item = Exchange>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (asked, left) = (Arc::default(), Arc::new(Mutex::new(list.into_iter().collect())));
        let server = Self { url, asked, left, gate: Arc::default() };
        let (asked, left, gate) = (server.asked.clone(), server.left.clone(), server.gate.clone());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, asked.clone(), left.clone(), gate.clone()));
            }
        });
        server
    }

    /// Sends the responses that are delayed.
    pub fn release(&self) {
        self.gate.notify_one();
    }

    /// Returns all requests in order.
    pub fn requests(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// Returns the requests whose lines contain these words.
    pub fn asked_for(&self, words: &str) -> Vec<Asked> {
        self.requests().into_iter().filter(|asked| asked.line.contains(words)).collect()
    }

    /// Waits until a request contains these words.
    pub async fn until_asked(&self, words: &str) {
        while self.asked_for(words).is_empty() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    }

    /// Asserts that every response was used.
    pub fn done(&self) {
        let left: Vec<&str> = self.left.lock().unwrap().iter().map(|exchange| exchange.words).collect();
        assert!(left.is_empty(), "never asked: {left:?}; asked: {:?}", self.requests());
    }
}

async fn serve(
    mut stream: TcpStream,
    asked: Arc<Mutex<Vec<Asked>>>,
    left: Arc<Mutex<VecDeque<Exchange>>>,
    gate: Arc<Notify>,
) {
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
            break end + 4;
        }
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    };
    let text = String::from_utf8_lossy(&bytes[..head]).into_owned();
    let header = |name: &str| {
        let lines = text.lines().filter_map(|line| line.split_once(": "));
        lines.into_iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned())
    };
    let length: usize = header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    while bytes.len() < head + length {
        if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
            return;
        }
    }
    let line = text.lines().next().unwrap_or_default().trim_end_matches(" HTTP/1.1").to_owned();
    let token = header("authorization").and_then(|text| Some(text.strip_prefix("Bearer ")?.to_owned()));
    let body = String::from_utf8_lossy(&bytes[head..]).into_owned();
    asked.lock().unwrap().push(Asked { line: line.clone(), token, body });
    let exchange = {
        let mut left = left.lock().unwrap();
        let place = left.iter().position(|exchange| line.contains(exchange.words));
        place.and_then(|place| left.remove(place))
    };
    let exchange =
        exchange.unwrap_or_else(|| answers("", 501, error(501, "notImplemented", &format!("unexpected {line}"))));
    if exchange.lost {
        return;
    }
    if exchange.silent {
        return std::future::pending().await;
    }
    if exchange.late {
        gate.notified().await;
    }
    let body = exchange.body.to_string();
    let answer = format!(
        "HTTP/1.1 {} OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        exchange.status,
        body.len()
    );
    let _ = stream.write_all(answer.as_bytes()).await;
    let _ = stream.shutdown().await;
}
