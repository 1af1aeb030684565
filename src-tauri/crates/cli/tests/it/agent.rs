//! An agent: the program as a Model Context Protocol server over real pipes, with a client written for these tests that
//! sees every byte.

use crate::support::Desk;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// Maximum time for a reply.
const PATIENCE: Duration = Duration::from_secs(120);

/// A client and its server process.
pub struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    errors: std::thread::JoinHandle<String>,
    last: u64,
    /// Notifications from the server so far.
    pub heard: Vec<Value>,
}

impl Agent {
    /// Starts the server and initializes the session.
    pub fn start(desk: &Desk, arguments: &[&str]) -> Self {
        let mut agent = Self::silent(desk, arguments);
        let about = agent.request(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test-agent", "version": "1.0" },
            }),
        );
        assert_eq!(about["result"]["protocolVersion"], "2025-06-18", "{about}");
        agent.notify("notifications/initialized", json!({}));
        agent
    }

    /// Starts the server without initializing the session.
    pub fn silent(desk: &Desk, arguments: &[&str]) -> Self {
        let mut all = vec!["mcp"];
        all.extend(arguments);
        let mut command = desk.command(&all);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.unwrap();
                let message: Value = serde_json::from_str(&line)
                    .unwrap_or_else(|_| panic!("standard output carries the protocol alone: {line}"));
                assert_eq!(message["jsonrpc"], "2.0", "{line}");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut stderr = child.stderr.take().unwrap();
        let errors = std::thread::spawn(move || {
            let mut text = String::new();
            stderr.read_to_string(&mut text).unwrap();
            text
        });
        let input = child.stdin.take();
        Self { child, input, lines, errors, last: 0, heard: Vec::new() }
    }

    fn write(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").and_then(|()| input.flush()).unwrap();
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request without waiting. Returns its id.
    pub fn send(&mut self, method: &str, params: Value) -> u64 {
        self.last += 1;
        let id = self.last;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    pub fn next(&mut self) -> Value {
        self.lines.recv_timeout(PATIENCE).expect("the server says something")
    }

    /// Returns the reply to a request; earlier messages are stored in `heard`.
    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.next();
            if message["id"] == id {
                return message;
            }
            assert!(message.get("id").is_none(), "an answer that nobody waits for: {message}");
            self.heard.push(message);
        }
    }

    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.answer(id)
    }

    /// Calls a tool that must succeed. Returns its structured result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        let result = &answer["result"];
        assert_ne!(result["isError"], true, "{answer}");
        // Clients without support for structured results read the same data from the text.
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        result["structuredContent"].clone()
    }

    /// Calls a tool that must fail. Returns the text for the agent.
    pub fn fails(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
    }

    /// Closes standard input, as clients do at the end. Returns the exit status and standard error.
    pub fn leave(mut self) -> (i32, String) {
        drop(self.input.take());
        let status = self.child.wait().unwrap();
        (status.code().unwrap_or(-1), self.errors.join().unwrap())
    }
}
