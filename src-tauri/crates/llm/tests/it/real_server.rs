//! A real OpenAI-compatible server with a real small model.

use super::openai::{ask, config, question};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio_util::sync::CancellationToken;
use vitrine_domain::SchemaSupport;
use vitrine_llm::http::ServerConfig;
use vitrine_llm::openai::{self, OpenAiKind};
use vitrine_llm::{ChatModel, FinishReason, LlmError, OutputFormat, Request, complete_request, parse_json, schema_of};
use vitrine_test_servers::openai_server::start;

const KEY: &str = "sk-real-server-key";

#[derive(Debug, Deserialize, JsonSchema)]
struct Answer {
    city: String,
    inhabitants: u64,
}

#[tokio::test]
async fn a_real_server_answers_streams_counts_constrains_and_refuses() {
    let Some(server) = start(KEY, 4_096) else { return };
    let model_with = |key: &str| {
        openai::create_model(
            OpenAiKind::Compatible,
            ServerConfig { api_key: Some(key.into()), ..config(&server.address) },
        )
        .unwrap()
    };
    let model = model_with(KEY);

    let schema: String = (0..12).map(|n| format!("CREATE TABLE t{n} (id INTEGER, name TEXT);\n")).collect();
    let request = |tail: &str| Request { prefix: schema.clone(), max_tokens: 10, ..question(tail) };
    let mut pieces = 0;
    let first = complete_request(&model, request("Count the rows of t1."), CancellationToken::new(), |_| pieces += 1)
        .await
        .unwrap();
    assert!(!first.first_reply().is_empty() && pieces > 1, "{first:?}");
    assert!(first.usage.prompt_tokens > 100 && first.usage.completion_tokens > 1, "{first:?}");
    let second = ask(&model, request("Count the rows of t2.")).await.unwrap();
    assert!(second.usage.cached_prompt_tokens > 100, "the schema is read once: {:?}", second.usage);

    let output = OutputFormat::JsonSchema { name: "answer".into(), schema: schema_of::<Answer>() };
    let constrained = Request { output, max_tokens: 40, ..question("Name a large city.") };
    let answer: Answer = parse_json(ask(&model, constrained).await.unwrap().first_reply()).unwrap();
    assert!(!answer.city.is_empty() && answer.inhabitants < u64::MAX, "{answer:?}");
    assert!(model.profile().schema != SchemaSupport::None);

    let three =
        Request { samples: 3, first_greedy: true, temperature: 0.9, max_tokens: 8, ..question("Write a word.") };
    let done = ask(&model, three).await.unwrap();
    assert!(done.replies.iter().all(|reply| !reply.is_empty()), "{done:?}");
    let cut = ask(&model, Request { max_tokens: 3, ..question("Count from one to twenty.") }).await.unwrap();
    assert_eq!(cut.reasons, [FinishReason::Length]);

    let error = ask(&model_with("sk-some-other-key"), question("?")).await.unwrap_err();
    assert!(matches!(error, LlmError::Unauthorised { .. }), "{error:?}");
    let long = ask(&model, question(&"many words ".repeat(2500))).await.unwrap_err();
    assert!(matches!(long, LlmError::ContextExceeded { available: 1..=4096, needed: 4096.. }), "{long:?}");

    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let endless = Request { max_tokens: 2000, ..question("Count from one to a thousand.") };
    assert_eq!(complete_request(&model, endless, cancel, move |_| stop.cancel()).await, Err(LlmError::Cancelled));
    ask(&model, request("Count the rows of t3.")).await.unwrap();
}
