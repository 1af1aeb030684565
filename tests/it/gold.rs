//! A model that is always right, behind a server that honours the request: a reply ends before the first of its `stop`
//! texts, even if that is its first token, and at its token limit. Every wrong answer is therefore an error of the
//! program.

use async_trait::async_trait;
use futures::stream::BoxStream;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use tokio_util::sync::CancellationToken;
use vitrine_domain::ModelProfile;
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{ChatModel, LlmError, ModelEvent, OutputFormat, Request};

/// Number of characters per token.
const TOKEN: usize = 4;

/// A question and the model's reply.
#[derive(Debug, Clone)]
pub struct Answer {
    pub question: String,
    /// The right query for the question.
    pub sql: String,
    /// The reply if the right query is returned with a doubt; `None` if the model repeats it.
    pub doubted: Option<String>,
}

/// The server. It implements the HTTP subset that the adapter uses, with one thread per connection: it receives tens of
/// thousands of requests, among which a mock server on the tests' own scheduler stalled.
pub struct GoldServer {
    address: SocketAddr,
    bodies: Arc<Mutex<Vec<String>>>,
}

impl GoldServer {
    pub fn uri(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the request bodies since the last call, in order of arrival.
    pub fn bodies(&self) -> Vec<String> {
        std::mem::take(&mut self.bodies.lock().unwrap())
    }
}

/// Starts a server that knows the answers. Replies begin with a fence, as from a chat model, or with the SQL.
pub fn serve(answers: impl IntoIterator<Item = Answer>, fenced: bool) -> GoldServer {
    let mut answers: Vec<(String, Answer)> = answers.into_iter().map(|a| (flat(&a.question), a)).collect();
    // If one question is a prefix of another, the longer one takes precedence.
    answers.sort_by_key(|(question, _)| std::cmp::Reverse(question.len()));
    let model = Arc::new(AlwaysRight { answers, fenced });
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("its address");
    let bodies: Arc<Mutex<Vec<String>>> = Arc::default();
    let got = Arc::clone(&bodies);
    std::thread::spawn(move || {
        for connection in listener.incoming().flatten() {
            let (model, got) = (Arc::clone(&model), Arc::clone(&got));
            // The thread ends when the client disconnects.
            std::thread::spawn(move || while answer(&connection, &model, &got).is_ok() {});
        }
    });
    GoldServer { address, bodies }
}

/// Answers the next request of a connection.
fn answer(mut connection: &TcpStream, model: &AlwaysRight, got: &Mutex<Vec<String>>) -> std::io::Result<()> {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut request = vec![0; length];
    reader.read_exact(&mut request)?;
    let text = String::from_utf8_lossy(&request).into_owned();
    // Tests that inspect bodies collect them in between; other tests send tens of thousands.
    let mut bodies = got.lock().unwrap();
    if bodies.len() < 1_000 {
        bodies.push(text);
    }
    drop(bodies);
    let body = model.respond(&serde_json::from_slice(&request)?);
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: {}\r\n\r\n", body.len());
    connection.write_all(&[head.as_bytes(), body.as_bytes()].concat())
}

struct AlwaysRight {
    /// Answers by question, with normalized white space.
    answers: Vec<(String, Answer)>,
    fenced: bool,
}

impl AlwaysRight {
    fn reply(&self, request: &Value) -> String {
        let messages: Vec<(&str, &str)> = request["messages"]
            .as_array()
            .expect("messages")
            .iter()
            .map(|m| (m["role"].as_str().expect("a role"), m["content"].as_str().expect("text")))
            .collect();
        // Prompts contain the user's text as SQL comments.
        let of = |role: &str| {
            let texts: Vec<&str> = messages.iter().filter(|(r, _)| *r == role).map(|(_, text)| *text).collect();
            texts.join("\n")
        };
        let asked = flat(&of("user").replace("\n-- ", " "));
        let Some((_, answer)) = self.answers.iter().find(|(question, _)| asked.contains(question)) else {
            return "SELECT NULL".to_owned();
        };
        match &answer.doubted {
            Some(doubted) if tokens(&of("assistant").replace("```", "\n")).contains(&tokens(&answer.sql)) => {
                doubted.clone()
            }
            _ => answer.sql.clone(),
        }
    }
}

impl AlwaysRight {
    /// Returns the events of a reply.
    fn respond(&self, request: &Value) -> String {
        let sql = self.reply(request);
        let whole = if self.fenced { format!("```sql\n{sql}\n```") } else { sql };
        let stops = request["stop"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let end = stops.filter_map(|stop| whole.find(stop)).min().unwrap_or(whole.len());
        let limit = ["max_tokens", "max_completion_tokens"].iter().find_map(|name| request[*name].as_u64());
        let most = limit.map_or(usize::MAX, |tokens| tokens as usize * TOKEN);
        let letters: Vec<char> = whole[..end].chars().collect();
        let reason = if letters.len() > most { "length" } else { "stop" };
        let written = &letters[..letters.len().min(most)];
        let mut body = String::new();
        let mut chunk = |value: Value| body.push_str(&format!("data: {value}\n\n"));
        for index in 0..request["n"].as_u64().unwrap_or(1) {
            for part in written.chunks(TOKEN * 8) {
                let content: String = part.iter().collect();
                chunk(json!({"choices": [{"index": index, "delta": {"content": content}, "finish_reason": null}]}));
            }
            chunk(json!({"choices": [{"index": index, "delta": {}, "finish_reason": reason}]}));
        }
        let usage =
            json!({"prompt_tokens": request.to_string().len() / TOKEN, "completion_tokens": written.len() / TOKEN});
        chunk(json!({"choices": [], "usage": usage}));
        body.push_str("data: [DONE]\n\n");
        body
    }
}

/// The remote model of one run, declared large or small; records which of its queries were returned to it.
pub struct Declared {
    remote: HttpModel,
    deliberates: bool,
    handed_back: Mutex<Vec<String>>,
}

impl Declared {
    pub fn new(server: &GoldServer, deliberates: bool) -> Arc<Self> {
        let config = ServerConfig {
            id: "always-right".into(),
            base_url: server.uri(),
            model: "always-right".into(),
            ..ServerConfig::default()
        };
        let remote = openai::create_model(OpenAiKind::Compatible, config).expect("a model");
        Arc::new(Self { remote, deliberates, handed_back: Mutex::default() })
    }

    /// Returns the doubts that accompanied returned queries.
    pub fn handed_back(&self) -> Vec<String> {
        self.handed_back.lock().unwrap().clone()
    }
}

#[async_trait]
impl ChatModel for Declared {
    fn id(&self) -> &str {
        self.remote.id()
    }

    fn profile(&self) -> ModelProfile {
        ModelProfile { deliberates: self.deliberates, ..self.remote.profile() }
    }

    async fn count_tokens(&self, texts: &[&str]) -> Result<Vec<u32>, LlmError> {
        self.remote.count_tokens(texts).await
    }

    async fn stream(
        &self,
        request: Request,
        cancel: CancellationToken,
    ) -> Result<BoxStream<'static, Result<ModelEvent, LlmError>>, LlmError> {
        if request.output == OutputFormat::Text {
            self.handed_back.lock().unwrap().extend(request.turns.iter().map(|(_, said)| said.clone()));
        }
        self.remote.stream(request, cancel).await
    }
}

/// Replaces each run of white space by one space.
pub fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Normalizes the layout of a query: white space matters only in quotes and comments and between words.
pub fn tokens(sql: &str) -> String {
    let letters: Vec<char> = sql.trim().trim_end_matches(';').chars().collect();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let (mut text, mut at) = (String::new(), 0);
    let mut blank = false;
    while at < letters.len() {
        let next = letters.get(at + 1).copied();
        // Finds the end of a quoted text or comment, in which all characters are preserved.
        let end = match (letters[at], next) {
            (quote @ ('\'' | '"' | '`'), _) => until(&letters, at + 1, &[quote]),
            ('-', Some('-')) => until(&letters, at, &['\n']),
            ('/', Some('*')) => until(&letters, at + 2, &['*', '/']),
            (c, _) if c.is_whitespace() => {
                (blank, at) = (true, at + 1);
                continue;
            }
            _ => at + 1,
        };
        if blank && is_word(letters[at]) && text.chars().next_back().is_some_and(is_word) {
            text.push(' ');
        }
        text.push_str(letters[at..end].iter().collect::<String>().trim_end());
        if letters[at..end].starts_with(&['-', '-']) {
            text.push('\n');
        }
        (blank, at) = (false, end);
    }
    text
}

/// Returns the position after the next `ending`.
fn until(letters: &[char], from: usize, ending: &[char]) -> usize {
    let rest = &letters[from.min(letters.len())..];
    rest.windows(ending.len()).position(|run| run == ending).map_or(letters.len(), |found| from + found + ending.len())
}

#[test]
fn only_the_layout_of_a_query_makes_no_difference() {
    assert_eq!(tokens("SELECT a,\n  b FROM t WHERE c<>'x  y' ;"), tokens("SELECT a , b\nFROM t WHERE c <> 'x  y'"));
    assert_eq!(tokens("SELECT a -- why\nFROM t"), tokens("SELECT a -- why  \n  FROM t"));
    for (one, other) in [
        ("SELECT 'x  y'", "SELECT 'x y'"),
        ("SELECT a -- b\nFROM t", "SELECT a FROM t"),
        ("SELECT 0x04", "SELECT 4"),
        ("SELECT a b", "SELECT ab"),
        ("SELECT /* a b */ 1", "SELECT /* a  b */ 1"),
    ] {
        assert_ne!(tokens(one), tokens(other), "{one}");
    }
}
