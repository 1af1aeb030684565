//! OpenAI's chat completions and probes of models, against a mock server that rejects the same requests as the real
//! one.

use super::openai::{KEY, ask, config, question};
use super::strict::{Answer, Refusal, bodies, events, peer, unknown, written};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use vitrine_domain::{Caching, Effort, ModelProfile, Reasoning, SchemaSupport};
use vitrine_llm::families::find_declared_facts;
use vitrine_llm::http::{HttpModel, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::probe::{Probe, probe_remote};
use vitrine_llm::{CallUsage, ChatModel, LlmError, OutputFormat, Request};
use vitrine_test_servers::openai_schema::openai_schema_fault;
use wiremock::{MockServer, Request as Received, ResponseTemplate};

fn refusal(param: &str, message: &str) -> Refusal {
    let error = json!({ "message": message, "type": "invalid_request_error", "param": param, "code": null });
    Refusal { status: 400, body: json!({ "error": error }) }
}

const FIELDS: [&str; 18] = [
    "model",
    "messages",
    "stream",
    "stream_options",
    "n",
    "temperature",
    "top_p",
    "seed",
    "max_tokens",
    "max_completion_tokens",
    "stop",
    "response_format",
    "reasoning_effort",
    "logprobs",
    "top_logprobs",
    "store",
    "prompt_cache_key",
    "service_tier",
];

fn check(request: &Received) -> Result<Value, Refusal> {
    let body = check_loosely(request)?;
    let schema = &body["response_format"]["json_schema"];
    if schema["strict"] == true
        && let Some(fault) = openai_schema_fault(&schema["schema"])
    {
        return Err(refusal("response_format", &format!("Invalid schema for response_format: {fault}")));
    }
    Ok(body)
}

/// Checks requests like a server that is compatible with OpenAI and accepts any schema.
fn check_loosely(request: &Received) -> Result<Value, Refusal> {
    let key = request.headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
    if key != format!("Bearer {KEY}") {
        return Err(Refusal { status: 401, body: json!({ "error": { "message": "Incorrect API key" } }) });
    }
    let body: Value =
        request.body_json().map_err(|_| refusal("", "We could not parse the JSON body of your request."))?;
    if let Some(field) = unknown(&body, &FIELDS) {
        return Err(refusal(field, &format!("Unknown parameter: '{field}'.")));
    }
    if body["stop"].as_array().is_some_and(|stop| stop.len() > 4) {
        return Err(refusal("stop", "Invalid 'stop': array too long. Expected an array with maximum length 4."));
    }
    if let Some(format) = body.get("response_format") {
        let schema = &format["json_schema"];
        if unknown(format, &["type", "json_schema"])
            .or(unknown(schema, &["name", "strict", "schema", "description"]))
            .is_some()
        {
            return Err(refusal("response_format", "Unknown parameter in 'response_format'."));
        }
    }
    Ok(body)
}

/// Checks requests like a server of reasoning models: it rejects temperature, stop texts, the old name of the limit,
/// limits above its own, and, with the status of a bad key, token probabilities.
fn check_reasoning(request: &Received) -> Result<Value, Refusal> {
    let body = check(request)?;
    if body.get("max_tokens").is_some() {
        let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        return Err(refusal("max_tokens", message));
    }
    if let Some(asked) = body["max_completion_tokens"].as_u64().filter(|asked| *asked > 16_000) {
        let message = format!(
            "max_tokens is too large: {asked}. This model supports at most 16000 completion tokens, whereas you provided {asked}."
        );
        return Err(refusal("max_tokens", &message));
    }
    if body.get("temperature").is_some_and(|temperature| *temperature != 1.0) {
        let message = "Unsupported value: 'temperature' does not support 0.0 with this model. Only the default (1) value is supported.";
        return Err(refusal("temperature", message));
    }
    if let Some(effort) = body["reasoning_effort"].as_str()
        && !["low", "medium", "high"].contains(&effort)
    {
        let message = format!("Unsupported value: 'reasoning_effort' does not support '{effort}' with this model.");
        return Err(refusal("reasoning_effort", &message));
    }
    if body.get("stop").is_some() {
        return Err(refusal("stop", "Unsupported parameter: 'stop' is not supported with this model."));
    }
    if body.get("logprobs").is_some() {
        let message = "You are not allowed to request logprobs from this model";
        let error = json!({ "message": message, "type": "invalid_request_error", "param": null, "code": null });
        return Err(Refusal { status: 403, body: json!({ "error": error }) });
    }
    Ok(body)
}

fn stream(texts: &[String], reason: &str, reasoned: u32) -> ResponseTemplate {
    let mut body = String::new();
    let mut chunk = |value: Value| body.push_str(&format!("data: {value}\n\n"));
    for (index, text) in texts.iter().enumerate() {
        chunk(json!({ "choices": [{ "index": index, "delta": { "content": text }, "finish_reason": null }] }));
        chunk(json!({ "choices": [{ "index": index, "delta": {}, "finish_reason": reason }] }));
    }
    let details = json!({ "reasoning_tokens": reasoned });
    chunk(
        json!({ "choices": [], "usage": { "prompt_tokens": 50, "completion_tokens": 90, "completion_tokens_details": details } }),
    );
    body.push_str("data: [DONE]\n\n");
    events(body)
}

/// Replies like a model that is probed; `reasoned` tokens of thinking precede each reply.
fn replies(reasoned: u32, holds: fn(&Value) -> bool, seeded: bool) -> Answer {
    Box::new(move |body| {
        let asked = body["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned();
        let text = match asked.as_str() {
            asked if asked.contains("17 by 23") => "391".to_owned(),
            asked if asked.contains("1 to 9") => "1 2 3 4 5 6 7 8 9".to_owned(),
            asked if asked.contains("random words") && seeded => format!("words by {}", body["seed"]),
            asked if asked.contains("random words") => format!("words by {:?}", std::time::Instant::now()),
            _ if body.get("response_format").is_some() && holds(body) => {
                r#"{"colour":"violet-7","note":null}"#.to_owned()
            }
            asked if asked.contains("JSON") => r#"{"colour":"white","note":"most"}"#.to_owned(),
            _ => "some words".to_owned(),
        };
        let limit = body["max_tokens"].as_u64().or(body["max_completion_tokens"].as_u64()).unwrap() as usize;
        let (text, why) = written(&text, &body["stop"], limit);
        let samples = body["n"].as_u64().unwrap_or(1) as usize;
        stream(&vec![text; samples], if why == "length" { "length" } else { "stop" }, reasoned)
    })
}

fn model(server: &MockServer, kind: OpenAiKind, profile: ModelProfile) -> HttpModel {
    openai::create_model(kind, ServerConfig { profile, ..config(&server.uri()) }).unwrap()
}

fn json_of(schema: Value) -> OutputFormat {
    OutputFormat::JsonSchema { name: "answer".into(), schema }
}

#[tokio::test]
async fn a_model_that_reasons_gets_room_and_effort_and_a_strict_schema_at_once() {
    let server = peer(check_reasoning, vec![replies(40, |_| true, false)]).await;
    let profile = ModelProfile {
        reasoning: Reasoning::Hidden,
        effort: Some(Effort::Low),
        schema: SchemaSupport::Strict,
        stop: false,
        reply_tokens: 16_000,
        ..ModelProfile::default()
    };
    let model = model(&server, OpenAiKind::OpenAi, profile);
    let schema = json!({ "type": "object", "properties": { "colour": { "type": "string" }, "note": { "type": "string" } }, "required": ["colour"] });
    let request = Request { output: json_of(schema), stop: vec![";".into()], ..question("Which?") };
    let done = ask(&model, request.clone()).await.unwrap();
    let usage = CallUsage {
        prompt_tokens: 50,
        cached_prompt_tokens: 0,
        completion_tokens: 90,
        reasoning_tokens: 40,
        ..CallUsage::default()
    };
    assert_eq!(done.usage, usage);
    ask(&model, request).await.unwrap();
    let sent = bodies(&server).await;
    assert_eq!(sent.len(), 3, "the temperature was refused once, and nothing else");
    assert_eq!((&sent[2]["reasoning_effort"], &sent[2]["max_completion_tokens"]), (&json!("low"), &json!(4_608)));
    let format = &sent[2]["response_format"]["json_schema"];
    assert_eq!((&format["strict"], &format["schema"]["required"]), (&json!(true), &json!(["colour", "note"])));
}

#[tokio::test]
async fn models_that_reason_answer_as_they_are_declared_and_where_they_are_thought_to_tell_probabilities() {
    for name in ["gpt-5", "gpt-5-mini-2025-08-07", "o4-mini", "o3"] {
        let server = peer(check_reasoning, vec![replies(40, |_| true, false)]).await;
        let declared = ModelProfile::default().with(&find_declared_facts("openai", name));
        let done = ask(&model(&server, OpenAiKind::OpenAi, declared.clone()), question("Which?")).await.unwrap();
        assert_eq!(done.first_reply(), "some words", "{name}");
        assert!(
            bodies(&server).await.iter().all(|body| body.get("logprobs").is_none()),
            "{name} is not asked for them"
        );

        let server = peer(check_reasoning, vec![replies(40, |_| true, false)]).await;
        let wrong = ModelProfile { token_probabilities: true, ..declared };
        let model = model(&server, OpenAiKind::OpenAi, wrong);
        for _ in 0..2 {
            assert_eq!(ask(&model, question("Which?")).await.unwrap().first_reply(), "some words", "{name}");
        }
        assert!(!model.profile().token_probabilities);
        assert!(bodies(&server).await.last().unwrap().get("logprobs").is_none(), "{name}: learned");
    }
}

#[tokio::test]
async fn a_limit_above_what_the_model_writes_is_taken_back() {
    let server = peer(check_reasoning, vec![replies(0, |_| true, false)]).await;
    let profile = ModelProfile {
        reasoning: Reasoning::Hidden,
        effort: Some(Effort::High),
        reply_tokens: 100_000,
        context_tokens: 400_000,
        ..ModelProfile::default()
    };
    let model = model(&server, OpenAiKind::OpenAi, profile);
    ask(&model, Request { max_tokens: 1_000, ..question("?") }).await.unwrap();
    let last = bodies(&server).await.pop().unwrap();
    assert_eq!(last["max_completion_tokens"], 1_000);
    assert_eq!(last["reasoning_effort"], "high", "it was not put down to the effort");
}

#[tokio::test]
async fn a_schema_that_has_no_strict_form_is_sent_leniently_and_one_that_is_too_large_costs_no_other_its_own() {
    let server = peer(check, vec![replies(0, |_| true, false)]).await;
    let profile = ModelProfile { schema: SchemaSupport::Strict, ..ModelProfile::default() };
    let strict = model(&server, OpenAiKind::OpenAi, profile.clone());
    let open = json!({ "type": "object", "properties": { "any": {} } });
    ask(&strict, Request { output: json_of(open), ..question("?") }).await.unwrap();
    assert_eq!(bodies(&server).await[0]["response_format"]["json_schema"]["strict"], false);

    let compiles = |request: &Received| match check(request) {
        Ok(body) if body["response_format"].to_string().len() > 400 => {
            Err(refusal("response_format", "The compiled grammar is too large. Simplify your schema."))
        }
        other => other,
    };
    let server = peer(compiles, vec![replies(0, |_| true, false)]).await;
    let model = model(&server, OpenAiKind::OpenAi, profile);
    let of = |names: usize| {
        let names: Vec<String> = (0..names).map(|n| format!("name{n}")).collect();
        json_of(json!({ "type": "object", "properties": { "a": { "enum": names } } }))
    };
    for names in [100, 2, 100] {
        ask(&model, Request { output: of(names), ..question("?") }).await.unwrap();
    }
    let held: Vec<bool> = bodies(&server).await.iter().map(|body| body.get("response_format").is_some()).collect();
    assert_eq!(held, [true, false, true, true, false]);
}

#[tokio::test]
async fn reasoning_beside_the_reply_is_counted_and_not_read() {
    let delta = |delta: Value| format!("data: {}\n\n", json!({ "choices": [{ "index": 0, "delta": delta }] }));
    let end = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] });
    let body = delta(json!({ "reasoning_content": "Let me think about it." }))
        + &delta(json!({ "content": "SELECT 1" }))
        + &format!("data: {end}\n\ndata: [DONE]\n\n");
    let server = peer(check, vec![super::strict::always(events(body))]).await;
    let done = ask(&model(&server, OpenAiKind::Compatible, ModelProfile::default()), question("?")).await.unwrap();
    assert_eq!(done.first_reply(), "SELECT 1");
    assert_eq!((done.usage.reasoning_tokens, done.usage.completion_tokens), (7, 9));
}

async fn tested(server: &MockServer, kind: OpenAiKind, profile: ModelProfile) -> Probe {
    probe_remote(&model(server, kind, profile), &CancellationToken::new()).await.unwrap()
}

#[tokio::test]
async fn a_test_finds_out_what_a_server_takes_whatever_is_declared() {
    let server = peer(check_loosely, vec![replies(0, |_| true, true)]).await;
    let wrong = ModelProfile { stop: false, samples: false, schema: SchemaSupport::None, ..ModelProfile::default() };
    let probe = tested(&server, OpenAiKind::Compatible, wrong).await;
    let facts = &probe.facts;
    assert_eq!((facts.schema, facts.stop), (Some(SchemaSupport::Lenient), Some(true)), "{probe:?}");
    assert_eq!((facts.samples, facts.seeded), (Some(true), Some(true)), "{probe:?}");
    assert_eq!((facts.reasoning, probe.reply.as_str()), (Some(Reasoning::None), "391"));
    assert_eq!(facts.context_tokens, None, "the server lists nothing");
    assert_eq!(facts.token_probabilities, Some(false), "it takes the wish and tells nothing");
    assert_eq!(facts.reply_tokens, None, "it takes any length");
    assert_eq!((facts.deliberates, facts.grammar), (None, None), "what no small question tells");
    for untold in ["deliberates", "grammar"] {
        assert!(probe.how.iter().any(|(line, _)| *line == untold), "that {untold} is not found out is said: {probe:?}");
    }
}

#[tokio::test]
async fn a_test_tells_whether_probabilities_of_tokens_come() {
    let told = json!({ "content": [{ "token": "one", "logprob": -0.1, "bytes": null, "top_logprobs": [] }] });
    let choice = json!({ "index": 0, "delta": { "content": "one" }, "logprobs": told, "finish_reason": "stop" });
    let body = format!("data: {}\n\ndata: [DONE]\n\n", json!({ "choices": [choice] }));
    let server = peer(check_loosely, vec![super::strict::always(events(body))]).await;
    let probe = tested(&server, OpenAiKind::Compatible, ModelProfile::default()).await;
    assert_eq!(probe.facts.token_probabilities, Some(true), "{probe:?}");
}

#[tokio::test]
async fn a_test_tells_a_server_that_takes_strict_schemas_alone_and_reasons_out_of_sight() {
    let holds = |body: &Value| body["response_format"]["json_schema"]["strict"] == true;
    let server = peer(check_reasoning, vec![replies(64, holds, false)]).await;
    let probe =
        tested(&server, OpenAiKind::OpenAi, ModelProfile { reply_tokens: 16_000, ..ModelProfile::default() }).await;
    let facts = &probe.facts;
    assert_eq!((facts.schema, facts.stop), (Some(SchemaSupport::Strict), Some(false)), "{probe:?}");
    assert_eq!((facts.reasoning, facts.seeded), (Some(Reasoning::Hidden), Some(false)), "{probe:?}");
    assert_eq!(facts.efforts, Some(vec![Effort::Low, Effort::Medium, Effort::High]));
    assert_eq!(facts.caching, None, "nothing is said of it: {probe:?}");
    assert_eq!(facts.reply_tokens, Some(16_000), "it is named where more is asked for: {probe:?}");
    assert_eq!(facts.token_probabilities, Some(false), "{probe:?}");
    let sent = server.received_requests().await.unwrap();
    let asked = sent.iter().filter(|request| request.body.windows(10).any(|part| part == b"\"logprobs\"")).count();
    assert!((1..=2).contains(&asked), "{asked}: once, and once more where the temperature was refused first");
}

/// Returns the reply limit, under either of its names.
fn room(body: &Value) -> Option<u64> {
    body["max_tokens"].as_u64().or(body["max_completion_tokens"].as_u64())
}

fn check_context(request: &Received) -> Result<Value, Refusal> {
    let body = check_loosely(request)?;
    if room(&body) > Some(8_000) {
        let message = "This model's maximum context length is 8192 tokens. However, you requested 50000040 tokens.";
        return Err(refusal("max_tokens", message));
    }
    Ok(body)
}

fn check_vaguely(request: &Received) -> Result<Value, Refusal> {
    let body = check_loosely(request)?;
    if room(&body) > Some(4_096) {
        return Err(refusal("max_tokens", "Too long for model-20241022: plan 1000 allows 4096 of 8192."));
    }
    Ok(body)
}

#[tokio::test]
async fn a_test_takes_a_limit_of_replies_only_where_one_can_be_meant() {
    let server = peer(check_context, vec![replies(0, |_| true, true)]).await;
    let probe = tested(&server, OpenAiKind::Compatible, ModelProfile::default()).await;
    assert_eq!((probe.facts.reply_tokens, probe.facts.context_tokens), (None, Some(8_192)), "{probe:?}");
    let server = peer(check_vaguely, vec![replies(0, |_| true, true)]).await;
    let probe = tested(&server, OpenAiKind::Compatible, ModelProfile::default()).await;
    assert_eq!(probe.facts.reply_tokens, None, "{probe:?}");
    assert!(probe.how.iter().any(|(line, how)| *line == "reply_tokens" && how.contains("names no limit")), "{probe:?}");
}

#[tokio::test]
async fn a_test_tells_that_the_beginning_of_a_prompt_is_reused() {
    let usage =
        json!({ "prompt_tokens": 5000, "completion_tokens": 1, "prompt_tokens_details": { "cached_tokens": 4864 } });
    let choice = json!({ "index": 0, "delta": { "content": "7" }, "finish_reason": "stop" });
    let body = format!("data: {}\n\ndata: [DONE]\n\n", json!({ "choices": [choice], "usage": usage }));
    let server = peer(check_loosely, vec![super::strict::always(events(body))]).await;
    let probe = tested(&server, OpenAiKind::Compatible, ModelProfile::default()).await;
    assert_eq!(probe.facts.caching, Some(Caching::Automatic), "{probe:?}");
    let sent = server.received_requests().await.unwrap();
    let long = |body: &[u8]| body.windows(6).any(|part| part == b"1500; ");
    assert!(sent.windows(2).any(|two| two[0].body == two[1].body && long(&two[0].body)), "the same prompt twice");
    assert_eq!(probe.facts.efforts, None, "a model that does not reason has none");
}

#[tokio::test]
async fn a_server_that_counts_prompts_teaches_how_long_texts_are() {
    let server = peer(check_loosely, vec![replies(0, |_| true, true)]).await;
    let model = model(&server, OpenAiKind::Compatible, ModelProfile::default());
    let count = async |text: &str| model.count_tokens(&[text]).await.unwrap()[0];
    let text = "выручка ".repeat(1_000);
    let before = count(&text).await;
    ask(&model, Request { prefix: text.clone(), ..question("?") }).await.unwrap();
    assert_eq!(count(&text).await, before, "50 tokens of so long a prompt is no count");

    let counted = json!({ "prompt_tokens": before / 2, "completion_tokens": 1 });
    let choice = json!({ "index": 0, "delta": { "content": "7" }, "finish_reason": "stop" });
    let body = format!("data: {}\n\ndata: [DONE]\n\n", json!({ "choices": [choice], "usage": counted }));
    let server = peer(check_loosely, vec![super::strict::always(events(body))]).await;
    let model = self::model(&server, OpenAiKind::Compatible, ModelProfile::default());
    ask(&model, Request { prefix: text.clone(), ..question("?") }).await.unwrap();
    let after = model.count_tokens(&[&text]).await.unwrap()[0];
    assert!(after < before * 2 / 3, "{before} {after}");
}

#[tokio::test]
async fn a_test_tells_a_server_that_passes_over_what_it_does_not_know() {
    // Schemas, seeds, several samples and stop texts are accepted without any effect.
    let ignores: Answer = Box::new(|body| {
        let mut body = body.clone();
        for field in ["stop", "n", "response_format"] {
            body.as_object_mut().unwrap().remove(field);
        }
        replies(0, |_| true, false)(&body)
    });
    let server = peer(check, vec![ignores]).await;
    let probe = tested(&server, OpenAiKind::Compatible, ModelProfile::default()).await;
    let facts = &probe.facts;
    assert_eq!((facts.schema, facts.stop), (Some(SchemaSupport::None), Some(false)), "{probe:?}");
    assert_eq!((facts.samples, facts.seeded), (Some(false), Some(false)), "{probe:?}");
}

#[tokio::test]
async fn a_test_of_a_model_that_does_not_answer_is_an_error() {
    let server = peer(check, vec![replies(0, |_| true, false)]).await;
    let stranger = ServerConfig { api_key: Some("sk-another-key".into()), ..config(&server.uri()) };
    let model = openai::create_model(OpenAiKind::Compatible, stranger).unwrap();
    let error = probe_remote(&model, &CancellationToken::new()).await.unwrap_err();
    assert!(matches!(error, LlmError::Unauthorised { .. }), "{error:?}");
}
