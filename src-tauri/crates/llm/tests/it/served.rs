//! The models that a server lists, in each provider's published format.

use super::openai::{KEY, config};
use serde_json::{Value, json};
use vitrine_domain::{Effort, Price, ProfileFacts, Reasoning, SchemaSupport};
use vitrine_llm::http::{HttpModel, ServedModel, ServerConfig};
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{LlmError, anthropic, gemini};
use wiremock::matchers::{body_json, header, method, path, query_param, query_param_is_missing};
use wiremock::{Mock, MockServer, ResponseTemplate};

fn answer(body: Value) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(body)
}

async fn get(server: &MockServer, at: &str, body: Value) {
    Mock::given(method("GET")).and(path(at)).respond_with(answer(body)).mount(server).await;
}

fn compatible(server: &MockServer) -> HttpModel {
    openai::create_model(OpenAiKind::Compatible, config(&server.uri())).unwrap()
}

fn ids(models: &[ServedModel]) -> Vec<&str> {
    models.iter().map(|model| model.id.as_str()).collect()
}

#[tokio::test]
async fn servers_that_follow_openai_each_tell_the_context_in_their_own_way() {
    let vllm = MockServer::start().await;
    let entry = json!({ "id": "Qwen/Qwen2.5-Coder-32B-Instruct", "object": "model", "owned_by": "vllm", "max_model_len": 32768 });
    get(&vllm, "/v1/models", json!({ "object": "list", "data": [entry] })).await;
    let served = compatible(&vllm).list_models().await.unwrap();
    assert_eq!(served[0].facts.context_tokens, Some(32_768));

    let llama = MockServer::start().await;
    let meta = json!({ "n_ctx_train": 131_072, "n_params": 1_543_714_304_u64 });
    let entry = json!({ "id": "qwen.gguf", "owned_by": "llamacpp", "meta": meta });
    get(&llama, "/v1/models", json!({ "object": "list", "data": [entry] })).await;
    get(&llama, "/props", json!({ "default_generation_settings": { "n_ctx": 4096 }, "total_slots": 4 })).await;
    let served = compatible(&llama).list_models().await.unwrap();
    let facts = &served[0].facts;
    assert_eq!(
        (facts.context_tokens, facts.deliberates),
        (Some(4_096), Some(false)),
        "what it runs with, not what it could"
    );

    let ollama = MockServer::start().await;
    let entry = |id: &str| json!({ "id": id, "object": "model", "owned_by": "library" });
    get(&ollama, "/v1/models", json!({ "object": "list", "data": [entry("qwen3:32b"), entry("small")] })).await;
    let info = json!({ "general.architecture": "qwen3", "general.parameter_count": 32_762_123_264_u64, "qwen3.context_length": 40_960 });
    let shown = json!({ "parameters": "temperature 0.6\nnum_ctx 8192", "model_info": info, "capabilities": ["completion", "thinking"] });
    Mock::given(method("POST"))
        .and(path("/api/show"))
        .and(body_json(json!({ "model": "qwen3:32b" })))
        .respond_with(answer(shown))
        .mount(&ollama)
        .await;
    let served = compatible(&ollama).list_models().await.unwrap();
    let facts = &served[0].facts;
    let known = (facts.context_tokens, facts.deliberates, facts.reasoning);
    assert_eq!(known, (Some(8_192), Some(true), Some(Reasoning::Hidden)));
    assert_eq!(served[1].facts, ProfileFacts::default(), "what a server does not tell is unknown");
}

#[tokio::test]
async fn a_router_tells_prices_limits_and_what_is_taken() {
    let server = MockServer::start().await;
    let pricing = json!({ "prompt": "0.000003", "completion": "0.000015", "input_cache_read": "0.0000003", "input_cache_write": "0.00000375", "request": "0" });
    let entry = json!({
        "id": "anthropic/claude-sonnet", "name": "Claude Sonnet", "context_length": 1_000_000, "pricing": pricing,
        "top_provider": { "context_length": 200_000, "max_completion_tokens": 64_000, "is_moderated": true },
        "supported_parameters": ["max_tokens", "stop", "structured_outputs", "reasoning"],
    });
    let free = json!({ "id": "auto", "context_length": 2000, "pricing": { "prompt": "-1", "completion": "-1" } });
    get(&server, "/api/v1/models", json!({ "data": [entry, free] })).await;
    let router = ServerConfig { base_url: format!("{}/api/v1", server.uri()), ..config(&server.uri()) };
    let served = openai::create_model(OpenAiKind::Compatible, router).unwrap().list_models().await.unwrap();
    assert_eq!(ids(&served), ["anthropic/claude-sonnet", "auto"]);
    let facts = &served[0].facts;
    assert_eq!(served[0].title.as_deref(), Some("Claude Sonnet"));
    assert_eq!((facts.context_tokens, facts.reply_tokens), (Some(200_000), Some(64_000)));
    assert_eq!(facts.price, Some(Price { input: 3.0, cached: 0.3, output: 15.0, cache_write: Some(3.75) }));
    let taken = (facts.schema, facts.stop, facts.token_probabilities);
    assert_eq!(taken, (Some(SchemaSupport::Lenient), Some(true), Some(false)));
    assert_eq!(served[1].facts.price, None, "a price below nothing is none");
}

#[tokio::test]
async fn openai_lists_what_chats_and_azure_has_its_own_path() {
    let server = MockServer::start().await;
    let entry = |id: &str| json!({ "id": id, "object": "model", "owned_by": "openai" });
    let list =
        json!({ "data": [entry("gpt-5"), entry("text-embedding-3-small"), entry("gpt-4o-realtime"), entry("o3")] });
    get(&server, "/v1/models", list.clone()).await;
    get(&server, "/openai/v1/models", list).await;
    let openai = |kind| openai::create_model(kind, config(&server.uri())).unwrap();
    assert_eq!(ids(&openai(OpenAiKind::OpenAi).list_models().await.unwrap()), ["gpt-5", "o3"]);
    assert_eq!(ids(&openai(OpenAiKind::Azure).list_models().await.unwrap()), ["gpt-5", "o3"]);
}

#[tokio::test]
async fn anthropic_is_asked_page_by_page_and_tells_limits_levels_and_schemas() {
    let server = MockServer::start().await;
    let yes = json!({ "supported": true });
    let no = json!({ "supported": false });
    let effort = json!({ "supported": true, "low": yes, "medium": yes, "high": yes, "xhigh": no, "max": yes });
    let capabilities = json!({ "effort": effort, "structured_outputs": yes, "thinking": yes });
    let entry = |id: &str, lifecycle: &str| {
        json!({ "type": "model", "id": id, "display_name": "Claude", "created_at": "2026-01-01T00:00:00Z", "lifecycle": lifecycle,
            "max_input_tokens": 1_000_000, "max_tokens": 128_000, "capabilities": capabilities })
    };
    let page = |data: Value, more: bool, last: &str| {
        answer(json!({ "data": data, "has_more": more, "first_id": "a", "last_id": last }))
    };
    let listed = || {
        Mock::given(method("GET"))
            .and(path("/v1/models"))
            .and(header("x-api-key", KEY))
            .and(query_param("limit", "1000"))
    };
    let first = json!([entry("claude-b", "active"), entry("claude-old", "retired")]);
    listed().and(query_param_is_missing("after_id")).respond_with(page(first, true, "claude-old")).mount(&server).await;
    let second = page(json!([entry("claude-a", "deprecated")]), false, "claude-a");
    listed().and(query_param("after_id", "claude-old")).respond_with(second).mount(&server).await;
    let served = anthropic::create_model(config(&server.uri())).unwrap().list_models().await.unwrap();
    assert_eq!(ids(&served), ["claude-a", "claude-b"]);
    let facts = &served[0].facts;
    assert_eq!((facts.context_tokens, facts.reply_tokens), (Some(1_000_000), Some(128_000)));
    assert_eq!(facts.efforts, Some(vec![Effort::Low, Effort::Medium, Effort::High, Effort::Max]));
    assert_eq!(facts.schema, Some(SchemaSupport::Lenient));
}

#[tokio::test]
async fn gemini_lists_what_generates_with_its_limits() {
    let server = MockServer::start().await;
    let entry = |name: &str, methods: Value| {
        json!({ "name": format!("models/{name}"), "displayName": "Gemini", "inputTokenLimit": 1_048_576, "outputTokenLimit": 65_536,
            "supportedGenerationMethods": methods, "thinking": true })
    };
    let models = json!([
        entry("gemini-3.8-flash", json!(["generateContent", "countTokens"])),
        entry("embedding", json!(["embedContent"]))
    ]);
    get(&server, "/v1beta/models", json!({ "models": models })).await;
    let served = gemini::create_model(config(&server.uri())).unwrap().list_models().await.unwrap();
    assert_eq!(ids(&served), ["gemini-3.8-flash"]);
    let facts = &served[0].facts;
    let known = (facts.context_tokens, facts.reply_tokens, facts.reasoning);
    assert_eq!(known, (Some(1_048_576), Some(65_536), Some(Reasoning::Hidden)));
}

#[tokio::test]
async fn what_is_no_list_is_said_without_the_key() {
    let server = MockServer::start().await;
    let page = ResponseTemplate::new(200).set_body_raw("<html>", "text/html");
    Mock::given(path("/v1/models")).respond_with(page).up_to_n_times(1).mount(&server).await;
    let refused = json!({ "error": { "message": format!("Incorrect API key provided: {KEY}") } });
    Mock::given(path("/v1/models"))
        .respond_with(ResponseTemplate::new(401).set_body_json(refused))
        .mount(&server)
        .await;
    let model = compatible(&server);
    let error = model.list_models().await.unwrap_err().to_string();
    assert!(error.contains("no list of models"), "{error}");
    let error = model.list_models().await.unwrap_err();
    assert_eq!(error, LlmError::Unauthorised { message: "Incorrect API key provided: ***".into() });
}
