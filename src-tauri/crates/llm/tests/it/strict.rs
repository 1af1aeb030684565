//! Shared code of the strict mock servers: replies in turn, each given only to a valid request.

use serde_json::Value;
use std::sync::Mutex;
use wiremock::matchers::method;
use wiremock::{Mock, MockServer, Request as Received, Respond, ResponseTemplate};

/// Checks a request, with errors in the provider's words.
pub type Check = fn(&Received) -> Result<Value, Refusal>;
/// Writes the reply to a valid request.
pub type Answer = Box<dyn Fn(&Value) -> ResponseTemplate + Send + Sync>;

/// The rejection of a request: its status, and the error in the provider's form.
pub struct Refusal {
    pub status: u16,
    pub body: Value,
}

impl From<Refusal> for ResponseTemplate {
    fn from(refusal: Refusal) -> Self {
        Self::new(refusal.status).set_body_json(refusal.body)
    }
}

struct Peer {
    check: Check,
    answers: Mutex<Vec<Answer>>,
}

impl Respond for Peer {
    fn respond(&self, request: &Received) -> ResponseTemplate {
        let body = match (self.check)(request) {
            Ok(body) => body,
            Err(refusal) => return refusal.into(),
        };
        let mut answers = self.answers.lock().unwrap();
        if answers.len() > 1 { answers.remove(0)(&body) } else { answers[0](&body) }
    }
}

/// Starts a mock server that gives these replies in turn and repeats the last one.
pub async fn peer(check: Check, answers: Vec<Answer>) -> MockServer {
    let server = MockServer::start().await;
    let peer = Peer { check, answers: Mutex::new(answers) };
    Mock::given(method("POST")).respond_with(peer).mount(&server).await;
    server
}

pub fn always(answer: impl Into<ResponseTemplate>) -> Answer {
    let answer = answer.into();
    Box::new(move |_| answer.clone())
}

pub fn events(body: String) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
}

pub async fn bodies(server: &MockServer) -> Vec<Value> {
    server.received_requests().await.unwrap().iter().map(|request| request.body_json().unwrap()).collect()
}

/// Returns the first key of an object that the provider does not know.
pub fn unknown<'a>(object: &'a Value, known: &[&str]) -> Option<&'a str> {
    object.as_object()?.keys().map(String::as_str).find(|key| !known.contains(key))
}

/// Returns the first fault of a schema: an unsupported keyword, or an open object that must be closed.
pub fn schema_fault(schema: &Value, known: &[&str], closed: bool) -> Option<String> {
    if let Some(keyword) = unknown(schema, known) {
        return Some(format!("For '{}' type, property '{keyword}' is not supported", schema["type"]));
    }
    if closed && schema["type"] == "object" && schema["additionalProperties"] != false {
        return Some("For 'object' type, 'additionalProperties' must be explicitly set to false".to_owned());
    }
    let named = ["properties", "$defs"].iter().filter_map(|key| schema[*key].as_object()).flat_map(|map| map.values());
    let listed = ["anyOf", "allOf", "prefixItems"].iter().filter_map(|key| schema[*key].as_array()).flatten();
    let items = schema.get("items");
    named.chain(listed).chain(items).find_map(|schema| schema_fault(schema, known, closed))
}

/// Truncates the text as a model would: at a stop text, or after `limit` words. The second value names the reason.
pub fn written(text: &str, stop: &Value, limit: usize) -> (String, &'static str) {
    let stops = stop.as_array().into_iter().flatten().filter_map(Value::as_str);
    let at = stops.filter_map(|stop| text.find(stop)).min();
    let text = &text[..at.unwrap_or(text.len())];
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    match words.len() > limit {
        true => (words[..limit].concat(), "length"),
        false => (text.to_owned(), if at.is_some() { "stop" } else { "end" }),
    }
}
