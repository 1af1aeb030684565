//! Gemini's API, against a mock server that rejects the same requests as the real one.

use super::openai::{KEY, ask, config, question, with_context};
use super::strict::{Answer, Refusal, always, bodies, events, peer, schema_fault, unknown, written};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use vitrine_domain::{Effort, ModelProfile, SchemaSupport};
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm::{CallUsage, ChatModel, FinishReason, LlmError, OutputFormat, Request, gemini};
use wiremock::{MockServer, Request as Received};

fn model(server: &MockServer) -> HttpModel {
    gemini::create_model(with_context(1_000_000, config(&server.uri()))).unwrap()
}

fn refusal(code: u16, status: &str, message: &str, details: Value) -> Refusal {
    let error = json!({ "code": code, "message": message, "status": status, "details": details });
    Refusal { status: code, body: json!({ "error": error }) }
}

fn invalid(message: &str) -> Refusal {
    refusal(400, "INVALID_ARGUMENT", message, json!([]))
}

fn no_field(name: &str, at: &str) -> Refusal {
    invalid(&format!("Invalid JSON payload received. Unknown name \"{name}\" at '{at}': Cannot find field."))
}

const FIELDS: [&str; 7] =
    ["contents", "systemInstruction", "generationConfig", "safetySettings", "tools", "toolConfig", "cachedContent"];
const GENERATION: [&str; 13] = [
    "temperature",
    "topP",
    "topK",
    "candidateCount",
    "maxOutputTokens",
    "stopSequences",
    "responseMimeType",
    "responseSchema",
    "responseJsonSchema",
    "responseLogprobs",
    "logprobs",
    "seed",
    "thinkingConfig",
];
const KEYWORDS: [&str; 20] = [
    "$id",
    "$defs",
    "$ref",
    "$anchor",
    "type",
    "format",
    "title",
    "description",
    "enum",
    "items",
    "prefixItems",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "anyOf",
    "oneOf",
    "properties",
    "additionalProperties",
    "required",
];

fn check(request: &Received) -> Result<Value, Refusal> {
    let header = |name: &str| request.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if request.url.path() != "/v1beta/models/tiny:streamGenerateContent" || request.url.query() != Some("alt=sse") {
        return Err(refusal(404, "NOT_FOUND", "models/tiny is not found for API version v1beta", json!([])));
    }
    if header("x-goog-api-key") != KEY || !header("authorization").is_empty() {
        let details = json!([{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID" }]);
        return Err(refusal(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.", details));
    }
    let body: Value = request.body_json().map_err(|_| invalid("Invalid JSON payload received."))?;
    if let Some(field) = unknown(&body, &FIELDS) {
        return Err(no_field(field, ""));
    }
    let generation = &body["generationConfig"];
    if let Some(field) = unknown(generation, &GENERATION) {
        return Err(no_field(field, "generation_config"));
    }
    let contents = body["contents"].as_array().cloned().unwrap_or_default();
    for (index, content) in contents.iter().enumerate() {
        if unknown(content, &["role", "parts"]).is_some() || content["role"] != ["user", "model"][index % 2] {
            return Err(invalid("Please ensure that multiturn requests alternate between user and model."));
        }
        let parts = content["parts"].as_array().cloned().unwrap_or_default();
        if parts.is_empty() || parts.iter().any(|part| part["text"].as_str().is_none_or(str::is_empty)) {
            return Err(invalid("Unable to submit request because it must have a text parameter."));
        }
    }
    if contents.last().is_none_or(|last| last["role"] != "user") {
        return Err(invalid("Please ensure that single turn requests end with a user role."));
    }
    if !generation["maxOutputTokens"].as_u64().is_some_and(|most| (1..=65_536).contains(&most)) {
        return Err(invalid("max_output_tokens must be in the range [1, 65537)."));
    }
    if generation.get("temperature").is_some_and(|t| !t.as_f64().is_some_and(|t| (0.0..=2.0).contains(&t))) {
        return Err(invalid("temperature must be in the range [0.0, 2.0]."));
    }
    if generation.get("seed").is_some_and(|seed| seed.as_i64().is_none_or(|seed| i32::try_from(seed).is_err())) {
        return Err(invalid("Invalid value at 'generation_config.seed' (TYPE_INT32)"));
    }
    if generation["stopSequences"].as_array().is_some_and(|stop| stop.len() > 5) {
        return Err(invalid("The number of stop_sequences must not exceed 5."));
    }
    if let Some(schema) = generation.get("responseJsonSchema") {
        if generation["responseMimeType"] != "application/json" {
            return Err(invalid("response_json_schema needs response_mime_type application/json"));
        }
        if let Some(fault) = schema_fault(schema, &KEYWORDS, false) {
            return Err(invalid(&format!("response_json_schema: {fault}")));
        }
    }
    Ok(body)
}

fn event(data: Value) -> String {
    format!("data: {data}\r\n\r\n")
}

fn candidate(index: u32, text: &str, reason: Option<&str>) -> String {
    let mut candidate = json!({ "content": { "parts": [{ "text": text }], "role": "model" } });
    if index > 0 {
        candidate["index"] = index.into();
    }
    if let Some(reason) = reason {
        candidate["finishReason"] = reason.into();
    }
    event(json!({ "candidates": [candidate], "modelVersion": "tiny", "responseId": "r" }))
}

fn usage() -> String {
    let usage = json!({ "promptTokenCount": 110, "cachedContentTokenCount": 60, "candidatesTokenCount": 5, "thoughtsTokenCount": 4, "totalTokenCount": 119 });
    event(json!({ "usageMetadata": usage, "field_of_tomorrow": 1 }))
}

/// Writes the text like a model, after a thought, once for each candidate.
fn writes(text: &'static str) -> Answer {
    Box::new(move |body| {
        let generation = &body["generationConfig"];
        let limit = generation["maxOutputTokens"].as_u64().unwrap() as usize;
        let (text, why) = written(text, &generation["stopSequences"], limit);
        let thought = json!({ "content": { "parts": [{ "text": "hm", "thought": true }], "role": "model" } });
        let mut stream = event(json!({ "candidates": [thought] }));
        for index in 0..generation["candidateCount"].as_u64().unwrap_or(1) as u32 {
            stream.extend(text.split_inclusive(' ').map(|word| candidate(index, word, None)));
            stream += &candidate(index, "", Some(if why == "length" { "MAX_TOKENS" } else { "STOP" }));
        }
        events(stream + &usage())
    })
}

#[tokio::test]
async fn a_plain_question_is_asked_stable_part_first_and_counted() {
    let server = peer(check, vec![writes("SELECT 1;\nmore")]).await;
    let turns = vec![("SELECT x".into(), "no column x".into()), ("".into(), "again".into())];
    let stop = ["\n", "a", "b", "c", "d", "e"].map(String::from).to_vec();
    let request = Request { turns, temperature: 0.8, top_p: 0.9, seed: u64::MAX, stop, ..question("How many?") };
    let config = with_context(1_000_000, config(&server.uri()));
    let profile = ModelProfile { seeded: true, ..config.profile.clone() };
    let done = ask(&gemini::create_model(ServerConfig { profile, ..config }).unwrap(), request).await.unwrap();
    assert_eq!(done.replies, ["SELECT 1;"]);
    assert_eq!(done.reasons, [FinishReason::Stop]);
    assert_eq!(
        done.usage,
        CallUsage {
            prompt_tokens: 110,
            cached_prompt_tokens: 60,
            completion_tokens: 9,
            reasoning_tokens: 4,
            ..CallUsage::default()
        }
    );
    let received = &server.received_requests().await.unwrap()[0];
    assert!(!received.url.as_str().contains(KEY), "the key is in its header alone");
    insta::assert_snapshot!(String::from_utf8_lossy(&received.body), @r#"{"systemInstruction":{"parts":[{"text":"You write SQL."}]},"contents":[{"role":"user","parts":[{"text":"CREATE TABLE t (a);\nHow many?"}]},{"role":"model","parts":[{"text":"SELECT x"}]},{"role":"user","parts":[{"text":"no column x"}]},{"role":"model","parts":[{"text":"(empty)"}]},{"role":"user","parts":[{"text":"again"}]}],"generationConfig":{"temperature":0.8,"topP":0.9,"seed":2147483647,"maxOutputTokens":8704,"stopSequences":["\n","a","b","c","d"]}}"#);
}

#[tokio::test]
async fn a_seed_stops_and_probabilities_are_sent_where_the_profile_has_them_and_not_where_it_has_not() {
    let with = ModelProfile { seeded: true, stop: true, token_probabilities: true, ..ModelProfile::default() };
    let without = ModelProfile { seeded: false, stop: false, token_probabilities: false, ..with.clone() };
    for (profile, sends) in [(with, true), (without, false)] {
        let server = peer(check, vec![writes("SELECT 1")]).await;
        let config = ServerConfig { profile, ..config(&server.uri()) };
        let request = Request { stop: vec![";".into()], seed: 7, ..question("?") };
        ask(&gemini::create_model(config).unwrap(), request).await.unwrap();
        let sent = &bodies(&server).await[0]["generationConfig"];
        for field in ["seed", "stopSequences", "responseLogprobs"] {
            assert_eq!(sent.get(field).is_some(), sends, "{field}");
        }
    }
}

#[tokio::test]
async fn how_likely_its_words_are_is_asked_for_and_read() {
    let chosen = json!([{ "token": "SELECT", "tokenId": 3, "logProbability": -0.5 }, { "token": " 1", "tokenId": 4, "logProbability": -2.0 }]);
    let said = json!({
        "content": { "parts": [{ "text": "SELECT 1" }], "role": "model" },
        "finishReason": "STOP",
        "avgLogprobs": -1.25,
        "logprobsResult": { "topCandidates": [], "chosenCandidates": chosen, "logProbabilitySum": -2.5 },
    });
    let server = peer(check, vec![always(events(event(json!({ "candidates": [said] })) + &usage()))]).await;
    let telling = ModelProfile { token_probabilities: true, context_tokens: 1_000_000, ..ModelProfile::default() };
    let config = |server: &MockServer| ServerConfig { profile: telling.clone(), ..config(&server.uri()) };
    let done = ask(&gemini::create_model(config(&server)).unwrap(), question("?")).await.unwrap();
    let probability = done.probabilities[0].clone().unwrap();
    assert_eq!((done.first_reply(), probability.tokens, probability.sum), ("SELECT 1", 2, -2.5));

    // Most models do not return log probabilities.
    let silent = |request: &Received| match check(request)?["generationConfig"].get("responseLogprobs") {
        Some(_) => Err(invalid("Logprobs is not enabled for models/tiny")),
        None => check(request),
    };
    let server = peer(silent, vec![writes("SELECT 1")]).await;
    let model = gemini::create_model(config(&server)).unwrap();
    for _ in 0..2 {
        assert_eq!(ask(&model, question("?")).await.unwrap().probabilities, [None]);
    }
    assert_eq!(bodies(&server).await.len(), 3, "what is refused is learned once");
    assert!(!model.profile().token_probabilities);
}

#[tokio::test]
async fn a_schema_is_sent_in_the_subset_that_is_taken() {
    let server = peer(check, vec![writes(r#"{"kind":"a"}"#)]).await;
    let properties =
        json!({ "kind": { "const": "a" }, "pattern": { "type": "string", "pattern": "^a", "maxLength": 3 } });
    let schema =
        json!({ "type": "object", "properties": properties, "required": ["kind"], "additionalProperties": false });
    let output = OutputFormat::JsonSchema { name: "kind".into(), schema };
    let model = model(&server);
    let done = ask(&model, Request { output, ..question("Which?") }).await.unwrap();
    assert_eq!(done.first_reply(), r#"{"kind":"a"}"#);
    assert!(model.profile().schema != SchemaSupport::None);
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 1, "not refused once");
    let properties = &sent[0]["generationConfig"]["responseJsonSchema"]["properties"];
    assert_eq!(properties["kind"], json!({ "enum": ["a"] }));
    assert_eq!(properties["pattern"]["description"], "(pattern: \"^a\", maxLength: 3)");
}

#[tokio::test]
async fn effort_is_a_level_for_newer_models_and_a_budget_for_older_ones() {
    let with_effort = |server: &MockServer, effort| {
        let config = with_context(1_000_000, config(&server.uri()));
        let profile = ModelProfile { effort: Some(effort), ..config.profile.clone() };
        gemini::create_model(ServerConfig { profile, ..config }).unwrap()
    };
    let newer = peer(check, vec![writes("SELECT 1")]).await;
    ask(&with_effort(&newer, Effort::Max), question("?")).await.unwrap();
    ask(&with_effort(&newer, Effort::None), question("?")).await.unwrap();
    let sent = bodies(&newer).await;
    assert_eq!(
        sent[0]["generationConfig"]["thinkingConfig"],
        json!({ "thinkingLevel": "high" }),
        "there is none above"
    );
    assert_eq!(sent[1]["generationConfig"]["thinkingConfig"], json!({ "thinkingBudget": 0 }));

    let older = |request: &Received| match check(request) {
        Ok(body) if body["generationConfig"]["thinkingConfig"].get("thinkingLevel").is_some() => {
            Err(invalid("Thinking level is not supported for this model."))
        }
        other => other,
    };
    let server = peer(older, vec![writes("SELECT 1")]).await;
    let model = with_effort(&server, Effort::Low);
    for _ in 0..2 {
        ask(&model, question("?")).await.unwrap();
    }
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 3, "what is refused is learned once");
    assert_eq!(sent[2]["generationConfig"]["thinkingConfig"], json!({ "thinkingBudget": 4_096 }));
}

#[tokio::test]
async fn samples_are_one_call_where_the_model_takes_it() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let request = Request { samples: 3, temperature: 0.5, ..question("?") };
    assert_eq!(ask(&model(&server), request.clone()).await.unwrap().replies, ["SELECT 1"; 3]);
    assert_eq!(bodies(&server).await.len(), 1);

    let single = |request: &Received| match check(request) {
        Ok(body) if body["generationConfig"].get("candidateCount").is_some() => {
            Err(invalid("Multiple candidates is not enabled for this model"))
        }
        other => other,
    };
    let server = peer(single, vec![writes("SELECT 1")]).await;
    assert_eq!(ask(&model(&server), request).await.unwrap().replies, ["SELECT 1"; 3]);
}

#[tokio::test]
async fn a_reply_that_is_asked_to_begin_with_a_fence_does_not_stop_there() {
    let server = peer(check, vec![writes("```sql\nSELECT 1\n```")]).await;
    let request = Request { assistant_prefix: "```sql\n".into(), stop: vec!["```".into()], ..question("?") };
    assert_eq!(ask(&model(&server), request).await.unwrap().first_reply(), "SELECT 1\n```");
}

#[tokio::test]
async fn a_reply_that_is_cut_is_told_apart_from_one_that_is_done() {
    let long: &'static str = Box::leak("word ".repeat(9_000).into_boxed_str());
    let server = peer(check, vec![writes(long)]).await;
    let done = ask(&model(&server), Request { max_tokens: 5, ..question("?") }).await.unwrap();
    assert_eq!(done.reasons, [FinishReason::Length]);
    for (answer, said) in [
        (candidate(0, "SEL", Some("SAFETY")), "stopped the reply: SAFETY"),
        (event(json!({ "promptFeedback": { "blockReason": "PROHIBITED_CONTENT" } })), "the prompt: PROHIBITED_CONTENT"),
    ] {
        let server = peer(check, vec![always(events(answer))]).await;
        let error = ask(&model(&server), question("?")).await.unwrap_err();
        assert!(matches!(&error, LlmError::BadReply { message, .. } if message.ends_with(said)), "{error:?}");
    }
}

#[tokio::test]
async fn limits_and_overload_are_waited_for() {
    let wait = |delay: &str| json!([{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": delay }]);
    let limited =
        |delay: &str| always(refusal(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", wait(delay)));
    let busy = always(refusal(503, "UNAVAILABLE", "The model is overloaded.", json!([])));
    let server = peer(check, vec![limited("0.05s"), busy, writes("SELECT 1")]).await;
    let before = Instant::now();
    assert_eq!(ask(&model(&server), question("?")).await.unwrap().first_reply(), "SELECT 1");
    assert!(before.elapsed() >= Duration::from_millis(50));
    let server = peer(check, vec![limited("3600s")]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::RateLimited { retry_after: Some(Duration::from_secs(3600)) });
}

#[tokio::test]
async fn errors_say_what_the_server_said() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    let wrong = ServerConfig { api_key: Some("AIza-another-key".into()), ..config(&server.uri()) };
    let error = ask(&gemini::create_model(wrong).unwrap(), question("?")).await.unwrap_err();
    assert!(matches!(error, LlmError::Unauthorised { .. }), "{error:?}");
    assert_eq!(bodies(&server).await.len(), 1);

    let long = "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).";
    let server = peer(check, vec![always(invalid(long))]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::ContextExceeded { needed: 1_200_000, available: 1_048_576 });

    let error = event(json!({ "error": { "code": 500, "message": "internal", "status": "INTERNAL" } }));
    let server = peer(check, vec![always(events(candidate(0, "SEL", None) + &error))]).await;
    let error = ask(&model(&server), question("?")).await.unwrap_err();
    assert_eq!(error, LlmError::Refused { status: 0, message: "internal".into() });
}

#[tokio::test]
async fn a_stream_that_breaks_is_no_reply() {
    let cut = peer(check, vec![always(events(candidate(0, "SELECT", None)))]).await;
    let error = ask(&model(&cut), question("?")).await.unwrap_err();
    assert!(matches!(&error, LlmError::Unreachable { message } if message.contains("before the reply was whole")));
    let junk = peer(check, vec![always(events("data: {\"candidates\": [}\n\n".into()))]).await;
    assert!(matches!(ask(&model(&junk), question("?")).await, Err(LlmError::BadReply { .. })));
}

#[tokio::test]
async fn any_base_address_is_taken_but_for_one_with_a_key() {
    let server = peer(check, vec![writes("SELECT 1")]).await;
    for end in ["", "/", "/v1beta", "/v1beta/models/"] {
        let config = ServerConfig { model: "models/tiny".into(), ..config(&format!("{}{end}", server.uri())) };
        assert_eq!(
            ask(&gemini::create_model(config).unwrap(), question("?")).await.unwrap().first_reply(),
            "SELECT 1",
            "{end}"
        );
    }
    let error = gemini::create_model(config("https://host/v1beta?key=AIza-secret")).unwrap_err().to_string();
    assert!(error.contains("by itself") && !error.contains("AIza"), "{error}");
}
