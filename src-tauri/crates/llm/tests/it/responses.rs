//! OpenAI's Responses API, against a mock server that rejects the same requests as the real one.

use super::openai::{KEY, ask, config, question};
use super::strict::{Answer, Refusal, always, bodies, events, peer, unknown, written};
use serde_json::{Value, json};
use vitrine_domain::{Effort, Endpoint, ModelProfile, SchemaSupport};
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, OutputFormat, Request};
use vitrine_test_servers::openai_schema::openai_schema_fault;
use wiremock::{MockServer, Request as Received, ResponseTemplate};

fn profile() -> ModelProfile {
    let schema = SchemaSupport::Strict;
    ModelProfile { endpoint: Endpoint::Responses, schema, reply_tokens: 16_000, ..ModelProfile::default() }
}

fn model(server: &MockServer) -> HttpModel {
    model_with(server, profile())
}

fn model_with(server: &MockServer, profile: ModelProfile) -> HttpModel {
    openai::create_model(OpenAiKind::OpenAi, ServerConfig { profile, ..config(&server.uri()) }).unwrap()
}

fn refusal(status: u16, param: &str, message: &str) -> Refusal {
    let error = json!({ "message": message, "type": "invalid_request_error", "param": param, "code": null });
    Refusal { status, body: json!({ "error": error }) }
}

const FIELDS: [&str; 25] = [
    "background",
    "conversation",
    "include",
    "input",
    "instructions",
    "max_output_tokens",
    "max_tool_calls",
    "metadata",
    "model",
    "parallel_tool_calls",
    "previous_response_id",
    "prompt",
    "prompt_cache_key",
    "reasoning",
    "safety_identifier",
    "service_tier",
    "store",
    "stream",
    "stream_options",
    "temperature",
    "text",
    "tool_choice",
    "tools",
    "top_p",
    "truncation",
];

fn check(request: &Received) -> Result<Value, Refusal> {
    let header = |name: &str| request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if request.url.path() != "/v1/responses" {
        return Err(refusal(404, "", "Invalid URL"));
    }
    if header("authorization") != format!("Bearer {KEY}") {
        return Err(refusal(401, "", "Incorrect API key provided"));
    }
    let body: Value = request.body_json().map_err(|_| refusal(400, "", "We could not parse the JSON body"))?;
    if let Some(field) = unknown(&body, &FIELDS) {
        return Err(refusal(400, field, &format!("Unknown parameter: '{field}'.")));
    }
    if body["max_output_tokens"].as_u64().is_none_or(|limit| !(16..=128_000).contains(&limit)) {
        let message = "Invalid 'max_output_tokens': integer out of range. Expected a value between 16 and 128000.";
        return Err(refusal(400, "max_output_tokens", message));
    }
    for message in body["input"].as_array().into_iter().flatten() {
        if unknown(message, &["type", "role", "content"]).is_some() || !message["content"].is_string() {
            return Err(refusal(400, "input", "Invalid type for 'input[0]'."));
        }
    }
    if unknown(&body["reasoning"], &["effort", "summary"]).is_some() {
        return Err(refusal(400, "reasoning", "Unknown parameter: 'reasoning'."));
    }
    for asked in body["include"].as_array().into_iter().flatten() {
        if asked != "message.output_text.logprobs" {
            return Err(refusal(400, "include[0]", "Invalid value for 'include[0]'."));
        }
    }
    let format = &body["text"]["format"];
    if format.is_object() {
        if unknown(format, &["type", "name", "description", "strict", "schema"]).is_some() {
            return Err(refusal(400, "text.format", "Unknown parameter: 'text.format'."));
        }
        if format["strict"] == true
            && let Some(fault) = openai_schema_fault(&format["schema"])
        {
            return Err(refusal(400, "text.format.schema", &format!("Invalid schema for response_format: {fault}")));
        }
    }
    Ok(body)
}

/// Checks requests like a server of reasoning models, which accept no temperature.
fn check_reasoning(request: &Received) -> Result<Value, Refusal> {
    let body = check(request)?;
    if body.get("temperature").is_some() || body.get("top_p").is_some() {
        let message = "Unsupported parameter: 'temperature' is not supported with this model.";
        return Err(refusal(400, "temperature", message));
    }
    if body.get("include").is_some() {
        return Err(refusal(400, "include", "logprobs are not supported with reasoning models."));
    }
    if body["reasoning"]["effort"].as_str().is_some_and(|effort| !["low", "medium", "high"].contains(&effort)) {
        return Err(refusal(400, "reasoning.effort", "Unsupported value: 'reasoning.effort' is not supported."));
    }
    Ok(body)
}

fn event(data: Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

fn start() -> String {
    let response =
        json!({ "id": "resp_1", "object": "response", "status": "in_progress", "output": [], "usage": null });
    event(json!({ "type": "response.created", "sequence_number": 0, "response": response }))
        + &event(
            json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "reasoning", "summary": [] } }),
        )
        + &event(json!({ "type": "response.reasoning_summary_text.delta", "output_index": 0, "delta": "hm" }))
        + &event(
            json!({ "type": "response.output_item.added", "output_index": 1, "item": { "type": "message", "role": "assistant", "content": [] } }),
        )
        + &event(
            json!({ "type": "response.content_part.added", "output_index": 1, "content_index": 0, "part": { "type": "output_text", "text": "" } }),
        )
}

fn delta(text: &str) -> String {
    event(json!({ "type": "response.output_text.delta", "output_index": 1, "content_index": 0, "delta": text }))
}

fn end(status: &str, reason: Option<&str>) -> String {
    let usage = json!({
        "input_tokens": 100, "input_tokens_details": { "cached_tokens": 60 },
        "output_tokens": 30, "output_tokens_details": { "reasoning_tokens": 25 }, "total_tokens": 130,
    });
    let details = reason.map(|reason| json!({ "reason": reason }));
    let error = (status == "failed").then(|| json!({ "code": "server_error", "message": "The server had an error" }));
    let response = json!({ "id": "resp_1", "object": "response", "status": status, "incomplete_details": details, "error": error, "output": [], "usage": usage });
    event(json!({ "type": format!("response.{status}"), "response": response }))
}

/// Writes the text like a model, up to the limit.
fn writes(text: &'static str) -> Answer {
    Box::new(move |body| {
        let (text, why) = written(text, &Value::Null, body["max_output_tokens"].as_u64().unwrap() as usize);
        let last = match why {
            "length" => end("incomplete", Some("max_output_tokens")),
            _ => end("completed", None),
        };
        events(start() + &text.split_inclusive(' ').map(delta).collect::<String>() + &last)
    })
}

#[tokio::test]
async fn a_question_is_asked_without_being_kept_and_its_reasoning_is_counted() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let turns = vec![("SELECT x".into(), "no column x".into())];
    let request = Request { turns, temperature: 0.5, stop: vec![";".into()], seed: 3, ..question("How many?") };
    let done = ask(&model(&server), request).await.unwrap();
    assert_eq!((done.first_reply(), done.reasons.as_slice()), ("SELECT 1", [FinishReason::Stop].as_slice()));
    let usage = CallUsage {
        prompt_tokens: 100,
        cached_prompt_tokens: 60,
        completion_tokens: 30,
        reasoning_tokens: 25,
        ..CallUsage::default()
    };
    assert_eq!(done.usage, usage);
    let received = &server.received_requests().await.unwrap()[0];
    insta::assert_snapshot!(String::from_utf8_lossy(&received.body), @r#"{"model":"tiny","instructions":"You write SQL.","input":[{"role":"user","content":"CREATE TABLE t (a);\nHow many?"},{"role":"assistant","content":"SELECT x"},{"role":"user","content":"no column x"}],"stream":true,"store":false,"temperature":0.5,"max_output_tokens":8704}"#);
}

#[tokio::test]
async fn a_schema_is_made_strict_and_a_model_that_reasons_is_not_told_a_temperature() {
    let server = peer(check_reasoning, vec![writes(r#"{"sql":"SELECT 1","note":null}"#)]).await;
    let schema = json!({
        "type": "object",
        "properties": { "sql": { "type": "string", "maxLength": 90 }, "note": { "enum": ["a", "b"] } },
        "required": ["sql"],
    });
    let output = OutputFormat::JsonSchema { name: "final sql".into(), schema };
    let model = model(&server);
    for _ in 0..2 {
        ask(&model, Request { output: output.clone(), ..question("?") }).await.unwrap();
    }
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 3, "what is refused is learned once");
    let format = &sent[2]["text"]["format"];
    assert_eq!((&format["strict"], &format["name"]), (&json!(true), &json!("final_sql")));
    assert_eq!(format["schema"]["required"], json!(["sql", "note"]));
}

#[tokio::test]
async fn a_schema_is_sent_as_it_is_where_the_profile_says_that_it_need_not_be_strict() {
    let schema =
        json!({ "type": "object", "properties": { "sql": { "type": "string" }, "note": {} }, "required": ["sql"] });
    let output = OutputFormat::JsonSchema { name: "a".into(), schema: schema.clone() };
    for (support, sent) in [(SchemaSupport::Lenient, Some(false)), (SchemaSupport::None, None)] {
        let server = peer(check, vec![writes(r#"{"sql":"SELECT 1"}"#)]).await;
        let model = model_with(&server, ModelProfile { schema: support, ..profile() });
        ask(&model, Request { output: output.clone(), ..question("?") }).await.unwrap();
        let body = &bodies(&server).await[0];
        assert_eq!(body["text"]["format"]["strict"].as_bool(), sent);
        assert!(sent.is_none() || body["text"]["format"]["schema"] == schema);
    }
}

#[tokio::test]
async fn a_reply_that_is_cut_refused_or_broken_off_is_told_apart() {
    let long: &'static str = Box::leak("word ".repeat(9_000).into_boxed_str());
    let cut = peer(check, vec![writes(long)]).await;
    let done = ask(&model(&cut), Request { max_tokens: 100, ..question("?") }).await.unwrap();
    assert_eq!(done.reasons, [FinishReason::Length]);

    let declines = event(json!({ "type": "response.refusal.delta", "delta": "I cannot do that." }));
    let refused = peer(check, vec![always(events(start() + &declines + &end("completed", None)))]).await;
    let error = ask(&model(&refused), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::BadReply { message, .. } if message.contains("I cannot do that")), "{error:?}");

    let filtered = peer(check, vec![always(events(start() + &end("incomplete", Some("content_filter"))))]).await;
    let error = ask(&model(&filtered), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::BadReply { message, .. } if message.contains("filter")), "{error:?}");

    let once = peer(check, vec![always(events(start() + &end("failed", None))), writes("SELECT 1")]).await;
    assert_eq!(ask(&model(&once), question("?")).await.unwrap().first_reply(), "SELECT 1", "nothing had been said");
    let broken = event(json!({ "type": "error", "code": "server_error", "message": "out of memory", "param": null }));
    let late = peer(check, vec![always(events(start() + &delta("SEL") + &broken)), writes("SELECT 1")]).await;
    let error = ask(&model(&late), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 0, message: "out of memory".into() });
}

#[tokio::test]
async fn effort_is_asked_for_and_given_up_where_it_is_refused() {
    let server = peer(check_reasoning, vec![writes("SELECT 1")]).await;
    ask(&model_with(&server, ModelProfile { effort: Some(Effort::High), ..profile() }), question("?")).await.unwrap();
    let sent = bodies(&server).await.pop().unwrap();
    assert_eq!(sent["reasoning"], json!({ "effort": "high" }));
    assert_eq!(sent["max_output_tokens"], 16_000, "with room for it, as far as the model writes");
    let model = model_with(&server, ModelProfile { effort: Some(Effort::Max), ..profile() });
    ask(&model, question("?")).await.unwrap();
    assert!(bodies(&server).await.pop().unwrap().get("reasoning").is_none());
}

fn telling() -> ModelProfile {
    ModelProfile { token_probabilities: true, ..profile() }
}

#[tokio::test]
async fn how_likely_its_words_are_is_asked_for_and_read() {
    let token = |text: &str, logprob: f64| {
        let told = json!([{ "token": text, "logprob": logprob, "top_logprobs": [] }]);
        event(json!({ "type": "response.output_text.delta", "delta": text, "logprobs": told }))
    };
    let body = start() + &token("SELECT", -0.5) + &token(" 1", -2.0) + &end("completed", None);
    let server = peer(check, vec![always(events(body))]).await;
    let done = ask(&model_with(&server, telling()), question("?")).await.unwrap();
    let probability = done.probabilities[0].clone().unwrap();
    assert_eq!((done.first_reply(), probability.tokens, probability.sum), ("SELECT 1", 2, -2.5));
    assert_eq!(bodies(&server).await[0]["include"], json!(["message.output_text.logprobs"]));

    let output = OutputFormat::JsonSchema { name: "a".into(), schema: json!({ "type": "object", "properties": {} }) };
    ask(&model_with(&server, telling()), Request { output, ..question("?") }).await.unwrap();
    ask(&model(&server), question("?")).await.unwrap();
    let sent = bodies(&server).await;
    assert!(sent[1..].iter().all(|body| body.get("include").is_none()), "not of JSON, nor of a model that tells none");
}

#[tokio::test]
async fn a_model_that_reasons_loses_its_probabilities_and_keeps_its_effort() {
    let server = peer(check_reasoning, vec![writes("SELECT 1")]).await;
    let model = model_with(&server, ModelProfile { effort: Some(Effort::High), ..telling() });
    assert_eq!(ask(&model, question("?")).await.unwrap().probabilities, [None]);
    let sent = bodies(&server).await.pop().unwrap();
    assert_eq!((sent.get("include"), &sent["reasoning"]["effort"]), (None, &json!("high")));
    assert!(!model.profile().token_probabilities);
}

#[tokio::test]
async fn samples_are_calls_of_their_own_and_a_server_that_does_not_stream_is_read_all_the_same() {
    let output = json!([
        { "type": "reasoning", "summary": [] },
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "SELECT 1", "annotations": [] }] },
    ]);
    let whole = json!({ "id": "resp_1", "object": "response", "status": "completed", "output": output, "usage": null });
    let server = peer(check, vec![always(ResponseTemplate::new(200).set_body_json(whole))]).await;
    let request = Request { samples: 3, temperature: 0.5, ..question("?") };
    assert_eq!(ask(&model(&server), request).await.unwrap().replies, ["SELECT 1"; 3]);
    assert_eq!(bodies(&server).await.len(), 3);
}

#[tokio::test]
async fn azure_has_one_path_for_all_deployments() {
    let azure = |body: &Received| match body.url.path() {
        "/openai/v1/responses" if body.headers.get("api-key").is_some() && body.url.query().is_none() => {
            Ok(body.body_json().unwrap())
        }
        _ => Err(refusal(404, "", "Resource not found")),
    };
    let server = peer(azure, vec![writes("SELECT 1")]).await;
    for end in [
        "",
        "/openai/v1",
        "/openai/deployments/gpt-x",
        "/openai/deployments/gpt-x/chat/completions?api-version=2024-10-21",
    ] {
        let base_url = format!("{}{end}", server.uri());
        let config = ServerConfig { model: "gpt-x".into(), profile: profile(), ..config(&base_url) };
        let model = openai::create_model(OpenAiKind::Azure, config).unwrap();
        assert_eq!(ask(&model, question("?")).await.unwrap().first_reply(), "SELECT 1", "{end}");
    }
}
