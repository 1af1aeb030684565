//! OpenAI's JSON: writes requests and reads streams of chunks.

use super::endpoint::{OpenAiKind, chat_endpoint, key_header};
use super::models;
use crate::http::ServerConfig;
use crate::http::budget::with_thinking;
use crate::http::failure::Failure;
use crate::http::format::{Features, Format};
use crate::http::part::{SampleRange, asked_in_words, effort_to_json, number_to_json, schema_name, wants_schema};
use crate::http::quirks::Feature;
use crate::http::reply::{Reply, not_in_format, unusable_reply};
use crate::http::served::{Details, ServedModel};
use crate::http::strict::to_strict_schema;
use crate::{CallUsage, FinishReason, LlmError, OutputFormat, Request};
use reqwest::Url;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use vitrine_domain::{Effort, ModelProfile, Reasoning, SchemaSupport};

/// The format of chat completions.
#[derive(Debug)]
pub(super) struct ChatCompletions {
    pub(super) kind: OpenAiKind,
}

impl Format for ChatCompletions {
    fn call_endpoint(&self, config: &ServerConfig) -> Result<Url, LlmError> {
        chat_endpoint(self.kind, config)
    }

    fn key_header(&self, key: &str) -> (&'static str, String) {
        key_header(self.kind, key)
    }

    fn unsupported_features(&self) -> &'static [Feature] {
        &[Feature::Prefill, Feature::ThinkingBudget]
    }

    fn refusal_words(&self, feature: Feature) -> &'static [&'static str] {
        match feature {
            Feature::Schema => &["response_format", "json_schema", "schema", "guided", "grammar"],
            Feature::Samples => {
                &["'n'", "\"n\"", "`n`", "parameter n", "multiple completions", "n must be", "n > 1", "best_of"]
            }
            Feature::StreamUsage => &["stream_options", "include_usage"],
            Feature::Seed => &["seed"],
            Feature::Temperature => &["temperature", "top_p"],
            Feature::Stop => &["'stop'", "\"stop\"", "`stop`", "parameter stop", "model: stop", "stop sequences"],
            Feature::FirstLimitName => &["max_tokens", "max_completion_tokens"],
            Feature::ThinkingRoom => &["tokens is too large", "supports at most"],
            Feature::Effort => &["reasoning_effort", "reasoning"],
            Feature::Probabilities => &["logprobs", "log_probs", "log probabilities"],
            Feature::Prefill | Feature::ThinkingBudget => &[],
        }
    }

    fn build_body(
        &self,
        config: &ServerConfig,
        request: &Request,
        part: SampleRange,
        features: &mut Features,
    ) -> Value {
        let mut body = Map::new();
        let with_schema = features.use_feature(Feature::Schema, wants_schema(request, &config.profile));
        body.insert("model".into(), config.model.clone().into());
        body.insert("messages".into(), build_messages(request, with_schema));
        body.insert("stream".into(), true.into());
        if features.use_feature(Feature::StreamUsage, true) {
            body.insert("stream_options".into(), json!({ "include_usage": true }));
        }
        if features.use_feature(Feature::Samples, part.samples > 1) {
            body.insert("n".into(), part.samples.into());
        }
        if features.use_feature(Feature::Temperature, true) {
            insert_temperature(&mut body, request, part);
        }
        let tells = config.profile.token_probabilities && request.output == OutputFormat::Text;
        if features.use_feature(Feature::Probabilities, tells) {
            body.insert("logprobs".into(), true.into());
        }
        if features.use_feature(Feature::Seed, config.profile.seeded) {
            body.insert("seed".into(), part.sample_seed(request).into());
        }
        let names = match self.kind {
            OpenAiKind::OpenAi | OpenAiKind::Azure => ["max_completion_tokens", "max_tokens"],
            OpenAiKind::Compatible => ["max_tokens", "max_completion_tokens"],
        };
        let name = names[usize::from(!features.use_feature(Feature::FirstLimitName, true))];
        let profile = &config.profile;
        // Hidden reasoning counts against the limit; models without it get no extra room, which would fill a small
        // context.
        let reasons =
            profile.reasoning == Reasoning::Hidden || profile.effort.is_some_and(|effort| effort != Effort::None);
        let limit = match features.use_feature(Feature::ThinkingRoom, reasons) {
            true => with_thinking(profile, request),
            false => request.max_tokens,
        };
        body.insert(name.into(), limit.into());
        if let Some(effort) = effort_to_json(profile).filter(|_| features.use_feature(Feature::Effort, true)) {
            body.insert("reasoning_effort".into(), effort);
        }
        // A reply that is asked to begin with a code fence would stop at its first token if the fence is a stop text.
        // The code that reads the reply finds its end.
        let begins = !request.assistant_prefix.is_empty();
        if features.use_feature(Feature::Stop, profile.stop && !request.stop.is_empty() && !begins) {
            // OpenAI accepts at most four stop texts.
            body.insert("stop".into(), json!(request.stop.iter().take(4).collect::<Vec<_>>()));
        }
        if let OutputFormat::JsonSchema { name, schema } = &request.output
            && with_schema
        {
            let (strict, schema) = self.held_to(profile, schema);
            let schema = json!({ "name": schema_name(name), "strict": strict, "schema": schema });
            let format = json!({ "type": "json_schema", "json_schema": schema });
            body.insert("response_format".into(), format);
        }
        Value::Object(body)
    }

    fn read_event(&self, data: &str, reply: &mut Reply) -> Result<(), Failure> {
        if data.trim() == "[DONE]" {
            reply.mark_ended();
            return Ok(());
        }
        let chunk: Chunk =
            serde_json::from_str(data).map_err(|error| not_in_format("chat completion", &error, data))?;
        if let Some(error) = chunk.error.filter(|error| !error.is_null()) {
            return Err(Failure::in_stream(&error, reply.context_tokens()));
        }
        for choice in chunk.choices.unwrap_or_default() {
            let message = choice.delta.or(choice.message).unwrap_or_default();
            reply.push_refusal(choice.index, &message.refusal.unwrap_or_default());
            for text in [&message.reasoning_content, &message.reasoning] {
                reply.push_reasoning(text.as_str().unwrap_or_default());
            }
            reply.push_text(choice.index, &text_of(&message.content));
            for token in choice.logprobs.and_then(|said| said.content).unwrap_or_default() {
                reply.push_probability(choice.index, token.logprob);
            }
            match choice.finish_reason.as_deref() {
                None | Some("") => {}
                Some("content_filter") => {
                    return Err(unusable_reply("the server's content filter stopped it".to_owned()));
                }
                Some("length") => reply.finish_sample(choice.index, FinishReason::Length)?,
                Some(_) => reply.finish_sample(choice.index, FinishReason::Stop)?,
            }
        }
        if let Some(usage) = chunk.usage.filter(Value::is_object) {
            *reply.usage_mut() = read_usage(&usage, chunk.timings.as_ref());
        }
        Ok(())
    }

    fn models_endpoint(&self, config: &ServerConfig, _after: Option<&str>) -> Result<Url, LlmError> {
        models::build_models_url(self.kind, config)
    }

    fn read_models(&self, page: &Value) -> (Vec<ServedModel>, Option<String>) {
        (models::read_models(self.kind, page), None)
    }

    fn details_request(&self, config: &ServerConfig, model: &ServedModel) -> Option<Details> {
        models::build_details_request(config, model).filter(|_| self.kind == OpenAiKind::Compatible)
    }

    fn read_details(&self, said: &Value, model: &mut ServedModel) {
        models::read_details(said, model);
    }
}

impl ChatCompletions {
    /// Returns the schema in the form that the server accepts, and the value of `strict`. Servers compatible with
    /// OpenAI enforce the schema in either case.
    fn held_to<'a>(&self, profile: &ModelProfile, schema: &'a Value) -> (bool, Cow<'a, Value>) {
        match (profile.schema, self.kind) {
            (SchemaSupport::Strict, _) => match to_strict_schema(schema) {
                Some(schema) => (true, Cow::Owned(schema)),
                None => (false, Cow::Borrowed(schema)),
            },
            (_, kind) => (kind == OpenAiKind::Compatible, Cow::Borrowed(schema)),
        }
    }
}

/// Adds the temperature, and `top_p` if it has an effect.
pub(super) fn insert_temperature(body: &mut Map<String, Value>, request: &Request, part: SampleRange) {
    let temperature = part.sample_temperature(request);
    body.insert("temperature".into(), number_to_json(temperature));
    if request.top_p < 1.0 && temperature > 0.0 {
        body.insert("top_p".into(), number_to_json(request.top_p));
    }
}

fn build_messages(request: &Request, with_schema: bool) -> Value {
    let message = |role: &str, content: &str| json!({ "role": role, "content": content });
    let mut messages = Vec::new();
    if !request.system.is_empty() {
        messages.push(message("system", &request.system));
    }
    let asked = asked_in_words(request, with_schema, false);
    let end = |last: bool| if last { asked.as_str() } else { "" };
    let first = format!("{}{}{}", request.prefix, request.tail, end(request.turns.is_empty()));
    messages.push(message("user", &first));
    for (index, (assistant, user)) in request.turns.iter().enumerate() {
        messages.push(message("assistant", assistant));
        messages.push(message("user", &format!("{user}{}", end(index + 1 == request.turns.len()))));
    }
    Value::Array(messages)
}

#[derive(Debug, Deserialize)]
struct Chunk {
    choices: Option<Vec<Choice>>,
    usage: Option<Value>,
    timings: Option<Value>,
    error: Option<Value>,
}

#[derive(Debug, Deserialize)]
struct Choice {
    #[serde(default)]
    index: u32,
    /// The message in a stream.
    delta: Option<Message>,
    /// The message in a complete reply.
    message: Option<Message>,
    finish_reason: Option<String>,
    /// Log probabilities of this chunk's tokens, if requested.
    logprobs: Option<TokenList>,
}

#[derive(Debug, Deserialize)]
struct TokenList {
    content: Option<Vec<Token>>,
}

#[derive(Debug, Deserialize)]
struct Token {
    logprob: f64,
}

#[derive(Debug, Default, Deserialize)]
struct Message {
    /// A text, or an array of parts, some of them text.
    #[serde(default)]
    content: Value,
    refusal: Option<String>,
    /// Reasoning, as named by DeepSeek, vLLM and llama.cpp.
    #[serde(default)]
    reasoning_content: Value,
    /// Reasoning, as named by Ollama and OpenRouter.
    #[serde(default)]
    reasoning: Value,
}

fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn read_usage(usage: &Value, timings: Option<&Value>) -> CallUsage {
    let count = |value: &Value| value.as_u64();
    let cached = count(&usage["prompt_tokens_details"]["cached_tokens"])
        .or_else(|| count(&usage["prompt_cache_hit_tokens"]))
        .or_else(|| timings.and_then(|timings| count(&timings["cache_n"])));
    CallUsage {
        prompt_tokens: count(&usage["prompt_tokens"]).unwrap_or(0),
        cached_prompt_tokens: cached.unwrap_or(0),
        // OpenRouter reports these for models whose provider charges extra for cache writes.
        cache_write_tokens: count(&usage["prompt_tokens_details"]["cache_write_tokens"]).unwrap_or(0),
        completion_tokens: count(&usage["completion_tokens"]).unwrap_or(0),
        reasoning_tokens: count(&usage["completion_tokens_details"]["reasoning_tokens"]).unwrap_or(0),
    }
}
