//! Anthropic's Messages API, against a mock server that rejects the same requests as the real one.

use super::openai::{KEY, ask, config, question, with_context};
use super::strict::{Refusal, always, bodies, events, peer, schema_fault, unknown, written};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use vitrine_domain::{Caching, Effort, ModelProfile, SchemaSupport};
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, OutputFormat, Request, anthropic};
use wiremock::{MockServer, Request as Received, ResponseTemplate};

fn model(server: &MockServer) -> HttpModel {
    anthropic::create_model(with_context(200_000, config(&server.uri()))).unwrap()
}

fn refusal(status: u16, kind: &str, message: &str) -> Refusal {
    let error = json!({ "type": kind, "message": message });
    Refusal { status, body: json!({ "type": "error", "error": error, "request_id": "req_1" }) }
}

fn invalid(message: &str) -> Refusal {
    refusal(400, "invalid_request_error", message)
}

const FIELDS: [&str; 18] = [
    "model",
    "max_tokens",
    "messages",
    "system",
    "stream",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "output_config",
    "cache_control",
    "container",
    "inference_geo",
    "metadata",
    "service_tier",
    "thinking",
    "tool_choice",
    "tools",
];
const KEYWORDS: [&str; 13] = [
    "type",
    "enum",
    "const",
    "anyOf",
    "allOf",
    "$ref",
    "$defs",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "description",
    "title",
];

fn check(request: &Received) -> Result<Value, Refusal> {
    let header = |name: &str| request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if request.url.path() != "/v1/messages" {
        return Err(refusal(404, "not_found_error", "Not found"));
    }
    if header("x-api-key") != KEY || !header("authorization").is_empty() {
        return Err(refusal(401, "authentication_error", &format!("invalid x-api-key: {KEY}")));
    }
    if header("anthropic-version") != "2023-06-01" {
        return Err(invalid("anthropic-version: header is required"));
    }
    let body: Value = request.body_json().map_err(|_| invalid("The request body is not valid JSON"))?;
    if let Some(field) = unknown(&body, &FIELDS) {
        return Err(invalid(&format!("{field}: Extra inputs are not permitted")));
    }
    if body["max_tokens"].as_u64().is_none_or(|most| most == 0) {
        return Err(invalid("max_tokens: Field required"));
    }
    if let Some(temperature) = body.get("temperature")
        && !temperature.as_f64().is_some_and(|t| (0.0..=1.0).contains(&t))
    {
        return Err(invalid("temperature: range: 0..1"));
    }
    if body.get("temperature").is_some() && body.get("top_p").is_some() {
        return Err(invalid("`temperature` and `top_p` cannot both be specified for this model. Please use only one."));
    }
    let blank = |text: &Value| text.as_str().is_some_and(|text| text.trim().is_empty());
    if body["stop_sequences"].as_array().into_iter().flatten().any(blank) {
        return Err(invalid("stop_sequences: each stop sequence must contain non-whitespace"));
    }
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    for (index, message) in messages.iter().enumerate() {
        if message["role"] != ["user", "assistant"][index % 2] {
            return Err(invalid("messages: roles must alternate between \"user\" and \"assistant\""));
        }
        let blocks = match &message["content"] {
            text @ Value::String(_) => vec![json!({ "type": "text", "text": text })],
            blocks => blocks.as_array().cloned().unwrap_or_default(),
        };
        for block in &blocks {
            if let Some(field) = unknown(block, &["type", "text", "cache_control", "citations"]) {
                return Err(invalid(&format!("messages.{index}.content.0.{field}: Extra inputs are not permitted")));
            }
            if blank(&block["text"]) || !block["text"].is_string() {
                return Err(invalid("messages: text content blocks must contain non-whitespace text"));
            }
        }
        if blocks.is_empty() {
            return Err(invalid(&format!("messages.{index}: all messages must have non-empty content")));
        }
    }
    match messages.last() {
        None => return Err(invalid("messages: at least one message is required")),
        Some(last) if last["role"] == "assistant" => {
            if last["content"].as_str().is_some_and(|text| text.ends_with(char::is_whitespace)) {
                return Err(invalid("messages: final assistant content cannot end with trailing whitespace"));
            }
        }
        Some(_) => {}
    }
    if let Some(output) = body.get("output_config") {
        let format = &output["format"];
        if unknown(output, &["effort", "format"]).or(unknown(format, &["type", "schema"])).is_some() {
            return Err(invalid("output_config: Extra inputs are not permitted"));
        }
        if let Some(fault) = schema_fault(&format["schema"], &KEYWORDS, true) {
            return Err(invalid(&format!("output_config.format.schema: {fault}")));
        }
    }
    Ok(body)
}

/// Rejects sampling parameters and prefilled replies, as the newest models do.
fn check_newest(request: &Received) -> Result<Value, Refusal> {
    let body = check(request)?;
    if body.get("temperature").is_some() {
        return Err(invalid("`temperature` is deprecated for this model."));
    }
    if body["messages"].as_array().unwrap().last().unwrap()["role"] == "assistant" {
        return Err(invalid(
            "This model does not support assistant message prefill. The conversation must end with a user message.",
        ));
    }
    Ok(body)
}

fn event(data: Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

fn start() -> String {
    let usage = json!({ "input_tokens": 40, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 60, "output_tokens": 1 });
    let message = json!({ "id": "msg_1", "type": "message", "role": "assistant", "model": "tiny", "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage });
    event(json!({ "type": "message_start", "message": message }))
        + &event(
            json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "thinking", "thinking": "" } }),
        )
        + &event(
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "thinking_delta", "thinking": "hm" } }),
        )
        + &event(
            json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "signature_delta", "signature": "x" } }),
        )
        + &event(json!({ "type": "content_block_stop", "index": 0 }))
        + &event(json!({ "type": "content_block_start", "index": 1, "content_block": { "type": "text", "text": "" } }))
        + &event(json!({ "type": "ping" }))
}

fn delta(text: &str) -> String {
    event(json!({ "type": "content_block_delta", "index": 1, "delta": { "type": "text_delta", "text": text } }))
}

fn end(reason: &str) -> String {
    event(json!({ "type": "content_block_stop", "index": 1 }))
        + &event(
            json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": { "output_tokens": 9 } }),
        )
        + &event(json!({ "type": "event_of_tomorrow", "new": true }))
        + &event(json!({ "type": "message_stop" }))
}

/// Writes the text like a model: continues the prefill, up to a stop text or the limit.
fn writes(text: &'static str) -> super::strict::Answer {
    Box::new(move |body| {
        let last = body["messages"].as_array().unwrap().last().unwrap().clone();
        let begun = last["content"].as_str().filter(|_| last["role"] == "assistant").unwrap_or_default();
        let rest = text.strip_prefix(begun).unwrap_or(text);
        let (text, why) = written(rest, &body["stop_sequences"], body["max_tokens"].as_u64().unwrap() as usize);
        let reason = match why {
            "length" => "max_tokens",
            "stop" => "stop_sequence",
            _ => "end_turn",
        };
        events(start() + &text.split_inclusive(' ').map(delta).collect::<String>() + &end(reason))
    })
}

#[tokio::test]
async fn a_plain_question_is_asked_with_its_stable_part_marked_and_counted() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let turns = vec![("SELECT x".into(), "no column x".into()), (" ".into(), "again".into())];
    let request =
        Request { turns, temperature: 1.5, top_p: 0.9, seed: 3, stop: vec!["\n".into()], ..question("How many?") };
    let config = with_context(200_000, config(&server.uri()));
    let profile = ModelProfile { caching: Caching::Marked, ..config.profile.clone() };
    let done = ask(&anthropic::create_model(ServerConfig { profile, ..config }).unwrap(), request).await.unwrap();
    assert_eq!(done.replies, ["SELECT 1"]);
    assert_eq!(done.reasons, [FinishReason::Stop]);
    assert_eq!(
        done.usage,
        CallUsage {
            prompt_tokens: 110,
            cached_prompt_tokens: 60,
            cache_write_tokens: 10,
            completion_tokens: 9,
            reasoning_tokens: 0,
        }
    );
    let received = &server.received_requests().await.unwrap()[0];
    insta::assert_snapshot!(String::from_utf8_lossy(&received.body), @r#"{"model":"tiny","max_tokens":8704,"system":"You write SQL.","messages":[{"role":"user","content":[{"type":"text","text":"CREATE TABLE t (a);\n","cache_control":{"type":"ephemeral"}},{"type":"text","text":"How many?"}]},{"role":"assistant","content":"SELECT x"},{"role":"user","content":"no column x"},{"role":"assistant","content":"(empty)"},{"role":"user","content":"again"}],"stream":true,"temperature":1.0}"#);
}

#[tokio::test]
async fn stops_and_the_mark_of_the_cache_are_sent_where_the_profile_has_them_and_not_where_it_has_not() {
    let with = ModelProfile { stop: true, caching: Caching::Marked, ..ModelProfile::default() };
    let without = ModelProfile { stop: false, caching: Caching::None, ..with.clone() };
    for (profile, sends) in [(with, true), (without, false)] {
        let server = peer(check, vec![writes("SELECT 1")]).await;
        let config = ServerConfig { profile, ..config(&server.uri()) };
        let request = Request { stop: vec![";".into()], ..question("How many?") };
        ask(&anthropic::create_model(config).unwrap(), request).await.unwrap();
        let sent = &bodies(&server).await[0];
        assert_eq!(sent.get("stop_sequences").is_some(), sends);
        assert_eq!(sent.to_string().contains("cache_control"), sends);
        let blocks = sent["messages"][0]["content"].as_array().unwrap();
        let text: String = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
        assert_eq!(text, "CREATE TABLE t (a);\nHow many?", "the prompt is the same");
    }
}

#[tokio::test]
async fn a_schema_is_sent_in_the_subset_that_is_taken() {
    let server = peer(check, vec![writes(r#"{"names":["a"]}"#)]).await;
    let names = json!({ "type": "array", "description": "Names.", "items": { "type": "string", "maxLength": 9 }, "maxItems": 3 });
    let part = json!({ "type": "object", "properties": { "kind": { "const": "a" }, "minimum": { "type": "integer", "minimum": 0 } } });
    let schema =
        json!({ "type": "object", "properties": { "names": names, "part": { "anyOf": [part, { "type": "null" }] } } });
    let output = OutputFormat::JsonSchema { name: "names".into(), schema };
    let model = model(&server);
    let done = ask(&model, Request { output, ..question("Which?") }).await.unwrap();
    assert_eq!(done.first_reply(), r#"{"names":["a"]}"#);
    assert!(model.profile().schema != SchemaSupport::None);
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 1, "not refused once");
    let names = &sent[0]["output_config"]["format"]["schema"]["properties"]["names"];
    assert_eq!(names["description"], "Names. (maxItems: 3)");
    assert_eq!(
        sent[0]["output_config"]["format"]["schema"]["properties"]["part"]["anyOf"][0]["properties"]["kind"],
        json!({ "const": "a" })
    );
}

#[tokio::test]
async fn a_reply_is_begun_where_the_model_takes_it_and_ends_at_its_stop() {
    let server = peer(check, vec![writes("```sql\nSELECT 1\n``` and more")]).await;
    let model = |server: &MockServer| {
        let config = with_context(200_000, config(&server.uri()));
        let profile = ModelProfile { prefill: true, ..config.profile.clone() };
        anthropic::create_model(ServerConfig { profile, ..config }).unwrap()
    };
    let request =
        Request { assistant_prefix: "```sql\n".into(), stop: vec!["```".into(), " ".into()], ..question("?") };
    assert_eq!(ask(&model(&server), request.clone()).await.unwrap().first_reply().trim(), "SELECT 1");
    assert_eq!(bodies(&server).await[0]["messages"][1], json!({ "role": "assistant", "content": "```sql" }));

    let newest = peer(check_newest, vec![writes("```sql\nSELECT 1\n```")]).await;
    let model = model(&newest);
    for _ in 0..2 {
        let done = ask(&model, request.clone()).await.unwrap();
        assert_eq!(
            done.first_reply(),
            "SELECT 1\n```",
            "asked to begin so, it repeats the beginning, and stops at no fence"
        );
    }
    let sent = bodies(&newest).await;
    assert_eq!(sent.len(), 4, "what is refused is learned once");
    assert!(sent[3].get("temperature").is_none() && sent[3].get("stop_sequences").is_none());
}

#[tokio::test]
async fn effort_is_a_level_for_newer_models_and_a_budget_for_older_ones() {
    let with_effort = |server: &MockServer, effort| {
        let config = with_context(200_000, config(&server.uri()));
        let profile = ModelProfile { effort: Some(effort), prefill: true, ..config.profile.clone() };
        anthropic::create_model(ServerConfig { profile, ..config }).unwrap()
    };
    let newer = peer(check_newest, vec![writes("SELECT 1")]).await;
    let output = OutputFormat::JsonSchema { name: "a".into(), schema: json!({ "type": "object", "properties": {} }) };
    let request = Request { assistant_prefix: "SELECT".into(), temperature: 0.5, ..question("?") };
    ask(&with_effort(&newer, Effort::High), Request { output, ..request.clone() }).await.unwrap();
    let sent = bodies(&newer).await;
    assert_eq!(sent.len(), 1, "no temperature and no beginning beside thinking");
    assert_eq!(sent[0]["thinking"], json!({ "type": "adaptive" }));
    assert_eq!(
        (&sent[0]["output_config"]["effort"], &sent[0]["output_config"]["format"]["type"]),
        (&json!("high"), &json!("json_schema"))
    );
    assert_eq!(sent[0]["max_tokens"], 512 + 16_384);

    let older = |request: &Received| {
        let body = check(request)?;
        if body["thinking"]["type"] == "adaptive" || body["output_config"].get("effort").is_some() {
            return Err(invalid("adaptive thinking is not supported on this model"));
        }
        let budget = body["thinking"]["budget_tokens"].as_u64();
        if budget.is_some_and(|budget| budget < 1024 || Some(budget) >= body["max_tokens"].as_u64()) {
            return Err(invalid("`max_tokens` must be greater than `thinking.budget_tokens`"));
        }
        if budget.is_some() && (body.get("temperature").is_some() || body["messages"][1].is_object()) {
            return Err(invalid("`temperature` may only be set to 1 when thinking is enabled"));
        }
        Ok(body)
    };
    let server = peer(older, vec![writes("SELECT 1")]).await;
    let model = with_effort(&server, Effort::Low);
    for _ in 0..2 {
        ask(&model, request.clone()).await.unwrap();
    }
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 3, "what is refused is learned once");
    assert_eq!(sent[2]["thinking"], json!({ "type": "enabled", "budget_tokens": 3_584 }));
    ask(&with_effort(&server, Effort::None), request).await.unwrap();
    assert_eq!(bodies(&server).await[3]["thinking"], json!({ "type": "disabled" }));
}

#[tokio::test]
async fn thinking_is_counted_where_the_server_counts_it() {
    let usage = json!({ "output_tokens": 90, "output_tokens_details": { "thinking_tokens": 60 } });
    let end = event(json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": usage }))
        + &event(json!({ "type": "message_stop" }));
    let server = peer(check, vec![always(events(start() + &delta("SELECT 1") + &end))]).await;
    let done = ask(&model(&server), question("?")).await.unwrap();
    assert_eq!((done.usage.completion_tokens, done.usage.reasoning_tokens), (90, 60));
}

#[tokio::test]
async fn samples_are_calls_of_their_own() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let request = Request { samples: 3, first_greedy: true, temperature: 0.5, ..question("?") };
    let done = ask(&model(&server), request).await.unwrap();
    assert_eq!(done.replies, ["SELECT 1"; 3]);
    assert_eq!(done.usage.prompt_tokens, 330);
    let mut temperatures: Vec<f64> =
        bodies(&server).await.iter().map(|body| body["temperature"].as_f64().unwrap()).collect();
    temperatures.sort_by(f64::total_cmp);
    assert_eq!(temperatures, [0.0, 0.5, 0.5]);
}

#[tokio::test]
async fn a_reply_that_is_cut_is_told_apart_from_one_that_is_done() {
    let long: &'static str = Box::leak("word ".repeat(9_000).into_boxed_str());
    let server = peer(check, vec![writes(long)]).await;
    let done = ask(&model(&server), Request { max_tokens: 5, ..question("?") }).await.unwrap();
    assert_eq!(done.reasons, [FinishReason::Length]);
    let full = peer(check, vec![always(events(start() + &delta("SEL") + &end("model_context_window_exceeded")))]).await;
    assert_eq!(ask(&model(&full), question("?")).await.unwrap().reasons, [FinishReason::Length]);
    let refused = peer(check, vec![always(events(start() + &end("refusal")))]).await;
    let error = ask(&model(&refused), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::BadReply { message, .. } if message.contains("refused")), "{error:?}");
}

#[tokio::test]
async fn a_reply_limit_beyond_what_the_model_writes_is_taken_back() {
    let small = |request: &Received| match check(request) {
        Ok(body) if body["max_tokens"].as_u64() > Some(4096) => {
            Err(invalid("max_tokens: 8704 > 4096, which is the maximum allowed number of output tokens for tiny"))
        }
        other => other,
    };
    let server = peer(small, vec![writes("SELECT 1")]).await;
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "SELECT 1");
    assert_eq!(bodies(&server).await[1]["max_tokens"], 512);
}

#[tokio::test]
async fn limits_and_overload_are_waited_for() {
    let limited = refusal(429, "rate_limit_error", "Number of request tokens has exceeded your rate limit");
    let limited = ResponseTemplate::from(limited).insert_header("retry-after", "0.05");
    let overloaded = refusal(529, "overloaded_error", "Overloaded");
    let answers = vec![always(limited), always(overloaded), writes("SELECT 1")];
    let server = peer(check, answers).await;
    let before = Instant::now();
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "SELECT 1");
    assert!(before.elapsed() >= Duration::from_millis(50));

    let overload = event(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }));
    let early = peer(check, vec![always(events(start() + &overload)), writes("SELECT 1")]).await;
    assert_eq!(ask(&model(&early), question("?")).await.unwrap().first_reply(), "SELECT 1", "nothing had been said");
    let late = peer(check, vec![always(events(start() + &delta("SEL") + &overload)), writes("SELECT 1")]).await;
    let error = ask(&model(&late), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 0, message: "Overloaded".into() });
}

#[tokio::test]
async fn errors_are_shown_without_the_key_and_without_tricks() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let wrong = ServerConfig { api_key: Some("sk-ant-another-key".into()), ..config(&server.uri()) };
    let error = ask(&anthropic::create_model(wrong).unwrap(), question("?")).await.unwrap_err();
    assert!(matches!(error, LlmError::Unauthorised { .. }), "{error:?}");

    let poor = invalid("Your credit balance is too low\u{1b}[2J\u{202e}\n to access the API");
    let server = peer(check, vec![always(poor)]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    let message = "Your credit balance is too low [2J  to access the API".to_owned();
    assert_eq!(error, LlmError::Refused { status: 400, message });

    let long = invalid("prompt is too long: 210000 tokens > 200000 maximum");
    let error = ask(&model(&peer(check, vec![always(long)]).await), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::ContextExceeded { needed: 210_000, available: 200_000 });
}

#[tokio::test]
async fn a_stream_that_breaks_is_no_reply() {
    let cut = peer(check, vec![always(events(start() + &delta("SELECT")))]).await;
    let error = ask(&model(&cut), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::Unreachable { message } if message.contains("before the reply was whole")));
    let junk = peer(check, vec![always(events("data: {\"type\": [}\n\n".into()))]).await;
    assert!(matches!(ask(&model(&junk), question("?")).await, Err(LlmError::BadReply { .. })));
}

#[tokio::test]
async fn any_base_address_is_taken() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    for end in ["", "/", "/v1", "/v1/", "/v1/messages"] {
        let config = config(&format!("{}{end}", server.uri()));
        assert_eq!(
            ask(&anthropic::create_model(config).unwrap(), question("?")).await.unwrap().first_reply(),
            "SELECT 1",
            "{end}"
        );
    }
}
