//! A real OpenAI-compatible server with a real small model, for tests.
//!
//! Needs a Python with `xllamacpp` (in `venv` of the cache folder) and the smallest model of the catalogue. Without
//! them a test checks nothing, unless `VITRINE_TEST_REAL=1` (set by the test script) requires them.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A server process that ends with its test.
pub struct OpenaiServer {
    child: Child,
    /// The base address of the server, `http://127.0.0.1:PORT/v1`.
    pub address: String,
}

impl Drop for OpenaiServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a server with a context of `context` tokens that requires `key` unless it is empty.
pub fn start(key: &str, context: u32) -> Option<OpenaiServer> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/vitrine"));
    let cache = std::env::var_os("VITRINE_CACHE").map(PathBuf::from).or_else(home)?;
    let python = cache.join("venv/bin/python");
    let model = cache.join("models/qwen2.5-coder-0.5b/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf");
    if !python.exists() || !model.exists() {
        assert!(
            std::env::var_os("VITRINE_TEST_REAL").is_none(),
            "{} or {} is missing",
            python.display(),
            model.display()
        );
        eprintln!("skipped: no real server is set up");
        return None;
    }
    let mut command = Command::new(python);
    // The server logs to standard error and prints only its address to standard output.
    command
        .args(["-c", include_str!("openai_server.py")])
        .arg(model)
        .arg(key)
        .arg(context.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().expect("Python starts");
    let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let address = lines.map_while(Result::ok).find_map(|line| line.strip_prefix("listening ").map(str::to_owned));
    Some(OpenaiServer { child, address: address.expect("the server starts") })
}
