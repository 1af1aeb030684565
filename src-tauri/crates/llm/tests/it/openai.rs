//! A remote server: requests sent to it, and the handling of every kind of response.

use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{AppError, Effort, ErrorCode, ModelProfile, ProfileFacts, SchemaSupport};
use vitrine_llm::http::{HttpModel, Patience, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{
    AddressFault, CallUsage, ChatModel, Completion, FinishReason, LlmError, OutputFormat, Request, complete_request,
};
use wiremock::matchers::{header, method, path, query_param};
use wiremock::{Mock, MockServer, Request as Received, ResponseTemplate};

pub const KEY: &str = "sk-test-1234567890abcdef";

pub fn config(base_url: &str) -> ServerConfig {
    let patience = Patience { first_wait: Duration::from_millis(1), ..Patience::default() };
    ServerConfig {
        id: "remote".into(),
        base_url: base_url.into(),
        api_key: Some(KEY.into()),
        model: "tiny".into(),
        patience,
        ..ServerConfig::default()
    }
}

pub async fn ask(model: &dyn ChatModel, request: Request) -> Result<Completion, LlmError> {
    complete_request(model, request, CancellationToken::new(), |_| {}).await
}

/// Sets the context size of a server's model.
pub fn with_context(context_tokens: u32, config: ServerConfig) -> ServerConfig {
    let facts = ProfileFacts { context_tokens: Some(context_tokens), ..ProfileFacts::default() };
    ServerConfig { profile: ModelProfile::default().with(&facts), ..config }
}

pub fn question(tail: &str) -> Request {
    Request {
        system: "You write SQL.".into(),
        prefix: "CREATE TABLE t (a);\n".into(),
        tail: tail.into(),
        ..Request::default()
    }
}

fn with_schema() -> Request {
    let schema = json!({ "type": "object", "properties": { "sql": { "type": "string" } } });
    Request { output: OutputFormat::JsonSchema { name: "final sql".into(), schema }, ..question("How many?") }
}

fn chunk(index: u32, content: &str) -> String {
    format!(
        "data: {}\n\n",
        json!({ "choices": [{ "index": index, "delta": { "content": content }, "finish_reason": null }] })
    )
}

fn end(index: u32, reason: &str) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "index": index, "delta": {}, "finish_reason": reason }] }))
}

fn usage(prompt: u32, cached: u32, completion: u32) -> String {
    let details = json!({ "cached_tokens": cached });
    let usage = json!({ "prompt_tokens": prompt, "completion_tokens": completion, "prompt_tokens_details": details });
    format!("data: {}\n\ndata: [DONE]\n\n", json!({ "choices": [], "usage": usage }))
}

fn stream(body: String) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_raw(body, "text/event-stream")
}

fn said(text: &str) -> ResponseTemplate {
    stream(chunk(0, text) + &end(0, "stop") + &usage(100, 60, 5))
}

fn refusal(status: u16, message: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({ "error": { "message": message } }))
}

fn seeded() -> ModelProfile {
    ModelProfile { seeded: true, ..ModelProfile::default() }
}

async fn server(answers: Vec<ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    let last = answers.len() - 1;
    for (index, answer) in answers.into_iter().enumerate() {
        let mock = Mock::given(method("POST")).respond_with(answer).with_priority(index as u8 + 1);
        if index == last { mock.mount(&server).await } else { mock.up_to_n_times(1).mount(&server).await }
    }
    server
}

async fn bodies(server: &MockServer) -> Vec<Value> {
    server.received_requests().await.unwrap().iter().map(|request: &Received| request.body_json().unwrap()).collect()
}

fn model(server: &MockServer) -> HttpModel {
    openai::create_model(OpenAiKind::Compatible, config(&server.uri())).unwrap()
}

#[tokio::test]
async fn the_stable_part_of_a_request_comes_first_and_usage_tells_what_was_cached() {
    let server = server(vec![said("SELECT 1")]).await;
    let request = Request {
        turns: vec![("SELECT x".into(), "no column x".into())],
        stop: vec![";".into()],
        temperature: 0.8,
        top_p: 0.95,
        seed: 42,
        ..question("How many?")
    };
    let seeded = ServerConfig { profile: seeded(), ..config(&server.uri()) };
    let done = ask(&openai::create_model(OpenAiKind::Compatible, seeded).unwrap(), request).await.unwrap();
    assert_eq!(done.replies, ["SELECT 1"]);
    assert_eq!(
        done.usage,
        CallUsage { prompt_tokens: 100, cached_prompt_tokens: 60, completion_tokens: 5, ..CallUsage::default() }
    );
    let received = &server.received_requests().await.unwrap()[0];
    assert_eq!(received.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(received.url.path(), "/v1/chat/completions");
    insta::assert_snapshot!(String::from_utf8_lossy(&received.body), @r#"{"model":"tiny","messages":[{"role":"system","content":"You write SQL."},{"role":"user","content":"CREATE TABLE t (a);\nHow many?"},{"role":"assistant","content":"SELECT x"},{"role":"user","content":"no column x"}],"stream":true,"stream_options":{"include_usage":true},"temperature":0.8,"top_p":0.95,"seed":42,"max_tokens":512,"stop":[";"]}"#);
}

#[tokio::test]
async fn how_likely_a_reply_was_is_told_where_the_server_says_so_and_else_does_without() {
    let token = |text: &str, logarithm: f64| {
        let content = json!([{ "token": text, "logprob": logarithm, "bytes": null, "top_logprobs": [] }]);
        let choice = json!({ "index": 0, "delta": { "content": text }, "logprobs": { "content": content }, "finish_reason": null });
        format!("data: {}\n\n", json!({ "choices": [choice] }))
    };
    let likely = stream(token("SELECT", -0.5) + &token(" 1", -2.0) + &end(0, "stop") + &usage(9, 0, 2));
    // The refusals of OpenAI and of other servers.
    for status in [400, 403, 422] {
        let unsupported = refusal(status, "You are not allowed to request logprobs from this model");
        let server = server(vec![likely.clone(), unsupported, said("SELECT 2"), said("SELECT 3"), said("{}")]).await;
        let profile = ModelProfile { token_probabilities: true, ..ModelProfile::default() };
        let config = ServerConfig { profile, ..config(&server.uri()) };
        tells_until_it_is_refused(&server, openai::create_model(OpenAiKind::Compatible, config).unwrap()).await;
    }
}

async fn tells_until_it_is_refused(server: &MockServer, model: HttpModel) {
    let told = ask(&model, question("?")).await.unwrap();
    let probability = told.probabilities[0].clone().unwrap();
    assert_eq!((told.first_reply(), probability.tokens, probability.sum), ("SELECT 1", 2, -2.5));
    assert_eq!(probability.lowest, [-2.0, -0.5]);
    let without = ask(&model, question("?")).await.unwrap();
    assert_eq!((without.first_reply(), without.probabilities.as_slice()), ("SELECT 2", [None].as_slice()));
    ask(&model, question("?")).await.unwrap();
    ask(&model, with_schema()).await.unwrap();
    let asked: Vec<bool> = bodies(server).await.iter().map(|body| body["logprobs"] == true).collect();
    assert_eq!(asked, [true, true, false, false, false], "a refusal is remembered");
    assert!(!model.profile().token_probabilities);
}

#[tokio::test]
async fn a_seed_stops_and_probabilities_are_sent_where_the_profile_has_them_and_not_where_it_has_not() {
    let with = ModelProfile { seeded: true, stop: true, token_probabilities: true, ..ModelProfile::default() };
    let without = ModelProfile { seeded: false, stop: false, token_probabilities: false, ..with.clone() };
    for (profile, sends) in [(with, true), (without, false)] {
        let server = server(vec![said("SELECT 1")]).await;
        let config = ServerConfig { profile, ..config(&server.uri()) };
        let request = Request { stop: vec![";".into()], seed: 7, ..question("?") };
        ask(&openai::create_model(OpenAiKind::Compatible, config).unwrap(), request).await.unwrap();
        let sent = &bodies(&server).await[0];
        for field in ["seed", "stop", "logprobs"] {
            assert_eq!(sent.get(field).is_some(), sends, "{field}");
        }
    }
}

#[tokio::test]
async fn a_403_that_names_nothing_that_was_sent_is_about_the_key() {
    for message in
        ["Forbidden", "You have insufficient permissions. Missing scopes: model.request", "No access to logprobs"]
    {
        let server = server(vec![refusal(403, message)]).await;
        let model = model(&server);
        let error = ask(&model, with_schema()).await.unwrap_err();
        assert_eq!(error, LlmError::Unauthorised { message: message.into() });
        assert_eq!(bodies(&server).await.len(), 1, "{message}: nothing is tried without the schema");
        assert_eq!(model.profile(), ModelProfile::default(), "and nothing is learned of the model");
    }
}

#[tokio::test]
async fn the_feature_that_a_refusal_names_is_left_out_and_no_other() {
    let asks_all = Request {
        stop: vec![";".into()],
        temperature: 0.8,
        samples: 2,
        output: with_schema().output,
        ..question("How many?")
    };
    let effort = Some(Effort::Low);
    let profile = ModelProfile { effort, seeded: true, ..ModelProfile::default() };
    let fields = ["temperature", "seed", "stop", "reasoning_effort", "response_format", "stream_options", "n"];
    let cases = [
        (403, None, "Argument not supported on this model: stop", "stop"),
        (403, Some("temperature"), "Reasoning models keep to their own.", "temperature"),
        (403, None, "This reasoning model takes no 'temperature', 'seed' or 'stop'.", "temperature"),
        (400, Some("seed"), "Not with reasoning_effort, temperature or a response_format.", "seed"),
        (
            422,
            None,
            r#"[{"type":"extra_forbidden","loc":["body","seed"],"msg":"Extra inputs are not permitted"}]"#,
            "seed",
        ),
        (403, Some("reasoning_effort"), "Unsupported value: 'low' with this model.", "reasoning_effort"),
        (403, Some("response_format"), "Not for you.", "response_format"),
        (403, Some("n"), "Only one choice.", "n"),
        (400, None, "tiny-reasoning-thinking does not support seed", "seed"),
    ];
    for (status, param, message, without) in cases {
        let refused = ResponseTemplate::new(status)
            .set_body_json(json!({ "error": { "message": message, "type": "invalid_request_error", "param": param } }));
        let both =
            |text: &str| stream(chunk(0, text) + &chunk(1, text) + &end(0, "stop") + &end(1, "stop") + &usage(9, 0, 5));
        let server = server(vec![refused, both("{}")]).await;
        let config =
            ServerConfig { profile: profile.clone(), model: "tiny-reasoning-thinking".into(), ..config(&server.uri()) };
        ask(&openai::create_model(OpenAiKind::Compatible, config).unwrap(), asks_all.clone()).await.unwrap();
        let sent = bodies(&server).await;
        for field in fields {
            assert!(sent[0].get(field).is_some(), "{field}");
            assert_eq!(sent[1].get(field).is_some(), field != without, "{message}: {field}");
        }
    }
}

#[tokio::test]
async fn azure_is_addressed_in_its_own_way() {
    let server = MockServer::start().await;
    Mock::given(path("/openai/deployments/gpt-x/chat/completions"))
        .and(query_param("api-version", "2024-10-21"))
        .and(header("api-key", KEY))
        .respond_with(said("hello"))
        .mount(&server)
        .await;
    let azure = ServerConfig { model: "gpt-x".into(), ..config(&server.uri()) };
    let done = ask(&openai::create_model(OpenAiKind::Azure, azure).unwrap(), question("?")).await.unwrap();
    assert_eq!(done.first_reply(), "hello");
    let received = &server.received_requests().await.unwrap()[0];
    assert!(!received.headers.contains_key("authorization"));
    assert_eq!(received.body_json::<Value>().unwrap()["max_completion_tokens"], 512);
}

#[tokio::test]
async fn a_server_that_is_busy_is_asked_again_when_it_said() {
    let busy = refusal(429, "slow down").insert_header("retry-after", "0.05");
    let server = server(vec![busy, said("later")]).await;
    let before = std::time::Instant::now();
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "later");
    assert!(before.elapsed() >= Duration::from_millis(50), "Retry-After is a promise");
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_told_to_the_person() {
    let server = server(vec![refusal(429, "slow down").insert_header("retry-after", "3600")]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::RateLimited { retry_after: Some(Duration::from_secs(3600)) });
    assert_eq!(bodies(&server).await.len(), 1);
}

#[tokio::test]
async fn a_server_error_passes_but_not_for_ever() {
    let once = server(vec![refusal(500, "oops"), refusal(503, "oops"), said("fine")]).await;
    assert_eq!(ask(&model(&once), question("?")).await.unwrap().first_reply(), "fine");
    let always = server(vec![refusal(500, "oops")]).await;
    let error = ask(&model(&always), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 500, message: "oops".into() });
    assert_eq!(bodies(&always).await.len(), 4);
}

#[tokio::test]
async fn a_wrong_key_is_said_once_and_never_shown() {
    let server = server(vec![refusal(401, &format!("Incorrect API key provided: {KEY}."))]).await;
    let model = model(&server);
    let error = ask(&model, question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Unauthorised { message: "Incorrect API key provided: ***.".into() });
    assert_eq!(bodies(&server).await.len(), 1);
    let shown = format!("{model:?} {:?} {error:?} {error}", config(&server.uri()));
    assert!(!shown.contains(KEY) && !shown.contains("1234567890"), "{shown}");
}

#[test]
fn a_key_leaves_this_machine_only_over_https() {
    let model = |address: &str, key: Option<&str>| {
        let config = ServerConfig { api_key: key.map(String::from), ..config(address) };
        openai::create_model(OpenAiKind::Compatible, config).map(drop)
    };
    for address in ["https://host/v1", "http://localhost:1", "http://127.0.0.1/v1", "http://[::1]:8080"] {
        model(address, Some(KEY)).unwrap();
    }
    for address in
        ["http://host/v1", "http://192.168.0.7:11434", "http://localhost.evil.example", "http://127.0.0.1.example"]
    {
        assert!(model(address, Some(KEY)).unwrap_err().to_string().contains("https"), "{address}");
        model(address, None).unwrap();
    }
}

#[tokio::test]
async fn money_that_ran_out_is_not_waited_for() {
    let body = json!({ "error": { "message": "You exceeded your current quota", "code": "insufficient_quota" } });
    let server = server(vec![ResponseTemplate::new(429).set_body_json(body)]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 429, message: "You exceeded your current quota".into() });
    assert_eq!(bodies(&server).await.len(), 1);
}

#[tokio::test]
async fn a_schema_is_sent_where_it_is_taken() {
    let server = server(vec![said("{\"sql\":\"\"}")]).await;
    let model = model(&server);
    ask(&model, with_schema()).await.unwrap();
    let format = &bodies(&server).await[0]["response_format"];
    assert_eq!(format["json_schema"]["strict"], true);
    assert_eq!(format["json_schema"]["name"], "final_sql");
    assert!(model.profile().schema != SchemaSupport::None);
}

#[tokio::test]
async fn a_schema_that_is_refused_goes_into_the_prompt_from_then_on() {
    let server =
        server(vec![refusal(400, "response_format is not supported"), said("```json\n{\"sql\":\"\"}\n```")]).await;
    let model = model(&server);
    for _ in 0..2 {
        ask(&model, with_schema()).await.unwrap();
    }
    assert!(model.profile().schema == SchemaSupport::None);
    let bodies = bodies(&server).await;
    let has: Vec<bool> = bodies.iter().map(|body| body.get("response_format").is_some()).collect();
    assert_eq!(has, [true, false, false]);
    let asked = bodies[1]["messages"][1]["content"].as_str().unwrap();
    assert!(asked.ends_with(r#"{"type":"object","properties":{"sql":{"type":"string"}}}"#), "{asked}");
}

#[tokio::test]
async fn a_refusal_that_stays_is_not_put_down_to_the_schema() {
    let server = server(vec![refusal(400, "bad model name")]).await;
    let model = model(&server);
    let error = ask(&model, with_schema()).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 400, message: "bad model name".into() });
    assert!(model.profile().schema != SchemaSupport::None, "what did not help is not remembered");
}

#[tokio::test]
async fn a_reasoning_model_that_refuses_settings_is_asked_without_them() {
    let server = server(vec![
        refusal(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refusal(400, "Unsupported value: 'temperature' does not support 0 with this model."),
        said("ok"),
    ])
    .await;
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "ok");
    let last = bodies(&server).await.pop().unwrap();
    assert_eq!(last["max_completion_tokens"], 512);
    assert!(last.get("max_tokens").is_none() && last.get("temperature").is_none());
}

#[tokio::test]
async fn several_samples_are_one_call_and_the_greedy_one_another() {
    let two = chunk(1, "b1 ")
        + &chunk(0, "a1 ")
        + &chunk(0, "a2")
        + &end(0, "stop")
        + &chunk(1, "b2")
        + &end(1, "length")
        + &usage(10, 0, 4);
    let server = MockServer::start().await;
    Mock::given(wiremock::matchers::body_partial_json(json!({ "n": 2, "temperature": 0.5 })))
        .respond_with(stream(two))
        .mount(&server)
        .await;
    Mock::given(wiremock::matchers::body_partial_json(json!({ "temperature": 0.0 })))
        .respond_with(said("greedy"))
        .mount(&server)
        .await;
    let request = Request { samples: 3, first_greedy: true, temperature: 0.5, ..question("?") };
    let done = ask(&model(&server), request).await.unwrap();
    assert_eq!(done.replies, ["greedy", "a1 a2", "b1 b2"]);
    assert_eq!(done.reasons, [FinishReason::Stop, FinishReason::Stop, FinishReason::Length]);
    assert_eq!(done.usage.prompt_tokens, 110);
}

#[tokio::test]
async fn a_server_is_asked_eight_things_at_once_and_no_more() {
    const TAKES: Duration = Duration::from_millis(100);
    let began = Arc::new(Mutex::new(Vec::new()));
    let server = MockServer::start().await;
    let noted = began.clone();
    let answer = move |_: &Received| {
        noted.lock().unwrap().push(Instant::now());
        said("one").set_delay(TAKES)
    };
    Mock::given(method("POST")).respond_with(answer).mount(&server).await;
    let model = model(&server);
    futures::future::join_all((0..20).map(|n| ask(&model, question(&n.to_string())))).await;
    let mut began = began.lock().unwrap().clone();
    began.sort();
    assert_eq!(began.len(), 20);
    assert!(began.windows(9).all(|nine| nine[8] - nine[0] >= TAKES), "the ninth begins when one has ended: {began:?}");
}

#[tokio::test]
async fn samples_that_a_server_leaves_out_or_refuses_are_asked_for_one_by_one() {
    let silent = server(vec![said("one")]).await;
    let config = ServerConfig { profile: seeded(), ..config(&silent.uri()) };
    let model_silent = openai::create_model(OpenAiKind::Compatible, config).unwrap();
    let request = Request { samples: 3, temperature: 0.5, seed: 7, ..question("?") };
    assert_eq!(ask(&model_silent, request.clone()).await.unwrap().replies, ["one"; 3]);
    let mut seeds: Vec<u64> = bodies(&silent).await.iter().map(|body| body["seed"].as_u64().unwrap()).collect();
    seeds.sort_unstable();
    assert_eq!(seeds, [7, 8, 9]);
    ask(&model_silent, request.clone()).await.unwrap();
    assert!(bodies(&silent).await[3..].iter().all(|body| body.get("n").is_none()), "it is remembered");

    let refusing = server(vec![refusal(422, "parameter n must be 1"), said("one")]).await;
    assert_eq!(ask(&model(&refusing), request).await.unwrap().replies, ["one"; 3]);
}

#[tokio::test]
async fn a_server_that_does_not_stream_or_count_is_read_all_the_same() {
    let whole = json!({ "choices": [{ "index": 0, "message": { "content": "SELECT 1" }, "finish_reason": "stop" }] });
    let server = server(vec![ResponseTemplate::new(200).set_body_json(whole)]).await;
    let done = ask(&model(&server), question("?")).await.unwrap();
    assert_eq!(done.first_reply(), "SELECT 1");
    assert_eq!(done.usage.completion_tokens, 3, "estimated from the length");
    assert!(done.usage.prompt_tokens > 0);
}

#[tokio::test]
async fn an_address_that_is_something_else_is_told_apart() {
    let page = server(vec![ResponseTemplate::new(200).set_body_raw("<html>", "text/html")]).await;
    let error = ask(&model(&page), question("?")).await.unwrap_err().to_string();
    assert!(error.contains("web page"), "{error}");
    let junk = server(vec![stream("data: {\"choices\": [}\n\n".into())]).await;
    let error = ask(&model(&junk), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::BadReply { reply, .. } if reply.contains("choices")), "{error:?}");
    let missing = server(vec![refusal(404, "model 'tiny' not found")]).await;
    assert_eq!(
        ask(&model(&missing), question("?")).await.unwrap_err(),
        LlmError::Refused { status: 404, message: "model 'tiny' not found".into() }
    );
    for incomplete in
        ["ftp://x", "api.openai.com/v1", "localhost:11434/v1", "127.0.0.1:8080", "//host/v1", "https//host", ""]
    {
        let error = openai::create_model(OpenAiKind::Compatible, config(incomplete)).unwrap_err();
        assert!(matches!(error, LlmError::Address { fault: AddressFault::Scheme, .. }), "{incomplete}: {error:?}");
        let told = AppError::from(error);
        assert!(told.code == ErrorCode::Usage && told.message.contains("http:// or https://"), "{told:?}");
    }
    let nowhere = openai::create_model(OpenAiKind::Compatible, config("http://127.0.0.1:9")).unwrap();
    let error = ask(&nowhere, question("?")).await.unwrap_err();
    assert!(matches!(error, LlmError::Unreachable { .. }), "a whole address is tried: {error:?}");
    let with_password = openai::create_model(OpenAiKind::Compatible, config("http://me:secret@host/v1")).unwrap_err();
    assert!(!with_password.to_string().contains("secret"), "{with_password}");
}

#[tokio::test]
async fn content_in_parts_empty_reasons_and_null_choices_are_read() {
    let parts = json!([{ "type": "thinking", "thinking": [] }, { "type": "text", "text": "SELECT 1" }]);
    let odd = json!({ "choices": [{ "index": 0, "delta": { "content": parts }, "finish_reason": "" }] });
    let body = format!("data: {}\n\ndata: {odd}\n\n{}", json!({ "choices": null }), end(0, "stop"));
    let server = server(vec![stream(body)]).await;
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "SELECT 1");
}

#[tokio::test]
async fn an_error_within_the_stream_is_an_error() {
    let body = format!("{}data: {}\n\n", chunk(0, "SEL"), json!({ "error": { "message": "out of memory" } }));
    let server = server(vec![stream(body)]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 0, message: "out of memory".into() });
    assert_eq!(bodies(&server).await.len(), 1, "never again after the first text");
    let filtered = self::server(vec![stream(chunk(0, "SEL") + &end(0, "content_filter"))]).await;
    assert!(matches!(ask(&model(&filtered), question("?")).await, Err(LlmError::BadReply { .. })));
}

#[tokio::test]
async fn a_prompt_that_cannot_fit_is_not_sent_and_the_reply_gets_the_room_there_is() {
    let server = server(vec![said("ok")]).await;
    let model = openai::create_model(OpenAiKind::Compatible, with_context(1000, config(&server.uri()))).unwrap();
    let error = ask(&model, question(&"x".repeat(1 << 20))).await.unwrap_err();
    assert!(matches!(error, LlmError::ContextExceeded { available: 1000, .. }), "{error:?}");
    assert!(bodies(&server).await.is_empty());
    ask(&model, Request { max_tokens: 900, ..question(&"x".repeat(2000)) }).await.unwrap();
    let limit = bodies(&server).await[0]["max_tokens"].as_u64().unwrap();
    assert!((400..600).contains(&limit), "{limit}");
}

#[tokio::test]
async fn a_reply_made_to_begin_in_a_way_does_not_repeat_its_beginning() {
    let body = chunk(0, "```s") + &chunk(0, "ql\nSEL") + &chunk(0, "ECT 1") + &end(0, "stop") + &usage(1, 0, 1);
    let server = server(vec![stream(body)]).await;
    let request = Request { assistant_prefix: "```sql\n".into(), stop: vec!["```".into()], ..question("?") };
    assert_eq!(ask(&model(&server), request).await.unwrap().first_reply(), "SELECT 1");
    let asked = bodies(&server).await[0]["messages"][1]["content"].as_str().unwrap().to_owned();
    assert!(asked.ends_with("exactly this text:\n```sql\n"), "{asked}");
    assert_eq!(bodies(&server).await[0].get("stop"), None, "the reply would end before it has begun");
}
