//! A model server that replies to each question as its script says, in OpenAI's streaming format.

use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A running server; it ends with the test process.
pub struct ScriptedServer {
    pub address: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl ScriptedServer {
    /// Starts a server whose reply is the second text of the first pair whose first text occurs in the request.
    pub fn start(script: Vec<(String, String)>) -> Self {
        let as_in_json = |text: String| json!(text).to_string().trim_matches('"').to_owned();
        let script: Vec<_> = script.into_iter().map(|(text, reply)| (as_in_json(text), reply)).collect();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/v1", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let seen = Arc::clone(&requests);
        std::thread::spawn(move || {
            let script = Arc::new(script);
            for stream in listener.incoming().flatten() {
                let (script, seen) = (Arc::clone(&script), Arc::clone(&seen));
                std::thread::spawn(move || serve(stream, &script, &seen));
            }
        });
        Self { address, requests }
    }

    /// Returns the bodies of all requests for a reply.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }
}

/// Answers one request and closes the connection.
fn serve(mut stream: TcpStream, script: &[(String, String)], seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if body.is_empty() {
        return stream.write_all(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n").ok();
    }
    let body = String::from_utf8_lossy(&body).into_owned();
    let reply = script.iter().find(|(text, _)| body.contains(text)).map(|(_, reply)| reply.as_str());
    seen.lock().ok()?.push(body.clone());
    let data = |value: serde_json::Value| format!("data: {value}\n\n");
    let text = data(json!({"choices": [{"index": 0, "delta": {"content": reply.unwrap_or("")}}]}))
        + &data(json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}))
        + &data(json!({"choices": [], "usage": {"prompt_tokens": 100, "completion_tokens": 5}}))
        + "data: [DONE]\n\n";
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n";
    stream.write_all(format!("{head}content-length: {}\r\n\r\n{text}", text.len()).as_bytes()).ok()
}
